// The times beside the waterfall: each is that of its row, whatever a recording does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeMarks } from '../../../web/plot/time_marks.js';

const ROW_MS = 50,
  HEIGHT = 2; // a row: 20 a second, CSS pixels
const GAP = { gap: { text: '', fault: false, kind: 'seek' }, timeMs: Date.UTC(2026, 1, 3), positionMs: NaN };
const live = (timeMs) => ({ gap: null, timeMs, positionMs: NaN });
const played = (positionMs) => ({ gap: null, timeMs: Date.UTC(2026, 1, 3), positionMs });
const repeat = (count, make) => Array.from({ length: count }, (_, i) => make(i));
/** @param {object[]} rows  the oldest first */
const marksOf = (rows) => timeMarks((age) => rows[rows.length - 1 - age], rows.length, HEIGHT, 20);
/** Seconds of "1:02.50" or "12:00:04". @param {string} text */
const seconds = (text) => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

test('live marks are a step apart at the rows where it passes', () => {
  const start = Date.UTC(2026, 1, 3, 12, 0, 0, 30),
    rows = repeat(300, (i) => live(start + i * ROW_MS)),
    marks = marksOf(rows);
  assert.deepEqual(
    marks.map(({ text }) => text),
    repeat(7, (i) => `12:00:${String(14 - 2 * i).padStart(2, '0')}`),
  ); // 40 rows of 2 pixels
  for (const { age, text } of marks) {
    const newer = rows[rows.length - age],
      older = rows[rows.length - 1 - age],
      at = Date.UTC(2026, 1, 3) + 1000 * seconds(text);
    assert.ok(newer.timeMs >= at && older.timeMs < at, text);
  }
});

test('a short recording that is played in a loop has a mark at each start', () => {
  const loop = [GAP, ...repeat(13, (i) => played(10 + i * ROW_MS))],
    marks = marksOf(repeat(10, () => loop).flat());
  assert.deepEqual(
    marks.map(({ text }) => text),
    repeat(10, () => '0:00'),
  );
  assert.deepEqual(
    marks.map(({ age }) => age),
    repeat(10, (i) => 13 + 14 * i),
  );
});

test('after a seek each mark has the position of its row', () => {
  const rows = [...repeat(100, (i) => played(i * ROW_MS)), GAP, ...repeat(100, (i) => played(23700 + i * ROW_MS))],
    marks = marksOf(rows);
  assert.deepEqual(
    marks.map(({ text }) => text),
    ['0:28', '0:26', '0:24', '0:04', '0:02'],
  );
  for (const { age, text } of marks)
    assert.ok(Math.abs(rows[rows.length - age].positionMs - 1000 * seconds(text)) < ROW_MS, text);
});

test('an hour without a connection does not make the step longer', () => {
  const start = Date.UTC(2026, 1, 3, 12),
    rows = [
      ...repeat(100, (i) => live(start + i * ROW_MS)),
      { ...GAP, timeMs: start + 3600e3 },
      ...repeat(100, (i) => live(start + 3600e3 + i * ROW_MS)),
    ];
  assert.deepEqual(
    marksOf(rows).map(({ text }) => text),
    ['13:00:04', '13:00:02', '13:00:00', '12:00:04', '12:00:02'],
  );
});
