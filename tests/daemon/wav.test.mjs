// wav.test.mjs - replays WAV recordings: the levels of 8-bit samples, and what killed recorders leave.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCsv, run, scratch, strongest } from '../support/fftd.mjs';

/** A WAV file; `stated` is the size of the samples in its header. */
function wav(bits, samples, stated = samples.length, channels = 2) {
  const head = Buffer.alloc(44);
  head.write('RIFF\xff\xff\xff\xffWAVEfmt ', 0, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(1000000, 24);
  head.writeUInt32LE((1000000 * channels * bits) / 8, 28);
  head.writeUInt16LE((channels * bits) / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(stated, 40);
  return Buffer.concat([head, samples]);
}

function file(t, bytes) {
  const path = join(scratch(t), 'x.wav');
  writeFileSync(path, bytes);
  return path;
}

async function firstRow(args) {
  const { code, stdout, stderr } = await run([...args, '--fft-size', '512', '--csv', '-']);
  assert.equal(code, 0, stderr);
  return parseCsv(stdout)[0];
}

/** The engines that open on this machine. */
async function engines() {
  const { stdout } = await run(['--list-engines']);
  return ['cpu', 'cuda', 'opencl', 'qpu-emu'].filter((name) =>
    new RegExp(`^${name} +ok:`, 'm').test(stdout.toString()),
  );
}

test('a WAV of 8 bits whose samples are all 128 has no power at all, on every engine', async (t) => {
  const path = file(t, wav(8, Buffer.alloc(8192, 0x80)));
  for (const engine of await engines()) {
    const row = await firstRow(['--replay', path, '--engine', engine]);
    assert.ok(
      row.levels.every((level) => level === -300),
      `${engine}: ${Math.max(...row.levels)} dBFS`,
    );
  }
});

test('a tone of half of full scale reads -6.02 dBFS in 8 bits, without a carrier', async (t) => {
  const samples = Buffer.alloc(16384);
  for (let i = 0; i < samples.length; i++) {
    const angle = (2 * Math.PI * (i >> 1) * 61) / 512 - ((i % 2) * Math.PI) / 2;
    samples[i] = 128 + Math.round(64 * Math.cos(angle));
  }
  const row = await firstRow(['--replay', file(t, wav(8, samples))]);
  assert.equal(strongest(row), 256 + 61);
  assert.ok(Math.abs(row.levels[256 + 61] - 20 * Math.log10(0.5)) < 0.05);
  assert.ok(row.levels[256] < -70, `${row.levels[256]} dBFS in the middle`);
});

test('a WAV with one channel is a real signal: its tone is above the centre, at its own level', async (t) => {
  const bytes = { 8: 1, 16: 2, 24: 3, 32: 4 };
  for (const bits of [8, 16, 24, 32]) {
    const samples = Buffer.alloc(16384 * bytes[bits]),
      full = 2 ** (bits - 1);
    for (let i = 0; i < 16384; i++) {
      const value = Math.round((full - 1) * 0.5 * Math.cos((2 * Math.PI * i * 61) / 1024));
      if (bits === 8) samples[i] = 128 + value;
      else samples.writeIntLE(value, i * bytes[bits], bytes[bits]);
    }
    const row = await firstRow(['--replay', file(t, wav(bits, samples, samples.length, 1))]);
    // 61/1024 of 1 MS/s: in the half above 0 Hz, whose 512 bins begin at 0 Hz, bin 61.
    assert.equal(strongest(row), 61, `${bits} bits`);
    assert.ok(Math.abs(row.levels[61] - 20 * Math.log10(0.5)) < 0.1, `${bits} bits: ${row.levels[61]} dBFS`);
  }
});

test('what a killed recorder leaves is read and counted, from a file and from a pipe', async (t) => {
  const samples = Buffer.alloc(4 * 5000 + 3, 1);
  for (const [stated, file_says, pipe_says] of [
    [4 * 9000, /states 36000 bytes of samples, the file has 20003/, /ended early: 4000 samples/],
    [4 * 1000, /states 4000 bytes of samples, the file has 20003/, /states 4000 bytes of samples, but more/],
    [0, /states no length: reading 20003 bytes/, /incomplete sample/],
  ]) {
    const bytes = wav(16, samples, stated);
    for (const [says, args, options] of [
      [file_says, ['--replay', file(t, bytes)], {}],
      [pipe_says, ['--replay', 'wav:-'], { input: bytes }],
    ]) {
      const { code, stdout, stderr } = await run([...args, '--stats', '-'], options);
      assert.equal(code, 0, stderr);
      assert.equal(JSON.parse(stdout).samples, 5000);
      assert.match(stderr, says);
      assert.match(stderr, /ends with an incomplete sample: 3 bytes left out/);
    }
  }
});
