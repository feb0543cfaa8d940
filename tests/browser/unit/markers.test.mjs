// Markers: steps from peak to peak, what is asked of the server, and readings of the line on screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Actions } from '../../../web/app/actions.js';
import { addMarker, changeMarker, removeMarker, stepMarker } from '../../../web/features/markers/actions.js';
import {
  followMarkers,
  hzOf,
  isRead,
  MARKERS_MAX,
  drawnLevel,
  peakOf,
  steadyPeak,
  trianglePlace,
  readingOf,
  resolutionOf,
  selectedMarker,
  strongestNear,
} from '../../../web/features/markers/markers.js';
import { nextPeak, sortPeaks } from '../../../web/features/markers/peak_walk.js';
import { receiveMessage } from '../../../web/app/server.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { labelOf } from '../../../web/features/markers/layer.js';

// The instrument's walk on five peaks, from the one at 3 MHz.
const PEAKS = [
  [1, -30],
  [2, -50],
  [3, -40],
  [4, -20],
  [5, -60],
].map(([mhz, db]) => ({ hz: mhz * 1e6, db }));
const AT_3 = PEAKS[2];

for (const [direction, mhz] of /** @type {const} */ ([
  ['left', 2],
  ['right', 4],
  ['higher', 1],
  ['lower', 2],
]))
  test(`the next peak ${direction} is the nearest there`, () => {
    assert.equal(nextPeak(PEAKS, AT_3, direction, 1e3)?.hz, mhz * 1e6);
    assert.equal(
      nextPeak(PEAKS, { hz: AT_3.hz + 900, db: AT_3.db + 0.04 }, direction, 1e3)?.hz,
      mhz * 1e6,
      'the peak itself is no step',
    );
  });

test('there is no peak beyond the last one', () => {
  assert.equal(nextPeak(PEAKS, PEAKS[0], 'left', 1e3), null);
  assert.equal(nextPeak(PEAKS, PEAKS[4], 'right', 1e3), null);
  assert.equal(nextPeak(PEAKS, PEAKS[3], 'higher', 1e3), null);
  assert.equal(nextPeak(PEAKS, PEAKS[4], 'lower', 1e3), null);
});

test('peaks are sorted by level or frequency', () => {
  assert.deepEqual(
    sortPeaks(PEAKS, 'level').map(({ db }) => db),
    [-20, -30, -40, -50, -60],
  );
  assert.deepEqual(sortPeaks(sortPeaks(PEAKS, 'level'), 'frequency'), PEAKS);
});

// 2 MHz around 100 MHz in 2000 bins of 1 kHz, drawn in 4 columns.
const FRAME = /** @type {any} */ ({
  centerHz: 100e6,
  rateHz: 2e6,
  n: 2000,
  columns: 4,
  lowHz: 98.9995e6,
  columnHz: 0.5e6,
  view: 3,
  levels: Uint8Array.of(10, 20, 20, 90),
  offsetDb: -100,
  stepDb: 1,
  peakDb: -10.8,
  peakHz: 100.7e6,
  line: 8,
});

/** A page that a server reads markers for; sent: what it was asked. */
function page({ limits = { markers: 16 } } = {}) {
  const store = new Store(initialState({})),
    /** @type {any[]} */ sent = [];
  const actions = new Actions(store, { open() {}, set: () => true });
  followMarkers(store, { wantReadings: (wanted) => sent.push(structuredClone(wanted)) > 0 });
  receiveMessage(store, { type: 'welcome', control: false, limits });
  /** @param {number} line */
  const show = (line) => {
    actions.takeFrame({ ...FRAME, line });
    store.update({ shown: { ...FRAME, line } });
  };
  show(8);
  return { store, actions, sent, show };
}

test('a column of several bins is asked for as it is drawn', () => {
  const { store, actions, sent } = page();
  addMarker(actions, 99.6e6);
  assert.deepEqual(sent.at(-1).markers, [{ hz: 99.7495e6, width_hz: 0.5e6, noise: false }]);
  const fine = { ...FRAME, columns: 2000, columnHz: 1e3 };
  store.update({ shown: fine });
  assert.deepEqual(sent.at(-1).markers, [{ hz: 99.6e6, width_hz: 0, noise: false }]);
});

test('a server without markers is not asked and the column is read', () => {
  const { store, actions, sent } = page({ limits: /** @type {any} */ ({}) });
  addMarker(actions, 99.6e6);
  assert.deepEqual(sent, []);
  const [marker] = store.state.markers;
  assert.deepEqual(readingOf(store.state, marker), { db: -80 });
  assert.equal(resolutionOf(FRAME, readingOf(store.state, marker)), 0.5e6, 'no digit finer than the column');
  assert.deepEqual(peakOf(store.state), { db: -10.8 });
});

test('readings are shown with their line and for the marker that was asked', () => {
  const { store, actions, sent, show } = page();
  addMarker(actions, 100.6e6);
  const { id } = sent.at(-1),
    marker = () => store.state.markers[0];
  receiveMessage(store, {
    type: 'markers',
    id,
    view: 3,
    line: 9,
    peak: { db: -10.001, hz: 100.70042e6, error_hz: 3 },
    markers: [{ db: -10.001, hz: 100.70042e6, error_hz: 3 }],
    peaks: PEAKS,
  });
  assert.deepEqual(readingOf(store.state, marker()), { db: -10 }, 'its line is not on screen');
  show(9);
  assert.equal(readingOf(store.state, marker())?.db, -10.001);
  assert.equal(hzOf(store.state, marker()), 100.70042e6);
  assert.equal(resolutionOf(FRAME, readingOf(store.state, marker())), 10);
  assert.equal(peakOf(store.state)?.db, -10.001);
  assert.equal(store.state.peaks.length, 5);
  changeMarker(store, 1, { hz: 99.1e6 });
  assert.deepEqual(
    readingOf(store.state, marker()),
    { db: -90 },
    'a marker that has moved has the level of its column',
  );
  show(10);
  assert.equal(store.state.readings, null);
});

test('the headline alone is read less often than markers', () => {
  const { store, actions, sent } = page();
  assert.equal(sent.at(-1).per_second, 3);
  addMarker(actions, 100.6e6);
  assert.equal(sent.at(-1).per_second, undefined);
  removeMarker(store, 1);
  assert.equal(sent.at(-1).per_second, 3);
  store.update({ markersOpen: true });
  assert.equal(sent.at(-1).per_second, undefined);
});

test('between two readings the newest stands for a second but not while the picture is held', () => {
  const { store } = page(),
    twenty = (/** @type {number} */ line) => store.update({ shown: { ...FRAME, line, lineRateHz: 20 } });
  receiveMessage(store, { type: 'markers', id: 1, view: 3, line: 9, peak: { db: -10.001 } });
  twenty(8);
  assert.equal(store.state.readings, null, 'its line is not on screen yet');
  assert.ok(!isRead(store.state));
  twenty(9);
  assert.ok(isRead(store.state));
  twenty(28);
  assert.equal(peakOf(store.state)?.db, -10.001);
  assert.ok(!isRead(store.state), 'they are of another line');
  twenty(29);
  assert.equal(store.state.readings, null);
  store.update({ held: true });
  twenty(10);
  assert.equal(store.state.readings, null);
});

test('a new connection is asked again', () => {
  const { store, sent } = page();
  const before = sent.length;
  store.update({ link: { kind: 'reconnecting', reason: '', retryAt: 0 }, readable: 0 });
  assert.equal(sent.length, before);
  store.update({ link: { kind: 'waiting', reason: '', retryAt: 0 } });
  receiveMessage(store, { type: 'welcome', control: false, limits: { markers: 16 } });
  assert.equal(sent.length, before + 1);
});

test('markers have the lowest free number and no more than fit', () => {
  const { store, actions } = page();
  for (let i = 0; i < MARKERS_MAX + 2; i++) addMarker(actions, 100e6);
  assert.deepEqual(
    store.state.markers.map(({ id }) => id),
    Array.from({ length: MARKERS_MAX }, (_, i) => i + 1),
  );
  assert.match(store.state.message?.text ?? '', /8 markers/);
  removeMarker(store, 3);
  addMarker(actions, 99e6, { deltaOf: 1 });
  assert.equal(labelOf(/** @type {any} */ (selectedMarker(store.state))), '3\u03941');
  removeMarker(store, 1);
  assert.equal(
    store.state.markers.find(({ id }) => id === 3)?.deltaOf,
    null,
    'nothing is relative to a marker that is gone',
  );
});

test('a step is a column and ends at the span', () => {
  const { store, actions } = page();
  addMarker(actions, 99.6e6);
  stepMarker(store, 1);
  assert.equal(store.state.markers[0].hz, 100.2495e6);
  stepMarker(store, -10);
  assert.equal(store.state.markers[0].hz, 98.9995e6);
});

test('a click means the strongest column near it', () => {
  assert.equal(strongestNear(FRAME, 99.2e6, 100.6e6), FRAME.lowHz + 3.5 * 0.5e6);
  assert.equal(strongestNear(FRAME, 99.2e6, 99.3e6), FRAME.lowHz + 0.5 * 0.5e6);
  assert.equal(strongestNear(FRAME, 90e6, 91e6), undefined);
});

/** A frame of 8 columns of 1 kHz from 100 MHz on. @param {number[]} levels dBFS */
const columnsOf = (levels) => ({
  lowHz: 100e6,
  columnHz: 1000,
  columns: levels.length,
  offsetDb: -200,
  stepDb: 0.5,
  levels: levels.map((db) => (db + 200) / 0.5),
});

test('the triangle of a peak is at the level that is drawn, also of a tone between two columns', () => {
  const frame = columnsOf([-90, -90, -21.5, -21, -90, -90, -90, -90]);
  assert.equal(drawnLevel(frame, 100.0029e6), -21); // the tone itself may have -20
  assert.equal(drawnLevel(frame, 100.0075e6), -90);
  assert.equal(drawnLevel(frame, 99e6), -Infinity, 'not in view');
});

test('of two signals of about the same level the headline keeps the one that it shows', () => {
  const at = { a: 100.0015e6, b: 100.0065e6 };
  const frame = (a, b) => columnsOf([-90, a, -90, -90, -90, -90, b, -90]);
  const first = steadyPeak({ db: -20 }, at.a, frame(-20, -20.5), null);
  assert.deepEqual(first, { hz: at.a, db: -20 });
  const second = steadyPeak({ db: -20 }, at.b, frame(-20.5, -20), first);
  assert.deepEqual(second, { hz: at.a, db: -20.5 }, 'its own level of this line');
  assert.deepEqual(steadyPeak({ db: -20 }, at.b, frame(-21, -20), second), { hz: at.b, db: -20 }, '1 dB stronger');
  assert.deepEqual(steadyPeak({ db: -20 }, at.b, frame(-90, -20), second), { hz: at.b, db: -20 }, 'the other is gone');
  assert.deepEqual(steadyPeak({ db: -19 }, at.a + 300, frame(-19, -30), first), { hz: at.a + 300, db: -19 });
  assert.deepEqual(steadyPeak({ db: -19 }, at.a, frame(-19, -30), { hz: 99e6, db: 0 }).hz, at.a, 'out of view');
  assert.deepEqual(steadyPeak({ db: -30 }, at.b, frame(-20, -30), first), { hz: at.b, db: -30 }, 'a spur now');
  assert.equal(steadyPeak(null, at.a, frame(-20, -20), first), null);
});

test('the triangle stands on the headline while that is a peak of the drawn line, else on the peak of the line', () => {
  const at = { a: 100.0015e6, b: 100.0065e6 };
  const line = (a, b) => ({
    ...columnsOf([-90, a, -90, -90, -90, -90, b, -90]),
    peakHz: a > b ? at.a : at.b,
    peakDb: Math.max(a, b),
  });
  const headline = { hz: at.a, db: -20 };
  assert.equal(trianglePlace({ headline, readings: null }, line(-20.5, -20)), at.a);
  assert.equal(trianglePlace({ headline, readings: null }, line(-90, -20)), at.b, 'it hopped since the headline');
  assert.equal(trianglePlace({ headline: null, readings: null }, line(-20, -90)), at.a);
  const spur = { leftOut: 1, peak: { db: -20 } };
  assert.equal(trianglePlace({ headline, readings: spur }, line(-20, -10)), at.a, 'the peak of the line is a spur');
  assert.equal(trianglePlace({ headline, readings: { leftOut: 1, peak: null } }, line(-20, -10)), undefined);
});
