// The waterfall without WebGL: each row is coloured once into a ring canvas, at its full height and newest first, so
// that
// the picture is two copies of pieces of the ring, neither scaled nor flipped: the fastest that a canvas can do.

import { isJump } from './breaks.js';
import { OVER_RANGE, paletteTable } from './palette.js';
import { make } from '../util/dom.js';

/** @param {number[]} rgb */
const opaque = ([r, g, b]) => [r, g, b, 255];

export class Waterfall2d {
  name = 'Canvas2D';
  maxColumns = Infinity;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    this.ring = make('canvas');
    this.inRing = /** @type {CanvasRenderingContext2D} */ (this.ring.getContext('2d', { alpha: false }));
    this.rows = 0; // that the ring has room for
    this.seen = 0; // rows of the history that are in the ring
    this.levelColors = new Uint32Array(256);
    this.key = ''; // of everything that the colours in the ring depend on
  }

  /** @param {import('./display.js').Scene} scene */
  #prepare(scene) {
    const { view, waterfallRange: range, history } = scene;
    const rows = Math.min(history.capacity, Math.ceil((this.canvas.height + scene.shift) / scene.rowPixels) + 8);
    const key = [
      view.lowHz,
      view.highHz,
      range.bottomDb,
      range.topDb,
      scene.palette,
      this.canvas.width,
      scene.rowPixels,
      ...scene.background,
    ].join();
    if (key === this.key && this.rows >= rows) return;
    if (this.ring.width !== this.canvas.width || this.ring.height < rows * scene.rowPixels) {
      this.ring.width = this.canvas.width;
      this.ring.height = rows * scene.rowPixels;
    }
    this.rows = Math.floor(this.ring.height / scene.rowPixels);
    this.line = this.inRing.createImageData(this.canvas.width, scene.rowPixels);
    this.colors = new Uint32Array(paletteTable(scene.palette).buffer);
    this.blank = new Uint32Array(Uint8Array.from(opaque(scene.background)).buffer)[0];
    this.fault = new Uint32Array(Uint8Array.from(opaque(scene.fault)).buffer)[0];
    this.jump = new Uint32Array(Uint8Array.from(opaque(scene.jump)).buffer)[0];
    this.seam = new Uint32Array(Uint8Array.from(opaque(scene.seam)).buffer)[0];
    this.key = key;
    this.seen = history.total - Math.min(history.length, this.rows); // colours all rows again
  }

  /**
   * Palette entries of a row's 256 levels.
   * @param {import('./history.js').Row} row
   * @param {import('./levels.js').Range} range
   */
  #levelColors(row, range) {
    const colors = /** @type {Uint32Array} */ (this.colors),
      into = this.levelColors;
    const [over] = new Uint32Array(Uint8Array.from(opaque(OVER_RANGE)).buffer);
    const scale = 255 / (range.topDb - range.bottomDb);
    for (let level = 0; level < 256; level++) {
      const at = (row.offsetDb + row.stepDb * level - range.bottomDb) * scale;
      into[level] = at > 255 ? over : colors[Math.max(0, Math.round(at))];
    }
    return into;
  }

  /**
   * @param {import('./history.js').Row} row
   * @param {import('./display.js').Scene} scene
   * @param {Uint32Array} into
   */
  #paint(row, scene, into) {
    const { view, waterfallRange: range } = scene,
      { levels } = row;
    const colors = this.#levelColors(row, range);
    const step = (view.highHz - view.lowHz) / into.length / row.columnHz;
    const first = (view.lowHz - row.lowHz) / row.columnHz;
    for (let x = 0; x < into.length; x++) {
      const left = first + step * x;
      const from = Math.floor(left),
        to = Math.max(from, Math.ceil(left + step) - 1);
      if (to < 0 || from >= levels.length) continue;
      let strongest = 0;
      for (let i = Math.max(0, from); i <= to && i < levels.length; i++)
        if (levels[i] > strongest) strongest = levels[i];
      into[x] = colors[strongest];
    }
  }

  /** @param {Uint32Array} pixels @param {number} color */
  #dash(pixels, color) {
    for (let x = 0; x < pixels.length; x++) if (x % 16 < 10) pixels[x] = color;
  }

  /** @param {import('./history.js').Row} row @param {number} y @param {import('./display.js').Scene} scene */
  #row(row, y, scene) {
    const line = /** @type {ImageData} */ (this.line),
      all = new Uint32Array(line.data.buffer);
    const pixels = all.subarray(0, line.width).fill(/** @type {number} */ (this.blank));
    if (!row.gap) this.#paint(row, scene, pixels);
    else
      this.#dash(pixels, /** @type {number} */ (isJump(row.gap) ? this.jump : row.gap.fault ? this.fault : this.seam));
    for (let i = 1; i < line.height; i++) all.copyWithin(i * line.width, 0, line.width);
    this.inRing.putImageData(line, 0, y);
  }

  /** @param {import('./display.js').Scene} scene */
  draw(scene) {
    const { canvas, context, ring } = this,
      { history, rowPixels, shift } = scene;
    if (canvas.width === 0 || canvas.height === 0) return;
    this.#prepare(scene);
    const fresh = Math.min(history.total - this.seen, history.length, this.rows);
    for (let age = fresh - 1; age >= 0; age--)
      this.#row(
        /** @type {import('./history.js').Row} */ (history.at(age)),
        this.#y(history.total - 1 - age, rowPixels),
        scene,
      );
    this.seen = history.total;

    const height = Math.min(history.length, this.rows) * rowPixels,
      newest = this.#y(history.total - 1, rowPixels);
    const first = Math.min(height, this.rows * rowPixels - newest); // to the end of the ring; older rows are at its top
    if (first > 0) context.drawImage(ring, 0, newest, ring.width, first, 0, -shift, ring.width, first);
    if (height > first)
      context.drawImage(ring, 0, 0, ring.width, height - first, 0, first - shift, ring.width, height - first);
    context.fillStyle = `rgb(${scene.background.join()})`;
    if (height - shift < canvas.height) context.fillRect(0, height - shift, canvas.width, canvas.height);
  }

  /** Top of row number `n` in the ring, counted since the first. @param {number} n @param {number} rowPixels */
  #y(n, rowPixels) {
    return (this.rows - 1 - (((n % this.rows) + this.rows) % this.rows)) * rowPixels;
  }
}
