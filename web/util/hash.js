// What is on screen, as the address's hash, so that a link shows the same. Never holds the token.

import { PALETTES } from '../plot/palette.js';
import { TRACES } from '../net/wire.js';

/**
 * @typedef {object} Settings  each optional: a missing one keeps its default
 * @property {number} [low]  Hz, only together with high
 * @property {number} [high]
 * @property {number} [bottom]  dBFS, only together with top
 * @property {number} [top]
 * @property {string} [trace]
 * @property {string} [palette]
 * @property {number} [speed]  pixels a line of the waterfall
 * @property {'2d' | 'gl'} [renderer]  "2d": no WebGL; "gl": even without a GPU
 */

/** @param {number} least @param {number} most @returns {(text: string) => number | undefined} */
const number = (least, most) => (text) => {
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
};
/** @param {readonly string[]} allowed @returns {(text: string) => string | undefined} */
const choice = (allowed) => (text) => (allowed.includes(text) ? text : undefined);

/** @type {Record<string, (text: string) => number | string | undefined>} */
const FIELDS = {
  low: number(-1e12, 1e12), high: number(-1e12, 1e12), bottom: number(-250, 100), top: number(-250, 100),
  trace: choice(TRACES), palette: choice(Object.keys(PALETTES)), speed: number(1, 8), renderer: choice(['2d', 'gl']),
};

/**
 * A pair is only good whole and in order.
 * @param {any} shown
 * @param {string} low
 * @param {string} high
 * @param {number} least
 */
function keepPair(shown, low, high, least) {
  if (shown[high] - shown[low] >= least) return;
  delete shown[low];
  delete shown[high];
}

/** @param {string} hash  "#low=1&..", or anything else @returns {Settings} */
export function parseHash(hash) {
  /** @type {any} */
  const shown = {};
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const value = Object.hasOwn(FIELDS, name) ? FIELDS[name](text) : undefined;
    if (value !== undefined) shown[name] = value;
  }
  if (shown.speed !== undefined) shown.speed = Math.round(shown.speed);
  keepPair(shown, 'low', 'high', 1e-3);
  keepPair(shown, 'bottom', 'top', 5);
  return shown;
}

/** @param {Settings} shown @returns {string}  "" or "#.." */
export function formatHash(shown) {
  const given = Object.keys(FIELDS).filter((name) => /** @type {any} */ (shown)[name] !== undefined);
  const parts = given.map((name) => {
    const value = /** @type {any} */ (shown)[name];
    return `${name}=${typeof value === 'number' ? Number(value.toFixed(3)) : value}`;
  });
  return parts.length ? `#${parts.join('&')}` : '';
}
