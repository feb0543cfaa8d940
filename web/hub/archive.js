// Rows of a hub's archive (docs/archive.md, format=binary): one picture at a time, as pieces of the time axis.

import { refusalOf } from '../net/answer.js';

/**
 * @typedef {import('./track.js').Piece} Piece
 * @typedef {import('../plot/history.js').Row} Row
 *
 * @typedef {object} Picture  levels are in hundredths of dB; NOTHING: nothing was received
 * @property {number} rows
 * @property {number} columns
 * @property {number} startMs  Unix time of the first row
 * @property {number} rowMs
 * @property {number} lowHz
 * @property {number} columnHz
 * @property {number} readMs  duration of the rows that were read
 * @property {Int16Array} levels  [rows x columns], oldest first
 */

const HEADER = 56,
  ROWS_MAX = 1024,
  COLUMNS_MAX = 8192,
  NOTHING = -32768,
  LEVELS = 255;
const LEAST_STEP_DB = 0.25;

/** @param {ArrayBuffer} buffer @returns {Picture} @throws {Error} if it is none */
export function readPicture(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getUint32(0, false) !== 0x46535631)
    throw new Error('no picture of an archive');
  const rows = view.getUint32(8, true),
    columns = view.getUint32(12, true),
    ms = (/** @type {number} */ at) => Number(view.getBigInt64(at, true)) / 1e6;
  const picture = {
    rows,
    columns,
    startMs: ms(16),
    rowMs: ms(24),
    lowHz: view.getFloat64(32, true),
    columnHz: view.getFloat64(40, true),
    readMs: ms(48),
  };
  const sound = rows <= ROWS_MAX && columns <= COLUMNS_MAX && buffer.byteLength === HEADER + 2 * rows * columns;
  if (!sound || !(picture.rowMs > 0) || !(picture.columnHz > 0) || !Number.isFinite(picture.lowHz))
    throw new Error('a picture with a bad header');
  const levels = Int16Array.from({ length: rows * columns }, (_, i) => view.getInt16(HEADER + 2 * i, true));
  return { ...picture, levels };
}

/** The strongest cell. @param {Int16Array} cells @returns {number}  its index; -1: nothing was received */
function strongestOf(cells) {
  let best = -1;
  cells.forEach((level, i) => {
    if (level !== NOTHING && (best < 0 || level > cells[best])) best = i;
  });
  return best;
}

/** @param {Picture} picture @param {number} at  row @returns {Piece | null}  null: nothing was received */
function pieceOf({ columns, startMs, rowMs, readMs, lowHz, columnHz, levels }, at) {
  const cells = levels.subarray(at * columns, (at + 1) * columns),
    peak = strongestOf(cells);
  if (peak < 0) return null;
  const lowest =
      cells.reduce((least, level) => (level === NOTHING ? least : Math.min(least, level)), cells[peak]) / 100,
    peakDb = cells[peak] / 100;
  const stepDb = Math.max(LEAST_STEP_DB, (peakDb - lowest) / (LEVELS - 1)),
    offsetDb = lowest - stepDb;
  const bytes = Uint8Array.from(cells, (level) =>
    level === NOTHING ? 0 : Math.round((level / 100 - offsetDb) / stepDb),
  );
  const from = startMs + at * rowMs,
    rateHz = columns * columnHz;
  /** @type {Row} */
  const row = {
    levels: bytes,
    lowHz,
    columnHz,
    offsetDb,
    stepDb,
    timeMs: from,
    positionMs: NaN,
    recordedMs: NaN,
    merged: 1,
    line: -1,
    firstLine: -1,
    gap: null,
    finest: true,
    detector: 1,
    asked: 0,
    run: 0,
  };
  const frame = {
    ...row,
    columns,
    peakDb,
    peakHz: lowHz + (peak + 0.5) * columnHz,
    centerHz: lowHz + rateHz / 2,
    rateHz,
    n: 2 ** 30,
  };
  return {
    startMs: from,
    endMs: from + Math.max(rowMs, readMs),
    row,
    gap: null,
    retuned: false,
    line: /** @type {any} */ (frame),
  };
}

/** @param {Picture} picture @returns {Piece[]} */
export const piecesOf = (picture) =>
  Array.from({ length: picture.rows }, (_, at) => pieceOf(picture, at)).filter((piece) => piece !== null);

export class Archive {
  /** @type {Piece[]} of the newest picture */
  pieces = [];
  fault = ''; // why the newest picture could not be read
  #fromMs = NaN; // what was asked for
  #toMs = NaN;
  #rowMs = NaN;
  /** @type {AbortController | null} */
  #request = null;

  /**
   * Whether a picture has this time, or is on its way.
   * @param {number} fromMs
   * @param {number} toMs
   * @param {number} rowMs
   */
  has(fromMs, toMs, rowMs) {
    return this.#fromMs <= fromMs && toMs <= this.#toMs && rowMs === this.#rowMs;
  }

  /**
   * Reads a picture with as much time before and after what is wanted, so that one scrolls without waiting.
   * @param {string} name  of the radio
   * @param {number} fromMs
   * @param {number} toMs
   * @param {number} rowMs  of a row
   * @param {number} columns
   * @returns {Promise<boolean>}  false: there is nothing new
   */
  async read(name, fromMs, toMs, rowMs, columns) {
    const rows = Math.min(ROWS_MAX, Math.ceil((3 * (toMs - fromMs)) / rowMs)),
      spare = Math.max(0, (rows * rowMs - (toMs - fromMs)) / 2);
    this.#request?.abort();
    const request = (this.#request = new AbortController());
    [this.#fromMs, this.#toMs, this.#rowMs] = [fromMs - spare, toMs + spare, rowMs];
    const seconds = (/** @type {number} */ ms) => (ms / 1000).toFixed(3);
    const query = new URLSearchParams({
      from: seconds(this.#fromMs),
      to: seconds(this.#toMs),
      rows: String(rows),
      columns: String(Math.min(COLUMNS_MAX, Math.max(1, columns))),
      detector: 'max',
      format: 'binary',
    });
    try {
      const answer = await fetch(`api/v1/radios/${encodeURIComponent(name)}/archive?${query}`, {
        signal: request.signal,
        cache: 'no-store',
      });
      if (!answer.ok) throw new Error(`HTTP ${answer.status} ${await refusalOf(answer)}`);
      const picture = readPicture(await answer.arrayBuffer());
      if (this.#request !== request) return false;
      this.pieces = piecesOf(picture);
      this.fault = '';
    } catch (error) {
      if (this.#request !== request) return false; // another one was asked for
      this.#fromMs = NaN;
      this.fault = error instanceof Error ? error.message : String(error);
    }
    return true;
  }
}
