// What a density shows: hits summed with a persistence, and the colour of each cell's share of time. Pure.

import { paletteTable } from './palette.js';

/**
 * @typedef {import('../net/density.js').Density} Density
 *
 * @typedef {object} Share  of the transforms, 0 .. 1, at a frequency
 * @property {number} share  in the row of a level
 * @property {number} above  in that row and all higher ones
 * @property {number} lowDb  edges of the row; the last row reaches down to -Infinity, the first one up to Infinity
 * @property {number} highDb
 */

/** Seconds that a hit stays; 'none': the newest message alone. The names are those of the address. */
export const PERSISTENCES = /** @type {const} */ (['none', '0.3', '1', '3', '10', 'infinite']);

/** @param {string} persistence  of PERSISTENCES */
export const persistenceText = (persistence) => (/^\d/.test(persistence) ? `${persistence}\u202fs` : persistence);

/** Decades of the colour scale: 0.01 % to 100 %. */
export const DECADES = 4;
const WEAKEST = 44; // index into the palette: visible on the plot's background

/** What must be the same for hits to be added up. @param {Density} d */
const gridOf = (d) => [d.columns, d.levels, d.topDb, d.stepDb, d.centerHz, d.rateHz, d.lowHz, d.n].join();

export class DensitySum {
  /** @param {string} persistence  of PERSISTENCES */
  constructor(persistence) {
    this.persistence = persistence;
    /** @type {Density | null} */
    this.newest = null;
    this.frames = 0; // transforms in the sums, those of the past with their weight
    this.sums = new Float64Array(0); // [columns][levels]
  }

  /** Weight of what was before a message. @param {Density} before @param {Density} density */
  #weight(before, density) {
    if (this.persistence === 'infinite') return 1;
    if (this.persistence === 'none') return 0;
    const passed = density.firstSample + density.samples - before.firstSample - before.samples;
    return Math.exp(-Math.max(0, passed) / density.rateHz / Number(this.persistence));
  }

  /** @param {Density} density */
  add(density) {
    const before = this.newest,
      same = before !== null && gridOf(before) === gridOf(density);
    const weight = same ? this.#weight(before, density) : 0;
    this.newest = density;
    this.frames = this.frames * weight + density.frames;
    if (!same) this.sums = new Float64Array(density.hits.length);
    const { sums } = this,
      { hits } = density;
    for (let i = 0; i < hits.length; i++) sums[i] = sums[i] * weight + hits[i];
  }

  /** Null outside of the span. @param {number} hz @param {number} db @returns {Share | null} */
  at(hz, db) {
    const d = this.newest;
    if (!d) return null;
    const bin = Math.floor((hz - d.lowHz) / (d.rateHz / d.n));
    if (!(bin >= 0 && bin < d.n)) return null;
    const column = Math.floor((bin * d.columns) / d.n),
      from = column * d.levels;
    const row = Math.min(d.levels - 1, Math.max(0, Math.floor((d.topDb - db) / d.stepDb)));
    let above = 0;
    for (let r = 0; r <= row; r++) above += this.sums[from + r];
    return {
      share: this.sums[from + row] / this.frames,
      above: above / this.frames,
      lowDb: row === d.levels - 1 ? -Infinity : d.topDb - (row + 1) * d.stepDb,
      highDb: row === 0 ? Infinity : d.topDb - row * d.stepDb,
    };
  }
}

/** Index into the palette. @param {number} share  above 0 */
export const colourOf = (share) =>
  Math.round(Math.min(255, Math.max(WEAKEST, WEAKEST + (255 - WEAKEST) * (1 + Math.log10(share) / DECADES))));

/**
 * Opacity of a share. What fades away with time does so over the decade below the scale; what stays, stays visible.
 * @param {number} share @param {boolean} fades
 */
export function opacityOf(share, fades) {
  if (!(share > 0)) return 0;
  if (!fades) return 1;
  return Math.min(1, Math.max(0, Math.log10(share) + DECADES + 1));
}

const ENTRIES = (0x3f800000 >>> 16) + 1; // floats from 0 to 1 by their upper 16 bits, which are exact to 0.8 %

/**
 * Colours by the upper half of a share as a float: a logarithm for each cell would take ten times longer.
 * @param {string} palette @param {boolean} fades
 * @returns {Uint32Array}  RGBA in the order of ImageData
 */
export function shareColours(palette, fades) {
  const table = paletteTable(palette),
    colours = new Uint32Array(ENTRIES);
  const bytes = new Uint8Array(colours.buffer),
    bits = new Uint32Array(1),
    float = new Float32Array(bits.buffer);
  for (let i = 1; i < ENTRIES; i++) {
    bits[0] = (i << 16) | 0x8000;
    const share = Math.min(1, float[0]);
    bytes.set(table.subarray(4 * colourOf(share), 4 * colourOf(share) + 3), 4 * i);
    bytes[4 * i + 3] = Math.round(255 * opacityOf(share, fades));
  }
  return colours;
}

/**
 * Paints the shares, one pixel a cell.
 * @param {DensitySum} sum
 * @param {Uint32Array} colours  of shareColours
 * @param {Uint32Array} pixels  [levels][columns]
 */
export function paintShares(sum, colours, pixels) {
  const { columns, levels } = /** @type {Density} */ (sum.newest),
    { sums } = sum,
    scale = 1 / sum.frames;
  const share = new Float32Array(levels),
    bits = new Uint32Array(share.buffer);
  for (let c = 0; c < columns; c++) {
    for (let r = 0, from = c * levels; r < levels; r++) share[r] = sums[from + r] * scale;
    for (let r = 0, at = c; r < levels; r++, at += columns) pixels[at] = colours[Math.min(ENTRIES - 1, bits[r] >>> 16)];
  }
}
