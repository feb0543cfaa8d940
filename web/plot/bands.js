// The bands of measurements over the spectrum: where they are, and what dragging an edge makes of their keys. Pure.

import { niceStep } from './axis.js';
import { parseQuantity } from '../util/quantity.js';

/**
 * @typedef {Record<string, string>} Keys  of a measurement's set-up, texts as in the file
 * @typedef {'low' | 'high' | 'middle'} Part  of a band that is dragged
 *
 * @typedef {object} Band
 * @property {string} name  of the measurement
 * @property {number} lowHz
 * @property {number} highHz
 * @property {boolean} main  false: a neighbour, which follows the main one
 */

/** @param {string | undefined} text */
const hzOf = (text) => (text ? parseQuantity(text, 'hz') : 0);

/** The keys that hold a band, of types that have one. @type {Record<string, { center: string, width: string }>} */
const CENTERED = {
  acpr: { center: 'center', width: 'width' },
  'channel-power': { center: 'center', width: 'width' },
  obw: { center: 'center', width: 'width' },
  snr: { center: 'center', width: 'width' },
  mask: { center: 'center', width: 'width' },
  'frequency-counter': { center: 'center', width: 'width' },
  am: { center: 'center', width: 'bandwidth' },
  fm: { center: 'center', width: 'bandwidth' },
  'zero-span': { center: 'center', width: 'rbw' },
};

/** Whether a type has a band that can be dragged. @param {Keys} keys @param {string} type */
const isEdged = (type, keys) => type === 'band-power' || type === 'occupancy' || ('start' in keys && 'stop' in keys);

/** The neighbouring channels of "5M:3.84M:-45, 10M". @param {string} offsets @param {number} width */
function neighbours(offsets, width) {
  return offsets
    .split(',')
    .map((offset) => offset.trim().split(':'))
    .flatMap(([distance, own]) => {
      const offsetHz = parseQuantity(distance, 'hz'),
        widthHz = own ? parseQuantity(own, 'hz') : width;
      return Number.isNaN(offsetHz) || Number.isNaN(widthHz)
        ? []
        : [
            { at: -offsetHz, widthHz },
            { at: offsetHz, widthHz },
          ];
    });
}

/**
 * The bands of a measurement; none for one without a width.
 * @param {string} name @param {string} type @param {Keys} keys
 * @returns {Band[]}
 */
export function bandsOf(name, type, keys) {
  if (isEdged(type, keys)) {
    const lowHz = hzOf(keys.start),
      highHz = hzOf(keys.stop);
    return highHz > lowHz ? [{ name, lowHz, highHz, main: true }] : [];
  }
  const names = CENTERED[type];
  if (!names) return [];
  const center = hzOf(keys[names.center]),
    width = hzOf(keys[names.width]);
  if (!(width > 0)) return [];
  const around = (/** @type {number} */ at, /** @type {number} */ widthHz, /** @type {boolean} */ main) => ({
    name,
    lowHz: at - widthHz / 2,
    highHz: at + widthHz / 2,
    main,
  });
  const beside = type === 'acpr' && keys.offsets ? neighbours(keys.offsets, width) : [];
  return [around(center, width, true), ...beside.map(({ at, widthHz }) => around(center + at, widthHz, false))];
}

/**
 * The keys of a band that was moved or whose edge was.
 * @param {string} type @param {Keys} keys  as they were
 * @param {Part} part @param {number} byHz @param {number} minHz  narrowest band
 * @param {(hz: number) => string} text
 * @returns {Keys}
 */
export function dragBand(type, keys, part, byHz, minHz, text) {
  const [band] = bandsOf('', type, keys);
  if (!band) return keys;
  let { lowHz, highHz } = band;
  if (part !== 'high') lowHz += byHz;
  if (part !== 'low') highHz += byHz;
  if (part === 'low') lowHz = Math.min(lowHz, highHz - minHz);
  if (part === 'high') highHz = Math.max(highHz, lowHz + minHz);
  if (isEdged(type, keys)) return { ...keys, start: text(lowHz), stop: text(highHz) };
  const { center, width } = CENTERED[type];
  return { ...keys, [center]: text((lowHz + highHz) / 2), [width]: text(highHz - lowHz) };
}

/** "50 ms": the time of a line, so that zero span misses little; at most a second. @param {number} lineRateHz */
export const timeOfLine = (lineRateHz) =>
  `${Number((1e3 * Math.min(1, niceStep(0.7 / lineRateHz))).toPrecision(3))} ms`;

/**
 * The keys that put a new band of this type on a part of the view; {}: the type has none.
 * @param {string} type
 * @param {import('./view.js').View} view
 * @param {(hz: number) => string} text
 * @returns {Keys}
 */
export function bandInView(type, view, text) {
  const width = niceStep((view.highHz - view.lowHz) / 5 / 1.5),
    middle = Math.round((view.lowHz + view.highHz) / 2 / (width / 10)) * (width / 10);
  if (type === 'mask') return {}; // a centre would move its points
  if (isEdged(type, {})) return { start: text(middle - width / 2), stop: text(middle + width / 2) };
  const names = CENTERED[type];
  return names ? { [names.center]: text(middle), [names.width]: text(width) } : {};
}
