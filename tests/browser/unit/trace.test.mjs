// Tests which level the trace has at each pixel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pixelLevels } from '../../../web/plot/trace.js';

/** A frame of 1 Hz columns from 0 Hz. */
const frameOf = (levels) => ({ levels: Uint8Array.from(levels), lowHz: 0, columnHz: 1 });

test('one_column_a_pixel_is_shown_as_it_is', () => {
  const levels = [7, 0, 255, 3, 90];
  assert.deepEqual([...pixelLevels(frameOf(levels), { lowHz: 0, highHz: 5 }, 5)], levels);
});

test('a_tone_of_one_column_is_in_exactly_the_pixel_that_covers_it_however_many_columns_share_one', () => {
  for (const [columns, pixels] of [[1000, 100], [1000, 333], [1000, 999], [1000, 700]])
    for (const tone of [0, 1, 499, 500, 998, 999]) {
      const levels = new Uint8Array(columns).fill(20);
      levels[tone] = 200;
      const shown = pixelLevels(frameOf(levels), { lowHz: 0, highHz: columns }, pixels);
      const loud = [...shown.keys()].filter((x) => shown[x] === 200);
      // The pixels that overlap tone .. tone + 1 Hz.
      const first = Math.floor(tone * pixels / columns + 1e-9), last = Math.ceil((tone + 1) * pixels / columns - 1e-9) - 1;
      assert.deepEqual(loud, Array.from({ length: last - first + 1 }, (_, i) => first + i), `${tone} of ${columns} in ${pixels}`);
    }
});

test('pixels_beyond_the_frame_have_no_level', () => {
  const shown = pixelLevels(frameOf([5, 6]), { lowHz: -2, highHz: 4 }, 6);
  assert.deepEqual([...shown], [-1, -1, 5, 6, -1, -1]);
});
