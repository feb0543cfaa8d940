// The picture: three canvases, their layout and sizes, the history of rows, and what to redraw when.

import { clockStep } from './axis.js';
import { gapRow, History, rowLevel, rowOf } from './history.js';
import { drawCrosshair, drawSpectrum, drawTimes, hzAtX } from './spectrum.js';
import { widthHz } from './view.js';
import { Waterfall2d } from './waterfall_2d.js';
import { WaterfallGl } from './waterfall_gl.js';
import { levelAt, timeMs } from '../net/wire.js';
import { formatClock } from '../util/format.js';

/**
 * @typedef {object} Layout  CSS pixels
 * @property {number} width
 * @property {number} height
 * @property {number} gutter  left of both plots: levels and times
 * @property {number} top  of the spectrum
 * @property {number} plotWidth
 * @property {number} spectrumHeight
 * @property {number} axisHeight  between the plots: frequencies
 * @property {number} waterfallTop
 * @property {number} waterfallHeight
 *
 * @typedef {object} Scene  everything that is drawn
 * @property {import('../net/wire.js').Frame | null} frame  newest
 * @property {History} history
 * @property {import('./view.js').View} view
 * @property {import('./levels.js').Range} range
 * @property {string} palette
 * @property {number} rowPixels  device pixels per row of the waterfall
 * @property {number} shift  device pixels of the newest rows that have not scrolled into view
 * @property {number[]} background  RGB
 * @property {number[]} gap  RGB
 *
 * @typedef {object} Reading  what the picture shows at a point
 * @property {number} x  CSS pixels
 * @property {number} y
 * @property {Layout} layout
 * @property {import('../net/wire.js').Frame} frame  the newest
 * @property {number} hz
 * @property {number} resolutionHz  of a pixel
 * @property {number} db  NaN: not measured
 * @property {import('./history.js').Row | null} row  of the waterfall; null: in the spectrum
 *
 * @typedef {Record<typeof THEME[number], string>} Theme  from the style sheet
 */

const THEME = /** @type {const} */ (['plot', 'text', 'dim', 'grid', 'edge', 'trace', 'fill', 'mark', 'cross',
  'watermark', 'gap', 'void', 'font']);
const CAPACITY = 2048; // rows; WebGL2 guarantees textures of this size

/** @param {number} width @param {number} height  CSS pixels @returns {Layout} */
export function layoutOf(width, height) {
  const gutter = width < 600 ? 56 : 62, top = 4, axisHeight = 26;
  const spectrumHeight = Math.max(60, Math.round((height - axisHeight) * 0.42));
  const waterfallTop = top + spectrumHeight + axisHeight;
  return { width, height, gutter, top, axisHeight, spectrumHeight, waterfallTop,
    plotWidth: Math.max(1, width - gutter - 8), waterfallHeight: Math.max(1, height - waterfallTop - 4) };
}

/** @returns {Theme}  the style sheet's colours, for the canvases */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const pairs = THEME.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
  return /** @type {Theme} */ (Object.fromEntries(pairs));
}

/** "#0a0d12" -> [10, 13, 18] @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) || 0);

/** @param {string} id */
const canvasOf = (id) => /** @type {HTMLCanvasElement} */ (document.getElementById(id));
/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

export class Display {
  /**
   * @param {HTMLElement} element
   * @param {{ renderer: '2d' | 'gl' | undefined, onResize: (columns: number) => void, needDraw: () => void }} options
   */
  constructor(element, options) {
    this.element = element;
    this.options = options;
    this.chart = canvasOf('chart');
    this.overlay = canvasOf('overlay');
    this.waterfall = canvasOf('waterfall');
    this.theme = readTheme();
    this.reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    this.layout = layoutOf(1, 1);
    this.ratio = 1;
    this.hidden = 0;  // rows that have not scrolled into view
    this.rowRate = 20; // rows per second, as they arrive
    this.drawnAt = 0;
    this.lastRowAt = 0;
    this.dirty = true;
    /** @type {{ x: number, y: number } | null} */
    this.cursor = null;
    /** @type {Scene} */
    this.scene = { frame: null, history: new History(CAPACITY), view: { lowHz: 0, highHz: 1 },
      range: { bottomDb: -120, topDb: 0 }, palette: 'turbo', rowPixels: 2, shift: 0,
      background: [0, 0, 0], gap: [255, 0, 0] };
    this.speed = 2; // CSS pixels per row
    this.renderer = this.#makeRenderer();
    document.body.dataset.renderer = this.renderer.name;
    this.#readColors();
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => this.#readColors());
    new ResizeObserver(() => this.#resize()).observe(element);
    this.#resize();
  }

  #makeRenderer() {
    if (this.options.renderer !== '2d') {
      try {
        const renderer = new WaterfallGl(this.waterfall, CAPACITY, this.options.renderer === 'gl');
        this.waterfall.addEventListener('webglcontextlost', () => this.#lost(), { once: true });
        return renderer;
      } catch (error) {
        console.info(`waterfall in 2D: ${error}`);
        this.#replaceCanvas(); // a canvas that has had a WebGL context never gives a 2D one
      }
    }
    return new Waterfall2d(this.waterfall);
  }

  #replaceCanvas() {
    const fresh = /** @type {HTMLCanvasElement} */ (this.waterfall.cloneNode());
    this.waterfall.replaceWith(fresh);
    this.waterfall = fresh;
  }

  #lost() {
    this.#replaceCanvas();
    this.renderer = new Waterfall2d(this.waterfall);
    document.body.dataset.renderer = this.renderer.name;
    this.#resize();
  }

  #readColors() {
    this.theme = readTheme();
    this.scene.background = rgb(this.theme.void);
    this.scene.gap = rgb(this.theme.gap);
    this.touch();
  }

  #resize() {
    const { width, height } = this.element.getBoundingClientRect();
    this.ratio = Math.min(4, window.devicePixelRatio || 1);
    const layout = this.layout = layoutOf(width, height);
    this.#resizeCanvas(this.chart, 0, 0, width, height);
    this.#resizeCanvas(this.overlay, 0, 0, width, height);
    this.#resizeCanvas(this.waterfall, layout.gutter, layout.waterfallTop, layout.plotWidth, layout.waterfallHeight);
    this.setSpeed(this.speed);
    this.options.onResize(this.columns);
    this.touch();
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  #resizeCanvas(canvas, left, top, width, height) {
    canvas.width = Math.max(1, Math.round(width * this.ratio));
    canvas.height = Math.max(1, Math.round(height * this.ratio));
    Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }

  /** Columns that the waterfall can show. */
  get columns() { return Math.min(this.waterfall.width, this.renderer.maxColumns); }

  /** Redraws everything, not just the cross-hair. */
  touch() {
    this.dirty = true;
    this.options.needDraw();
  }

  /** @param {number} pixels  CSS pixels per row */
  setSpeed(pixels) {
    this.speed = pixels;
    this.scene.rowPixels = Math.max(1, Math.round(pixels * this.ratio));
    this.touch();
  }

  /** @param {import('../net/wire.js').Frame} frame @param {boolean} gap  samples are missing before it */
  add(frame, gap) {
    const { history } = this.scene, at = timeMs(frame);
    if (gap && history.length > 0) history.push(gapRow(at));
    history.push(rowOf(frame, at));
    this.scene.frame = frame;
    this.hidden = this.reducedMotion.matches ? 0 : Math.min(4, this.hidden + 1);
    const now = performance.now(), passed = now - this.lastRowAt;
    if (passed > 1) this.rowRate += 0.1 * (Math.min(240, 1000 / passed) - this.rowRate);
    this.lastRowAt = now;
    this.dirty = true;
  }

  /** Rows scroll in at the rate at which they arrive, faster if they pile up. @param {number} now */
  #scroll(now) {
    const passed = Math.min(0.25, (now - this.drawnAt) / 1000);
    this.drawnAt = now;
    const faster = this.hidden > 1.5 ? 1.5 : 1;
    this.hidden = this.reducedMotion.matches ? 0 : Math.max(0, this.hidden - passed * this.rowRate * faster);
    this.scene.shift = Math.round(this.hidden * this.scene.rowPixels);
  }

  /** @param {number} now @returns {boolean}  true while rows still scroll */
  draw(now) {
    const shift = this.scene.shift;
    this.#scroll(now);
    const moved = this.dirty || shift !== this.scene.shift;
    const { scene, layout, theme } = this;
    if (this.dirty) this.#inPixels(this.chart, (context) => drawSpectrum(context, scene, layout, theme));
    if (moved) this.renderer.draw(scene);
    this.#inPixels(this.overlay, (context) => {
      context.clearRect(0, 0, layout.width, layout.height);
      drawTimes(context, scene, layout, theme, this.#timeMarks());
      if (this.cursor) drawCrosshair(context, layout, theme, this.cursor);
    });
    this.dirty = false;
    return this.hidden > 0;
  }

  /** @param {HTMLCanvasElement} canvas @param {(context: CanvasRenderingContext2D) => void} draw */
  #inPixels(canvas, draw) {
    const context = contextOf(canvas);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    draw(context);
  }

  /** Age in rows of the row at y. @param {number} y  CSS pixels */
  #ageAt(y) {
    const inside = (y - this.layout.waterfallTop) * this.ratio;
    return Math.floor((inside + this.scene.shift) / this.scene.rowPixels);
  }

  /** @param {{ x: number, y: number }} at  CSS pixels @param {import('../net/wire.js').Frame} frame @returns {Reading} */
  readingAt({ x, y }, frame) {
    const { scene, layout } = this;
    const hz = hzAtX(scene, layout, x), inWaterfall = y >= layout.waterfallTop;
    const row = inWaterfall ? scene.history.at(this.#ageAt(y)) ?? null : null;
    const spectrumDb = scene.frame && !inWaterfall ? levelAt(scene.frame, hz) : NaN;
    return { x, y, layout, frame, hz, resolutionHz: Math.max(widthHz(scene.view) / layout.plotWidth, 1e-3),
      db: row ? rowLevel(row, hz) : spectrumDb, row };
  }

  #timeMarks() {
    const { frame, history, rowPixels, shift } = this.scene;
    if (frame?.rateAssumed) return [];
    const rows = Math.min(history.length, Math.ceil(this.waterfall.height / rowPixels) + 1);
    const rowHeight = rowPixels / this.ratio;
    const step = 1000 * clockStep(56 / rowHeight / Math.max(0.1, this.rowRate));
    /** @type {{ y: number, text: string }[]} */
    const marks = [];
    for (let age = 0; age + 1 < rows; age++) {
      const newer = history.rows[history.slot(age)], older = history.rows[history.slot(age + 1)];
      if (newer.gap || Math.floor(newer.timeMs / step) === Math.floor(older.timeMs / step)) continue;
      const y = this.layout.waterfallTop + (age + 1) * rowHeight - shift / this.ratio;
      const last = marks.at(-1);
      if (last && y - last.y < 16) continue;
      marks.push({ y, text: formatClock(Math.floor(newer.timeMs / step) * step, step < 1000 ? 2 : 0) });
    }
    return marks;
  }
}
