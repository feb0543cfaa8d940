// Keeps what is shown in the address's hash, and shows what a new hash asks for.

import { changesOf, hashOf, KEYS, parseHash } from './hash.js';

const DELAY_MS = 400; // browsers limit how often a page may change its address
const KEY = 'fftd.hash';

/** The hash of the address; after a reload with what was changed just before it. @returns {string} */
export function firstHash() {
  try {
    const [entry] = performance.getEntriesByType('navigation');
    const reloaded = entry instanceof PerformanceNavigationTiming && entry.type === 'reload';
    return (reloaded && sessionStorage.getItem(KEY)) || location.hash;
  } catch {
    return location.hash;
  }
}

/** @param {import('./store.js').Store} store */
export function followAddress(store) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe(KEYS, () => {
    timer ??= setTimeout(() => {
      // a level range that follows the spectrum changes all the time
      timer = undefined;
      const hash = hashOf(store.state);
      if (hash !== location.hash) history.replaceState(null, '', hash);
    }, DELAY_MS);
  });
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEY, hashOf(store.state));
    } catch {
      /* private browsing */
    }
  });
  // The address may be the page's own again by the time of the event.
  addEventListener('hashchange', ({ newURL }) => store.update(changesOf(parseHash(new URL(newURL).hash), store.state)));
}
