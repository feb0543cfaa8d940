// Where radios are: a frame of latitude and longitude around them, without a map beneath. Pure functions.

import { niceStep } from '../plot/axis.js';
import { decimals } from '../util/format.js';

/**
 * @typedef {{ latitude: number, longitude: number }} Position  degrees
 *
 * @typedef {object} Frame
 * @property {number} south  degrees
 * @property {number} west
 * @property {number} north
 * @property {number} east
 * @property {number} step  of its grid
 * @property {number[]} latitudes  of the grid
 * @property {number[]} longitudes
 */

const LEAST_DEGREES = 0.02; // some 2 km: one radio alone has a frame too
const MARGIN = 0.18;

/** @param {Position} position */
export const isPosition = ({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/** @param {number} low @param {number} high @param {number} step */
const multiples = (low, high, step) =>
  Array.from(
    { length: Math.max(0, Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1) },
    (_, i) => (Math.ceil(low / step - 1e-9) + i) * step,
  );

/**
 * A frame around all positions that has the shape of the picture: a degree of longitude is shorter by the cosine of the
 * latitude.
 * @param {Position[]} positions  one at least @param {number} aspect  width / height of the picture @returns {Frame}
 */
export function frameOf(positions, aspect) {
  const lats = positions.map(({ latitude }) => latitude),
    longs = positions.map(({ longitude }) => longitude);
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...longs), Math.max(...longs)];
  const middle = (south + north) / 2,
    centre = (west + east) / 2,
    shrink = Math.max(0.05, Math.cos((middle * Math.PI) / 180));
  const height = Math.max(LEAST_DEGREES, north - south, ((east - west) * shrink) / aspect) * (1 + 2 * MARGIN),
    width = (height * aspect) / shrink;
  const step = niceStep(height / 3);
  const frame = {
    south: middle - height / 2,
    north: middle + height / 2,
    west: centre - width / 2,
    east: centre + width / 2,
    step,
  };
  return {
    ...frame,
    latitudes: multiples(frame.south, frame.north, step),
    longitudes: multiples(frame.west, frame.east, step),
  };
}

/**
 * @param {Frame} frame
 * @param {Position} position
 * @returns {{ x: number, y: number }}  0 .. 1 from the left, and from the top
 */
export const placeOf = ({ south, west, north, east }, { latitude, longitude }) => ({
  x: (longitude - west) / (east - west),
  y: (north - latitude) / (north - south),
});

/** "48.1° N". @param {number} degrees @param {number} step @param {[string, string]} sides */
export function degreesText(degrees, step, [positive, negative]) {
  const text = Math.abs(degrees).toFixed(decimals(step));
  return Number(text) === 0 ? '0°' : `${text}° ${degrees > 0 ? positive : negative}`;
}
