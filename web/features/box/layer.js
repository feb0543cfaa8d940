// A box that is drawn on the waterfall with Shift and a drag, or after its button.

import { boxOf } from './box.js';
import { rowsOfEvent } from '../triggers/event_layer.js';
import { xAt } from '../../plot/view.js';

/**
 * @typedef {import('./box.js').Box} Box
 * @typedef {import('../../plot/display.js').Scene} Scene
 * @typedef {{ row: import('../../plot/history.js').Row | null, hz: number }} Handle  where the drag began
 */

export class BoxLayer {
  z = 30;
  moves = /** @type {const} */ ('rows');

  /** @param {() => import('./box.js').BoxState} state @param {(box: Box | null, done: boolean) => void} change */
  constructor(state, change) {
    this.state = state;
    this.change = change;
  }

  shown() {
    return this.state().box !== null;
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene */
  draw(context, scene) {
    const { layout, view, history, rowPixels, shift } = scene,
      { box } = this.state();
    const rows = box && rowsOfEvent(history, { line: box.line, duration_s: (box.toMs - box.fromMs) / 1000 });
    if (!box || !rows) return;
    const ratio = context.getTransform().a,
      at = (/** @type {number} */ age) => layout.waterfallTop + (age * rowPixels - shift) / ratio;
    const [left, right] = [box.lowHz, box.highHz].map((hz) => layout.gutter + xAt(view, hz) * layout.plotWidth),
      top = at(rows.to);
    context.beginPath();
    context.rect(layout.gutter, layout.waterfallTop, layout.plotWidth, layout.waterfallHeight);
    context.clip();
    for (const [color, width] of /** @type {[string, number][]} */ ([
      ['#000a', 4],
      ['#fff', 1.5],
    ])) {
      // on any colour of the waterfall
      context.strokeStyle = color;
      context.lineWidth = width;
      context.strokeRect(left, top, right - left, at(rows.from + 1) - top);
    }
  }

  /**
   * @param {number} y
   * @param {Scene} scene
   * @returns {import('../../plot/history.js').Row | null}  the row there, else the oldest or newest
   */
  #rowAt(y, { history, layout, rowPixels, shift }) {
    const age = Math.floor(((y - layout.waterfallTop) * (this.ratio ?? 1) + shift) / rowPixels);
    for (let i = Math.min(history.length - 1, Math.max(0, age)); i >= 0; i--) {
      const row = history.at(i);
      if (row && !row.gap) return row;
    }
    return null;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {Scene} scene
   * @param {number} _reach
   * @param {boolean} shift  the key is down
   * @returns {Handle | null}
   */
  hit(x, y, scene, _reach, shift) {
    const { layout } = scene;
    this.scene = scene;
    this.ratio = Math.min(4, globalThis.devicePixelRatio || 1); // as the display's
    if (!(shift || this.state().boxing) || x < layout.gutter || y < layout.waterfallTop) return null;
    return { row: null, hz: NaN };
  }

  /**
   * @param {Handle} handle
   * @param {import('../../plot/layers.js').Point} point
   * @param {import('../../plot/layers.js').Phase} phase
   */
  drag(handle, { y, hz }, phase) {
    const { scene } = this,
      row = scene && this.#rowAt(y, scene);
    if (!row) return;
    if (phase === 'start') Object.assign(handle, { row, hz }); // it stays at its line while lines come
    if (!handle.row || phase === 'start') return this.change(null, false);
    if (phase === 'end') return this.change(this.state().box, true);
    const { lowHz, highHz } = scene.view,
      newest = scene.history.at(0),
      index = scene.history.toArray().indexOf(row);
    const next = scene.history.toArray()[index + 1] ?? newest,
      before = scene.history.toArray()[index - 1];
    const rowMs = next && next.timeMs > row.timeMs ? next.timeMs - row.timeMs : before ? row.timeMs - before.timeMs : 0;
    this.change(
      boxOf(handle.row, row, Math.max(lowHz, handle.hz), Math.min(highHz, Math.max(lowHz, hz)), Math.max(0, rowMs)),
      false,
    );
  }
}
