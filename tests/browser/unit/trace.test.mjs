// Tests which level the trace has at each pixel, and which pixels its line covers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillLine, pixelLevels } from '../../../web/plot/trace.js';

/** A frame of 1 Hz columns from 0 Hz. */
const frameOf = (levels) => ({ levels: Uint8Array.from(levels), lowHz: 0, columnHz: 1 });

test('one column a pixel is shown as it is', () => {
  const levels = [7, 0, 255, 3, 90];
  assert.deepEqual([...pixelLevels(frameOf(levels), { lowHz: 0, highHz: 5 }, 5)], levels);
});

test('a tone of one column is in exactly the pixel that covers it however many columns share one', () => {
  for (const [columns, pixels] of [
    [1000, 100],
    [1000, 333],
    [1000, 999],
    [1000, 700],
  ])
    for (const tone of [0, 1, 499, 500, 998, 999]) {
      const levels = new Uint8Array(columns).fill(20);
      levels[tone] = 200;
      const shown = pixelLevels(frameOf(levels), { lowHz: 0, highHz: columns }, pixels);
      const loud = [...shown.keys()].filter((x) => shown[x] === 200);
      // The pixels that overlap tone .. tone + 1 Hz.
      const first = Math.floor((tone * pixels) / columns + 1e-9),
        last = Math.ceil(((tone + 1) * pixels) / columns - 1e-9) - 1;
      assert.deepEqual(
        loud,
        Array.from({ length: last - first + 1 }, (_, i) => first + i),
        `${tone} of ${columns} in ${pixels}`,
      );
    }
});

test('pixels beyond the frame have no level', () => {
  const shown = pixelLevels(frameOf([5, 6]), { lowHz: -2, highHz: 4 }, 6);
  assert.deepEqual([...shown], [-1, -1, 5, 6, -1, -1]);
});

/**
 * The pixels, of `width` x `height`, that a path through these corners fills: centres with a winding number other than
 * 0.
 */
function filled(corners, width, height) {
  const inside = (/** @type {number} */ x, /** @type {number} */ y) =>
    corners.reduce((winding, [x0, y0], i) => {
      const [x1, y1] = corners[(i + 1) % corners.length];
      assert.ok(x0 === x1 || y0 === y1, 'no slopes');
      return x0 === x1 && x0 < x && y0 < y !== y1 < y ? winding + Math.sign(y1 - y0) : winding;
    }, 0) !== 0;
  return Array.from({ length: width * height }, (_, i) => inside((i % width) + 0.5, Math.floor(i / width) + 0.5));
}

/** The same of a rectangle for each pixel of the line, from the level of the pixel before it to its own. */
function rectangles({ rows, left, thick, half }, margin, width, height) {
  const pixels = new Array(width * height).fill(false);
  rows.forEach((row, i) => {
    const before = i > 0 ? rows[i - 1] : row;
    for (let y = Math.min(before, row) - margin; y < Math.max(before, row) + thick + margin; y++)
      for (let x = left + i - half - margin; x < left + i - half + thick + margin; x++) pixels[y * width + x] = true;
  });
  return pixels;
}

test('the line covers every pixel from level to level in its width and no other', () => {
  for (const levels of [[20], [20, 20, 20], [20, 9, 30, 30, 11, 12, 12, 29, 8], [10, 30, 10, 30, 10], []])
    for (const [thick, margin] of [
      [1, 0],
      [2, 0],
      [3, 0],
      [5, 0],
      [1, 1],
      [2, 2],
      [4, 3],
    ]) {
      /** @type {number[][]} */
      let corners = [];
      const context = /** @type {any} */ ({
        beginPath() {
          corners = [];
        },
        lineTo: (/** @type {number} */ x, /** @type {number} */ y) => corners.push([x, y]),
        fill() {},
      });
      const line = { rows: Int32Array.from(levels), left: 9, thick, half: thick >> 1 };
      fillLine(context, line, margin);
      assert.deepEqual(
        filled(corners, 32, 48),
        rectangles(line, margin, 32, 48),
        `${levels}, ${thick} wide, margin ${margin}`,
      );
    }
});
