// Numbers that people type: decimal marks, digits in groups, units left out; and the keys of forms made of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentText, shownText, understoodText } from '../../../web/util/key_text.js';
import { frequency, hzText } from '../../../web/util/hash.js';
import { readHz, readTyped } from '../../../web/util/quantity.js';

for (const [text, quantity, expected] of [
  ['1,5', 'plain', 1.5],
  ['1.5', 'plain', 1.5],
  ['1,234.5', 'plain', 1234.5],
  ['1.234,5', 'plain', 1234.5],
  ['1.234.567', 'plain', 1234567],
  ['1,234,567', 'plain', 1234567],
  ['1 234 567', 'plain', 1234567],
  ['1\u202f234,567', 'plain', 1234.567],
  ["1'234.5", 'plain', 1234.5],
  ['1_000', 'plain', 1000],
  ['99.925 00', 'plain', 99.925],
  ['\u221220,5 dB', 'db', -20.5],
  ['- 3', 'plain', -3],
  ['0,5 s', 'seconds', 0.5],
  ['10,5ms', 'seconds', 0.0105],
  ['87,5 %', 'percent', 87.5],
  [',5', 'plain', 0.5],
  ['2,4 MS/s', 'rate', 2400000],
  ['12 34', 'plain', NaN],
  ['1,2,3', 'plain', NaN],
  ['1.23.456', 'plain', NaN],
  ['1.234,567.8', 'plain', NaN],
  ['12345,678,9', 'plain', NaN],
  ['one', 'plain', NaN],
  ['', 'plain', NaN],
])
  test(`${JSON.stringify(text)} is ${expected} (${quantity})`, () =>
    assert.deepEqual(readTyped(text, quantity), expected));

for (const [text, unit, expected] of [
  ['145.5', 1e6, 145500000],
  ['145,500', 1e6, 145500000],
  ['12.5', 1e3, 12500],
  ['12.5 kHz', 1e6, 12500],
  ['0', 1e6, 0],
  ['-0.1', 1e6, -100000],
  ['999999', 1e6, 999999000000],
  ['1000000', 1e6, 1000000],
  ['100.3', 1e6, 100300000],
])
  test(`${text} in a field of ${unit} Hz is ${expected} Hz`, () => assert.equal(readHz(text, unit), expected));

const CENTER = { key: 'center', unit: 'Hz', min: -1e12, max: 1e12, expected: 'a number from -1000G to 1000G' };
const WIDTH = { key: 'width', unit: 'Hz', min: 0, max: 1e10, expected: 'a number from 0 to 10G' };
const POINTS = { key: 'upper', expected: 'HZ:DB, ... with rising frequencies, two points or more' };
const OFFSETS = { key: 'offsets', expected: 'OFFSET[:WIDTH[:LIMIT]], ... in Hz, Hz and dB' };
const BAND = { key: 'band', expected: 'two frequencies as in 433M:434M' };
const POWER = { key: 'power', expected: 'LOW:HIGH>LEVEL as in 433M:434M>-40' };
const LEVEL = { key: 'level', unit: 'dB', min: -300, max: 100, expected: 'a number from -300 to 100' };
const TIME = { key: 'hold', unit: 's', min: 0, max: 10, expected: 'a time from 0 to 10 s' };

for (const [key, text, shown, expected] of [
  [CENTER, '145.5', '', '145.5M'],
  [CENTER, '145,5', '7.1 MHz', '145.5M'],
  [CENTER, '500 kHz', '', '500k'],
  [CENTER, '12', '25 kHz', '12M'],
  [CENTER, '', '100 MHz', ''],
  [CENTER, 'high', '', 'high'],
  [WIDTH, '12.5', '25 kHz', '12.5k'],
  [WIDTH, '1,2', '1 MHz', '1.2M'],
  [WIDTH, '25', '', '25k'],
  [WIDTH, '1M', '25 kHz', '1M'],
  [POINTS, '144:-50, 146M:-40.5', '', '144M:-50,146M:-40.5'],
  [POINTS, '144,5:-50; 146:-40,5', '', '144.5M:-50,146M:-40.5'],
  [OFFSETS, '5M:3.84M:-45, 10', '', '5M:3.84M:-45,10M'],
  [BAND, '144:146', '', '144M:146M'],
  [POWER, '144:146 > \u221240,5', '', '144M:146M>-40.5'],
  [LEVEL, '\u221220,5', '', '-20.5'],
  [TIME, '10,5 ms', '', '10.5ms'],
])
  test(`${key.key} ${JSON.stringify(text)} beside ${JSON.stringify(shown)} is sent as ${expected}`, () =>
    assert.equal(sentText(key, text, shown), expected));

test('a form shows keys in the units of the page and says what it understood', () => {
  assert.equal(shownText(CENTER, '99.4M'), '99.4 MHz');
  assert.equal(shownText(WIDTH, '12.5k'), '12.5 kHz');
  assert.equal(shownText(LEVEL, '-20'), '-20');
  assert.equal(shownText(CENTER, ''), '');
  assert.equal(shownText(POINTS, '-25k:-50,0:-3,25000:-50'), '-25 kHz:-50, 0 Hz:-3, 25 kHz:-50');
  assert.equal(shownText(POINTS, 'limits.csv'), 'limits.csv');
  assert.equal(shownText(OFFSETS, '5M:3.84M:-45,10M'), '5 MHz:3.84 MHz:-45, 10 MHz');
  assert.equal(shownText(BAND, '7000:9000'), '7 kHz:9 kHz');
  assert.equal(understoodText(WIDTH, '12,5', '25 kHz'), '12.500\u202fkHz');
  assert.equal(understoodText(CENTER, '145.5', ''), '145.500\u202fMHz');
  assert.equal(understoodText(LEVEL, '3', ''), '');
});

test('a shown text is sent back as the server had it', () => {
  for (const text of ['-25k:-50,0:-3,25k:-50.5', '433.1M:-50,434M:-40'])
    assert.equal(sentText(POINTS, shownText(POINTS, text), ''), text);
  assert.equal(sentText(OFFSETS, shownText(OFFSETS, '200k:180k:-45,400k'), ''), '200k:180k:-45,400k');
  assert.equal(sentText(BAND, shownText(BAND, '7k:9k'), ''), '7k:9k');
  for (const value of ['99.4M', '12.5k', '500', '-63.2k', '1090.000001M', '2.4G'])
    assert.equal(sentText(CENTER, shownText(CENTER, value), ''), value === '2.4G' ? '2400M' : value);
});

test('frequencies of links have their unit and read back', () => {
  const read = frequency(-1e12, 1e12);
  for (const hz of [144e6, 433920000.125, 500, 0, -24000, 0.5, 12e9]) assert.equal(read(hzText(hz)), hz);
  assert.equal(read('144'), 144e6);
  assert.equal(read('145500000'), 145.5e6);
  assert.equal(read('2e12'), undefined);
  assert.equal(read('x'), undefined);
});
