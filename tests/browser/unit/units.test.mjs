// Units of levels: the offset of each frequency, and what dBm, dBm/Hz and dBuV make of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelAt, levelScale, offsetAt, wantedUnit } from '../../../web/app/units.js';

const CURVE = [
  [98e6, -10],
  [100e6, -20],
  [101e6, -30],
  [102e6, null],
];
const FRAME = { enbwBins: 1.5, rateHz: 2.048e6, n: 2048 }; // RBW 1500 Hz

for (const [hz, expected] of [
  [98e6, -10],
  [99e6, -15],
  [100e6, -20],
  [100.25e6, -22.5],
  [101e6, -30],
  [101.5e6, NaN],
  [102e6, NaN],
  [97.999e6, -10],
])
  test(`the offset at ${hz / 1e6} MHz is ${expected}`, () => assert.deepEqual(offsetAt(CURVE, hz), expected));

test('an empty curve is uncal', () => assert.equal(offsetAt([], 1e8), NaN));

// -10 dBFS at 100.25 MHz are -32.5 dBm: in 1500 Hz 31.76 dB less a Hz; in 50 ohm 107 dB more over 1 uV.
for (const [unit, expected] of [
  ['dBFS', -10],
  ['dBm', -32.5],
  ['dBm/Hz', -64.261],
  ['dB\u00b5V', 74.49],
])
  test(`a level in ${unit.replace('/', '_a_')}`, () => {
    const { value, unit: shown } = levelAt(levelScale(unit, CURVE, FRAME, 100e6), 100.25e6, -10);
    assert.equal(shown, unit);
    assert.ok(Math.abs(value - expected) < 0.001, `${value}`);
  });

test('where the offset is not known levels stay in dbfs and say so', () => {
  for (const scale of [levelScale('dBm', undefined, FRAME, 100e6), levelScale('dBm', CURVE, FRAME, 101.5e6)]) {
    assert.equal(scale.uncal, true);
    assert.deepEqual(levelAt(scale, 100e6, -10), { value: -10, unit: 'dBFS uncal' });
  }
  const known = levelScale('dBm', CURVE, FRAME, 100e6);
  assert.deepEqual(levelAt(known, 101.5e6, -10), { value: -10, unit: 'dBFS uncal' });
  assert.equal(known.flat, false);
  assert.equal(
    levelScale(
      'dBm',
      [
        [1, -5],
        [2, -5],
      ],
      FRAME,
      1.5,
    ).flat,
    true,
  );
});

test('with a calibration the unit is dbm unless another one is chosen', () => {
  const calibrated = { calibration: { curve: CURVE } };
  for (const [unit, status, expected] of [
    ['', null, 'dBFS'],
    ['', { calibration: null }, 'dBFS'],
    ['', calibrated, 'dBm'],
    ['', { calibration: { curve: null } }, 'dBm'], // uncal says so
    ['dBFS', calibrated, 'dBFS'],
    ['dBm', null, 'dBm'],
  ])
    assert.equal(wantedUnit({ unit, status }), expected);
  assert.equal(levelScale('dBm', null, FRAME, 100e6).uncal, true);
});
