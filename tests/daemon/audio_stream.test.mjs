// audio_stream.test.mjs - /api/v1/channel-stream?mode= gives audio: its tone, its time, who shares it, and refusals.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, change, scratch, serve, until } from '../support/fftd.mjs';
import { encode } from '../support/signal.mjs';

const RATE = 240e3,
  CENTER = 145.5e6,
  STATION = 145.525e6,
  TONE = 1000,
  DEVIATION = 3000;
const RATED_DB = -3 + 20 * Math.log10(DEVIATION / 5000); // 5 kHz are -3 dBFS

/** FM with a tone of 1 kHz and 3 kHz of deviation, 25 kHz above the centre. @param {number} seconds */
const station = (seconds) =>
  encode('cs16', RATE * seconds, (i) => {
    const t = i / RATE,
      angle = 2 * Math.PI * (((STATION - CENTER) * t) % 1) + (DEVIATION / TONE) * Math.sin(2 * Math.PI * TONE * t);
    return [0.25 * Math.cos(angle), 0.25 * Math.sin(angle)];
  });

/** A radio that repeats a second of it: whole periods of all. */
async function radio(t, ...more) {
  const path = join(scratch(t), 'x.cs16');
  writeFileSync(path, station(1));
  const daemon = await serve(t, ['--replay', path, '--rate', `${RATE}`, '--center', '145.5M', '--loop', ...more]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  return daemon;
}

/** The answer to a request for audio. It ends with the test. */
async function open(t, daemon, query) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const answer = await fetch(`${daemon.url}api/v1/channel-stream?center_hz=145.525M&${query}`, { signal: stop.signal });
  return { answer, stop: () => stop.abort() };
}

/** The first bytes of its body. */
async function read(answer, bytes) {
  const parts = [],
    reader = answer.body.getReader();
  for (let have = 0; have < bytes; have += parts.at(-1).length) {
    const { done, value } = await reader.read();
    assert.ok(!done, 'the stream ended');
    parts.push(value);
  }
  reader.releaseLock();
  return Buffer.concat(parts).subarray(0, bytes);
}

const numbers = {
  s16: (bytes) => Float64Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) / 32768),
  f32: (bytes) => Float64Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i)),
};

/** The sine nearest `hz`, as amplitude and phase, under Hann's window. */
function sine(x, hz, rate) {
  let re = 0,
    im = 0,
    sum = 0;
  x.forEach((value, i) => {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / x.length),
      angle = 2 * Math.PI * (((hz * i) / rate) % 1);
    ((re += weight * value * Math.cos(angle)), (im -= weight * value * Math.sin(angle)), (sum += weight));
  });
  return { amplitude: (2 * Math.hypot(re, im)) / sum, phase: Math.atan2(im, re) };
}

/** Frequency (Hz) by the phases of two halves, level (dBFS: a sine of full scale has 0), and all else (of the tone's amplitude). */
function measure(x, rate) {
  const half = x.length >> 1,
    [a, b] = [0, half].map((from) => sine(x.subarray(from, from + half), TONE, rate));
  const turn = b.phase - a.phase - 2 * Math.PI * (((TONE * half) / rate) % 1);
  const hz = TONE + ((Math.atan2(Math.sin(turn), Math.cos(turn)) / 2 / Math.PI) * rate) / half;
  const all = sine(x, hz, rate),
    weight = (i) => (0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / x.length)) ** 2;
  let rest = 0,
    sum = 0;
  x.forEach((value, i) => {
    const tone = all.amplitude * Math.cos(2 * Math.PI * (((hz * i) / rate) % 1) + all.phase);
    ((rest += weight(i) * (value - tone) ** 2), (sum += weight(i)));
  });
  return { hz, db: 20 * Math.log10(all.amplitude), rest: Math.sqrt((2 * rest) / sum) / all.amplitude };
}

const channels = async (daemon) => (await (await fetch(`${daemon.url}api/v1/channels`)).json()).channels;

async function metric(daemon, name) {
  const text = await (await fetch(`${daemon.url}metrics`)).text();
  return Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1]);
}

test('a tone has its frequency and level, little else and no gap, at any rate', async (t) => {
  const daemon = await radio(t);
  for (const [rate, format] of [
    [12e3, 's16'],
    [22050, 's16'],
    [8e3, 'f32'],
    [48e3, 'f32'],
  ]) {
    const { answer, stop } = await open(
      t,
      daemon,
      `mode=nfm&format=${format}${rate === 12e3 ? '' : `&audio_rate_hz=${rate}`}`,
    );
    assert.equal(answer.status, 200, await (answer.ok ? '' : answer.text()));
    assert.deepEqual(
      ['center-hz', 'mode', 'format', 'audio-rate-hz', 'audio-channels'].map((name) =>
        answer.headers.get(`x-fftd-${name}`),
      ),
      ['145525000', 'nfm', format, `${rate}`, '1'],
    );
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    const bytes = await read(answer, 2.5 * rate * (format === 's16' ? 2 : 4)),
      x = numbers[format](bytes).subarray(rate / 2);
    const { hz, db, rest } = measure(x, rate);
    assert.ok(Math.abs(hz - TONE) < 0.1, `${rate}: ${hz} Hz`);
    assert.ok(Math.abs(db - RATED_DB) < 0.2, `${rate}: ${db} dBFS`);
    assert.ok(rest < 0.003, `${rate}: ${100 * rest} % of distortion and noise`);
    stop();
  }
  await until('all are closed', async () => (await channels(daemon)).length === 0);
  assert.equal(await metric(daemon, 'fftd_audio_receivers'), 0);
});

test('a wav is a head without an end and the bytes of s16', async (t) => {
  const daemon = await radio(t);
  const { answer } = await open(t, daemon, 'mode=nfm&format=wav&audio_rate_hz=24k');
  assert.equal(answer.headers.get('content-type'), 'audio/wav');
  const bytes = await read(answer, 44 + 2 * 36e3),
    [riff, wave, data] = [0, 8, 36].map((at) => bytes.toString('latin1', at, at + 4));
  assert.deepEqual([riff, wave, data], ['RIFF', 'WAVE', 'data']);
  assert.deepEqual(
    [20, 22, 32, 34].map((at) => bytes.readUInt16LE(at)),
    [1, 1, 2, 16],
  ); // PCM, mono, 2 bytes, 16 bits
  assert.deepEqual(
    [24, 28, 40].map((at) => bytes.readUInt32LE(at)),
    [24000, 48000, 0xffffffff],
  );
  const { hz, db } = measure(numbers.s16(bytes.subarray(44)).subarray(12e3), 24e3);
  assert.ok(Math.abs(hz - TONE) < 0.1 && Math.abs(db - RATED_DB) < 0.2, `${hz} Hz, ${db} dBFS`);
});

test('twenty listeners have one demodulator, and one encoding for each rate and kind of bytes', async (t) => {
  const daemon = await radio(t);
  const all = [];
  for (let i = 0; i < 20; i++)
    all.push(
      await open(
        t,
        daemon,
        `mode=nfm&format=${['s16', 'wav', 's16&audio_rate_hz=12k', 's16&audio_rate_hz=22050'][i % 4]}`,
      ),
    );
  await Promise.all(all.map(({ answer }) => read(answer, 20e3)));
  const [{ audio, state }, ...others] = await channels(daemon);
  assert.equal(others.length, 0);
  assert.equal(state, 'open');
  assert.deepEqual([audio.mode, audio.listeners, audio.encodings, audio.missing], ['nfm', 20, 2, 0]);
  assert.ok(Math.abs(audio.level_dbfs - RATED_DB) < 0.3, `${audio.level_dbfs}`);
  assert.ok(Math.abs(audio.report.deviation_hz / DEVIATION - 1) < 0.05, `${audio.report.deviation_hz}`);
  for (const [name, value] of [
    ['receivers', 1],
    ['encodings', 2],
    ['listeners', 20],
  ])
    assert.equal(await metric(daemon, `fftd_audio_${name}`), value);
  const other = await open(t, daemon, 'mode=nfm&width_hz=8k'); // another demodulator
  await read(other.answer, 1e4);
  assert.equal(await metric(daemon, 'fftd_audio_receivers'), 2);
  all.forEach(({ stop }) => stop());
  await until('the twenty have left', async () => (await channels(daemon)).length === 1);
  assert.equal(await metric(daemon, 'fftd_audio_listeners'), 1);
});

test('a listener that does not read costs the others nothing', async (t) => {
  const daemon = await radio(t),
    { port } = new URL(daemon.url),
    lazy = connect(port, '127.0.0.1');
  const most = process.env.FFTD_TEST_ONLY_THREADS ? '96k' : '768k'; // ThreadSanitizer is too slow for more
  await once(lazy, 'connect');
  lazy.pause();
  lazy.write(
    `GET /api/v1/channel-stream?center_hz=145.525M&mode=nfm&format=f32&audio_rate_hz=${most} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
  );
  const { answer } = await open(t, daemon, 'mode=nfm');
  const x = numbers.s16(await read(answer, 2 * 12e3 * 6)).subarray(6e3);
  const { hz, rest } = measure(x, 12e3);
  assert.ok(Math.abs(hz - TONE) < 0.1 && rest < 0.003, `${hz} Hz, ${100 * rest} %`);
  lazy.destroy();
  await until('it has left', async () => (await metric(daemon, 'fftd_audio_listeners')) === 1);
});

test('a listener that leaves is noticed while no samples come', async (t) => {
  const daemon = await radio(t),
    { port } = new URL(daemon.url),
    socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v1/channel-stream?center_hz=145.525M&mode=nfm HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await until('it is open', async () => (await channels(daemon))[0]?.audio?.frames > 0);
  assert.deepEqual(await change(daemon, 'replay?paused=true'), [200, 'done']);
  socket.destroy();
  await until('it is closed', async () => (await channels(daemon)).length === 0);
});

test('a squelch that nothing opens gives silence, in time', async (t) => {
  const daemon = await radio(t);
  const { answer } = await open(t, daemon, 'mode=nfm&squelch=level%20-10'); // the carrier has -12 dBFS
  assert.ok((await read(answer, 24e3)).every((byte) => byte === 0));
  const loud = await open(t, daemon, 'mode=nfm&squelch=level%20-14');
  const x = numbers.s16(await read(loud.answer, 48e3)).subarray(12e3);
  assert.ok(Math.abs(measure(x, 12e3).db - RATED_DB) < 0.2);
});

/** All audio of a recording that comes through a pipe, at full speed: what the client is sent for it. */
async function replayed(t, query, samples, bytes) {
  const child = spawn(
    binary,
    [
      '--replay',
      '-',
      '--format',
      'cs16',
      '--rate',
      `${RATE}`,
      '--center',
      '145.5M',
      '--full-speed',
      '--listen',
      '127.0.0.1:0',
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  t.after(() => child.kill());
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  child.stdin.on('error', () => {});
  const url = await until('it serves', () => said.match(/serving (http:\/\/\S+)/)?.[1]);
  const { answer } = await open(t, { url }, query);
  child.stdin.write(samples); // and stays open: the end of the recording would be that of the program
  const got = await read(answer, bytes);
  child.kill();
  return got;
}

test('a replay at full speed gives a client that it waits for the same bytes each time', async (t) => {
  const samples = station(6),
    seconds = 5.5; // far more than a listener's blocks hold
  const [one, two] = [
    await replayed(t, 'mode=nfm&wait=1', samples, 24e3 * seconds),
    await replayed(t, 'mode=nfm&wait=1', samples, 24e3 * seconds),
  ];
  assert.ok(one.equals(two));
  const { hz, rest } = measure(numbers.s16(one).subarray(6e3), 12e3);
  assert.ok(Math.abs(hz - TONE) < 0.1 && rest < 0.003, `${hz} Hz, ${100 * rest} %`); // without a gap
});

/** All bytes of a channel of a recording that ends, by a client that pauses after each piece. */
async function heardToTheEnd(t, query, samples, pauseMs) {
  const child = spawn(
    binary,
    [
      '--replay',
      '-',
      '--format',
      'cs16',
      '--rate',
      '240k',
      '--center',
      '145.5M',
      '--full-speed',
      '--listen',
      '127.0.0.1:0',
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  t.after(() => child.kill());
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  child.stdin.on('error', () => {});
  const url = await until('it serves', () => said.match(/serving (http:\/\/\S+)/)?.[1]);
  const { answer } = await open(t, { url }, query),
    parts = [];
  child.stdin.end(samples);
  for await (const part of answer.body) {
    parts.push(part);
    if (pauseMs)
      await new Promise((done) => {
        setTimeout(done, pauseMs);
      });
  }
  return Buffer.concat(parts);
}

test('the end of a recording comes to a client that the replay waits for, however late it reads', async (t) => {
  const samples = station(6);
  for (const [query, rate] of [
    ['mode=nfm&wait=1&format=f32&audio_rate_hz=768k', 3.072e6],
    ['rate_hz=240k&format=cf32&wait=1', 1.92e6],
  ]) {
    const late = await heardToTheEnd(t, query, samples, 30),
      early = await heardToTheEnd(t, query, samples, 0);
    assert.ok(late.equals(early), `${query}: ${late.length} and ${early.length} bytes`);
    assert.ok(Math.abs(late.length - 6 * rate) < 0.1 * rate, `${query}: ${late.length} bytes`);
  }
});

test('refusals name the key and what works', async (t) => {
  const daemon = await radio(t);
  const ask = async (query) => {
    const { answer, stop } = await open(t, daemon, query);
    const said = answer.ok ? {} : await answer.json();
    stop();
    return [answer.status, said.key, said.error];
  };
  const [status, key, error] = await ask('mode=fmm');
  assert.deepEqual([status, key], [400, 'mode']);
  assert.match(error, /^mode: there is no mode "fmm": use .*\bnfm \(narrow FM\)/);
  assert.match((await ask('mode=nfm&format=cs16'))[2], /^format: cs16 is a format of samples: leave mode out$/);
  assert.match(
    (await ask('rate_hz=48k&format=wav'))[2],
    /^format: wav is a format of audio: add a mode, such as mode=nfm$/,
  );
  assert.deepEqual(await ask('rate_hz=48k&tone_hz=88.5'), [400, 'tone_hz', 'tone_hz: is of audio, and needs a mode']);
  assert.deepEqual(await ask('mode=nfm&rate_hz=48k'), [
    400,
    'rate_hz',
    'rate_hz: is for samples; for audio use audio_rate_hz',
  ]);
  assert.deepEqual(await ask('mode=nfm&framed=true'), [
    400,
    'framed',
    'framed: is for samples: ask for their format, such as cf32',
  ]);
  assert.deepEqual(await ask('mode=iq'), [400, 'mode', 'mode: iq is no audio: leave mode out for samples']);
  assert.deepEqual(await ask('mode=nfm&audio_rate_hz=1k'), [
    400,
    'audio_rate_hz',
    'audio_rate_hz: 1kHz is not within 4kHz to 768kHz',
  ]);
  assert.deepEqual(await ask('mode=nfm&wait=perhaps'), [400, 'wait', 'wait: "perhaps" is neither true nor false']);
  assert.match((await ask('mode=nfm&squelch=loud'))[2], /^squelch: "loud" is not off, decibels above the noise as 6/);
  assert.equal((await ask('mode=nfm&width_hz=1M'))[0], 400);
  assert.equal((await fetch(`${daemon.url}api/v1/channel-stream?center_hz=400M&mode=nfm`)).status, 416);
  assert.equal((await fetch(`${daemon.url}api/v1/channel-stream?mode=nfm`)).status, 400);
});
