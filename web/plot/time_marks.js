// The times beside the waterfall: which rows have one. Pure functions.

import { clockStep } from './axis.js';
import { formatPosition } from '../util/format.js';
import { formatTick } from '../util/time.js';

/**
 * @typedef {import('./history.js').Row} Row
 * @typedef {{ age: number, text: string }} TimeMark  age: rows that are newer than the passing of this time
 */

const APART = 56,
  LEAST = 16; // CSS pixels from mark to mark, as a rule and after a break

/** What the time scale shows of a row, ms: in a replay its position. @param {Row} row */
const clockOf = (row) => (Number.isNaN(row.positionMs) ? row.timeMs : row.positionMs);

/** @param {Row} row @param {number} step  ms */
function clockText(row, step) {
  const at = Math.floor(clockOf(row) / step) * step,
    digits = step < 1000 ? 2 : 0;
  return Number.isNaN(row.positionMs) ? formatTick(at) : formatPosition(at / 1000, digits);
}

/** Mean ms from row to row, without breaks; NaN: not known. @param {(age: number) => Row} rowAt @param {number} rows */
function msPerRow(rowAt, rows) {
  let passed = 0,
    pairs = 0;
  for (let age = 0; age + 1 < rows; age++) {
    const newer = rowAt(age),
      older = rowAt(age + 1),
      ms = clockOf(newer) - clockOf(older);
    if (newer.gap || older.gap || !(ms > 0)) continue;
    passed += ms;
    pairs += 1;
  }
  return pairs > 0 ? passed / pairs : NaN;
}

/**
 * Marks where the clock passes a multiple of a step, also where it does so just after a break.
 * @param {(age: number) => Row} rowAt  0: the newest
 * @param {number} rows
 * @param {number} rowHeight  CSS pixels
 * @param {number} rowRate  rows a second, used until there are two rows
 * @returns {TimeMark[]}
 */
export function timeMarks(rowAt, rows, rowHeight, rowRate) {
  const rowMs = msPerRow(rowAt, rows) || 1000 / Math.max(0.1, rowRate),
    step = 1000 * clockStep(((APART / rowHeight) * rowMs) / 1000);
  /** @type {TimeMark[]} */
  const marks = [];
  for (let age = 0; age + 1 < rows; age++) {
    const newer = rowAt(age),
      older = rowAt(age + 1),
      clock = clockOf(newer),
      at = Math.floor(clock / step) * step;
    const passes = older.gap ? clock - at < 1.5 * rowMs : at !== Math.floor(clockOf(older) / step) * step;
    if (newer.gap || !passes || (age + 1 - (marks.at(-1)?.age ?? -Infinity)) * rowHeight < LEAST) continue;
    marks.push({ age: age + 1, text: clockText(newer, step) });
  }
  return marks;
}
