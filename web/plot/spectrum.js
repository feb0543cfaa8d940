// Draws the trace with its level and frequency axes, in CSS pixels.

import { ticks } from './axis.js';
import { axisUnit } from './frequency.js';
import { axisShift, yOf } from './level_axis.js';
import { decimals, fixed, formatDb } from '../util/format.js';
import { coarseTrace, fineTrace, COARSE_PIXELS } from './trace.js';
import { drawTraces } from './traces.js';
import { hzAt, widthHz, xAt } from './view.js';

/**
 * @typedef {import('./display.js').Layout} Layout
 * @typedef {import('./display.js').Scene} Scene
 * @typedef {import('./display.js').Theme} Theme
 * @typedef {CanvasRenderingContext2D} Context
 */

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
function levelAxis(context, scene, layout, theme) {
  const shift = axisShift(scene);
  const { values, step } = ticks(
    scene.range.bottomDb + shift,
    scene.range.topDb + shift,
    Math.max(2, layout.spectrumHeight / 23),
  );
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const db of values) {
    const y = Math.round(yOf(scene, layout, db - shift)) + 0.5;
    context.fillStyle = theme.grid;
    context.fillRect(layout.gutter, y - 0.5, layout.plotWidth, 1);
    context.fillStyle = theme.dim;
    const inside = Math.min(layout.top + layout.spectrumHeight - 6, Math.max(layout.top + 6, y));
    context.fillText(formatDb(db, decimals(step)), layout.gutter - 7, inside);
  }
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
function frequencyAxis(context, scene, layout, theme) {
  const { view } = scene,
    y = layout.top + layout.spectrumHeight;
  // As many ticks as there is room for labels. The finest step has the longest labels.
  const { zeroHz, scale, unit } = axisUnit(/** @type {import('../net/wire.js').Frame} */ (scene.frame), view);
  const finest = decimals(widthHz(view) / 10 / scale);
  const label = context.measureText(fixed((view.highHz - zeroHz) / scale, finest)).width + 26;
  const { values, step } = ticks(
    (view.lowHz - zeroHz) / scale,
    (view.highHz - zeroHz) / scale,
    Math.max(1, layout.plotWidth / label),
  );
  const digits = decimals(step);
  const unitWidth = context.measureText(unit).width + 14;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  for (const value of values) {
    const x = Math.round(layout.gutter + xAt(view, zeroHz + value * scale) * layout.plotWidth) + 0.5;
    context.fillStyle = theme.grid;
    context.fillRect(x - 0.5, layout.top, 1, layout.spectrumHeight);
    context.fillStyle = theme.edge;
    context.fillRect(x - 0.5, y, 1, 5);
    const text = fixed(value, digits),
      half = context.measureText(text).width / 2;
    if (x - half < layout.gutter - 20 || x + half > layout.gutter + layout.plotWidth - unitWidth) continue;
    context.fillStyle = theme.text;
    context.fillText(text, x, y + layout.axisHeight / 2 + 2);
  }
  context.fillStyle = theme.dim;
  context.textAlign = 'right';
  context.fillText(unit, layout.gutter + layout.plotWidth - 4, y + layout.axisHeight / 2 + 2);
  context.textAlign = 'left';
  context.fillText(scene.levels.unit, 6, y + layout.axisHeight / 2 + 2);
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
function trace(context, scene, layout, theme) {
  const frame = /** @type {import('../net/wire.js').Frame} */ (scene.frame);
  const ratio = context.getTransform().a,
    pixels = Math.round(layout.plotWidth * ratio);
  const inView = widthHz(scene.view) / frame.columnHz;
  if (inView > pixels / COARSE_PIXELS) fineTrace(context, scene, layout, theme, pixels);
  else coarseTrace(context, scene, layout, theme);
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
export function drawSpectrum(context, scene, layout, theme) {
  context.fillStyle = theme.page; // the canvas is opaque: the browser need not blend it
  context.fillRect(0, 0, layout.width, layout.waterfallTop);
  context.font = `11px ${theme.font}`;
  context.fillStyle = theme.plot;
  context.fillRect(layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
  if (scene.density)
    context.drawImage(scene.density, layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
  if (!scene.frame) return;
  levelAxis(context, scene, layout, theme);
  frequencyAxis(context, scene, layout, theme);
  context.save();
  context.beginPath();
  context.rect(layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
  context.clip();
  trace(context, scene, layout, theme);
  drawTraces(context, scene, layout, theme);
  context.restore();
}

/**
 * Times next to the waterfall, at the rows where the clock passes a multiple of the step.
 * @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme
 * @param {{ y: number, text: string }[]} marks
 */
export function drawTimes(context, scene, layout, theme, marks) {
  context.font = `11px ${theme.font}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { y, text } of marks) {
    context.fillStyle = theme.edge;
    context.fillRect(layout.gutter - 5, Math.round(y), 5, 1);
    context.fillStyle = theme.dim;
    if (y > layout.waterfallTop + 6) context.fillText(text, layout.gutter - 7, y);
  }
}

/**
 * A bar along the rows that can still be recorded.
 * @param {Context} context @param {Layout} layout @param {Theme} theme
 * @param {number} end  its y
 */
export function drawRing(context, layout, theme, end) {
  context.fillStyle = theme.mark;
  context.fillRect(layout.gutter - 2, layout.waterfallTop, 2, end - layout.waterfallTop);
}

/** @param {Scene} scene @param {Layout} layout @param {number} x  CSS pixels */
export const hzAtX = (scene, layout, x) => hzAt(scene.view, (x - layout.gutter) / layout.plotWidth);

/** @param {Scene} scene @param {Layout} layout @param {number} y  CSS pixels */
export const dbAtY = ({ range }, layout, y) =>
  range.topDb - ((y - layout.top) / layout.spectrumHeight) * (range.topDb - range.bottomDb);
