// The keys of measurements and triggers as their form shows them, and as the server reads them. Pure functions.

import { exactHz, plainSi, shortHz } from './format.js';
import { parseQuantity, plainNumber, readHz, unitOf, unitSize } from './quantity.js';

/** @typedef {Pick<import('../features/measure/measure.js').Key, 'key' | 'unit' | 'min' | 'max' | 'expected'>} Key */

/** Frequencies are in Hz; a width is not negative. @param {Key} key */
const isWidth = ({ min = -1 }) => min >= 0;

/** What a number without a unit counts there: MHz for a frequency, for a width the unit that was shown. @param {Key}
 * key @param {string} shown */
export const unitHzOf = (key, shown) => (isWidth(key) ? (unitOf(shown) ? unitSize(shown) : 1e3) : 1e6);

/** The unit that stands beside a field: of a number without one. @param {Key} key @param {string} shown */
export const unitBeside = (key, shown) =>
  key.unit === 'Hz' ? ({ 1: 'Hz', 1e3: 'kHz', 1e6: 'MHz' }[unitHzOf(key, shown)] ?? 'GHz') : (key.unit ?? '');

/** "99.4M" -> "99.4 MHz" @param {Key} key @param {string} value  of the server */
export function shownText({ unit, expected }, value) {
  if (isList(expected))
    return value
      .split(',')
      .map((item) => shownItem(item, expected.startsWith('HZ') ? 1 : 2))
      .join(', ');
  if (isBand(expected)) return shownItem(value, 2);
  return unit === 'Hz' ? shownFrequency(value) : value;
}

/** @param {string} item  numbers between colons @param {number} count  of the first ones that are frequencies */
const shownItem = (item, count) =>
  item
    .trim()
    .split(':')
    .map((part, i) => (i < count ? shownFrequency(part) : part))
    .join(':');

/** @param {string} text */
function shownFrequency(text) {
  const hz = parseQuantity(text, 'hz');
  return Number.isNaN(hz) ? text : shortHz(hz);
}

/** "OFFSET[:WIDTH[:LIMIT]], ..." and "HZ:DB, ..." @param {string} expected */
const isList = (expected) => /^(OFFSET|HZ)\b.*\.\.\./.test(expected);

/** "433M:434M" @param {string} expected */
export const isBand = (expected) => expected.startsWith('two frequencies');

/** "144:146" -> "144M:146M" @param {string} text */
export function sentBand(text) {
  const [low, high, ...more] = text.split(':');
  return high === undefined || more.length > 0 ? text.trim() : `${sentFrequency(low)}:${sentFrequency(high)}`;
}

/**
 * A list of frequencies, each with more after a colon: in MHz and other numbers. With a semicolon between its items, a
 * comma is a decimal mark.
 * @param {string} text @param {boolean} levels  the number after a frequency is a level
 */
function plainList(text, levels) {
  const items = text.split(text.includes(';') ? ';' : /,/).map((item) => item.trim());
  return items
    .filter(Boolean)
    .map((item) =>
      item
        .split(':')
        .map((part, i) => (i === 0 || (i === 1 && !levels) ? sentFrequency(part) : plainNumber(part)))
        .join(':'),
    )
    .join(',');
}

/** "144:146>-40,5" -> "144M:146M>-40.5" @param {string} text */
function powerText(text) {
  const [band, level] = text.split('>');
  return level === undefined ? text.trim() : `${sentBand(band)}>${plainNumber(level)}`;
}

/** What is no frequency stays: the server says what is wrong. @param {string} text */
function sentFrequency(text, unitHz = 1e6) {
  const hz = readHz(text, unitHz);
  return Number.isNaN(hz) ? text.trim() : plainSi(hz);
}

/**
 * What the server is sent for what somebody typed.
 * @param {Key} key @param {string} text @param {string} shown  in the field at first
 */
export function sentText(key, text, shown) {
  if (!text.trim()) return '';
  if (isList(key.expected)) return plainList(text, key.expected.startsWith('HZ'));
  if (isBand(key.expected)) return sentBand(text);
  if (key.expected.startsWith('LOW:HIGH>')) return powerText(text);
  if (key.unit === 'Hz') return sentFrequency(text, unitHzOf(key, shown));
  return key.unit || key.min !== undefined ? plainNumber(text) : text.trim();
}

/** What was understood of a frequency; "": it is none. @param {Key} key @param {string} text @param {string} shown */
export function understoodText(key, text, shown) {
  const hz = key.unit === 'Hz' ? readHz(text, unitHzOf(key, shown)) : NaN;
  return Number.isNaN(hz) ? '' : exactHz(hz);
}
