// The cards of the chosen radios and the panorama: what is drawn, and when.

import { Card, topRow } from './card.js';
import { PanoramaView } from './panorama_view.js';
import { byId, onPixelRatio } from '../util/dom.js';

/**
 * @typedef {import('./radios.js').Radio} Radio
 * @typedef {import('./line_reader.js').Line} Line
 */

/** The top of the waterfalls is this far back: a line comes when its last sample has. */
const BEHIND_MS = 400;
const COLORS = /** @type {const} */ (['t1', 't2', 't3', 't4', 't5', 't6']);

export class Stage {
  /** @type {Map<string, Card>} by name, in the order in which they are shown */
  cards = new Map();
  /** @type {Map<string, Line>} newest of each radio that was wanted */
  newest = new Map();
  axis = { rowMs: 100 };
  #seconds = 30;
  /** Unix time at the top of the waterfalls; null: live. @type {number | null} */
  atMs = null;
  #scheduled = false;
  #panoramaDirty = true;

  /**
   * @param {object} options
   * @param {() => number} options.now  the hub's clock, ms
   * @param {'2d' | 'gl' | undefined} options.renderer
   * @param {(name: string) => void} options.onClose
   * @param {import('./control.js').Asker} options.asker
   * @param {(plots: HTMLElement, layout: () => import('../plot/layout.js').Layout) => void} options.onCard
   */
  constructor(options) {
    this.options = options;
    this.element = byId('cards');
    this.panorama = new PanoramaView(() => {
      this.#panoramaDirty = true;
      this.#schedule();
    });
    /** @type {string[]} */
    this.stitched = [];
    /** @type {Map<string, Radio>} */
    this.radios = new Map();
    this.observer = new ResizeObserver(() => this.resize());
    onPixelRatio(() => this.resize());
    this.observer.observe(this.panorama.box);
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => {
      for (const card of this.cards.values()) card.readColors();
      this.panorama.readColors();
    });
  }

  /**
   * Shows these radios, and no others.
   * @param {string[]} names  chosen
   * @param {string[]} stitched  of the panorama
   * @param {Map<string, Radio>} radios  by name
   */
  show(names, stitched, radios) {
    this.radios = radios;
    const same = names.join() === [...this.cards.keys()].join();
    if (!same) this.#choose(names);
    this.stitched = stitched;
    for (const [name, card] of this.cards) {
      const radio = radios.get(name);
      if (radio) card.show(radio, this.options.now());
    }
    for (const name of this.newest.keys()) if (!stitched.includes(name)) this.newest.delete(name);
    this.#panoramaDirty = true;
    this.#schedule();
  }

  /** @param {string} name @param {typeof COLORS[number]} color */
  #make(name, color) {
    const { renderer, asker, onClose, onCard } = this.options,
      card = new Card(color, renderer, () => onClose(name), asker);
    onCard(card.plots, () => card.scene.layout);
    return card;
  }

  /** @param {string[]} names */
  #choose(names) {
    const before = this.cards;
    const free = COLORS.filter(
      (color) => ![...before].some(([name, card]) => names.includes(name) && card.color === color),
    );
    this.cards = new Map(names.map((name) => [name, before.get(name) ?? this.#make(name, free.shift() ?? COLORS[0])]));
    this.element.replaceChildren(...[...this.cards.values()].map(({ element }) => element));
    for (const [name, card] of before) if (this.cards.get(name) !== card) this.observer.unobserve(card.plots);
    for (const card of this.cards.values()) this.observer.observe(card.plots);
    this.element.dataset.count = String(names.length);
    this.resize();
  }

  /** After a change of the layout, or of the time axis. */
  resize() {
    for (const card of this.cards.values()) card.resize();
    const rows = Math.max(...[...this.cards.values()].map((card) => card.rows)); // one with an open control shows less
    if (Number.isFinite(rows))
      this.axis = { rowMs: Math.max(10, Math.round((1000 * this.#seconds) / Math.max(1, rows))) };
    for (const card of this.cards.values()) card.restart();
    this.panorama.resize();
    this.#schedule();
  }

  /** @param {number} seconds  of the time axis */
  setSeconds(seconds) {
    if (seconds === this.#seconds) return;
    this.#seconds = seconds;
    this.resize();
  }

  get axisMs() {
    return 1000 * this.#seconds;
  }

  /** @param {number | null} atMs */
  moveTo(atMs) {
    this.atMs = atMs;
    this.#panoramaDirty = true;
    this.#schedule();
  }

  /** Reads what is to be seen and neither here nor in the hub's memory. */
  lookBack() {
    const toMs = this.atMs ?? this.options.now();
    for (const card of this.cards.values())
      card.lookBack(this.axis, toMs - this.axisMs, toMs).then(() => this.#schedule());
  }

  /** Whether the page has all lines since this time. @param {number} fromMs */
  reaches(fromMs) {
    return [...this.cards.values()].every(({ track }) => track.pieces.length > 0 && track.pieces[0].startMs <= fromMs);
  }

  /** All lines come once more, from an earlier time on. */
  refill() {
    for (const card of this.cards.values()) card.refill();
  }

  /** The connection was lost: what comes next does not follow what came before. */
  pause() {
    for (const card of this.cards.values()) card.pause();
  }

  /** @param {string} name @param {Line} line */
  add(name, line) {
    this.newest.set(name, line);
    this.cards.get(name)?.add(line, this.axis, this.options.now());
    this.#panoramaDirty = true;
    this.#schedule();
  }

  #schedule() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#draw();
    });
  }

  #draw() {
    const row = topRow(this.axis, this.atMs ?? this.options.now() - BEHIND_MS);
    for (const card of this.cards.values()) card.draw(this.axis, row, this.atMs !== null);
    if (this.#panoramaDirty && !this.panorama.element.hidden) this.#drawPanorama();
    this.#panoramaDirty = false;
  }

  #drawPanorama() {
    const parts = this.stitched.flatMap((name, i) => {
      const frame = this.atMs === null ? this.newest.get(name) : this.cards.get(name)?.scene.frame,
        color = this.cards.get(name)?.color ?? COLORS[i % COLORS.length];
      return frame ? [{ name, color, frame, gone: this.atMs === null && this.radios.get(name)?.state === 'gone' }] : [];
    });
    this.panorama.show(parts, performance.now());
    this.panorama.draw();
  }

  /** Scrolls on while no line comes. */
  tick() {
    if (this.cards.size > 0) this.#schedule();
  }
}

/** Milliseconds between two ticks: a row of the axis, as far as that is of use. @param {{ rowMs: number }} axis */
export const tickMs = ({ rowMs }) => Math.max(50, Math.min(1000, rowMs));
