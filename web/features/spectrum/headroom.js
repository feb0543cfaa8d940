// What the receiver's converter has left before it clips, as the server's status says it.

import { fixed } from '../../util/format.js';

const LOW_DB = 3;

/**
 * @param {Record<string, any> | null} status
 * @param {Record<string, any> | null} before  the status before it; null: none
 * @returns {{ text: string, level: 'bad' | 'warn' | '' } | null}  null: nothing is known
 */
export function headroomOf(status, before) {
  const db = status?.front_end?.headroom_db,
    clipped = status?.ledger?.clipped;
  if (typeof db !== 'number') return null;
  if (before && clipped > before.ledger?.clipped) return { text: 'clipping', level: 'bad' };
  return { text: `${fixed(db, 1)} dB`, level: db < LOW_DB ? 'warn' : '' };
}
