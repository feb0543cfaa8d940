// channel_file.test.mjs - --channel writes the samples of a channel, all of them, to standard output or a file.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';
import { encode, noise, sum, tone } from '../support/signal.mjs';

const RATE = 1e6,
  SAMPLES = 1500000,
  HZ = 121e3; // of the tone, from the centre

/** A recording of a tone of 0.25 at 433.921 MHz. */
function recording(samples = SAMPLES, signal = tone(0.25, HZ / RATE)) {
  const path = join(scratch(), 'x.cs16');
  writeFileSync(path, encode('cs16', samples, signal));
  return path;
}
const replay = (path, ...more) => ['--replay', path, '--rate', '1M', '--center', '433.8M', ...more];

/** The worst distance of the samples away from the ends from 0.25 exp(2 pi i hz t), t = j / rate. */
function distance(bytes, hz, rate) {
  let worst = 0;
  const count = bytes.length / 8,
    edge = Math.ceil(0.002 * rate);
  for (let j = edge; j < count - edge; j++) {
    const angle = 2 * Math.PI * (((hz / rate) * j) % 1);
    worst = Math.max(
      worst,
      Math.hypot(
        bytes.readFloatLE(8 * j) - 0.25 * Math.cos(angle),
        bytes.readFloatLE(8 * j + 4) - 0.25 * Math.sin(angle),
      ),
    );
  }
  return worst;
}

test('sample j of the output belongs to j / rate, from the first of the recording to its last', async () => {
  const path = recording();
  for (const rate of [48e3, 250e3, 22050]) {
    const { code, stdout, stderr } = await run(replay(path, '--channel', `center=433.92M,rate=${rate}`));
    assert.equal(code, 0, stderr);
    assert.equal(stdout.length / 8, Math.ceil((SAMPLES / RATE) * rate));
    // 16 bits of the recording, 0.001 dB of the filter, 80 dB of the resampler
    assert.ok(distance(stdout, 1e3, rate) < 0.25 * 2.5e-4, `${rate}: ${distance(stdout, 1e3, rate)}`);
  }
});

test('the bytes are those that a client of the same replay gets', async (t) => {
  const path = recording(4e6, sum(tone(0.25, HZ / RATE), noise(0.01, 7))),
    channel = 'center=433.91M,rate=100k,format=cs16,gain=6';
  const { code, stdout, stderr } = await run(replay(path, '--channel', channel));
  assert.equal(code, 0, stderr);
  const daemon = await serve(t, replay(path, '--realtime'));
  const answer = await fetch(`${daemon.url}api/v1/channel-stream?center_hz=433.91M&rate_hz=100k&format=cs16&gain=6`);
  const parts = [];
  for await (const part of answer.body)
    if (parts.push(part) && parts.reduce((all, { length }) => all + length, 0) > 200e3) break;
  const got = Buffer.concat(parts).subarray(0, 200e3),
    at = stdout.indexOf(got);
  assert.ok(at >= 0 && at % 4 === 0, `${at}`);
});

test('--duration ends the output after as many samples, from a source that could go on', async () => {
  for (const source of [
    replay(recording()),
    ['--source', 'sim', '--full-speed', '-s', '1M', '-f', '433.8M', '-d', 'scene=tone'],
  ]) {
    const { code, stdout, stderr } = await run([
      ...source,
      '--duration',
      '1.2',
      '--channel',
      'center=433.92M,rate=22050',
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.length / 8, 1.2 * 22050);
  }
});

test('a slow reader gets every sample', async () => {
  const path = recording(4e6, noise(0.01, 5)),
    args = replay(path, '--channel', 'center=433.8M,rate=1M');
  const fast = await run(args);
  assert.equal(fast.code, 0, fast.stderr);
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'ignore'] }),
    parts = [];
  await new Promise((done) => setTimeout(done, 1000)); // pipe, output and ring are full
  for await (const part of child.stdout) parts.push(part);
  assert.ok(Buffer.concat(parts).equals(fast.stdout));
});

test('a reader that leaves ends the run, without a word', async () => {
  const child = spawn(binary, replay(recording(8e6), '--channel', 'center=433.92M,rate=250k'), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  assert.deepEqual(await once(child, 'close'), [0, null]);
  assert.doesNotMatch(said, /channel|EPIPE|pipe/i);
});

test('output=FILE gets the same bytes, and no file of somebody else is replaced', async () => {
  const path = recording(),
    file = join(scratch(), 'out.cu8'),
    channel = 'center=433.92M,rate=48k,format=cu8';
  const { stdout } = await run(replay(path, '--channel', channel));
  assert.ok(stdout.length > 100e3);
  assert.equal((await run(replay(path, '--channel', `${channel},output=${file}`))).code, 0);
  assert.ok(readFileSync(file).equals(stdout));
  writeFileSync(file, 'a letter');
  const { code, stderr } = await run(replay(path, '--channel', `${channel},output=${file}`));
  assert.equal(code, 1);
  assert.match(stderr, /out\.cu8: it exists and is not empty: give another name, or --overwrite/);
  assert.equal(readFileSync(file, 'utf8'), 'a letter');
  assert.equal((await run(replay(path, '--channel', `${channel},output=${file}`, '--overwrite'))).code, 0);
  assert.ok(readFileSync(file).equals(stdout));
  const own = await run(replay(path, '--channel', `${channel},output=${path}`, '--overwrite'));
  assert.match(own.stderr, /are both '.*x\.cs16'/);
});

test('other outputs of the run are written beside', async () => {
  const folder = scratch(),
    csv = join(folder, 'x.csv');
  const { code, stdout } = await run(replay(recording(), '--csv', csv, '--channel', 'center=433.92M,rate=48k'));
  assert.equal(code, 0);
  assert.equal(stdout.length / 8, 72e3);
  assert.ok(existsSync(csv));
});

test('refusals name the key and what works, and write nothing', async () => {
  const path = recording(200000);
  const refused = async (channel, ...more) => {
    const { code, stdout, stderr } = await run(replay(path, '--channel', channel, ...more));
    assert.equal(code, 1, channel);
    assert.equal(stdout.length, 0, channel);
    return stderr.split('\n').find((line) => /channel/.test(line));
  };
  assert.equal(await refused('rate=48k'), 'fftd: --channel: center: is missing (example: center=433.92M)');
  assert.equal(await refused('center=433.92M'), 'fftd: --channel: rate: is missing (example: rate=250k)');
  assert.equal(
    await refused('center=here,rate=48k'),
    "fftd: --channel: center: 'here' is not a number such as 433.92M",
  );
  assert.equal(
    await refused('center=433.92M,rate=48k,format=s8'),
    "fftd: --channel: format: 's8' is not cu8, cs8, cs16 or cf32",
  );
  assert.equal(
    await refused('center=433.92M,rate=48k,gain=loud'),
    "fftd: --channel: gain: 'loud' is not auto or -120 to 120 dB",
  );
  assert.equal(
    await refused('center=433.92M,rate=48k,colour=red'),
    'fftd: --channel: colour: a channel has center, rate, width, format, gain and output',
  );
  assert.match(
    await refused('center=433.92M,rate=2k'),
    /^fftd: --channel: rate: 2kS\/s is outside the range of this stream's channels, 5.6kS\/s to 4MS\/s$/,
  );
  assert.match(
    await refused('center=433.92M,rate=48k,width=48k'),
    /^fftd: --channel: width: 48kHz is wider than 42.4.*Hz, the maximum at 48kS\/s/,
  );
  assert.equal(
    await refused('center=433.92M,rate=48k', '--max-channels', '0'),
    'fftd: --channel: channels are off: max-channels is 0',
  );
  const swept = await run([
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--span',
    '100M:120M',
    '--channel',
    'center=105M,rate=48k',
    '--lines',
    '1',
  ]);
  assert.match(swept.stderr, /a sweep has no channels/);
});

test('a channel that the recording never contained is reported at the end', async () => {
  const { code, stderr } = await run(replay(recording(200000), '--channel', 'center=433.92,rate=48k'));
  assert.equal(code, 1);
  assert.match(
    stderr,
    /--channel: center: the radio never received 433.92 Hz, all samples are 0: a number in MHz needs an M/,
  );
});

test('a radio is followed as it comes, and its output is in the status', async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--center',
    '100M',
    '-d',
    'scene=tone',
    '--channel',
    'center=100.125M,rate=48k,output=/dev/null',
  ]);
  await until('samples come', async () => {
    const { channel } = (await daemon.status()).outputs;
    return channel.state === 'ok' && channel.rows > 20;
  });
});
