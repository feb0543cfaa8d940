// What the user does to markers.

import { rbwHz } from '../../net/wire.js';
import { clip, narrowest, spanOf, widthHz } from '../../plot/view.js';
import { hzOf, MARKERS_MAX, peakHz, readingOf, selectedMarker, shownFrame, strongestNear } from './markers.js';
import { nextPeak } from './peak_walk.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('./markers.js').Marker} Marker
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('../../app/store.js').Store} Store
 */

/** @param {Store} store @param {number | null} selected  id */
export const selectMarker = (store, selected) => store.update({ selected });

/** Selects none. @param {Store} store */
export const releaseMarker = (store) => store.update({ selected: null, placing: false });

/** @param {Store} store @param {number} id @param {Partial<Marker>} changes */
export function changeMarker(store, id, changes) {
  store.update({
    markers: store.state.markers.map((marker) => (marker.id === id ? { ...marker, ...changes } : marker)),
  });
}

/** A new marker, which is selected. @param {Actions} actions @param {number} hz @param {Partial<Marker>} [more] */
export function addMarker({ store }, hz, more = {}) {
  const { markers } = store.state;
  const id = Array.from({ length: MARKERS_MAX }, (_, i) => i + 1).find(
    (free) => !markers.some((marker) => marker.id === free),
  );
  if (!id) {
    store.update({ message: { text: `${MARKERS_MAX} markers are the most: remove one first.` }, placing: false });
    return;
  }
  const added = { id, hz, deltaOf: null, noise: false, track: false, ...more };
  store.update({ markers: [...markers, added].sort((a, b) => a.id - b.id), selected: id, placing: false });
}

/**
 * On the strongest column within three pixels of the cursor, or on the peak.
 * @param {Actions} actions
 * @param {Partial<Marker>} [more]
 */
export function addMarkerHere(actions, more) {
  const { state } = actions.store,
    { reading } = state,
    frame = shownFrame(state),
    near = 3 * (reading?.resolutionHz ?? 0);
  const hz = reading && frame ? strongestNear(frame, reading.hz - near, reading.hz + near) : peakHz(state);
  if (hz !== undefined) addMarker(actions, hz, more);
}

/** A delta marker to the selected one, or to the one that this is relative to. @param {Actions} actions */
export function addDelta(actions) {
  const marker = selectedMarker(actions.store.state);
  if (marker) addMarkerHere(actions, { deltaOf: marker.deltaOf ?? marker.id });
}

/** Also turns delta markers to it into normal ones. @param {Store} store @param {number | null} id */
export function removeMarker(store, id) {
  const left = store.state.markers
    .filter((marker) => marker.id !== id)
    .map((marker) => (marker.deltaOf === id ? { ...marker, deltaOf: null } : marker));
  store.update({ markers: left, selected: left.at(-1)?.id ?? null });
}

/** @param {Store} store */
export const removeMarkers = (store) => store.update({ markers: [], selected: null });

/**
 * Changes the selected marker.
 * @param {Store} store
 * @param {(marker: Marker, state: Readonly<State>) => Partial<Marker> | null} change
 */
function changeSelected(store, change) {
  const marker = selectedMarker(store.state),
    changes = marker ? change(marker, store.state) : null;
  if (marker && changes) changeMarker(store, marker.id, changes);
}

/** @param {Store} store @param {number} columns  above 0: to higher frequencies */
export const stepMarker = (store, columns) =>
  changeSelected(store, (marker, state) => {
    const frame = shownFrame(state);
    if (!frame) return null;
    const column = Math.floor((hzOf(state, marker) - frame.lowHz) / frame.columnHz) + columns;
    const { lowHz, highHz } = spanOf(frame),
      hz = frame.lowHz + (column + 0.5) * frame.columnHz;
    return { hz: Math.min(highHz, Math.max(lowHz, hz)), track: false };
  });

/** @param {Store} store */
export const markerToPeak = (store) =>
  changeSelected(store, (_, state) => {
    const hz = peakHz(state);
    return hz === undefined ? null : { hz, track: false };
  });

/** @param {Store} store @param {import('./peak_walk.js').Direction} direction */
export const markerToNextPeak = (store, direction) =>
  changeSelected(store, (marker, state) => {
    const frame = shownFrame(state),
      from = readingOf(state, marker);
    if (!frame || !from) return null;
    const found = nextPeak(state.peaks, { hz: hzOf(state, marker), db: from.db }, direction, 2 * rbwHz(frame));
    return found && { hz: found.hz, track: false };
  });

/** @param {Store} store @param {'noise' | 'track'} option */
export const toggleMarker = (store, option) =>
  changeSelected(store, (marker, state) =>
    option === 'noise' ? { noise: !marker.noise } : { track: !marker.track, hz: hzOf(state, marker) },
  );

/**
 * Centres the zoomed view on the marker; with the whole span in view, tunes the radio to it.
 * @param {Actions} actions
 */
export function centreOnMarker(actions) {
  const { state } = actions.store,
    frame = shownFrame(state),
    marker = selectedMarker(state);
  if (!frame || !marker) return;
  const hz = hzOf(state, marker),
    half = widthHz(state.shownView) / 2;
  const span = spanOf(frame),
    view = { lowHz: hz - half, highHz: hz + half };
  if (state.view) actions.changeView(clip(view, span, narrowest(frame)));
  else if (state.control.allowed) actions.set({ center_hz: Math.round(hz) });
  else actions.changeView(clip({ lowHz: hz - half / 2, highHz: hz + half / 2 }, span, narrowest(frame)));
}

/** @param {Store} store */
export const togglePlacing = (store) => store.update({ placing: !store.state.placing });
