// sweep.test.mjs - spans wider than the rate: seams, DC, the ledger, rows, live changes and refusals.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { meanLevels, parseCsv, readStats, run, scratch, serve, until } from '../support/fftd.mjs';

const RATE = 2.4e6,
  N = 1024,
  BIN = RATE / N,
  LOW = 100e6,
  HIGH = 110e6;
// Blackman-Harris loses at most 0.826 dB between bins; flat-top 0.01 dB (Heinzel 2002), so a tone shows its level.
const BASE = [
  '--source',
  'sim',
  '--fast',
  '--engine',
  'cpu',
  '--rate',
  '2.4M',
  '--fft-size',
  `${N}`,
  '--span',
  '100M:110M',
  '--window',
  'flat-top',
  '--dwell',
  '5ms',
];

/** The frequencies between the bins of two dwells, from the geometry in daemon/stream/sweep.h. */
function seams() {
  const reach = Math.floor((N * 0.8) / 2),
    hole = 8 + N / 64,
    half = reach - hole,
    pair = 3 * half + 2 * hole;
  const found = [];
  for (let first = 0; first * BIN < HIGH - LOW; first += pair)
    for (const at of [half, 2 * half, 2 * half + 2 * hole, pair]) found.push(LOW + (first + at - 0.5) * BIN);
  return found.filter((hz) => hz < HIGH - 20 * BIN);
}

async function sweep(t, args) {
  const dir = scratch(t),
    csv = join(dir, 'x.csv'),
    stats = join(dir, 'x.json');
  const { code, stderr } = await run([...BASE, '--csv', csv, '--stats', stats, ...args]);
  assert.equal(code, 0, stderr);
  return { bytes: readFileSync(csv), stats: readStats(stats), stderr };
}

const near = (actual, expected, tolerance, what) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected} +- ${tolerance}`);

test('tones at, just below and just above each seam have their level and frequency', async (t) => {
  for (const offset of [-1.3, -0.5, 0, 0.5, 1.3]) {
    const tones = seams().map((hz) => hz + offset * BIN);
    assert.ok(tones.length > 10);
    const { bytes } = await sweep(t, [
      '--lines',
      '1',
      '--device',
      `scene=world,noise=-120,tones=${tones.map((hz) => `${hz}@-20`).join('/')}`,
    ]);
    const [row] = parseCsv(bytes);
    for (const hz of tones) {
      const around = Math.round((hz - row.low) / row.step);
      let best = around - 3;
      for (let k = around - 3; k <= around + 3; k++) if (row.levels[k] > row.levels[best]) best = k;
      near(row.levels[best], -20, 0.1, `level at ${hz}`);
      near(row.low + best * row.step, hz, BIN / 2 + 1, 'frequency');
    }
  }
});

test('the noise floor is flat over the span and across the seams', async (t) => {
  const { bytes } = await sweep(t, [
    '--lines',
    '40',
    '--window',
    'hann',
    '--device',
    'scene=world,noise=-30,tones=1G@-300',
  ]);
  const rows = parseCsv(bytes),
    levels = meanLevels(rows);
  assert.ok(Math.abs(rows[0].low - LOW) < 1 && Math.abs(rows[0].high - HIGH) < 2 * BIN);
  const powerOf = (from, to) =>
    10 * Math.log10(levels.slice(from, to).reduce((sum, db) => sum + 10 ** (db / 10), 0) / (to - from));
  const all = powerOf(0, levels.length);
  // white noise of -30 dBFS over 1024 bins; a bin of a Hann window has the noise of 1.5 bins
  near(all, -30 - 10 * Math.log10(N) + 10 * Math.log10(1.5), 0.1, 'floor');
  for (const hz of seams()) {
    const k = Math.round((hz - LOW) / BIN + 0.5);
    // 100 bins (67 independent ones) of 40 sweeps of 22 frames (21 independent ones): 0.1 dB is five standard deviations
    near(powerOf(Math.max(0, k - 100), k), all, 0.1, `below the seam at ${hz}`);
    near(powerOf(k, k + 100), all, 0.1, `above the seam at ${hz}`);
  }
});

// A tone that moves with the centre is what the DC offset of a receiver is.
test('the DC of the receiver is not in the span', async (t) => {
  const { bytes } = await sweep(t, [
    '--lines',
    '1',
    '--window',
    'blackman-harris',
    '--device',
    'scene=tone,offset=0,level=-10,noise=-60',
  ]);
  const [row] = parseCsv(bytes);
  assert.ok(Math.max(...row.levels) < -70, `${Math.max(...row.levels)} dBFS`);
});

test('every sample is seen or lost to settling, and the same samples give the same bytes', async (t) => {
  const args = ['--lines', '3', '--device', 'settle=0.0005'];
  const first = await sweep(t, args),
    second = await sweep(t, [...args, '--threads', '1', '--ring-size', '64M']);
  assert.deepEqual(first.bytes, second.bytes);
  const { stats } = first,
    dwell = Math.floor((0.005 * RATE - N) / (N / 2)) + 1;
  const samples = ((dwell - 1) * N) / 2 + N;
  assert.equal(stats.lines, 3);
  assert.equal(stats.lost.tail + stats.lost.overrun + stats.lost.gap + stats.lost.overflow, 0);
  const dwells = stats.seen / samples;
  assert.equal(dwells % 3, 0);
  assert.equal(stats.lost.retune, (dwells - 1) * 1200); // none before the first one
  assert.equal(stats.frames, dwells * dwell);
  const rows = parseCsv(first.bytes);
  near(rows[1].seconds - rows[0].seconds, ((dwells / 3) * (samples + 1200)) / RATE, 1e-6, 'time of a sweep');
});

test('losses within dwells cost no line, and a dwell without a frame costs its sweep', async (t) => {
  const some = await sweep(t, ['--lines', '5', '--device', 'overflow_every=0.0123,overflow_lost=100']);
  assert.equal(some.stats.lines, 5);
  assert.ok(some.stats.lost.overflow > 1000 && some.stats.lost.tail > 0);
  // frames of 1024 samples never fit between two overflows 1000 samples apart
  const { code, stderr } = await run([
    ...BASE.slice(0, -2),
    '--csv',
    '-',
    '--duration',
    '0.5',
    '--average',
    '1',
    '--device',
    'overflow_every=0.000416,overflow_lost=10',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, / 0 lines;/);
});

test('rows of hackrf_sweep are 5 MHz wide and share the time of their sweep', async (t) => {
  const { bytes } = await sweep(t, [
    '--lines',
    '2',
    '--rate',
    '20M',
    '--fft-size',
    '4096',
    '--span',
    '100M:200M',
    '--csv-format',
    'hackrf_sweep',
  ]);
  const rows = parseCsv(bytes);
  assert.equal(rows.length, 40);
  rows.forEach((row, i) => {
    assert.equal(row.low, 100e6 + 5e6 * (i % 20));
    assert.equal(row.high, row.low + 5e6);
    assert.equal(row.levels.length, 1024);
    near(row.step, 20e6 / 4096, 0.01, 'step');
    assert.equal(row.time, rows[i - (i % 20)].time);
    // the carriers of the scene: multiples k of 10 MHz, -20 - 5 (k mod 7) dBFS
    if (row.low % 10e6 === 0) near(row.levels[0], -20 - 5 * ((row.low / 10e6) % 7), 0.1, `carrier at ${row.low}`);
  });
  assert.notEqual(rows[0].time, rows[20].time);
});

test('measurements and JSON rows work on the span', async (t) => {
  const dir = scratch(t),
    json = join(dir, 'l.json'),
    measure = join(dir, 'm.json');
  const { code, stderr } = await run([
    ...BASE,
    '--lines',
    '1',
    '--json',
    json,
    '--measure-json',
    measure,
    '--device',
    'noise=-90,tones=100.5M@-20/104.2M@-25/109.3M@-30',
    '--measure',
    'peaks,threshold=-60,name=p',
    '--measure',
    'zero-span,name=z',
    '--measure',
    'marker,frequency=104.2M,name=m',
  ]);
  assert.equal(code, 0, stderr);
  const line = JSON.parse(readFileSync(json, 'utf8'));
  assert.deepEqual([line.fft_size, line.hop, line.sample_rate_hz, line.low_hz], [N, N / 2, RATE, LOW - BIN / 2]);
  near(line.rbw_hz, 3.7702 * BIN, 1, 'RBW');
  near(line.rate_hz, HIGH - LOW, 2 * BIN, 'width');
  near(line.center_hz, (HIGH + LOW) / 2, 2 * BIN, 'centre');
  assert.equal(line.levels.length, Math.round(line.rate_hz / BIN));
  assert.ok(line.dwells > 5);
  const reports = Object.fromEntries(
    readFileSync(measure, 'utf8')
      .trim()
      .split('\n')
      .map((l) => JSON.parse(l))
      .map((r) => [r.name, r]),
  );
  assert.deepEqual(
    reports.p.rows.map((peak) => Math.round(peak.frequency_hz / 1e5) / 10),
    [100.5, 104.2, 109.3],
  );
  near(reports.m.values.level_dbfs, -25, 0.1, 'marker');
  assert.match(reports.z.reason, /many centres/);
});

test('the status has the true figures of a sweep, and a span can be changed and left live', async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--engine',
    'cpu',
    '--rate',
    '600k',
    '--fft-size',
    '1024',
    '--span',
    '100M:101.5M',
    '--dwell',
    '20ms',
    '--device',
    'settle=0.004',
  ]);
  const put = (query) => fetch(`${daemon.url}api/v1/settings?${query}`, { method: 'PUT' });
  const rate = 600e3; // which a sanitizer's build on a busy machine keeps up with, or no sweep is complete
  let spectrum;
  const sweeping = (dwells) =>
    until(`a sweep of ${dwells}`, async () => {
      ({ spectrum } = await daemon.status());
      return spectrum.sweep?.dwells === dwells && spectrum.sweep.seconds;
    });
  await sweeping(5);
  const { sweep: s } = spectrum,
    samples = 21 * 512 + 1024;
  assert.deepEqual([s.low_hz, Number.isInteger(s.incomplete), s.bins % 2], [100e6, true, 0]);
  near(s.high_hz, 101.5e6, (2 * rate) / N, 'high');
  near(s.dwell_seconds, samples / rate, 1e-9, 'dwell');
  near(s.dwell_poi_seconds, (1024 + 511) / rate, 1e-9, 'POI in a dwell');
  // a sweep in which a busy machine lost samples takes longer
  await until('a sweep of 5 dwells and settlings', async () => {
    ({ spectrum } = await daemon.status());
    return Math.abs(spectrum.sweep.seconds - (5 * (samples + 2400)) / rate) < 1e-9;
  });
  near(spectrum.line_rate_hz, 1 / spectrum.sweep.seconds, 1e-6, 'line rate');
  near(spectrum.poi_seconds, spectrum.sweep.seconds - (21 * 512) / rate + 1023 / rate, 1e-9, 'POI');

  assert.equal((await put('span=200M:205M')).status, 200);
  await sweeping(15);
  assert.equal(spectrum.sweep.low_hz, 200e6);
  await until('its spectrum', async () => {
    const answer = await fetch(`${daemon.url}api/v1/spectrum`);
    return answer.status === 200 && Math.abs((await answer.json()).center_hz - 202.5e6) < 1e4;
  });
  for (const [query, reason] of [
    ['center_hz=100000000', /center_hz.*span/],
    ['span=200M:200.25M', /fits into one tuning/],
    ['span=2:1', /LOW below HIGH/],
    ['dwell=0', /dwell/],
  ]) {
    const answer = await put(query);
    assert.equal(answer.status, 400, query);
    assert.match(await answer.text(), reason);
  }
  assert.match(await (await fetch(`${daemon.url}api/v1/density`)).text(), /sweep/);
  for (const [query, dwells, frames] of [
    ['fft_size=2048', 15, 10],
    ['gain=20', 15, 10],
    ['rate_hz=1200000', 8, 22],
    ['average=3', 8, 3],
    ['dwell=0.008', 8, 8],
  ]) {
    assert.equal((await put(query)).status, 200, query);
    await until(query, async () => {
      ({ spectrum } = await daemon.status());
      return spectrum.sweep?.dwells === dwells && spectrum.frames_per_line === frames && spectrum.sweep.seconds;
    });
    const { lines } = (await daemon.status()).ledger;
    await until('more lines', async () => (await daemon.status()).ledger.lines > lines + 1);
  }
  assert.equal((await put('span=&center_hz=433000000')).status, 200);
  await until('one centre', async () => {
    const status = await daemon.status();
    return status.spectrum.sweep === null && status.source.tuning.center_hz === 433e6;
  });
  assert.equal(await daemon.stop(), 0);
});

test('a radio that returns sweeps from the first dwell on', async (t) => {
  const dir = scratch(t),
    stats = join(dir, 'stats');
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--engine',
    'cpu',
    '--rate',
    '1M',
    '--fft-size',
    '1024',
    '--span',
    '100M:102M',
    '--stats',
    stats,
    '--device',
    'vanish_after=0.1',
  ]);
  await until('reopened', async () => (await daemon.status()).source.reopened >= 2);
  const { lines } = (await daemon.status()).ledger;
  await until('more lines', async () => (await daemon.status()).ledger.lines > lines);
  assert.equal(await daemon.stop(), 0);
  const { lost } = readStats(stats);
  assert.ok(lost.gap > 0);
});

test('100 MHz to 1 GHz is one line', async (t) => {
  const { bytes, stats } = await sweep(t, ['--lines', '1', '--span', '100M:1G', '--rate', '20M', '--dwell', '1ms']);
  const [row] = parseCsv(bytes);
  assert.equal(row.levels.length, 46080);
  for (let k = 10; k < 100; k++) {
    const around = row.levels.slice(Math.max(0, Math.round((k * 10e6 - row.low) / row.step) - 1)).slice(0, 3);
    near(Math.max(...around), -20 - 5 * (k % 7), 0.1, `carrier at ${k}0 MHz`);
  }
  assert.equal(stats.lost.retune, 0);
});

test('what cannot be swept is refused in one line', async () => {
  const cases = [
    [['--span', '1G:100M'], /span.*LOW below HIGH/],
    [['--span', '100M'], /span/],
    [['--span', '100M:101M'], /span: 1M fits into one tuning at 2.4M samples\/s: give center=100.5M instead/],
    [['--dwell', '0'], /dwell/],
    [['--center', '100M'], /span and .*center cannot be given together/],
    [['--line-rate', '5'], /span and .*line-rate cannot be given together/],
    [['--average', '5'], /dwell and .*average cannot be given together/],
    [['--fft-size', '4194304', '--span', '0:1000G'], /span: .*bins/],
  ];
  for (const [args, reason] of cases) {
    const { code, stderr } = await run([...BASE, '--csv', '/dev/null', ...args]);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, reason);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
  const { code, stderr } = await run([
    '--replay',
    '-',
    '--format',
    'cu8',
    '--rate',
    '1M',
    '--span',
    '1M:9M',
    '--csv',
    '-',
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /--span: a recording cannot be retuned/);
});
