// Where a level is on the level axis, whose labels are right at the centre of the view: a calibration differs with
// frequency.

import { hzAt } from './view.js';

/**
 * @typedef {import('./display.js').Layout} Layout
 * @typedef {import('./display.js').Scene} Scene
 */

/** @param {Scene} scene @param {Layout} layout @param {number} db  dBFS at the centre of the view */
export const yOf = (scene, layout, db) =>
  layout.top + ((scene.range.topDb - db) / (scene.range.topDb - scene.range.bottomDb)) * layout.spectrumHeight;

/** The shift of the axis, from dBFS to the unit shown: that of the view's centre. @param {Scene} scene */
export const axisShift = ({ levels, view }) => levels.shiftDb(hzAt(view, 0.5)) || 0;

/**
 * What the calibration at a frequency adds to that at the centre of the view, in dB.
 * @param {Scene} scene @returns {(hz: number) => number}
 */
export function bendOf(scene) {
  if (scene.levels.flat) return () => 0;
  const shift = axisShift(scene);
  return (hz) => scene.levels.shiftDb(hz) - shift || 0;
}
