// The range of levels that follows the spectra.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RangeFollower } from '../../../web/plot/levels.js';

/** A floor and a peak, dBFS. */
function spectrum(floorDb, peakDb) {
  const levels = new Uint8Array(200).fill((floorDb + 140) * 2);
  levels[7] = (peakDb + 140) * 2;
  return { levels, columns: levels.length, offsetDb: -140, stepDb: 0.5, peakDb };
}

/** Shows the spectrum for some seconds, at 20 lines a second. */
function show(follower, shown, frame, from, seconds) {
  for (let line = 0; line < 20 * seconds; line++) shown = follower.follow(shown, frame, 1000 * from + 50 * line);
  return shown;
}

test('what is off the axis widens it at once', () => {
  const follower = new RangeFollower();
  let range = show(follower, null, spectrum(-100, -60), 0, 1);
  range = follower.follow(range, spectrum(-100, -10), 1000); // a burst
  assert.ok(range.topDb > -10 && range.bottomDb < -100, JSON.stringify(range));
  range = follower.follow(range, spectrum(-118, -60), 1050); // the floor of a larger FFT
  assert.ok(range.topDb > -10 && range.bottomDb < -118, JSON.stringify(range));
});

test('a burst within the last seconds keeps its room and an old one does not', () => {
  const follower = new RangeFollower(),
    quiet = spectrum(-100, -60);
  const first = show(follower, null, quiet, 0, 1);
  let range = follower.follow(first, spectrum(-100, -10), 1000);
  range = show(follower, range, quiet, 1.05, 2);
  assert.ok(range.topDb > -10);
  range = show(follower, range, quiet, 3.05, 7);
  assert.deepEqual(range, first);
});

test('bursts once a second do not make the picture jump', () => {
  const follower = new RangeFollower();
  const ranges = new Set();
  let range = null;
  for (let line = 0; line < 20 * 60; line++) {
    range = follower.follow(range, spectrum(-100, line % 20 ? -60 : -10), 50 * line);
    if (line > 20) ranges.add(JSON.stringify(range));
  }
  assert.equal(ranges.size, 1, [...ranges].join(' '));
});

test('a floor that wavers by some db moves nothing', () => {
  const follower = new RangeFollower();
  let range = show(follower, null, spectrum(-100, -60), 0, 1);
  range = show(follower, range, spectrum(-104, -57), 1, 1);
  for (let second = 2; second < 60; second++) {
    const next = show(follower, range, spectrum(-102 + 2 * (second % 2), -60 + (second % 3)), second, 1);
    assert.equal(next, range);
  }
});
