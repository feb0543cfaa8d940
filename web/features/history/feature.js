// The lines of the past: the server's rows in the waterfall, and how to go back to them.

import { past } from './panel.js';

/**
 * @typedef {object} HistoryState
 * @property {number | null} scrolledTo  Unix time in ms of the top of the waterfall; null: it is live
 */

/** @type {import('../list.js').Feature<HistoryState>} */
export const history = {
  order: 20,
  state: () => ({ scrolledTo: null }),
  commands: [
    {
      id: 'later',
      keys: ['PageUp'],
      group: 'Time',
      label: 'later lines of the waterfall',
      run: (actions) => actions.scrollScreens(-0.8),
    },
    {
      id: 'earlier',
      keys: ['PageDown'],
      group: 'Time',
      label: 'earlier lines of the waterfall',
      run: (actions) => actions.scrollScreens(0.8),
    },
    { id: 'live', keys: ['End'], group: 'Time', label: 'back to live lines', run: (actions) => actions.goLive() },
  ],
  start: ({ past: rows, display }) => rows.start(display),
  parts: [past],
};
