// The limits of mask triggers over the spectrum, and a limit that is drawn by hand.

import { putPoint } from './mask.js';
import { yOf } from '../../plot/level_axis.js';
import { hzAt, widthHz, xAt } from '../../plot/view.js';

/**
 * @typedef {import('./triggers.js').MaskDraft} MaskDraft
 * @typedef {import('../../plot/display.js').Scene} Scene
 * @typedef {import('./triggers.js').Limit & { armed: boolean, change?: (points: Point[]) => void }} ShownLimit  change:
 *   its points can be dragged
 * @typedef {import('./mask.js').Point} Point
 * @typedef {{ index: number, points: Point[], change: (points: Point[]) => void, least: number }} Handle  index: of a
 *   point; -1: a new one; least: points that stay
 */

const HANDLE = 4; // CSS pixels

export class MaskLayer {
  z = 22;

  /**
   * @param {() => ShownLimit[]} limits  of triggers or measurements
   * @param {() => MaskDraft | null} draft @param {(draft: MaskDraft) => void} change
   */
  constructor(limits, draft, change) {
    this.limits = limits;
    this.draft = draft;
    this.change = change;
  }

  shown() {
    return this.draft() !== null || this.limits().length > 0;
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene */
  draw(context, scene) {
    const { layout } = scene,
      draft = this.draft();
    this.scene = scene;
    context.beginPath();
    context.rect(layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
    context.clip();
    context.lineJoin = 'round';
    for (const { side, points, armed, change } of this.limits()) {
      context.globalAlpha = draft ? 0.4 : 1;
      this.#drawLimit(context, scene, side, points, armed ? [] : [5, 4]);
      if (change && !draft) this.#drawHandles(context, scene, points);
    }
    context.globalAlpha = 1;
    if (!draft) return;
    this.#drawLimit(context, scene, draft.side, draft.points, []);
    this.#drawHandles(context, scene, draft.points);
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Point[]} points */
  #drawHandles(context, scene, points) {
    context.fillStyle = scene.theme.plot;
    context.setLineDash([]);
    for (const point of points) {
      const { x, y } = this.#place(scene, point);
      context.beginPath();
      context.arc(x, y, HANDLE, 0, 7);
      context.fill();
      context.stroke();
    }
  }

  /** @param {Scene} scene @param {import('./mask.js').Point} point */
  #place(scene, { hz, db }) {
    const { layout, view } = scene;
    return { x: layout.gutter + xAt(view, hz) * layout.plotWidth, y: yOf(scene, layout, db) };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Scene} scene
   * @param {'upper' | 'lower'} side
   * @param {import('./mask.js').Point[]} points
   * @param {number[]} dash
   */
  #drawLimit(context, scene, side, points, dash) {
    const { layout, theme } = scene,
      edge = side === 'upper' ? layout.top : layout.top + layout.spectrumHeight,
      alpha = context.globalAlpha;
    const places = points.map((point) => this.#place(scene, point));
    if (places.length === 0) return;
    context.strokeStyle = context.fillStyle = side === 'upper' ? theme.gap : theme.accent;
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    context.beginPath();
    for (const { x, y } of places) context.lineTo(x, y);
    context.stroke();
    context.lineTo(places[places.length - 1].x, edge); // what is beyond the limit
    context.lineTo(places[0].x, edge);
    context.globalAlpha = 0.07 * alpha;
    context.fill();
    context.globalAlpha = alpha;
  }

  /**
   * While a limit is drawn, all of the spectrum is its own; of other limits the points are.
   * @param {number} x
   * @param {number} y
   * @param {Scene} scene
   * @param {number} reach
   * @returns {Handle | null}
   */
  hit(x, y, scene, reach) {
    const { layout } = scene,
      draft = this.draft();
    if (x < layout.gutter || y < layout.top || y > layout.top + layout.spectrumHeight) return null;
    if (draft) {
      const { index, distance } = this.#nearest(x, y, scene, draft.points);
      const change = (/** @type {Point[]} */ points) => this.change({ ...draft, points });
      return { index: distance <= reach ? index : -1, points: draft.points, change, least: 0 };
    }
    for (const { points, change } of this.limits()) {
      const { index, distance } = this.#nearest(x, y, scene, points);
      if (change && distance <= reach) return { index, points, change, least: 2 };
    }
    return null;
  }

  /** @param {number} x @param {number} y @param {Scene} scene @param {Point[]} points */
  #nearest(x, y, scene, points) {
    const distances = points.map((point) => {
      const place = this.#place(scene, point);
      return Math.hypot(place.x - x, place.y - y);
    });
    const distance = Math.min(...distances);
    return { index: distances.indexOf(distance), distance };
  }

  /**
   * A point that is dragged below or above the spectrum is removed.
   * @param {Handle} handle
   * @param {import('../../plot/layers.js').Point} point
   * @param {import('../../plot/layers.js').Phase} phase
   */
  drag(handle, { hz, db, y }, phase) {
    const { scene } = this;
    if (!scene || (phase === 'start' && handle.index >= 0)) return;
    const { layout, view } = scene,
      isOut = y < layout.top - 8 || y > layout.top + layout.spectrumHeight + 8;
    if (phase === 'end') {
      if (isOut && handle.index >= 0 && handle.points.length > handle.least)
        handle.change(handle.points.filter((_, i) => i !== handle.index));
      return;
    }
    const { topDb, bottomDb } = scene.range,
      inside = Math.min(topDb, Math.max(bottomDb, db));
    const { points, index } = putPoint(
      handle.points,
      handle.index,
      { hz: Math.min(hzAt(view, 1), Math.max(hzAt(view, 0), hz)), db: inside },
      (2 * widthHz(view)) / layout.plotWidth,
    );
    Object.assign(handle, { index, points });
    handle.change(points);
  }
}
