// What a pause does to the frames that come after it, and when the figures are renewed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drawing } from '../../../web/app/drawing.js';
import { followMarkers } from '../../../web/features/markers/markers.js';
import { receiveMessage } from '../../../web/app/server.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';

const FRAME = /** @type {any} */ ({
  view: 8,
  more: false,
  columns: 1,
  levels: Uint8Array.of(10),
  lineRateHz: 20,
  n: 1,
  rateHz: 1,
  samples: 1,
  timeNs: 0n,
  ledger: { seen: 0, lost: {} },
  columnHz: 1,
  lowHz: 0,
  merged: 1,
});

/** A page that draws into nothing, in place of a browser. */
function page(limits) {
  /** @type {((now: number) => void)[]} */
  const waiting = [],
    animate = () => {
      for (const draw of waiting.splice(0)) draw(0);
    };
  globalThis.requestAnimationFrame = (draw) => waiting.push(draw);
  const store = new Store(initialState({})),
    nothing = () => {};
  const display = { scene: {}, touch: nothing, setSpeed: nothing, add: nothing, draw: () => false };
  const drawing = new Drawing(
    store,
    /** @type {any} */ ({ takeFrame: (frame) => store.update({ frame }), followRange: nothing }),
    /** @type {any} */ ({ credit: nothing, bytes: 0 }),
    /** @type {any} */ ({ run: 0, beginRun: nothing, check: nothing }),
  );
  followMarkers(store, { wantReadings: () => true });
  receiveMessage(store, { type: 'welcome', control: false, limits });
  drawing.start(/** @type {any} */ (display));
  return {
    store,
    read: (line) => receiveMessage(store, { type: 'markers', id: 1, view: 8, line, peak: { db: -line } }),
    redraw: () => {
      drawing.schedule();
      animate();
    },
    shownAfter: (line) => {
      drawing.add({ ...FRAME, line });
      animate();
      return store.state.shown.line;
    },
  };
}

test('a pause begins with a line that the server has read', () => {
  const { store, read, shownAfter } = page({ markers: 16 });
  read(10);
  assert.equal(shownAfter(10), 10);
  assert.equal(shownAfter(11), 11);
  store.update({ paused: true });
  assert.equal(shownAfter(12), 12, 'line 11 was not read');
  read(13);
  assert.equal(shownAfter(13), 13);
  assert.equal(shownAfter(14), 13);
  assert.equal(store.state.readings.peak.db, -13);
  store.update({ paused: false });
  assert.equal(shownAfter(15), 15);
});

test('a pause begins at once where the server reads nothing', () => {
  const { store, shownAfter } = page({});
  assert.equal(shownAfter(10), 10);
  store.update({ paused: true });
  assert.equal(shownAfter(11), 10);
});

test('the figures follow the last picture though no other comes', async (t) => {
  const { store, redraw, shownAfter } = page({});
  const now = performance.now(),
    clock = t.mock.method(performance, 'now', () => now); // two lines are at once on a slow machine, too
  let renewed = 0;
  store.subscribe(['figures'], () => {
    renewed += 1;
  });
  const before = renewed;
  for (const line of [10, 11]) shownAfter(line); // at once: the figures are of line 10
  redraw(); // rows of the past have arrived
  assert.equal(store.state.figures.frame.line, 10);
  clock.mock.restore();
  await new Promise((done) => {
    store.subscribe(['figures'], ({ figures }) => {
      if (figures?.frame.line === 11) done();
    });
  });
  assert.equal(renewed, before + 2, 'not with every picture');
});
