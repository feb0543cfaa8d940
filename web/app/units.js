// Units of levels: what is added to dBFS by the calibration of the radio. Pure functions.

import { rbwHz } from '../net/wire.js';

/**
 * @typedef {[hz: number, offsetDb: number | null][]} Curve  ascending; linear in between; null: uncal
 *
 * @typedef {object} LevelScale
 * @property {string} unit  of the levels shown
 * @property {boolean} uncal  another unit is wanted, and not known here
 * @property {(hz: number) => number} shiftDb  to add to dBFS; NaN: uncal
 * @property {(hz: number) => number} densityDb  to add to dBFS/Hz; NaN: uncal
 * @property {boolean} flat  the shift is the same at all frequencies
 */

const DBUV_OF_0_DBM = 106.98970004336019; // 10 log10(1 mW * 50 ohm / (1 uV)^2)

/** What each unit adds to dBm. @type {Record<string, (rbw: number) => number>} */
const UNITS = { dBm: () => 0, 'dBm/Hz': (rbw) => -10 * Math.log10(rbw), 'dB\u00b5V': () => DBUV_OF_0_DBM };

export const UNIT_NAMES = ['dBFS', ...Object.keys(UNITS)];

/** @type {LevelScale} */
export const DBFS = { unit: 'dBFS', uncal: false, shiftDb: () => 0, densityDb: () => 0, flat: true };

/** From dBFS to dBm; NaN: uncal. @param {Curve} curve @param {number} hz */
export function offsetAt(curve, hz) {
  const next = curve.findIndex(([at]) => at >= hz);
  if (curve.length === 0) return NaN;
  // half a bin beyond the span
  if (next <= 0) return next === 0 ? (curve[0][1] ?? NaN) : (curve[curve.length - 1][1] ?? NaN);
  const [[fromHz, from], [toHz, to]] = curve.slice(next - 1, next + 1);
  if (hz === toHz) return to ?? NaN;
  return from === null || to === null ? NaN : from + ((to - from) * (hz - fromHz)) / (toHz - fromHz);
}

/**
 * The unit to show: what was chosen, else dBm where there is a calibration.
 * @param {{ unit: string, status: Record<string, any> | null }} state
 */
export const wantedUnit = ({ unit, status }) => unit || (status?.calibration ? 'dBm' : 'dBFS');

/**
 * @param {string} unit  wanted
 * @param {Curve | null | undefined} curve  undefined: there is no calibration; null: it is not for this tuning
 * @param {import('../net/wire.js').Frame | null} frame
 * @param {number} centreHz  of the view: where that is uncal, levels stay in dBFS
 * @returns {LevelScale}
 */
export function levelScale(unit, curve, frame, centreHz) {
  if (!Object.hasOwn(UNITS, unit)) return DBFS;
  if (!frame || Number.isNaN(offsetAt(curve ?? [], centreHz))) return { ...DBFS, uncal: true };
  const known = /** @type {Curve} */ (curve),
    above = UNITS[unit](rbwHz(frame));
  return {
    unit,
    uncal: false,
    shiftDb: (hz) => offsetAt(known, hz) + above,
    densityDb: (hz) => offsetAt(known, hz) + UNITS[unit](1),
    flat: known.every(([, db]) => db === known[0][1]),
  };
}

/**
 * A level; in dBFS where the wanted unit is not known.
 * @param {LevelScale} scale
 * @param {number} hz
 * @param {number} dbfs
 */
export function levelAt(scale, hz, dbfs) {
  const shift = scale.shiftDb(hz);
  return Number.isNaN(shift) || scale.uncal
    ? { value: dbfs, unit: 'dBFS uncal' }
    : { value: dbfs + shift, unit: scale.unit };
}

/**
 * A density of noise, in the unit that goes with that of levels.
 * @param {LevelScale} scale
 * @param {number} hz
 * @param {number} dbfsHz
 */
export function densityAt(scale, hz, dbfsHz) {
  const shift = scale.densityDb(hz);
  return Number.isNaN(shift) || scale.uncal
    ? { value: dbfsHz, unit: 'dBFS/Hz uncal' }
    : { value: dbfsHz + shift, unit: `${scale.unit.replace('/Hz', '')}/Hz` };
}

/**
 * What is added to dBFS in the middle of a view, as on the level axis.
 * @param {{ levels: LevelScale, shownView: import('../plot/view.js').View }} state
 */
export const middleShift = ({ levels, shownView }) => levels.shiftDb((shownView.lowHz + shownView.highHz) / 2) || 0;

export const STEPS_DB = [0.5, 1, 2, 5, 10, 20]; // a division
export const DIVISIONS = 10;
