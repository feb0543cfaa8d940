// Markers as the address keeps them: "1:100300000,2:99700000:d1:noise:selected". Pure functions.

import { MARKERS_MAX } from './markers.js';
import { frequency, hzText } from '../../util/hash.js';

/** @typedef {import('./markers.js').Marker} Marker */

/** @param {string} text @returns {{ marker: Marker, selected: boolean } | null} */
function parseMarker(text) {
  const [id, hz = '', ...options] = text.split(':'),
    at = frequency(-1e12, 1e12)(hz);
  if (!/^[1-9]\d?$/.test(id) || Number(id) > MARKERS_MAX || at === undefined) return null;
  const marker = { id: Number(id), hz: at, deltaOf: /** @type {number | null} */ (null), noise: false, track: false };
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
  const found = text
    .split(',')
    .map(parseMarker)
    .filter((each) => each !== null);
  const markers = found
    .filter(({ marker }, i) => found.findIndex((other) => other.marker.id === marker.id) === i)
    .map(({ marker }) => marker)
    .sort((a, b) => a.id - b.id);
  const isThere = (/** @type {number | null} */ id) => id !== null && markers.some((marker) => marker.id === id);
  for (const marker of markers) if (!isThere(marker.deltaOf) || marker.deltaOf === marker.id) marker.deltaOf = null;
  return { markers, selected: found.find(({ marker, selected }) => selected && isThere(marker.id))?.marker.id ?? null };
}

/** @param {readonly Marker[]} markers @param {number | null} selected @returns {string} */
export const formatMarkers = (markers, selected) =>
  markers
    .map(({ id, hz, deltaOf, noise, track }) =>
      [
        id,
        hzText(hz),
        ...(deltaOf === null ? [] : [`d${deltaOf}`]),
        ...(noise ? ['noise'] : []),
        ...(track ? ['track'] : []),
        ...(id === selected ? ['selected'] : []),
      ].join(':'),
    )
    .join(',');

/** As parseHash keeps it. @param {string} text */
export function checkMarkers(text) {
  const { markers, selected } = parseMarkers(text);
  return formatMarkers(markers, selected) || undefined;
}
