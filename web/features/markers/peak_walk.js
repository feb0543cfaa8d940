// Steps from peak to peak of a table. Pure functions.

/**
 * @typedef {{ hz: number, db: number }} Peak
 * @typedef {'left' | 'right' | 'higher' | 'lower'} Direction
 */

const SAME_DB = 0.05; // levels are shown to 0.1 dB

/** @type {Record<Direction, (peak: Peak, from: Peak, nearHz: number) => boolean>} */
const IS_THERE = {
  left: (peak, from, nearHz) => peak.hz < from.hz - nearHz,
  right: (peak, from, nearHz) => peak.hz > from.hz + nearHz,
  higher: (peak, from, nearHz) => peak.db > from.db + SAME_DB && Math.abs(peak.hz - from.hz) > nearHz,
  lower: (peak, from, nearHz) => peak.db < from.db - SAME_DB && Math.abs(peak.hz - from.hz) > nearHz,
};

/**
 * The next peak from a place, or null.
 * @param {readonly Peak[]} peaks
 * @param {Peak} from
 * @param {Direction} direction
 * @param {number} nearHz  peaks within this distance are the place itself
 */
export function nextPeak(peaks, from, direction, nearHz) {
  const distance = (/** @type {Peak} */ peak) =>
    direction === 'left' || direction === 'right' ? Math.abs(peak.hz - from.hz) : Math.abs(peak.db - from.db);
  return peaks
    .filter((peak) => IS_THERE[direction](peak, from, nearHz))
    .reduce((/** @type {Peak | null} */ best, peak) => (!best || distance(peak) < distance(best) ? peak : best), null);
}

/** @template {Peak} T @param {readonly T[]} peaks @param {'level' | 'frequency'} order @returns {T[]} */
export const sortPeaks = (peaks, order) =>
  [...peaks].sort((a, b) => (order === 'level' ? b.db - a.db || a.hz - b.hz : a.hz - b.hz));
