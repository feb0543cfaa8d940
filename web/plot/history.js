// The waterfall's history: a ring of the newest rows, each with its own frequencies, levels and time.

/**
 * @typedef {object} Row
 * @property {Uint8Array} levels
 * @property {number} lowHz
 * @property {number} columnHz
 * @property {number} offsetDb
 * @property {number} stepDb
 * @property {number} timeMs  Unix time of its first sample
 * @property {number} merged  lines merged into it
 * @property {boolean} gap  not a spectrum, but a mark that samples are missing here
 */

export class History {
  /** @param {number} capacity  rows */
  constructor(capacity) {
    this.capacity = capacity;
    /** @type {Row[]} */
    this.rows = [];
    this.next = 0; // slot of the next row
    this.total = 0; // rows pushed so far
  }

  get length() { return this.rows.length; }

  /** @param {Row} row @returns {number}  its slot in the ring */
  push(row) {
    const slot = this.next;
    this.rows[slot] = row;
    this.next = (slot + 1) % this.capacity;
    this.total += 1;
    return slot;
  }

  /** Slot of the row `age` rows before the newest. @param {number} age */
  slot(age) { return (this.next - 1 - age + 2 * this.capacity) % this.capacity; }

  /** @param {number} age  0 = newest @returns {Row | undefined} */
  at(age) { return age >= 0 && age < this.rows.length ? this.rows[this.slot(age)] : undefined; }
}

/** @param {import('../net/wire.js').Frame} frame @param {number} timeMs @returns {Row} */
export function rowOf(frame, timeMs) {
  const { levels, lowHz, columnHz, offsetDb, stepDb, merged } = frame;
  return { levels, lowHz, columnHz, offsetDb, stepDb, timeMs, merged, gap: false };
}

/** The mark of missing samples. @param {number} timeMs @returns {Row} */
export function gapRow(timeMs) {
  return { levels: new Uint8Array(1), lowHz: 0, columnHz: 1, offsetDb: 0, stepDb: 1, timeMs, merged: 0, gap: true };
}

/** dBFS of a row at a frequency, NaN outside of the row. @param {Row} row @param {number} hz */
export function rowLevel(row, hz) {
  const column = Math.floor((hz - row.lowHz) / row.columnHz);
  if (row.gap || !(column >= 0 && column < row.levels.length)) return NaN;
  return row.offsetDb + row.stepDb * row.levels[column];
}
