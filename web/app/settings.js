// The settings of the radio as the server describes them: their fields, values in force, and refusals. Pure functions.

import { isNumber, isWithin } from '../net/choices.js';
import { exactHz, formatSi, plainSi } from '../util/format.js';
import { isBand, sentBand } from '../util/key_text.js';
import { quantityOf, readTyped, unitSize } from '../util/quantity.js';

/**
 * @typedef {import('../net/choices.js').Choice} Choice
 * @typedef {import('../net/choices.js').Choices} Choices
 * @typedef {Record<string, any>} Status
 * @typedef {{ value: number | string } | { error: string }} Reading
 */

/** @param {string} label @param {string} unit @param {string[]} [values] @returns {Choice} */
const plain = (label, unit, values) => ({ label, unit, values, group: '', help: '', expected: '' });

/** What a server has that offers no choices. @type {Choices} */
const OLDEST = {
  center_hz: plain('Centre', 'Hz'),
  rate_hz: plain('Sample rate', 'S/s'),
  gain: plain('Gain', ''),
  fft_size: { ...plain('FFT size', ''), min: 1 },
  window: plain('Window', ''),
  overlap: plain('Overlap', '%'),
  line_rate: plain('Line rate', 'lines/s'),
};

/** The settings to show. @param {Choices} choices @returns {Choices} */
export function settingsOf(choices) {
  const { detector: _, ...settings } = choices; // the client's own, in its view
  return Object.keys(settings).length > 0 ? settings : OLDEST;
}

/** "A number of Hz, such as 433.92M." @param {Choice} choice */
const example = (choice) =>
  choice.unit === 'Hz' ? 'a frequency, such as 433.92M' : `a number${choice.unit && ` of ${choice.unit}`}`;

/**
 * @param {Choice} choice @param {string} text
 * @param {string} [shown]  in the field before: a frequency or rate without a unit has that one's
 * @returns {Reading}
 */
export function readSetting(choice, text, shown = '') {
  const word = text.trim();
  if (isBand(choice.expected)) return { value: sentBand(word) };
  if (!isNumber(choice)) return { value: word };
  const value = readNumber(choice, word, shown);
  if (Number.isNaN(value)) return { error: `Expected ${choice.expected || example(choice)}.` };
  return isWithin(choice, value) ? { value } : { error: `Expected ${choice.expected}.` };
}

/** @param {Choice} choice @param {string} text @param {string} shown */
function readNumber({ unit }, text, shown) {
  const quantity = quantityOf(unit);
  return readTyped(text, quantity, ['hz', 'rate'].includes(quantity) ? unitSize(shown, quantity) : 1);
}

/** What was understood of a frequency or rate: "145.500 MHz"; "": nothing. @param {Choice} choice @param {string} text
 * @param {string} shown */
export function understoodSetting(choice, text, shown) {
  const value = isNumber(choice) && text.trim() ? readNumber(choice, text, shown) : NaN;
  if (Number.isNaN(value)) return '';
  return choice.unit === 'Hz' ? exactHz(value) : choice.unit === 'S/s' ? formatSi(value, choice.unit, 9) : '';
}

/** The figure of the spectrum that a setting asks for. @type {Record<string, string>} */
const FIGURES = { fft_size: 'fft_size', rbw_hz: 'rbw_hz', vbw_hz: 'vbw_hz', line_rate: 'line_rate_hz' };

/** What is in force, as far as the status says; undefined: unknown. @param {string} name @param {Status} status */
function inForce(name, status) {
  const value = status.source?.tuning?.[name] ?? status.spectrum?.[FIGURES[name]];
  return value === null || value === '' ? undefined : value;
}

/** @param {unknown} value */
const isGiven = (value) => value !== undefined && value !== null && value !== 0 && value !== '';

/**
 * The text of a field: what was asked for, else what is in force.
 * @param {string} name
 * @param {Choice} choice
 * @param {Status} status
 */
export function settingText(name, choice, status) {
  const wanted = status.wanted?.[name],
    tuning = status.source?.tuning ?? {};
  const value = isGiven(wanted) || !Object.hasOwn(tuning, name) ? wanted : tuning[name];
  return typeof value === 'number' && choice.unit ? plainSi(value) : String(value ?? '');
}

/** @param {unknown} a @param {unknown} b */
function isSame(a, b) {
  const x = Number(a),
    y = Number(b);
  if (Number.isNaN(x) || Number.isNaN(y)) return String(a).toLowerCase() === String(b).toLowerCase();
  return Math.abs(x - y) <= 1e-4 * Math.abs(x);
}

/** "49.6 dB", "1.17 kHz" @param {Choice} choice @param {string} name @param {unknown} value */
function valueText(choice, name, value) {
  const number = Number(value);
  if (Number.isNaN(number)) return String(value);
  if (name === 'gain') return `${number}\u202fdB`;
  return choice.unit === 'Hz' || choice.unit === 'S/s'
    ? formatSi(number, choice.unit, 4)
    : `${Number(number.toPrecision(4))} ${choice.unit}`.trim();
}

/**
 * Where the radio has another value than was asked for: that value.
 * @param {string} name
 * @param {Choice} choice
 * @param {Status} status
 */
export function deviation(name, choice, status) {
  const wanted = status.wanted?.[name],
    now = inForce(name, status);
  return !isGiven(wanted) || now === undefined || isSame(wanted, now) ? '' : valueText(choice, name, now);
}

/**
 * A refusal of the server in people's words: the setting that it is about, and the rest of the sentence.
 * @param {string} text @param {Choices | null} choices
 * @returns {{ field: string, text: string }}  field: "" if it names none
 */
export function explainRefusal(text, choices) {
  const [, name, rest] = /^([^\s:]+): (.+)$/s.exec(text) ?? [];
  const known = name !== undefined && Object.hasOwn(settingsOf(choices ?? {}), name);
  const sentence = known ? rest : text;
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  return { field: known ? name : '', text: ended.charAt(0).toUpperCase() + ended.slice(1) };
}
