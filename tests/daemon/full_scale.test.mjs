// full_scale.test.mjs - recordings whose full scale is not that of their format: 12 bits in cs16, integers as floats.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';
import { encode, tone } from '../support/signal.mjs';

const COUNT = 200000,
  RATE = 1e6,
  HALF_DB = 20 * Math.log10(0.5); // -6.02 dBFS

/** A pair of a tone 125 kHz above the centre; a number is scaled from the format's full scale. */
function pair(folder, name, datatype, amplitude, scale, full) {
  const format = { ci16_le: 'cs16', cf32_le: 'cf32', ci8: 'cs8', cu8: 'cu8' }[datatype];
  writeFileSync(join(folder, `${name}.sigmf-data`), encode(format, COUNT, tone(amplitude * scale, 1 / 8)));
  writeFileSync(
    join(folder, `${name}.sigmf-meta`),
    JSON.stringify({
      global: {
        'core:datatype': datatype,
        'core:version': '1.2.0',
        'core:sample_rate': RATE,
        ...(full === undefined ? {} : { 'fftd:full_scale': full }),
      },
      captures: [{ 'core:sample_start': 0, 'core:frequency': 100e6, 'core:datetime': '2024-05-06T07:08:09Z' }],
      annotations: [],
    }),
  );
  return join(folder, `${name}.sigmf-meta`);
}

async function peak(file, ...args) {
  const { code, stderr } = await run([
    file,
    '-n',
    '4096',
    '-w',
    'flat-top',
    '--line-rate',
    '10',
    '--listen',
    'none',
    '--measure',
    'peaks,count=1,threshold=-70,sort=level',
    ...args,
  ]);
  assert.equal(code, 0, stderr);
  return {
    level: Number(stderr.match(/level (-?[\d.]+) dBFS/)?.[1]),
    clipped: Number(stderr.match(/clipped (\d+)/)[1]),
    stderr,
  };
}

const half = (found, what) =>
  assert.ok(Math.abs(found.level - HALF_DB) < 0.02, `${what}: ${found.level} dBFS\n${found.stderr}`);
const metas = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sigmf-meta'))
    .map((name) => join(folder, name));
const global = (meta) => JSON.parse(readFileSync(meta, 'utf8')).global;

test('half of the full scale that a recording states reads -6.02 dBFS', async () => {
  const folder = scratch();
  for (const [name, datatype, scale, full] of [
    ['12 bits', 'ci16_le', 2048 / 32768, 2048],
    ['14 bits', 'ci16_le', 8192 / 32768, 8192],
    ['16 bits', 'ci16_le', 1, 32768],
    ['integers as floats', 'cf32_le', 32768, 32768],
    ['small floats', 'cf32_le', 0.01, 0.01],
    ['nothing said', 'ci16_le', 1, undefined],
    ['nonsense', 'ci16_le', 1, 1e9],
    ['text', 'ci16_le', 1, '2048'],
  ])
    half(await peak(pair(folder, name.replaceAll(' ', '_'), datatype, 0.5, scale, full)), name);
});

test('the option says it for files that do not, and comes before what they say', async () => {
  const folder = scratch();
  const raw = join(folder, 'x_100M_1000k.cs16');
  writeFileSync(raw, encode('cs16', COUNT, tone((0.5 * 2048) / 32768, 1 / 8)));
  half(await peak(raw, '--full-scale', '2048'), 'raw');
  const floats = join(folder, 'x_100M_1000k.cf32');
  writeFileSync(floats, encode('cf32', COUNT, tone(16384, 1 / 8)));
  half(await peak(floats, '--full-scale', '32768'), 'floats');
  half(
    await peak(pair(folder, 'wrong', 'ci16_le', 0.5, 2048 / 32768, 4096), '--full-scale', '2048'),
    'option and header',
  );
});

test('samples at the limit of 12 bits count as clipped, and those below do not', async () => {
  const folder = scratch();
  const clip = (i) => (i % 100 === 0 ? [2047 / 32768, 0] : [1000 / 32768, 0]);
  writeFileSync(join(folder, 'c_1000k.cs16'), encode('cs16', COUNT, clip));
  const { clipped, stderr } = await peak(join(folder, 'c_1000k.cs16'), '--full-scale', '2048');
  const seen = COUNT - Number(stderr.match(/tail (\d+)/)[1]);
  assert.ok(Math.abs(clipped - seen / 100) <= 1, stderr);
  assert.equal((await peak(join(folder, 'c_1000k.cs16'))).clipped, 0);
});

test('a recording, a cut and a box of such a replay keep the level', async () => {
  const folder = scratch(),
    again = scratch(),
    cuts = scratch(),
    ints = scratch();
  const meta = pair(folder, 'x', 'ci16_le', 0.5, 2048 / 32768, 2048);
  await run([meta, '--fft-size', '1024', '--record', again, '--record-all']);
  assert.equal(global(metas(again)[0])['fftd:full_scale'], 2048);
  assert.deepEqual(readFileSync(metas(again)[0].replace('meta', 'data')), readFileSync(join(folder, 'x.sigmf-data')));
  half(await peak(metas(again)[0]), 'recorded again');
  for (const [to, more, full] of [
    [cuts, [], 1],
    [ints, ['--cut-format', 'cs16'], 32768],
  ]) {
    const { code, stderr } = await run(['--replay', meta, '--cut', '0:0.2,100.05M:100.2M', '--record', to, ...more]);
    assert.equal(code, 0, stderr);
    assert.equal(global(metas(to)[0])['fftd:full_scale'], full);
    half(await peak(metas(to)[0]), `cut ${full}`);
  }
});

/** A tone at half of 12 bits, as a file that does not say so; an eighth of the rate above its centre. */
function halfOf12Bits(samples = COUNT, rate = '1000k') {
  const raw = join(scratch(), `x_100M_${rate}.cs16`);
  writeFileSync(raw, encode('cs16', samples, tone((0.5 * 2048) / 32768, 1 / 8)));
  return raw;
}

test('levels in dBm count from the full scale of the option', async () => {
  const raw = halfOf12Bits(),
    table = join(scratch(), 'table');
  writeFileSync(table, 'serial = -\ndate = 2026-05-04\nuncertainty = 1\n100M - - -30\n');
  const channel = async (...args) => {
    const { code, stdout, stderr } = await run([
      raw,
      ...args,
      '-n',
      '4096',
      '--listen',
      'none',
      '--calibration',
      table,
      '--measure',
      'channel-power,center=100.125M,width=20k',
      '--measure-json',
      '-',
    ]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout.toString().trimEnd().split('\n').at(-1)).values.power_dbm;
  };
  const with12 = await channel('--full-scale', '2048'),
    without = await channel();
  assert.ok(Math.abs(with12 - (HALF_DB - 30)) < 0.05, `${with12} dBm`);
  assert.ok(Math.abs(without - (HALF_DB - 30 + 20 * Math.log10(2048 / 32768))) < 0.05, `${without} dBm`);
  // A table that is made with the option holds for it: the tone is stated to have -50 dBm.
  const made = join(scratch(), 'made');
  const { code, stdout, stderr } = await run([
    raw,
    '--full-scale',
    '2048',
    '--calibration',
    made,
    '--calibrate-level=-50',
    '--calibrate-at',
    '100.125M',
  ]);
  assert.equal(code, 0, stderr);
  const offset = Number(stdout.toString().match(/^100\.125M - - (-?[\d.]+)\n$/)?.[1]);
  assert.ok(Math.abs(offset - (-50 - HALF_DB)) < 0.05, stdout.toString());
});

test('a live box and the disk ring keep the full scale of the option', async (t) => {
  const raw = halfOf12Bits(1e7, '50k'),
    folder = scratch(); // 200 s: a slow machine is still within it
  const daemon = await serve(t, [
    raw,
    '--full-scale',
    '2048',
    '--realtime',
    '--stay',
    '-n',
    '1024',
    '--ring-size',
    '256k',
    '--record',
    folder,
    '--iq-history',
    '64M',
  ]);
  await until('samples on the disk', async () => (await daemon.status()).iq_history.written > 1.5e5); // 3 s; the IQ ring has 1.3 s
  const post = async (query) => {
    const answer = await fetch(`${daemon.url}api/v1/recordings?${query}`, { method: 'POST' });
    assert.equal(answer.status, 201, await answer.clone().text());
    const { id } = await answer.json();
    return until('its end', async () => {
      const info = await (await fetch(`${daemon.url}api/v1/recordings/${id}`)).json();
      return info.state !== 'running' && info;
    });
  };
  for (const [what, query, full] of [
    ['a box from the disk ring', 'pre=2&duration=0.2&low=100.0025M&high=100.01M', 1],
    ['the disk ring', 'pre=2&duration=0.2', 2048],
    ['a live box', 'duration=0.5&low=100.0025M&high=100.01M', 1],
  ]) {
    const { name } = await post(query),
      meta = join(folder, `${name}.sigmf-meta`);
    assert.equal(global(meta)['fftd:full_scale'], full, what);
    half(await peak(meta), what);
  }
});

test('a trigger sees the level', async () => {
  const meta = pair(scratch(), 'x', 'ci16_le', 0.5, 2048 / 32768, 2048);
  for (const [level, found] of [
    [-10, true],
    [-3, false],
  ]) {
    const { code, stdout, stderr } = await run([
      meta,
      '--fft-size',
      '1024',
      '--events',
      '-',
      '--trigger',
      `level,name=x,band=100.1M:100.15M,level=${level}`,
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.toString().includes('x'), found, stderr);
  }
});

test('what is not possible is refused in one line', async () => {
  const folder = scratch();
  const raw = join(folder, 'x_1000k.cs16');
  writeFileSync(raw, encode('cs16', 1000, tone(0.5, 1 / 8)));
  for (const [args, wanted] of [
    [[raw, '--full-scale', '40000'], /--full-scale 40000 is not possible for cs16 samples: give 1 to 32768/],
    [[raw, '--full-scale', '0.5'], /--full-scale 0.5 is not possible for cs16 samples/],
    [[raw, '--full-scale', '-1'], /full-scale/],
    [[raw, '--full-scale', 'nan'], /full-scale/],
    [['--source', 'sim', '--full-scale', '2048'], /full-scale: only a recording has it: give --replay FILE/],
    [['--full-scale', '2048'], /full-scale: only a recording has it: give --replay FILE/],
  ]) {
    const { code, stderr } = await run([...args, '--csv', '/dev/null']);
    assert.equal(code, 1, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, wanted);
  }
});
