// levels.test.mjs - clipped, unnormalised and invalid samples of recordings: what is counted, said and shown.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, parseCsv, run, scratch } from '../support/fftd.mjs';

const N = 1024,
  FRAMES = 16;
const listed = spawnSync(binary, ['--list-engines'], { encoding: 'utf8' }).stdout;
const engines = [...listed.matchAll(/^(\S+) +ok:/gm)].map(([, name]) => name);
if (/^qpu-emu/m.test(listed) && !engines.includes('qpu-emu')) engines.push('qpu-emu');

/** Samples of a carrier at the centre. @param {Record<number, number>} replaced  values by component */
function carrier(amplitude, replaced = {}) {
  const samples = new Float32Array(2 * N * FRAMES);
  for (let i = 0; i < samples.length; i += 2) samples[i] = amplitude;
  for (const [at, value] of Object.entries(replaced)) samples[at] = value;
  return Buffer.from(samples.buffer);
}

async function replay(t, input, args = []) {
  const folder = scratch(t),
    stats = join(folder, 'stats.json');
  const { code, stdout, stderr } = await run(
    [
      '--replay',
      '-',
      '--format',
      'cf32',
      '--rate',
      '1M',
      '--fft-size',
      `${N}`,
      '--overlap',
      '0',
      '--window',
      'rect',
      '--average',
      `${FRAMES}`,
      '--detector',
      'mean',
      '--csv',
      '-',
      '--stats',
      stats,
      ...args,
    ],
    { input },
  );
  assert.equal(code, 0, stderr);
  return { row: parseCsv(stdout)[0], stdout, stderr, ledger: JSON.parse(readFileSync(stats, 'utf8')) };
}

for (const engine of engines) {
  test(`${engine}: invalid floats are counted, reported once, and cost their own share of the level`, async (t) => {
    const { row, stderr, ledger } = await replay(
      t,
      carrier(0.5, { 4000: NaN, 6001: -Infinity, 8000: 1e30, 9001: 3e38 }),
      ['--engine', engine],
    );
    assert.equal(ledger.invalid, 4);
    assert.equal(ledger.beyond_full_scale, 0);
    assert.equal(ledger.clipped, 0);
    assert.equal(stderr.match(/sample 2000 is not a number/g).length, 1, stderr);
    // Four of 16384 samples are 0: that is 0.002 dB of the carrier and -60 dB beside it.
    assert.ok(Math.abs(row.levels[N / 2] + 6.02) < 0.02, `${row.levels[N / 2]} dBFS`);
    assert.ok(
      row.levels.every((level, k) => k === N / 2 || level < -60),
      'a level beside the carrier',
    );
  });
}

test('the largest valid float has a finite level, and so has its neighbour', async (t) => {
  const { row, ledger } = await replay(t, carrier(9e14));
  assert.equal(ledger.invalid, 0);
  assert.equal(ledger.beyond_full_scale, N * FRAMES);
  assert.ok(Math.abs(row.levels[N / 2] - 299.08) < 0.02, `${row.levels[N / 2]} dBFS`);
});

test('floats at full scale are clipped; those beyond it are not normalised', async (t) => {
  const at = await replay(t, carrier(1));
  assert.equal(at.ledger.clipped, N * FRAMES);
  assert.equal(at.ledger.beyond_full_scale, 0);
  assert.doesNotMatch(at.stderr, /normalised/);
  const beyond = await replay(t, carrier(900)); // +59 dBFS
  assert.equal(beyond.ledger.clipped, 0);
  assert.equal(beyond.ledger.beyond_full_scale, N * FRAMES);
  assert.ok(Math.abs(beyond.row.levels[N / 2] - 59.08) < 0.02);
  assert.match(beyond.stderr, /the recording is not normalised; levels are relative/);
  for (const { stderr } of [at, beyond]) assert.doesNotMatch(stderr, /gain/); // a recording has none
});

test('each invalid sample is counted once, however the frames overlap', async (t) => {
  const { ledger } = await replay(t, carrier(0.5, { 4000: NaN }), ['--overlap', '90', '--average', '7']);
  assert.equal(ledger.invalid, 1);
});
