// The past in the page of a hub, without a browser: pictures of an archive, and rows that come from one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineMessage, radio } from '../mock_hub.mjs';
import { piecesOf, readPicture } from '../../../web/hub/archive.js';
import { LineReader } from '../../../web/hub/line_reader.js';
import { advance, isEmpty, rowNumber, Track } from '../../../web/hub/track.js';
import { History, rowLevel } from '../../../web/plot/history.js';

const NOW = Date.UTC(2026, 1, 3, 12, 0, 0);
const AXIS = { rowMs: 100 };
const NOTHING = -32768;

/** A picture of docs/archive.md, from a table of levels in dB; null: nothing was received. */
function pictureOf(rows, { startMs = NOW, rowMs = 100, readMs = rowMs } = {}) {
  const columns = rows[0].length,
    view = new DataView(new ArrayBuffer(56 + 2 * rows.length * columns));
  view.setUint32(0, 0x46535631);
  for (const [at, value] of [
    [4, 1],
    [8, rows.length],
    [12, columns],
  ])
    view.setUint32(at, value, true);
  for (const [at, ms] of [
    [16, startMs],
    [24, rowMs],
    [48, readMs],
  ])
    view.setBigInt64(at, BigInt(ms) * 1000000n, true);
  view.setFloat64(32, 1e6, true);
  view.setFloat64(40, 1e3, true);
  rows.flat().forEach((level, i) => view.setInt16(56 + 2 * i, level === null ? NOTHING : 100 * level, true));
  return view.buffer;
}

test('a picture of an archive has its times, frequencies and levels', () => {
  const picture = readPicture(
    pictureOf([
      [-90, -30.25],
      [null, -80],
    ]),
  );
  assert.deepEqual(
    [picture.rows, picture.columns, picture.startMs, picture.rowMs, picture.lowHz, picture.columnHz],
    [2, 2, NOW, 100, 1e6, 1e3],
  );
  const [first, second] = piecesOf(picture);
  assert.deepEqual([first.startMs, first.endMs, second.startMs], [NOW, NOW + 100, NOW + 100]);
  assert.ok(
    Math.abs(rowLevel(first.row, 1.0005e6) + 90) < 0.15 && Math.abs(rowLevel(first.row, 1.0015e6) + 30.25) < 0.15,
  );
  assert.equal(second.row.levels[0], 0, 'nothing was received there');
  assert.deepEqual([first.line.peakDb, first.line.peakHz], [-30.25, 1.0015e6]);
});

test('rows of which nothing was received are no pieces, and coarse rows are as long as they are', () => {
  const pieces = piecesOf(
    readPicture(
      pictureOf(
        [
          [null, null],
          [-50, -60],
        ],
        { readMs: 1000 },
      ),
    ),
  );
  assert.equal(pieces.length, 1);
  assert.deepEqual([pieces[0].startMs, pieces[0].endMs], [NOW + 100, NOW + 1100]);
});

test('what is no picture is refused, wherever it ends', () => {
  const whole = pictureOf([
    [-90, -30],
    [-90, -80],
  ]);
  for (let size = 0; size < whole.byteLength; size++)
    assert.throws(() => readPicture(whole.slice(0, size)), /no picture|bad header/);
  const change = (at, value) => {
    const view = new DataView(whole.slice());
    view.setUint32(at, value, true);
    return view.buffer;
  };
  for (const [at, value] of [
    [0, 1],
    [8, 3],
    [8, 2 ** 32 - 1],
    [12, 0],
    [12, 2 ** 31],
  ])
    assert.throws(() => readPicture(change(at, value)), /no picture|bad header/);
  const view = new DataView(whole.slice());
  view.setFloat64(32, NaN, true);
  assert.throws(() => readPicture(view.buffer), /bad header/);
});

/** Lines of 200 ms from NOW on. */
function trackOf(count) {
  const track = new Track(),
    reader = new LineReader();
  for (let line = 0; line < count; line++)
    track.add(reader.read(lineMessage({ ...radio('roof.south', 100e6), line }, NOW + 200 * line)));
  return track;
}
const first = rowNumber(AXIS, NOW);
const kinds = (track, from, to) =>
  Array.from({ length: to - from }, (_, i) => track.rowAt(AXIS, first + from + i))
    .map((row) => (isEmpty(row) ? '.' : row.line < 0 ? 'a' : row.line))
    .join(' ');

test('rows of an archive stand where there is no line, and lines win', () => {
  const track = trackOf(2);
  assert.equal(kinds(track, -4, 5), '. . . . 0 0 1 1 .');
  track.older = piecesOf(readPicture(pictureOf([[-90], [null], [-90], [-90], [-90], [-90]], { startMs: NOW - 300 })));
  assert.equal(kinds(track, -4, 5), '. a . a 0 0 1 1 .');
  assert.equal(track.lineAt(AXIS, first + 3, 10).line, 1);
  assert.equal(track.lineAt(AXIS, first - 1, 10).peakDb, -90);
  assert.equal(track.lineAt(AXIS, first - 5, 10), null);
  assert.equal(track.lineAt(AXIS, first + 8, 3), null, 'no line of these rows');
});

test('a history that is brought back and forth makes only the rows anew that it does not have', () => {
  const track = trackOf(20),
    history = new History(64),
    rows = 10,
    made = [],
    rowAt = track.rowAt.bind(track);
  track.rowAt = (axis, row) => {
    made.push(row - first);
    return rowAt(axis, row);
  };
  advance(history, track, AXIS, -1, first + 30, rows);
  assert.equal(made.length, rows);
  made.length = 0;
  advance(history, track, AXIS, first + 30, first + 27, rows);
  assert.deepEqual(made, [18, 19, 20]);
  assert.equal(history.at(0).line, 13);
  assert.equal(history.at(9).line, 9);
  advance(history, track, AXIS, first + 27, first + 30, rows);
  assert.equal(history.at(0).line, 15);
  made.length = 0;
  advance(history, track, AXIS, first + 30, first + 5, rows);
  assert.equal(made.length, rows, 'nothing of it is known');
});
