// The range of the level axis: limits, shift, zoom, a fit to a spectrum, and a range that follows spectra.

/**
 * @typedef {object} Range  of levels on screen, dBFS, bottomDb < topDb
 * @property {number} bottomDb
 * @property {number} topDb
 */

export const LIMITS = { bottomDb: -250, topDb: 100, minHeightDb: 5 };

/** @type {Range} */
export const DEFAULT_RANGE = { bottomDb: -120, topDb: 0 };

/** The nearest allowed range. @param {Range} range @returns {Range} */
export function clampRange(range) {
  const widest = LIMITS.topDb - LIMITS.bottomDb;
  const height = Math.min(widest, Math.max(LIMITS.minHeightDb, range.topDb - range.bottomDb));
  const bottomDb = Math.min(LIMITS.topDb - height, Math.max(LIMITS.bottomDb, range.bottomDb));
  return { bottomDb, topDb: bottomDb + height };
}

/** @param {Range} range @param {number} db */
export const shiftRange = (range, db) => clampRange({ bottomDb: range.bottomDb + db, topDb: range.topDb + db });

/**
 * Keeps the level at y (0 = top .. 1 = bottom) in its position.
 * @param {Range} range @param {number} factor  above 1: fewer dB on screen @param {number} y
 */
export function zoomRange(range, factor, y) {
  const height = range.topDb - range.bottomDb;
  const wantedDb = Math.min(LIMITS.topDb - LIMITS.bottomDb, Math.max(LIMITS.minHeightDb, height / factor));
  const topDb = range.topDb - y * height + y * wantedDb;
  return clampRange({ topDb, bottomDb: topDb - wantedDb });
}

/**
 * Puts the noise floor just above the bottom and the peak just below the top; both ends are multiples of 5 dB.
 * @param {import('../net/wire.js').Frame} frame
 * @returns {Range}
 */
export function autoRange(frame) {
  const sorted = Uint8Array.from(frame.levels).sort();
  // Level 0 also stands for anything lower, so the floor is taken from the levels above it.
  const from = sorted.findIndex((level) => level > 0);
  const at = from < 0 ? 0 : sorted[from + Math.floor((sorted.length - from) * 0.25)];
  const dbOf = (/** @type {number} */ level) => frame.offsetDb + frame.stepDb * level;
  const floorDb = dbOf(at);
  const peakDb = Number.isFinite(frame.peakDb) ? frame.peakDb : dbOf(sorted[sorted.length - 1]);
  const bottomDb = 5 * Math.floor((floorDb - 3) / 5);
  const topDb = 5 * Math.ceil((peakDb + 8) / 5);
  return clampRange({ bottomDb, topDb: Math.max(topDb, bottomDb + 30) });
}

const NARROW_AFTER_MS = 4000;
const NARROW_BY_DB = 10; // less is not worth a jump of the picture

/**
 * A range that follows the spectra. It widens at once, so that nothing is off the axis. It narrows when all spectra of
 * some seconds fit into a range that is much smaller.
 */
export class RangeFollower {
  /** @type {Range | null}  around all spectra since `since` */
  #needed = null;
  #since = 0;

  /**
   * @param {Range | null} shown  null: none yet
   * @param {import('../net/wire.js').Frame} frame
   * @param {number} now  ms
   * @param {import('../net/wire.js').Frame[]} [others]  other traces on the same axis
   * @returns {Range}  `shown` itself where it stays
   */
  follow(shown, frame, now, others = []) {
    // The others raise the top alone: a min hold far below would leave the waterfall few colours.
    const own = autoRange(frame),
      fit = { ...own, topDb: Math.max(own.topDb, ...others.map((other) => autoRange(other).topDb)) };
    if (!this.#needed) this.#since = now;
    this.#needed = union(this.#needed ?? fit, fit);
    if (!shown) return fit;
    const wide = union(shown, fit);
    return this.#narrowed(wide, now) ?? (isSame(wide, shown) ? shown : wide);
  }

  /** What the last seconds needed, if that is much less than `wide`. @param {Range} wide @param {number} now */
  #narrowed(wide, now) {
    const needed = this.#needed;
    if (!needed || now - this.#since < NARROW_AFTER_MS) return null;
    this.#needed = null;
    const much = wide.topDb - needed.topDb >= NARROW_BY_DB || needed.bottomDb - wide.bottomDb >= NARROW_BY_DB;
    return much ? needed : null;
  }

  /** Begins anew: what was seen before says nothing of what comes now. */
  restart() {
    this.#needed = null;
  }
}

/** @param {Range} a @param {Range} b @returns {Range} */
const union = (a, b) => ({ bottomDb: Math.min(a.bottomDb, b.bottomDb), topDb: Math.max(a.topDb, b.topDb) });
/** @param {Range} a @param {Range} b */
const isSame = (a, b) => a.bottomDb === b.bottomDb && a.topDb === b.topDb;
