// Events of triggers at the waterfall's time axis, and the place of the one that was clicked.

import { xAt } from '../../plot/view.js';

/**
 * @typedef {import('./triggers.js').TriggerEvent} TriggerEvent
 * @typedef {import('../../plot/display.js').Scene} Scene
 */

const MARK = 7; // CSS pixels

/**
 * Ages in rows of the first and the last row of an event; null: it is not among the rows.
 * @param {import('../../plot/history.js').History} history
 * @param {{ line: number, duration_s: number }} event
 * @returns {{ from: number, to: number } | null}
 */
export function rowsOfEvent(history, { line, duration_s }) {
  let low = 0,
    high = history.length;
  while (low < high) {
    // the first age whose rows are not newer
    const middle = (low + high) >> 1,
      row = history.at(middle);
    if (row && row.firstLine > line) low = middle + 1;
    else high = middle;
  }
  const first = history.at(low);
  if (!first || first.gap || first.line < line) return null;
  let to = low;
  for (let age = low - 1; age >= 0; age--) {
    const row = history.at(age);
    if (!row || row.run !== first.run || row.timeMs >= first.timeMs + 1000 * duration_s) break;
    to = age;
  }
  return { from: low, to };
}

export class EventLayer {
  z = 25;
  moves = /** @type {const} */ ('rows');

  /**
   * @param {() => TriggerEvent[]} events  that are shown
   * @param {() => number | null} selected  id
   * @param {(event: TriggerEvent) => void} select
   */
  constructor(events, selected, select) {
    this.events = events;
    this.selected = selected;
    this.select = select;
  }

  shown() {
    return this.events().length > 0;
  }

  /** Their places on screen. @param {Scene} scene @param {number} ratio  device pixels to CSS pixels */
  #places({ history, layout, rowPixels, shift }, ratio) {
    const at = (/** @type {number} */ age) => layout.waterfallTop + (age * rowPixels - shift) / ratio;
    return this.events().flatMap((event) => {
      const rows = rowsOfEvent(history, event),
        top = rows ? at(rows.to) : Infinity,
        bottom = rows ? at(rows.from + 1) : 0;
      return rows && top < layout.height && bottom > layout.waterfallTop ? [{ event, top, bottom }] : [];
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene */
  draw(context, scene) {
    const { layout, theme, view } = scene,
      right = layout.gutter + layout.plotWidth;
    this.ratio = context.getTransform().a;
    context.beginPath();
    context.rect(0, layout.waterfallTop, layout.width, layout.waterfallHeight);
    context.clip();
    for (const { event, top, bottom } of this.#places(scene, this.ratio)) {
      const isSelected = event.id === this.selected(),
        middle = (top + bottom) / 2;
      context.fillStyle = isSelected ? theme.text : theme.mark;
      context.beginPath(); // points at the row from the axis
      context.moveTo(layout.gutter, middle);
      context.lineTo(layout.gutter - MARK, middle - MARK / 2);
      context.lineTo(layout.gutter - MARK, middle + MARK / 2);
      context.fill();
      if (!isSelected) continue;
      const [low, high] = [event.low_hz ?? view.lowHz, event.high_hz ?? view.highHz].map(
        (hz) => layout.gutter + xAt(view, hz) * layout.plotWidth,
      );
      const from = Math.max(layout.gutter, low - 3),
        to = Math.min(right, high + 3);
      for (const [color, width] of /** @type {[string, number][]} */ ([
        ['#000a', 4],
        ['#fff', 1.5],
      ])) {
        // on any colour of the waterfall
        context.strokeStyle = color;
        context.lineWidth = width;
        if (to > from) context.strokeRect(from, top - 2, to - from, bottom - top + 4);
      }
    }
  }

  /** @param {number} x @param {number} y @param {Scene} scene @param {number} reach @returns {TriggerEvent | null} */
  hit(x, y, scene, reach) {
    const { layout } = scene;
    if (y < layout.waterfallTop || x < layout.gutter - 2 * MARK || x > layout.gutter + MARK / 2) return null;
    return (
      this.#places(scene, this.ratio ?? 1).find(
        ({ top, bottom }) => Math.abs((top + bottom) / 2 - y) <= Math.min(reach, 10),
      )?.event ?? null
    );
  }

  /** @param {TriggerEvent} event @param {unknown} _point @param {import('../../plot/layers.js').Phase} phase */
  drag(event, _point, phase) {
    if (phase === 'end') this.select(event);
  }
}
