// The layers over the plots: what is drawn on the overlay canvas or the chart's, and what a pointer can take hold of
// there.

/**
 * @typedef {import('./display.js').Scene} Scene
 *
 * @typedef {object} Point  of the plots
 * @property {number} x  CSS pixels
 * @property {number} y
 * @property {number} hz
 * @property {number} db  on the level axis; beyond its ends below the spectrum
 * @property {boolean} inSpectrum
 * @property {number} nearHz  distance to what the pointer may mean: a finger covers more than a mouse
 *
 * @typedef {'start' | 'move' | 'end'} Phase  of a drag; a click is a start and an end
 *
 * @typedef {object} Layer
 * @property {number} z  layers with a larger one are drawn over others and asked before them
 * @property {(context: CanvasRenderingContext2D, scene: Scene) => void} [draw]  in CSS pixels
 * @property {(scene: Scene) => boolean} [shown]  false: it draws nothing now; missing: always true
 * @property {boolean} [onChart]  drawn on the spectrum's own canvas, with each line: the overlay, which is larger,
 *   stays as it is
 * @property {'lines' | 'rows'} [moves]  the overlay is drawn anew with each line, or as rows scroll; missing: when it
 *   is asked to
 * @property {(x: number, y: number, scene: Scene, reach: number, shift: boolean) => unknown} [hit]  the handle within
 *   `reach` CSS pixels
 *   of x, y, with the key Shift or without it; null: none. A drag that starts there does not move the view
 * @property {(handle: any, point: Point, phase: Phase) => void} [drag]
 * @property {(point: Point) => boolean} [tap]  a click or tap where no layer has a handle; true: it is this layer's
 */

/** @param {Layer} layer @param {Scene} scene */
const isShown = (layer, scene) => layer.draw !== undefined && (layer.shown?.(scene) ?? true);

export class Layers {
  /** @type {Layer[]}  the lowest first */
  #layers = [];

  /** @param {Layer[]} layers */
  constructor(layers = []) {
    layers.forEach((layer) => this.add(layer));
  }

  /** @param {Layer} layer */
  add(layer) {
    this.#layers = [...this.#layers, layer].sort((a, b) => a.z - b.z);
  }

  /** The highest first. */
  get #downward() {
    return [...this.#layers].reverse();
  }

  /**
   * Those that draw something now, the lowest first.
   * @param {Scene} scene
   * @param {boolean} [onChart]  else on the overlay
   */
  shown(scene, onChart = false) {
    return this.#layers.filter((layer) => Boolean(layer.onChart) === onChart && isShown(layer, scene));
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {boolean} [onChart] */
  draw(context, scene, onChart) {
    for (const layer of this.shown(scene, onChart)) {
      context.save();
      layer.draw?.(context, scene);
      context.restore();
    }
  }

  /**
   * What a pointer at x, y takes hold of.
   * @param {number} x
   * @param {number} y
   * @param {Scene} scene
   * @param {number} reach  CSS pixels
   * @param {boolean} [shift]  the key is down
   * @returns {((point: Point, phase: Phase) => void) | null}
   */
  grip(x, y, scene, reach, shift = false) {
    for (const layer of this.#downward) {
      const handle = layer.hit?.(x, y, scene, reach, shift) ?? null;
      if (handle !== null) return (point, phase) => layer.drag?.(handle, point, phase);
    }
    return null;
  }

  /** @param {Point} point @returns {boolean}  false: nobody wants it */
  tap(point) {
    return this.#downward.some((layer) => layer.tap?.(point) ?? false);
  }
}
