// Markers: where they are, what they read on the line on screen, and what the server is asked for them.

import { levelAt } from '../../net/wire.js';
import { xAt } from '../../plot/view.js';

/**
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {import('../../net/readings.js').Reading} Reading
 * @typedef {import('../../net/readings.js').Readings} Readings
 * @typedef {import('../../net/wire.js').Frame} Frame
 *
 * @typedef {object} Marker
 * @property {number} id  1 .. MARKERS_MAX
 * @property {number} hz
 * @property {number | null} deltaOf  the marker that it is relative to
 * @property {boolean} noise  reads a density
 * @property {boolean} track  follows the peak of the view
 *
 * @typedef {object} MarkerState
 * @property {Marker[]} markers  by id
 * @property {number | null} selected  id
 * @property {boolean} placing  the next click on the plots places a marker
 * @property {boolean} markersOpen  the panel
 * @property {{ thresholdDb: number, excursionDb: number, order: 'level' | 'frequency', spurs: boolean }} peakRule
 *   spurs: those on the list count
 * @property {number} readable  markers that the server reads; 0: it does not
 * @property {{ id: number, markers: Marker[] }[]} asked  the newest requests
 * @property {Readings[]} received  the newest
 * @property {Readings | null} readings  of the line on screen
 * @property {{ hz: number, db: number }[]} peaks  in view, the strongest first
 */

/** @typedef {{ hz: number, db: number }} Headline  the peak as it is shown in large figures */

export const MARKERS_MAX = 8;
const KEPT = 16; // requests and messages: more than can be on their way
const PEAKS = 20;
const HEADLINES_PER_S = 3; // readings of the peak alone: faster figures cannot be read
const HELD_S = 1;

/** @returns {MarkerState} */
export const noMarkers = () => ({
  markers: [],
  selected: null,
  placing: false,
  markersOpen: false,
  peakRule: { thresholdDb: -300, excursionDb: 6, order: 'level', spurs: false },
  readable: 0,
  asked: [],
  received: [],
  readings: null,
  peaks: [],
});

/** @param {Readonly<State>} state */
export const selectedMarker = ({ markers, selected }) => markers.find(({ id }) => id === selected);

/** @param {Readonly<State>} state @returns {Frame | null}  on screen; before anything is, the newest */
export const shownFrame = ({ shown, frame }) => shown ?? frame;

// ---- readings --------------------------------------------------------------------------------

/**
 * What a marker reads on the line on screen. The server's reading is exact. Without one, as while the picture is
 * paused,
 * it is the level of the column.
 * @param {Readonly<State>} state @param {Marker} marker @returns {Reading | null}
 */
export function readingOf(state, marker) {
  const { readings, asked } = state,
    frame = shownFrame(state);
  if (marker.track) return peakOf(state);
  const request = readings && asked.find(({ id }) => id === readings.id);
  const at = request
    ? request.markers.findIndex(({ id, hz, noise }) => id === marker.id && hz === marker.hz && noise === marker.noise)
    : -1;
  if (readings && at >= 0) return readings.markers[at] ?? null;
  const db = frame ? levelAt(frame, marker.hz) : NaN;
  return Number.isNaN(db) ? null : { db };
}

/** The strongest signal in view. @param {Readonly<State>} state @returns {Reading | null} */
export function peakOf(state) {
  const frame = shownFrame(state);
  if (state.readings?.peak || state.readings?.leftOut) return state.readings.peak;
  return frame && Number.isFinite(frame.peakDb) ? { db: frame.peakDb } : null;
}

/** The frequency of the strongest signal in view. @param {Readonly<State>} state */
export function peakHz(state) {
  const peak = peakOf(state);
  return peak?.hz ?? peak?.binHz ?? shownFrame(state)?.peakHz;
}

/** The level of the trace at a frequency, or in a column beside it: there a tone between two bins is drawn.
 * @param {Frame} frame @param {number} hz */
export const drawnLevel = (frame, hz) =>
  Math.max(
    ...[-1, 0, 1].map((columns) => levelAt(frame, hz + columns * frame.columnHz)).filter((db) => !Number.isNaN(db)),
  );

const STEADY_DB = 1; // another signal becomes the headline if it is that much stronger

/**
 * The peak as it can be read: of two signals of about the same level, the one that was shown stays.
 * @param {{ db: number } | null} peak  of a line @param {number} hz  of the peak @param {Frame} frame  that line
 * @param {Headline | null} before
 * @returns {Headline | null}
 */
export function steadyPeak(peak, hz, frame, before) {
  if (!peak) return null;
  if (!before || Math.abs(before.hz - hz) <= 2 * frame.columnHz) return { hz, db: peak.db };
  const kept = drawnLevel(frame, before.hz); // much above the peak: a spur that is left out
  return Math.abs(kept - drawnLevel(frame, hz)) < STEADY_DB ? { hz: before.hz, db: kept } : { hz, db: peak.db };
}

/**
 * Where the triangle of the peak stands: on the signal of the headline, or where that is weaker now, on the peak of the
 * line that is drawn.
 * @param {Readonly<State>} state @param {Frame} frame  that line @returns {number | undefined}  Hz
 */
export function trianglePlace(state, frame) {
  const { headline, readings } = state;
  if (readings?.leftOut) return readings.peak ? headline?.hz : undefined; // the frame's own may be a spur
  return steadyPeak(Number.isFinite(frame.peakDb) ? { db: frame.peakDb } : null, frame.peakHz, frame, headline)?.hz;
}

/** Where a marker is shown: on its tone, if there is one. @param {Readonly<State>} state @param {Marker} marker */
export function hzOf(state, marker) {
  const frame = shownFrame(state),
    hz = readingOf(state, marker)?.hz;
  return hz ?? (marker.track && frame ? (peakHz(state) ?? frame.peakHz) : marker.hz);
}

/** True if a marker can be seen. @param {Readonly<State>} state @param {Marker} marker */
export const isInView = (state, marker) => {
  const x = xAt(state.shownView, hzOf(state, marker));
  return x >= 0 && x <= 1;
};

/**
 * To what a frequency is known: the error of a tone, else the width of a column.
 * @param {Frame} frame
 * @param {Reading | null} reading
 */
export const resolutionOf = (frame, reading) =>
  reading?.errorHz ? 10 ** Math.ceil(Math.log10(2 * reading.errorHz)) : frame.columnHz;

/**
 * The centre of the strongest column from low to high; undefined: the frame has none.
 * @param {Frame} frame
 * @param {number} lowHz
 * @param {number} highHz
 */
export function strongestNear(frame, lowHz, highHz) {
  const [from, to] = [lowHz, highHz].map((hz) => Math.floor((hz - frame.lowHz) / frame.columnHz));
  let best = -1;
  for (let i = Math.max(0, from); i <= Math.min(frame.columns - 1, to); i++)
    if (best < 0 || frame.levels[i] > frame.levels[best]) best = i;
  return best < 0 ? undefined : frame.lowHz + (best + 0.5) * frame.columnHz;
}

/** Takes the readings of a line; its frame comes after them. @param {Store} store @param {Readings} readings */
export function receiveReadings(store, readings) {
  store.update({ received: [...store.state.received.slice(1 - KEPT), readings] });
}

/** @param {Readings} readings @param {Frame} frame */
const areOf = ({ line, view }, frame) => line === frame.line && view === frame.view;

/** True if the line on screen has its readings, or the server has none. @param {Readonly<State>} state */
export const isRead = ({ readable, readings, shown }) =>
  readable === 0 || (readings !== null && shown !== null && areOf(readings, shown));

/**
 * Shows the readings of the frame that came onto the screen, or between two of them the newest.
 * @param {Store} store
 */
function showReadings(store) {
  const { shown, received, peaks, held } = store.state;
  if (!shown) return;
  const newest = [...received].reverse().filter(({ line, view }) => line <= shown.line && view === shown.view);
  const isRecent = (/** @type {Readings} */ { line }) => !held && shown.line - line < HELD_S * shown.lineRateHz;
  const readings = newest.find((each) => areOf(each, shown) || isRecent(each)) ?? null;
  const table = newest.find(({ peaks: found }) => found);
  store.update({ readings, peaks: table?.peaks ?? peaks });
}

/** @param {Readonly<State>} state @returns {import('../../net/readings.js').WantedReadings} */
function wantedReadings(state) {
  const frame = shownFrame(state),
    { peakRule } = state;
  const binHz = frame ? frame.rateHz / frame.n : 0;
  const isWide = frame && frame.columnHz > 1.5 * binHz; // a column of several bins is read as it is drawn
  const columnOf = (/** @type {number} */ hz) =>
    frame && isWide
      ? {
          hz: frame.lowHz + (Math.floor((hz - frame.lowHz) / frame.columnHz) + 0.5) * frame.columnHz,
          width_hz: frame.columnHz,
        }
      : { hz, width_hz: 0 };
  const markers = state.markers.filter(({ track }) => !track).map(({ hz, noise }) => ({ ...columnOf(hz), noise }));
  const peaks = { count: PEAKS, threshold: peakRule.thresholdDb, excursion: peakRule.excursionDb };
  const headline = state.markers.length === 0 && !state.markersOpen;
  return {
    id: 0,
    markers,
    ...(headline ? { per_second: HEADLINES_PER_S } : {}),
    ...(state.markersOpen || state.selected !== null ? { peaks } : {}),
    ...(peakRule.spurs ? { spurs: true } : {}),
  };
}

/**
 * Asks the server for what the markers need, again when that changes or the server is another one.
 * @param {Store} store
 * @param {{ wantReadings: (wanted: import('../../net/readings.js').WantedReadings) => boolean }} connection
 */
export function followMarkers(store, connection) {
  let before = '',
    id = 0;
  const ask = (/** @type {Readonly<State>} */ state) => {
    const wanted = wantedReadings(state),
      text = JSON.stringify(wanted);
    if (state.readable === 0 || text === before) return;
    id = (id + 1) >>> 0;
    if (!connection.wantReadings({ ...wanted, id })) return;
    before = text;
    const asked = state.markers.filter(({ track }) => !track);
    store.update({ asked: [...store.state.asked.slice(1 - KEPT), { id, markers: asked }] });
  };
  store.subscribe(['link'], ({ link }) => {
    if (link.kind !== 'live' && link.kind !== 'waiting') before = '';
  });
  store.subscribe(['shown'], () => showReadings(store));
  store.subscribe(['readable', 'markers', 'markersOpen', 'selected', 'peakRule', 'shown', 'status'], ask);
}
