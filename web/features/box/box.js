// A box of time and frequency on the waterfall: what it is, and what can be done with it.

import { clip, narrowest, spanOf } from '../../plot/view.js';
import { formatHz, formatPosition, formatSi } from '../../util/format.js';
import { formatClock } from '../../util/time.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('../../plot/history.js').Row} Row
 *
 * @typedef {object} Box
 * @property {number} lowHz
 * @property {number} highHz
 * @property {number} line  the first
 * @property {number} lastLine
 * @property {number} fromMs  Unix time of its first sample
 * @property {number} toMs  after its last one
 * @property {number} positionMs  of its first sample in the recording that is replayed; NaN: there is none
 *
 * @typedef {object} BoxState
 * @property {boolean} boxing  the next drag on the waterfall makes a box
 * @property {Box | null} box
 */

/** @returns {BoxState} */
export const noBox = () => ({ boxing: false, box: null });

/**
 * A box between two rows, both included.
 * @param {Row} a
 * @param {Row} b
 * @param {number} hz  one edge
 * @param {number} otherHz
 * @param {number} rowMs  time of a row
 * @returns {Box}
 */
export function boxOf(a, b, hz, otherHz, rowMs) {
  const [first, last] = a.line <= b.line ? [a, b] : [b, a];
  return {
    lowHz: Math.min(hz, otherHz),
    highHz: Math.max(hz, otherHz),
    line: first.firstLine,
    lastLine: last.line,
    fromMs: first.timeMs,
    toMs: last.timeMs + rowMs,
    positionMs: first.positionMs,
  };
}

/** "99.70 – 99.90 MHz, 200 kHz; 12:34:56.120, 0.78 s" @param {Box} box */
export function boxText({ lowHz, highHz, fromMs, toMs, positionMs }) {
  const width = highHz - lowHz,
    resolution = Math.max(1e-3, 10 ** Math.floor(Math.log10(width / 100))),
    at = Number.isNaN(positionMs) ? formatClock(fromMs) : formatPosition(positionMs / 1000);
  return [
    `${formatHz(lowHz, resolution)} \u2013 ${formatHz(highHz, resolution)}`,
    formatSi(width, 'Hz'),
    at,
    formatSi((toMs - fromMs) / 1000, 's'),
  ].join('  \u00b7  ');
}

/**
 * Seconds before now that a recording can have, of the IQ ring or the disk ring; NaN: an older server.
 * @param {Record<string, any> | null} status
 */
export const ringSeconds = (status) => Math.max(status?.ring_seconds ?? NaN, status?.iq_history?.seconds ?? 0);

/**
 * Why a recording of the box will lack samples; "": it has all.
 * @param {Box} box
 * @param {number} nowMs
 * @param {number} seconds  that the ring holds
 */
export const shortText = ({ fromMs }, nowMs, seconds) =>
  fromMs < nowMs - 1000 * seconds ? `the ring holds the last ${formatSi(seconds, 's', 2)}` : '';

/** Its band, and its lines a quarter below the top. @param {Actions} actions */
export function zoomToBox(actions) {
  const { box, frame } = actions.store.state;
  if (!box || !frame) return;
  actions.changeView(clip(box, spanOf(frame), narrowest(frame)));
  actions.goToLine(box.lastLine);
}

/** What the server is asked to record. @param {Box} box */
export const startOfBox = ({ lowHz, highHz, fromMs, toMs }) => ({
  from: fromMs / 1000,
  duration: (toMs - fromMs) / 1000,
  low: lowHz,
  high: highHz,
});

/** @param {Actions} actions */
export function recordBox(actions) {
  const { box } = actions.store.state;
  if (!box) return;
  actions.togglePanel('record', true);
  actions.record(startOfBox(box));
}
