// The picture: three canvases, their layout and sizes, the history of rows, and what to redraw when.

import { DensityLayer } from './density_layer.js';
import { ageAt, gapRow, History, isRepeated, rowLevel, rowOf, sharpened } from './history.js';
import { layoutOf, readTheme, SPLIT, waterfallColors } from './layout.js';
import { DEFAULT_PALETTE } from './palette.js';
import { freshCanvas, makeRenderer } from './renderer.js';
import { dbAtY, drawRing, drawSpectrum, drawTimes, hzAtX } from './spectrum.js';
import { timeMarks } from './time_marks.js';
import { widthHz } from './view.js';
import { DBFS } from '../app/units.js';
import { Waterfall2d } from './waterfall_2d.js';
import { WaterfallGl } from './waterfall_gl.js';
import { levelAt, timeMs } from '../net/wire.js';
import { make, onPixelRatio } from '../util/dom.js';

/**
 * @typedef {import('./layout.js').Layout} Layout
 *
 * @typedef {object} Scene  everything that is drawn
 * @property {import('../net/wire.js').Frame | null} frame  newest
 * @property {History} history
 * @property {import('./view.js').View} view
 * @property {import('./levels.js').Range} range  of the spectrum
 * @property {import('./levels.js').Range} waterfallRange
 * @property {import('../features/traces/frames.js').ShownTrace[]} traces  beside the live one
 * @property {import('../app/units.js').LevelScale} levels
 * @property {string} palette
 * @property {HTMLCanvasElement | null} density  picture for all of the spectrum's plot, beneath the trace; null: not
 *   shown
 * @property {number} rowPixels  device pixels per row of the waterfall
 * @property {number} shift  device pixels of the newest rows that have not scrolled into view
 * @property {number} ringMs  time before the newest line that can still be recorded; NaN: none
 * @property {Layout} layout
 * @property {Theme} theme
 * @property {{ x: number, y: number } | null} cursor  CSS pixels
 * @property {number[]} background  RGB
 * @property {number[]} fault  RGB of breaks that lost samples
 * @property {number[]} jump  RGB of loops and seeks of a recording
 * @property {number[]} seam  RGB of other breaks
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
 * @property {{ name: string, db: number, unit: string }[]} traces  in the spectrum
 * @property {import('./density.js').Share | null} density  at the frequency and level; null: not shown, or none there
 *
 * @typedef {import('./layout.js').Theme} Theme  from the style sheet
 */

const CAPACITY = 2048; // rows; WebGL2 guarantees textures of this size
// lines/s: rows as frequent as a film's pictures need no steps between them, which cost as much as they do
const FLUENT = 24;

/** @param {string} id */
const canvasOf = (id) => /** @type {HTMLCanvasElement} */ (document.getElementById(id));
/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: canvas.id !== 'chart' }));

export class Display {
  /**
   * @param {HTMLElement} element
   * @param {{ renderer: '2d' | 'gl' | undefined, layers: import('./layers.js').Layers, onResize: (columns: number) =>
   *   void, onLayout?: (layout: Layout) => void, needDraw: () => void }} options
   */
  constructor(element, options) {
    this.element = element;
    this.options = options;
    this.layers = options.layers;
    this.chart = canvasOf('chart');
    this.overlay = canvasOf('overlay');
    this.times = this.#makeTimes();
    this.overlayEmpty = false;
    this.stale = true; // more than a new line: the overlay too
    this.waterfall = canvasOf('waterfall');
    this.reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    this.ratio = 1;
    this.hidden = 0; // rows that have not scrolled into view
    this.rowRate = 20; // rows per second, as they arrive
    this.drawnAt = 0;
    this.lastRowAt = 0;
    this.dirty = true;
    /** @type {Scene} */
    this.scene = {
      frame: null,
      history: new History(CAPACITY),
      view: { lowHz: 0, highHz: 1 },
      range: { bottomDb: -120, topDb: 0 },
      waterfallRange: { bottomDb: -120, topDb: 0 },
      levels: DBFS,
      traces: [],
      palette: DEFAULT_PALETTE,
      density: null,
      rowPixels: 2,
      shift: 0,
      ringMs: NaN,
      layout: layoutOf(1, 1),
      theme: readTheme(),
      cursor: null,
      background: [0, 0, 0],
      fault: [255, 0, 0],
      seam: [128, 128, 128],
      jump: [0, 128, 255],
    };
    this.live = this.scene.history;
    this.past = new History(CAPACITY); // what is on screen while the waterfall is scrolled back
    this.speed = 2; // CSS pixels per row
    this.split = SPLIT;
    this.planRows = 0;
    this.density = new DensityLayer();
    this.chart.before(this.density.canvas);
    this.renderer = this.#makeRenderer();
    document.body.dataset.renderer = this.renderer.name;
    this.#readColors();
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => this.#readColors());
    new ResizeObserver(() => this.#resize()).observe(element);
    onPixelRatio(() => this.#resize());
    this.#resize();
  }

  /** The times move with each line: on a canvas of their own, so that the browser does not copy all of the overlay. */
  #makeTimes() {
    const canvas = make('canvas');
    canvas.id = 'times';
    canvas.setAttribute('aria-hidden', 'true');
    this.overlay.before(canvas);
    return canvas;
  }

  #makeRenderer() {
    const { renderer, canvas } = makeRenderer(this.waterfall, CAPACITY, this.options.renderer);
    this.waterfall = canvas;
    if (renderer instanceof WaterfallGl)
      canvas.addEventListener('webglcontextlost', () => this.#lost(), { once: true });
    return renderer;
  }

  #lost() {
    this.waterfall = freshCanvas(this.waterfall);
    this.renderer = new Waterfall2d(this.waterfall);
    document.body.dataset.renderer = this.renderer.name;
    this.#resize();
  }

  get layout() {
    return this.scene.layout;
  }

  #readColors() {
    const theme = readTheme();
    Object.assign(this.scene, { theme, ...waterfallColors(theme) });
    this.touch();
  }

  #resize() {
    const { width, height } = this.element.getBoundingClientRect();
    this.ratio = Math.min(4, window.devicePixelRatio || 1);
    const layout = (this.scene.layout = layoutOf(width, height, this.split, this.planRows));
    this.#resizeCanvas(this.chart, 0, 0, width, layout.waterfallTop); // its pixels cost time
    this.#resizeCanvas(this.overlay, 0, 0, width, height);
    this.#resizeCanvas(this.times, 0, layout.waterfallTop, layout.gutter, layout.waterfallHeight);
    this.#resizeCanvas(this.waterfall, layout.gutter, layout.waterfallTop, layout.plotWidth, layout.waterfallHeight);
    this.setSpeed(this.speed);
    this.options.onResize(this.columns);
    this.options.onLayout?.(layout);
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
  get columns() {
    return Math.min(this.waterfall.width, this.renderer.maxColumns);
  }

  /** Redraws everything. */
  touch() {
    this.dirty = this.stale = true;
    this.options.needDraw();
  }

  /** @param {number} split  the spectrum's part of both plots */
  setSplit(split) {
    this.split = split;
    this.#resize();
  }

  /** @param {number} rows  of bands and bookmarks below the axis */
  setPlanRows(rows) {
    if (rows === this.planRows) return;
    this.planRows = rows;
    this.#resize();
  }

  /** @param {number} pixels  CSS pixels per row */
  setSpeed(pixels) {
    this.speed = pixels;
    this.scene.rowPixels = Math.max(1, Math.round(pixels * this.ratio));
    this.touch();
  }

  /** Rows that the waterfall can show, at most. */
  get visibleRows() {
    return Math.min(CAPACITY, Math.ceil(this.waterfall.height / this.scene.rowPixels) + 2);
  }

  /** Draws these rows from now on, all anew. @param {History} history */
  showRows(history) {
    if (history !== this.scene.history) this.hidden = 0;
    this.scene.history = history;
    this.renderer.seen = history.total - history.length;
    this.touch();
  }

  /**
   * Draws the newest spectrum with the levels of its rows, which another view has made sharper.
   * @param {number} detector
   */
  sharpen(detector) {
    const { frame } = this.scene;
    if (frame) this.scene.frame = sharpened(frame, this.live.toArray(), detector);
  }

  /**
   * @param {import('../net/wire.js').Frame} frame
   * @param {import('./breaks.js').Break | null} gap  before it
   * @param {number} [run]  of the server
   */
  add(frame, gap, run = 0) {
    const { live: history, scene } = this,
      at = timeMs(frame),
      row = rowOf(frame, at, run),
      newest = history.at(0);
    scene.frame = frame;
    this.dirty = true;
    if (newest && newest.run === run && isRepeated(newest, row)) {
      history.replace(row);
      if (scene.history === history) this.renderer.seen = Math.min(this.renderer.seen, history.total - 1);
      return;
    }
    if (gap && history.length > 0) history.push(gapRow(at, gap, row.firstLine, run));
    history.push(row);
    if (scene.history !== history) return;
    this.hidden =
      this.reducedMotion.matches || frame.lineRateHz / frame.merged > FLUENT ? 0 : Math.min(4, this.hidden + 1);
    const now = performance.now(),
      passed = now - this.lastRowAt;
    if (passed > 1) this.rowRate += 0.1 * (Math.min(240, 1000 / passed) - this.rowRate);
    this.lastRowAt = now;
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
    const { scene } = this,
      { layout, theme } = scene;
    if (this.dirty) scene.density = this.density.draw(scene, layout, this.ratio);
    if (this.dirty)
      this.#inPixels(this.chart, (context) => {
        drawSpectrum(context, scene, layout, theme);
        this.layers.draw(context, scene, true);
      });
    if (moved) this.renderer.draw(scene);
    if (moved) this.#drawTimes();
    this.#drawOverlay(moved);
    this.dirty = this.stale = false;
    return this.hidden > 0;
  }

  #drawTimes() {
    const { scene } = this,
      { layout, theme } = scene,
      marks = this.#timeMarks();
    this.#inPixels(this.times, (context) => {
      context.clearRect(0, 0, layout.gutter, layout.waterfallHeight);
      context.translate(0, -layout.waterfallTop);
      drawTimes(context, scene, layout, theme, marks);
      const end = this.#ringEnd();
      if (end > layout.waterfallTop) drawRing(context, layout, theme, Math.min(end, layout.height));
    });
  }

  /**
   * Leaves the overlay alone while it stays as it is: a browser copies each canvas that was drawn on.
   * @param {boolean} moved  rows or a line
   */
  #drawOverlay(moved) {
    const { scene } = this,
      shown = this.layers.shown(scene),
      empty = shown.length === 0;
    const changes = this.stale || shown.some(({ moves }) => (moves === 'rows' ? moved : moves && this.dirty));
    if (empty ? this.overlayEmpty : !changes && !this.overlayEmpty) return;
    this.#inPixels(this.overlay, (context) => {
      context.clearRect(0, 0, scene.layout.width, scene.layout.height);
      this.layers.draw(context, scene);
    });
    this.overlayEmpty = empty;
    this.overlay.style.visibility = empty ? 'hidden' : 'visible'; // a browser blends it, even without a pixel on it
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

  /**
   * @param {{ x: number, y: number }} at  CSS pixels
   * @param {import('../net/wire.js').Frame} frame
   * @returns {Reading}
   */
  readingAt({ x, y }, frame) {
    const { scene, layout } = this;
    const hz = hzAtX(scene, layout, x),
      inWaterfall = y >= layout.waterfallTop;
    const row = inWaterfall ? (scene.history.at(this.#ageAt(y)) ?? null) : null;
    const spectrumDb = scene.frame && !inWaterfall ? levelAt(scene.frame, hz) : NaN;
    return {
      x,
      y,
      layout,
      frame,
      hz,
      resolutionHz: Math.max(widthHz(scene.view) / layout.plotWidth, 1e-3),
      db: row ? rowLevel(row, hz) : spectrumDb,
      row,
      density: inWaterfall ? null : (this.density.sum?.at(hz, dbAtY(scene, layout, y)) ?? null),
      traces: inWaterfall
        ? []
        : scene.traces.flatMap(({ name, unit, frame: held }) => (held ? [{ name, unit, db: levelAt(held, hz) }] : [])),
    };
  }

  /** Where the rows end that can still be recorded, CSS pixels; NaN: not known. */
  #ringEnd() {
    const { frame, history, ringMs, rowPixels, shift, layout } = this.scene;
    if (!frame || frame.rateAssumed || !(ringMs > 0)) return NaN;
    const age = ageAt(history, timeMs(frame) - ringMs);
    return layout.waterfallTop + (age * rowPixels - shift) / this.ratio;
  }

  #timeMarks() {
    const { frame, history, rowPixels, shift } = this.scene,
      rowHeight = rowPixels / this.ratio;
    if (frame?.rateAssumed) return [];
    const rows = Math.min(history.length, Math.ceil(this.waterfall.height / rowPixels) + 1);
    return timeMarks((age) => history.rows[history.index(age)], rows, rowHeight, this.rowRate).map(({ age, text }) => ({
      text,
      y: this.layout.waterfallTop + age * rowHeight - shift / this.ratio,
    }));
  }
}
