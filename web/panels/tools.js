// The tools at the top: trace, colours, level range and pause.

import { PALETTES } from '../plot/palette.js';
import { addOption, byId, selectById } from '../util/dom.js';

export const tools = {
  id: 'tools',

  /** @param {import('../app/state.js').Store} store @param {import('../app/actions.js').Actions} actions */
  mount(store, actions) {
    const trace = selectById('trace'), palette = selectById('palette');
    for (const name of Object.keys(PALETTES)) addOption(palette, name);
    trace.onchange = () => actions.changeTrace(trace.value);
    palette.onchange = () => actions.changePalette(palette.value);
    byId('auto').onclick = () => actions.fitRange();
    byId('pause').onclick = () => actions.togglePause();
    store.subscribe(['trace'], (state) => { trace.value = state.trace; });
    store.subscribe(['palette'], (state) => { palette.value = state.palette; });
    store.subscribe(['paused'], ({ paused }) => {
      byId('pause').setAttribute('aria-pressed', String(paused));
      byId('paused').hidden = !paused;
    });
  },
};
