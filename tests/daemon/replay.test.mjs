// replay.test.mjs - replays generated files: levels, formats, limits, pipes, and errors for bad input.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { offsetOf, parseCsv, run, scratch, strongest } from '../support/fftd.mjs';
import { encode, tone as signalOfTone } from '../support/signal.mjs';

/** A tone of the given amplitude, at `cycles` per sample. */
const tone = (format, samples, amplitude, cycles) => encode(format, samples, signalOfTone(amplitude, cycles));

function file(t, name, bytes) {
  const path = join(scratch(t), name);
  writeFileSync(path, bytes);
  return path;
}

test('a full-scale float tone reads 0 dBFS, an integer one at half scale -6.02', async (t) => {
  const folder = scratch(t);
  for (const [format, amplitude, level] of [
    ['cf32', 1, 0],
    ['cs16', 0.5, -6.02],
    ['cs8', 0.5, -6.02],
    ['cu8', 0.5, -6.02],
  ]) {
    const path = join(folder, `tone_100M_1000k.${format}`);
    writeFileSync(path, tone(format, 20000, amplitude, 61 / 512));
    const { stdout, stderr } = await run(['--replay', path, '--fft-size', '512', '--csv', '-']);
    const [row] = parseCsv(stdout);
    const bin = strongest(row);
    assert.equal(offsetOf(row, bin), (61 / 512) * 1e6, stderr);
    assert.equal(row.low + bin * row.step, 100e6 + (61 / 512) * 1e6);
    assert.ok(Math.abs(row.levels[bin] - level) <= 0.02, `${format}: ${row.levels[bin]}`);
  }
});

test('standard input may be split anywhere and ends the replay', async () => {
  const { code, stdout, stderr } = await run(
    ['--replay', '-', '--format', 'cs16', '--rate', '1M', '--center', '7.1M', '--fft-size', '256', '--csv', '-'],
    { input: tone('cs16', 100000, 0.5, -0.25) },
  );
  assert.equal(code, 0, stderr);
  const rows = parseCsv(stdout);
  assert.equal(offsetOf(rows[0], strongest(rows[0])), -250e3);
  assert.equal((rows[0].low + rows[0].high) / 2, 7.1e6);
  assert.equal(rows[0].time, '1970-01-01T00:00:00.000000Z');
});

test('standard input that ends inside a sample gives every row before it, and a warning', async () => {
  const { code, stdout, stderr } = await run(
    ['--replay', '-', '--format', 'cs16', '--rate', '1M', '--fft-size', '256', '--average', '10', '--csv', '-'],
    { input: Buffer.concat([tone('cs16', 128 * 100 + 128, 0.5, 0.25), Buffer.alloc(3)]) },
  );
  assert.equal(code, 0);
  assert.equal(parseCsv(stdout).length, 10);
  assert.match(stderr, /standard input: it ends with an incomplete sample: 3 bytes left out/);
});

test('a scene that repeats in the ring gives the lines of the scene that is copied', async () => {
  const args = [
    '--source',
    'sim',
    '--rate',
    '200k',
    '--fast',
    '--duration',
    '8',
    '--fft-size',
    '1024',
    '--overlap',
    '75',
    '--line-rate',
    '5',
    '--detector',
    'max',
    '--csv',
    '-',
  ];
  for (const format of ['cs16', 'cu8', 'cf32']) {
    // the ring is 3 or 6 cycles of 131072 samples; 12 pass
    const own = ['--format', format, '--ring-size', '1500k'];
    const copied = await run([...args, ...own, '--device', 'seed=3,copy=yes']);
    const inPlace = await run([...args, ...own, '--device', 'seed=3,copy=no']);
    assert.equal(inPlace.code, 0, inPlace.stderr);
    assert.match(inPlace.stderr, /1600000 samples/);
    assert.ok(parseCsv(inPlace.stdout).length >= 40);
    assert.ok(inPlace.stdout.equals(copied.stdout), format);
  }
});

test('--lines and --duration end at the exact line and sample', async (t) => {
  const path = file(t, 'x_1000k.cs16', tone('cs16', 500000, 0.5, 0.1));
  const lines = await run(['--replay', path, '--lines', '3', '--csv', '-', '--fft-size', '64']);
  assert.equal(parseCsv(lines.stdout).length, 3);
  const { stdout } = await run(['--replay', path, '--duration', '0.1', '--stats', '-']);
  assert.equal(JSON.parse(stdout).samples, 100000);
});

test('--average sets the frames per line, --line-rate its length', async (t) => {
  const path = file(t, 'x_1000k.cs16', tone('cs16', 128 * 1000 + 128, 0.5, 0.1));
  const rows = async (...args) =>
    parseCsv((await run(['--replay', path, '--fft-size', '256', '--csv', '-', ...args])).stdout);
  assert.equal((await rows('--average', '100')).length, 10);
  const at100 = await rows('--line-rate', '100'); // 78 or 79 frames of 128 samples: 8 lines have 625 of them
  assert.ok(Math.abs(at100[1].seconds - 0.009984) < 2e-6, `${at100[1].seconds} s`);
  assert.ok(Math.abs(at100[8].seconds - 0.08) < 2e-6, `${at100[8].seconds} s`);
  assert.equal(at100.length, Math.ceil(1000 / 78.125));
});

test('a full disk is an error that names the file', async (t) => {
  const path = file(t, 'x_1000k.cs16', tone('cs16', 200000, 0.5, 0.1));
  const { code, stderr } = await run(['--replay', path, '--csv', '/dev/full']);
  assert.equal(code, 1);
  assert.match(stderr, /\/dev\/full: No space left/);
});

/** Each is refused with one line that names the culprit, before anything starts. */
const REFUSED = [
  ['a file that is not there', ['--replay', '/nonexistent/x_1M.cu8'], /\/nonexistent\/x_1M\.cu8.*No such file/],
  ['a file that is not there and has no format', ['--replay', '/nonexistent'], /\/nonexistent: No such file/],
  ['a folder', ['--replay', '/etc'], /\/etc: .*directory/],
  ['an unknown window', ['--source', 'sim', '--window', 'hamm'], /window.*hamm/],
  ['a 4 GiB FFT', ['--source', 'sim', '--fft-size', '4294967296'], /fft-size.*4294967296/],
  ['an FFT that is no power of two', ['--source', 'sim', '--fft-size', '1000'], /fft-size.*1000/],
  ['a rate of 0', ['--source', 'sim', '--rate', '0'], /rate.*'0'/],
  ['a rate that is no number', ['--source', 'sim', '--rate', 'nan'], /rate.*nan/],
  ['an overlap of 100 %', ['--source', 'sim', '--overlap', '100'], /overlap.*100/],
  ['an unknown engine', ['--source', 'sim', '--engine', 'abacus'], /abacus/],
  ['an unknown source', ['--source', 'crystal'], /crystal/],
  ['an unknown option', ['--sauce', 'sim'], /sauce/],
  ['an unknown detector', ['--source', 'sim', '--detector', 'average'], /detector.*average/],
  ['two outputs on one pipe', ['--source', 'sim', '--csv', '-', '--json', '-'], /csv.*json|json.*csv/],
  ['a ring beyond the memory', ['--source', 'sim', '--ring-size', '900G'], /ring-size/],
];

for (const [what, args, culprit] of REFUSED) {
  test(`${what} is refused with one line`, async () => {
    const { code, stdout, stderr } = await run([...args, '--listen', '127.0.0.1:0'], { timeout: 60000 });
    assert.equal(code, 1, stderr);
    assert.match(stderr, culprit);
    assert.equal(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('serving')).length,
      1,
      stderr,
    );
    assert.equal(stdout.length, 0);
  });
}

test('bad recordings are refused with one line that names them', async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, 'folder_1000k.cu8'));
  writeFileSync(join(folder, 'empty_1000k.cs16'), '');
  writeFileSync(join(folder, 'part_1000k.cs16'), Buffer.alloc(3));
  writeFileSync(join(folder, 'broken.wav'), Buffer.from('RIFF....WAVEnonsense'));
  writeFileSync(join(folder, 'broken.sigmf-meta'), '{"global":');
  writeFileSync(join(folder, 'x_1000k.cs4'), Buffer.alloc(3000));
  const cases = {
    'folder_1000k.cu8': /director/,
    'empty_1000k.cs16': /empty/,
    'part_1000k.cs16': /no samples: 3 of the 4 bytes/,
    'broken.wav': /broken\.wav/,
    'broken.sigmf-meta': /broken\.sigmf-meta/,
    'x_1000k.cs4': /cs4/,
  };
  for (const [name, why] of Object.entries(cases)) {
    const { code, stdout, stderr } = await run(['--replay', join(folder, name), '--csv', '-']);
    assert.equal(code, 1, name);
    assert.ok(stderr.includes(name), stderr);
    assert.match(stderr, why);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.equal(stdout.length, 0, name);
  }
});

test('a refused recording keeps old results, a good one replaces them with --overwrite', async (t) => {
  const folder = scratch(t),
    good = file(t, 'x_1000k.cs16', tone('cs16', 10000, 0.5, 0.1));
  const paths = ['csv', 'json', 'stats'].map((name) => join(folder, name));
  const outputs = paths.flatMap((path, i) => [['--csv', '--json', '--stats'][i], path]);
  const old = 'last week\n'.repeat(10000);
  paths.forEach((path) => writeFileSync(path, old));
  assert.equal((await run(['--replay', '/nonexistent', '--overwrite', ...outputs])).code, 1);
  for (const path of paths) assert.equal(readFileSync(path, 'utf8'), old);
  assert.equal((await run(['--replay', good, '--fft-size', '64', '--overwrite', ...outputs])).code, 0);
  for (const path of paths) assert.doesNotMatch(readFileSync(path, 'utf8'), /last week/);
  // Shorter than a frame: no row, and no old row.
  paths.forEach((path) => writeFileSync(path, old));
  assert.equal((await run(['--replay', good, '--fft-size', '65536', '--overwrite', ...outputs])).code, 0);
  assert.equal(readFileSync(paths[0], 'utf8'), '');
  assert.equal(JSON.parse(readFileSync(paths[2], 'utf8')).lost.tail, 10000);
});

test('an output that cannot be opened is an error before anything starts', async (t) => {
  const path = file(t, 'x_1000k.cs16', tone('cs16', 1000, 0.5, 0.1));
  for (const option of ['--csv', '--json', '--stats']) {
    const { code, stderr } = await run(['--replay', path, option, '/nonexistent/out']);
    assert.equal(code, 1);
    assert.match(stderr, /\/nonexistent\/out: No such file/);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
