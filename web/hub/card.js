// One radio: its spectrum and its waterfall on the time axis that all cards share.

import { Archive } from './archive.js';
import { advance, isEmpty, renew, rowNumber, Track } from './track.js';
import { Control, writerText } from './control.js';
import { missingText, remarkText, skewText, stateText, tuningText } from './radios.js';
import { DBFS } from '../app/units.js';
import { levelAt } from '../net/wire.js';
import { clockStep } from '../plot/axis.js';
import { frequencyText } from '../plot/frequency.js';
import { History, rowLevel } from '../plot/history.js';
import { layoutOf, readTheme, waterfallColors } from '../plot/layout.js';
import { RangeFollower } from '../plot/levels.js';
import { DEFAULT_PALETTE } from '../plot/palette.js';
import { freshCanvas, makeRenderer } from '../plot/renderer.js';
import { drawSpectrum, drawTimes, hzAtX } from '../plot/spectrum.js';
import { spanOf, widthHz } from '../plot/view.js';
import { Waterfall2d } from '../plot/waterfall_2d.js';
import { make, setText } from '../util/dom.js';
import { formatDb } from '../util/format.js';
import { formatClock, formatTick } from '../util/time.js';

/**
 * @typedef {import('./radios.js').Radio} Radio
 * @typedef {import('./line_reader.js').Line} Line
 * @typedef {import('../plot/display.js').Scene} Scene
 */

const CAPACITY = 1024; // rows
const ROW_PX = 2;
const MARKS_PX = 56; // between two times

/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

/** @param {string} name */
const canvas = (name) => {
  const made = make('canvas', { className: name });
  made.setAttribute('aria-hidden', 'true');
  return made;
};

export class Card {
  element = make('article', { className: 'card' });
  name = make('h2');
  state = make('span', { className: 'state' });
  reading = make('output', { className: 'reading', ariaLive: 'off' });
  close = make('button', { type: 'button', className: 'close', textContent: '\u00d7' });
  tuning = make('p', { className: 'tuning' });
  figures = make('p', { className: 'figures' });
  remark = make('p', { className: 'remark', hidden: true });
  notice = make('p', { className: 'notice' });
  plots = make('div', { className: 'plots' });
  chart = canvas('chart');
  times = canvas('times');
  waterfall = canvas('waterfall');
  line = make('i', { className: 'time-line' }); // at the time under the pointer
  unreadable = '';
  /** @type {Radio | null} */
  radio = null;

  writer = make('p', { className: 'writer' });

  /**
   * @param {'t1' | 't2' | 't3' | 't4' | 't5' | 't6'} color  of the theme
   * @param {'2d' | 'gl' | undefined} renderer  of its waterfall @param {() => void} onClose
   * @param {import('./control.js').Asker} asker
   */
  constructor(color, renderer, onClose, asker) {
    this.color = color;
    this.control = new Control(`${color}-`, asker);
    this.track = new Track();
    this.archive = new Archive();
    this.past = false; // the axis is in the past
    this.chosen = false; // the line whose spectrum is drawn is that of the rows
    /**
     * What is received once more, from an earlier time on, until it has caught up with the track.
     * @type {Track | null}
     */
    this.filling = null;
    this.follower = new RangeFollower();
    this.ratio = 1;
    this.newestRow = -1; // newest of the history
    this.hovered = /** @type {{ x: number, y: number } | null} */ (null);
    this.dirty = true;
    this.#build(onClose);
    const made = makeRenderer(this.waterfall, CAPACITY, renderer);
    this.renderer = made.renderer;
    this.waterfall = made.canvas;
    if (!(made.renderer instanceof Waterfall2d))
      this.waterfall.addEventListener('webglcontextlost', () => this.#lost(), { once: true });
    const range = { bottomDb: -120, topDb: 0 },
      theme = readTheme();
    /** @type {Scene} */
    this.scene = {
      frame: null,
      history: new History(CAPACITY),
      view: { lowHz: 0, highHz: 1 },
      range,
      waterfallRange: range,
      levels: DBFS,
      traces: [],
      palette: DEFAULT_PALETTE,
      density: null,
      rowPixels: ROW_PX,
      shift: 0,
      ringMs: NaN,
      layout: layoutOf(1, 1),
      theme,
      cursor: null,
      ...waterfallColors(theme),
    };
    this.readColors();
  }

  /** @param {() => void} onClose */
  #build(onClose) {
    this.close.onclick = onClose;
    this.plots.append(this.chart, this.waterfall, this.times, this.line, this.notice, this.reading);
    this.element.append(
      make('header', {}, [make('i', { className: 'swatch' }), this.name, this.state, this.control.button, this.close]),
      make('div', { className: 'about' }, [this.tuning, this.figures, this.writer]),
      this.remark,
      this.control.element,
      this.plots,
    );
    this.element.style.setProperty('--own', `var(--${this.color})`);
    this.plots.addEventListener('pointermove', ({ clientX, clientY }) => {
      const { left, top } = this.plots.getBoundingClientRect();
      this.#hover({ x: clientX - left, y: clientY - top });
    });
    this.plots.addEventListener('pointerleave', () => this.#hover(null));
  }

  #lost() {
    this.waterfall = freshCanvas(this.waterfall);
    this.renderer = new Waterfall2d(this.waterfall);
    this.resize();
  }

  /** After a change of the colour scheme, too. */
  readColors() {
    const theme = readTheme(),
      own = theme[this.color];
    Object.assign(this.scene, { theme: { ...theme, trace: own, fill: `${own}26` }, ...waterfallColors(theme) });
    this.dirty = true;
  }

  /** Fits the canvases to the element. */
  resize() {
    const { width, height } = this.plots.getBoundingClientRect();
    this.ratio = Math.min(4, window.devicePixelRatio || 1);
    const layout = (this.scene.layout = layoutOf(width, height));
    this.#place(this.chart, 0, 0, width, layout.waterfallTop);
    this.#place(this.times, 0, layout.waterfallTop, layout.gutter, layout.waterfallHeight);
    this.#place(this.waterfall, layout.gutter, layout.waterfallTop, layout.plotWidth, layout.waterfallHeight);
    this.scene.rowPixels = Math.max(1, Math.round(ROW_PX * this.ratio));
    this.dirty = true;
  }

  /**
   * @param {HTMLCanvasElement} element
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  #place(element, left, top, width, height) {
    element.width = Math.max(1, Math.round(width * this.ratio));
    element.height = Math.max(1, Math.round(height * this.ratio));
    Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }

  /** Rows that its waterfall shows. */
  get rows() {
    return Math.min(CAPACITY, Math.ceil(this.waterfall.height / this.scene.rowPixels));
  }

  /** @param {Radio} radio @param {number} nowMs */
  show(radio, nowMs) {
    this.radio = radio;
    this.element.dataset.state = radio.state;
    this.element.setAttribute('aria-label', radio.name);
    this.close.setAttribute('aria-label', `Hide ${radio.name}`);
    setText(this.name, radio.name);
    setText(this.state, stateText(radio, nowMs));
    setText(this.tuning, tuningText(radio));
    this.control.show(radio);
    setText(this.writer, writerText(radio, nowMs));
    setText(this.figures, `missing ${missingText(radio)}, skew ${skewText(radio)}`);
    this.#remark(
      this.unreadable
        ? `A line cannot be read: ${this.unreadable}`
        : this.archive.fault
          ? `The archive cannot be read: ${this.archive.fault}`
          : remarkText(radio),
    );
    this.notice.hidden = this.scene.frame !== null;
    setText(
      this.notice,
      this.past
        ? 'No line of this time'
        : radio.state === 'gone'
          ? 'The hub has no line of it'
          : 'Waiting for the first line',
    );
    this.#read();
  }

  /** @param {string} text */
  #remark(text) {
    if (this.remark.hidden !== (text === '')) this.remark.hidden = text === '';
    setText(this.remark, text);
  }

  /** @param {string} reason */
  fault(reason) {
    this.unreadable = reason;
  }

  /**
   * Where a line stands whose own time is not of use: when it reached the hub.
   * @param {Line} line
   * @param {number} nowMs
   */
  #arrival(line, nowMs) {
    const { aligned = true, skewMs = NaN } = this.radio ?? {},
      arrivedMs = Number(line.hostTimeNs / 1000n) / 1000 + skewMs;
    return aligned ? undefined : Number.isNaN(arrivedMs) ? nowMs : Math.min(nowMs, arrivedMs);
  }

  /** @param {Line} line @param {import('./track.js').Axis} axis @param {number} nowMs */
  add(line, axis, nowMs) {
    this.unreadable = '';
    if (this.filling) return this.#fill(this.filling, line, nowMs);
    const { scene } = this,
      piece = this.track.add(line, this.#arrival(line, nowMs)),
      before = this.track.pieces.at(-2);
    if (!piece) return;
    scene.range = scene.waterfallRange = this.follower.follow(
      before && !piece.retuned ? scene.range : null,
      line,
      nowMs,
    );
    if (!this.past) this.#draws(line);
    if (this.newestRow < 0) return;
    this.#renew(axis, piece.gap && before ? before.endMs : piece.startMs, piece.endMs);
  }

  /** @param {Line} line  whose spectrum is drawn */
  #draws(line) {
    this.notice.hidden = true;
    this.scene.frame = line;
    this.scene.view = spanOf(line);
    this.dirty = true;
  }

  /** @param {import('./track.js').Axis} axis @param {number} fromMs @param {number} toMs */
  #renew(axis, fromMs, toMs) {
    const { history } = this.scene,
      changed = renew(history, this.track, axis, this.newestRow, fromMs, toMs);
    if (changed <= 0) return;
    this.chosen = false;
    this.renderer.seen = Math.min(this.renderer.seen, history.total - changed);
    this.dirty = true;
  }

  /** @param {Track} track @param {Line} line @param {number} nowMs */
  #fill(track, line, nowMs) {
    const newest = this.track.pieces.at(-1),
      piece = track.add(line, this.#arrival(line, nowMs));
    if (piece && newest && piece.startMs < newest.startMs) return;
    track.older = this.track.older;
    this.track = track;
    this.filling = null;
    this.restart();
    this.dirty = true;
  }

  /** The lines of the past come once more, from an earlier time on. */
  refill() {
    this.filling = new Track();
  }

  /**
   * Reads the archive of the hub where neither the page nor the hub has lines.
   * @param {import('./track.js').Axis} axis
   * @param {number} fromMs
   * @param {number} toMs
   */
  async lookBack({ rowMs }, fromMs, toMs) {
    const { radio, archive, track } = this,
      firstMs = track.pieces[0]?.startMs ?? Infinity;
    if (
      !radio
      || firstMs <= fromMs
      || !(radio.archivedMs < Math.min(firstMs, toMs))
      || archive.has(fromMs, toMs, rowMs)
    )
      return;
    if (!(await archive.read(radio.name, fromMs, toMs, rowMs, this.waterfall.width))) return;
    this.track.older = archive.pieces;
    this.restart();
  }

  /** Lines that come now do not follow those before: the page, not the radio, missed what was between. */
  pause() {
    this.track.pause();
  }

  /** The axis has other rows now. */
  restart() {
    this.newestRow = -1;
  }

  /**
   * The newest line, or the one at the top of a waterfall of the past.
   * @param {import('./track.js').Axis} axis
   * @param {number} row
   */
  #choose(axis, row) {
    this.chosen = true;
    const line = this.past ? this.track.lineAt(axis, row, this.rows) : this.track.newest;
    if (line && line !== this.scene.frame) this.#draws(line);
    if (!line && this.past) {
      this.scene.frame = null;
      this.notice.hidden = false;
    }
    if (line && this.past && !this.track.newest)
      this.scene.range = this.scene.waterfallRange = this.follower.follow(null, line, 0);
  }

  /** @param {import('./track.js').Axis} axis @param {number} row  newest row @param {boolean} past */
  draw(axis, row, past) {
    const { scene } = this,
      { layout, theme } = scene;
    if (row !== this.newestRow || past !== this.past) {
      this.past = past;
      this.chosen = false;
      advance(scene.history, this.track, axis, this.newestRow, row, this.rows);
      if (this.newestRow < 0) this.renderer.seen = scene.history.total - scene.history.length;
      this.newestRow = row;
      this.#drawTimes(axis);
      this.dirty = true;
    }
    if (!this.chosen) this.#choose(axis, row);
    if (!this.dirty) return;
    this.dirty = false;
    const context = contextOf(this.chart);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    drawSpectrum(context, scene, layout, theme);
    this.renderer.draw(scene);
    this.#read();
  }

  /** @param {import('./track.js').Axis} axis */
  #drawTimes(axis) {
    const { scene } = this,
      { layout } = scene,
      context = contextOf(this.times);
    const perPx = axis.rowMs / (scene.rowPixels / this.ratio),
      step = 1000 * clockStep((MARKS_PX * perPx) / 1000),
      top = (this.newestRow + 1) * axis.rowMs;
    const marks = [];
    for (let at = step * Math.floor(top / step); (top - at) / perPx < layout.waterfallHeight; at -= step)
      marks.push({ y: layout.waterfallTop + (top - at) / perPx, text: formatTick(at) });
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, layout.gutter, layout.waterfallHeight);
    context.translate(0, -layout.waterfallTop);
    drawTimes(context, scene, layout, scene.theme, marks);
  }

  /** @param {{ x: number, y: number } | null} at  CSS pixels */
  #hover(at) {
    this.hovered = at;
    const inside = at && at.y >= this.scene.layout.waterfallTop;
    document.body.classList.toggle('at-time', Boolean(inside)); // the same time in all cards
    if (inside) document.body.style.setProperty('--time-age', `${at.y - this.scene.layout.waterfallTop}px`);
    this.#read();
  }

  /** What is under the pointer, or the strongest signal. */
  #read() {
    const { frame, history, layout, rowPixels, view } = this.scene,
      at = this.hovered;
    this.line.style.setProperty('--top', `${layout.waterfallTop}px`);
    if (!frame) return setText(this.reading, '');
    const old = this.past ? '' : this.radio?.state === 'gone' ? 'Last spectrum: ' : '';
    const peak = `${old}Peak ${frequencyText(frame, frame.peakHz, widthHz(view) / 1e4)} ${formatDb(frame.peakDb)} dBFS`;
    if (!at || at.x < layout.gutter || at.x > layout.gutter + layout.plotWidth) return setText(this.reading, peak);
    const hz = hzAtX(this.scene, layout, at.x),
      text = frequencyText(frame, hz, widthHz(view) / layout.plotWidth);
    const row =
      at.y < layout.waterfallTop
        ? null
        : history.at(Math.floor(((at.y - layout.waterfallTop) * this.ratio) / rowPixels));
    if (row === null) return setText(this.reading, `${text} ${formatDb(levelAt(frame, hz))} dBFS`);
    if (!row) return setText(this.reading, text);
    const what = row.gap ? row.gap.text : isEmpty(row) ? 'no line' : `${formatDb(rowLevel(row, hz))} dBFS`;
    setText(this.reading, `${text} ${what} ${formatClock(row.timeMs, 1)}`);
  }
}

/** The newest row of an axis whose top is this time. @param {import('./track.js').Axis} axis @param {number} nowMs */
export const topRow = (axis, nowMs) => rowNumber(axis, nowMs) - 1;
