// Small graphs of measurements as SVG: power against time, and the CCDF with the Gaussian reference.

import { ticks } from './axis.js';
import { decimals, fixed } from '../util/format.js';
import { nameParts } from '../util/measure_text.js';
import { node } from '../util/svg.js';

/**
 * @typedef {object} Axis
 * @property {number} low
 * @property {number} high
 * @property {string} unit
 * @property {{ at: number, text: string }[]} ticks
 *
 * @typedef {object} Graph
 * @property {string} title
 * @property {Axis} x
 * @property {Axis} y
 * @property {{ kind: 'trace' | 'peak' | 'reference', text: string, points: [number, number][] }[]} lines
 *
 * @typedef {Record<string, number | null>[]} Rows
 */

/** @param {number} low @param {number} high @param {string} unit @param {number} count @returns {Axis} */
function linearAxis(low, high, unit, count) {
  const { step, values } = ticks(low, high, count);
  return { low, high, unit, ticks: values.map((at) => ({ at, text: fixed(at, decimals(step)) })) };
}

/** The column of rows whose label this is. @param {Rows} rows @param {string} label */
function columnOf(rows, label) {
  const name = Object.keys(rows[0]).find((each) => nameParts(each).label === label) ?? '';
  return { unit: nameParts(name).unit, values: rows.map((row) => row[name] ?? NaN) };
}

/** Without what is unknown. @param {number[]} x @param {number[]} y @returns {[number, number][]} */
const pointsOf = (x, y) =>
  /** @type {[number, number][]} */ (x.map((value, i) => [value, y[i]])).filter(
    ([a, b]) => Number.isFinite(a) && Number.isFinite(b),
  );

/** @param {Rows} rows @returns {Graph | null} */
function zeroSpan(rows) {
  const time = columnOf(rows, 'time'),
    mean = columnOf(rows, 'mean'),
    peak = columnOf(rows, 'peak');
  const ms = time.values.map((seconds) => 1000 * seconds);
  const levels = [...mean.values, ...peak.values].filter(Number.isFinite);
  if (levels.length === 0) return null;
  const low = 10 * Math.floor(Math.min(...levels) / 10),
    high = Math.max(low + 20, 10 * Math.ceil(Math.max(...levels) / 10));
  return {
    title: 'Power against time',
    x: linearAxis(Math.min(0, ms[0]), ms[ms.length - 1], 'ms', 5),
    y: linearAxis(low, high, mean.unit, 5),
    lines: [
      { kind: 'peak', text: 'peak', points: pointsOf(ms, peak.values) },
      { kind: 'trace', text: 'mean', points: pointsOf(ms, mean.values) },
    ],
  };
}

const RAREST = -4; // log10 of 0.0001 %

/** @param {Rows} rows @returns {Graph} */
function ccdf(rows) {
  const above = columnOf(rows, 'above mean');
  const logOf = (/** @type {string} */ label) =>
    pointsOf(
      above.values,
      columnOf(rows, label).values.map((percent) => (percent > 0 ? Math.log10(percent) : NaN)),
    ).filter(([, y]) => y >= RAREST);
  const decades = [2, 1, 0, -1, -2, -3, -4];
  return {
    title: 'Probability of a power above the mean',
    x: linearAxis(0, 20, 'dB', 5),
    y: { low: RAREST, high: 2, unit: '%', ticks: decades.map((at) => ({ at, text: String(10 ** at) })) },
    lines: [
      { kind: 'reference', text: 'Gaussian noise', points: logOf('gaussian') },
      { kind: 'trace', text: 'signal', points: logOf('probability') },
    ],
  };
}

/** @type {Record<string, (rows: Rows) => Graph | null>} */
const GRAPHS = { 'zero-span': zeroSpan, ccdf };

/**
 * The graph of a measurement, in place of its rows; null: it has none.
 * @param {string} type
 * @param {Rows} rows
 * @returns {Graph | null}
 */
export const graphOf = (type, rows) => (rows.length > 1 && Object.hasOwn(GRAPHS, type) ? GRAPHS[type](rows) : null);

export const BOX = { width: 320, height: 180, left: 44, right: 8, top: 8, bottom: 32 };

/** @param {Axis} axis @param {number} value */
export const xOf = ({ low, high }, value) =>
  BOX.left + ((value - low) / (high - low)) * (BOX.width - BOX.left - BOX.right);
/** @param {Axis} axis @param {number} value */
export const yOf = ({ low, high }, value) =>
  BOX.top + ((high - value) / (high - low)) * (BOX.height - BOX.top - BOX.bottom);

/** @param {Axis} x @param {Axis} y */
function grid(x, y) {
  const right = BOX.width - BOX.right,
    bottom = BOX.height - BOX.bottom;
  return [
    ...x.ticks.flatMap(({ at, text }) => [
      node('path', { class: 'grid', d: `M${xOf(x, at)} ${BOX.top}V${bottom}` }),
      node('text', { x: xOf(x, at), y: bottom + 13, 'text-anchor': 'middle' }, text),
    ]),
    ...y.ticks.flatMap(({ at, text }) => [
      node('path', { class: 'grid', d: `M${BOX.left} ${yOf(y, at)}H${right}` }),
      node('text', { x: BOX.left - 5, y: yOf(y, at) + 3.5, 'text-anchor': 'end' }, text),
    ]),
    node('text', { x: right, y: BOX.height - 4, 'text-anchor': 'end' }, x.unit),
    node('text', { x: 2, y: BOX.height - 4 }, y.unit),
  ];
}

/** @param {SVGElement} svg @param {Graph} graph */
export function drawGraph(svg, { title, x, y, lines }) {
  svg.setAttribute('viewBox', `0 0 ${BOX.width} ${BOX.height}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${title}: ${lines.map(({ text }) => text).join(', ')}`);
  const middle = BOX.left + (BOX.width - BOX.left - BOX.right) / 2;
  svg.replaceChildren(
    ...grid(x, y),
    ...lines.map(({ kind, points }) =>
      node('path', {
        class: kind,
        d: points.map(([px, py], i) => `${i ? 'L' : 'M'}${xOf(x, px).toFixed(1)} ${yOf(y, py).toFixed(1)}`).join(''),
      }),
    ),
    ...lines.map(({ kind, text }, i) =>
      node(
        'text',
        { class: `of-${kind}`, x: middle + (i ? 4 : -4), y: BOX.height - 4, 'text-anchor': i ? 'start' : 'end' },
        text,
      ),
    ),
  );
}
