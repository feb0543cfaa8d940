// How frequencies of a frame are shown: in Hz, or in fractions of a sample rate (fs) that nobody knows. Pure functions.

import { decimals, fixed, formatHz, formatSi, hzUnit } from '../util/format.js';

/** @typedef {import('../net/wire.js').Frame} Frame */

const SPACE = '\u202f'; // narrow no-break space

/**
 * The zero, the scale and the unit of an axis over a view.
 * @param {Frame} frame
 * @param {import('./view.js').View} view
 */
export function axisUnit(frame, view) {
  if (frame.rateAssumed) return { zeroHz: frame.centerHz, scale: frame.rateHz, unit: 'fs' };
  return { zeroHz: 0, ...hzUnit(Math.max(Math.abs(view.lowHz), Math.abs(view.highHz))) };
}

/** "433.920 MHz"; "0.125 fs" from the centre. @param {Frame} frame @param {number} hz @param {number} resolutionHz */
export function frequencyText(frame, hz, resolutionHz) {
  if (!frame.rateAssumed) return formatHz(hz, resolutionHz);
  return `${fixed((hz - frame.centerHz) / frame.rateHz, decimals(resolutionHz / frame.rateHz))}${SPACE}fs`;
}

/** "1.76 kHz"; "0.00049 fs". @param {Frame} frame @param {number} hz @param {number} [significant] */
export function widthText(frame, hz, significant = 3) {
  if (!frame.rateAssumed) return formatSi(hz, 'Hz', significant);
  return `${Number((hz / frame.rateHz).toPrecision(significant))}${SPACE}fs`;
}
