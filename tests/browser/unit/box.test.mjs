// A box of time and frequency on the waterfall.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf, boxText, ringSeconds, shortText, startOfBox } from '../../../web/features/box/box.js';
import { BoxLayer } from '../../../web/features/box/layer.js';
import { ageAt, gapRow, History } from '../../../web/plot/history.js';

const row = (line, changes = {}) => ({
  levels: new Uint8Array(4),
  lowHz: 0,
  columnHz: 1,
  offsetDb: 0,
  stepDb: 1,
  timeMs: 50 * line,
  merged: 1,
  line,
  firstLine: line,
  positionMs: NaN,
  gap: null,
  finest: true,
  detector: 0,
  asked: 0,
  run: 0,
  ...changes,
});
const plain = (text) => text.replace(/[\u202f\u00a0]/g, ' ').replace(/\s+/g, ' ');

test('a box has the edges of its corners in any order', () => {
  const box = boxOf(row(40), row(20), 2e6, 1e6, 50);
  assert.deepEqual(box, { lowHz: 1e6, highHz: 2e6, line: 20, lastLine: 40, fromMs: 1000, toMs: 2050, positionMs: NaN });
  assert.deepEqual(boxOf(row(20), row(40), 1e6, 2e6, 50), box);
});

test('a box names its edges width start and length', () => {
  const at = Date.parse('2026-11-21T10:15:00.250Z'),
    box = { lowHz: 433.9e6, highHz: 433.95e6, line: 1, lastLine: 2, fromMs: at, toMs: at + 2500, positionMs: NaN };
  assert.equal(plain(boxText(box)), '433.9000 MHz \u2013 433.9500 MHz \u00b7 50 kHz \u00b7 10:15:00.250 \u00b7 2.5 s');
  assert.match(
    plain(boxText({ ...box, positionMs: 62500 })),
    /\u00b7 1:02\.500 \u00b7/,
    'in a recording: its position',
  );
  assert.deepEqual(startOfBox(box), { from: at / 1000, duration: 2.5, low: 433.9e6, high: 433.95e6 });
});

/** A layer over 100 rows of 2 device pixels and 50 ms; the newest is line 100. */
function layerOver(changes = {}) {
  const history = new History(200),
    state = { boxing: false, box: null },
    seen = [];
  for (let line = 1; line <= 100; line++) {
    if (line === 81) history.push(gapRow(4050, { text: 'here', fault: true }, 81));
    history.push(row(line));
  }
  const layout = { gutter: 60, waterfallTop: 100, plotWidth: 100, waterfallHeight: 300, width: 168, height: 404 };
  const scene = { history, layout, view: { lowHz: 0, highHz: 1000 }, rowPixels: 2, shift: 0, ...changes };
  const layer = new BoxLayer(
    () => state,
    (box, done) => {
      state.box = box;
      seen.push(done);
    },
  );
  return { layer, state, scene, history, seen };
}

test('a drag with shift makes a box that stays at its lines', () => {
  const { layer, state, scene, history, seen } = layerOver();
  assert.equal(layer.hit(80, 120, scene, 7, false), null, 'without Shift or the mode');
  assert.equal(layer.hit(80, 50, scene, 7, true), null, 'above the waterfall');
  const handle = layer.hit(80, 120, scene, 7, true);
  layer.drag(handle, { y: 120.5, hz: 200 }, 'start'); // the row 10 before the newest: line 90
  history.push(row(101)); // a line comes meanwhile
  layer.drag(handle, { y: 140.5, hz: 700 }, 'move'); // the row 20 before the newest, right after the break
  assert.deepEqual(
    { ...state.box, positionMs: 0 },
    { lowHz: 200, highHz: 700, line: 81, lastLine: 90, fromMs: 4050, toMs: 4550, positionMs: 0 },
  );
  layer.drag(handle, { y: 100.5, hz: 1e9 }, 'move');
  assert.deepEqual(
    [state.box.line, state.box.lastLine, state.box.highHz, state.box.toMs],
    [90, 101, 1000, 5100],
    'up to the newest line, within the view',
  );
  layer.drag(handle, { y: 100.5, hz: 1000 }, 'end');
  assert.deepEqual([state.box !== null, seen.at(-1)], [true, true]);
});

test('a click removes the box', () => {
  const { layer, state, scene } = layerOver();
  state.box = /** @type {any} */ ({});
  state.boxing = true;
  const handle = layer.hit(80, 120, scene, 7, false);
  layer.drag(handle, { y: 120, hz: 200 }, 'start');
  layer.drag(handle, { y: 120, hz: 200 }, 'end');
  assert.equal(state.box, null);
});

test('a box older than the ring says what the ring holds', () => {
  const box = boxOf(row(20), row(40), 1e6, 2e6, 50); // 1 s .. 2.05 s
  const seconds = ringSeconds({ ring_seconds: 1, iq_history: null });
  assert.equal(shortText(box, 1999, seconds), '', 'its first sample is 0.999 s old');
  assert.equal(plain(shortText(box, 2001, seconds)), 'the ring holds the last 1 s');
  assert.equal(ringSeconds({ ring_seconds: 1, iq_history: { seconds: 3600 } }), 3600, 'the disk ring holds more');
  assert.equal(shortText(box, 1e9, ringSeconds({ ring_seconds: null, iq_history: null })), '', 'the rate is unknown');
  assert.equal(shortText(box, 1e9, ringSeconds({})), '', 'an older server');
});

test('the mark of the depth is below the rows that are not older', () => {
  const { history } = layerOver(); // line 100 at 5 s; the break is a row of its own
  assert.equal(ageAt(history, 5000), 1);
  assert.equal(ageAt(history, 4501), 10);
  assert.equal(ageAt(history, 4050), 21, 'a break has the time of the line after it');
  assert.equal(ageAt(history, 0), history.length);
  assert.equal(ageAt(history, 5001), 0);
});
