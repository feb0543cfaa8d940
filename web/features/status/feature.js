// How the page is supplied: the connection, the source, the figures of the ledger, messages, and the use of few bytes.

import { ledger } from './ledger.js';
import { link } from './link.js';
import { message } from './message.js';
import { source } from './source.js';
import { followEconomy, isScarce } from '../../app/economy.js';
import { withChanges } from '../../net/status.js';
import { choice } from '../../util/hash.js';

/**
 * @typedef {object} StatusState
 * @property {import('../../net/connection.js').LinkState} link
 * @property {Record<string, any> | null} status  the server's newest; null: not connected
 * @property {boolean} ended  the recording has ended, and with it fftd
 * @property {{ text: string } | null} message  to show for a while
 * @property {boolean} economy  use few bytes
 */

/** @param {any} status */
const take = (status) => ({ status, ended: status.state === 'ended' });

/** @type {import('../list.js').Feature<StatusState>} */
export const status = {
  order: 150,
  state: (hash) => ({
    link: { kind: 'connecting', reason: '', retryAt: 0 },
    status: null,
    ended: false,
    message: null,
    economy: hash.economy ? hash.economy === 'on' : isScarce(/** @type {any} */ (globalThis.navigator)?.connection),
  }),
  closed: { message: null },
  link: {
    fields: { economy: choice(['on', 'off']) },
    keys: ['economy'],
    write: ({ economy }) => ({ economy: economy ? 'on' : undefined }),
  },
  commands: [
    { id: 'economy', keys: ['b'], group: 'Page', label: 'use fewer bytes', run: (actions) => actions.toggleEconomy() },
  ],
  messages: {
    welcome: () => ({ ended: false }),
    status: take,
    status_changes: ({ changes }, { state }) => take(withChanges(state.status ?? {}, changes)),
  },
  disconnected: { status: null },
  start: ({ store }) => followEconomy(store),
  parts: [source, link, message, ledger],
};
