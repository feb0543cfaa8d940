// front_end.test.mjs - a simulated receiver with an offset and an imbalance: both vanish on request, on every engine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, parseCsv, run, scratch, serve, until } from '../support/fftd.mjs';

const N = 1024,
  TONE = { db: -10, bin: N / 8 },
  GAIN_DB = 1,
  DEGREES = 5,
  DC_DB = -20;
const RECEIVER = [
  '--source',
  'sim',
  '--rate',
  '250k',
  '--fft-size',
  `${N}`,
  '--device',
  `scene=tone,level=${TONE.db},noise=-60,dc=${DC_DB},gain_error=${GAIN_DB},phase_error=${DEGREES}`,
];
const ON = ['--dc-removal', 'on', '--iq-correction', 'on'];

const g = 10 ** (GAIN_DB / 20),
  c = Math.cos((DEGREES * Math.PI) / 180);
const REJECTION_DB = 10 * Math.log10((1 + 2 * g * c + g * g) / (1 - 2 * g * c + g * g));
const SIGNAL_DB = TONE.db + 10 * Math.log10((1 + 2 * g * c + g * g) / 4); // what is left of the tone beside its image
const POWER_DB = TONE.db + 10 * Math.log10((1 + g * g) / 2); // of both

const listed = spawnSync(binary, ['--list-engines'], { encoding: 'utf8' }).stdout;
const engines = [...listed.matchAll(/^(\S+) +ok:/gm)].map(([, name]) => name);

const near = (got, want, tolerance, what) =>
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, not ${want}`);

/** The levels of the last line, and what fftd says at the end. */
async function lastLine(args) {
  const { code, stdout, stderr } = await run([
    ...RECEIVER,
    '--fast',
    '--duration',
    '2',
    '--line-rate',
    '10',
    '--csv',
    '-',
    ...args,
  ]);
  assert.equal(code, 0, stderr);
  return { levels: parseCsv(stdout).at(-1).levels, stdout, stderr };
}

for (const engine of engines) {
  test(`${engine}: an offset and an image are there without corrections, and vanish with them`, async () => {
    const { levels: before, stderr: silent } = await lastLine(['--engine', engine]);
    near(before[N / 2], DC_DB, 0.05, 'the offset');
    near(before[N / 2 + TONE.bin], SIGNAL_DB, 0.02, 'the tone');
    near(before[N / 2 + TONE.bin] - before[N / 2 - TONE.bin], REJECTION_DB, 0.05, 'the image');
    assert.doesNotMatch(silent, /image rejection/);

    const { levels: after, stderr } = await lastLine(['--engine', engine, ...ON]);
    assert.ok(after[N / 2] < -80, `an offset of ${after[N / 2]} dBFS is left`);
    near(after[N / 2 + TONE.bin], POWER_DB, 0.02, 'the tone');
    assert.ok(
      after[N / 2 + TONE.bin] - after[N / 2 - TONE.bin] > 50,
      `an image of ${after[N / 2 - TONE.bin]} dBFS is left`,
    );
    assert.match(stderr, /dc -20\.0 dBFS, removed\n/);
    assert.match(stderr, /iq gain error 1\.00 dB, phase error 5\.00 degrees, image rejection 22\.8 dB: corrected\n/);
  });
}

test('a recording that ends by itself has its estimates in the summary too', async (t) => {
  const RATE = 250e3,
    samples = new Float32Array(2 * 3 * RATE),
    name = join(scratch(t), 'end.cf32');
  for (let i = 0; i < samples.length / 2; i++) {
    const turns = 2 * Math.PI * ((i * 0.123) % 1);
    samples[2 * i] = 0.3 * Math.cos(turns) + 0.05;
    samples[2 * i + 1] = 0.9 * 0.3 * Math.sin(turns);
  }
  writeFileSync(name, samples);
  const { code, stderr } = await run(['--replay', name, '--rate', `${RATE}`, ...ON, '--csv', '/dev/null']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /\bdc -26\.0 dBFS, removed\n/);
  assert.match(
    stderr,
    /\biq gain error -0\.9\d dB, phase error -?0\.0\d degrees, image rejection 25\.\d dB: corrected\n/,
  );
});

test('one correction leaves the other error', async () => {
  const { levels: dc } = await lastLine(['--dc-removal', 'on']);
  assert.ok(dc[N / 2] < -80);
  near(dc[N / 2 + TONE.bin] - dc[N / 2 - TONE.bin], REJECTION_DB, 0.05, 'the image');
  const { levels: iq } = await lastLine(['--iq-correction', 'on']);
  assert.ok(iq[N / 2 + TONE.bin] - iq[N / 2 - TONE.bin] > 50);
  assert.ok(iq[N / 2] > DC_DB - 1, 'the offset is there');
});

test('the same samples are corrected to the same bytes', async () => {
  const first = await lastLine(ON),
    second = await lastLine(ON);
  assert.deepEqual(first.stdout, second.stdout);
});

test('measurements of samples have the corrections that are on, the same ones every time', async () => {
  const at = (hz) => `zero-span,center=${100e6 + hz},rbw=5k,time=0.02`,
    tone = (TONE.bin * 250e3) / N;
  const measure = async (...args) => {
    const { code, stdout, stderr } = await run([
      ...RECEIVER,
      '--center',
      '100M',
      '--fast',
      '--duration',
      '2',
      '--line-rate',
      '10',
      '--measure',
      `${at(0)},name=dc`,
      '--measure',
      `${at(tone)},name=tone`,
      '--measure',
      `${at(-tone)},name=image`,
      '--measure-json',
      '-',
      ...args,
    ]);
    assert.equal(code, 0, stderr);
    const last = Object.fromEntries(
      stdout
        .toString()
        .trim()
        .split('\n')
        .slice(-3)
        .map(JSON.parse)
        .map((each) => [each.name, each]),
    );
    const mean = (name) => last[name].values.mean_dbfs;
    return { dc: mean('dc'), tone: mean('tone'), image: mean('image'), stdout };
  };
  const off = await measure();
  near(off.dc, DC_DB, 0.1, 'the offset');
  near(off.tone, SIGNAL_DB, 0.05, 'the tone');
  near(off.tone - off.image, REJECTION_DB, 0.1, 'the image');
  const on = await measure(...ON);
  assert.ok(on.dc < -60, `an offset of ${on.dc} dBFS is left`);
  near(on.tone, POWER_DB, 0.05, 'the tone');
  assert.ok(on.tone - on.image > 50, `an image of ${on.image} dBFS is left`);
  assert.deepEqual((await measure(...ON)).stdout, on.stdout);
});

test('the offset of another tuning is estimated anew', async (t) => {
  const RATE = 200e3,
    before = 1 * RATE,
    samples = new Float32Array(2 * 1.2 * RATE),
    name = join(scratch(t), 'two');
  for (let i = 0; i < samples.length / 2; i++) samples[2 * i] = i < before ? 0.1 : -0.1; // -20 dBFS, then the opposite
  writeFileSync(`${name}.sigmf-data`, samples);
  writeFileSync(
    `${name}.sigmf-meta`,
    JSON.stringify({
      annotations: [],
      global: { 'core:datatype': 'cf32_le', 'core:sample_rate': RATE, 'core:version': '1.0.0' },
      captures: [
        { 'core:sample_start': 0, 'core:frequency': 100e6 },
        { 'core:sample_start': before, 'core:frequency': 101e6 },
      ],
    }),
  );
  const { code, stdout, stderr } = await run([
    '--replay',
    `${name}.sigmf-meta`,
    '--fft-size',
    '256',
    '--line-rate',
    '20',
    '--dc-removal',
    'on',
    '--csv',
    '-',
  ]);
  assert.equal(code, 0, stderr);
  const moved = parseCsv(stdout).filter(({ low, high }) => (low + high) / 2 > 100.5e6);
  assert.ok(moved.length >= 3);
  for (const { levels } of moved.slice(1)) assert.ok(levels[128] < -80, `${levels[128]} dBFS at the centre`);
});

test('corrections are switched and seen over HTTP while fftd runs, and cost no sample', async (t) => {
  const daemon = await serve(t, [...RECEIVER, '--ring-size', '128M']);
  const put = async (query) => (await fetch(`${daemon.url}api/v1/settings?${query}`, { method: 'PUT' })).status;
  const frontEnd = async () => (await daemon.status()).front_end;
  const metric = async (name) =>
    Number((await (await fetch(`${daemon.url}metrics`)).text()).match(new RegExp(`^${name} (\\S+)$`, 'm'))[1]);
  await until('lines', async () => (await daemon.status()).ledger.lines > 0);
  const { headroom_db: headroom, ...estimates } = await frontEnd();
  assert.equal(typeof headroom, 'number');
  assert.deepEqual(estimates, {
    dc_removal: false,
    iq_correction: false,
    dc_dbfs: null,
    gain_error_db: null,
    phase_error_degrees: null,
    image_rejection_db: null,
    plausible: false,
  });
  assert.equal(await put('dc_removal=on&iq_correction=on'), 200);
  await until('an estimate', async () => (await frontEnd()).plausible);
  const on = await frontEnd();
  assert.deepEqual([on.dc_removal, on.iq_correction], [true, true]);
  near(on.dc_dbfs, DC_DB, 0.05, 'dc_dbfs');
  near(on.gain_error_db, GAIN_DB, 0.05, 'gain_error_db');
  near(on.phase_error_degrees, DEGREES, 0.2, 'phase_error_degrees');
  near(on.image_rejection_db, REJECTION_DB, 0.5, 'image_rejection_db');
  near(await metric('fftd_dc_dbfs'), DC_DB, 0.05, 'fftd_dc_dbfs');
  near(await metric('fftd_image_rejection_db'), REJECTION_DB, 0.5, 'fftd_image_rejection_db');
  assert.equal(await put('dc_removal=maybe'), 400);
  assert.equal(await put('dc_removal=off&iq_correction=off'), 200);
  await until('the end of the estimates', async () => (await frontEnd()).dc_dbfs === null);
  const { ledger, wanted } = await daemon.status();
  assert.deepEqual([wanted.dc_removal, wanted.iq_correction], ['no', 'no']);
  assert.deepEqual([ledger.lost.overflow, ledger.lost.overrun, ledger.lost.gap], [0, 0, 0]);
});

test('the headroom of the converter is the distance of a tone from full scale', async (t) => {
  for (const db of [-3, -30]) {
    const daemon = await serve(t, [
      '--source',
      'sim',
      '--rate',
      '250k',
      '--device',
      `scene=tone,level=${db},noise=-80`,
    ]);
    const read = async () => (await daemon.status()).front_end.headroom_db;
    await until('samples', async () => (await read()) !== null);
    near(await read(), -db, 0.101, 'headroom_db, which has tenths');
    const metrics = await (await fetch(`${daemon.url}metrics`)).text();
    near(Number(metrics.match(/^fftd_adc_headroom_db (\S+)$/m)[1]), -db, 0.1, 'fftd_adc_headroom_db');
  }
});
