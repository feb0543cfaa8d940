// The waterfall's own range of levels: that of the spectrum, one that follows the spectra, or the user's.

import { clampRange, LIMITS, RangeFollower } from '../../plot/levels.js';

/**
 * @typedef {import('../../plot/levels.js').Range} Range
 * @typedef {object} Waterfall
 * @property {'spectrum' | 'auto' | 'own'} mode
 * @property {Range | null} range  in dBFS; null: that of the spectrum
 */

/** @param {string} text  of the address: "auto", "-110:-30"; anything else: as the spectrum @returns {Waterfall} */
export function parseWaterfall(text) {
  if (text === 'auto') return { mode: 'auto', range: null };
  const [, bottom, top] = /^(-?\d+(?:\.\d+)?):(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const range = { bottomDb: Number(bottom), topDb: Number(top) };
  return bottom !== undefined && isAllowed(range) ? { mode: 'own', range } : { mode: 'spectrum', range: null };
}

/** @param {Waterfall} waterfall @returns {string}  "": as the spectrum */
export function formatWaterfall({ mode, range }) {
  if (mode === 'auto') return 'auto';
  return mode === 'own' && range ? `${round(range.bottomDb)}:${round(range.topDb)}` : '';
}

/** @param {number} db */
const round = (db) => Number(db.toFixed(1));

/** @param {Range} range */
export const isAllowed = ({ bottomDb, topDb }) =>
  bottomDb >= LIMITS.bottomDb && topDb <= LIMITS.topDb && topDb - bottomDb >= LIMITS.minHeightDb;

/** What it is drawn with. @param {Waterfall} waterfall @param {Range} spectrum */
export const waterfallRange = ({ mode, range }, spectrum) => (mode === 'spectrum' ? spectrum : (range ?? spectrum));

/**
 * A mode that was chosen; an own range begins with the one on screen.
 * @param {Waterfall} now
 * @param {Waterfall['mode']} mode
 * @param {Range} spectrum
 * @returns {Waterfall}
 */
export const changeMode = (now, mode, spectrum) => ({
  mode,
  range: mode === 'own' ? clampRange(waterfallRange(now, spectrum)) : null,
});

/**
 * With auto, the range follows the newest spectra.
 * @param {import('../../app/store.js').Store} store
 * @param {() => number} [clock]  ms
 */
export function followWaterfall(store, clock = () => performance.now()) {
  const follower = new RangeFollower();
  store.subscribe(['waterfall'], ({ waterfall }) => {
    if (waterfall.range === null) follower.restart();
  });
  store.subscribe(['frame', 'waterfall'], ({ frame, waterfall, paused }) => {
    if (!frame || paused || waterfall.mode !== 'auto') return;
    const range = follower.follow(waterfall.range, frame, clock());
    if (range !== waterfall.range) store.update({ waterfall: { mode: 'auto', range } });
  });
}
