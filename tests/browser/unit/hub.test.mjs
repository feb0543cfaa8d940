// The page of a hub without a browser: radios in words, lines on the time axis, the panorama, positions, the address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineMessage, radio } from '../mock_hub.mjs';
import { formatShown, parseShown } from '../../../web/hub/address.js';
import { LineReader } from '../../../web/hub/line_reader.js';
import { coveredHz, hzAtPixel, pixelAt, sectionsOf, stitch } from '../../../web/hub/panorama.js';
import { degreesText, frameOf, isPosition, placeOf } from '../../../web/hub/positions.js';
import {
  durationText,
  isFound,
  judgeClocks,
  lastLineText,
  mergeChanges,
  missingText,
  readRadios,
  remarkText,
  skewText,
  stateText,
  summaryText,
  tuningText,
} from '../../../web/hub/radios.js';
import { advance, isEmpty, renew, rowNumber, Track } from '../../../web/hub/track.js';
import { History } from '../../../web/plot/history.js';
import { linkWords, countdown } from '../../../web/util/link_text.js';

const NOW = Date.UTC(2026, 1, 3, 12, 0, 0);
const plain = (text) => text.replace(/\u202f/g, ' ').replace(/\u2212/g, '-');

// ---- radios -------------------------------------------------------------------------------------

const ENTRY = {
  id: 3,
  site: 'roof',
  radio: 'south',
  state: 'running',
  lines: 990,
  missing: 10,
  malformed: 0,
  skew_ms: -3.25,
  last_line_ns: (NOW - 400) * 1e6,
  announce: { protocol: 1, version: '0.1.0', source: 'RTL2838', center_hz: 100.3e6, rate_hz: 2.4e6, dropped_lines: 0 },
};
const read = (...entries) => readRadios({ sent_ns: NOW * 1e6, radios: entries }).radios;

test('a radio says in words what the hub tells of it', () => {
  const [one] = read(ENTRY);
  assert.equal(one.name, 'roof.south');
  assert.equal(stateText(one, NOW), 'Running');
  assert.equal(plain(tuningText(one)), '100.300 MHz, 2.4 MHz wide');
  assert.equal(lastLineText(one), '0.4 s ago');
  assert.equal(plain(missingText(one)), '10 of 1 000');
  assert.equal(plain(skewText(one)), '-3.3 ms');
  assert.equal(remarkText(one), '');
});

test('a radio that is gone says since when, and how long ago that is', () => {
  const [one] = read({ ...ENTRY, state: 'gone', gone_since_ns: (NOW - 300e3) * 1e6 });
  assert.equal(stateText(one, NOW), 'Gone since 11:55:00 UTC, 5 min ago');
  assert.equal(stateText({ ...one, goneMs: NOW - 86400e3 }, NOW), 'Gone since 2026-02-02 12:00:00 UTC, 24 h ago');
  assert.equal(stateText(read({ ...ENTRY, state: 'gone' })[0], NOW), 'Gone');
});

test('what a sensor dropped and what could not be read is beside what is missing', () => {
  const [one] = read({ ...ENTRY, malformed: 2, announce: { ...ENTRY.announce, dropped_lines: 7 } });
  assert.equal(plain(missingText(one)), '10 of 1 000, 7 dropped by the sensor, 2 unreadable messages');
});

test('a radio says whether it takes requests, who changed it last, and since when the hub has an archive of it', () => {
  const [plain, shown] = read(ENTRY, {
    ...ENTRY,
    id: 4,
    radio: 'west',
    archive: { oldest_ns: (NOW - 5000) * 1e6 },
    announce: { ...ENTRY.announce, controllable: true, control: { name: 'alice', time_ns: (NOW - 90e3) * 1e6 } },
  });
  assert.deepEqual([plain.controllable, plain.writer, plain.archivedMs], [false, null, NaN]);
  assert.deepEqual(
    [shown.controllable, shown.writer, shown.archivedMs],
    [true, { name: 'alice', ms: NOW - 90e3 }, NOW - 5000],
  );
  const [odd] = read({ ...ENTRY, archive: 7, announce: { controllable: 'yes', control: { name: 7, time_ns: 1e15 } } });
  assert.deepEqual([odd.controllable, odd.writer.name, odd.archivedMs], [false, '', NaN]);
});

test('durations have a unit that fits', () => {
  assert.deepEqual([0, 400, 12e3, 99e3, 180e3, 5 * 3600e3, 72 * 3600e3, NaN].map(durationText), [
    '0.0 s',
    '0.4 s',
    '12 s',
    '99 s',
    '3 min',
    '5 h',
    '3 days',
    '--',
  ]);
});

test('a clock that is far off is said, and is not on the axis of the others', () => {
  const [far, unknown] = read(
    { ...ENTRY, id: 1, radio: 'a', skew_ms: 3.6e6 },
    { ...ENTRY, id: 2, radio: 'b', skew_ms: undefined },
  );
  judgeClocks([far, unknown], new Map());
  assert.equal(far.aligned, false);
  assert.match(
    plain(remarkText(far)),
    /^Its clock differs from the hub's by \+60 min: its lines stand where they arrived\.$/,
  );
  assert.ok(unknown.aligned);
  assert.equal(skewText(unknown), 'unknown');
});

test('one late line does not make a clock wrong, as after a link that was away', () => {
  let lastNs = NOW;
  const recent = new Map(),
    alignedAfter = (/** @type {number} */ skew) => {
      const radios = read({ ...ENTRY, skew_ms: skew, last_line_ns: ++lastNs * 1e6 });
      judgeClocks(radios, recent);
      judgeClocks(radios, recent); // a list without a newer line
      return radios[0].aligned;
    };
  assert.deepEqual([2, 30000, 30000, 30000, 3].map(alignedAfter), [true, true, true, false, true]);
});

test('a sensor of another protocol is named as such', () => {
  assert.match(
    remarkText(read({ ...ENTRY, announce: { ...ENTRY.announce, protocol: 2 } })[0]),
    /^It speaks protocol 2, this page 1/,
  );
});

test('radios are sorted by name, and counted', () => {
  const radios = read({ ...ENTRY, id: 1, site: 'z' }, { ...ENTRY, id: 2, site: 'a', state: 'gone' });
  assert.deepEqual(
    radios.map(({ name }) => name),
    ['a.south', 'z.south'],
  );
  assert.equal(summaryText(radios), '2 radios, 1 gone');
  assert.equal(summaryText(radios.slice(1)), '1 radio');
});

test('whatever a hub sends, each field has its type', () => {
  const [one] = read(
    { id: 1, site: 5, state: 'odd', lines: -4, missing: 'x', skew_ms: '1', announce: null },
    { id: 'x' },
    null,
  );
  assert.deepEqual(
    [one.name, one.state, one.lines, one.missing, tuningText(one), lastLineText(one)],
    ['.', 'waiting', 0, 0, 'not tuned yet', 'none'],
  );
  assert.throws(() => readRadios({ type: 'radios' }), /no list of radios/);
});

test('changes replace rows, add them and take them away; the rest of the list is the newest', () => {
  const list = {
    type: 'radios',
    sent_ns: 1,
    broker: { connected: true },
    radios: [
      { ...ENTRY, id: 1, radio: 'a' },
      { ...ENTRY, id: 2, radio: 'b' },
    ],
  };
  const one = mergeChanges(list, {
    type: 'changes',
    sent_ns: 2,
    radios: [
      { ...ENTRY, id: 2, radio: 'b', state: 'gone' },
      { ...ENTRY, id: 3, radio: 'c' },
    ],
    left: [1],
  });
  const { sentMs, connected, radios } = readRadios(one);
  assert.deepEqual(
    [sentMs, connected, radios.map(({ name, state }) => [name, state])],
    [
      2e-6,
      true,
      [
        ['roof.b', 'gone'],
        ['roof.c', 'running'],
      ],
    ],
  );
  const two = mergeChanges(one, { type: 'changes', sent_ns: 3, broker: { connected: false }, radios: [], left: [] });
  assert.deepEqual([readRadios(two).connected, readRadios(two).radios.length, one.broker.connected], [false, 2, true]);
  assert.equal(
    readRadios(mergeChanges(one, { type: 'changes', radios: [null, { id: 'x' }, 5] })).radios.length,
    2,
    'whatever a hub sends',
  );
});

test('the last line of a radio is as old as the hub told while lines come, and ages when none do', () => {
  const row = { ...ENTRY, last_line_ns: (NOW - 40000) * 1e6 };
  assert.equal(lastLineText(read({ ...row, age_ms: 200 })[0]), '0.2 s ago');
  assert.equal(lastLineText(read({ ...row, age_ms: 4000 })[0]), '40 s ago');
});

test('the filter wants each of its words in name, source or state', () => {
  const [one] = read(ENTRY);
  assert.ok(isFound(one, '') && isFound(one, 'ROOF rtl') && isFound(one, 'running'));
  assert.ok(!isFound(one, 'roof north'));
});

// ---- lines of a sensor ------------------------------------------------------------------------

const SOUTH = () => radio('roof.south', 100e6);

test('a message of a sensor gives its line, and its tone where it is', () => {
  const reader = new LineReader(),
    south = { ...SOUTH(), line: 7 };
  const line = reader.read(lineMessage(south, NOW));
  assert.equal(line.line, 7);
  assert.equal(Number(line.timeNs / 1000000n), NOW);
  assert.equal(line.samples, 480000, '0.2 s at 2.4 MS/s');
  const strongest = line.levels.indexOf(Math.max(...line.levels));
  assert.ok(Math.abs(line.lowHz + (strongest + 0.5) * line.columnHz - 100.3e6) <= line.columnHz);
  assert.equal(reader.read(lineMessage(south, NOW)), null, 'the same line twice');
  assert.throws(() => reader.read(new Uint8Array(40)), /not a line of version 1/);
});

// ---- the time axis ----------------------------------------------------------------------------

/** Lines of 200 ms with these numbers, the first one at NOW, in a track. */
function trackOf(numbers, more = () => ({})) {
  const track = new Track(),
    reader = new LineReader();
  for (const number of numbers)
    track.add(reader.read(lineMessage({ ...SOUTH(), line: number, ...more(number) }, NOW + 200 * number)));
  return track;
}
const AXIS = { rowMs: 100 };
const rowsOf = (track, from, to) =>
  Array.from({ length: (to - from) / AXIS.rowMs }, (_, i) => track.rowAt(AXIS, rowNumber(AXIS, NOW + from) + i));
const kinds = (rows) =>
  rows.map((row) => (row.gap ? (row.gap.fault ? '!' : '-') : isEmpty(row) ? '.' : row.line)).join(' ');

test('a row has the line of its time: of two sites, the rows of one time are in the same place', () => {
  assert.equal(kinds(rowsOf(trackOf([0, 1, 2]), -200, 800)), '. . 0 0 1 1 2 2 . .');
});

test('missing lines leave their time empty, with a mark of a fault at both ends', () => {
  const track = trackOf([0, 1, 5, 6]);
  assert.equal(kinds(rowsOf(track, 0, 1400)), '0 0 1 1 ! . . . . . ! 5 6 6');
  assert.equal(track.pieces[2].gap.text, '3 lines missing');
});

test('a row that is longer than a line has the strongest of its lines', () => {
  const track = trackOf([0, 1, 2, 3, 4], (line) => ({ tone: { hz: 100.3e6, db: line === 2 ? -10 : -60 } }));
  const row = track.rowAt({ rowMs: 1000 }, rowNumber({ rowMs: 1000 }, NOW));
  const at = Math.floor((100.3e6 - row.lowHz) / row.columnHz);
  assert.ok(Math.abs(row.offsetDb + row.stepDb * row.levels[at] + 10) <= row.stepDb / 2);
});

test('a loss that is shorter than a row is marked all the same', () => {
  const track = trackOf([0, 1, 3, 4]),
    axis = { rowMs: 1000 };
  assert.equal(kinds([track.rowAt(axis, rowNumber(axis, NOW))]), '!');
});

test('a new run, a retune and lines folded into one are marks without a fault', () => {
  const gapOf = (more) => trackOf([0, 1], (line) => (line ? more : {})).pieces[1].gap;
  assert.deepEqual([gapOf({ run: 2 }).text, gapOf({ run: 2 }).fault], ['the sensor was started again here', false]);
  assert.equal(gapOf({ centerHz: 101e6 }).kind, 'retune');
  const track = new Track(),
    reader = new LineReader();
  track.add(reader.read(lineMessage({ ...SOUTH(), line: 0 }, NOW)));
  const { gap, startMs, endMs } = track.add(
    reader.read(lineMessage({ ...SOUTH(), line: 10 }, NOW + 200, { merged: 10, afterLoss: true })),
  );
  assert.match(gap.text, /the link of the sensor was away; 10 lines are in one/);
  assert.ok(!gap.fault && endMs - startMs === 2000, 'it has the time of all ten');
});

test('what the page did not ask for is no loss of the radio', () => {
  const track = trackOf([0, 1]),
    reader = new LineReader();
  track.pause();
  assert.equal(track.add(reader.read(lineMessage({ ...SOUTH(), line: 1 }, NOW + 200))), null, 'the newest line, again');
  const { gap } = track.add(reader.read(lineMessage({ ...SOUTH(), line: 40 }, NOW + 8000)));
  assert.deepEqual([gap.text, gap.fault], ['this page was not connected', false]);
  assert.equal(kinds(rowsOf(track, 200, 1000)), '1 1 - . . . . .', 'the time between stays empty');
  track.pause();
  assert.equal(
    track.add(reader.read(lineMessage({ ...SOUTH(), line: 41 }, NOW + 8200))).gap,
    null,
    'nothing was missed',
  );
});

test('a radio that stopped for a while has a mark, one whose clock steps a little has none', () => {
  const apart = (/** @type {number} */ ms) => {
    const track = new Track(),
      reader = new LineReader();
    for (const [line, at] of [
      [0, 0],
      [1, 200 + ms],
    ])
      track.add(reader.read(lineMessage({ ...SOUTH(), line }, NOW + at)));
    return kinds(rowsOf(track, 0, 200 + ms + 200));
  };
  assert.equal(apart(100), '0 0 0 1 1');
  assert.equal(apart(400), '0 0 . . . . 1 1');
  assert.equal(apart(800), '0 0 - . . . . . . . - 1');
});

test('a radio whose clock is off has its lines where they arrived', () => {
  const track = new Track(),
    line = new LineReader().read(lineMessage(SOUTH(), NOW + 3600e3));
  const { startMs, endMs } = track.add(line, NOW);
  assert.deepEqual([startMs, endMs], [NOW - 200, NOW]);
});

test('histories that are brought to one row have each row in the same position, also of lines that come late', () => {
  const south = trackOf([0, 1, 2, 3]),
    north = trackOf([0, 1]),
    histories = [new History(64), new History(64)],
    first = rowNumber(AXIS, NOW),
    rows = 10;
  const show = (row, shown) =>
    [south, north].forEach((track, i) => advance(histories[i], track, AXIS, shown, row, rows));
  show(first + 3, -1);
  show(first + 7, first + 3);
  const picture = (history) => kinds(Array.from({ length: rows }, (_, age) => history.at(rows - 1 - age)));
  assert.equal(picture(histories[0]), '. . 0 0 1 1 2 2 3 3');
  assert.equal(picture(histories[1]), '. . 0 0 1 1 . . . .');
  const reader = new LineReader();
  const piece = north.add(reader.read(lineMessage({ ...SOUTH(), line: 2 }, NOW + 400)));
  assert.equal(renew(histories[1], north, AXIS, first + 7, piece.startMs, piece.endMs), 4, 'rows to be drawn again');
  assert.equal(picture(histories[1]), '. . 0 0 1 1 2 2 . .');
  show(first + 500, first + 7);
  assert.equal(picture(histories[0]), '. . . . . . . . . .', 'a page that slept does not draw each row since');
});

// ---- the panorama -----------------------------------------------------------------------------

const frameAt = (lowHz, levels, more = {}) => ({
  lowHz,
  columnHz: 1,
  columns: levels.length,
  levels: Uint8Array.from(levels),
  offsetDb: -100,
  stepDb: 1,
  ...more,
});
const view = (lowHz, highHz) => ({ lowHz, highHz });

test('spans that touch or overlap are one part of the axis; hertz count once', () => {
  assert.deepEqual(sectionsOf([view(5, 15), view(0, 10), view(15, 20)], 200, 10), [
    { view: view(0, 20), left: 0, pixels: 200 },
  ]);
  assert.equal(coveredHz([view(5, 15), view(0, 10), view(30, 31)]), 16);
});

test('a small gap is drawn to scale, a wide one is a break', () => {
  assert.equal(sectionsOf([view(0, 10), view(14, 24)], 240, 10).length, 1);
  const far = sectionsOf([view(0, 10), view(1000, 1030)], 210, 10);
  assert.deepEqual(far, [
    { view: view(0, 10), left: 0, pixels: 50 },
    { view: view(1000, 1030), left: 60, pixels: 150 },
  ]);
  assert.equal(pixelAt(far, 1015), 135);
  assert.ok(Number.isNaN(pixelAt(far, 500)) && Number.isNaN(hzAtPixel(far, 55)));
  assert.equal(hzAtPixel(far, 25), 5);
  assert.deepEqual(sectionsOf([], 100, 10), []);
});

test('where spans overlap the stronger one is shown, and where there is none nothing', () => {
  const { dbs, owners } = stitch(
    [frameAt(0, [10, 20, 30]), frameAt(1, [25, 5, 40], { offsetDb: -90 }), frameAt(6, [1])],
    { view: view(0, 7), left: 0, pixels: 7 },
  );
  assert.deepEqual([...owners], [0, 1, 0, 1, -1, -1, 2]);
  assert.deepEqual([...dbs], [-90, -65, -70, -50, NaN, NaN, -99]);
});

test('the last spectrum of a radio that is gone stands only where nobody else receives', () => {
  const frames = [frameAt(0, [90, 90]), frameAt(1, [10, 10])],
    segment = { view: view(0, 3), left: 0, pixels: 3 };
  assert.deepEqual([...stitch(frames, segment, [true, false]).owners], [0, 1, 1]);
  assert.deepEqual([...stitch(frames.toReversed(), segment, [false, true]).owners], [1, 0, 0]);
  assert.deepEqual([...stitch(frames, segment, [true, true]).owners], [0, 0, 1]);
});

// ---- positions --------------------------------------------------------------------------------

test('the frame of positions has all of them inside, and a degree of longitude is shorter far north', () => {
  const places = [
      { latitude: 60, longitude: 10 },
      { latitude: 60.1, longitude: 10.4 },
    ],
    frame = frameOf(places, 2);
  for (const place of places) {
    const { x, y } = placeOf(frame, place);
    assert.ok(x > 0.05 && x < 0.95 && y > 0.05 && y < 0.95, `${x} ${y}`);
  }
  const perDegree = { x: 2 / (frame.east - frame.west), y: 1 / (frame.north - frame.south) };
  assert.ok(Math.abs(perDegree.x / perDegree.y - Math.cos((60.05 * Math.PI) / 180)) < 0.01);
  assert.ok(frame.latitudes.length >= 2 && frame.latitudes.every((each) => each >= frame.south && each <= frame.north));
  assert.ok(!isPosition({ latitude: NaN, longitude: NaN }) && !isPosition({ latitude: 91, longitude: 0 }));
  assert.deepEqual([degreesText(-48.1, 0.1, ['N', 'S']), degreesText(0, 1, ['E', 'W'])], ['48.1° S', '0°']);
});

// ---- address and connection -------------------------------------------------------------------

test('the address keeps the choice, and ignores what is not allowed', () => {
  const shown = { radios: ['roof.south', 'dach.süd'], panorama: 'all', seconds: 120, atMs: NOW };
  assert.deepEqual(parseShown(formatShown(shown)), shown);
  assert.equal(formatShown(parseShown('')), '');
  assert.equal(formatShown(parseShown('#renderer=gl&time=15')), '#time=15&renderer=gl');
  assert.deepEqual(parseShown('#radios=&panorama=x&time=7'), {
    radios: [],
    panorama: 'chosen',
    seconds: 30,
    atMs: null,
  });
  for (const at of ['yesterday', '', '-1', '%']) assert.equal(parseShown(`#at=${at}`).atMs, null, at);
  assert.equal(formatShown(parseShown('#at=2026-02-03T12:00:00.000Z')), '#at=2026-02-03T12:00:00.000Z');
  assert.deepEqual(parseShown('#radios=a.b,%,a.b,c*d').radios, ['a.b']);
  assert.equal(parseShown(`#radios=${Array.from({ length: 20 }, (_, i) => `r.${i}`).join()}`).radios.length, 6);
});

test('a connection is in words, with the seconds to the next attempt', () => {
  const link = { kind: 'reconnecting', reason: 'connection lost', retryAt: 3500 };
  assert.equal(
    linkWords(link, { live: 'Live', waiting: '' }) + countdown(link, 1000),
    'Reconnecting: connection lost (again in 3 s)',
  );
  assert.equal(
    linkWords({ kind: 'waiting', reason: '', retryAt: 0 }, { live: 'Live', waiting: 'no list' }),
    'Waiting: no list',
  );
});
