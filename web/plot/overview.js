// The overview of a recording behind the slider: the strongest level of each part that was played.

/** @typedef {import('./history.js').Row} Row */

const PARTS = 400;
const LEAST_DB = 20; // from the bottom to the top
const LEAST_HEIGHT = 0.1; // of a part that was played

export class Overview {
  #from = 0;
  #to = 0;
  /** @type {WeakSet<Row>} */
  #seen = new WeakSet();
  levels = new Float32Array(PARTS).fill(NaN); // dBFS; NaN: not played yet

  /**
   * Forgets what it has if the slider goes over another part of a recording.
   * @param {number} from
   * @param {number} to  seconds
   */
  cover(from, to) {
    if (from === this.#from && to === this.#to) return;
    this.#from = from;
    this.#to = to;
    this.#seen = new WeakSet();
    this.levels.fill(NaN);
  }

  /**
   * @param {Row[]} rows  of the waterfall; those known are left out
   * @param {number} lineRateHz
   * @returns {boolean}  whether there are new ones
   */
  add(rows, lineRateHz) {
    const fresh = rows.filter((row) => !row.gap && !Number.isNaN(row.positionMs) && !this.#seen.has(row));
    for (const row of fresh) this.#addRow(row, lineRateHz);
    return fresh.length > 0;
  }

  /** @param {Row} row @param {number} lineRateHz */
  #addRow(row, lineRateHz) {
    this.#seen.add(row);
    const partSeconds = (this.#to - this.#from) / PARTS,
      begin = row.positionMs / 1000 - this.#from;
    const first = Math.max(0, Math.floor(begin / partSeconds)),
      last = Math.min(PARTS - 1, Math.floor((begin + row.merged / lineRateHz) / partSeconds));
    const db = row.offsetDb + row.stepDb * row.levels.reduce((most, level) => Math.max(most, level), 0);
    for (let i = first; i <= last; i++)
      this.levels[i] = Math.max(db, Number.isNaN(this.levels[i]) ? -Infinity : this.levels[i]);
  }

  /** The height of each part, 0 to 1; 0: not played yet. @returns {number[]} */
  heights() {
    const known = [...this.levels].filter((db) => !Number.isNaN(db)),
      top = Math.max(...known),
      bottom = Math.min(top - LEAST_DB, ...known);
    return Array.from(this.levels, (db) =>
      Number.isNaN(db) ? 0 : LEAST_HEIGHT + ((1 - LEAST_HEIGHT) * (db - bottom)) / (top - bottom),
    );
  }

  /** @param {HTMLCanvasElement} canvas  in the colour of its text */
  draw(canvas) {
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')),
      ratio = devicePixelRatio;
    canvas.width = Math.round(canvas.clientWidth * ratio); // empties it
    canvas.height = Math.round(canvas.clientHeight * ratio);
    context.fillStyle = getComputedStyle(canvas).color;
    const { width, height } = canvas,
      edge = (/** @type {number} */ i) => Math.round((i * width) / PARTS);
    this.heights().forEach((part, i) =>
      context.fillRect(edge(i), height, edge(i + 1) - edge(i), -Math.ceil(part * height)),
    );
  }
}
