// The settings of the picture as the address's hash, so that a link shows the same. Never holds the token.

import { UNIT_NAMES } from '../app/units.js';
import { PLANS } from '../features/bookmarks/band_plan.js';
import { checkMarkers, checkMeasures, checkPanels } from '../app/link.js';
import { formatTraces, parseTraces } from '../features/traces/address.js';
import { formatWaterfall, parseWaterfall } from '../features/waterfall/range.js';
import { PERSISTENCES } from '../plot/density.js';
import { PALETTES } from '../plot/palette.js';
import { DETECTORS } from '../net/wire.js';

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
 * @property {'on' | 'off'} [thrifty]  use few bytes; missing: as the network asks
 * @property {string} [density]  its persistence; missing: not shown
 * @property {string} [plan]  what is shown of band plan and bookmarks, of PLANS; missing: both
 * @property {string} [markers]  as in app/link.js
 * @property {string} [panels]  that are open, as in app/link.js
 * @property {string} [measures]  of this page alone, as in app/link.js
 * @property {'2d' | 'gl'} [renderer]  "2d": without WebGL; "gl": WebGL even without a GPU
 */

/** @param {number} min @param {number} max @returns {(text: string) => number | undefined} */
const number = (min, max) => (text) => {
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
};
/** @param {readonly string[]} allowed @returns {(text: string) => string | undefined} */
const choice = (allowed) => (text) => (allowed.includes(text) ? text : undefined);

/** @type {Record<string, (text: string) => number | string | undefined>} */
const FIELDS = {
  low: number(-1e12, 1e12), high: number(-1e12, 1e12), bottom: number(-250, 100), top: number(-250, 100),
  detector: choice(DETECTORS), palette: choice(Object.keys(PALETTES)), speed: number(1, 8), unit: choice(UNIT_NAMES), renderer: choice(['2d', 'gl']),
  traces: (text) => formatTraces(parseTraces(text)) || undefined,
  waterfall: (text) => formatWaterfall(parseWaterfall(text)) || undefined,
  thrifty: choice(['on', 'off']),
  density: choice(PERSISTENCES),
  plan: choice(PLANS),
  markers: checkMarkers, panels: checkPanels, measures: checkMeasures,
};

/**
 * Drops a pair that is incomplete or closer than `min`.
 * @param {any} settings
 * @param {string} low
 * @param {string} high
 * @param {number} min
 */
function checkPair(settings, low, high, min) {
  if (settings[high] - settings[low] >= min) return;
  delete settings[low];
  delete settings[high];
}

/** Ignores everything that is not allowed. @param {string} hash  "#low=1&.." @returns {Settings} */
export function parseHash(hash) {
  /** @type {any} */
  const settings = {};
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const value = Object.hasOwn(FIELDS, name) ? FIELDS[name](text) : undefined;
    if (value !== undefined) settings[name] = value;
  }
  if (settings.speed !== undefined) settings.speed = Math.round(settings.speed);
  checkPair(settings, 'low', 'high', 1e-3);
  checkPair(settings, 'bottom', 'top', 5);
  return settings;
}

/** @param {Settings} settings @returns {string}  "" or "#.." */
export function formatHash(settings) {
  const present = Object.keys(FIELDS).filter((name) => /** @type {any} */ (settings)[name] !== undefined);
  const parts = present.map((name) => {
    const value = /** @type {any} */ (settings)[name];
    return `${name}=${typeof value === 'number' ? Number(value.toFixed(3)) : value}`;
  });
  return parts.length ? `#${parts.join('&')}` : '';
}
