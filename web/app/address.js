// Keeps what is shown in the address's hash, and shows what a new hash asks for.

import { formatHash, parseHash } from '../util/hash.js';

const DELAY_MS = 400; // browsers limit how often a page may change its address

/** @param {Readonly<import('./state.js').State>} state */
function hashOf({ view, range, rangeBy, detector, palette, speed, renderer }) {
  const levels = rangeBy === 'user' ? { bottom: range.bottomDb, top: range.topDb } : {};
  return formatHash({ low: view?.lowHz, high: view?.highHz, ...levels, detector, palette, speed, renderer });
}

/** @param {import('./state.js').Store} store @param {import('./actions.js').Actions} actions */
export function followAddress(store, actions) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe(['view', 'range', 'rangeBy', 'detector', 'palette', 'speed'], () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const hash = hashOf(store.state);
      if (hash !== location.hash) history.replaceState(null, '', hash);
    }, DELAY_MS);
  });
  addEventListener('hashchange', () => actions.applyHash(parseHash(location.hash)));
}
