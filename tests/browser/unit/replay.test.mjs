// Where in its recording a frame is, and what the transport shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addAnchors,
  jumpSeconds,
  timeDigits,
  locate,
  mayControl,
  maySeek,
  shownSeconds,
} from '../../../web/features/replay/replay.js';
import { breakBetween, isJump } from '../../../web/plot/breaks.js';
import { rowOf } from '../../../web/plot/history.js';
import { formatPosition } from '../../../web/util/format.js';

const anchor = (line, first_sample, position, jump, time = null) => ({ line, first_sample, position, time, jump });
const frame = (line, firstSample, merged = 1) => ({ line, firstSample, merged, rateHz: 1000 });

test('a frame follows the newest anchor not above its first line', () => {
  const anchors = [anchor(0, 0, 5, 'follows'), anchor(10, 8000, 60, 'seek', 1700000000), anchor(20, 9000, 5, 'loop')];
  assert.equal(locate(anchors, frame(9, 2500)).seconds, 7.5);
  assert.equal(locate(anchors, frame(10, 8250)).seconds, 60.25);
  assert.equal(locate(anchors, frame(10, 8250)).recordedMs, 1700000000250);
  assert.equal(locate(anchors, frame(12, 2500, 4)).seconds, 7.5, 'a merged frame begins before the seek');
  assert.equal(locate(anchors, frame(21, 9100)).anchor.jump, 'loop');
  assert.ok(Number.isNaN(locate(anchors, frame(21, 9100)).recordedMs));
  assert.equal(locate([], frame(1, 0)), null);
});

test('only the newest anchors are kept', () => {
  const many = addAnchors(
    [anchor(0, 0, 0, 'follows')],
    Array.from({ length: 300 }, (_, i) => anchor(i + 1, i, i, 'loop')),
  );
  assert.equal(many.length, 256);
  assert.equal(many.at(-1).line, 300);
});

test('positions are written as a clock', () => {
  assert.equal(formatPosition(0), '0:00.000');
  assert.equal(formatPosition(62.3456), '1:02.345');
  assert.equal(formatPosition(0.3, 2), '0:00.30'); // 0.3 * 100 is below 30 in floating point
  assert.equal(formatPosition(3723, 0), '1:02:03');
  assert.equal(formatPosition(NaN), '--');
});

const plain = {
  centerHz: 1e8,
  rateHz: 1000,
  n: 64,
  hop: 32,
  window: 'hann',
  gap: true,
  ledger: { lost: { overflow: 0, overrun: 0, gap: 0, retune: 0, tail: 0 } },
};
const at = (place) => ({ ...plain, replay: { seconds: 0, recordedMs: NaN, anchor: place } });
const NOTHING = { paused: false, reconnected: false };

test('a loop and a seek are breaks of their own and no loss', () => {
  const first = anchor(0, 0, 0, 'follows');
  const loop = breakBetween(at(first), at(anchor(5, 50, 0, 'loop')), NOTHING);
  assert.deepEqual([loop.kind, loop.fault, isJump(loop)], ['loop', false, true]);
  const seek = breakBetween(at(first), at(anchor(5, 50, 62.5, 'seek')), NOTHING);
  assert.deepEqual([seek.kind, seek.text], ['seek', 'moved to 1:02.500 here']);
  const loss = { ...at(first), ledger: { lost: { ...plain.ledger.lost, overrun: 9 } } };
  assert.deepEqual(
    [breakBetween(at(first), loss, NOTHING).kind, breakBetween(at(first), loss, NOTHING).fault],
    ['loss', true],
  );
  const same = breakBetween(at(loop), at(loop), NOTHING);
  assert.equal(same.kind, 'restart', 'the same anchor is no jump');
  assert.equal(breakBetween(at(first), { ...at(first), centerHz: 2e8 }, NOTHING).kind, 'retune');
  assert.equal(breakBetween(at(first), { ...at(first), n: 128 }, NOTHING).kind, 'settings');
  assert.equal(breakBetween(at(first), at(first), { paused: false, reconnected: true }).kind, 'reconnect');
});

test('a row of a recording has its position', () => {
  const row = rowOf({ replay: { seconds: 1.5, recordedMs: 7000 }, levels: new Uint8Array(1) }, 99);
  assert.deepEqual([row.positionMs, row.recordedMs, row.timeMs], [1500, 7000, 99]);
  assert.ok(Number.isNaN(rowOf({ levels: new Uint8Array(1) }, 99).positionMs));
});

test('a viewer controls nothing and a pipe has no seeks', () => {
  const state = (allowed, replay) => ({ control: { allowed }, status: { replay } });
  const file = { controllable: true, seekable: true };
  assert.ok(mayControl(state(true, file)) && maySeek(state(true, file)));
  assert.ok(!mayControl(state(false, file)) && !maySeek(state(false, file)));
  assert.ok(mayControl(state(true, { controllable: true, seekable: false })));
  assert.ok(!maySeek(state(true, { controllable: true, seekable: false })));
  assert.ok(!mayControl(state(true, null)));
});

test('a jump is about a twentieth of the part', () => {
  assert.equal(jumpSeconds({ from: 0, to: 100 }), 5);
  assert.equal(jumpSeconds({ from: 2, to: 2.5 }), 0.05);
  assert.equal(jumpSeconds({ from: 0, to: null }), 10);
});

test('a running replay shows the newest frame a paused one its own position', () => {
  const figures = { frame: { replay: { seconds: 3 } } };
  assert.equal(shownSeconds({ figures, status: { replay: { position: 4, paused: false, ended: false } } }), 3);
  assert.equal(shownSeconds({ figures, status: { replay: { position: 9, paused: true, ended: false } } }), 9);
  assert.equal(shownSeconds({ figures: null, status: { replay: { position: 9, paused: false, ended: false } } }), 9);
});

test('times of a replay have the fractions that its length needs', () => {
  for (const [seconds, digits] of [
    [7200, 0],
    [500, 0],
    [499, 1],
    [50, 1],
    [49, 2],
    [8, 2],
    [4.9, 3],
    [0.02, 3],
  ])
    assert.equal(timeDigits({ from: 5, to: 5 + seconds }), digits, `${seconds} s`);
  assert.equal(timeDigits({ from: 0, to: null }), 2, 'of a pipe');
});
