// audio.test.mjs - decoders of audio on a channel that fftd demodulates: the packets and the text that were sent.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, scratch, until } from '../support/fftd.mjs';
import { encode } from '../support/signal.mjs';
import { MULTIMON, needs, shell } from './stranger.mjs';

const RATE = 240e3,
  CENTER = 144.85e6,
  STATION = 144.8e6,
  DEVIATION = 3000;

/** The samples of a WAV with 16 bits and one channel, 1 = full scale, and their rate. @param {string} path */
function readWav(path) {
  const bytes = readFileSync(path),
    rate = bytes.readUInt32LE(24),
    data = bytes.indexOf('data') + 8;
  return {
    rate,
    audio: Float64Array.from({ length: (bytes.length - data) >> 1 }, (_, i) => bytes.readInt16LE(data + 2 * i) / 32768),
  };
}

/**
 * A recording of this audio by FM at the station, with half a second of carrier before and after it.
 * @param {string} path @param {{rate: number, audio: Float64Array}} sound
 */
function transmit(path, { rate, audio }) {
  let turns = 0;
  const peak = audio.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
    seconds = audio.length / rate + 1;
  writeFileSync(
    path,
    encode('cs16', Math.floor(RATE * seconds), (i) => {
      const at = (i / RATE - 0.5) * rate,
        from = Math.floor(at),
        value = (k) => audio[k] ?? 0;
      const x = value(from) + (at - from) * (value(from + 1) - value(from));
      turns = (turns + (STATION - CENTER + (DEVIATION * x) / peak) / RATE) % 1;
      return [0.1 * Math.cos(2 * Math.PI * turns), 0.1 * Math.sin(2 * Math.PI * turns)];
    }),
  );
}

/**
 * What a command writes that has the audio of the recording on its standard input.
 * @param {import('node:test').TestContext} t @param {string} path @param {string} query @param {string} command
 */
async function hear(t, path, query, command) {
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
      `${CENTER}`,
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
  const text = shell(`curl -sSfN '${url}api/v1/channel-stream?center_hz=${STATION}&wait=true&${query}' | ${command}`);
  await until('it is heard', async () => (await (await fetch(`${url}api/v1/channels`)).json()).channels.length === 1);
  child.stdin.end(readFileSync(path));
  return text;
}

const curl = ['curl', ['--version']];

test(
  'packets of AFSK are decoded by multimon-ng',
  needs({ curl, gen_packets: ['direwolf', ['-h']], 'multimon-ng': ['multimon-ng', ['-h']] }),
  async (t) => {
    const folder = scratch(t),
      wav = join(folder, 'x.wav'),
      path = join(folder, 'x.cs16');
    execFileSync('gen_packets', ['-o', wav], { stdio: 'ignore' }); // four, of WB2OSZ-15
    transmit(path, readWav(wav));
    const text = await hear(t, path, 'mode=nfm&flat=true&audio_rate_hz=22050', MULTIMON);
    assert.equal(text.match(/AFSK1200: fm WB2OSZ-15 to TEST-0/g)?.length, 4, text);
    assert.match(text, /The quick brown fox jumps over the lazy dog!\s+4 of 4/);
  },
);

test(
  'packets of AFSK are decoded by direwolf',
  needs({ curl, gen_packets: ['direwolf', ['-h']], atest: ['direwolf', ['-h']] }),
  async (t) => {
    const folder = scratch(t),
      wav = join(folder, 'x.wav'),
      path = join(folder, 'x.cs16'),
      heard = join(folder, 'heard.wav');
    execFileSync('gen_packets', ['-o', wav], { stdio: 'ignore' });
    transmit(path, readWav(wav));
    await hear(t, path, 'mode=nfm&flat=true&audio_rate_hz=24k&format=s16', `sh -c 'cat > ${heard}.raw'`);
    const samples = readFileSync(`${heard}.raw`),
      head = Buffer.from(readFileSync(wav).subarray(0, 44));
    head.writeUInt32LE(24000, 24);
    head.writeUInt32LE(48000, 28);
    head.writeUInt32LE(36 + samples.length, 4);
    head.writeUInt32LE(samples.length, 40);
    writeFileSync(heard, Buffer.concat([head, samples]));
    assert.match(await shell(`atest ${heard} 2>&1`), /4 packets decoded/);
  },
);

test(
  'text of a modem is decoded by minimodem',
  needs({ curl, minimodem: ['minimodem', ['--version']], sox: ['sox', ['--version']] }),
  async (t) => {
    const folder = scratch(t),
      wav = join(folder, 'x.wav'),
      path = join(folder, 'x.cs16'),
      sent = 'CQ CQ the text that was sent 0123456789';
    execFileSync('minimodem', ['--tx', '1200', '-f', wav], { input: `${sent}\n` });
    transmit(path, readWav(wav));
    await hear(
      t,
      path,
      'mode=nfm&flat=true&audio_rate_hz=48k',
      `sox -t raw -r 48k -e signed -b 16 -c 1 - ${folder}/heard.wav`,
    );
    assert.match(await shell(`minimodem --rx 1200 -f ${folder}/heard.wav 2>/dev/null`), new RegExp(sent));
  },
);

test('sox measures the level of a wav without an end', needs({ curl, sox: ['sox', ['--version']] }), async (t) => {
  const path = join(scratch(t), 'x.cs16'),
    rate = 48e3;
  transmit(path, {
    rate,
    audio: Float64Array.from({ length: 2 * rate }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / rate)),
  });
  const text = await hear(
    t,
    path,
    'mode=nfm&flat=true&format=wav&audio_rate_hz=48k',
    'sox -t wav - -n trim 1 1 stat 2>&1',
  );
  const value = (name) => Number(new RegExp(`^${name}: +([\\d.-]+)$`, 'm').exec(text)?.[1]);
  const amplitude = (10 ** (-3 / 20) * DEVIATION) / 5000; // 5 kHz are -3 dBFS
  assert.ok(Math.abs(value('RMS +amplitude') - amplitude / Math.SQRT2) < 0.01, text);
  assert.ok(Math.abs(value('Rough +frequency') - 1000) < 5, text);
});
