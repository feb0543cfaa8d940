// record_box.test.mjs - a box of the running stream, over HTTP and over the websocket, checked against the formula.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answerTo, call } from '../support/calls.mjs';
import { scratch, serve, until } from '../support/fftd.mjs';
import { encode, tone } from '../support/signal.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});
const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');
const RATE = 200e3,
  SAMPLES = 600000,
  START = Date.UTC(2024, 4, 6, 7, 8, 9) / 1000;

/** A replay in real time of a tone of level 0.25, 21 kHz above 433 MHz; all of it fits into the ring. */
async function served(t) {
  const folder = scratch(t),
    file = join(scratch(t), 'x');
  writeFileSync(`${file}.sigmf-data`, encode('cs16', SAMPLES, tone(0.25, 21e3 / RATE)));
  writeFileSync(
    `${file}.sigmf-meta`,
    JSON.stringify({
      global: { 'core:datatype': 'ci16_le', 'core:version': '1.2.0', 'core:sample_rate': RATE },
      captures: [{ 'core:sample_start': 0, 'core:frequency': 433e6, 'core:datetime': '2024-05-06T07:08:09Z' }],
      annotations: [],
    }),
  );
  const daemon = await serve(t, [
    '--replay',
    `${file}.sigmf-meta`,
    '--realtime',
    '--stay',
    '--ring-size',
    '16M',
    '--fft-size',
    '1024',
    '--record',
    folder,
  ]);
  const post = async (query) => {
    const answer = await fetch(`${daemon.url}api/v1/recordings?${query}`, { method: 'POST' });
    const body = await answer.json();
    return [answer.status, body.error ?? body];
  };
  const ended = (id) =>
    until('its end', async () => {
      // A kept connection may be closed just before the next request uses it.
      const info = await fetch(`${daemon.url}api/v1/recordings/${id}`).then(
        (r) => r.json(),
        () => null,
      );
      return info && info.state !== 'running' && info;
    });
  await until('samples', async () => (await daemon.status()).ledger.produced > 0.2 * RATE);
  return { daemon, folder, post, ended };
}

/** The box [from, from + length) of samples is a tone 1 kHz above its centre, at its level and phase. */
function assertBox(folder, { name, samples, missing, rate_hz: rate, center_hz: center }, from, length) {
  const found = JSON.parse(execFileSync('python3', [reader, join(folder, name)], { encoding: 'utf8' }));
  const data = readFileSync(join(folder, `${name}.sigmf-data`)),
    factor = RATE / 10e3;
  assert.deepEqual([samples, missing, rate, center], [Math.ceil(length / factor), 0, 10e3, 433.02e6]);
  assert.equal(found.samples, samples);
  assert.equal(found.datetime, new Date((START + from / RATE) * 1000).toISOString().replace('Z', '000000Z'));
  for (let i = 0; i < samples; i++) {
    const angle = 2 * Math.PI * (((1e3 / RATE) * (from + i * factor)) % 1);
    const error = Math.hypot(
      data.readFloatLE(8 * i) - 0.25 * Math.cos(angle),
      data.readFloatLE(8 * i + 4) - 0.25 * Math.sin(angle),
    );
    assert.ok(error < 1e-4 || (i < 60 && from === 0), `sample ${i}: ${error}`);
  }
}

test('HTTP records a box of the past, and one that reaches into the future', async (t) => {
  const { folder, post, ended } = await served(t);
  const band = 'low=433.016M&high=433.024M';
  assert.deepEqual(await post(`${band}&from=2024-05-06T07:08:09.05Z&duration=0.1`), [201, { id: 1 }]);
  assert.deepEqual(await post(`${band}&from=${START + 0.1}&duration=1`), [201, { id: 2 }]);
  assertBox(folder, await ended(1), 0.05 * RATE, 0.1 * RATE);
  assertBox(folder, await ended(2), 0.1 * RATE, RATE);
});

test('a box that cannot be had gets one line', async (t) => {
  const { post } = await served(t);
  for (const [query, text] of [
    ['low=433.016M', /^low, high: a band needs both/],
    ['high=433.024M', /^low, high: a band needs both/],
    ['low=0&high=0', /high above low/],
    ['low=433.1M&high=433.05M', /high above low/],
    ['low=433.05M&high=433.11M', /^low, high: the radio receives 432900000 to 433100000 Hz/],
    ['low=x&high=433.05M', /^low: "x" is not a number/],
    ['from=yesterday', /^from: "yesterday" is not a time as 2026/],
    ['from=2024-05-06T07:08:09.05Z&pre=1', /^from and pre cannot be given together/],
  ]) {
    const got = await post(query);
    assert.equal(got[0], 400, `${query}: ${got}`);
    assert.match(got[1], text);
  }
});

test('the websocket records a box', async (t) => {
  const { daemon, folder, ended } = await served(t);
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
    texts = [];
  t.after(() => socket.terminate());
  socket.on('message', (data, binary) => {
    if (!binary) texts.push(JSON.parse(data));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const ask = async (start) => {
    const message = call('post', 'recordings', start);
    socket.send(JSON.stringify(message));
    return until('an answer', () => answerTo(message, texts));
  };
  socket.send(JSON.stringify({ type: 'hello' }));
  const band = { low: 433.016e6, high: 433.024e6 };
  assert.deepEqual(await ask({ ...band, from: START + 0.05, duration: 0.1 }), { type: 'done' });
  assertBox(folder, await ended(1), 0.05 * RATE, 0.1 * RATE);
  assert.match((await ask({ low: 433.016e6 })).message, /low, high: a band needs both/);
  assert.match((await ask({ ...band, from: true })).message, /from: .*is not a time as/);
});
