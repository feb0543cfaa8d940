// A box of time and frequency on the waterfall, to zoom to or to record.

import { box as bar } from './bar.js';
import { noBox } from './box.js';
import { BoxLayer } from './layer.js';

/** @type {import('../list.js').Feature<import('./box.js').BoxState>} */
export const box = {
  order: 100,
  state: noBox,
  closed: noBox(),
  commands: [
    {
      id: 'box',
      tool: { id: 'box-mode', group: 'Capture', word: 'Box', icon: 'M4 5h12v10H4z' },
      keys: ['s'],
      group: 'Time',
      label: 'a box of time and frequency on the waterfall',
      run: ({ store }) => store.update({ boxing: !store.state.boxing }),
    },
  ],
  layers: ({ store }) => [
    new BoxLayer(
      () => store.state,
      (drawn, done) => store.update({ box: drawn, ...(done && { boxing: false }) }),
    ),
  ],
  draws: ['box'],
  parts: [bar],
};
