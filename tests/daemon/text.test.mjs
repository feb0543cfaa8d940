// text.test.mjs - the text outputs as other programs read them: RBW, forms of CSV, the schema of JSON.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCsv, run, scratch } from '../support/fftd.mjs';
import { encode, tone as signalOfTone } from '../support/signal.mjs';

const RATE = 1.024e6;

/** cf32 samples of a tone at -6.02 dBFS, `hertz` from the centre. */
const tone = (hertz, count) => encode('cf32', count, signalOfTone(0.5, hertz / RATE));

async function replay(args, input = tone(100e3, 65536)) {
  const { code, stdout, stderr } = await run(
    ['-', '--format', 'cf32', '--rate', '1.024M', '--center', '100M', ...args],
    { input },
  );
  assert.equal(code, 0, stderr);
  return stdout.toString();
}

test('an RBW gives the FFT size that the window needs for it', async () => {
  // Two tones 4 kHz apart are resolved by bins of 1 kHz, not by bins of 8 kHz (Hann: 1.5 bins of noise bandwidth).
  for (const [rbw, bins] of [
    ['1.5k', 1024],
    ['1.4k', 2048],
    ['12k', 128],
  ]) {
    const [row] = parseCsv(await replay(['--rbw', rbw, '--window', 'hann', '--lines', '1', '--csv', '-']));
    assert.equal(row.levels.length, bins);
    assert.ok(Math.abs(row.step - RATE / bins) < 1e-6);
  }
});

test('an RBW that no FFT size reaches is reported', async () => {
  const { code, stderr } = await run([
    '--source',
    'sim',
    '--rate',
    '100M',
    '--rbw',
    '1',
    '--window',
    'rect',
    '--duration',
    '0.1',
    '--fast',
    '--listen',
    'none',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /an RBW of 1 Hz is out of reach: it is 23\.84 Hz with fft-size 4194304/); // 100e6 / 2^22
});

test('--rbw and --fft-size exclude each other', async () => {
  const { code, stderr } = await run([
    '--source',
    'sim',
    '--rbw',
    '1k',
    '--fft-size',
    '1024',
    '--lines',
    '1',
    '--fast',
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /--rbw and --fft-size cannot be given together/);
});

test('a VBW gives the frames of a line', async () => {
  // 1.024 MS/s, 1024 points without overlap: a line of 20 frames lasts 20 ms, and its mean has 25 Hz.
  const options = ['--fft-size', '1024', '--overlap', '0', '--lines', '1', '--json', '-'];
  for (const [vbw, frames] of [
    ['25', 20],
    ['24.9', 21],
    ['100', 5],
  ])
    assert.equal(JSON.parse(await replay([...options, '--vbw', vbw])).frames, frames);
});

test('a VBW that no line reaches is reported', async () => {
  const { code, stderr } = await run([
    '--source',
    'sim',
    '--rate',
    '1.024M',
    '--fft-size',
    '1024',
    '--overlap',
    '0',
    '--vbw',
    '2k',
    '--duration',
    '0.1',
    '--fast',
    '--listen',
    'none',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /a VBW of 2000 Hz is out of reach: it is 500 Hz with 1 frames in a line/);
});

test('--vbw excludes --average and --line-rate', async () => {
  for (const [other, value] of [
    ['--average', '5'],
    ['--line-rate', '5'],
  ]) {
    const { code, stderr } = await run(['--source', 'sim', '--vbw', '10', other, value, '--lines', '1', '--fast']);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`--vbw and ${other} cannot be given together`));
  }
});

test('a sweep for planners holds the whole run once: the maximum of every frequency', async () => {
  // A burst in the middle of silence: only a fold over all lines has it.
  const silence = Buffer.alloc(8 * 65536);
  const text = await replay(
    [
      '--rbw',
      '1.5k',
      '--window',
      'hann',
      '--line-rate',
      '100',
      '--detector',
      'max',
      '--csv-format',
      'mhz-dbm',
      '--csv',
      '-',
    ],
    Buffer.concat([silence, tone(100e3, 16384), silence]),
  );
  const rows = text
    .trimEnd()
    .split('\n')
    .map((row) => row.split(',').map(Number));
  assert.equal(rows.length, 1024);
  assert.ok(rows.every((row, i) => row.length === 2 && (i === 0 || row[0] > rows[i - 1][0])));
  const best = rows.reduce((a, b) => (b[1] > a[1] ? b : a));
  assert.deepEqual(best[0], 100.1);
  assert.ok(Math.abs(best[1] + 6.02) < 0.02, `${best[1]} dBFS`);
});

test('a sweep of means is the mean of the run', async () => {
  // The tone is there for a quarter of the lines: -6.02 dBFS less 6.02 dB, and a little for the frame at the edge.
  const input = Buffer.concat([tone(100e3, 65536), Buffer.alloc(3 * 8 * 65536)]);
  const rows = (
    await replay(
      ['--fft-size', '1024', '--overlap', '0', '--average', '16', '--csv-format', 'mhz-dbm', '--csv', '-'],
      input,
    )
  )
    .trimEnd()
    .split('\n')
    .map((row) => row.split(',').map(Number));
  const [, level] = rows.find(([mhz]) => mhz === 100.1);
  assert.ok(Math.abs(level + 12.04) < 0.02, `${level} dBFS`);
});

test('the form of hackrf_sweep has the levels of the default form', async () => {
  const args = ['--fft-size', '1024', '--lines', '2'];
  const [ours] = parseCsv(await replay([...args, '--csv', '-']));
  const rows = parseCsv(await replay([...args, '--csv-format', 'hackrf_sweep', '--csv', '-']));
  assert.equal(rows.length, 2); // 1.024 MHz is less than 5 MHz
  assert.deepEqual([rows[0].low, rows[0].high, rows[0].step], [99488000, 100512000, 1000]);
  assert.deepEqual(rows[0].levels, ours.levels);
});

const Ajv = await import('ajv').catch(() => null);
test(
  'rows of JSON follow the published schema',
  { skip: Ajv === null && 'node_modules is missing (npm ci in tests/)' },
  async (t) => {
    const path = new URL('../../docs/schema/line.schema.json', import.meta.url);
    const valid = new Ajv.default.default({ allErrors: true }).compile(JSON.parse(readFileSync(path, 'utf8')));
    const out = join(scratch(t), 'lines.json');
    await replay(['--lines', '3', '--json', out, '--overwrite']);
    const known = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    const table = join(scratch(t), 'table');
    writeFileSync(table, 'serial = -\ndate = -\nuncertainty = -\n100M - - 20\n');
    await replay(['--lines', '1', '--json', out, '--overwrite', '--calibration', table, '--level-unit', 'dbuv']);
    const calibrated = JSON.parse(readFileSync(out, 'utf8'));
    assert.equal(calibrated.unit, 'dBuV');
    const { code } = await run(['-', '--format', 'cu8', '--lines', '1', '--json', out, '--overwrite'], {
      input: Buffer.alloc(99998, 127),
    });
    assert.equal(code, 0);
    const assumed = JSON.parse(readFileSync(out, 'utf8'));
    await replay(['--lines', '2', '--json', out, '--overwrite', '--trigger', 'level=0,mode=free']); // each line is an event
    const marked = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    assert.deepEqual(
      marked.map(({ events }) => events?.map(({ id }) => id)),
      [[1], [2]],
    );
    for (const row of [...known, calibrated, assumed, ...marked]) {
      assert.ok(valid(row), JSON.stringify(valid.errors));
      assert.equal(row.levels.length, row.fft_size);
    }
    assert.equal(assumed.rbw_hz, null);
    const { rbw_hz: gone, ...rest } = known[0];
    assert.ok(gone > 0 && !valid(rest), 'the schema accepts a row without its RBW');
  },
);
