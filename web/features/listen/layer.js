// The pass band of what is listened to, over the spectrum: its middle and its edges can be dragged.

import { dragged, modeOf, MODES, passBand } from './listen.js';
import { niceStep } from '../../plot/axis.js';
import { widthHz, xAt } from '../../plot/view.js';

/**
 * @typedef {import('./listen.js').Tuned} Tuned
 * @typedef {import('../../plot/display.js').Scene} Scene
 * @typedef {{ part: 'low' | 'high' | 'middle', from: Tuned, fromHz: number }} Handle
 */

const LEAST = 8; // CSS pixels of a band that can still be taken hold of

export class ListenLayer {
  z = 22;

  /** @param {() => Tuned | null} tuned  null: nothing is shown @param {(tuned: Tuned) => void} change */
  constructor(tuned, change) {
    this.tuned = tuned;
    this.change = change;
    /** @type {Scene | null} */
    this.scene = null;
  }

  shown() {
    return this.tuned() !== null;
  }

  /** @param {Tuned} tuned @param {Scene} scene */
  #edges(tuned, { view, layout }) {
    const { lowHz, highHz } = passBand(tuned);
    const [left, right, carrier] = [lowHz, highHz, tuned.hz].map(
      (hz) => layout.gutter + xAt(view, hz) * layout.plotWidth,
    );
    return { left, right, carrier };
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene */
  draw(context, scene) {
    this.scene = scene;
    const tuned = this.tuned(),
      { layout, theme } = scene;
    if (!tuned || !scene.frame) return;
    const { left, right, carrier } = this.#edges(tuned, scene),
      { top, spectrumHeight, gutter, plotWidth } = layout;
    context.beginPath();
    context.rect(gutter, top, plotWidth, spectrumHeight);
    context.clip();
    context.fillStyle = theme.accent;
    context.globalAlpha = 0.2;
    context.fillRect(left, top, Math.max(1, right - left), spectrumHeight);
    context.globalAlpha = 1;
    for (const x of [left, right]) context.fillRect(Math.round(x) - 0.5, top, 1, spectrumHeight);
    context.fillRect(Math.round(carrier) - 1, top, 2, spectrumHeight);
    const text = MODES[modeOf(tuned)].word;
    context.font = `12px ${theme.font}`;
    context.textBaseline = 'top';
    const width = context.measureText(text).width + 6,
      at = Math.max(gutter, Math.min(gutter + plotWidth - width, right + 2));
    context.globalAlpha = 0.8;
    context.fillStyle = theme.plot;
    context.fillRect(at, top + 2, width, 17);
    context.globalAlpha = 1;
    context.fillStyle = theme.text;
    context.fillText(text, at + 3, top + 4);
  }

  /** @param {number} x @param {number} y @param {Scene} scene @param {number} reach @returns {Handle | null} */
  hit(x, y, scene, reach) {
    const tuned = this.tuned(),
      { layout } = scene;
    if (!tuned || y < layout.top || y > layout.top + layout.spectrumHeight) return null;
    const { left, right, carrier } = this.#edges(tuned, scene),
      narrow = right - left < LEAST;
    const near = (/** @type {number} */ at) => Math.abs(x - at) <= reach / 2;
    const part =
      !narrow && near(left)
        ? 'low'
        : !narrow && near(right)
          ? 'high'
          : near(carrier) || (x > left && x < right)
            ? 'middle'
            : null;
    return part && { part, from: tuned, fromHz: NaN };
  }

  /**
   * @param {Handle} handle
   * @param {import('../../plot/layers.js').Point} point
   * @param {import('../../plot/layers.js').Phase} phase
   */
  drag(handle, { hz }, phase) {
    if (phase === 'start') handle.fromHz = hz;
    if (phase !== 'move' || !this.scene) return;
    const step = Math.max(1, niceStep(widthHz(this.scene.view) / 2000));
    this.change(dragged(handle.from, handle.part, hz - handle.fromHz, step));
  }
}
