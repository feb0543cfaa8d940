// percentiles.test.mjs - measurements and references of percentiles: levels of noise, and density counted while they exist.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';
import { encode, noise } from '../support/signal.mjs';

const RATE = 1e6,
  N = 256,
  NOISE_DB = -30,
  FRAMES = 1000;
// With a rectangular window, no overlap, and a column a bin, the power of a bin is an exponential variable of this mean.
const SPECTRUM = ['--fft-size', `${N}`, '--window', 'rect', '--overlap', '0', '--density-columns', `${N}`];
const MEAN_DB = NOISE_DB - 10 * Math.log10(N);
/** The level that `percent` of the spectra do not exceed, above their mean. */
const aboveMean = (percent) => 10 * Math.log10(-Math.log(1 - percent / 100));
const near = (got, want, tolerance, what) =>
  assert.ok(Math.abs(got - want) < tolerance, `${what}: ${got}, not ${want}`);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rowsOf = (text) =>
  text
    .toString()
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));

async function replay(t, measurements, args = []) {
  const path = join(scratch(t), `x_100M_${RATE / 1e3}k.cf32`);
  writeFileSync(path, encode('cf32', N * FRAMES, noise(10 ** (NOISE_DB / 10), 3)));
  return run([
    '--replay',
    path,
    ...SPECTRUM,
    '--average',
    `${FRAMES}`,
    '--measure-json',
    '-',
    ...args,
    ...measurements.flatMap((text) => ['--measure', text]),
  ]);
}

/** Bins that a marker reads, as their frequencies. */
const BINS = [...Array(40).keys()].map((i) => 100e6 + ((i - 20) * 3 * RATE) / N);

test('percentiles of noise are those of the exponential distribution', async (t) => {
  for (const [detector, percent] of [
    ['median', 50],
    ['p10', 10],
    ['p90', 90],
    ['p99', 99],
  ]) {
    const { code, stdout, stderr } = await replay(
      t,
      BINS.map((hz) => `marker,frequency=${hz},detector=${detector}`),
    );
    assert.equal(code, 0, stderr);
    const rows = rowsOf(stdout);
    assert.ok(
      rows.every((row) => row.reason === null && row.note === null && row.detector === detector),
      stdout.toString(),
    );
    assert.equal(rows.length, BINS.length); // one line, and it has a density
    // The worst, p10 of 1000 spectra, deviates by 0.45 dB in a bin: by 0.07 dB in the mean of 40.
    near(mean(rows.map(({ values }) => values.level_dbfs)), MEAN_DB + aboveMean(percent), 0.3, detector);
  }
});

test('what cannot be measured on a percentile says why', async (t) => {
  const { code, stdout, stderr } = await replay(
    t,
    ['channel-power,detector=p90', 'marker,detector=median'],
    ['--density-columns', '64'],
  );
  assert.equal(code, 0, stderr);
  const [power, marker] = rowsOf(stdout);
  assert.equal(power.reason, 'needs the detector mean or sample; p90 is biased on noise');
  assert.equal(
    marker.note,
    'each of the 64 density columns has the level of its strongest bin: density-columns = 256 gives each bin its own',
  );
  for (const [text, why] of [
    ['ccdf,detector=median', /--measure ccdf: detector: ccdf measures samples, which have no percentiles\n/],
    [
      'marker,detector=p0',
      /detector: unknown detector 'p0': one of mean, max, min, sample, median, or a percentile as p90/,
    ],
    ['marker,detector=p100.1', /unknown detector 'p100.1'/],
  ]) {
    const refused = await replay(t, [text]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, why);
  }
  const sweep = await run([
    '--source',
    'sim',
    '--rate',
    '2M',
    '--span',
    '100M:104M',
    '--lines',
    '1',
    '--measure',
    'marker,detector=median',
    '--measure-json',
    '-',
  ]);
  assert.equal(rowsOf(sweep.stdout)[0].reason, 'a sweep has no density, which median is taken from');
});

const SIM = [
  '--source',
  'sim',
  '--rate',
  '1M',
  '--center',
  '100M',
  '--device',
  `scene=noise,noise=${NOISE_DB}`,
  ...SPECTRUM,
];
const api = (daemon, path, method = 'GET') => fetch(`${daemon.url}api/v1/${path}`, { method });
const density = async (daemon) => (await daemon.status()).spectrum.density;
const stops = (daemon) => until('no density', async () => (await density(daemon)) === null);

test('a measurement of a percentile over HTTP has the density counted while it exists', async (t) => {
  const daemon = await serve(t, SIM);
  await until(
    'a line',
    async () => (await daemon.status()).line !== null && (await api(daemon, 'spectrum')).status === 200,
  );
  assert.equal(await density(daemon), null);
  const put = await api(daemon, 'measurements/a?type=marker&frequency=100.1M&detector=median&trace=average', 'PUT');
  assert.equal(put.status, 201, await put.text());
  const row = await until('a value', async () => {
    const got = await (await api(daemon, 'measurements/a')).json();
    assert.ok(
      got.reason === null
        || got.reason === 'no line has been measured yet'
        || got.reason === 'the density, which median is taken from, is not counted yet',
      got.reason,
    );
    return got.trace_lines >= 10 && got;
  });
  assert.equal(row.detector, 'median');
  const { levels } = await (await api(daemon, 'spectrum?detector=mean')).json();
  near(row.values.level_dbfs, mean(levels) + aboveMean(50), 1, 'the median');
  assert.notEqual(await density(daemon), null);
  assert.equal((await api(daemon, 'measurements/a', 'DELETE')).status, 200);
  await stops(daemon);
});

test('a request that waits for a density ends with the reason when a sweep begins', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '2.4M', '--fft-size', '1024', '--line-rate', '0.02']); // no line comes meanwhile
  const waits = ['density', 'density?persistence=2s'].map((path) => api(daemon, path));
  await until('that they wait', async () => (await density(daemon)) !== null);
  const put = await fetch(`${daemon.url}api/v1/settings?span=100M:112M&dwell=2ms`, { method: 'PUT' });
  assert.equal(put.status, 200, await put.text());
  for (const answer of await Promise.all(waits)) {
    assert.equal(answer.status, 503);
    assert.match((await answer.json()).error, /^a sweep has no density: /); // not: no line has come for 10 s
  }
});

test('in a sweep a spectrum of a percentile is refused like the density, at once', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--span', '90M:110M', ...SPECTRUM]);
  await until('a line', async () => (await api(daemon, 'spectrum')).status === 200);
  const answers = await Promise.all(['spectrum?detector=median', 'density'].map((path) => api(daemon, path)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503],
  );
  const [own, other] = await Promise.all(answers.map(async (answer) => (await answer.json()).error));
  assert.match(own, /^a sweep has no density: /);
  assert.equal(own, other);
});

test('references are made of percentiles', async (t) => {
  const daemon = await serve(t, [...SIM, '--state-dir', scratch(t), '--measure', 'marker,name=high,detector=p90']);
  await until('a line', async () => (await api(daemon, 'spectrum')).status === 200);
  assert.notEqual(await density(daemon), null); // from the first line on
  for (const [query, status] of [
    ['low?detector=p10&trace=average&count=20', 202],
    ['high?measure=high', 202],
    ['plain', 201],
  ])
    assert.equal((await api(daemon, `references/${query}`, 'PUT')).status, status, query);
  const all = await until('all', async () => {
    const { references } = await (await api(daemon, 'references')).json();
    return references.length === 3 && references;
  });
  assert.deepEqual(
    all.map(({ name, detector }) => [name, detector]),
    [
      ['high', 'p90'],
      ['low', 'p10'],
      ['plain', 'mean'],
    ],
  );
  const meanLevel = async (name) => {
    const bytes = Buffer.from(await (await api(daemon, `references/${name}`)).arrayBuffer()),
      levels = [];
    for (let at = bytes.indexOf(10) + 1; at < bytes.length; at += 4)
      levels.push(10 * Math.log10(bytes.readFloatLE(at)));
    return mean(levels);
  };
  const plain = await meanLevel('plain');
  for (const [name, percent] of [
    ['low', 10],
    ['high', 90],
  ])
    near((await meanLevel(name)) - plain, aboveMean(percent), 0.5, name);
  await api(daemon, 'measurements/high', 'DELETE');
  await stops(daemon);
  const again = await api(daemon, 'references/again?detector=median', 'PUT');
  assert.ok([201, 202].includes(again.status), await again.text()); // 202: it waits for the density
  await until('the last', async () => (await (await api(daemon, 'references')).json()).references.length === 4);
  await stops(daemon);
});

test('a reload starts and ends the density of a measurement without a server', async (t) => {
  const folder = scratch(t),
    file = join(folder, 'fftd.conf'),
    json = join(folder, 'json');
  const write = (detector) => writeFileSync(file, `[measure a]\ntype = marker\ndetector = ${detector}\n`);
  write('mean');
  const child = spawn(binary, ['-c', file, ...SIM, '--listen', 'none', '--measure-json', json], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  t.after(() => {
    child.kill('SIGTERM');
    return ended;
  });
  const newest = () => {
    try {
      return rowsOf(readFileSync(json)).at(-1);
    } catch {
      return {};
    }
  };
  await until('rows', () => newest().detector === 'mean');
  write('p90');
  child.kill('SIGHUP');
  await until('the percentile', () => newest().detector === 'p90' && newest().reason === null);
});
