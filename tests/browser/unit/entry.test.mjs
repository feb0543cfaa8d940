// What the frequency field understands: one row for each form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEntry } from '../../../web/util/entry.js';

const centre = (hz) => ({ kind: 'centre', hz }), shift = (hz) => ({ kind: 'shift', hz });
const range = (lowHz, highHz) => ({ kind: 'range', lowHz, highHz });

const FORMS = [
  ['433.92M', centre(433920000)],
  [' 433.92 MHz ', centre(433920000)],
  ['100 MHz', centre(100000000)],
  ['100mhz', null], // m is no mega
  ['2.4e9', centre(2400000000)],
  ['2.4G', centre(2400000000)],
  ['0', centre(0)],
  ['1e+3', centre(1000)],
  ['+25k', shift(25000)],
  ['-25k', shift(-25000)],
  ['\u221212.5 kHz', shift(-12500)],
  ['+2.5e-3M', shift(2500)],
  ['2.4e9/2M', range(2399000000, 2401000000)],
  ['433.92 MHz / 200 kHz', range(433820000, 434020000)],
  ['/2M', { kind: 'span', hz: 2000000 }],
  ['/ 500 kHz', { kind: 'span', hz: 500000 }],
  ['100M-104M', range(100000000, 104000000)],
  ['100M..104M', range(100000000, 104000000)],
  ['100 MHz \u2013 104 MHz', range(100000000, 104000000)],
  ['100M to 104M', range(100000000, 104000000)],
  ['100-104M', range(100000000, 104000000)],
  ['88.5..108 MHz', range(88500000, 108000000)],
  ['88000000-108M', range(88000000, 108000000)],
  ['1e8-1.04e8', range(100000000, 104000000)],
  ['2.4e9..2.5G', range(2400000000, 2500000000)],
  ['1e-3M-2k', range(1000, 2000)],
  ['104M-100M', null],
  ['100M-100M', null],
  ['100M/0', null],
  ['100M/-2M', null],
  ['100M/', null],
  ['/', null],
  ['', null],
  ['M', null],
  ['100M-', null],
  ['1.2.3', null],
  ['433,92M', null],
  ['100M-104M-108M', null],
  ['100M 104M', null],
  ['1e999', null],
];

for (const [text, expected] of FORMS)
  test(`entry ${JSON.stringify(text)} is ${expected ? JSON.stringify(expected) : 'refused'}`, () => {
    const entry = parseEntry(text);
    if (expected) assert.deepEqual(entry, expected);
    else assert.equal(entry.kind, 'error');
  });

test('a refused entry is quoted with examples', () => {
  assert.match(parseEntry(' 433x ').text, /^\u201c433x\u201d is not a frequency: write 433\.92M/);
  assert.match(parseEntry('104M-100M').text, /start .* below the stop/);
});
