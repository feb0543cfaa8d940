// The level axis: its range, how it is moved, and a range that fits a spectrum. Pure functions.

/**
 * @typedef {object} Range  of levels on screen, dBFS, bottomDb < topDb
 * @property {number} bottomDb
 * @property {number} topDb
 */

export const LIMITS = { bottomDb: -250, topDb: 100, leastDb: 5 };

/** @type {Range} */
export const DEFAULT_RANGE = { bottomDb: -120, topDb: 0 };

/** The nearest allowed range. @param {Range} range @returns {Range} */
export function clampRange(range) {
  const widest = LIMITS.topDb - LIMITS.bottomDb;
  const height = Math.min(widest, Math.max(LIMITS.leastDb, range.topDb - range.bottomDb));
  const bottomDb = Math.min(LIMITS.topDb - height, Math.max(LIMITS.bottomDb, range.bottomDb));
  return { bottomDb, topDb: bottomDb + height };
}

/** @param {Range} range @param {number} db */
export const shiftRange = (range, db) => clampRange({ bottomDb: range.bottomDb + db, topDb: range.topDb + db });

/**
 * The level at y (0 = top .. 1 = bottom) stays where it is.
 * @param {Range} range @param {number} factor  above 1: fewer dB on screen @param {number} y
 */
export function zoomRange(range, factor, y) {
  const height = range.topDb - range.bottomDb;
  const wanted = Math.min(LIMITS.topDb - LIMITS.bottomDb, Math.max(LIMITS.leastDb, height / factor));
  const topDb = range.topDb - y * height + y * wanted;
  return clampRange({ topDb, bottomDb: topDb - wanted });
}

/**
 * Floor near the bottom, peak under the top, on round numbers.
 * @param {import('../net/wire.js').Frame} frame
 * @returns {Range}
 */
export function autoRange(frame) {
  const sorted = Uint8Array.from(frame.levels).sort();
  // Level 0 also stands for "lower than this": no floor can be read from it.
  const from = sorted.findIndex((level) => level > 0);
  const at = from < 0 ? 0 : sorted[from + Math.floor((sorted.length - from) * 0.25)];
  const dbOf = (/** @type {number} */ level) => frame.offsetDb + frame.stepDb * level;
  const floorDb = dbOf(at);
  const peakDb = Number.isFinite(frame.peakDb) ? frame.peakDb : dbOf(sorted[sorted.length - 1]);
  const bottomDb = 5 * Math.floor((floorDb - 3) / 5);
  const topDb = 5 * Math.ceil((peakDb + 8) / 5);
  return clampRange({ bottomDb, topDb: Math.max(topDb, bottomDb + 30) });
}
