// The limits of mask measurements: where their points are in the spectrum, and the keys of moved ones. Pure functions.

import { offsetAt } from '../../app/units.js';
import { formatPoints } from '../triggers/mask.js';
import { parseQuantity } from '../../util/quantity.js';

/**
 * @typedef {import('./measure.js').Measurement} Measurement
 * @typedef {import('../triggers/mask.js').Point} Point
 * @typedef {import('../../app/units.js').Curve} Curve
 */

/** As the server reads them. @param {string} text @returns {Point[]} */
const pointsOf = (text) =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((item) => item.split(':'))
    .map(([hz, db]) => ({ hz: parseQuantity(hz, 'hz'), db: parseQuantity(db ?? '', 'db') }));

/**
 * What is added to the level of a point: the power of the channel, or dBm to dBFS; NaN: not known.
 * @param {Measurement} measurement @param {Curve} curve @param {number} hz
 */
function referenceAt({ keys, values }, curve, hz) {
  if (keys?.reference === 'dbm') return -offsetAt(curve, hz);
  return keys?.reference === 'channel' ? (values.reference_dbfs ?? NaN) : 0;
}

/**
 * The limits of a measurement in Hz and dBFS; those of a file are not known here.
 * @param {Measurement} measurement
 * @param {Curve} [curve]  of the calibration
 * @returns {{ side: 'upper' | 'lower', points: Point[], toKeys: (points: Point[]) => Record<string, string> }[]}
 */
export function limitsOfMask(measurement, curve = []) {
  const { type, keys = {} } = measurement,
    center = keys.center ? parseQuantity(keys.center, 'hz') : 0;
  if (type !== 'mask') return [];
  return /** @type {const} */ (['upper', 'lower']).flatMap((side) => {
    const points = pointsOf(keys[side] ?? '').map(({ hz, db }) => ({
      hz: center + hz,
      db: db + referenceAt(measurement, curve, center + hz),
    }));
    if (points.length === 0 || points.some(({ hz, db }) => Number.isNaN(hz + db))) return [];
    const toKeys = (/** @type {Point[]} */ moved) => ({
      ...keys,
      [side]: formatPoints(
        moved.map(({ hz, db }) => ({ hz: hz - center, db: db - referenceAt(measurement, curve, hz) })),
      ),
    });
    return [{ side, points, toKeys }];
  });
}

/** @param {Readonly<import('../../app/state.js').State>} state @returns {Measurement[]}  that are shown */
export const shownMasks = ({ measureOpen, measurements }) =>
  measureOpen ? measurements.filter(({ type }) => type === 'mask') : [];
