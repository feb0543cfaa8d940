// Rows of the server's history between those that came live: which are missing, and where they belong. Pure functions.

import { gapRow } from './history.js';
import { BREAK } from '../net/history.js';
import { formatCount } from '../util/format.js';

/**
 * @typedef {import('./history.js').Row} Row
 * @typedef {import('../net/history.js').PastRow} PastRow
 *
 * @typedef {object} Wanted  how rows should be
 * @property {import('./view.js').View} view
 * @property {number} columns  that the display can use
 * @property {number} detector
 * @property {number} serial  of the view: rows with it were asked for once, and are as the server has them
 * @property {number} run
 *
 * @typedef {object} Missing  rows to ask for
 * @property {number} before  a line
 * @property {number} rows
 */

/** @type {[number, import('./breaks.js').BreakKind, string][]} */
const KINDS = [
  [BREAK.loop, 'loop', 'the recording begins again here'],
  [BREAK.retune, 'retune', 'the radio was tuned or set here'],
  [BREAK.plan, 'settings', 'the FFT was set here'],
  [BREAK.restart, 'restart', 'the stream starts again here'],
  [BREAK.missed, 'pause', 'lines are missing here'],
];

/** @param {PastRow} row @returns {import('./breaks.js').Break | null} */
export function breakOf({ breaks, lost }) {
  if (breaks & BREAK.loss) return { text: `samples lost here: ${formatCount(lost)}`, fault: true, kind: 'loss' };
  const found = KINDS.find(([bit]) => breaks & bit);
  return found ? { text: found[2], fault: false, kind: found[1] } : null;
}

/** @param {Row} row @param {Wanted} wanted */
function isStale(row, { view, columns, detector, serial }) {
  if (row.asked === serial) return false;
  const pixelHz = (view.highHz - view.lowHz) / columns,
    slackHz = row.columnHz + pixelHz;
  const covers =
    row.lowHz <= view.lowHz + slackHz && row.lowHz + row.columnHz * row.levels.length >= view.highHz - slackHz;
  return row.detector !== detector || !covers || (!row.finest && row.columnHz > 1.5 * pixelHz);
}

/**
 * The newest rows that are missing, or that another view has left, or null.
 * @param {Row[]} rows  oldest first
 * @param {number} top  index of the newest row to look at
 * @param {number} count  rows to look at
 * @param {Wanted} wanted
 * @param {number} oldest  the server has no lines before this one
 * @returns {Missing | null}
 */
export function findMissing(rows, top, count, wanted, oldest) {
  /** @type {Row | null} */
  let newer = null;
  let left = count;
  for (let i = top; i >= 0 && left > 0 && rows[i].run === wanted.run; i--, left--) {
    const row = rows[i];
    if (row.gap) continue;
    const known = newer?.asked === wanted.serial && row.asked === wanted.serial;
    if (newer && row.line < newer.firstLine - 1 && !known)
      return { before: newer.firstLine, rows: Math.min(left, newer.firstLine - row.line - 1) };
    if (isStale(row, wanted)) return { before: row.line + 1, rows: left };
    newer = row;
  }
  return newer && left > 0 && newer.firstLine > oldest ? { before: newer.firstLine, rows: left } : null;
}

/** @param {PastRow} past @param {number} detector @param {Wanted} wanted @returns {Row[]}  with the break before it */
function rowsOf(past, detector, { serial, run }) {
  const timeMs = Number(past.timeNs / 1000n) / 1000,
    gap = breakOf(past);
  /** @type {Row} */
  const row = {
    levels: past.levels,
    lowHz: past.lowHz,
    columnHz: past.columnHz,
    offsetDb: past.offsetDb,
    stepDb: past.stepDb,
    timeMs,
    positionMs: NaN,
    recordedMs: NaN,
    merged: past.lines,
    line: past.line,
    firstLine: past.firstLine,
    gap: null,
    finest: past.finest,
    detector,
    asked: serial,
    run,
  };
  return gap ? [gapRow(timeMs, gap, past.firstLine, run), row] : [row];
}

/**
 * Puts an answer into rows: it replaces those of the same lines.
 * @param {Row[]} rows  oldest first
 * @param {import('../net/history.js').Past} past
 * @param {number} before  rows before this line are now as the server has them
 * @param {Wanted} wanted
 * @returns {Row[]}
 */
export function mergePast(rows, past, before, wanted) {
  if (past.rows.length === 0) return rows;
  const first = past.rows[past.rows.length - 1].firstLine,
    last = past.rows[0].line;
  /** @param {Row} row */
  const isReplaced = ({ gap, line, run }) =>
    run === wanted.run && line >= first && (gap?.page ? gap.page === 'paused' && line <= last + 1 : line <= last);
  const kept = rows.filter((row) => !isReplaced(row));
  const between = past.rows.flatMap((row) => rowsOf(row, past.detector, wanted));
  const merged = inOrder([...kept, ...between]);
  for (const row of merged)
    if (row.run === wanted.run && row.line >= first && row.line < before) row.asked = wanted.serial;
  return merged;
}

/** Rows of each run by their lines; breaks before their line. @param {Row[]} rows */
const inOrder = (rows) =>
  rows.slice().sort((a, b) => a.run - b.run || a.line - (a.gap ? 0.5 : 0) - (b.line - (b.gap ? 0.5 : 0)));
