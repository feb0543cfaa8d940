// The waterfall's history: a ring of the newest rows, each with its own frequencies, levels and time.

/**
 * @typedef {object} Row
 * @property {Uint8Array} levels
 * @property {number} lowHz
 * @property {number} columnHz
 * @property {number} offsetDb
 * @property {number} stepDb
 * @property {number} timeMs  Unix time of its first sample
 * @property {number} positionMs  in the recording that is replayed; NaN: there is none
 * @property {number} recordedMs  Unix time of the recording; NaN: not known
 * @property {number} merged  lines merged into it
 * @property {number} line  number of its newest line; of a break, the first line after it
 * @property {number} firstLine  number of its oldest line
 * @property {boolean} finest  a narrower view would not show more of it
 * @property {number} detector  0 mean, 1 max, 2 min, 3 sample
 * @property {number} asked  number of the view that the server's history was asked for it with; 0: none
 * @property {number} run  of the server, as this page counts them: line numbers begin again with each
 * @property {import('./breaks.js').Break | null} gap  not a spectrum, but a mark of a break and its reason
 */

export class History {
  /** @param {number} capacity  rows */
  constructor(capacity) {
    this.capacity = capacity;
    /** @type {Row[]} */
    this.rows = [];
    this.next = 0; // index of the next row
    this.total = 0; // rows pushed so far
  }

  get length() {
    return this.rows.length;
  }

  /** @param {Row} row @returns {number}  its index in the ring */
  push(row) {
    const index = this.next;
    this.rows[index] = row;
    this.next = (index + 1) % this.capacity;
    this.total += 1;
    return index;
  }

  /** Replaces the newest row. @param {Row} row */
  replace(row) {
    this.rows[this.index(0)] = row;
  }

  /** All rows, oldest first. @returns {Row[]} */
  toArray() {
    return Array.from(this.rows, (_, i) => this.rows[this.index(this.rows.length - 1 - i)]);
  }

  /** Replaces all rows by the newest of these; to a renderer all of them are new. @param {Row[]} rows  oldest first */
  reset(rows) {
    this.rows = rows.slice(-this.capacity);
    this.next = this.rows.length % this.capacity;
    this.total += this.rows.length;
  }

  /** Index of the row `age` rows before the newest. @param {number} age */
  index(age) {
    return (this.next - 1 - age + 2 * this.capacity) % this.capacity;
  }

  /** @param {number} age  0 = newest @returns {Row | undefined} */
  at(age) {
    return age >= 0 && age < this.rows.length ? this.rows[this.index(age)] : undefined;
  }
}

/** Number of rows that are not older than a time. @param {History} history @param {number} timeMs */
export function ageAt(history, timeMs) {
  let low = 0,
    high = history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {Row} */ (history.at(middle)).timeMs >= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {import('../net/wire.js').Frame} frame @param {number} timeMs @param {number} [run] @returns {Row} */
export function rowOf(frame, timeMs, run = 0) {
  const { levels, lowHz, columnHz, offsetDb, stepDb, line, merged, detector } = frame;
  const positionMs = frame.replay ? 1000 * frame.replay.seconds : NaN,
    recordedMs = frame.replay?.recordedMs ?? NaN;
  return {
    levels,
    lowHz,
    columnHz,
    offsetDb,
    stepDb,
    timeMs,
    positionMs,
    recordedMs,
    line,
    merged,
    gap: null,
    detector,
    run,
    asked: 0,
    firstLine: line - merged + 1,
    finest: columnHz < (1.001 * frame.rateHz) / frame.n,
  };
}

/**
 * True if `row` shows the newest line of the row before it once more: the server repeats it after a change of the view.
 * @param {Row} before @param {Row} row
 */
export const isRepeated = (before, row) => !before.gap && before.line === row.line && row.timeMs >= before.timeMs;

/**
 * The mark of a break.
 * @param {number} timeMs
 * @param {import('./breaks.js').Break} gap
 * @param {number} [line]  the first one after it
 * @param {number} [run]
 * @returns {Row}
 */
export function gapRow(timeMs, gap, line = -1, run = 0) {
  return {
    levels: new Uint8Array(1),
    lowHz: 0,
    columnHz: 1,
    offsetDb: 0,
    stepDb: 1,
    timeMs,
    positionMs: NaN,
    recordedMs: NaN,
    line,
    merged: 0,
    gap,
    firstLine: line,
    finest: true,
    detector: 0,
    asked: 0,
    run,
  };
}

/** dBFS of a row at a frequency, NaN outside of the row. @param {Row} row @param {number} hz */
export function rowLevel(row, hz) {
  const column = Math.floor((hz - row.lowHz) / row.columnHz);
  if (row.gap || !(column >= 0 && column < row.levels.length)) return NaN;
  return row.offsetDb + row.stepDb * row.levels[column];
}

/** @param {number[]} weights */
const sum = (weights) => weights.reduce((all, weight) => all + weight, 0);

/** @type {((dbs: number[], lines: number[]) => number)[]}  by detector: mean, max, min */
const COMBINED = [
  (dbs, lines) => 10 * Math.log10(sum(dbs.map((db, i) => lines[i] * 10 ** (db / 10))) / sum(lines)),
  (dbs) => Math.max(...dbs),
  (dbs) => Math.min(...dbs),
];

/**
 * Rows of equal columns as one spectrum, as the server merges lines.
 * @param {Row[]} rows @param {number} detector  0 mean, 1 max, 2 min
 */
export function combine(rows, detector) {
  const [{ levels, lowHz, columnHz }] = rows,
    offsetDb = Math.min(...rows.map((row) => row.offsetDb));
  const stepDb = Math.max(...rows.map((row) => row.offsetDb + 255 * row.stepDb - offsetDb)) / 255;
  const lines = rows.map(({ merged }) => merged);
  const db = (/** @type {number} */ i) =>
    COMBINED[detector](
      rows.map((row) => row.offsetDb + row.stepDb * row.levels[i]),
      lines,
    );
  const combined = Uint8Array.from(levels, (_, i) => Math.round((db(i) - offsetDb) / stepDb));
  return { levels: combined, lowHz, columnHz, offsetDb, stepDb };
}

/**
 * A frame with the levels that rows of the same lines have, which another view made sharper.
 * @param {import('../net/wire.js').Frame} frame @param {Row[]} rows @param {number} detector  of the rows
 * @returns {import('../net/wire.js').Frame}  itself if there are none
 */
export function sharpened(frame, rows, detector) {
  const run = Math.max(...rows.map((row) => row.run)),
    first = frame.line - frame.merged + 1;
  const same = rows.filter((row) => !row.gap && row.run === run && row.line >= first && row.firstLine <= frame.line);
  const asked = Math.max(...same.map((row) => row.asked)),
    newest = same.filter((row) => row.asked === asked).at(-1);
  if (frame.detector !== detector || !COMBINED[detector] || !newest) return frame;
  const alike = same.filter(
    ({ lowHz, columnHz, levels }) =>
      lowHz === newest.lowHz && columnHz === newest.columnHz && levels.length === newest.levels.length,
  );
  const sharp = alike.length > 1 ? combine(alike, detector) : newest,
    { levels, lowHz, columnHz, offsetDb, stepDb } = sharp;
  return { ...frame, levels, lowHz, columnHz, offsetDb, stepDb, columns: levels.length };
}
