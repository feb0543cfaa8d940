// The rows of the waterfall.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapRow, History, isRepeated, rowOf, sharpened } from '../../../web/plot/history.js';

const row = (line, timeMs, merged = 1) =>
  rowOf({ levels: Uint8Array.of(line), line, merged, lowHz: 0, columnHz: 1, offsetDb: 0, stepDb: 1 }, timeMs);

test('the newest line is repeated also after a merged row of it', () => {
  assert.equal(isRepeated(row(7, 1000), row(7, 1000)), true);
  assert.equal(isRepeated(row(7, 850, 3), row(7, 1000)), true);
});

test('another line a gap and a restarted daemon are no repetition', () => {
  assert.equal(isRepeated(row(7, 1000), row(8, 1050)), false);
  assert.equal(isRepeated(gapRow(1000, { text: 'here', fault: true }), row(7, 1000)), false);
  assert.equal(isRepeated(row(7, 1000), row(7, 400)), false, 'a loop or a restart counts its lines again');
});

test('replacing changes the newest row alone', () => {
  const history = new History(3);
  for (const line of [1, 2, 3, 4]) history.push(row(line, line));
  history.replace(row(9, 9));
  assert.deepEqual(
    [0, 1, 2, 3].map((age) => history.at(age)?.line),
    [9, 3, 2, undefined],
  );
  assert.deepEqual([history.total, history.length], [4, 3]);
});

/** A row of the server's history with these levels, in dBFS, for a view of which frames have one column. */
const sharp = (line, dbs, changes = {}) => ({
  ...row(line, 1000 * line),
  levels: Uint8Array.from(dbs, (db) => 2 * (db + 100)),
  columnHz: 1 / dbs.length,
  offsetDb: -100,
  stepDb: 0.5,
  asked: 4,
  ...changes,
});
const levelsOf = ({ levels, offsetDb, stepDb }) =>
  Array.from(levels, (level) => Math.round(10 * (offsetDb + stepDb * level)) / 10);
const frame = (line, merged, detector = 0) => ({
  levels: Uint8Array.of(80),
  line,
  merged,
  lowHz: 0,
  columnHz: 1,
  offsetDb: -100,
  stepDb: 1,
  detector,
  columns: 1,
});

test('a frame of one line gets the levels of its row', () => {
  const shown = sharpened(frame(9, 1), [sharp(8, [-10, -10]), sharp(9, [-20, -90])], 0);
  assert.deepEqual(
    [levelsOf(shown), shown.columns, shown.columnHz, shown.line, shown.merged],
    [[-20, -90], 2, 0.5, 9, 1],
  );
});

test('a frame of merged lines gets their mean power their maximum or their minimum', () => {
  const rows = [sharp(6, [0, 0]), sharp(7, [-20, -90]), sharp(8, [-20, -80]), sharp(9, [-30, -80])];
  const mean = (...dbs) => 10 * Math.log10(dbs.reduce((all, db) => all + 10 ** (db / 10), 0) / dbs.length);
  const near = (detector, expected) =>
    levelsOf(sharpened(frame(9, 3, detector), rows, detector)).forEach((db, i) =>
      assert.ok(Math.abs(db - expected[i]) <= 0.25, `${detector}: ${db}`),
    );
  near(0, [mean(-20, -20, -30), mean(-90, -80, -80)]);
  near(1, [-20, -80]);
  near(2, [-30, -90]);
});

test('a row of more lines weighs more', () => {
  const rows = [sharp(7, [-20, -60], { merged: 3, firstLine: 5 }), sharp(8, [-100, -100])];
  assert.ok(Math.abs(levelsOf(sharpened(frame(8, 4), rows, 0))[0] - (-20 + 10 * Math.log10(3 / 4))) <= 0.25);
});

test('rows that the answer did not renew are left out', () => {
  const stale = { ...row(9, 9000, 3), levels: Uint8Array.of(80), offsetDb: -100 };
  const shown = sharpened(frame(9, 3), [sharp(7, [-20, -90]), sharp(8, [-20, -90]), stale], 0);
  assert.deepEqual(levelsOf(shown), [-20, -90]);
});

test('a frame stays as it is without rows of its lines or of its detector', () => {
  const shown = frame(9, 2);
  for (const [rows, detector] of [
    [[sharp(7, [-20, -90])], 0],
    [[], 0],
    [[gapRow(1000, { text: 'here', fault: true }, 9)], 0],
    [[sharp(9, [-20, -90], { detector: 1 })], 1],
    [[sharp(9, [-20, -90], { run: 0 }), sharp(1, [-5, -5], { run: 1 })], 0],
  ])
    assert.equal(sharpened(shown, rows, detector), shown);
});
