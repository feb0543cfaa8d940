// Why the waterfall has a break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakBetween } from '../../../web/plot/breaks.js';

const NOTHING = { overflow: 0, overrun: 0, gap: 0, retune: 0, tail: 0 };
const frame = (changes = {}, lost = {}) => ({
  centerHz: 100e6,
  rateHz: 2e6,
  n: 4096,
  hop: 1024,
  window: 'hann',
  gap: true,
  ledger: { lost: { ...NOTHING, ...lost } },
  ...changes,
});
const plain = (text) => text.replace(/\u202f/g, ' ');
const between = (before, after, missed = {}) => {
  const found = breakBetween(before, after, { paused: false, reconnected: false, ...missed });
  return found && [plain(found.text), found.fault];
};

test('frames that follow one another have no break', () => {
  assert.equal(between(frame(), frame({ gap: false })), null);
});

test('only samples that should not be lost are a fault and named by cause', () => {
  assert.deepEqual(between(frame({}, { overflow: 5 }), frame({}, { overflow: 12345, overrun: 7, tail: 9 })), [
    'samples lost here: overflow 12 340, overrun 7',
    true,
  ]);
  assert.deepEqual(between(frame({}, { overflow: 5 }), frame({}, { overflow: 5, tail: 9 })), [
    'the stream starts again here',
    false,
  ]);
});

test('a retune and new settings are named', () => {
  assert.deepEqual(between(frame(), frame({ centerHz: 868.95e6 }, { retune: 4000 })), [
    'tuned to 868.950 MHz here',
    false,
  ]);
  assert.deepEqual(between(frame(), frame({}, { retune: 4000 })), ['the radio was set here', false]);
  assert.deepEqual(between(frame(), frame({ n: 65536 })), ['the FFT was set here', false]);
});

test('a pause and a lost connection are named unless samples were lost meanwhile', () => {
  const after = frame({ gap: false });
  assert.deepEqual(between(frame(), after, { paused: true }), ['paused here', false]);
  assert.deepEqual(between(frame(), after, { reconnected: true }), ['reconnected here', false]);
  assert.deepEqual(between(frame(), frame({ gap: false }, { gap: 8 }), { reconnected: true }), [
    'samples lost here: gap 8',
    true,
  ]);
});

test('a daemon that was started anew counts from zero and has lost nothing', () => {
  assert.deepEqual(between(frame({}, { overflow: 500 }), frame(), { reconnected: true }), ['reconnected here', false]);
});
