// What a link keeps beside the settings of the picture: the markers, and which panels are open. Pure functions.

import { MARKERS_MAX } from '../features/markers/markers.js';

/**
 * @typedef {import('../features/markers/markers.js').Marker} Marker
 * @typedef {Readonly<import('./state.js').State>} State
 */

// ---- markers: "1:100300000,2:99700000:d1:noise:selected" ----------------------------------------

/** @param {string} text @returns {{ marker: Marker, selected: boolean } | null} */
function parseMarker(text) {
  const [id, hz, ...options] = text.split(':');
  if (!/^[1-9]\d?$/.test(id) || Number(id) > MARKERS_MAX || !/^-?\d{1,13}(\.\d{1,3})?$/.test(hz ?? '')) return null;
  const marker = { id: Number(id), hz: Number(hz), deltaOf: /** @type {number | null} */ (null), noise: false, track: false };
  let selected = false;
  for (const option of options) {
    const delta = /^d([1-9]\d?)$/.exec(option);
    if (delta) marker.deltaOf = Number(delta[1]);
    else if (option === 'noise' || option === 'track') marker[option] = true;
    else if (option === 'selected') selected = true;
    else return null;
  }
  return { marker, selected };
}

/**
 * Leaves out what it cannot read, a second marker of a number, and deltas to no marker.
 * @param {string} text @returns {{ markers: Marker[], selected: number | null }}
 */
export function parseMarkers(text) {
  const found = text.split(',').map(parseMarker).filter((each) => each !== null);
  const markers = found.filter(({ marker }, i) => found.findIndex((other) => other.marker.id === marker.id) === i)
    .map(({ marker }) => marker).sort((a, b) => a.id - b.id);
  const isThere = (/** @type {number | null} */ id) => id !== null && markers.some((marker) => marker.id === id);
  for (const marker of markers) if (!isThere(marker.deltaOf) || marker.deltaOf === marker.id) marker.deltaOf = null;
  return { markers, selected: found.find(({ marker, selected }) => selected && isThere(marker.id))?.marker.id ?? null };
}

/** @param {readonly Marker[]} markers @param {number | null} selected @returns {string} */
export const formatMarkers = (markers, selected) => markers.map(({ id, hz, deltaOf, noise, track }) => [id, Number(hz.toFixed(3)),
  ...(deltaOf === null ? [] : [`d${deltaOf}`]), ...(noise ? ['noise'] : []), ...(track ? ['track'] : []), ...(id === selected ? ['selected'] : [])].join(':')).join(',');

/** As parseHash keeps it. @param {string} text */
export function checkMarkers(text) {
  const { markers, selected } = parseMarkers(text);
  return formatMarkers(markers, selected) || undefined;
}

// ---- panels: "markers,measure" ------------------------------------------------------------------

/** @type {[string, 'markersOpen' | 'measureOpen' | 'tracesOpen' | 'bookmarksOpen' | 'triggersOpen'][]} */
const PANELS = [['markers', 'markersOpen'], ['measure', 'measureOpen'], ['traces', 'tracesOpen'], ['bookmarks', 'bookmarksOpen'], ['triggers', 'triggersOpen']];

/** @param {string} text */
export const parsePanels = (text) => {
  const names = text.split(',');
  return /** @type {Record<typeof PANELS[number][1], boolean>} */ (Object.fromEntries(PANELS.map(([name, key]) => [key, names.includes(name)])));
};

/** @param {Pick<State, typeof PANELS[number][1]>} state @returns {string} */
export const formatPanels = (state) => PANELS.filter(([, key]) => state[key]).map(([name]) => name).join(',');

/** As parseHash keeps it. @param {string} text */
export const checkPanels = (text) => formatPanels(parsePanels(text)) || undefined;

// ---- measurements of one's own: JSON -------------------------------------------------------------

const MEASURES_MAX = 16, TEXT_MAX = 1024;

/** Leaves out what is none. @param {string} text @returns {[string, import('../features/measure/measure.js').SetUp][]} */
export function parseMeasures(text) {
  /** @type {any} */
  let list = null;
  try {
    list = JSON.parse(text);
  } catch { /* none */ }
  const isText = (/** @type {unknown} */ value) => typeof value === 'string' && value.length < TEXT_MAX;
  return (Array.isArray(list) ? list : []).slice(0, MEASURES_MAX).filter((one) => Array.isArray(one) && isText(one[0]) && isText(one[1]?.type)
    && typeof one[1].keys === 'object' && one[1].keys !== null && Object.values(one[1].keys).every(isText))
    .map(([name, { type, keys }]) => [name, { type, keys: { ...keys } }]);
}

/** @param {Iterable<[string, import('../features/measure/measure.js').SetUp]>} measures @returns {string}  "": none */
export const formatMeasures = (measures) => {
  const list = [...measures];
  return list.length > 0 ? JSON.stringify(list) : '';
};

/** As parseHash keeps it. @param {string} text */
export const checkMeasures = (text) => formatMeasures(parseMeasures(text)) || undefined;
