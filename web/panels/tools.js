// The tools at the top: trace, colours, level range and pause.

import { PALETTES } from '../plot/palette.js';
import { byId, choose, offer, selectById } from '../util/dom.js';

/** @typedef {import('../app/state.js').State} State */

/**
 * Offers the server's traces; without any, the select is hidden.
 * @param {HTMLSelectElement} select
 * @param {Readonly<State>} state
 */
function showTraces(select, { choices, trace }) {
  const label = /** @type {HTMLElement} */ (select.closest('label'));
  label.hidden = choices !== null && !choices.trace?.values;
  offer(select, choices?.trace?.values ?? [], trace);
}

export const tools = {
  id: 'tools',

  /** @param {import('../app/state.js').Store} store @param {import('../app/actions.js').Actions} actions */
  mount(store, actions) {
    const trace = selectById('trace'), palette = selectById('palette');
    offer(palette, Object.keys(PALETTES), store.state.palette);
    trace.onchange = () => actions.changeTrace(trace.value);
    palette.onchange = () => actions.changePalette(palette.value);
    byId('auto').onclick = () => actions.fitRange();
    byId('pause').onclick = () => actions.togglePause();
    store.subscribe(['choices'], (state) => showTraces(trace, state));
    store.subscribe(['trace'], (state) => choose(trace, state.trace));
    store.subscribe(['palette'], (state) => choose(palette, state.palette));
    store.subscribe(['paused'], ({ paused }) => {
      byId('pause').setAttribute('aria-pressed', String(paused));
      byId('paused').hidden = !paused;
    });
  },
};
