// The range of the level axis: limits, shift, zoom, and a fit to a spectrum. Pure functions.

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
