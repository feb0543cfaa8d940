// The waterfall of a canvas: in WebGL2, or else in 2D.

import { Waterfall2d } from './waterfall_2d.js';
import { WaterfallGl } from './waterfall_gl.js';

/**
 * Puts a new canvas in its place: one that has had a WebGL context never gives a 2D one.
 * @param {HTMLCanvasElement} canvas
 */
export function freshCanvas(canvas) {
  const fresh = /** @type {HTMLCanvasElement} */ (canvas.cloneNode());
  canvas.replaceWith(fresh);
  return fresh;
}

/**
 * @param {HTMLCanvasElement} canvas @param {number} capacity  rows
 * @param {'2d' | 'gl' | undefined} wanted  "gl": even without a GPU
 * @returns {{ renderer: Waterfall2d | WaterfallGl, canvas: HTMLCanvasElement }}  canvas: the one given, or one in its
 *   place
 */
export function makeRenderer(canvas, capacity, wanted) {
  if (wanted === '2d') return { renderer: new Waterfall2d(canvas), canvas };
  try {
    return { renderer: new WaterfallGl(canvas, capacity, wanted === 'gl'), canvas };
  } catch (error) {
    console.info(`waterfall in 2D: ${error}`);
    const fresh = freshCanvas(canvas);
    return { renderer: new Waterfall2d(fresh), canvas: fresh };
  }
}
