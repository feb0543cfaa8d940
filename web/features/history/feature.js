// The lines of the past: the server's rows in the waterfall, and how to go back to them.

import { past } from './panel.js';
import { changeZone, timeLine } from './time_line.js';
import { showLocalTime } from '../../util/time.js';
import { stored } from '../../util/stored.js';

/**
 * @typedef {object} HistoryState
 * @property {number | null} scrolledTo  Unix time in ms of the top of the waterfall; null: it is live
 * @property {string} resolution  time that a row there stands for; "": a line
 * @property {boolean} timeOpen  the time line, also while the waterfall is live
 * @property {boolean} localTime  times are of this machine's zone, not UTC
 */

/** @type {import('../list.js').Feature<HistoryState>} */
export const history = {
  order: 20,
  state: () => {
    const localTime = stored('fftd-time') === 'local';
    showLocalTime(localTime);
    return { scrolledTo: null, resolution: '', timeOpen: false, localTime };
  },
  closed: { timeOpen: false },
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
    {
      id: 'time',
      keys: ['z'],
      group: 'Time',
      label: 'go to a time',
      run: ({ store }) => store.update({ timeOpen: !store.state.timeOpen }),
    },
    {
      id: 'zone',
      keys: ['Shift+z'],
      group: 'Time',
      label: 'local time, UTC',
      run: ({ store }) => changeZone(store, !store.state.localTime),
    },
  ],
  draws: ['localTime'],
  start: ({ past: rows, display }) => rows.start(display),
  parts: [past, timeLine],
};
