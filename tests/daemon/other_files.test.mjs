// other_files.test.mjs - recordings as other programs leave them: a tone of -20 dBFS in every sample format, at its frequency.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch } from '../support/fftd.mjs';

const COUNT = 100000,
  RATE = 1e6,
  TONE_HZ = 100e3;

/** How a component of -1 to 1 becomes bytes: [bytes of one, writer(view, byte, value, little-endian)]. */
const components = {
  u8: [1, (v, at, x) => v.setUint8(at, Math.round(127.5 + 127.5 * x))],
  i8: [1, (v, at, x) => v.setInt8(at, Math.round(128 * x))],
  u16: [2, (v, at, x, le) => v.setUint16(at, Math.round(32768 + 32768 * x), le)],
  i16: [2, (v, at, x, le) => v.setInt16(at, Math.round(32768 * x), le)],
  i24: [
    3,
    (v, at, x, le) => {
      const bytes = [0, 8, 16].map((shift) => (Math.round(8388608 * x) >> shift) & 255);
      (le ? bytes : bytes.reverse()).forEach((byte, i) => v.setUint8(at + i, byte));
    },
  ],
  i32: [4, (v, at, x, le) => v.setInt32(at, Math.round(2147483648 * x), le)],
  u32: [4, (v, at, x, le) => v.setUint32(at, Math.round(2147483648 + 2147483648 * x), le)],
  f32: [4, (v, at, x, le) => v.setFloat32(at, x, le)],
  f64: [8, (v, at, x, le) => v.setFloat64(at, x, le)],
};

/** "cs24_be" has the component i24; a real format has half as many of them. */
function encode(format) {
  const real = format[0] === 'r',
    le = !format.endsWith('_be');
  const [size, write] = components[format.slice(1).replace('s', 'i').replace(/_.e$/, '')];
  const view = new DataView(new ArrayBuffer(COUNT * size * (real ? 1 : 2)));
  for (let n = 0; n < COUNT; n++) {
    const angle = 2 * Math.PI * (((n * TONE_HZ) / RATE) % 1);
    write(view, n * size * (real ? 1 : 2), 0.1 * Math.cos(angle), le);
    if (!real) write(view, (n * 2 + 1) * size, 0.1 * Math.sin(angle), le);
  }
  return new Uint8Array(view.buffer);
}

/** 12 bits: I in the low bits of three bytes, Q in the high ones. */
function encode12() {
  const bytes = new Uint8Array(COUNT * 3);
  for (let n = 0; n < COUNT; n++) {
    const angle = 2 * Math.PI * (((n * TONE_HZ) / RATE) % 1);
    const both = (Math.round(204.8 * Math.cos(angle)) & 0xfff) | ((Math.round(204.8 * Math.sin(angle)) & 0xfff) << 12);
    bytes.set([both & 255, (both >> 8) & 255, (both >> 16) & 255], 3 * n);
  }
  return bytes;
}

/** What is not the tone: rounding of few bits to the same values in every period gives spurs. */
function spursAllowed(format) {
  return /8/.test(format) ? -50 : /12/.test(format) ? -75 : -85;
}

/** Runs fftd on a file, and expects the tone in its second line. Returns the line and what fftd said. */
async function expectTone(name, hz, ...args) {
  const { code, stdout, stderr } = await run([
    ...args,
    '-n',
    '4096',
    '-w',
    'flat-top',
    '--line-rate',
    '50',
    '--listen',
    'none',
    '--json',
    '-',
  ]);
  assert.equal(code, 0, `${name}: ${stderr}`);
  const line = JSON.parse(stdout.toString().split('\n')[1]),
    levels = line.levels;
  const top = levels.reduce((best, level, i) => (level > levels[best] ? i : best), 0);
  const at = line.low_hz + line.column_hz * (top + 0.5);
  assert.ok(Math.abs(levels[top] + 20) < (/8/.test(name) ? 0.1 : 0.03), `${name}: ${levels[top]} dBFS`);
  assert.ok(Math.abs(at - hz) <= line.column_hz, `${name}: at ${at} Hz`);
  const worst = Math.max(...levels.filter((_, i) => Math.abs(i - top) > 12));
  assert.ok(worst < spursAllowed(name), `${name}: ${worst} dBFS elsewhere`);
  return { line, stderr };
}

function file(t, name, bytes) {
  const path = join(scratch(t), name);
  writeFileSync(path, bytes);
  return path;
}

const complex = [
  'cu8',
  'cs8',
  'cs16',
  'cf32',
  'cu16',
  'cu16_be',
  'cs16_be',
  'cs24',
  'cs24_be',
  'cs32',
  'cs32_be',
  'cu32',
  'cu32_be',
  'cf32_be',
  'cf64',
  'cf64_be',
];
const real = [
  'ru8',
  'ri8',
  'ru16',
  'ru16_be',
  'ri16',
  'ri16_be',
  'ri24',
  'ri24_be',
  'ru32',
  'ru32_be',
  'ri32',
  'ri32_be',
  'rf32',
  'rf32_be',
  'rf64',
  'rf64_be',
];

test('a tone of -20 dBFS has its level and frequency in every complex format, by suffix and by option', async (t) => {
  for (const [i, format] of complex.entries()) {
    const named = i % 2 === 0;
    const path = file(t, named ? `x_100M_1M.${format}` : 'x_100M_1M.bin', encode(format));
    const { line } = await expectTone(format, 100e6 + TONE_HZ, path, ...(named ? [] : ['--format', format]));
    assert.equal(line.rate_hz, RATE);
  }
  await expectTone('cs12', 100e6 + TONE_HZ, file(t, 'x_100M_1M.cs12', encode12()));
});

test('a real recording shows the half of its spectrum above the centre, and says so', async (t) => {
  for (const format of real) {
    const path = file(t, 'x_100M_1M.bin', encode(format));
    const { line, stderr } = await expectTone(format, 100e6 + TONE_HZ, path, '--format', format);
    assert.deepEqual([line.rate_hz, line.center_hz], [RATE / 2, 100e6 + RATE / 4]);
    assert.match(stderr, /real samples at 1000000 S\/s: half of their spectrum, from 0 to 500000 Hz above the centre/);
  }
});

test('a real recording reads the same from a pipe, and every pair of samples counts', async (t) => {
  const bytes = encode('ri16').subarray(0, 2 * 31415);
  const rows = [];
  for (const args of [[file(t, 'x_100M_1M.ri16', bytes)], ['ri16:-', '--rate', '1M', '--center', '100M']]) {
    const { code, stdout, stderr } = await run(
      [...args, '-n', '512', '--csv', '-'],
      args.length > 1 ? { input: bytes } : {},
    );
    assert.equal(code, 0, stderr);
    assert.match(stderr, /ends with an incomplete sample: 2 bytes left out/);
    assert.match(stderr, /15707 samples in/);
    rows.push(stdout.toString());
  }
  assert.equal(rows[0], rows[1]);
});

test('SigMF has any of its data types, in any case', async (t) => {
  for (const [datatype, format] of [
    ['ci16_be', 'cs16_be'],
    ['CI32_LE', 'cs32'],
    ['cf64_le', 'cf64'],
    ['cu16_le', 'cu16'],
    ['rf32_le', 'rf32'],
    ['ri16_be', 'ri16_be'],
  ]) {
    const data = file(t, 'a.sigmf-data', encode(format)),
      meta = data.replace('-data', '-meta');
    writeFileSync(
      meta,
      JSON.stringify({
        global: { 'core:datatype': datatype, 'core:version': '1.2.0', 'core:sample_rate': RATE },
        captures: [{ 'core:sample_start': 0, 'core:frequency': 50e6 }],
        annotations: [],
      }),
    );
    await expectTone(datatype, 50e6 + TONE_HZ, meta);
  }
});

test('a full scale is in the units of the file: 24 bits in 32', async (t) => {
  const view = new DataView(new ArrayBuffer(8 * COUNT));
  for (let n = 0; n < COUNT; n++) {
    const angle = 2 * Math.PI * (((n * TONE_HZ) / RATE) % 1);
    view.setInt32(8 * n, Math.round(838860.8 * Math.cos(angle)), true);
    view.setInt32(8 * n + 4, Math.round(838860.8 * Math.sin(angle)), true);
  }
  await expectTone(
    'cs32',
    100e6 + TONE_HZ,
    file(t, 'x_100M_1M.cs32', new Uint8Array(view.buffer)),
    '--full-scale',
    '8388608',
  );
});

test('the limits of converted samples count as clipped', async (t) => {
  for (const [format, limit] of [
    ['cs24', [255, 255, 127, 0, 0, 128]],
    ['cs32', [255, 255, 255, 127, 0, 0, 0, 0]],
    ['cs12', [255, 7, 0]],
  ]) {
    const bytes = new Uint8Array(limit.length * 4096);
    bytes.set(limit, limit.length * 1000);
    const { stderr } = await run([file(t, `x_100M_1M.${format}`, bytes), '-n', '512', '--csv', '-']);
    assert.match(stderr, /clipped 1;/, format);
  }
});

test('a part of a sample at the end is left out with a warning, from files and pipes', async (t) => {
  for (const [format, rest] of [
    ['cs16', 3],
    ['cu8', 1],
    ['cf32', 4],
    ['cs24', 5],
  ]) {
    const bytes = Buffer.concat([encode(format), Buffer.alloc(rest, 120)]);
    const says = new RegExp(`ends with an incomplete sample: ${rest} byte`);
    const { stderr } = await expectTone(format, 100e6 + TONE_HZ, file(t, `x_100M_1M.${format}`, bytes));
    assert.match(stderr, says);
    const piped = await run(['-', '--format', format, '-s', '1M', '-f', '100M', '-n', '512', '--csv', '-'], {
      input: bytes,
    });
    assert.equal(piped.code, 0, piped.stderr);
    assert.match(piped.stderr, says);
  }
  const unnamed = Buffer.concat([encode('cs16').map((byte, i) => (i % 2 ? byte : (i * 7919) & 255)), Buffer.alloc(3)]);
  const { code, stderr } = await run([file(t, 'unnamed', unnamed), '-n', '512', '--csv', '-']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /guessed from the data: cs16/);
});
