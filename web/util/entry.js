// Frequencies as people enter them: a centre, a span, both, two edges, or a distance. Pure functions.

import { parseQuantity } from './quantity.js';

/**
 * @typedef {{ kind: 'centre', hz: number }} Centre  keeps the span
 * @typedef {{ kind: 'shift', hz: number }} Shift  of the centre
 * @typedef {{ kind: 'span', hz: number }} Span  around the present centre
 * @typedef {{ kind: 'range', lowHz: number, highHz: number }} Range
 * @typedef {Centre | Shift | Span | Range | { kind: 'error', text: string }} Entry
 */

const MINUS = /[\u2212\u2013\u2014]/g; // minus, en dash, em dash

/** @param {string} text @returns {Entry} */
const refuse = (text) => ({ kind: 'error', text });

/** @param {string} text */
const unread = (text) => refuse(`\u201c${text}\u201d is not a frequency: write 433.92M, 2.4G/2M, +25k or 100M-104M.`);

/** @param {string} text  the letters after a number, such as "MHz" */
const unitOf = (text) => /[a-z]+$/i.exec(text.replace(/e[+-]?\d+$/i, ''))?.[0] ?? '';

/**
 * The lower of two edges: "100" in "100-104M" is 100 MHz, "88000000" in "88000000-108M" is in Hz.
 * @param {string} text
 * @param {string} other
 * @param {number} highHz
 */
function lowEdge(text, other, highHz) {
  const borrowed = unitOf(text) ? NaN : parseQuantity(`${text}${unitOf(other)}`, 'hz');
  return borrowed < highHz ? borrowed : parseQuantity(text, 'hz');
}

/** @param {string} low @param {string} high @param {string} whole @returns {Entry} */
function readEdges(low, high, whole) {
  const highHz = parseQuantity(high, 'hz'),
    lowHz = lowEdge(low.trim(), high.trim(), highHz);
  if (Number.isNaN(lowHz) || Number.isNaN(highHz)) return unread(whole);
  return lowHz < highHz ? { kind: 'range', lowHz, highHz } : refuse('The start has to be below the stop.');
}

/** @param {string} centre  may be empty @param {string} span @param {string} whole @returns {Entry} */
function readSpan(centre, span, whole) {
  const width = parseQuantity(span, 'hz'),
    hz = centre.trim() ? parseQuantity(centre, 'hz') : 0;
  if (Number.isNaN(width) || Number.isNaN(hz)) return unread(whole);
  if (width <= 0) return refuse('The span has to be above 0.');
  return centre.trim() ? { kind: 'range', lowHz: hz - width / 2, highHz: hz + width / 2 } : { kind: 'span', hz: width };
}

/**
 * Reads "433.92M", "100 MHz", "2.4e9/2M" (centre and span), "/2M" (span), "+25k" (relative), "100M-104M" and
 * "100M..104M".
 * @param {string} input @returns {Entry}
 */
export function parseEntry(input) {
  const text = input.trim().replace(MINUS, '-');
  const edges = /^([^-+/]*?\d[^-+/]*?(?:e[+-]\d+)?[^-+/]*?)\s*(?:\.\.\.?|\bto\b|-)\s*([^-].*)$/i.exec(text);
  const slash = text.indexOf('/');
  if (slash >= 0) return readSpan(text.slice(0, slash), text.slice(slash + 1), input.trim());
  if (edges && Number.isNaN(parseQuantity(text, 'hz'))) return readEdges(edges[1], edges[2], input.trim());
  const hz = parseQuantity(text, 'hz');
  if (Number.isNaN(hz)) return unread(input.trim());
  return /^[+-]/.test(text) ? { kind: 'shift', hz } : { kind: 'centre', hz };
}
