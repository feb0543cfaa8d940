// measure.test.mjs - measurements in the page: texts, bands, graphs, changes and their answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Actions } from '../../../web/app/actions.js';
import { mayAdd, mayChange, Measure } from '../../../web/features/measure/measure.js';
import { checkMeasures, parseMeasures } from '../../../web/features/measure/address.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { clampSplit } from '../../../web/features/spectrum/divider.js';
import { limitsOfMask } from '../../../web/features/measure/limits.js';
import { bandInView, bandsOf, dragBand, timeOfLine } from '../../../web/plot/bands.js';
import { layoutOf } from '../../../web/plot/layout.js';
import { BOX, graphOf, xOf, yOf } from '../../../web/plot/graph.js';
import {
  columnTexts,
  freeName,
  headline,
  hzKey,
  invalidText,
  nameParts,
  valueText,
} from '../../../web/util/measure_text.js';
import { formatHash, parseHash } from '../../../web/app/hash.js';

const plain = (text) => text.replace(/\u202f/g, ' ').replace(/\u2212/g, '-');
const text = (name, value, rbw = 1000) => plain(Object.values(valueText(name, value, rbw)).join(' '));

test('the end of a name is its unit', () => {
  for (const [name, label, unit] of [
    ['power_dbfs', 'power', 'dBFS'],
    ['density_dbm_hz', 'density', 'dBm/Hz'],
    ['worst_db', 'worst', 'dB'],
    ['drop_bandwidth_hz', 'drop bandwidth', 'Hz'],
    ['fbo_percent', 'fbo', '%'],
    ['samples', 'samples', ''],
    ['step_s', 'step', 's'],
    ['level_0_0001_db', 'level at 0.0001 %', 'dB'],
    ['level_10_db', 'level at 10 %', 'dB'],
    ['level_dbuv', 'level', 'dB\u00b5V'],
  ])
    assert.deepEqual(nameParts(name), { label, unit });
});

test('a value has the digits that its resolution gives', () => {
  assert.equal(text('power_dbfs', -20.004), '-20.00 dBFS');
  assert.equal(text('bandwidth_hz', 133912.3, 1170), '133.9 kHz');
  assert.equal(text('frequency_hz', 433.92e6, 12), '433.920 000 MHz');
  assert.equal(text('fbo_percent', 6.25), '6.25 %');
  assert.equal(text('step_s', 12.5e-6), '12.5 \u00b5s');
  assert.equal(text('samples', 430080), '430 080 ');
  assert.equal(text('power_dbfs', null), '-- dBFS');
});

test('a column has one unit', () => {
  assert.deepEqual(columnTexts('offset_hz', [5000, -1e6, null], 1000), ['Offset, MHz', '0.0050', '\u22121.0000', '--']);
  assert.deepEqual(columnTexts('in_use', [1, 0], 1000), ['In use', '1', '0']);
});

test('the figure is the value that a measurement is made for', () => {
  assert.equal(headline({ type: 'snr', values: { floor_dbfs: -80, snr_db: 20 } }), 'snr_db');
  assert.equal(headline({ type: 'acpr', values: { power_dbfs: -20, worst_db: -40 } }), 'worst_db');
  assert.equal(headline({ type: 'of-a-newer-server', values: { first_db: 1, second_db: 2 } }), 'first_db');
  assert.equal(headline({ type: 'peaks', values: {} }), undefined);
  assert.equal(invalidText('uncal: 100 MHz is not calibrated'), 'uncal');
  assert.equal(invalidText('the band is not within the span'), '--');
});

test('a new measurement has a free name', () => {
  assert.equal(freeName('obw', []), 'obw');
  assert.equal(freeName('obw', ['obw', 'obw-2']), 'obw-3');
});

test('frequencies are proposed in steps that people read', () => {
  assert.equal(hzKey(99999707.03, 240), '99.9997M');
  assert.equal(hzKey(480000, 240), '480k');
  assert.equal(hzKey(1.5, 0.01), '1.5');
});

const edges = (type, keys) => bandsOf('x', type, keys).map(({ lowHz, highHz, main }) => [lowHz, highHz, main]);

test('bands are where the keys say', () => {
  assert.deepEqual(edges('channel-power', { center: '100M', width: '200k' }), [[99.9e6, 100.1e6, true]]);
  assert.deepEqual(edges('band-power', { start: '99M', stop: '1.01e8' }), [[99e6, 101e6, true]]);
  assert.deepEqual(edges('am', { center: '100 MHz', bandwidth: '10 kHz' }), [[99.995e6, 100.005e6, true]]);
  assert.deepEqual(edges('acpr', { center: '100M', width: '100k', offsets: '200k:50k:-45, 1M' }), [
    [99.95e6, 100.05e6, true],
    [99.775e6, 99.825e6, false],
    [100.175e6, 100.225e6, false],
    [98.95e6, 99.05e6, false],
    [100.95e6, 101.05e6, false],
  ]);
});

test('what has no width or no band has none', () => {
  for (const [type, keys] of [
    ['channel-power', { center: '100M' }],
    ['peaks', {}],
    ['ccdf', { samples: '1M' }],
    ['band-power', { start: '2M', stop: '1M' }],
    ['channel-power', { center: 'x', width: 'y' }],
  ])
    assert.deepEqual(bandsOf('x', type, keys), []);
});

const dragged = (type, keys, part, byHz) => dragBand(type, keys, part, byHz, 3000, (hz) => String(Math.round(hz)));

test('an edge that is dragged leaves the other one in place', () => {
  const keys = { center: '100M', width: '200k', trace: 'average' };
  assert.deepEqual(dragged('channel-power', keys, 'high', 100e3), {
    center: '100050000',
    width: '300000',
    trace: 'average',
  });
  assert.deepEqual(dragged('channel-power', keys, 'low', -100e3), {
    center: '99950000',
    width: '300000',
    trace: 'average',
  });
  assert.deepEqual(dragged('channel-power', keys, 'middle', 1e6), {
    center: '101000000',
    width: '200000',
    trace: 'average',
  });
  assert.deepEqual(dragged('occupancy', { start: '99M', stop: '101M', width: '25k' }, 'low', 5e5), {
    start: '99500000',
    stop: '101000000',
    width: '25k',
  });
});

test('a band keeps a least width', () => {
  assert.deepEqual(dragged('band-power', { start: '99M', stop: '100M' }, 'low', 5e6), {
    start: '99997000',
    stop: '100000000',
  });
  assert.deepEqual(dragged('fm', { center: '100M', bandwidth: '20k' }, 'high', -1e6), {
    center: '99991500',
    bandwidth: '3000',
  });
});

test('a new band is about the middle fifth of the view, in round numbers', () => {
  const view = { lowHz: 99e6, highHz: 101e6 };
  assert.deepEqual(bandInView('obw', view, String), { center: '100000000', width: '500000' });
  assert.deepEqual(bandInView('occupancy', view, String), { start: '99750000', stop: '100250000' });
  const odd = { lowHz: 98799707.03125, highHz: 101199707.03125 };
  assert.deepEqual(bandInView('obw', odd, String), { center: '100000000', width: '500000' });
  assert.deepEqual(bandInView('obw', { lowHz: 145.012e6, highHz: 145.06e6 }, String), {
    center: '145036000',
    width: '10000',
  });
  assert.deepEqual(bandInView('mask', view, String), {}, 'a centre would move its points');
  assert.deepEqual(bandInView('peaks', view, String), {});
});

test('zero span is drawn in ms and dB', () => {
  const rows = [0, 0.002, 0.004].map((time_s, i) => ({
    time_s,
    frequency_hz: 1e8,
    mean_dbm: -41 - i,
    peak_dbm: i === 1 ? null : -33,
  }));
  const { x, y, lines } = graphOf('zero-span', rows);
  assert.deepEqual([x.low, x.high, x.unit, y.low, y.high, y.unit], [0, 4, 'ms', -50, -30, 'dBm']);
  assert.deepEqual(
    lines.map(({ kind, points }) => [kind, points]),
    [
      [
        'peak',
        [
          [0, -33],
          [4, -33],
        ],
      ],
      [
        'trace',
        [
          [0, -41],
          [2, -42],
          [4, -43],
        ],
      ],
    ],
  );
  assert.equal(xOf(x, 2), (BOX.left + BOX.width - BOX.right) / 2);
  assert.equal(yOf(y, -30), BOX.top);
  assert.equal(yOf(y, -50), BOX.height - BOX.bottom);
});

test('the ccdf has a logarithmic axis and its reference', () => {
  const rows = [0, 10].map((above_mean_db) => ({
    above_mean_db,
    probability_percent: above_mean_db ? 0 : 50,
    gaussian_percent: 100 * Math.exp(-(10 ** (above_mean_db / 10))),
  }));
  const { y, lines } = graphOf('ccdf', rows);
  assert.equal(lines[0].text, 'Gaussian noise');
  assert.deepEqual(
    lines[0].points.map(([, value]) => value.toFixed(3)),
    ['1.566', '-2.343'],
  ); // 36.8 %, 0.00454 %
  assert.deepEqual(lines[1].points, [[0, Math.log10(50)]]);
  assert.ok(Math.abs(yOf(y, 1) - yOf(y, 2) - (yOf(y, -3) - yOf(y, -2))) < 1e-9);
  assert.equal(graphOf('obw', rows), null);
  assert.equal(graphOf('ccdf', []), null);
});

/** A measure with a connection that remembers; connected: false refuses. */
function page(limits = { all_measurements: 256, own_measurements: 16 }, connected = true) {
  globalThis.fetch = async () => ({ ok: false });
  const store = new Store(initialState({})),
    sent = [],
    owed = [];
  const connection = {
    subscribe: (_, want) => sent.push(want),
    measure: (name, setUp, own, answered) => {
      if (connected) {
        sent.push({ name, setUp, own });
        owed.push(answered);
      }
      return connected;
    },
  };
  const measure = new Measure(store, connection);
  const answer = (error) => owed.shift()(error ? { status: 400, error } : { status: 200 });
  store.update({ limits });
  return { store, sent, measure, answer };
}

const result = (name, type, power_dbfs) => ({
  name,
  type,
  reason: null,
  note: null,
  verdict: null,
  calibrated: false,
  values: { power_dbfs },
  rows: [],
});
const namesOf = ({ store }) => store.state.measurements.map(({ name, own }) => `${name} ${own}`);
const OBW = { type: 'obw', keys: { center: '1M', width: '1M' } };
const setOwn = (name) => ({ name, setUp: { type: 'obw', center: '1M', width: '1M' }, own: true });
const endOwn = (name) => ({ name, setUp: null, own: true });

test('the answer to a change of a measurement of all is shown; others are left to others', () => {
  const { store, sent, measure, answer } = page();
  assert.equal(measure.receive({ type: 'done' }), false, 'of the radio');
  measure.set('a', OBW, false);
  measure.remove('b', false);
  assert.deepEqual(sent.slice(-2), [
    { name: 'a', setUp: { type: 'obw', center: '1M', width: '1M' }, own: false },
    { name: 'b', setUp: null, own: false },
  ]);
  answer('width: too wide');
  assert.deepEqual(store.state.measureAnswer, { kind: 'failed', text: 'width: too wide' });
  measure.set('a', OBW, false);
  answer();
  answer();
  assert.equal(store.state.measureAnswer.kind, 'done');
  assert.equal(measure.receive({ type: 'error', message: 'no such gain' }), false);
});

test('a change without a connection says so', () => {
  for (const own of [true, false]) {
    const { store, measure } = page(undefined, false);
    measure.set('b', OBW, own);
    assert.deepEqual(store.state.measureAnswer, { kind: 'failed', text: 'Not connected.' });
    assert.equal(measure.receive({ type: 'done' }), false);
    assert.deepEqual(store.state.measurements, []);
  }
});

test('its own measurement is shown at once and done with its answer', () => {
  const { store, sent, measure, answer } = page();
  store.update({ measureOpen: true });
  measure.set('a', OBW, true);
  assert.deepEqual(sent.at(-1), setOwn('a'));
  assert.deepEqual(
    [store.state.measurements[0].keys, store.state.measurements[0].reason],
    [OBW.keys, 'no line has been measured yet'],
  );
  assert.equal(store.state.measureAnswer.kind, 'sent');
  answer();
  assert.equal(store.state.measureAnswer.kind, 'done');
  measure.receive({ type: 'own_measure', measurements: [result('m1', 'marker', -1), result('a', 'obw', -2)] });
  store.update({ measureOpen: false });
  assert.deepEqual(sent.at(-1), endOwn('a'), 'nothing is measured while nobody looks');
  store.update({ measureOpen: true });
  assert.deepEqual(namesOf({ store }), ['a true'], 'without the marker of another panel');
  assert.equal(store.state.measurements[0].values.power_dbfs, -2);
});

test('a refused change of its own leaves what was', () => {
  const { store, measure, answer } = page();
  store.update({ measureOpen: true });
  measure.set('a', OBW, true);
  answer();
  measure.set('a', { type: 'obw', keys: { width: '-1' } }, true);
  answer('width: no');
  assert.deepEqual(store.state.measurements[0].keys, OBW.keys);
  assert.deepEqual(store.state.measureAnswer, { kind: 'failed', text: 'width: no' });
  measure.set('b', { type: 'obw', keys: {} }, true);
  answer('no');
  assert.deepEqual(namesOf({ store }), ['a true']);
});

test('of two changes on their way, a refused second one leaves the first', () => {
  const { store, measure, answer } = page();
  const first = { type: 'obw', keys: { width: '2M' } };
  store.update({ measureOpen: true });
  measure.set('a', OBW, true);
  answer();
  measure.set('a', first, true);
  measure.set('a', { type: 'obw', keys: { width: '-1' } }, true);
  answer();
  answer('width: no');
  assert.deepEqual(store.state.measurements[0].keys, first.keys);
  measure.set('a', { type: 'obw', keys: { width: '-2' } }, true);
  measure.set('a', OBW, true);
  answer('width: no');
  answer();
  assert.deepEqual(store.state.measurements[0].keys, OBW.keys);
});

test('its own come back after a lost connection', () => {
  const { store, sent, measure } = page();
  store.update({ measureOpen: true });
  measure.set('a', OBW, true);
  store.update({ link: { kind: 'reconnecting', reason: '', retryAt: 0 } });
  sent.length = 0;
  assert.equal(measure.receive({ type: 'welcome', limits: { own_measurements: 16 } }), false, 'it is for others too');
  assert.deepEqual(sent, [setOwn('a')]);
});

test('a band of a measurement of all stays where it is dragged until the server measures there', () => {
  const { store, measure } = page();
  const shared = (keys) => ({ type: 'measure', measurements: [{ ...result('a', 'obw', -2), keys }] });
  measure.receive(shared(OBW.keys));
  measure.drag({ ...result('a', 'obw', -2), own: false }, { center: '2M', width: '1M' });
  assert.equal(store.state.measurements[0].keys.center, '2M');
  measure.receive(shared({ center: '2M', width: '1M' }));
  measure.receive(shared({ center: '3M', width: '1M' })); // another client's change
  measure.drag({ ...result('other', 'obw', 0), own: false }, {});
  assert.equal(store.state.measurements[0].keys.center, '3M');
});

test('who may change what', () => {
  const state = (own, allowed) => ({
    limits: { own_measurements: own },
    control: { permitted: allowed },
    measureTypes: { types: [], common: [] },
  });
  assert.deepEqual(
    [mayAdd(state(16, false)), mayAdd(state(0, false)), mayAdd(state(undefined, true))],
    [true, false, true],
  );
  assert.equal(mayAdd({ ...state(16, true), measureTypes: null }), false);
  assert.deepEqual(
    [
      mayChange(state(16, false), { own: true, keys: {} }),
      mayChange(state(16, false), { own: false, keys: {} }),
      mayChange(state(0, true), { own: false, keys: {} }),
      mayChange(state(0, true), { own: false }),
    ],
    [true, false, true, false],
  );
});

test('results are requested while the panel is open on a server that measures', () => {
  const { store, sent } = page({}),
    actions = new Actions(store, {});
  actions.togglePanel('measure');
  assert.equal(store.state.measureOpen, false, 'no server');
  store.update({ limits: { all_measurements: 256 } });
  actions.togglePanel('measure');
  assert.equal(sent.at(-1), true);
  actions.togglePanel('measure');
  assert.equal(sent.at(-1), false);
});

test('the divider leaves room for both plots', () => {
  assert.equal(layoutOf(1000, 626).spectrumHeight, 252); // 42 % of what the axis leaves
  const low = layoutOf(1000, 626, 0.1),
    high = layoutOf(1000, 626, 0.9);
  assert.equal(low.spectrumHeight, 60);
  assert.equal(layoutOf(1000, 626, 0.7).spectrumHeight, 420);
  assert.equal(high.waterfallHeight, 60);
  assert.ok(layoutOf(300, 100, 0.9).waterfallHeight >= 1);
  assert.deepEqual([clampSplit(0), clampSplit(0.5), clampSplit(2)], [0.1, 0.5, 0.9]);
});

test('a link has the measurements of the page while their panel is open', () => {
  const { store, measure } = page();
  store.update({ measureOpen: true });
  measure.set('my band, 1', OBW, true);
  const text = store.state.ownMeasures;
  assert.deepEqual(JSON.parse(text), [['my band, 1', OBW]]);
  const link = formatHash({ panels: 'measure', measures: encodeURIComponent(text) });
  const read = parseHash(link);
  assert.equal(read.measures, text);
  for (const bad of [
    '',
    '{}',
    '[1]',
    '[["a"]]',
    '[["a",{"type":1,"keys":{}}]]',
    '[["a",{"type":"obw","keys":{"b":1}}]]',
    '[["a",{"type":"obw","keys":null}]]',
    'x',
  ])
    assert.equal(checkMeasures(bad), undefined, bad);
  assert.equal(parseMeasures(JSON.stringify(Array(20).fill(['a', OBW]))).length, 16);
});

test('another link replaces them on the server too', () => {
  const { store, sent, measure } = page();
  store.update({ measureOpen: true });
  measure.set('a', OBW, true);
  sent.length = 0;
  store.update({ ownMeasures: JSON.stringify([['b', OBW]]) });
  assert.deepEqual(sent, [endOwn('a'), setOwn('b')]);
  assert.deepEqual(namesOf({ store }), ['b true']);
  sent.length = 0;
  store.update({ ownMeasures: store.state.ownMeasures });
  assert.deepEqual(sent, [], 'they are the same');
});

test('a page of a link begins with its measurements', () => {
  const store = new Store(
      initialState(parseHash(`#panels=measure&measures=${encodeURIComponent(JSON.stringify([['b', OBW]]))}`)),
    ),
    sent = [];
  globalThis.fetch = async () => ({ ok: false });
  new Measure(store, { subscribe() {}, measure: (name, setUp, own) => sent.push({ name, setUp, own }) > 0 });
  store.update({ limits: { all_measurements: 256, own_measurements: 16 } });
  assert.deepEqual(sent, [setOwn('b')]);
});

const maskOf = (keys, values = {}) => ({ name: 'm', type: 'mask', keys, values });

test('the limits of a mask are where its points are, and moved ones become its keys', () => {
  const [upper, lower] = limitsOfMask(maskOf({ upper: '99.8M:-30,100.2M:-40', lower: '99M:-90 101M:-90' }));
  assert.deepEqual(upper.points, [
    { hz: 99.8e6, db: -30 },
    { hz: 100.2e6, db: -40 },
  ]);
  assert.deepEqual([upper.side, lower.side, lower.points[1].hz], ['upper', 'lower', 101e6]);
  assert.deepEqual(
    upper.toKeys([
      { hz: 99.9e6, db: -25.25 },
      { hz: 100.2e6, db: -40 },
    ]),
    { upper: '99.9M:-25.3,100.2M:-40', lower: '99M:-90 101M:-90' },
  );
  assert.deepEqual(limitsOfMask(maskOf({ file: 'x' })), []);
  assert.deepEqual(limitsOfMask({ ...maskOf({ upper: '1M:0,2M:0' }), type: 'obw' }), []);
});

test('limits that count from a centre, a channel or in dbm are moved to the spectrum and back', () => {
  const keys = { upper: '-25k:-30,25k:-30', center: '100M', width: '10k', reference: 'channel' };
  assert.deepEqual(limitsOfMask(maskOf(keys)), [], 'the power of the channel is not known yet');
  const [limit] = limitsOfMask(maskOf(keys, { reference_dbfs: -12 }));
  assert.deepEqual(limit.points, [
    { hz: 99.975e6, db: -42 },
    { hz: 100.025e6, db: -42 },
  ]);
  assert.equal(limit.toKeys([{ hz: 99.95e6, db: -32 }, limit.points[1]]).upper, '-0.05M:-20,0.025M:-30');

  const dbm = maskOf({ upper: '99M:-80,101M:-80', reference: 'dbm' });
  assert.deepEqual(limitsOfMask(dbm), [], 'not calibrated');
  const [known] = limitsOfMask(dbm, [
    [99e6, -50],
    [101e6, -60],
  ]);
  assert.deepEqual(
    known.points.map(({ db }) => db),
    [-30, -20],
  );
  assert.equal(known.toKeys(known.points).upper, '99M:-80,101M:-80');
});

test('zero span begins with about the time of a line', () => {
  for (const [rate, time] of [
    [20, '50 ms'],
    [10, '100 ms'],
    [100, '10 ms'],
    [0.1, '1000 ms'],
    [1171.875, '1 ms'],
  ])
    assert.equal(timeOfLine(rate), time);
});
