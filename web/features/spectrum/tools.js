// The tools at the top: colours, level range and pause; and the detector, in the strip.

import { showFigure } from './view_line.js';
import { PALETTES } from '../../plot/palette.js';
import { makeToolBar } from '../../app/tool_bar.js';
import { byId, choose, offer, onChoice, selectById } from '../../util/dom.js';

/** @typedef {import('../../app/state.js').State} State */

/**
 * Offers the server's detectors; without any, there is a text in place of the select.
 * @param {HTMLSelectElement} select
 * @param {Readonly<State>} state
 */
function showDetectors(select, { choices, detector }) {
  const fixed = choices !== null && !choices.detector?.values;
  byId('detector-label').hidden = fixed;
  showFigure('view-detector', fixed);
  offer(select, choices?.detector?.values ?? [], detector);
}

export const tools = {
  id: 'tools',
  element: makeToolBar,
  place: { before: '#message' },

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const detector = selectById('detector'),
      palette = selectById('palette');
    offer(palette, Object.keys(PALETTES), store.state.palette);
    onChoice(detector, (value) => actions.changeDetector(value));
    onChoice(palette, (value) => actions.changePalette(value));
    store.subscribe(['choices'], (state) => showDetectors(detector, state));
    store.subscribe(['detector'], (state) => choose(detector, state.detector));
    store.subscribe(['palette'], (state) => choose(palette, state.palette));
    store.subscribe(['rangeBy'], ({ rangeBy }) =>
      byId('auto').setAttribute('aria-pressed', String(rangeBy !== 'user')),
    );
    store.subscribe(['paused'], ({ paused }) => {
      byId('pause').setAttribute('aria-pressed', String(paused));
      byId('paused').hidden = !paused;
    });
  },
};
