// Triggers and events: masks as points, what is known of events, and where they are in the waterfall.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PastRows } from '../../../web/features/history/rows.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { limitsOf, mergeEvents, shownLimits, summaryOf, timeOf } from '../../../web/features/triggers/triggers.js';
import { gapRow, History } from '../../../web/plot/history.js';
import { rowsOfEvent } from '../../../web/features/triggers/event_layer.js';
import { formatPoints, limitOver, parsePoints, POINTS_MAX, putPoint } from '../../../web/features/triggers/mask.js';

test('points are read as people write them', () => {
  assert.deepEqual(parsePoints('433.1M:-50, 434M:-40.5'), [
    { hz: 433.1e6, db: -50 },
    { hz: 434e6, db: -40.5 },
  ]);
  assert.deepEqual(parsePoints('-100k:-1,0:2 1:3'), [
    { hz: -100e3, db: -1 },
    { hz: 0, db: 2 },
    { hz: 1e6, db: 3 },
  ]);
  assert.deepEqual(parsePoints('433,1:-50; 434:-40,5'), [
    { hz: 433.1e6, db: -50 },
    { hz: 434e6, db: -40.5 },
  ]);
  assert.deepEqual(parsePoints('-25 kHz:-50, 25 kHz:-3'), [
    { hz: -25e3, db: -50 },
    { hz: 25e3, db: -3 },
  ]);
  for (const text of ['', '1M', '1M:x', '2M:-1,1M:-1', '1M:-1,1M:-2', 'a.txt'])
    assert.equal(parsePoints(text), null, text);
});

test('points that are sent are the points that were drawn', () => {
  const points = [
      { hz: 433123456, db: -50.04 },
      { hz: 434e6, db: 3 },
    ],
    read = parsePoints(formatPoints(points));
  read.forEach(({ hz, db }, i) => assert.ok(Math.abs(hz - points[i].hz) < 1 && Math.abs(db - points[i].db) <= 0.05));
  const most = Array.from({ length: POINTS_MAX }, (_, i) => ({ hz: 5.9e9 + 1234567 * i, db: -100.1 }));
  assert.ok(formatPoints(most.slice(0, 41)).length < 1024, 'the server takes 1023 characters');
});

test('a point is added in order and moves between its neighbours', () => {
  const points = [
    { hz: 10, db: 0 },
    { hz: 30, db: 0 },
  ];
  assert.deepEqual(putPoint(points, -1, { hz: 20, db: -5 }, 1), {
    points: [points[0], { hz: 20, db: -5 }, points[1]],
    index: 1,
  });
  assert.deepEqual(
    putPoint(points, -1, { hz: 10.5, db: 1 }, 1).points[1],
    { hz: 11, db: 1 },
    'apart from its neighbour',
  );
  assert.deepEqual(
    putPoint(points, 0, { hz: 40, db: 2 }, 1),
    { points: [points[1], { hz: 40, db: 2 }], index: 1 },
    'past its neighbour',
  );
  const full = Array.from({ length: POINTS_MAX }, (_, hz) => ({ hz, db: 0 }));
  assert.equal(putPoint(full, -1, { hz: 99, db: 0 }, 0.1).points.length, POINTS_MAX);
});

test('a limit is above every level by the margin', () => {
  const frame = {
    lowHz: 0,
    columnHz: 1,
    offsetDb: -100,
    stepDb: 1,
    levels: Uint8Array.from({ length: 100 }, (_, i) => (i === 37 ? 80 : 5 + (i % 7))),
  };
  const hold = { ...frame, levels: Uint8Array.from(frame.levels, (level, i) => (i === 60 ? 60 : level)) };
  const points = limitOver([frame, hold], { lowHz: 0, highHz: 100 }, 6, 10);
  assert.ok(points.length <= 11 && points[0].hz === 0 && points.at(-1).hz === 100);
  const limitAt = (hz) => {
    const next = Math.max(
        1,
        points.findIndex((point) => point.hz >= hz),
      ),
      [a, b] = [points[next - 1], points[next]];
    return a.db + ((b.db - a.db) * (hz - a.hz)) / (b.hz - a.hz);
  };
  for (const { levels } of [frame, hold])
    levels.forEach((level, i) => {
      for (const hz of [i, i + 0.5, i + 1]) assert.ok(limitAt(hz) >= level - 100 + 6, `${hz}: ${limitAt(hz)}`);
    });
  assert.ok(limitAt(85) < -80, 'close to the noise where there is no signal');
  assert.deepEqual(limitOver([], { lowHz: 0, highHz: 100 }, 6), []);
});

const trigger = (keys, type = 'mask') => ({ name: 'a', type, armed: true, reason: null, events: 0, keys });

test('limits of the server are drawn while the panel is open', () => {
  const upper = {
    side: 'upper',
    points: [
      { hz: 1e6, db: -50 },
      { hz: 2e6, db: -40 },
    ],
  };
  assert.deepEqual(
    limitsOf({
      upper: [
        [1e6, -50],
        [2e6, -40],
      ],
      lower: [],
    }),
    [upper],
  );
  assert.deepEqual(
    limitsOf({
      upper: [],
      lower: [
        [1, -99],
        [2, -99],
      ],
    }).map(({ side }) => side),
    ['lower'],
  );
  const state = {
    triggersOpen: true,
    triggers: [
      { limits_number: 0, armed: true },
      { limits_number: 7, armed: false },
    ],
    triggerLimits: { 7: [upper] },
  };
  assert.deepEqual(shownLimits(state), [{ ...upper, armed: false }]);
  assert.deepEqual(shownLimits({ ...state, triggersOpen: false }), []);
});

test('a trigger is summed up by its keys', () => {
  assert.equal(summaryOf(trigger({ level: '-40', for: '1ms' }, 'level')), 'level -40, for 1ms');
  assert.equal(summaryOf(trigger({}, 'external')), 'external');
  assert.equal(summaryOf(trigger({ upper: '1M:-5,2M:-5' })), 'mask, upper 1M:-5,2M:-5');
});

test('an event that ends replaces itself and the newest come first', () => {
  const known = mergeEvents(
    [],
    [
      { id: 1, open: false },
      { id: 2, open: true },
    ],
  );
  assert.deepEqual(
    mergeEvents(known, [
      { id: 3, open: true },
      { id: 2, open: false },
    ]).map(({ id, open }) => [id, open]),
    [
      [3, true],
      [2, false],
      [1, false],
    ],
  );
});

test('in a replay an event has its position', () => {
  const event = { line: 5, first_sample: 3000, rate_hz: 1000, time: 1e9 };
  assert.equal(
    timeOf({ anchors: [{ line: 1, first_sample: 1000, position: 60, time: null, jump: 'follows' }] }, event),
    '1:02.000',
  );
  assert.equal(timeOf({ anchors: [] }, event), '01:46:40.000');
});

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
  gap: null,
  finest: true,
  detector: 0,
  asked: 0,
  run: 0,
  ...changes,
});

test('an event is in the rows of its lines', () => {
  const history = new History(64);
  for (let line = 4; line < 20; line += 4)
    history.push(row(line + 3, { firstLine: line, merged: 4, timeMs: 50 * line })); // 4 .. 19
  for (let line = 20; line < 40; line++) {
    if (line === 30) history.push(gapRow(1500, { text: 'here', fault: true }, 30));
    history.push(row(line));
  }
  const at = (line, seconds = 0) => rowsOfEvent(history, { line, duration_s: seconds });
  assert.deepEqual(at(39), { from: 0, to: 0 });
  assert.deepEqual(at(31), { from: 8, to: 8 });
  assert.deepEqual(at(25), { from: 15, to: 15 }, 'a row of the break is between');
  assert.deepEqual(at(13), { from: 22, to: 22 }, 'a row of four lines');
  assert.deepEqual(at(31, 0.12), { from: 8, to: 6 }, 'lines of 50 ms');
  assert.equal(at(3), null);
  assert.equal(at(40), null, 'not drawn yet');
});

test('the waterfall goes to a line that it has or asks for it', () => {
  const asked = [],
    store = new Store(initialState({}));
  store.update({
    limits: { history_rows: 100 },
    link: { kind: 'live', reason: '', retryAt: 0 },
    shownView: { lowHz: 0, highHz: 4 },
    columns: 4,
    frame: row(1000),
  });
  const past = new PastRows(store, { requestHistory: (fields) => asked.push(fields) > 0 });
  const live = new History(64),
    back = new History(64);
  for (let line = 961; line <= 1000; line++) live.push(row(line));
  past.start({ live, past: back, visibleRows: 20, showRows() {} });
  asked.length = 0;
  past.goTo(980);
  assert.equal(store.state.scrolledTo, 50 * 985, 'a quarter of the screen above it');
  past.goTo(500);
  const { before, id } = asked.at(-1);
  assert.equal(before, 506);
  past.receive({
    id,
    detector: 0,
    oldest: false,
    rows: Array.from({ length: 20 }, (_, i) => ({
      ...row(505 - i),
      lines: 1,
      timeNs: BigInt(50e6) * BigInt(505 - i),
      breaks: 0,
      lost: 0,
    })),
  });
  assert.equal(store.state.scrolledTo, 50 * 505);
  past.goTo(400);
  past.receive({ id: asked.at(-1).id, detector: 0, oldest: true, rows: [] });
  assert.equal(store.state.scrolledTo, null, 'live');
  assert.match(store.state.message.text, /does not reach back/);
});
