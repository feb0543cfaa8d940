// Zooming and panning: fixed frequencies, and the limits of the span.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as view from '../../../web/plot/view.js';

const SPAN = { lowHz: 99e6, highHz: 101e6 };
const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('zoom keeps the frequency under the cursor', () => {
  let shown = { lowHz: 99.5e6, highHz: 100.5e6 };
  for (const x of [0.1, 0.37, 0.5, 0.9])
    for (const factor of [1.25, 2, 0.8]) {
      const hz = view.hzAt(shown, x);
      shown = view.zoomAt(shown, SPAN, 1000, factor, x);
      near(view.hzAt(shown, x), hz, 1e-3);
    }
});

test('zoom out ends at the span and zoom in at the narrowest view', () => {
  const shown = { lowHz: 99.5e6, highHz: 100.5e6 };
  assert.deepEqual(view.zoomAt(shown, SPAN, 1000, 0.001, 0.3), SPAN);
  near(view.widthHz(view.zoomAt(shown, SPAN, 1000, 1e9, 0.3)), 1000);
});

test('zoom out at an edge slides inside the span', () => {
  const shown = view.zoomAt({ lowHz: 99e6, highHz: 99.5e6 }, SPAN, 1000, 0.5, 1);
  assert.deepEqual(shown, { lowHz: 99e6, highHz: 100e6 });
});

test('pan moves by a part of the view and stops at the edge', () => {
  const shown = { lowHz: 99.5e6, highHz: 100e6 };
  assert.deepEqual(view.panBy(shown, SPAN, 0.5), { lowHz: 99.75e6, highHz: 100.25e6 });
  assert.deepEqual(view.panBy(shown, SPAN, 50), { lowHz: 100.5e6, highHz: 101e6 });
  assert.deepEqual(view.panBy(shown, SPAN, -50), { lowHz: 99e6, highHz: 99.5e6 });
});

test('pinch keeps both frequencies in their positions', () => {
  for (const x of [
    [0.2, 0.8],
    [0.8, 0.2],
  ]) {
    const hz = x[0] < x[1] ? [99.9e6, 100.2e6] : [100.2e6, 99.9e6];
    const shown = view.pinch(SPAN, 1000, hz, x);
    near(view.xAt(shown, hz[0]), x[0], 1e-9);
    near(view.xAt(shown, hz[1]), x[1], 1e-9);
  }
});

test('pinch with both fingers in one position gives the whole span', () => {
  assert.deepEqual(view.pinch(SPAN, 1000, [99.9e6, 100.2e6], [0.5, 0.5]), SPAN);
});

test('a view outside of the span is moved into it', () => {
  assert.deepEqual(view.clip({ lowHz: 0, highHz: 1e6 }, SPAN, 10), { lowHz: 99e6, highHz: 100e6 });
  assert.equal(view.overlaps({ lowHz: 0, highHz: 1e6 }, SPAN), false);
});

test('span is all bins with half a bin to both sides', () => {
  // n = 4 at 4 Hz: bins at 8, 9, 10, 11 Hz
  assert.deepEqual(view.spanOf({ centerHz: 10, rateHz: 4, n: 4 }), { lowHz: 7.5, highHz: 11.5 });
  assert.equal(view.isWhole(SPAN, SPAN), true);
  assert.equal(view.isWhole({ lowHz: 99e6, highHz: 100.9e6 }, SPAN), false);
});
