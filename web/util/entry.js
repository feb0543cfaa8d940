// Frequencies as people enter them: a centre, a span, both, two edges, or a distance. Pure functions.

import { exactHz } from './format.js';
import { parseQuantity, plainMinus, plainNumber, readHz, unitOf } from './quantity.js';

/**
 * @typedef {{ kind: 'centre', hz: number }} Centre  keeps the span
 * @typedef {{ kind: 'shift', hz: number }} Shift  of the centre
 * @typedef {{ kind: 'span', hz: number }} Span  around the present centre
 * @typedef {{ kind: 'range', lowHz: number, highHz: number }} Range
 * @typedef {Centre | Shift | Span | Range | { kind: 'error', text: string }} Entry
 */

/** @param {string} text @returns {Entry} */
const refuse = (text) => ({ kind: 'error', text });

/** @param {string} text */
const unread = (text) =>
  refuse(`\u201c${text}\u201d is not a frequency: write 433.92 (MHz), 2.4G/2M, +25k or 144-146.`);

/**
 * The lower of two edges: "100" in "100-104M" is 100 MHz, "88000000" in "88000000-108M" is in Hz.
 * @param {string} text
 * @param {string} other
 * @param {number} highHz
 */
function lowEdge(text, other, highHz) {
  if (unitOf(text) || !unitOf(other)) return readHz(text);
  const number = plainNumber(text),
    borrowed = parseQuantity(`${number}${unitOf(other)}`, 'hz');
  return borrowed < highHz ? borrowed : parseQuantity(number, 'hz');
}

/** @param {string} low @param {string} high @param {string} whole @returns {Entry} */
function readEdges(low, high, whole) {
  const highHz = readHz(high),
    lowHz = lowEdge(low.trim(), high.trim(), highHz);
  if (Number.isNaN(lowHz) || Number.isNaN(highHz)) return unread(whole);
  return lowHz < highHz ? { kind: 'range', lowHz, highHz } : refuse('The start has to be below the stop.');
}

/** @param {string} centre  may be empty @param {string} span @param {string} whole @returns {Entry} */
function readSpan(centre, span, whole) {
  const width = readHz(span),
    hz = centre.trim() ? readHz(centre) : 0;
  if (Number.isNaN(width) || Number.isNaN(hz)) return unread(whole);
  if (width <= 0) return refuse('The span has to be above 0.');
  return centre.trim() ? { kind: 'range', lowHz: hz - width / 2, highHz: hz + width / 2 } : { kind: 'span', hz: width };
}

/**
 * Reads "145.5" (MHz), "433.92M", "2.4G/2M" (centre and span), "/2M" (span), "+25k" (relative), "144-146" and
 * "100M..104M".
 * @param {string} input @returns {Entry}
 */
export function parseEntry(input) {
  const text = plainMinus(input.trim());
  const edges = /^([^-+/]*?\d[^-+/]*?(?:e[+-]\d+)?[^-+/]*?)\s*(?:\.\.\.?|\bto\b|-)\s*([^-].*)$/i.exec(text);
  const slash = text.indexOf('/');
  if (slash >= 0) return readSpan(text.slice(0, slash), text.slice(slash + 1), input.trim());
  if (edges && Number.isNaN(readHz(text))) return readEdges(edges[1], edges[2], input.trim());
  const hz = readHz(text);
  if (Number.isNaN(hz)) return unread(input.trim());
  return /^[+-]/.test(text) ? { kind: 'shift', hz } : { kind: 'centre', hz };
}

/** What was understood: "145.500 MHz", "144.000 MHz \u2013 146.000 MHz"; "": nothing yet. @param {string} input */
export function entryText(input) {
  const entry = parseEntry(input);
  if (entry.kind === 'error') return '';
  if (entry.kind === 'range') return `${exactHz(entry.lowHz)} \u2013 ${exactHz(entry.highHz)}`;
  if (entry.kind === 'span') return `span ${exactHz(entry.hz)}`;
  return `${entry.kind === 'shift' && entry.hz >= 0 ? '+' : ''}${exactHz(entry.hz)}`;
}
