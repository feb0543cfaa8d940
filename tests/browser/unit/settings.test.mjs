// The settings of the radio: what a field shows, reads and refuses, and where the radio differs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deviation,
  explainRefusal,
  readSetting,
  settingsOf,
  settingText,
  understoodSetting,
} from '../../../web/app/settings.js';
import { readChoices } from '../../../web/net/choices.js';
import { CHOICES } from '../choices.mjs';

const choices = readChoices(CHOICES);

for (const [name, text, expected] of [
  ['center_hz', '433.92 MHz', 433920000],
  ['rate_hz', '2.4 MS/s', 2400000],
  ['rate_hz', '2,4 MS/s', 2400000],
  ['ppm', '-1,5', -1.5],
  ['span', '88:108', '88M:108M'],
  ['span', '88M:107,5', '88M:107.5M'],
  ['line_rate', '25 lines/s', 25],
  ['overlap', '75 %', 75],
  ['dwell', '10 ms', 0.01],
  ['ppm', '-1.5ppm', -1.5],
  ['average', '1k', 1000],
  ['gain', ' LNA=20,TIA=8 ', 'LNA=20,TIA=8'],
  ['gain', '30', '30'],
  ['span', '88M:108M', '88M:108M'],
  ['span', '', ''],
  ['antenna', '', ''],
  ['window', 'kaiser(5)', 'kaiser(5)'],
  ['fft_size', '8192', 8192],
  ['dc_spur', 'auto', 'auto'],
])
  test(`${name} reads ${JSON.stringify(text)}`, () =>
    assert.deepEqual(readSetting(choices[name], text), { value: expected }));

for (const [name, text] of [
  ['center_hz', 'high'],
  ['center_hz', '-1'],
  ['overlap', '100'],
  ['dwell', ''],
  ['ppm', '5 Hz'],
  ['rate_hz', '0'],
])
  test(`${name} refuses ${JSON.stringify(text)}`, () =>
    assert.deepEqual(readSetting(choices[name], text), { error: `Expected ${CHOICES[name].expected}.` }));

for (const [name, text, shown, expected, said] of [
  ['center_hz', '145.5', '100M', 145500000, '145.500\u202fMHz'],
  ['center_hz', '7040', '500k', 7040000, '7.040\u202fMHz'],
  ['rate_hz', '3,2', '2.4M', 3200000, '3.2\u202fMS/s'],
  ['rate_hz', '250000', '2.4M', 250000000000, '250\u202fGS/s'],
  ['rate_hz', '2400000', '2.4M', 2400000, '2.4\u202fMS/s'],
  ['fft_size', '8192', '4096', 8192, ''],
])
  test(`${name} reads ${text} beside ${shown} as ${expected}`, () => {
    assert.equal(understoodSetting(choices[name], text, shown), said);
    const reading = readSetting(choices[name], text, shown);
    if ('value' in reading) assert.equal(reading.value, expected);
  });

const STATUS = {
  wanted: {
    gain: '9999',
    rbw_hz: 1000,
    fft_size: 4096,
    bandwidth_hz: 0,
    antenna: '',
    center_hz: 1e8,
    rate_hz: null,
    line_rate: 20,
  },
  source: { tuning: { gain: '49.6', bandwidth_hz: 1.7e6, antenna: 'RX', center_hz: 1e8 + 3, rate_hz: 2.4e6 } },
  spectrum: { rbw_hz: 879.2, fft_size: 4096, line_rate_hz: 19.97, vbw_hz: 10 },
};

for (const [name, expected] of [
  ['gain', '49.6 dB'],
  ['rbw_hz', '879.2 Hz'],
  ['fft_size', ''],
  ['bandwidth_hz', ''],
  ['antenna', ''],
  ['center_hz', ''],
  ['rate_hz', ''],
  ['line_rate', '19.97 lines/s'],
  ['vbw_hz', ''],
])
  test(`the value in force of ${name} is ${expected || 'not worth a word'}`, () =>
    assert.equal(deviation(name, choices[name], STATUS).replace(/\u202f/g, ' '), expected));

test('a field shows what was asked for or what the radio chose', () => {
  const texts = ['gain', 'bandwidth_hz', 'rate_hz', 'fft_size', 'line_rate'].map((name) =>
    settingText(name, choices[name], STATUS),
  );
  assert.deepEqual(texts, ['9999', '1.7M', '2.4M', '4096', '20']);
});

test('a rate that nobody knows is an empty field', () => {
  const status = { wanted: { rate_hz: 0 }, source: { tuning: { rate_hz: null } } };
  assert.equal(settingText('rate_hz', choices.rate_hz, status), '');
});

for (const [text, field, words] of [
  ['overlap: 100 is not a number from 0 to less than 100', 'overlap', '100 is not a number from 0 to less than 100.'],
  ['there is no memory', '', 'There is no memory.'],
  ['nonsense: no', '', 'Nonsense: no.'],
  ['toString: no', '', 'ToString: no.'],
])
  test(`the refusal ${JSON.stringify(text)} is shown ${field ? `at ${field}` : 'for all'}`, () =>
    assert.deepEqual(explainRefusal(text, choices), { field, text: words }));

test("the_client's_own_detector_is_no_setting_of_the_radio", () => {
  assert.equal('detector' in settingsOf(choices), false);
  assert.equal(Object.keys(settingsOf(choices)).length, Object.keys(CHOICES).length - 1);
  assert.deepEqual(Object.keys(settingsOf({})).slice(0, 3), ['center_hz', 'rate_hz', 'gain']);
});
