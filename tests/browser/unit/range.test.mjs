// range.test.mjs - the decoder of range-coded levels, hits and frames on golden bytes from an independent encoder.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FrameReader } from '../../../web/net/coded.js';
import { decodeHits, decodeLevels } from '../../../web/net/range.js';

const golden = (name) => JSON.parse(readFileSync(new URL(`../../golden/${name}.json`, import.meta.url), 'utf8'));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const LEVELS = golden('range_levels'),
  HITS = golden('range_hits'),
  FRAMES = golden('coded_frames');

for (const { name, levels, code } of LEVELS)
  test(`golden levels are decoded: ${name}`, () =>
    assert.deepEqual([...decodeLevels(bytes(code), levels.length)], levels));

for (const { name, frames, columns, code } of HITS)
  test(`golden hits are decoded: ${name}`, () =>
    assert.deepEqual([...decodeHits(bytes(code), columns.length, columns[0].length, frames)], columns.flat()));

test('golden frames of a connection are restored to the plain ones', () => {
  const reader = new FrameReader();
  for (const { name, message, frame } of FRAMES)
    assert.equal(Buffer.from(reader.restore(bytes(message).buffer)).toString('hex'), frame, name);
});

test('plain frames and frames of other kinds pass as they are', () => {
  const reader = new FrameReader(),
    plain = bytes(FRAMES[0].frame).buffer;
  assert.equal(reader.restore(plain), plain);
  assert.equal(reader.read(plain).line, 1000);
  assert.throws(() => reader.read(new ArrayBuffer(3)), /too short/);
});

test('a frame without its base is refused', () =>
  assert.throws(() => new FrameReader().read(bytes(FRAMES[1].message).buffer), /without a base/));

const noise = LEVELS.find(({ name }) => name.startsWith('noise')),
  density = HITS.find(({ name }) => name.startsWith('noise'));
const levelsOf = (code) => decodeLevels(code, noise.levels.length);
const hitsOf = (code) => decodeHits(code, density.columns.length, density.columns[0].length, density.frames);

test('a code that is cut or too long is refused', () => {
  for (const [decode, { code }] of [
    [levelsOf, noise],
    [hitsOf, density],
  ]) {
    const all = bytes(code),
      cut = all.length >> 1;
    assert.throws(() => decode(all.subarray(0, cut)), /range code/);
    assert.throws(() => decode(Uint8Array.from([...all, 1, 2, 3, 4])), /range code/);
  }
});

test('more hits than frames and rows that do not exist are refused', () => {
  const { columns, code } = density;
  assert.throws(() => decodeHits(bytes(code), columns.length, columns[0].length, 1), /range code/);
  assert.throws(() => decodeHits(bytes(code), columns.length, 20, 118), /row \d+ of 20/);
});

test('a frame cut anywhere or with any wrong bit is refused or read but never hangs', () => {
  const message = bytes(FRAMES[0].message);
  const read = (copy) => {
    try {
      const frame = new FrameReader().read(copy.buffer);
      assert.ok(frame.levels.length === frame.columns);
    } catch (error) {
      assert.ok(error instanceof Error && error.name === 'Error', String(error.stack));
    }
  };
  for (let size = 0; size < message.length; size++) read(message.slice(0, size));
  for (let bit = 0; bit < 8 * message.length; bit++) {
    const copy = message.slice();
    copy[bit >> 3] ^= 1 << (bit & 7);
    read(copy);
  }
});

test('random bytes are refused or read but never hang', () => {
  let seed = 7;
  const next = () => (seed = (seed * 48271) % 2147483647) & 255;
  for (let i = 0; i < 300; i++) {
    const code = Uint8Array.from({ length: i }, next);
    for (const decode of [levelsOf, hitsOf]) {
      try {
        decode(code);
      } catch (error) {
        assert.match(String(error), /^Error: range code/);
      }
    }
  }
});
