// Draws the trace with its level and frequency axes, in CSS pixels.

import { ticks } from './axis.js';
import { axisUnit } from './frequency.js';
import { decimals, fixed, formatDb } from '../util/format.js';
import { hzAt, widthHz, xAt } from './view.js';

/**
 * @typedef {import('./display.js').Layout} Layout
 * @typedef {import('./display.js').Scene} Scene
 * @typedef {import('./display.js').Theme} Theme
 * @typedef {CanvasRenderingContext2D} Context
 */

/** @param {Scene} scene @param {Layout} layout @param {number} db */
export const yOf = (scene, layout, db) => layout.top
  + (scene.range.topDb - db) / (scene.range.topDb - scene.range.bottomDb) * layout.spectrumHeight;

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
function levelAxis(context, scene, layout, theme) {
  const { values, step } = ticks(scene.range.bottomDb, scene.range.topDb, Math.max(2, layout.spectrumHeight / 36));
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const db of values) {
    const y = Math.round(yOf(scene, layout, db)) + 0.5;
    context.fillStyle = theme.grid;
    context.fillRect(layout.gutter, y - 0.5, layout.plotWidth, 1);
    context.fillStyle = theme.dim;
    const inside = Math.min(layout.top + layout.spectrumHeight - 6, Math.max(layout.top + 6, y));
    context.fillText(formatDb(db, decimals(step)), layout.gutter - 7, inside);
  }
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
function frequencyAxis(context, scene, layout, theme) {
  const { view } = scene, y = layout.top + layout.spectrumHeight;
  // As many ticks as there is room for labels. The finest step has the longest labels.
  const { zeroHz, scale, unit } = axisUnit(/** @type {import('../net/wire.js').Frame} */ (scene.frame), view);
  const finest = decimals(widthHz(view) / 10 / scale);
  const label = context.measureText(fixed((view.highHz - zeroHz) / scale, finest)).width + 26;
  const { values, step } = ticks((view.lowHz - zeroHz) / scale, (view.highHz - zeroHz) / scale, Math.max(1, layout.plotWidth / label));
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
    const text = fixed(value, digits), half = context.measureText(text).width / 2;
    if (x - half < layout.gutter - 20 || x + half > layout.gutter + layout.plotWidth - unitWidth) continue;
    context.fillStyle = theme.text;
    context.fillText(text, x, y + layout.axisHeight / 2 + 2);
  }
  context.fillStyle = theme.dim;
  context.textAlign = 'right';
  context.fillText(unit, layout.gutter + layout.plotWidth - 4, y + layout.axisHeight / 2 + 2);
  context.textAlign = 'left';
  context.fillText('dBFS', 6, y + layout.axisHeight / 2 + 2);
}

/** The trace as a path through the centres of its columns. @param {Scene} scene @param {Layout} layout */
function tracePath(scene, layout) {
  const frame = /** @type {import('../net/wire.js').Frame} */ (scene.frame);
  const path = new Path2D();
  const pixelHz = layout.plotWidth / widthHz(scene.view);
  const x0 = layout.gutter + (frame.lowHz + frame.columnHz / 2 - scene.view.lowHz) * pixelHz;
  const dx = frame.columnHz * pixelHz;
  const y0 = yOf(scene, layout, frame.offsetDb);
  const dy = yOf(scene, layout, frame.offsetDb + frame.stepDb) - y0;
  // Only the visible columns, and one more on each side.
  const from = Math.max(0, Math.floor((layout.gutter - x0) / dx) - 1);
  const to = Math.min(frame.columns - 1, Math.ceil((layout.gutter + layout.plotWidth - x0) / dx) + 1);
  for (let i = from; i <= to; i++) path.lineTo(x0 + i * dx, y0 + frame.levels[i] * dy);
  return { path, left: x0 + from * dx, right: x0 + to * dx, any: to >= from };
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
function trace(context, scene, layout, theme) {
  const { path, left, right, any } = tracePath(scene, layout);
  if (!any) return;
  const bottom = layout.top + layout.spectrumHeight + 2;
  const area = new Path2D(path);
  area.lineTo(right, bottom);
  area.lineTo(left, bottom);
  context.fillStyle = theme.fill;
  context.fill(area);
  context.strokeStyle = theme.trace;
  context.lineWidth = 1.25;
  context.lineJoin = 'round';
  context.stroke(path);
}

/**
 * A small triangle just above the exact peak.
 * @param {Context} context
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {Theme} theme
 */
function peakMark(context, scene, layout, theme) {
  const frame = /** @type {import('../net/wire.js').Frame} */ (scene.frame);
  const x = layout.gutter + xAt(scene.view, frame.peakHz) * layout.plotWidth;
  if (!Number.isFinite(frame.peakDb)) return;
  const y = Math.max(layout.top + 9, yOf(scene, layout, frame.peakDb) - 4);
  context.fillStyle = theme.mark;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 5, y - 8);
  context.lineTo(x + 5, y - 8);
  context.fill();
}

/**
 * The watermark of a simulation: large, but faint enough to read the trace through it.
 * @param {Context} context
 * @param {Layout} layout
 * @param {Theme} theme
 */
function simulatedMark(context, layout, theme) {
  context.save();
  context.font = `700 ${Math.min(72, layout.plotWidth / 9)}px ${theme.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = theme.watermark;
  context.fillText('SIMULATED', layout.gutter + layout.plotWidth / 2, layout.top + layout.spectrumHeight / 2);
  context.restore();
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
export function drawSpectrum(context, scene, layout, theme) {
  context.clearRect(0, 0, layout.width, layout.height);
  context.font = `11px ${theme.font}`;
  context.fillStyle = theme.plot;
  context.fillRect(layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
  if (!scene.frame) return;
  levelAxis(context, scene, layout, theme);
  frequencyAxis(context, scene, layout, theme);
  context.save();
  context.beginPath();
  context.rect(layout.gutter, layout.top, layout.plotWidth, layout.spectrumHeight);
  context.clip();
  if (scene.frame.simulated) simulatedMark(context, layout, theme);
  trace(context, scene, layout, theme);
  peakMark(context, scene, layout, theme);
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
 * @param {Context} context
 * @param {Layout} layout
 * @param {Theme} theme
 * @param {{ x: number, y: number }} at
 */
export function drawCrosshair(context, layout, theme, { x, y }) {
  context.fillStyle = theme.cross;
  context.fillRect(Math.round(x), layout.top, 1, layout.spectrumHeight);
  context.fillRect(Math.round(x), layout.waterfallTop, 1, layout.waterfallHeight);
  context.fillRect(layout.gutter, Math.round(y), layout.plotWidth, 1);
}

/** @param {Scene} scene @param {Layout} layout @param {number} x  CSS pixels */
export const hzAtX = (scene, layout, x) => hzAt(scene.view, (x - layout.gutter) / layout.plotWidth);
