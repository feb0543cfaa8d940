// cut.test.mjs - --cut: a box of a recording, checked against the formula of its signal.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, scratch } from '../support/fftd.mjs';
import { encode } from '../support/signal.mjs';

const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');
const check = (folder, name) => JSON.parse(execFileSync('python3', [reader, join(folder, name)], { encoding: 'utf8' }));
const names = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sigmf-meta'))
    .map((name) => name.slice(0, -'.sigmf-meta'.length))
    .sort();

const RATE = 1e6,
  CENTER = 433e6,
  SAMPLES = 1000000;
const turn = (hz, i) => 2 * Math.PI * (((hz / RATE) * i) % 1);

/** Two tones: 0.25 at +103 kHz, which the box has, and 0.5 at -200 kHz. */
const scene = (i) => [
  0.25 * Math.cos(turn(103e3, i)) + 0.5 * Math.cos(turn(-200e3, i)),
  0.25 * Math.sin(turn(103e3, i)) + 0.5 * Math.sin(turn(-200e3, i)),
];

/** A SigMF pair of a second; after 600000 samples, 5000 are missing. */
function recording(
  folder,
  captures = [{ 'core:sample_start': 0, 'core:frequency': CENTER, 'core:datetime': '2024-05-06T07:08:09.5Z' }],
) {
  writeFileSync(join(folder, 'x.sigmf-data'), encode('cs16', SAMPLES, scene));
  writeFileSync(
    join(folder, 'x.sigmf-meta'),
    JSON.stringify({
      global: { 'core:datatype': 'ci16_le', 'core:version': '1.2.0', 'core:sample_rate': RATE },
      captures,
      annotations: [],
    }),
  );
  return join(folder, 'x.sigmf-meta');
}

/** @returns {number[]} interleaved I and Q */
function samples(folder, name, type = 'cf32') {
  const data = readFileSync(join(folder, `${name}.sigmf-data`)),
    step = type === 'cf32' ? 4 : 2;
  return Array.from({ length: data.length / step }, (_, i) =>
    type === 'cf32' ? data.readFloatLE(i * step) : data.readInt16LE(i * step) / 32768,
  );
}

/** The largest distance of samples from a tone of level 0.25, where sample i is number(i) of the recording. */
function distance(iq, hz, number, from = 0, to = iq.length / 2) {
  let worst = 0;
  for (let i = from; i < to; i++)
    worst = Math.max(
      worst,
      Math.hypot(
        iq[2 * i] - 0.25 * Math.cos(turn(hz, number(i))),
        iq[2 * i + 1] - 0.25 * Math.sin(turn(hz, number(i))),
      ),
    );
  return worst;
}

/** Runs --cut and returns the pair. */
async function cut(t, file, box, ...more) {
  const folder = join(scratch(t), 'cut'); // is made
  const { code, stdout, stderr } = await run(['--replay', file, '--cut', box, '--record', folder, ...more]);
  assert.equal(code, 0, stderr);
  const [name] = names(folder);
  assert.match(stdout.toString(), new RegExp(`^${folder}/${name}.sigmf-meta: \\d+ samples at \\d+ S/s\n$`));
  return {
    folder,
    name,
    found: check(folder, name),
    meta: JSON.parse(readFileSync(join(folder, `${name}.sigmf-meta`))),
  };
}

// The filters leave 10^(-80/20) of the other tone at most, and the level within 0.02 dB.
const NEAR = 0.5e-4 + 0.25 * 0.0023;

test('a box of a recording has its band, from its first sample on', async (t) => {
  const { folder, name, found, meta } = await cut(t, recording(scratch(t)), '250.001ms:0.75s,433.09M:433.11M');
  assert.equal(name, 'fftd_20240506T070809Z_433.1M_25k');
  assert.equal(found.samples, Math.ceil((750000 - 250001) / 40));
  assert.equal(found.frequency, 433.1e6);
  assert.equal(found.datetime, '2024-05-06T07:08:09.750001000Z');
  assert.ok(distance(samples(folder, name), 3e3, (i) => 250001 + 40 * i) < NEAR);
  assert.equal(meta.captures[0]['fftd:cut_index'], 250001);
  assert.deepEqual(meta.global['fftd:cut'], {
    datatype: 'ci16_le',
    sample_rate: RATE,
    frequency: CENTER,
    freq_lower_edge: 433.09e6,
    freq_upper_edge: 433.11e6,
    factor: 40,
  });
});

test('the whole recording in cs16, from a pipe without a header', async (t) => {
  const out = scratch(t);
  const { code, stderr } = await run(
    [
      '--replay',
      '-',
      '--format',
      'cs16',
      '--rate',
      '1M',
      '--center',
      '433M',
      '--cut',
      '0:0,433.09M:433.11M',
      '--record',
      out,
      '--cut-format',
      'cs16',
    ],
    { input: encode('cs16', SAMPLES, scene) },
  );
  assert.equal(code, 0, stderr);
  const [name] = names(out);
  assert.equal(check(out, name).samples, SAMPLES / 40);
  assert.ok(distance(samples(out, name, 'cs16'), 3e3, (i) => 40 * i, 60, SAMPLES / 40 - 60) < NEAR + 1e-4);
});

test('a box in the middle of a pipe is that of a file', async (t) => {
  const out = scratch(t),
    input = encode('cs16', SAMPLES, scene),
    file = join(out, 'x.cs16');
  writeFileSync(file, input);
  for (const box of ['1ms:2ms', '0.250001s:0.75s', '0.9s:0']) {
    const found = [];
    for (const replay of ['-', file]) {
      const folder = join(out, `${found.length}-${box}`);
      const { code, stderr } = await run(
        [
          '--replay',
          replay,
          '--format',
          'cs16',
          '--rate',
          '1M',
          '--center',
          '433M',
          '--cut',
          `${box},433.09M:433.11M`,
          '--record',
          folder,
        ],
        { input },
      );
      assert.equal(code, 0, `${box} of ${replay}: ${stderr}`);
      const [name] = names(folder);
      found.push(samples(folder, name));
    }
    assert.deepEqual(found[0], found[1], box);
    if (box === '0.250001s:0.75s') assert.ok(distance(found[0], 3e3, (i) => 250001 + 40 * i) < NEAR);
  }
});

test('a gap of the recording is one of the box, and another frequency is missing', async (t) => {
  const file = recording(scratch(t), [
    { 'core:sample_start': 0, 'core:frequency': CENTER, 'core:global_index': 0 },
    { 'core:sample_start': 600000, 'core:frequency': CENTER, 'core:global_index': 605000 },
    { 'core:sample_start': 800000, 'core:frequency': 100e6, 'core:global_index': 805000 },
  ]);
  const { folder, name, found, meta } = await cut(t, file, '0.5s:0.9s,433.09M:433.11M');
  assert.equal(found.captures, 2);
  assert.deepEqual(
    meta.captures.map((c) => c['fftd:cut_index']),
    [500000, 605000],
  );
  assert.deepEqual(
    meta.captures.map((c) => c['core:sample_start']),
    [0, 2500],
  );
  assert.equal(meta.captures[1]['core:global_index'] - meta.captures[0]['core:global_index'], (605000 - 500000) / 40);
  assert.deepEqual(meta.captures[1]['fftd:lost'], { gap: 5000 });
  assert.equal(found.missing, 100000);
  const iq = samples(folder, name);
  assert.ok(distance(iq, 3e3, (i) => 500000 + 40 * i, 0, 2500 - 60) < NEAR);
  // The recording's samples go on after the gap, so their phase does, too.
  const shifted = (i) => [600000 + 40 * (i - 2500), (-100e3 * 5000) / RATE];
  for (let i = 2560; i < 7440; i++) {
    const [at, turns] = shifted(i),
      angle = turn(3e3, at) + 2 * Math.PI * turns;
    assert.ok(Math.hypot(iq[2 * i] - 0.25 * Math.cos(angle), iq[2 * i + 1] - 0.25 * Math.sin(angle)) < NEAR, `${i}`);
  }
});

test('fftd replays what it has cut', async (t) => {
  const { folder, name } = await cut(t, recording(scratch(t)), '0:0,433.09M:433.11M');
  const { code, stderr, stdout } = await run([
    '--replay',
    join(folder, `${name}.sigmf-meta`),
    '--fft-size',
    '1024',
    '--measure',
    'peaks,count=1,name=p',
    '--measure-json',
    '-',
    '--lines',
    '1',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout.toString(), /43310[23]\d{3}/);
});

test('a full disk leaves a shorter, valid recording', async (t) => {
  const folder = scratch(t);
  const { code, stderr } = await run(
    ['--replay', recording(scratch(t)), '--cut', '0:0,433.09M:433.11M', '--record', folder],
    { wrap: ['prlimit', '--fsize=50001'] },
  );
  assert.equal(code, 1);
  assert.match(stderr, /File too large/);
  assert.equal(check(folder, names(folder)[0]).samples, 50000 / 8);
});

test('a box that cannot be had gets one line', async (t) => {
  const file = recording(scratch(t)),
    folder = scratch(t);
  const dir = ['--record', folder];
  writeFileSync(join(folder, 'y.cu8'), Buffer.alloc(10000));
  for (const [args, message] of [
    [
      ['--replay', file, '--cut', '1s:2s,433.09M:433.11M', ...dir],
      /cut: it begins at 1 s, but .*x.sigmf-meta lasts 1 s/,
    ],
    [['--replay', file, '--cut', '0:0,434M:434.1M', ...dir], /434000000 to 434100000 Hz is not within 432500000 to/],
    [['--replay', file, '--cut', '0:0,432M:434M', ...dir], /is not within/],
    [
      ['--replay', file, '--cut', '2:1,433M:433.1M', ...dir],
      /--cut: bad value '2:1,433M:433.1M': expected FROM:TO,LOW/,
    ],
    [['--replay', file, '--cut', '0:1,433.1M:433M', ...dir], /--cut: bad value/],
    [['--replay', file, '--cut', '0:1', ...dir], /--cut: bad value/],
    [['--replay', file, '--cut', '0:1,433M:433.1M'], /--cut: no directory for recordings: give --record DIR/],
    [['--source', 'sim', '--cut', '0:1,433M:433.1M', ...dir], /--cut: no recording: give --replay FILE/],
    [
      ['--replay', file, '--from', '1s', '--cut', '0:1,433M:433.1M', ...dir],
      /--cut and --from cannot be given together/,
    ],
    [['--replay', join(folder, 'y.cu8'), '--cut', '0:1,0:10k', ...dir], /y.cu8: its rate is not known: give --rate/],
    [['--replay', '/nonexistent', '--cut', '0:1,0:10k', ...dir], /\/nonexistent/],
    [['--replay', file, '--cut', '0:1,433M:433.1M', '--record', '/etc/hostname'], /hostname is not a directory/],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1, `${args}`);
    assert.match(stderr, message);
    assert.equal(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('WARNING')).length,
      1,
      stderr,
    );
  }
  assert.deepEqual(names(folder), []);
});
