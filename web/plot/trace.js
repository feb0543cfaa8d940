// Draws the trace of a spectrum: as a line where a column is several pixels wide, else in whole pixels.
//
// A line that rises and falls from pixel to pixel costs most of the time in its joins and slopes. An area whose edges
// lie
// on the grid of device pixels takes a sixth of that, half of as many rectangles, and looks the same.

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
  const { topDb, bottomDb } = scene.range,
    bend = bendOf(scene);
  const scale = layout.spectrumHeight / (topDb - bottomDb),
    y0 = layout.top + (topDb - offsetDb) * scale;
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
  for (let i = from; i <= to; i++)
    path.lineTo(x0 + i * dx, at(frame.levels[i], frame.lowHz + (i + 0.5) * frame.columnHz));
  return { path, left: x0 + from * dx, right: x0 + to * dx, any: to >= from };
}

/**
 * Keeps a trace apart from a density of its colour.
 * @param {Context} context
 * @param {Path2D} path
 * @param {Theme} theme
 */
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
  const step = widthHz(view) / pixels / columnHz,
    first = (view.lowHz - lowHz) / columnHz;
  for (let x = 0; x < pixels; x++) {
    const left = first + step * x,
      from = Math.floor(left + 1e-6);
    const to = Math.min(levels.length - 1, Math.max(from, Math.ceil(left + step - 1e-6) - 1));
    for (let i = Math.max(0, from); i <= to; i++) if (levels[i] > out[x]) out[x] = levels[i];
  }
  return out;
}

/**
 * The line of a trace in whole device pixels: that of a pixel reaches the level of the pixel before it.
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {number} ratio
 * @param {number} pixels  of the plot's width
 */
export function pixelLine(frame, scene, layout, ratio, pixels) {
  const levels = pixelLevels(frame, scene.view, pixels),
    at = levelY(frame, scene, layout);
  const thick = Math.max(1, Math.round(LINE_WIDTH * ratio)),
    half = thick >> 1;
  const inside = levels.filter((level) => level >= 0),
    from = Math.max(0, levels.indexOf(inside[0])); // those of a frame are side by side
  const rows = new Int32Array(inside.length),
    left = Math.round(layout.gutter * ratio) + from;
  for (let x = 0; x < rows.length; x++)
    rows[x] = Math.round(at(inside[x], hzAt(scene.view, (from + x + 0.5) / pixels)) * ratio) - half;
  return { rows, left, thick, half };
}

/**
 * Adds steps of whole pixels to the context's path.
 * @param {Context} context @param {Int32Array} rows  y of each pixel @param {number} from  edge of the first
 * @param {1 | -1} [right]  -1: to the left
 */
function addSteps(context, rows, from, right = 1) {
  rows.forEach((row, i) => {
    if (row !== rows[i - 1]) context.lineTo(from + right * i, row);
    if (row !== rows[i + 1]) context.lineTo(from + right * (i + 1), row);
  });
}

/**
 * Fills a line of whole pixels, in the context's colour.
 * @param {Context} context @param {{ rows: Int32Array, left: number, thick: number, half: number }} line
 * @param {number} [margin]  pixels around it
 */
export function fillLine(context, { rows, left, thick, half }, margin = 0) {
  const last = rows.length - 1,
    wide = thick + 2 * margin,
    count = last < 0 ? 0 : last + wide,
    from = left - half - margin;
  const tops = new Int32Array(count),
    ends = new Int32Array(count);
  for (let x = 0; x < count; x++) {
    let top = rows[Math.min(x, last)],
      end = top;
    for (let i = Math.max(0, x - wide); i < Math.min(x, last); i++) {
      // the other pixels whose line reaches this one
      if (rows[i] < top) top = rows[i];
      if (rows[i] > end) end = rows[i];
    }
    tops[x] = top - margin;
    ends[x] = end + thick + margin;
  }
  context.beginPath();
  addSteps(context, tops, from);
  addSteps(context, ends.reverse(), from + count, -1);
  context.fill();
}

/**
 * The trace and the area below it in whole device pixels.
 * @param {Context} context @param {Scene} scene @param {Layout} layout @param {Theme} theme
 * @param {number} pixels  device pixels of the plot's width
 */
export function fineTrace(context, scene, layout, theme, pixels) {
  const ratio = context.getTransform().a,
    line = pixelLine(/** @type {Frame} */ (scene.frame), scene, layout, ratio, pixels);
  const { rows, left } = line,
    bottom = Math.ceil((layout.top + layout.spectrumHeight) * ratio);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  if (scene.density) {
    context.fillStyle = theme.plot;
    fillLine(context, line, Math.max(1, Math.round(ratio))); // apart from a density of its colour
  } else {
    context.fillStyle = theme.fill;
    context.beginPath();
    context.moveTo(left, bottom);
    addSteps(
      context,
      rows.map((row) => Math.min(row, bottom)),
      left,
    );
    context.lineTo(left + rows.length, bottom);
    context.fill();
  }
  context.fillStyle = theme.trace;
  fillLine(context, line);
  context.restore();
}
