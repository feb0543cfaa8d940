// Traces beside the live one: the address, what is asked of the server, the user's actions, and the table of levels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelScale } from '../../../web/app/units.js';
import { DETECTORS } from '../../../web/net/wire.js';
import { tracesCsv } from '../../../web/features/traces/export.js';
import { receiveMessage } from '../../../web/app/server.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { TraceFrames } from '../../../web/features/traces/frames.js';
import { TraceActions } from '../../../web/features/traces/actions.js';
import { formatTraces, parseTraces } from '../../../web/features/traces/address.js';
import { linesText, newTrace, percentileOf, percentOf, requestTraces } from '../../../web/features/traces/traces.js';
import { slotOf, TraceViews } from '../../../web/net/trace_views.js';
import { hoverLines } from '../../../web/features/spectrum/hover.js';
import { RangeFollower } from '../../../web/plot/levels.js';
import { parseHash } from '../../../web/app/hash.js';

/** A store after the welcome of a server with so many views, and what its page asks. */
function page(hash = '', views = 7) {
  const store = new Store(initialState(parseHash(hash))),
    asked = [];
  requestTraces(store, { requestTraces: (wanted) => asked.push(wanted) });
  receiveMessage(store, { type: 'welcome', control: false, limits: { views } });
  return { store, actions: new TraceActions(store), asked };
}
const slots = (map) => [...map.keys()];

test('the address keeps each trace and what differs from its defaults', () => {
  for (const text of [
    '1:max-hold:max',
    '1:max-hold:mean,3:average:mean',
    '2:average:mean:n50:c4:blank:minus=empty-band',
    '6:min-hold:min:view:relative=a.b_c',
  ])
    assert.equal(formatTraces(parseTraces(text)), text);
  const [trace] = parseTraces('2:average:mean:n50:c4:blank:minus=empty-band');
  assert.deepEqual(trace, {
    slot: 2,
    mode: 'average',
    detector: 'mean',
    count: 50,
    color: 4,
    shown: 'blank',
    math: 'minus',
    reference: 'empty-band',
    restarts: 0,
  });
});

test('what no trace is does not enter from the address', () => {
  for (const bad of [
    '',
    '0:max-hold:max',
    '7:max-hold:max',
    '1:max:max',
    '1:constructor:max',
    '1:max-hold:p100',
    '1:max-hold:max:c7',
    '1:max-hold:max:<b>',
    '1:average:mean:n0',
    '1:max-hold:max:minus=',
    `1:max-hold:max:minus=${'x'.repeat(41)}`,
    '1:max-hold:max:minus=a/b',
  ])
    assert.deepEqual(parseTraces(bad), [], bad);
  assert.deepEqual(
    parseTraces('2:max-hold:max,x,2:min-hold:min,1:average:mean').map(({ slot, mode }) => [slot, mode]),
    [
      [1, 'average'],
      [2, 'max-hold'],
    ],
  );
  assert.equal(parseHash('#traces=9:no:max').traces, undefined);
});

test('the address keeps percentiles and video bandwidths and the server is asked for them', () => {
  const text = '1:clear-write:median,2:average:p99.9:v2.5,3:max-hold:p90,4:exponential:mean:n7:v1000';
  assert.equal(formatTraces(parseTraces(text)), text);
  assert.equal(
    formatTraces(parseTraces('1:average:p0,2:average:p100,3:average:p9x,4:average:mean:v0:n5')),
    '4:average:mean:n5',
  );
  const { asked } = page('#traces=2:average:p99.9:v2.5,4:exponential:mean');
  assert.deepEqual(asked.at(-1).get(2), { columns: 1, detector: 'p99.9', trace: 'average', vbw_hz: 2.5, restarts: 0 });
  assert.deepEqual(asked.at(-1).get(4), { columns: 1, detector: 'mean', trace: 'exponential', count: 20, restarts: 0 });
  assert.deepEqual(['median', 'p90', 'p0.5', 'mean', 'p0', 'p100'].map(percentOf), [50, 90, 0.5, null, null, null]);
  assert.deepEqual([50, 90, 99.9].map(percentileOf), ['median', 'p90', 'p99.9']);
});

test('no traces are asked of a server with one view', () => {
  for (const views of [1, null]) {
    const { store, actions, asked } = page('#traces=1:max-hold:max', views);
    actions.toggle('average');
    assert.equal(store.state.traces.length, 1, 'and none can be added');
    assert.ok(asked.every((wanted) => wanted.size === 0));
  }
});

test('one key adds a trace in the first free slot and removes it', () => {
  const { store, actions, asked } = page('#traces=1:min-hold:min');
  actions.toggle('max-hold');
  assert.deepEqual(
    store.state.traces.map(({ slot, mode, detector }) => [slot, mode, detector]),
    [
      [1, 'min-hold', 'min'],
      [2, 'max-hold', 'max'],
    ],
  );
  assert.deepEqual(slots(asked.at(-1)), [1, 2]);
  actions.toggle('min-hold');
  actions.toggle('average');
  assert.deepEqual(asked.at(-1).get(1), { columns: 1, detector: 'mean', trace: 'average', count: 100, restarts: 0 });
  for (const slot of [3, 4, 5, 6]) actions.choose(slot, 'clear-write');
  actions.toggle('exponential');
  assert.match(store.state.message.text, /All traces are in use/);
});

test('messages ask for what changed and a clear begins the trace again', () => {
  const views = new TraceViews(),
    wide = { columns: 800, detector: 'max', trace: 'max-hold', restarts: 0 };
  views.want(
    new Map([
      [1, wide],
      [4, { ...wide, trace: 'average', count: 9 }],
    ]),
  );
  const [first, other] = views.messages();
  assert.deepEqual(
    { ...first, id: 0 },
    { type: 'view', slot: 1, id: 0, coding: 'range', columns: 800, detector: 'max', trace: 'max-hold' },
  );
  assert.deepEqual([slotOf({ view: first.id }), slotOf({ view: other.id })], [1, 4]);
  assert.deepEqual(views.messages(), []);
  views.want(new Map([[1, { ...wide, restarts: 1 }]]));
  const [removed, again] = views.messages();
  assert.deepEqual(removed, { type: 'view', slot: 4, off: true });
  assert.equal(again.restart, true);
  assert.ok(!('restarts' in again));
  views.reset(); // another connection
  assert.deepEqual(
    views.messages().map(({ slot, restart }) => [slot, restart]),
    [[1, undefined]],
  );
});

test('frames of another zoom are drawn and those of another trace are not', () => {
  const views = new TraceViews(),
    view = { columns: 800, detector: 'max', trace: 'max-hold', restarts: 0 };
  const ask = (changes) => {
    views.want(new Map([[2, { ...view, ...changes }]]));
    return views.messages()[0].id;
  };
  const first = ask({}),
    zoomed = ask({ low_hz: 1, high_hz: 2 });
  assert.ok(views.isCurrent({ view: first }) && views.isCurrent({ view: zoomed }));
  const mean = ask({ detector: 'mean' });
  assert.ok(!views.isCurrent({ view: zoomed }) && views.isCurrent({ view: mean }));
  views.want(new Map());
  views.messages();
  assert.ok(!views.isCurrent({ view: mean }));
});

const FRAME = {
  view: 9,
  line: 41,
  lowHz: 100,
  columnHz: 10,
  columns: 3,
  offsetDb: -100,
  stepDb: 0.5,
  levels: Uint8Array.of(10, 20, 30),
  peakDb: -85,
  timeNs: 1767225600000000000n,
  centerHz: 115,
  rateHz: 30,
  n: 3,
  enbwBins: 1.5,
  window: 'hann',
  gainDb: NaN,
  simulated: false,
  rateAssumed: false,
};

test('a trace is live frozen or hidden and knows its lines', () => {
  const { store, actions } = page('#traces=1:average:mean'),
    frames = new TraceFrames(store);
  store.subscribe(['traces'], ({ traces }) => frames.keep(traces));
  receiveMessage(store, { type: 'view', slot: 1, first_line: 12, unit: 'dBFS', reason: null });
  assert.equal(frames.take(FRAME), true);
  assert.deepEqual(
    frames.shown().map(({ name, lines, unit }) => [name, lines, unit]),
    [['1 Average', '30/100', 'dBFS']],
  );
  actions.change(1, { shown: 'view' });
  assert.equal(frames.take({ ...FRAME, line: 60 }), false);
  assert.equal(frames.shown()[0].frame.line, 41);
  actions.change(1, { shown: 'blank' });
  assert.equal(frames.take({ ...FRAME, line: 300 }), false);
  assert.deepEqual(frames.shown(), []);
  actions.change(1, { shown: 'live' });
  assert.equal(frames.shown()[0].lines, '100/100', 'it went on while it was hidden');
  store.update({ held: true });
  assert.equal(frames.take({ ...FRAME, line: 400 }), false);
  store.update({ paused: false });
  actions.clear(1);
  assert.equal(frames.shown()[0].frame, null, 'nothing of before remains');
  assert.deepEqual(store.state.traceInfo, {});
  assert.equal(linesText(newTrace(1, 'max-hold'), 1234), '1234');
});

test('a refused view and a reason are shown at their trace', () => {
  const { store } = page('#traces=3:average:mean'),
    frames = new TraceFrames(store);
  receiveMessage(store, { type: 'error', slot: 3, message: 'too many different views (see max-views)' });
  assert.equal(frames.shown()[0].reason, 'too many different views (see max-views)');
  receiveMessage(store, { type: 'view', slot: 3, first_line: null, unit: 'dB', reason: 'there is no reference back' });
  assert.deepEqual([frames.shown()[0].reason, frames.shown()[0].unit], ['there is no reference back', 'dB']);
});

test('the range reaches the highest trace and keeps the floor of the live one', () => {
  const high = { ...FRAME, peakDb: -12 },
    low = { ...FRAME, offsetDb: -180, peakDb: -160 };
  const alone = new RangeFollower().follow(null, FRAME, 0),
    range = new RangeFollower().follow(null, FRAME, 0, [high, low]);
  assert.ok(range.topDb > -12 && range.bottomDb === alone.bottomDb, JSON.stringify(range));
});

test('the cursor names the level of each trace', () => {
  const traces = [
    { name: '1 Max hold', db: -40.25, unit: 'dBFS' },
    { name: '2 Average / back', db: NaN, unit: 'dB' },
  ];
  const lines = hoverLines({ frame: FRAME, hz: 115, resolutionHz: 1, db: -90, row: null, traces }).map((line) =>
    line.replace('\u2212', '-'),
  );
  assert.deepEqual(lines.slice(1), ['Live  -90.0 dBFS', '1 Max hold  -40.3 dBFS', '2 Average / back  not measured']);
});

test('the table has a row for each column and a cell for each trace', () => {
  const held = { ...FRAME, lowHz: 110, levels: Uint8Array.of(100, 102, 104) };
  const text = tracesCsv(
    [
      { name: 'live', unit: 'dBFS', about: 'clear-write', frame: FRAME },
      { name: '1 Max hold', unit: 'dBFS', about: 'max-hold, 30 lines', frame: held },
    ],
    'a\nradio',
  );
  const lines = text.trimEnd().split('\n'),
    notes = lines.filter((line) => line.startsWith('#'));
  assert.deepEqual(lines.slice(notes.length), [
    'frequency_hz,live_dbfs,1_max_hold_dbfs',
    '105,-95.00,',
    '115,-90.00,-50.00',
    '125,-85.00,-49.00',
  ]);
  for (const note of ['# time: 2026-01-01T00:00:00.000Z', '# source: a radio', '# rbw_hz: 15', '# gain_db: unknown'])
    assert.ok(notes.includes(note), `${note} in ${notes}`);
});

test('the csv has the unit of the picture, and its head says how it was measured', () => {
  const scale = levelScale(
    'dBm',
    [
      [105, -10],
      [115, -20],
      [125, null],
    ],
    FRAME,
    110,
  );
  const text = tracesCsv(
    [
      { name: 'live', unit: 'dBFS', about: 'clear-write', frame: FRAME },
      { name: '1 Relative', unit: 'dB', about: 'relative', frame: FRAME },
    ],
    'a radio',
    scale,
    { file: 'radio.cal', serial: '00000001', date: '2026-01-31', uncertainty_db: 0.5, uncal: null },
  );
  const lines = text.trimEnd().split('\n'),
    notes = lines.filter((line) => line.startsWith('#'));
  assert.deepEqual(lines.slice(notes.length), [
    'frequency_hz,live_dbm,1_relative_db',
    '105,-105.00,-95.00',
    '115,-110.00,-90.00',
    '125,,-85.00', // not calibrated
  ]);
  for (const note of [
    '# unit: dBm',
    '# calibration: radio.cal, serial 00000001, 2026-01-31, 0.5 dB uncertain',
    `# detector: ${DETECTORS[FRAME.detector] ?? 'unknown'}`,
    '# rbw_hz: 15',
  ])
    assert.ok(notes.includes(note), `${note} in ${notes}`);
  const plain = tracesCsv([{ name: 'live', unit: 'dBFS', about: 'clear-write', frame: FRAME }], 'a radio');
  assert.match(plain, /^# unit: dBFS$/m);
  assert.match(plain, /^# calibration: none$/m);
});
