// The waterfall without WebGL: each row is coloured once into a ring canvas, which is drawn in two pieces.

import { paletteTable } from './palette.js';

/** @param {number[]} rgb */
const opaque = ([r, g, b]) => [r, g, b, 255];

export class Waterfall2d {
  name = 'Canvas2D';
  maxColumns = Infinity;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    this.ring = document.createElement('canvas');
    this.inRing = /** @type {CanvasRenderingContext2D} */ (this.ring.getContext('2d', { alpha: false }));
    this.seen = 0; // rows of the history that are in the ring
    this.key = ''; // of everything that the colours in the ring depend on
  }

  /** @param {import('./display.js').Scene} scene */
  #prepare(scene) {
    const { view, range, history } = scene;
    const rows = Math.min(history.capacity, Math.ceil((this.canvas.height + scene.shift) / scene.rowPixels) + 8);
    const key = [view.lowHz, view.highHz, range.bottomDb, range.topDb, scene.palette, this.canvas.width,
      ...scene.background].join();
    if (key === this.key && this.ring.height >= rows) return;
    if (this.ring.width !== this.canvas.width || this.ring.height < rows) {
      this.ring.width = this.canvas.width;
      this.ring.height = rows;
    }
    this.line = this.inRing.createImageData(this.canvas.width, 1);
    this.colors = new Uint32Array(paletteTable(scene.palette).buffer);
    this.blank = new Uint32Array(Uint8Array.from(opaque(scene.background)).buffer)[0];
    this.gap = new Uint32Array(Uint8Array.from(opaque(scene.gap)).buffer)[0];
    this.key = key;
    this.seen = history.total - Math.min(history.length, this.ring.height); // colours all rows again
  }

  /**
   * Palette entries of a row's 256 levels.
   * @param {import('./history.js').Row} row
   * @param {import('./levels.js').Range} range
   */
  #levelColors(row, range) {
    const colors = /** @type {Uint32Array} */ (this.colors);
    const scale = 255 / (range.topDb - range.bottomDb);
    return Uint32Array.from({ length: 256 }, (_, level) => {
      const at = (row.offsetDb + row.stepDb * level - range.bottomDb) * scale;
      return colors[Math.min(255, Math.max(0, Math.round(at)))];
    });
  }

  /**
   * @param {import('./history.js').Row} row
   * @param {import('./display.js').Scene} scene
   * @param {Uint32Array} into
   */
  #paint(row, scene, into) {
    const { view, range } = scene, { levels } = row;
    const colors = this.#levelColors(row, range);
    const step = (view.highHz - view.lowHz) / into.length / row.columnHz;
    const first = (view.lowHz - row.lowHz) / row.columnHz;
    for (let x = 0; x < into.length; x++) {
      const left = first + step * x;
      const from = Math.floor(left), to = Math.max(from, Math.ceil(left + step) - 1);
      if (to < 0 || from >= levels.length) continue;
      let strongest = 0;
      for (let i = Math.max(0, from); i <= to && i < levels.length; i++)
        if (levels[i] > strongest) strongest = levels[i];
      into[x] = colors[strongest];
    }
  }

  /** @param {import('./history.js').Row} row @param {number} y @param {import('./display.js').Scene} scene */
  #row(row, y, scene) {
    const line = /** @type {ImageData} */ (this.line);
    const pixels = new Uint32Array(line.data.buffer).fill(/** @type {number} */ (this.blank));
    if (!row.gap) this.#paint(row, scene, pixels);
    else for (let x = 0; x < pixels.length; x++) if (x % 16 < 10) pixels[x] = /** @type {number} */ (this.gap);
    this.inRing.putImageData(line, 0, y);
  }

  /** @param {import('./display.js').Scene} scene */
  draw(scene) {
    const { canvas, context, ring } = this, { history, rowPixels, shift } = scene;
    if (canvas.width === 0 || canvas.height === 0) return;
    this.#prepare(scene);
    const fresh = Math.min(history.total - this.seen, history.length, ring.height);
    for (let age = fresh - 1; age >= 0; age--)
      this.#row(/** @type {import('./history.js').Row} */ (history.at(age)), this.#y(history.total - 1 - age), scene);
    this.seen = history.total;

    context.imageSmoothingEnabled = false;
    context.fillStyle = `rgb(${scene.background.join()})`;
    context.fillRect(0, 0, canvas.width, canvas.height);
    // In the ring a newer row is below an older one; in the picture it is above. Hence the flip.
    const count = Math.min(history.length, ring.height), newest = this.#y(history.total - 1);
    const first = Math.min(count, newest + 1); // rows newest .. 0 of the ring; the others end at its last row
    context.save();
    context.scale(1, -1);
    context.drawImage(ring, 0, newest + 1 - first, ring.width, first,
      0, shift - first * rowPixels, canvas.width, first * rowPixels);
    if (count > first)
      context.drawImage(ring, 0, ring.height - (count - first), ring.width, count - first,
        0, shift - count * rowPixels, canvas.width, (count - first) * rowPixels);
    context.restore();
  }

  /** Row of the ring that holds row number `n`, counted since the first. @param {number} n */
  #y(n) { return ((n % this.ring.height) + this.ring.height) % this.ring.height; }
}
