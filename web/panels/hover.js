// The box at the cursor: frequency and level there, and in the waterfall the time of the row.

import { frequencyText } from '../plot/frequency.js';
import { byId, setText } from '../util/dom.js';
import { formatCount, formatDb, formatTime } from '../util/format.js';

const DISTANCE = 16; // CSS pixels from the cursor

/** @param {import('../plot/display.js').Reading} reading */
export function hoverLines({ frame, hz, resolutionHz, db, row }) {
  const level = row?.gap ? 'samples are missing here' : Number.isNaN(db) ? 'not measured' : `${formatDb(db)} dBFS`;
  const lines = [frequencyText(frame, hz, resolutionHz), level];
  if (row && !frame.rateAssumed) lines.push(`${formatTime(row.timeMs)} UTC`);
  if (row && row.merged > 1) lines.push(`${formatCount(row.merged)} lines merged`);
  return lines;
}

/**
 * After the cursor, or before it where the end is near.
 * @param {number} at
 * @param {number} size
 * @param {number} end
 */
const beside = (at, size, end) => Math.max(0, Math.round(
  at + DISTANCE + size > end ? at - DISTANCE - size : at + DISTANCE));

export const hover = {
  id: 'hover',

  /** @param {import('../app/state.js').Store} store */
  mount(store) {
    const box = byId('hover');
    store.subscribe(['reading'], ({ reading }) => {
      box.hidden = reading === null;
      if (!reading) return;
      setText(box, hoverLines(reading).join('\n'));
      const { offsetWidth, offsetHeight } = box, { x, y, layout } = reading;
      const left = beside(x, offsetWidth, layout.width), top = beside(y, offsetHeight, layout.height);
      box.style.transform = `translate(${left}px, ${top}px)`;
    });
  },
};
