// The dock: all panels beside the plots, or on a phone below them, one at a time and each with a tab.

import { dock as part } from './dock.js';

/**
 * @typedef {object} DockState
 * @property {string} front  the panel in front of the others; one that is not open: the last of those that are
 */

/** @type {import('../list.js').Feature<DockState>} */
export const dock = {
  order: 5, // its element is there before those of the panels
  state: () => ({ front: '' }),
  parts: [part],
};
