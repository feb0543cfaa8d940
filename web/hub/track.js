// The lines of one radio on a time axis that all radios share: rows of equal time, the same ones for each. Pure.

import { combine, gapRow, rowOf } from '../plot/history.js';
import { formatCount } from '../util/format.js';

/**
 * @typedef {import('../plot/history.js').Row} Row
 * @typedef {import('./line_reader.js').Line} Line
 *
 * @typedef {object} Piece  a line, with its part of the time axis
 * @property {number} startMs  Unix time
 * @property {number} endMs
 * @property {Row} row
 * @property {import('../plot/breaks.js').Break | null} gap  before it
 * @property {boolean} retuned  it has other frequencies than the piece before it
 * @property {Line} line  that its spectrum is drawn from
 *
 * @typedef {object} Axis  row n has the times n * rowMs to (n + 1) * rowMs
 * @property {number} rowMs  time of a row
 */

const KEPT = 8192; // pieces
export const KEPT_MS = 1800e3;
const JITTER_MS = 150; // that the sample clock of a radio may step against its host's, and a little
const APART_MS = 500; // from here on, lines that follow each other by number were not made all the time

/** A row without a level at any frequency. */
const EMPTY = { levels: new Uint8Array(1), lowHz: 1e12, columnHz: 1e9, offsetDb: -250, stepDb: 1 };

/** @type {import('../plot/breaks.js').Break} */
const NOT_CONNECTED = { text: 'this page was not connected', fault: false, kind: 'reconnect' };
/** @type {import('../plot/breaks.js').Break} */
const NO_GAP = { text: '', fault: false, kind: 'pause' };

/** @param {Axis} axis @param {number} ms  Unix time @returns {number}  of the row that has it */
export const rowNumber = ({ rowMs }, ms) => Math.floor(ms / rowMs);

/** Lines of the run that are in no frame between two. @param {Line} before @param {Line} line */
const missingBetween = (before, line) =>
  before.run === line.run ? Math.max(0, line.line - before.line - line.merged) : 0;

/**
 * Why the time between two lines is not all in them, or null.
 * @param {Line} before @param {Line} line @param {number} apartMs
 * @returns {import('../plot/breaks.js').Break | null}
 */
export function breakOf(before, line, apartMs) {
  const missing = missingBetween(before, line);
  if (missing > 0) return { text: `${formatCount(missing)} lines missing`, fault: true, kind: 'loss' };
  if (before.run !== line.run) return { text: 'the sensor was started again here', fault: false, kind: 'restart' };
  if (line.afterLoss)
    return {
      text: `the link of the sensor was away; ${formatCount(line.merged)} lines are in one`,
      fault: false,
      kind: 'reconnect',
    };
  if (before.centerHz !== line.centerHz || before.rateHz !== line.rateHz)
    return { text: 'the radio was tuned here', fault: false, kind: 'retune' };
  return apartMs > APART_MS ? { text: 'no lines', fault: false, kind: 'restart' } : null;
}

/** Seconds of samples that a line has. @param {Line} line */
const durationMs = ({ samples, rateHz }) => (1000 * samples) / rateHz;

/** Number of the first piece that ends after this time. @param {Piece[]} pieces @param {number} ms */
function firstAfter(pieces, ms) {
  let low = 0,
    high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].endMs > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The pieces of a row: the piece at its middle, and every piece whose middle is in the row.
 * @param {Piece[]} pieces
 * @param {Axis} axis
 * @param {number} row
 * @returns {Piece[]}
 */
function piecesIn(pieces, axis, row) {
  const from = row * axis.rowMs,
    to = from + axis.rowMs,
    middle = (from + to) / 2,
    found = [];
  for (let i = firstAfter(pieces, from - axis.rowMs); i < pieces.length && pieces[i].startMs < to; i++) {
    const { startMs, endMs } = pieces[i],
      centre = (startMs + endMs) / 2;
    if ((startMs <= middle && middle < endMs) || (centre >= from && centre < to)) found.push(pieces[i]);
  }
  return found;
}

export class Track {
  /** @type {Piece[]} oldest first */
  pieces = [];
  /** @type {Line | null} */
  newest = null;
  /** Pieces where there is no line, oldest first: of an archive. @type {Piece[]} */
  older = [];
  #paused = false;

  /**
   * @param {Line} line @param {number} [endMs]  where its own time is not of use: that of its arrival
   * @returns {Piece | null}  null: it came before
   */
  add(line, endMs) {
    const { newest } = this,
      before = this.pieces.at(-1),
      length = durationMs(line);
    if (newest && newest.run === line.run && line.line <= newest.line) return null;
    const start = endMs === undefined ? Number(line.timeNs / 1000n) / 1000 : endMs - length;
    const startMs = before ? Math.max(start, before.startMs + 1) : start; // a clock that was set back
    const apartMs = before ? startMs - before.endMs : 0;
    const broken = newest ? breakOf(newest, line, apartMs) : null,
      gap = broken && this.#paused ? NOT_CONNECTED : broken;
    this.#paused = false;
    // Two lines that follow each other leave no row empty between them.
    if (before && apartMs > 0 && apartMs <= JITTER_MS && !gap) before.endMs = startMs;
    const piece = {
      startMs,
      endMs: startMs + Math.max(1, length),
      row: rowOf(line, startMs),
      gap,
      retuned: gap?.kind === 'retune',
      line,
    };
    this.pieces.push(piece);
    while (this.pieces.length > KEPT || this.pieces[0].endMs < startMs - KEPT_MS) this.pieces.shift();
    this.newest = line;
    return piece;
  }

  /** What is missed from now to the next line is not a loss of the radio. */
  pause() {
    this.#paused = true;
  }

  /** The break that has an end in a row. @param {Axis} axis @param {number} row @param {number} first  piece */
  #gapIn(axis, row, first) {
    for (let i = Math.max(1, first); i < this.pieces.length; i++) {
      const { gap, startMs } = this.pieces[i],
        before = this.pieces[i - 1];
      if (rowNumber(axis, Math.min(before.endMs, startMs)) > row) return null;
      const ends = [
        rowNumber(axis, startMs),
        ...(gap && startMs > before.endMs ? [rowNumber(axis, before.endMs)] : []),
      ];
      if (gap && ends.includes(row)) return gap;
    }
    return null;
  }

  /**
   * A row of the axis: the line at its middle, or the strongest line whose middle is in the row.
   * @param {Axis} axis
   * @param {number} row
   * @returns {Row}
   */
  rowAt(axis, row) {
    const from = row * axis.rowMs,
      gap = this.#gapIn(axis, row, firstAfter(this.pieces, from - axis.rowMs) - 1);
    if (gap) return gapRow(from, gap);
    const found = this.#find(axis, row);
    return found.length === 0
      ? { ...gapRow(from, NO_GAP), gap: null, ...EMPTY }
      : strongest(found.map(({ row }) => row));
  }

  /** @param {Axis} axis @param {number} row */
  #find(axis, row) {
    const found = piecesIn(this.pieces, axis, row);
    return found.length > 0 ? found : piecesIn(this.older, axis, row);
  }

  /**
   * The newest line of some rows.
   * @param {Axis} axis
   * @param {number} row  newest
   * @param {number} rows
   * @returns {Line | null}
   */
  lineAt(axis, row, rows) {
    for (let i = 0; i < rows; i++) {
      const found = this.#find(axis, row - i).at(-1);
      if (found) return found.line;
    }
    return null;
  }
}

/** True if a row has no line and no mark. @param {Row} row */
export const isEmpty = (row) => !row.gap && row.levels === EMPTY.levels;

/** @param {Row[]} rows  one at least, oldest first @returns {Row} */
function strongest(rows) {
  const newest = rows[rows.length - 1];
  const alike = rows.filter(
    ({ levels, lowHz, columnHz }) =>
      levels.length === newest.levels.length && lowHz === newest.lowHz && columnHz === newest.columnHz,
  );
  return alike.length > 1 ? { ...newest, ...combine(alike, 1) } : newest;
}

/**
 * Extends a history to a row. All histories extended to it have each row in the same position.
 * @param {import('../plot/history.js').History} history @param {Track} track @param {Axis} axis
 * @param {number} shown  newest row of the history; below 0: none
 * @param {number} row  the new newest row
 * @param {number} rows  that are of use
 */
export function advance(history, track, axis, shown, row, rows) {
  if (shown < 0 || row - shown >= rows || row < shown) {
    const known = (/** @type {number} */ at) => (shown < 0 ? undefined : history.at(shown - at));
    history.reset(
      Array.from({ length: rows }, (_, i) => row - rows + 1 + i).map((at) => known(at) ?? track.rowAt(axis, at)),
    );
    return;
  }
  for (let next = shown + 1; next <= row; next++) history.push(track.rowAt(axis, next));
}

/**
 * Makes rows of a time that has passed anew, such as those of a piece that came late and of the break before it.
 * @param {import('../plot/history.js').History} history @param {Track} track @param {Axis} axis
 * @param {number} shown  newest row of the history
 * @param {number} fromMs @param {number} toMs
 * @returns {number}  rows from the newest on that may have changed
 */
export function renew(history, track, axis, shown, fromMs, toMs) {
  const rows = Math.min(history.length, shown - rowNumber(axis, fromMs) + 1);
  for (let age = Math.max(0, shown - rowNumber(axis, toMs)); age < rows; age++)
    history.rows[history.index(age)] = track.rowAt(axis, shown - age);
  return Math.max(0, rows);
}
