// The density beneath the trace: a picture of its own, drawn anew for a message, a view, a range or a size only.

import { DensitySum, paintShares, shareColours } from './density.js';
import { xAt } from './view.js';
import { make } from '../util/dom.js';

/**
 * @typedef {import('./display.js').Layout} Layout
 * @typedef {import('./display.js').Scene} Scene
 */

export class DensityLayer {
  /** @type {DensitySum | null}  null: not shown */
  sum = null;
  #palette = '';
  #fades = false;
  /** @type {Uint32Array} */
  #colours = new Uint32Array(0);
  #painted = false; // the cells are those of the newest message and palette
  #drawn = ''; // what the picture was drawn from

  constructor() {
    this.canvas = make('canvas'); // the chart draws it, so it is not shown itself
    this.canvas.id = 'density';
    this.canvas.hidden = true;
    this.cells = make('canvas'); // one pixel a cell
  }

  /** Shows nothing yet, or no more. @param {string} persistence  of PERSISTENCES; '': off */
  show(persistence) {
    this.sum = persistence ? new DensitySum(persistence) : null;
    this.#fades = persistence !== 'infinite' && persistence !== 'none';
    this.#palette = '';
    this.#painted = false;
  }

  /** @param {import('../net/density.js').Density} density */
  add(density) {
    this.sum?.add(density);
    this.#painted = false;
  }

  /** @param {string} palette */
  #paint(palette) {
    const { sum, cells } = this;
    if (palette !== this.#palette) {
      this.#colours = shareColours(palette, this.#fades);
      this.#palette = palette;
      this.#painted = false;
    }
    if (this.#painted || !sum?.newest) return;
    const { columns, levels } = sum.newest;
    if (cells.width !== columns || cells.height !== levels) Object.assign(cells, { width: columns, height: levels });
    const context = /** @type {CanvasRenderingContext2D} */ (cells.getContext('2d'));
    const image = context.createImageData(columns, levels);
    paintShares(sum, this.#colours, new Uint32Array(image.data.buffer));
    context.putImageData(image, 0, 0);
    this.#painted = true;
    this.#drawn = '';
  }

  /** @param {Layout} layout @param {number} ratio */
  #resize({ plotWidth, spectrumHeight }, ratio) {
    const width = Math.max(1, Math.round(plotWidth * ratio)),
      height = Math.max(1, Math.round(spectrumHeight * ratio));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  /**
   * The picture; null: not shown.
   * @param {Scene} scene
   * @param {Layout} layout
   * @param {number} ratio  device pixels a CSS pixel
   */
  draw(scene, layout, ratio) {
    if (!this.sum) return null;
    this.#draw(this.sum.newest, scene, layout, ratio);
    return this.canvas;
  }

  /**
   * @param {import('../net/density.js').Density | null} density
   * @param {Scene} scene @param {Layout} layout @param {number} ratio
   */
  #draw(density, scene, layout, ratio) {
    this.#paint(scene.palette);
    const { view, range } = scene;
    const from = [
      view.lowHz,
      view.highHz,
      range.bottomDb,
      range.topDb,
      layout.plotWidth,
      layout.spectrumHeight,
      ratio,
    ].join();
    if (from === this.#drawn) return;
    this.#drawn = from;
    this.#resize(layout, ratio);
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    if (!density) return;
    const { lowHz, rateHz, topDb, stepDb, levels, columns } = density;
    const x = xAt(view, lowHz) * width,
      right = xAt(view, lowHz + rateHz) * width;
    const yOf = (/** @type {number} */ db) => ((range.topDb - db) / (range.topDb - range.bottomDb)) * height;
    const y = yOf(topDb),
      bottom = yOf(topDb - levels * stepDb);
    context.imageSmoothingEnabled = right - x < columns || bottom - y < levels; // cells have sharp edges
    context.drawImage(this.cells, x, y, right - x, bottom - y);
  }
}
