// Keeps what is shown in the address's hash, and shows what a new hash asks for.

import { planOf } from '../features/bookmarks/band_plan.js';
import { formatMarkers, formatPanels } from './link.js';
import { formatTraces } from '../features/traces/address.js';
import { formatWaterfall } from '../features/waterfall/range.js';
import { formatHash, parseHash } from '../util/hash.js';

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

/** @param {Readonly<import('./state.js').State>} state */
function hashOf(state) {
  const { view, range, rangeBy, detector, palette, speed, unit, renderer, density, traces, thrifty, waterfall } = state;
  const levels = rangeBy === 'user' ? { bottom: range.bottomDb, top: range.topDb } : {};
  return formatHash({ low: view?.lowHz, high: view?.highHz, ...levels, detector, palette, speed,
    unit: unit === 'dBFS' ? undefined : encodeURIComponent(unit), renderer, density: density || undefined,
    waterfall: formatWaterfall(waterfall) || undefined, traces: formatTraces(traces) || undefined,
    thrifty: thrifty ? 'on' : undefined, plan: planOf(state),
    markers: formatMarkers(state.markers, state.selected) || undefined, panels: formatPanels(state) || undefined,
    measures: state.measureOpen && state.ownMeasures ? encodeURIComponent(state.ownMeasures) : undefined });
}

/** @param {import('./state.js').Store} store @param {import('./actions.js').Actions} actions */
export function followAddress(store, actions) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe(['view', 'range', 'rangeBy', 'detector', 'palette', 'speed', 'unit', 'density', 'traces', 'thrifty', 'waterfall',
    'bandsShown', 'bookmarksShown', 'markers', 'selected', 'markersOpen', 'measureOpen', 'tracesOpen', 'bookmarksOpen', 'triggersOpen', 'ownMeasures'], () => {
    timer ??= setTimeout(() => { // a level range that follows the spectrum changes all the time
      timer = undefined;
      const hash = hashOf(store.state);
      if (hash !== location.hash) history.replaceState(null, '', hash);
    }, DELAY_MS);
  });
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEY, hashOf(store.state));
    } catch { /* private browsing */ }
  });
  // The address may be the page's own again by the time of the event.
  addEventListener('hashchange', ({ newURL }) => actions.applyHash(parseHash(new URL(newURL).hash)));
}
