// The panorama: the newest spectra of many radios on one frequency axis, and what is under the pointer or the cursor.

import { coveredHz, hzAtPixel, pixelAt, sectionsOf, stitch } from './panorama.js';
import { ticks } from '../plot/axis.js';
import { readTheme } from '../plot/layout.js';
import { autoRange, DEFAULT_RANGE, RangeFollower } from '../plot/levels.js';
import { spanOf, widthHz } from '../plot/view.js';
import { byId, setText } from '../util/dom.js';
import { decimals, fixed, formatDb, formatHz, formatSi, hzUnit } from '../util/format.js';

/**
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {import('./panorama.js').Section} Section
 *
 * @typedef {object} Part  of a radio
 * @property {string} name
 * @property {'t1' | 't2' | 't3' | 't4' | 't5' | 't6'} color  of the theme
 * @property {Frame} frame  newest
 * @property {boolean} gone
 */

const BREAK_PX = 46,
  AXIS_PX = 26,
  TOP_PX = 4;

export class PanoramaView {
  /** @type {Part[]} */
  parts = [];
  /** @type {Section[]} */
  sections = [];
  range = DEFAULT_RANGE;
  /** @type {number | null}  Hz */
  cursor = null;
  width = 1;
  height = 1;
  ratio = 1;
  drawn = false;
  theme = readTheme();
  #key = '';
  #follower = new RangeFollower();

  /** @param {() => void} needDraw */
  constructor(needDraw) {
    this.needDraw = needDraw;
    this.element = byId('panorama');
    this.box = byId('panorama-plot');
    this.canvas = /** @type {HTMLCanvasElement} */ (byId('panorama-canvas'));
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    this.box.addEventListener('pointermove', ({ offsetX }) =>
      this.#point(hzAtPixel(this.sections, offsetX - this.gutter)),
    );
    this.box.addEventListener('pointerleave', () => this.#point(NaN));
    this.box.addEventListener('keydown', (event) => this.#key_(event));
    this.readColors();
    this.resize();
  }

  readColors() {
    this.theme = readTheme();
    this.needDraw();
  }

  get #old() {
    return this.parts.map(({ gone }) => gone);
  }
  get gutter() {
    return this.width < 600 ? 46 : 62;
  }
  get plotWidth() {
    return Math.max(1, this.width - this.gutter - 8);
  }
  get plotHeight() {
    return Math.max(1, this.height - AXIS_PX - TOP_PX);
  }

  resize() {
    const { width, height } = this.box.getBoundingClientRect();
    this.width = width;
    this.height = height;
    this.ratio = Math.min(4, window.devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(width * this.ratio));
    this.canvas.height = Math.max(1, Math.round(height * this.ratio));
    this.#key = '';
    this.needDraw();
  }

  /** @param {number} hz  NaN: nowhere */
  #point(hz) {
    this.cursor = Number.isNaN(hz) ? null : hz;
    this.needDraw();
  }

  /** @param {KeyboardEvent} event */
  #key_(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20 }[event.key];
    if (!steps || event.ctrlKey || event.altKey || event.metaKey || this.sections.length === 0) return;
    event.preventDefault();
    const last = this.sections[this.sections.length - 1],
      end = last.left + last.pixels - 1;
    let x = this.cursor === null ? (steps > 0 ? -1 : end + 1) : Math.floor(pixelAt(this.sections, this.cursor));
    do x += Math.sign(steps) * Math.max(1, Math.abs(steps));
    while (x > 0 && x < end && Number.isNaN(hzAtPixel(this.sections, x)));
    this.#point(hzAtPixel(this.sections, Math.max(0, Math.min(end, x)) + 0.5));
  }

  /** @param {Part[]} parts @param {number} now  ms */
  show(parts, now) {
    this.parts = parts;
    const spans = parts.map(({ frame }) => spanOf(frame)),
      key = `${JSON.stringify(spans)} ${this.plotWidth}`;
    if (key !== this.#key) this.sections = sectionsOf(spans, Math.floor(this.plotWidth), BREAK_PX);
    if (key !== this.#key) this.#follower.restart();
    this.#key = key;
    const frames = parts.map(({ frame }) => frame).sort((a, b) => autoRange(a).bottomDb - autoRange(b).bottomDb);
    if (frames.length > 0)
      this.range = this.#follower.follow(this.drawn ? this.range : null, frames[0], now, frames.slice(1));
    this.drawn = frames.length > 0;
    setText(byId('panorama-about'), parts.length === 0 ? 'No spectrum yet' : this.#about(spans));
  }

  /** @param {import('../plot/view.js').View[]} spans */
  #about(spans) {
    const low = Math.min(...spans.map(({ lowHz }) => lowHz)),
      high = Math.max(...spans.map(({ highHz }) => highHz));
    const radios = `${spans.length} radio${spans.length === 1 ? '' : 's'}`,
      covered = formatSi(coveredHz(spans), 'Hz', 4);
    return `${radios}, ${covered} between ${formatHz(low, 1e5)} and ${formatHz(high, 1e5)}`;
  }

  /** @param {number} db */
  #y(db) {
    return TOP_PX + ((this.range.topDb - db) / (this.range.topDb - this.range.bottomDb)) * this.plotHeight;
  }

  draw() {
    const { context, gutter, plotHeight, theme, ratio } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.page;
    context.fillRect(0, 0, this.width, this.height);
    context.font = `11px ${theme.font}`;
    context.textBaseline = 'middle';
    this.#levels(theme);
    const frames = this.parts.map(({ frame }) => frame);
    this.sections.forEach((section, i) => {
      context.fillStyle = theme.plot;
      context.fillRect(gutter + section.left, TOP_PX, section.pixels, plotHeight);
      this.#grid(section, theme);
      this.#trace(section, frames);
      if (i > 0) this.#break(this.sections[i - 1], section, theme);
    });
    this.#cursor(theme);
    this.#read();
  }

  /** @param {import('../plot/layout.js').Theme} theme */
  #levels(theme) {
    const { context, gutter } = this,
      { values, step } = ticks(this.range.bottomDb, this.range.topDb, Math.max(2, this.plotHeight / 26));
    context.textAlign = 'right';
    for (const db of values) {
      context.fillStyle = theme.dim;
      context.fillText(
        formatDb(db, decimals(step)),
        gutter - 7,
        Math.max(TOP_PX + 6, Math.min(TOP_PX + this.plotHeight - 6, this.#y(db))),
      );
    }
    context.textAlign = 'left';
    context.fillText('dBFS', 6, TOP_PX + this.plotHeight + AXIS_PX / 2 + 2);
  }

  /** @param {Section} section @param {import('../plot/layout.js').Theme} theme */
  #grid({ view, left, pixels }, theme) {
    const { context, gutter, plotHeight } = this,
      { scale, unit } = hzUnit(view.highHz),
      bottom = TOP_PX + plotHeight;
    context.fillStyle = theme.grid;
    for (const db of ticks(this.range.bottomDb, this.range.topDb, Math.max(2, plotHeight / 26)).values)
      context.fillRect(gutter + left, Math.round(this.#y(db)), pixels, 1);
    const { values, step } = ticks(view.lowHz / scale, view.highHz / scale, Math.max(1, pixels / 84));
    context.textAlign = 'center';
    for (const value of values) {
      const x = Math.round(gutter + left + ((value * scale - view.lowHz) / widthHz(view)) * pixels);
      const text = fixed(value, decimals(step)),
        half = context.measureText(text).width / 2;
      context.fillStyle = theme.grid;
      context.fillRect(x, TOP_PX, 1, plotHeight);
      if (x - half < gutter + left || x + half > gutter + left + pixels - (pixels > 160 ? 34 : 0)) continue;
      context.fillStyle = theme.text;
      context.fillText(text, x, bottom + AXIS_PX / 2 + 2);
    }
    context.fillStyle = theme.dim;
    context.textAlign = 'right';
    if (pixels > 160) context.fillText(unit, gutter + left + pixels - 4, bottom + AXIS_PX / 2 + 2);
  }

  /**
   * The strongest of all radios at each pixel, in the colour of the radio; what is gone is grey.
   * @param {Section} section
   * @param {Frame[]} frames
   */
  #trace(section, frames) {
    const { context, gutter, plotHeight } = this,
      { dbs, owners } = stitch(frames, section, this.#old);
    const colors = this.parts.map(({ color, gone }) => this.theme[gone ? 'dim' : color]);
    const bottom = TOP_PX + plotHeight;
    for (let x = 0; x < dbs.length; x++) {
      if (owners[x] < 0) continue;
      const y = Math.max(TOP_PX, Math.min(bottom, this.#y(dbs[x]))),
        before = x > 0 && owners[x - 1] >= 0 ? Math.max(TOP_PX, Math.min(bottom, this.#y(dbs[x - 1]))) : y;
      context.fillStyle = `${colors[owners[x]]}26`;
      context.fillRect(gutter + section.left + x, y, 1, bottom - y);
      context.fillStyle = colors[owners[x]];
      context.fillRect(gutter + section.left + x, Math.min(y, before), 1.25, Math.abs(y - before) + 1.25);
    }
  }

  /**
   * What is not received between two parts of the axis.
   * @param {Section} before
   * @param {Section} after
   * @param {import('../plot/layout.js').Theme} theme
   */
  #break(before, after, theme) {
    const { context, gutter } = this,
      left = gutter + before.left + before.pixels,
      middle = left + BREAK_PX / 2;
    context.strokeStyle = theme.edge;
    context.lineWidth = 1;
    context.beginPath();
    for (const x of [middle - 3, middle + 3]) {
      context.moveTo(x + 4, TOP_PX + this.plotHeight / 2 - 12);
      context.lineTo(x - 4, TOP_PX + this.plotHeight / 2 + 12);
    }
    context.stroke();
    context.textAlign = 'center';
    context.fillStyle = theme.dim;
    context.fillText(
      formatSi(after.view.lowHz - before.view.highHz, 'Hz', 2),
      middle,
      TOP_PX + this.plotHeight / 2 + 26,
    );
  }

  /** @param {import('../plot/layout.js').Theme} theme */
  #cursor(theme) {
    if (this.cursor === null) return;
    const x = this.gutter + pixelAt(this.sections, this.cursor);
    if (Number.isNaN(x)) return;
    this.context.fillStyle = theme.cross;
    this.context.fillRect(Math.round(x), TOP_PX, 1, this.plotHeight);
  }

  /** Frequency, level and radio at the cursor. */
  #read() {
    const output = byId('panorama-reading'),
      { cursor } = this,
      x = cursor === null ? NaN : pixelAt(this.sections, cursor);
    const section = this.sections.find(({ left, pixels }) => x >= left && x <= left + pixels);
    if (cursor === null || !section) return setText(output, '');
    const { dbs, owners } = stitch(
        this.parts.map(({ frame }) => frame),
        section,
        this.#old,
      ),
      at = Math.min(dbs.length - 1, Math.floor(x - section.left));
    const hz = formatHz(cursor, widthHz(section.view) / section.pixels),
      part = this.parts[owners[at]];
    setText(
      output,
      part ? `${hz} ${formatDb(dbs[at])} dBFS, ${part.name}${part.gone ? ' (gone)' : ''}` : `${hz}, no radio`,
    );
  }
}
