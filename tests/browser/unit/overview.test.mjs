// Tests the overview of a recording.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Overview } from '../../../web/plot/overview.js';

const row = (seconds, db, changes = {}) => ({
  positionMs: 1000 * seconds,
  merged: 1,
  offsetDb: -100,
  stepDb: 1,
  levels: Uint8Array.of(3, db + 100, 5),
  gap: null,
  ...changes,
});
/** The part of 400 in which a position of 40 s is. */
const at = (seconds) => Math.floor(seconds * 10);

function overviewOf(rows, lineRateHz = 10) {
  const overview = new Overview();
  overview.cover(0, 40);
  assert.equal(overview.add(rows, lineRateHz), rows.length > 0);
  return overview;
}

test('a row is at its position, with its strongest level', () => {
  const { levels } = overviewOf([row(10.05, -20), row(20.05, -70)]);
  assert.equal(levels[at(10.05)], -20);
  assert.equal(levels[at(20.05)], -70);
  assert.equal(levels.filter((db) => !Number.isNaN(db)).length, 4, 'each reaches into the next part');
});

test('of several rows of one part the strongest counts, and each row counts once', () => {
  const rows = [row(5.01, -40), row(5.02, -30), row(5.03, -50)],
    overview = overviewOf(rows, 1000);
  assert.equal(overview.levels[at(5.01)], -30);
  assert.equal(overview.add(rows, 1000), false);
});

test('a row of many lines covers all of its time', () => {
  const { levels } = overviewOf([row(10.05, -20, { merged: 100 })]);
  for (let seconds = 10.05; seconds < 20; seconds += 0.1) assert.equal(levels[at(seconds)], -20);
  assert.ok(Number.isNaN(levels[at(21)]));
});

test('heights are from the weakest to the strongest part, and 20 dB at least', () => {
  const heights = overviewOf([row(1, -80), row(2, -40), row(3, -60)]).heights();
  assert.deepEqual([heights[at(1)], heights[at(2)], heights[at(4)]], [0.1, 1, 0]);
  assert.ok(Math.abs(heights[at(3)] - 0.55) < 1e-6);
  const even = overviewOf([row(1, -41), row(2, -40)]).heights();
  assert.ok(even[at(1)] > 0.9, 'noise does not look like signals');
});

test('another recording starts empty, and rows without a position are left out', () => {
  const overview = overviewOf([row(1, -80)]);
  overview.cover(0, 40);
  assert.equal(overview.levels[at(1)], -80);
  overview.cover(0, 50);
  assert.ok(overview.levels.every(Number.isNaN));
  assert.equal(overview.add([row(NaN, -10), row(3, -10, { gap: {} })], 10), false);
});
