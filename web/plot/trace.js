// Draws the trace of a spectrum: as a path where a column is several pixels wide, else pixel by pixel.
//
// A path costs time for each edge, and most where it rises and falls from pixel to pixel. Rectangles that lie on the
// grid of device pixels cost a small part of that, and look the same where there is a level for each pixel.

import { bendOf } from './level_axis.js';
import { hzAt, widthHz } from './view.js';

/**
 * @typedef {import('./display.js').Layout} Layout
 * @typedef {import('./display.js').Scene} Scene
 * @typedef {import('./display.js').Theme} Theme
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {CanvasRenderingContext2D} Context
 */

/** Device pixels of a column from which on the trace is a path. */
export const COARSE_PIXELS = 3;
const LINE_WIDTH = 1.25; // CSS pixels

/**
 * The y of a level at a frequency, in CSS pixels.
 * @param {Frame} frame @param {Scene} scene @param {Layout} layout @returns {(level: number, hz: number) => number}
 */
export function levelY({ offsetDb, stepDb }, scene, layout) {
  const { topDb, bottomDb } = scene.range, bend = bendOf(scene);
  const scale = layout.spectrumHeight / (topDb - bottomDb), y0 = layout.top + (topDb - offsetDb) * scale;
  return (level, hz) => y0 - (level * stepDb + bend(hz)) * scale;
}

/** The trace as a path through the centres of its columns. @param {Scene} scene @param {Layout} layout */
function tracePath(scene, layout) {
  const frame = /** @type {Frame} */ (scene.frame);
  const path = new Path2D();
  const pixelHz = layout.plotWidth / widthHz(scene.view);
  const x0 = layout.gutter + (frame.lowHz + frame.columnHz / 2 - scene.view.lowHz) * pixelHz;
  const dx = frame.columnHz * pixelHz;
  const at = levelY(frame, scene, layout);
  // Only the visible columns, and one more on each side.
  const from = Math.max(0, Math.floor((layout.gutter - x0) / dx) - 1);
  const to = Math.min(frame.columns - 1, Math.ceil((layout.gutter + layout.plotWidth - x0) / dx) + 1);
  for (let i = from; i <= to; i++) path.lineTo(x0 + i * dx, at(frame.levels[i], frame.lowHz + (i + 0.5) * frame.columnHz));
  return { path, left: x0 + from * dx, right: x0 + to * dx, any: to >= from };
}

/** Keeps a trace apart from a density of its colour. @param {Context} context @param {Path2D} path @param {Theme} theme */
function outline(context, path, theme) {
  context.strokeStyle = theme.plot;
  context.lineWidth = 3.5;
  context.stroke(path);
}

/** @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme */
export function coarseTrace(context, scene, layout, theme) {
  const { path, left, right, any } = tracePath(scene, layout);
  if (!any) return;
  const bottom = layout.top + layout.spectrumHeight + 2;
  const area = new Path2D(path);
  area.lineTo(right, bottom);
  area.lineTo(left, bottom);
  context.lineJoin = 'round';
  if (scene.density) outline(context, path, theme);
  else {
    context.fillStyle = theme.fill;
    context.fill(area);
  }
  context.strokeStyle = theme.trace;
  context.lineWidth = LINE_WIDTH;
  context.stroke(path);
}

/**
 * The largest level of the columns at each of `pixels` pixels from the left edge of the view; -1: there is none.
 * @param {Frame} frame @param {import('./view.js').View} view @param {number} pixels
 */
export function pixelLevels({ levels, lowHz, columnHz }, view, pixels) {
  const out = new Int16Array(pixels).fill(-1);
  const step = widthHz(view) / pixels / columnHz, first = (view.lowHz - lowHz) / columnHz;
  for (let x = 0; x < pixels; x++) {
    const left = first + step * x, from = Math.floor(left + 1e-6);
    const to = Math.min(levels.length - 1, Math.max(from, Math.ceil(left + step - 1e-6) - 1));
    for (let i = Math.max(0, from); i <= to; i++) if (levels[i] > out[x]) out[x] = levels[i];
  }
  return out;
}

/**
 * A rectangle for each pixel and, below it, one for the area. The line of a pixel reaches the level of the pixel before it.
 * @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme
 * @param {number} pixels  device pixels of the plot's width
 */
export function fineTrace(context, scene, layout, theme, pixels) {
  const frame = /** @type {Frame} */ (scene.frame), levels = pixelLevels(frame, scene.view, pixels);
  const ratio = context.getTransform().a, at = levelY(frame, scene, layout);
  const left = Math.round(layout.gutter * ratio), bottom = Math.ceil((layout.top + layout.spectrumHeight) * ratio);
  const thick = Math.max(1, Math.round(LINE_WIDTH * ratio)), half = thick >> 1;
  const rows = Int32Array.from(levels, (level, x) => Math.round(at(level, hzAt(scene.view, (x + 0.5) / pixels)) * ratio) - half);
  const line = (/** @type {string} */ colour, /** @type {number} */ margin) => {
    context.fillStyle = colour;
    for (let x = 0; x < pixels; x++) {
      if (levels[x] < 0) continue;
      const before = x > 0 && levels[x - 1] >= 0 ? rows[x - 1] : rows[x];
      const top = Math.min(before, rows[x]) - margin;
      context.fillRect(left + x - half - margin, top, thick + 2 * margin, Math.abs(rows[x] - before) + thick + 2 * margin);
    }
  };
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  if (scene.density) line(theme.plot, Math.max(1, Math.round(ratio))); // apart from a density of its colour
  else {
    context.fillStyle = theme.fill;
    for (let x = 0; x < pixels; x++)
      if (levels[x] >= 0 && rows[x] < bottom) context.fillRect(left + x, rows[x], 1, bottom - rows[x]);
  }
  line(theme.trace, 0);
  context.restore();
}
