// What the hash of an address may contain. It never contains the token.

/**
 * @typedef {object} Settings  each optional: a missing one keeps its default
 * @property {number} [low]  Hz, only together with high
 * @property {number} [high]
 * @property {number} [bottom]  dBFS, only together with top
 * @property {number} [top]
 * @property {string} [detector]
 * @property {string} [palette]
 * @property {string} [waterfall]  its range, as in features/waterfall/range.js
 * @property {string} [unit]  of levels
 * @property {number} [speed]  pixels a line of the waterfall
 * @property {string} [traces]  as in features/traces/traces.js
 * @property {'on' | 'off'} [economy]  use few bytes; missing: as the network asks
 * @property {string} [density]  its persistence; missing: not shown
 * @property {string} [plan]  what is shown of band plan and bookmarks, of PLANS; missing: both
 * @property {string} [markers]  as in features/markers/address.js
 * @property {string} [panels]  that are open
 * @property {string} [listen]  what is listened to, as in features/listen/listen.js
 * @property {string} [measures]  of this page alone, as in features/measure/address.js
 * @property {'2d' | 'gl'} [renderer]  "2d": without WebGL; "gl": WebGL even without a GPU
 */

import { plainSi } from './format.js';
import { readHz } from './quantity.js';

/** A number within bounds. @param {number} min @param {number} max @returns {(text: string) => number | undefined} */
export const number = (min, max) => (text) => {
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
};
/**
 * A frequency within bounds: "144M", and "144" as everywhere on the page.
 * @param {number} min @param {number} max @returns {(text: string) => number | undefined}
 */
export const frequency = (min, max) => (text) => {
  const value = readHz(text);
  return value >= min && value <= max ? value : undefined;
};

/** With its unit, to a thousandth of a Hz: "433.92M", "500Hz". @param {number} hz */
export const hzText = (hz) => plainSi(Number(hz.toFixed(3))).replace(/\d$/, '$&Hz');

/** One of these. @param {readonly string[]} allowed @returns {(text: string) => string | undefined} */
export const choice = (allowed) => (text) => (allowed.includes(text) ? text : undefined);
