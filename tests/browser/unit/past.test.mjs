// Rows of the past: which are missing, and where an answer belongs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PastRows } from '../../../web/features/history/rows.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { BREAK } from '../../../web/net/history.js';
import { gapRow, History } from '../../../web/plot/history.js';
import { findMissing, mergePast } from '../../../web/plot/past.js';

const VIEW = { lowHz: 0, highHz: 1000 };
const wanted = (changes = {}) => ({ view: VIEW, columns: 100, detector: 0, serial: 5, run: 1, ...changes });

/** A row of one line over 0 .. 1000 Hz in 100 columns. */
const row = (line, changes = {}) => ({
  levels: new Uint8Array(100),
  lowHz: 0,
  columnHz: 10,
  offsetDb: 0,
  stepDb: 1,
  timeMs: line,
  merged: 1,
  line,
  firstLine: line,
  gap: null,
  finest: false,
  detector: 0,
  asked: 0,
  run: 1,
  ...changes,
});
const rows = (from, to, changes) => Array.from({ length: to - from + 1 }, (_, i) => row(from + i, changes));
const pastRow = (line, changes = {}) => ({
  line,
  firstLine: line,
  lines: 1,
  timeNs: BigInt(line) * 1000000n,
  lowHz: 0,
  columnHz: 10,
  offsetDb: -100,
  stepDb: 0.5,
  finest: true,
  rateAssumed: false,
  breaks: 0,
  lost: 0,
  levels: new Uint8Array(100),
  ...changes,
});
const answer = (from, to, changes) => ({
  id: 1,
  detector: 0,
  oldest: false,
  rows: Array.from({ length: to - from + 1 }, (_, i) => pastRow(to - i, changes)),
});
const lines = (list) => list.map(({ line, gap }) => (gap ? `|${line}` : line));
const missing = (list, count, changes, oldest = 0) =>
  findMissing(list, list.length - 1, count, wanted(changes), oldest);

test('a new page lacks all rows before its first', () => {
  assert.deepEqual(missing([row(100)], 50), { before: 100, rows: 49 });
  assert.equal(missing(rows(51, 100), 50), null);
  assert.equal(missing([row(100)], 50, {}, 100), null, 'the server has none before');
});

/** A page of 50 rows, of which it has `live`; what it asks for, and the lines that it shows. */
function pageOfRows(live) {
  const asked = [],
    store = new Store(initialState({}));
  const frame = (line) => store.update({ frame: /** @type {any} */ (row(line)) });
  if (live.length > 0) frame(live.at(-1).line);
  store.update({
    shownView: VIEW,
    columns: 100,
    limits: { history_rows: 1024 },
    link: { kind: live.length > 0 ? 'live' : 'waiting', reason: '', retryAt: 0 },
  });
  const past = new PastRows(store, { requestHistory: (fields) => asked.push(fields) > 0 });
  let shown = live;
  past.start(
    /** @type {any} */ ({
      live: {
        toArray: () => shown,
        reset: (list) => {
          shown = list;
        },
      },
      showRows() {},
      visibleRows: 50,
    }),
  );
  /** As a frame that is drawn. */
  const receive = (line) => {
    frame(line);
    shown = [...shown, row(line, { run: 0 })];
    past.check();
  };
  return { asked, past, receive, lines: () => lines(shown) };
}

test('a new page asks for the past before its first frame and shows both', () => {
  for (const first of ['answer', 'frame']) {
    const { asked, past, receive, lines: shown } = pageOfRows([]);
    assert.deepEqual(
      asked.map(({ before, rows: count }) => [before, count]),
      [[undefined, 50]],
      'the newest',
    );
    if (first === 'frame') receive(100);
    past.receive({ ...answer(52, 101), id: asked[0].id }); // 100 and 101 come as frames
    if (first === 'answer') receive(100);
    assert.deepEqual(
      shown(),
      rows(52, 100).map(({ line }) => line),
      `${first} first`,
    );
    assert.equal(asked.length, 2, 'what is missing to fill the screen');
    assert.deepEqual([asked[1].before, asked[1].rows], [52, 1]);
    receive(101);
    assert.deepEqual(shown().slice(-2), [100, 101]);
  }
});

test('an early answer without rows before the first frame is asked for again', () => {
  const { asked, past, receive } = pageOfRows([]);
  past.receive({ ...answer(100, 101), id: asked[0].id });
  receive(100);
  assert.deepEqual(
    asked.slice(1).map(({ before, rows: count }) => [before, count]),
    [[100, 49]],
  );
});

/** A page that shows the live lines 901 to 1000 of 1000 that the server keeps, and what is on its screen of 50 rows. */
function pageOfHistory() {
  const live = rows(901, 1000, { run: 0 }),
    asked = [],
    store = new Store({ ...initialState({}), columns: 100 });
  const past = new PastRows(store, { requestHistory: (fields) => asked.push(fields) > 0 });
  let onScreen = live;
  past.start(
    /** @type {any} */ ({
      live: { toArray: () => live, at: (age) => live.at(-1 - age) },
      past: {
        reset: (list) => {
          onScreen = list;
        },
      },
      showRows() {},
      visibleRows: 50,
    }),
  );
  store.update({
    frame: /** @type {any} */ (row(1000)),
    shownView: VIEW,
    limits: { history_rows: 1024 },
    link: { kind: 'live', reason: '', retryAt: 0 },
  });
  const serve = () => {
    for (let i = 0; i < asked.length; i++) {
      // answering may ask for more
      const { id, before, rows: count } = asked[i];
      past.receive({ ...answer(Math.max(1, before - count), before - 1), id });
    }
    asked.length = 0;
  };
  return {
    past,
    serve,
    shown: () => lines(onScreen),
    isLive: () => store.state.scrolledTo === null,
    top: () => lines(onScreen).at(-1),
  };
}

test('after a jump far back scrolling up goes on to newer lines up to the live ones', () => {
  const { past, serve, shown, isLive, top } = pageOfHistory();
  serve();
  past.goTo(300);
  past.scroll(-10); // before the answer: nothing to scroll from
  serve();
  assert.equal(top(), 312, 'a quarter of the screen above the line');
  for (let line = 312; line < 992; line += 10) {
    past.scroll(-10);
    serve();
    assert.equal(isLive(), false, `at ${line}`);
    assert.equal(top(), line + 10);
    assert.deepEqual(
      shown(),
      rows(top() - 49, top()).map((each) => each.line),
      'without a hole',
    );
  }
  past.scroll(-10);
  assert.equal(isLive(), true);
});

/** A page whose server has lines 1 .. 900 of 1 ms, and before them an archive with rows of a minute until 1 s ago. */
function pageOfArchive() {
  const MINUTE = 60e6,
    ZERO = -3e15; // microseconds; a number of the archive
  const live = rows(901, 1000, { run: 0 }),
    asked = [],
    store = new Store({ ...initialState({}), columns: 100 });
  const past = new PastRows(store, { requestHistory: (fields) => asked.push(fields) > 0 });
  let onScreen = live;
  past.start(
    /** @type {any} */ ({
      live: { toArray: () => live, at: (age) => live.at(-1 - age) },
      past: {
        reset: (list) => {
          onScreen = list;
        },
      },
      showRows() {},
      visibleRows: 50,
    }),
  );
  store.update({
    frame: /** @type {any} */ (row(1000)),
    shownView: VIEW,
    limits: { history_rows: 1024 },
    link: { kind: 'live', reason: '', retryAt: 0 },
  });
  const minute = (/** @type {number} */ ago) => ({
    line: ZERO - ago * MINUTE - 1,
    firstLine: ZERO - (ago + 1) * MINUTE,
    lines: 600,
    timeNs: BigInt(-60e9 * (ago + 1)),
  });
  const serve = () => {
    for (let i = 0; i < asked.length; i++) {
      const { id, to, before, rows: count } = asked[i];
      const first = to === undefined ? Math.ceil((ZERO - before) / MINUTE) : Math.ceil(-to / 60 - 1);
      const length = Math.max(0, Math.min(count, 3000 - first));
      const some = Array.from({ length }, (_, k) => pastRow(0, minute(first + k)));
      past.receive({ id, detector: 0, oldest: first + count >= 3000, rows: some });
    }
    asked.length = 0;
  };
  serve();
  return { past, serve, asked, store, onScreen: () => onScreen };
}

test('a jump to a time shows its rows and says how long a row is', () => {
  const { past, serve, asked, store, onScreen } = pageOfArchive();
  past.goToTime(-1000 * 60e3);
  assert.equal(asked[0].before, undefined);
  serve();
  const times = onScreen().map(({ timeMs }) => timeMs / 60e3);
  assert.ok(times[0] < -1000 && times.at(-1) >= -1001, `${times[0]} .. ${times.at(-1)}`);
  assert.equal(store.state.resolution, 'archive, 1 row a minute');
  assert.equal(store.state.scrolledTo, onScreen().at(-1).timeMs);
  past.goToTime(950);
  assert.deepEqual([store.state.scrolledTo, store.state.resolution], [962, ''], 'a line, a quarter below the top');
  past.goToTime(5000);
  assert.deepEqual([store.state.scrolledTo, store.state.resolution], [null, ''], 'the future is live');
  past.goToTime(-1e12);
  serve();
  assert.equal(store.state.scrolledTo, null);
  assert.match(store.state.message.text, /does not reach back that far/);
});

test('a jump is asked for again with the view that came meanwhile', () => {
  const { past, serve, asked, store, onScreen } = pageOfArchive();
  past.goToTime(-1000 * 60e3);
  store.update({ columns: 50 });
  const [first] = asked.splice(0, asked.length);
  past.receive({ id: first.id, detector: 0, oldest: false, rows: [pastRow(-5)] });
  assert.deepEqual([asked[0].to, asked[0].columns], [first.to, 50]);
  serve();
  assert.ok(onScreen()[0].timeMs < -1000 * 60e3);
});

test('the past is not asked for while a view changes', () => {
  const { asked, past } = pageOfRows([row(100, { run: 0 })]);
  past.check();
  assert.deepEqual(asked, []);
});

test('rows of a narrower view or another detector are missing until they were asked for', () => {
  const narrow = { lowHz: 400, columnHz: 1 };
  const list = [...rows(0, 9), ...rows(10, 14, narrow), ...rows(15, 19)];
  assert.deepEqual(missing(list, 20), { before: 15, rows: 15 });
  assert.equal(missing([...rows(0, 9), ...rows(10, 14, { ...narrow, asked: 5 }), ...rows(15, 19)], 20), null);
  assert.deepEqual(missing(rows(0, 19), 20, { detector: 1 }), { before: 20, rows: 20 });
});

test('rows that are too coarse for a zoomed view are missing unless they are bins', () => {
  const zoomed = { view: { lowHz: 400, highHz: 500 } };
  assert.deepEqual(missing(rows(0, 9), 10, zoomed), { before: 10, rows: 10 });
  assert.equal(missing(rows(0, 9, { finest: true }), 10, zoomed), null);
});

test('a hole between rows is missing unless the server has no such lines', () => {
  assert.deepEqual(missing([...rows(0, 4), ...rows(10, 14)], 10), { before: 10, rows: 5 });
  assert.equal(missing([...rows(0, 4, { asked: 5 }), ...rows(10, 14, { asked: 5 })], 10), null);
});

test('an answer replaces the rows of its lines and keeps the others', () => {
  const merged = mergePast(rows(0, 9), answer(3, 6), 7, wanted());
  assert.deepEqual(lines(merged), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(
    merged.map(({ asked }) => asked),
    [0, 0, 0, 5, 5, 5, 5, 0, 0, 0],
  );
  assert.equal(merged[3].offsetDb, -100);
  assert.equal(merged[3].timeMs, 3);
});

test('a coarse row of the past takes the place of its lines', () => {
  const coarse = { id: 1, detector: 0, oldest: true, rows: [pastRow(7, { firstLine: 4, lines: 4 })] };
  assert.deepEqual(lines(mergePast(rows(0, 9), coarse, 8, wanted())), [0, 1, 2, 3, 7, 8, 9]);
});

test('breaks of the past have their kind and a pause that is filled has none', () => {
  const paused = gapRow(10, { text: 'paused here', fault: false, page: 'paused' }, 10, 1);
  const reconnected = gapRow(5, { text: 'reconnected here', fault: false, page: 'reconnected' }, 5, 1);
  const merged = mergePast([...rows(0, 2), reconnected, row(5), paused, row(10)], answer(3, 9), 10, wanted());
  assert.deepEqual(lines(merged), [0, 1, 2, 3, 4, '|5', 5, 6, 7, 8, 9, 10]);
  for (const [breaks, kind, text, fault] of [
    [BREAK.loss, 'loss', 'samples lost here: 7', true],
    [BREAK.retune, 'retune', 'the radio was tuned or set here', false],
    [BREAK.loop, 'loop', 'the recording begins again here', false],
  ]) {
    const [gap, after] = mergePast([], answer(4, 4, { breaks, lost: 7 }), 5, wanted());
    assert.deepEqual([gap.gap, after.gap], [{ text, fault, kind }, null]);
  }
});

test('rows of a server that was restarted stay below the new ones', () => {
  const list = [...rows(500, 502), row(3, { run: 2 })];
  const merged = mergePast(list, answer(0, 2), 3, wanted({ run: 2 }));
  assert.deepEqual(lines(merged), [500, 501, 502, 0, 1, 2, 3]);
  assert.equal(findMissing(merged, merged.length - 1, 50, wanted({ run: 2 }), 0), null);
});

test('a history that is replaced is new to its renderer', () => {
  const history = new History(4);
  rows(0, 5).forEach((each) => history.push(each));
  assert.deepEqual(lines(history.toArray()), [2, 3, 4, 5]);
  const before = history.total;
  history.reset(rows(10, 15));
  assert.deepEqual(lines(history.toArray()), [12, 13, 14, 15]);
  assert.ok(history.total - before >= history.length);
  history.push(row(16));
  assert.deepEqual(lines(history.toArray()), [13, 14, 15, 16]);
});
