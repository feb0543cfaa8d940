// What the page can do: keys and gestures, a menu of all commands, and how to leave what is open.

import { help as keys } from './help.js';
import { menu } from './menu.js';

/**
 * @typedef {object} HelpState
 * @property {boolean} helpOpen
 */

/** @type {import('../list.js').Feature<HelpState>} */
export const help = {
  order: 160,
  state: () => ({ helpOpen: false }),
  commands: [
    {
      id: 'fullscreen',
      keys: ['f'],
      group: 'Page',
      label: 'full screen',
      run: (actions) => actions.toggleFullscreen(),
    },
    {
      id: 'close',
      keys: ['Escape'],
      group: 'Page',
      label: 'close the panels or a message',
      run: (actions) => actions.closeAll(),
    },
    {
      id: 'help',
      tool: { id: 'help-open', group: '', word: 'Keys', icon: 'M7 7a3 3 0 1 1 4 3c-1 .4-1 1-1 2M10 15v1' },
      keys: ['?'],
      group: 'Page',
      label: 'keys and gestures',
      run: (actions) => actions.showHelp(true),
    },
  ],
  parts: [keys, menu],
};
