// Draws traces beside the live one, on its axes: as a path where a column is several pixels wide, else pixel by pixel.

import { COARSE_PIXELS, fillLine, levelY, pixelLine } from './trace.js';
import { widthHz } from './view.js';

/**
 * @typedef {import('./display.js').Layout} Layout
 * @typedef {import('./display.js').Scene} Scene
 * @typedef {import('../net/wire.js').Frame} Frame
 */

const LINE_WIDTH = 1.25; // CSS pixels

/** @param {CanvasRenderingContext2D} context @param {Frame} frame @param {Scene} scene @param {Layout} layout */
function strokeColumns(context, frame, scene, layout) {
  const yOf = levelY(frame, scene, layout),
    pixelHz = layout.plotWidth / widthHz(scene.view),
    dx = frame.columnHz * pixelHz;
  const x0 = layout.gutter + (frame.lowHz + frame.columnHz / 2 - scene.view.lowHz) * pixelHz;
  const from = Math.max(0, Math.floor((layout.gutter - x0) / dx) - 1);
  const to = Math.min(frame.columns - 1, Math.ceil((layout.gutter + layout.plotWidth - x0) / dx) + 1);
  context.beginPath();
  for (let i = from; i <= to; i++)
    context.lineTo(x0 + i * dx, yOf(frame.levels[i], frame.lowHz + (i + 0.5) * frame.columnHz));
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Frame} frame
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {number} pixels
 */
function fillPixels(context, frame, scene, layout, pixels) {
  const line = pixelLine(frame, scene, layout, context.getTransform().a, pixels);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  fillLine(context, line);
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {import('./display.js').Theme} theme
 */
export function drawTraces(context, scene, layout, theme) {
  const pixels = Math.round(layout.plotWidth * context.getTransform().a);
  context.lineWidth = LINE_WIDTH;
  context.lineJoin = 'round';
  for (const { frame, trace } of scene.traces) {
    if (!frame) continue;
    context.strokeStyle = context.fillStyle =
      theme[/** @type {keyof import('./display.js').Theme} */ (`t${trace.color}`)];
    if (widthHz(scene.view) / frame.columnHz > pixels / COARSE_PIXELS)
      fillPixels(context, frame, scene, layout, pixels);
    else strokeColumns(context, frame, scene, layout);
  }
}
