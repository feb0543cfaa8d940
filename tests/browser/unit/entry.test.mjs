// What the frequency field understands: one row for each form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryText, parseEntry } from '../../../web/util/entry.js';

const centre = (hz) => ({ kind: 'centre', hz }),
  shift = (hz) => ({ kind: 'shift', hz });
const range = (lowHz, highHz) => ({ kind: 'range', lowHz, highHz });

const FORMS = [
  ['433.92M', centre(433920000)],
  [' 433.92 MHz ', centre(433920000)],
  ['100 MHz', centre(100000000)],
  ['100mhz', null], // m is no mega
  ['2.4e9', centre(2400000000)],
  ['2.4G', centre(2400000000)],
  ['0', centre(0)],
  ['145.5', centre(145500000)], // the page shows MHz
  ['145,5', centre(145500000)],
  ['145500000', centre(145500000)], // no radio has so many MHz
  ['145.500.000', centre(145500000)],
  ['145 500 kHz', centre(145500000)],
  ['433.920\u202f000\u202fMHz', centre(433920000)], // as the page writes it
  ['1.090,5', centre(1090500000)],
  ['1e+3', centre(1000000000)],
  ['+0,025', shift(25000)],
  ['+5', shift(5000000)],
  ['/2', { kind: 'span', hz: 2000000 }],
  ['433,92 / 0,2', range(433820000, 434020000)],
  ['144-146', range(144000000, 146000000)],
  ['144,5 \u2013 145,5 MHz', range(144500000, 145500000)],
  ['500-1000 kHz', range(500000, 1000000)],
  ['433,92M', centre(433920000)],
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
  ['145.50.000', null],
  ['1,5,2 MHz', null],
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
  assert.match(parseEntry(' 433x ').text, /^\u201c433x\u201d is not a frequency: write 433\.92 \(MHz\)/);
  assert.match(parseEntry('104M-100M').text, /start .* below the stop/);
});

const NARROW = '\u202f';
for (const [text, expected] of [
  ['145.5', '145.500 MHz'],
  ['145,50625', '145.506 250 MHz'],
  ['7074k', '7.074 MHz'],
  ['+12.5k', '+12.500 kHz'],
  ['-1k', '\u22121 kHz'],
  ['/2', 'span 2.000 MHz'],
  ['144-146', '144.000 MHz \u2013 146.000 MHz'],
  ['14x', ''],
  ['', ''],
])
  test(`what is understood of ${JSON.stringify(text)}`, () =>
    assert.equal(entryText(text).replaceAll(NARROW, ' '), expected));
