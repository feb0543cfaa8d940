// bench_table.test.mjs - tests script/bench_table.mjs with rows in the format of fft-bench.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { daemonTable, tables, withTables } from '../../script/bench_table.mjs';

const row = (n, msps, ref, ref_msps, more = {}) => ({
  n,
  msps,
  ref,
  ref_msps,
  ratio: msps / ref_msps,
  threads: 1,
  rel_error: 1.23e-7,
  ref_rel_error: 1.56e-7,
  bound_msps: 2 * msps,
  ...more,
});
const system = 'fftw-3.3.10-sse2-avx',
  other = 'fftw-3.3.10-avx512';
const pieces = {
  'spectrum-system-1.json': [row(256, 2000, `${system} MEASURE`, 1000)],
  'spectrum-system-2.json': [row(2 ** 20, 500, `${system} MEASURE`, 125)],
  'transform-system-1.json': [row(4096, 900, `${system} MEASURE`, 1000)],
  'threads-one-1.json': [row(4096, 1000, null, 1)],
  'threads-all-1.json': [row(4096, 1900, null, 1, { threads: 2 })],
  'density-1.json': [row(4096, 400, 'without density', 1000, { mhits: 412.3 })],
};
const lines = (more = {}) => tables({ ...pieces, ...more }, 'A CPU', '2026-01-02').split('\n');

test('a row has size, ratio and share of the bound', () => {
  assert.ok(lines().includes('| 256 | 2000 | 2.00 | 1.2e-7 | 1.6e-7 | 50 % |'));
  assert.ok(lines().includes('| 1M | 500 | 4.00 | 1.2e-7 | 1.6e-7 | 50 % |'));
});

test('another FFTW has its own column, with its better plans marked', () => {
  const text = lines({ 'spectrum-other-1.json': [row(256, 2000, `${other} PATIENT`, 1600)] });
  assert.ok(text.includes('| 256 | 2000 | 2.00 | 1.25p | 1.2e-7 | 1.6e-7 | 50 % |'));
  assert.ok(text.includes('| 1M | 500 | 4.00 |  | 1.2e-7 | 1.6e-7 | 50 % |'));
  assert.ok(text.some((line) => line.includes('times FFTW (avx512)')));
});

test('the machine, the date and the version of FFTW are named', () => {
  assert.match(lines()[0], /^A CPU, 2026-01-02; FFTW 3\.3\.10, /);
});

test('threads and density are speed-ups, not shares', () => {
  assert.ok(lines().includes('| 4K | 1000 | 1900 | 1.90 | 412 | 2.5 |'));
});

test('a row of the daemon adds up its losses and names the threads that count', () => {
  const row = {
    n: 1024,
    hop: 256,
    engine: 'cpu: X',
    format: 'cs16',
    measurements: 10,
    density: '0x0',
    asked_msps: 245.76,
    msps: 245.7,
    spectra_per_second: 959766,
    lost: { overflow: 1, overrun: 20, gap: 0, retune: 0, tail: 3 },
    processors: 1.204,
    threads: { source: 0.001, dsp: 0.6, 'fft worker': 0.603 },
    memory_mib: 33,
    ring_mib: 944,
    seconds: 10.02,
    load_before: 0.1,
  };
  const [what, when, , head, , text] = daemonTable([row], 'A CPU', '2026-01-02').split('\n');
  assert.match(what, /^A CPU, 2026-01-02; cpu: X; cs16, 10 measurements, .* one viewer;$/);
  assert.match(when, /^10 s each; .* 0\.10:$/);
  assert.equal(head.split('|').length, text.split('|').length);
  assert.equal(text, '| 1K | 256 |  | 245.76 | 245.70 | 959766 | 24 | 1.20 | dsp 0.60, fft worker 0.60 | 33 + 944 |');
});

test('the tables go between the marks of bench/results/cpu.md, and nothing else changes', () => {
  const document = readFileSync(new URL('../../bench/results/cpu.md', import.meta.url), 'utf8');
  const [before, rest] = document.split('<!-- bench -->\n');
  const after = rest.split('<!-- /bench -->')[1];
  assert.equal(withTables(document, 'T $1'), `${before}<!-- bench -->\nT $1\n<!-- /bench -->${after}`);
  assert.throws(() => withTables('no marks', 'T'), /marks/);
});

test('the committed tables have the form that is generated', () => {
  const document = readFileSync(new URL('../../bench/results/cpu.md', import.meta.url), 'utf8');
  const committed = document.split('<!-- bench -->\n')[1].split('\n');
  const [, ...captions] = lines().filter((line) => line && !line.startsWith('|'));
  captions.forEach((caption) => assert.ok(committed.includes(caption), caption));
  assert.match(committed[0], /^.+, \d{4}-\d\d-\d\d; FFTW [\d.]+, MEASURE plans \(p: PATIENT plans\)\. Spectra/);
});
