// bench.test.mjs - fft-bench daemon: its rows agree with what fftd was asked for. No figure of speed is judged.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { binary } from '../support/fftd.mjs';

const program = process.env.FFT_BENCH ?? 'build/dev/bench/fft-bench';
const run = (...args) => spawnSync(program, ['daemon', '--fftd', binary, ...args], { encoding: 'utf8' });
const rowsOf = (...args) => {
  const { status, stdout, stderr } = run('--quick', '--json', '--rate', '500k', '--engine', 'cpu', ...args);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

test('a row for each size tells rates, losses, threads and memory', () => {
  const rows = rowsOf('--n', '256,1K', '--hop', '128');
  assert.deepEqual(
    rows.map(({ n, hop }) => [n, hop]),
    [
      [256, 128],
      [1024, 128],
    ],
  );
  for (const row of rows) {
    assert.equal(row.asked_msps, 0.5);
    assert.ok(row.msps > 0 && row.lines_per_second > 0 && row.viewer_lines_per_second > 0, JSON.stringify(row));
    // Frames begin every 128 samples, and both are read at the same two moments; the rest is rounding.
    const frames = row.spectra_per_second * row.seconds,
      samples = row.msps * 1e6 * row.seconds;
    assert.ok(Math.abs(frames - samples / 128) <= 3, JSON.stringify(row));
    assert.deepEqual(Object.keys(row.lost), ['overflow', 'overrun', 'gap', 'retune', 'tail']);
    for (const name of ['fftd', 'source', 'dsp', 'measure']) assert.ok(name in row.threads, name);
    assert.ok(row.memory_mib > 1 && row.ring_mib > 1, JSON.stringify(row));
    assert.equal(row.measurements, 10);
  }
});

test('density, other options of fftd, and nobody watching', () => {
  const [dense] = rowsOf('--density', '64x32', '--threads', '1', '--', '--line-rate', '50');
  assert.ok(dense.viewer_densities_per_second > 0 && dense.density === '64x32', JSON.stringify(dense));
  assert.ok(dense.engine.endsWith(', 1 thread'), dense.engine);
  const [alone] = rowsOf('--no-viewer', '--measurements', '0');
  assert.equal(alone.viewer_lines_per_second, 0);
  assert.ok(alone.lines_per_second > 0 && !('measure' in alone.threads), JSON.stringify(alone));
});

test('channels run at the same time, and open and armed channels are distinguished', () => {
  const [row] = rowsOf('--channels', '2+6', '--channel-rate', '12k', '--no-viewer', '--measurements', '0');
  const { open, armed, missed } = row.channels;
  assert.deepEqual([open, armed], [2, 6]);
  assert.ok(missed >= 0 && 'channels' in row.threads, JSON.stringify(row));
  const { stdout } = run('--quick', '--rate', '500k', '--engine', 'cpu', '--channels', '3');
  assert.match(stdout, / {4}channels of 25000 S\/s: 3 open, 0 armed, missed \d+ samples/);
});

test('the text says the same', () => {
  const { status, stdout } = run('--quick', '--rate', '500k', '--engine', 'cpu');
  assert.equal(status, 0);
  assert.match(stdout, /^n 1024, hop 256, cs16, cpu: .*10 measurements, one viewer; load before: /);
  assert.match(stdout, /MS\/s of 0\.50, .*\n {4}lost 0 samples: /);
  assert.match(stdout, / {4}processors \d+\.\d+: .*dsp \d/);
});

test('bad options and a program that ends are named', () => {
  for (const [args, piece] of [
    [['--rate', 'fast'], '"fast"'],
    [['--measurements', '11'], '"11"'],
    [['--channels', '5000'], '"5000"'],
    [['--n', '1000'], '1000'],
    [['--hop', '2048'], '--hop 2048'],
    [['--vs', 'fftw'], '--vs is not an option of daemon'],
    [['--fftd', '/nowhere/fftd'], '/nowhere/fftd'],
    [['--engine', 'abacus'], 'abacus'],
  ]) {
    const { status, stdout, stderr } = run('--quick', ...args);
    assert.notEqual(status, 0, args.join(' '));
    assert.ok(stderr.includes(piece) && stdout === '', `${args}: ${stderr}`);
  }
});
