// fm_station.test.mjs - an FM station in stereo with RDS, made here: what is heard left and right, and what the station says.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { encode } from '../support/signal.mjs';

const RATE = 480e3,
  STATION_HZ = 100e3,
  BIT_HZ = 1187.5,
  AUDIO_HZ = 48e3;
const NAME = 'FFTD 1  ',
  TEXT = 'A station that a test made\r     ',
  PI = 0xd1ff;
const OFFSETS = [0x0fc, 0x198, 0x168, 0x1b4];

/** 16 bits, and the rest of their division by x^10 + x^8 + x^7 + x^5 + x^4 + x^3 + 1, with an offset. @returns {number[]} */
function block(word, offset) {
  let rest = word << 10;
  for (let i = 25; i >= 10; i--) if ((rest >> i) & 1) rest ^= 0x5b9 << (i - 10);
  const all = (word << 10) | (rest ^ offset);
  return Array.from({ length: 26 }, (_, i) => (all >> (25 - i)) & 1);
}

const group = (...words) => words.flatMap((word, i) => block(word, OFFSETS[i]));
const pair = (text, at) => (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
const named = (i) => group(PI, (10 << 5) | i, 0xe0cd, pair(NAME, 2 * i));
const said = (i) => group(PI, (2 << 12) | (10 << 5) | i, pair(TEXT, 4 * i), pair(TEXT, 4 * i + 2));
const clock = () =>
  group(
    PI,
    (4 << 12) | (10 << 5) | (61373 >> 15),
    ((61373 & 0x7fff) << 1) | (21 >> 4),
    ((21 & 15) << 12) | (45 << 6) | 2,
  );

/** 19 groups, which take 798,720 samples. */
const BITS = [0, 1, 2, 3]
  .flatMap(named)
  .concat([0, 1, 2, 3, 4, 5, 6, 7].flatMap(said), clock(), [0, 1, 2, 3, 0, 1].flatMap(named));
const COUNT = (BITS.length / BIT_HZ) * RATE;

/** The pulse of half a bit: the inverse transform of cos(pi f T / 4), |f| < 2 / T. @param {number} t in bits */
const pulse = (t) => (Math.abs(1 - 64 * t * t) < 1e-9 ? Math.PI / 4 : Math.cos(4 * Math.PI * t) / (1 - 64 * t * t));

/** A tone of 1 kHz on the left, the pilot, and RDS with 2 kHz of deviation. */
function station() {
  const signs = [];
  BITS.reduce((sign, bit, i) => (signs[i] = bit ? -sign : sign), 1);
  const sine = (hz, t) => Math.sin(2 * Math.PI * ((hz * t) % 1));
  let turns = 0;
  return encode('cs16', COUNT, (i) => {
    const t = i / RATE,
      at = t * BIT_HZ;
    let data = 0;
    for (let k = Math.floor(at) - 3; k <= at + 3; k++) {
      const sign = signs[(k + signs.length) % signs.length];
      data += sign * (pulse(at - k) - pulse(at - k - 0.5));
    }
    const left = 0.8 * sine(1e3, t),
      sum = (left / 2) * (1 + sine(38e3, t));
    turns =
      (turns + (STATION_HZ + 75e3 * (0.9 * sum + 0.09 * sine(19e3, t) + 0.021 * data * sine(57e3, t))) / RATE) % 1;
    return [0.4 * Math.cos(2 * Math.PI * turns), 0.4 * Math.sin(2 * Math.PI * turns)];
  });
}

/** Amplitude of 1 kHz in one of two channels, under Hann's window. */
function heard(x, channel) {
  const count = x.length / 2;
  let re = 0,
    im = 0;
  for (let i = 0; i < count; i++) {
    const weight = 1 - Math.cos((2 * Math.PI * (i + 0.5)) / count),
      angle = 2 * Math.PI * (((1e3 * i) / AUDIO_HZ) % 1);
    ((re += weight * x[2 * i + channel] * Math.cos(angle)), (im += weight * x[2 * i + channel] * Math.sin(angle)));
  }
  return (2 * Math.hypot(re, im)) / count;
}

test('a station is heard in stereo, and says its name, text and time', async (t) => {
  const path = join(scratch(t), 'station.cs16');
  writeFileSync(path, station());
  const daemon = await serve(t, ['--replay', path, '--rate', `${RATE}`, '--center', '98.3M', '--loop']);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  const stop = new AbortController();
  t.after(() => stop.abort());
  const answer = await fetch(`${daemon.url}api/v1/channel-stream?center_hz=98.4M&mode=wfm&format=f32`, {
    signal: stop.signal,
  });
  assert.deepEqual(
    ['mode', 'audio-rate-hz', 'audio-channels'].map((name) => answer.headers.get(`x-fftd-${name}`)),
    ['wfm', '48000', '2'],
  );

  const parts = [],
    reader = answer.body.getReader();
  for (let have = 0; have < 1.2 * AUDIO_HZ * 8; have += parts.at(-1).length)
    parts.push(Buffer.from((await reader.read()).value));
  const bytes = Buffer.concat(parts),
    first = 0.7 * AUDIO_HZ * 8;
  const x = Float64Array.from({ length: 0.4 * AUDIO_HZ * 2 }, (_, i) => bytes.readFloatLE(first + 4 * i));
  const left = 20 * Math.log10(heard(x, 0)),
    right = 20 * Math.log10(heard(x, 1));
  assert.ok(Math.abs(left - (-3 + 20 * Math.log10(0.72) - 0.41)) < 0.2, `${left} dBFS`); // -0.41 dB by 50 us
  assert.ok(left - right > 35, `${left - right} dB of separation`);

  const report = async () => (await (await fetch(`${daemon.url}api/v1/channels`)).json()).channels[0].audio.report;
  void reader
    .read()
    .then(function more({ done }) {
      return done || reader.read().then(more);
    })
    .catch(() => {});
  await until('all is known', async () => {
    const { rds } = await report();
    return rds?.name && rds.text && rds.time;
  });
  const { rds, stereo, locked, pilot } = await report();
  assert.deepEqual(
    [rds.pi, rds.name, rds.text, rds.programme_type, rds.traffic],
    ['D1FF', 'FFTD 1', 'A station that a test made', 10, false],
  );
  assert.deepEqual([rds.time, rds.utc_offset_minutes], [Date.UTC(2026, 10, 29, 21, 45) / 1000, 60]);
  assert.ok(rds.groups > 10 && rds.bad_blocks < 0.1 * rds.blocks, JSON.stringify(rds));
  assert.ok(stereo && locked && Math.abs(pilot - 0.09) < 0.002, `${pilot}`);
});
