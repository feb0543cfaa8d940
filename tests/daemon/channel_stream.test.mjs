// channel_stream.test.mjs - /api/v1/channel-stream gives the samples of a band: frequency, level, time, refusals.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { change, scratch, serve, until } from '../support/fftd.mjs';
import { encode, tone } from '../support/signal.mjs';

const CENTER = 100e6,
  OFFSET = 125e3;

/** A tone of this level at 100.125 MHz. */
async function radio(t, level, ...more) {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--center',
    '100M',
    '-d',
    `scene=tone,level=${level},offset=125k`,
    ...more,
  ]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  return daemon;
}

/** The answer to a request for a channel. It ends with the test. */
async function open(t, daemon, query) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const answer = await fetch(`${daemon.url}api/v1/channel-stream?${query}`, { signal: stop.signal });
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

const readers = {
  cu8: [1, (b, i) => (b[i] - 127.5) / 127.5],
  cs8: [1, (b, i) => b.readInt8(i) / 128],
  cs16: [2, (b, i) => b.readInt16LE(2 * i) / 32768],
  cf32: [4, (b, i) => b.readFloatLE(4 * i)],
};

/** Frequency (Hz) by the mean turn from one sample to the next, level (dBFS), and the largest turn off the mean. */
function measure(bytes, format, rate, skip = 100) {
  const [size, at] = readers[format],
    count = bytes.length / size / 2;
  let re = 0,
    im = 0,
    power = 0,
    worst = 0;
  const turns = [];
  for (let i = skip; i < count; i++) {
    const [a, b, c, d] = [at(bytes, 2 * i), at(bytes, 2 * i + 1), at(bytes, 2 * i - 2), at(bytes, 2 * i - 1)];
    const x = a * c + b * d,
      y = b * c - a * d;
    ((re += x), (im += y), (power += a * a + b * b));
    turns.push(Math.atan2(y, x));
  }
  const mean = Math.atan2(im, re);
  for (const turn of turns) worst = Math.max(worst, Math.abs(Math.atan2(Math.sin(turn - mean), Math.cos(turn - mean))));
  return { hz: (mean / 2 / Math.PI) * rate, db: 10 * Math.log10(power / (count - skip)), worst };
}

const channels = async (daemon) => (await fetch(`${daemon.url}api/v1/channels`)).json();

test('a tone is where it is, as strong as it is, without a jump in phase, at any rate', async (t) => {
  const daemon = await radio(t, -20);
  for (const [rate, format, offset, width] of [
    [48e3, 'cf32', 3000, ''],
    [22050, 'cs16', -2000, ''],
    [250e3, 'cs16', 70e3, '&width_hz=200k'],
  ]) {
    const { answer, stop } = await open(
      t,
      daemon,
      `center_hz=${CENTER + OFFSET - offset}&rate_hz=${rate}&format=${format}&gain=0${width}`,
    );
    assert.equal(answer.status, 200, await (answer.ok ? '' : answer.text()));
    assert.deepEqual(
      ['rate-hz', 'format', 'gain'].map((name) => answer.headers.get(`x-fftd-${name}`)),
      [`${rate}`, format, '0'],
    );
    const { hz, db, worst } = measure(await read(answer, rate * 2 * readers[format][0]), format, rate);
    assert.ok(Math.abs(hz - offset) < 0.5, `${rate}: ${hz} Hz`);
    assert.ok(Math.abs(db + 20) < 0.02, `${rate}: ${db} dBFS`);
    assert.ok(worst < 0.05, `${rate}: a turn is ${worst} off`);
    stop();
  }
  await until('all are closed', async () => (await channels(daemon)).channels.length === 0);
  assert.equal((await channels(daemon)).opened_total, 3);
});

test('eight bits get a gain of whole steps of 6.02 dB that keeps the mean power below -24 dBFS', async (t) => {
  const daemon = await radio(t, -60);
  const { answer } = await open(t, daemon, `center_hz=100.12M&rate_hz=48k&format=cu8`);
  const { hz, db } = measure(await read(answer, 96e3), 'cu8', 48e3);
  assert.ok(Math.abs(hz - 5000) < 50, `${hz} Hz`); // an amplitude of four steps
  assert.ok(Math.abs(db - (-60 + 5 * 20 * Math.log10(2))) < 0.3, `${db} dBFS`);
});

test('the list says what is open, and a client that leaves is forgotten', async (t) => {
  const daemon = await radio(t, -20);
  const { answer, stop } = await open(t, daemon, 'center_hz=100.12M&rate_hz=25k&format=cs16');
  await open(t, daemon, 'center_hz=101.19M&rate_hz=48k');
  await read(answer, 25e3);
  const {
    channels: [one, two],
    block_s,
    missed,
  } = await channels(daemon);
  assert.equal(block_s, 0.008);
  assert.equal(missed, 0);
  assert.equal(one.state, 'open');
  assert.ok(Math.abs(one.level_dbfs + 20) < 0.1, `${one.level_dbfs}`);
  assert.ok(Math.abs(one.width_hz - 2 * (12500 - 2787)) < 5, `${one.width_hz}`); // Kaiser: 88 dB of 2 ms
  assert.deepEqual([one.cut, two.cut], [false, true]); // the second one reaches beyond 101.2 MHz
  stop();
  await until('it is closed', async () => (await channels(daemon)).channels.every(({ id }) => id !== one.id));
  assert.match(await (await fetch(`${daemon.url}metrics`)).text(), /^fftd_channels_open 1$/m);
});

test('a radio that is tuned elsewhere gives silence, and the channel comes back with it', async (t) => {
  const daemon = await radio(t, -20);
  const { answer } = await open(t, daemon, 'center_hz=100.12M&rate_hz=48k');
  const state = async () => (await channels(daemon)).channels[0].state;
  await read(answer, 1e5);
  const tune = (hz) => change(daemon, `settings?center_hz=${hz}`);
  assert.deepEqual(await tune('110M'), [200, 'done']);
  await until('it is outside', async () => (await state()) === 'outside');
  assert.deepEqual(await tune('100.05M'), [200, 'done']);
  await until('it is back', async () => (await state()) === 'open');
});

test('refusals name the value and what works', async (t) => {
  const daemon = await radio(t, -20, '--max-channels', '1');
  const ask = async (query) => {
    const { answer, stop } = await open(t, daemon, query);
    const said = answer.ok ? '' : (await answer.json()).error;
    if (answer.ok) stop();
    return [answer.status, said];
  };
  assert.deepEqual(await ask('rate_hz=48k'), [400, 'center_hz: is missing (example: center_hz=433.92M)']);
  assert.deepEqual(await ask('center_hz=100M'), [400, 'rate_hz: is missing (example: rate_hz=250k)']);
  assert.deepEqual(await ask('center_hz=here&rate_hz=48k'), [400, 'center_hz: "here" is not a number such as 433.92M']);
  assert.deepEqual(await ask('center_hz=100M&rate_hz=48k&format=s8'), [
    400,
    'format: "s8" is not cu8, cs8, cs16 or cf32',
  ]);
  assert.deepEqual(await ask('center_hz=100M&rate_hz=48k&gain=loud'), [
    400,
    "gain: 'loud' is not auto or -120 to 120 dB",
  ]);
  assert.match(
    (await ask('center_hz=100M&rate_hz=2k'))[1],
    /^rate_hz: 2kS\/s is outside the range of this stream's channels, 5.6kS\/s to 4MS\/s$/,
  );
  assert.match(
    (await ask('center_hz=100M&rate_hz=48k&width_hz=48k'))[1],
    /^width_hz: 48kHz is wider than 42.4.*Hz, the maximum at 48kS\/s: request a higher rate$/,
  );
  assert.deepEqual(await ask('center_hz=433.92M&rate_hz=48k'), [
    416,
    'center_hz: 433920000 Hz is not within 98800000 Hz to 101200000 Hz, which the radio receives now',
  ]);
  assert.deepEqual(await ask('center_hz=100.3&rate_hz=48k'), [
    416,
    'center_hz: 100.3 Hz is not within 98800000 Hz to 101200000 Hz, which the radio receives now: a number in MHz needs an M',
  ]);
  assert.deepEqual(await ask('center_hz=1e300&rate_hz=48k'), [400, 'center_hz: is beyond 1e+12 Hz']);
  assert.deepEqual(await ask('center_hz=100M&rate_hz=1e300'), [400, 'rate_hz: is not within 1 to 1e+10 S/s']);
  const twice = await open(t, daemon, 'center_hz=100M&rate_hz=48k');
  assert.deepEqual(await ask('center_hz=100M&rate_hz=48k'), [
    503,
    'channels open from this address: 1; the rest of max-channels (1) is reserved for other addresses',
  ]);
  twice.stop();
  const swept = await serve(t, ['--source', 'sim', '--rate', '2.4M', '--span', '100M:120M']);
  assert.equal((await fetch(`${swept.url}api/v1/channel-stream?center_hz=105M&rate_hz=48k`)).status, 409);
});

// The slopes of a filter of 2 ms are 2787 Hz wide; at 912 kS/s a block has 7200 samples, and they are 2824 Hz wide.
test('a channel that a new rate of the radio has no room for ends', async (t) => {
  const daemon = await radio(t, -20);
  const { answer } = await open(t, daemon, 'center_hz=100.12M&rate_hz=5600');
  await read(answer, 1e4);
  assert.deepEqual(await change(daemon, 'settings?rate_hz=912k'), [200, 'done']);
  const reader = answer.body.getReader();
  while (!(await reader.read()).done) continue;
  await until('it is closed', async () => (await channels(daemon)).channels.length === 0);
});

// A byte behind the request, which nobody reads, hides the end of the connection from a read.
test('a client that has left is noticed while no samples come', async (t) => {
  const path = join(scratch(t), 'x.cs16');
  writeFileSync(path, encode('cs16', 1 << 20, tone(0.5, 0.1)));
  const daemon = await serve(t, ['--replay', path, '--rate', '1M', '--center', '100M', '--loop']);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  const { port } = new URL(daemon.url),
    socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET /api/v1/channel-stream?center_hz=100M&rate_hz=48k HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\nG`);
  await until('it is open', async () => (await channels(daemon)).channels[0]?.state === 'open');
  assert.deepEqual(await change(daemon, 'replay?paused=true'), [200, 'done']);
  await until('no samples come', async () => {
    const before = (await channels(daemon)).channels[0].samples;
    await new Promise((done) => setTimeout(done, 500));
    return (await channels(daemon)).channels[0].samples === before;
  });
  socket.destroy();
  await until('it is closed', async () => (await channels(daemon)).channels.length === 0);
});

/** The blocks of a framed stream that are whole. */
function* frames(bytes, format) {
  for (let at = 0; at + 48 <= bytes.length;) {
    const count = bytes.readUInt32LE(at + 4),
      size = count * 2 * readers[format][0];
    assert.equal(bytes.toString('latin1', at, at + 4), 'FFTC');
    if (at + 48 + size > bytes.length) return;
    yield {
      count,
      index: bytes.readBigUInt64LE(at + 8),
      number: bytes.readBigUInt64LE(at + 16),
      time: bytes.readBigInt64LE(at + 24),
      missing: bytes.readBigUInt64LE(at + 32),
      gain: bytes.readFloatLE(at + 40),
      flags: bytes.readUInt32LE(at + 44),
      samples: bytes.subarray(at + 48, at + 48 + size),
    };
    at += 48 + size;
  }
}

// The radio loses 24000 samples each 100 ms: 480 of the channel.
test('with a head, blocks say when they were received and what is missing before them', async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--center',
    '100M',
    '-d',
    'scene=tone,level=-20,offset=125k,overflow_every=0.1,overflow_lost=24000',
  ]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  const { answer } = await open(t, daemon, 'center_hz=100.12M&rate_hz=48k&format=cs16&gain=6&framed=yes');
  assert.equal(answer.status, 200);
  const all = [...frames(await read(answer, 300e3), 'cs16')];
  let gaps = 0;
  for (const [i, { count, index, number, time, missing, gain, flags, samples }] of all.entries()) {
    assert.equal(gain, 6);
    assert.equal(flags, 0);
    assert.ok(Math.abs(Number(number) - Number(index) * 50) <= 50, `${number} ${index}`);
    if (i === 0) continue;
    const before = all[i - 1],
      next = before.index + BigInt(before.count),
      seconds = Number(index - before.index) / 48e3;
    assert.ok(index + 2n >= next);
    assert.equal(missing, index > next ? index - next : 0n);
    if (missing > 0n) {
      assert.ok(Math.abs(Number(missing) - 480) <= 2, `${missing}`);
      gaps++;
    }
    assert.ok(Math.abs(Number(time - before.time) / 1e9 - seconds) < 1e-3, `${time - before.time}`); // a clock that follows the system's
    if (count > 200) {
      const { hz, db } = measure(samples, 'cs16', 48e3, 100);
      assert.ok(Math.abs(hz - 5000) < 50 && Math.abs(db + 14) < 0.3, `${hz} ${db}`);
    }
  }
  assert.ok(gaps >= 5, `${gaps}`);
});
