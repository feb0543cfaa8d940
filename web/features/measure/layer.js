// The bands of measurements over the spectrum: an edge is dragged, the bar at the bottom moves the whole band.

import { rbwHz } from '../../net/wire.js';
import { headline, hzKey, valueText } from '../../util/measure_text.js';
import { labelOf as wordsOf } from '../../util/words.js';
import { bandsOf, dragBand } from '../../plot/bands.js';
import { widthHz, xAt } from '../../plot/view.js';

/**
 * @typedef {import('./measure.js').Measurement} Measurement
 * @typedef {import('../../plot/display.js').Scene} Scene
 * @typedef {{ measurement: Measurement, part: import('../../plot/bands.js').Part, fromHz: number, keys: Record<string,
 *   string> }} Handle
 */

const BAR = 12,
  BRACKET = 6,
  LABEL_ROW = 19; // CSS pixels
const LEAST_RBW = 3; // narrower channels are refused

/** Its edges on screen. @param {Scene} scene @param {import('../../plot/bands.js').Band} band */
function edgesOf({ view, layout }, { lowHz, highHz }) {
  const at = (/** @type {number} */ hz) => layout.gutter + xAt(view, hz) * layout.plotWidth;
  return { left: at(lowHz), right: at(highHz) };
}

/** "carrier \u221220.00 dBFS PASS" @param {Measurement} measurement @param {number} resolutionHz */
function labelOf(measurement, resolutionHz) {
  const name = measurement.reason === null ? headline(measurement) : undefined;
  const { number, unit } = name ? valueText(name, measurement.values[name], resolutionHz) : { number: '--', unit: '' };
  const title = measurement.name === measurement.type ? wordsOf(measurement.type) : measurement.name;
  return `${title}  ${number} ${unit}${measurement.verdict ? `  ${measurement.verdict.toUpperCase()}` : ''}`;
}

export class BandLayer {
  z = 20;

  /**
   * @param {() => Measurement[]} measurements  whose bands are shown
   * @param {(measurement: Measurement) => boolean} mayChange
   * @param {(measurement: Measurement, keys: Record<string, string>) => void} change
   * @param {(measurement: Measurement) => boolean} [isSelected]  its band is filled, others have brackets
   */
  constructor(measurements, mayChange, change, isSelected = () => false) {
    this.isSelected = isSelected;
    this.measurements = measurements;
    this.mayChange = mayChange;
    this.change = change;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{ text: string, left: number, right: number, row: number }[]}  labels on screen */
    this.labels = [];
  }

  shown() {
    return this.measurements().some(({ name, type, keys }) => bandsOf(name, type, keys ?? {}).length > 0);
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene */
  draw(context, scene) {
    this.scene = scene;
    const { layout, theme, frame } = scene;
    if (!frame) return;
    context.beginPath();
    context.rect(layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
    context.clip();
    context.font = `12px ${theme.font}`;
    context.textBaseline = 'top';
    context.textAlign = 'left';
    this.labels = [];
    for (const measurement of this.measurements())
      for (const band of bandsOf(measurement.name, measurement.type, measurement.keys ?? {}))
        this.#drawBand(context, scene, measurement, band);
    for (const label of this.labels) this.#drawLabel(context, scene, label);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Scene} scene
   * @param {Measurement} measurement
   * @param {import('../../plot/bands.js').Band} band
   */
  #drawBand(context, scene, measurement, band) {
    const { layout, theme } = scene,
      { left, right } = edgesOf(scene, band),
      { top, spectrumHeight } = layout;
    if (right < layout.gutter || left > layout.gutter + layout.plotWidth) return;
    context.fillStyle = measurement.verdict === 'fail' ? theme.gap : theme.mark;
    if (this.isSelected(measurement)) {
      context.globalAlpha = band.main ? 0.16 : 0.08;
      context.fillRect(left, top, right - left, spectrumHeight);
    }
    context.globalAlpha = band.main ? 1 : 0.5;
    for (const [x, inward] of [
      [left, BRACKET],
      [right, -BRACKET],
    ]) {
      context.fillRect(Math.round(x) - 0.5, top, 1, spectrumHeight);
      for (const y of [top, top + spectrumHeight - 1]) context.fillRect(Math.round(x), y, inward, 1);
    }
    context.globalAlpha = 1;
    if (!band.main) return;
    if (this.mayChange(measurement)) context.fillRect(left, top + spectrumHeight - BAR / 3, right - left, BAR / 3);
    this.#placeLabel(
      context,
      scene,
      left,
      labelOf(measurement, rbwHz(/** @type {import('../../net/wire.js').Frame} */ (scene.frame))),
    );
  }

  /**
   * In the lowest row where it covers no other.
   * @param {CanvasRenderingContext2D} context
   * @param {Scene} scene
   * @param {number} edge
   * @param {string} text
   */
  #placeLabel(context, { layout }, edge, text) {
    const width = context.measureText(text).width + 6;
    const left = Math.min(layout.gutter + layout.plotWidth - width - 3, Math.max(layout.gutter + 1, edge + 1)),
      right = left + width;
    const taken = this.labels.filter((label) => label.left < right && label.right > left).map(({ row }) => row);
    let row = 0;
    while (taken.includes(row)) row += 1;
    this.labels.push({ text, left, right, row });
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {BandLayer['labels'][number]} label */
  #drawLabel(context, { layout, theme }, { text, left, right, row }) {
    const y = layout.top + layout.spectrumHeight - 24 - row * LABEL_ROW;
    context.globalAlpha = 0.8;
    context.fillStyle = theme.plot;
    context.fillRect(left, y - 2, right - left, 17);
    context.globalAlpha = 1;
    context.fillStyle = theme.text;
    context.fillText(text, left + 3, y);
  }

  /**
   * The bar is at the bottom, where no trace has its peaks.
   * @param {number} x
   * @param {number} y
   * @param {Scene} scene
   * @param {number} reach
   * @returns {Handle | null}
   */
  hit(x, y, scene, reach) {
    const { layout } = scene,
      bottom = layout.top + layout.spectrumHeight;
    if (y < layout.top || y > bottom) return null;
    /** @type {{ handle: Handle, distance: number } | null} */
    let best = null;
    for (const measurement of this.measurements()) {
      const keys = measurement.keys ?? {},
        [band] = bandsOf(measurement.name, measurement.type, keys);
      if (!band || !this.mayChange(measurement)) continue;
      const { left, right } = edgesOf(scene, band);
      const onBar = y > bottom - Math.max(BAR, reach) && x > left && x < right;
      const parts = /** @type {[import('../../plot/bands.js').Part, number][]} */ ([
        ['low', Math.abs(x - left)],
        ['high', Math.abs(x - right)],
        ['middle', onBar ? reach / 2 : Infinity],
      ]);
      for (const [part, distance] of parts)
        if (distance <= reach && (!best || distance < best.distance))
          best = { handle: { measurement, part, fromHz: NaN, keys }, distance };
    }
    return best?.handle ?? null;
  }

  /**
   * @param {Handle} handle
   * @param {import('../../plot/layers.js').Point} point
   * @param {import('../../plot/layers.js').Phase} phase
   */
  drag(handle, { hz }, phase) {
    const { frame, view } = this.scene ?? {};
    if (phase === 'start') handle.fromHz = hz;
    if (phase !== 'move' || !frame || !view) return;
    const { measurement, part, fromHz, keys } = handle;
    this.change(
      measurement,
      dragBand(measurement.type, keys, part, hz - fromHz, LEAST_RBW * rbwHz(frame), (edge) =>
        hzKey(edge, widthHz(view) / 1e4),
      ),
    );
  }
}
