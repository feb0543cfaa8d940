// density.test.mjs - density over the websocket and HTTP: exact hits, true levels, counted only on request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { subscribe, unsubscribe } from '../support/calls.mjs';
import { serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const RATE = 1e6,
  N = 1024,
  COLUMNS = 801,
  LEVELS = 201;
const TONE = { db: -10.2, hertz: 250e3 }; // row 20 is from -10 to -10.5 dBFS
const ARGS = [
  '--source',
  'sim',
  '--rate',
  '1M',
  '--fft-size',
  `${N}`,
  '--window',
  'flat-top',
  '--ring-size',
  '128M', // more than the delay of a slow machine
  '--device',
  `scene=tone,level=${TONE.db},offset=${TONE.hertz}`,
];

/** Reads a frame of kind 2 as docs/protocol.md describes it. @param {Buffer} data */
function readDensity(data) {
  const [columns, levels] = [data.readUInt32LE(12), data.readUInt32LE(16)];
  const raw = data.subarray(data.readUInt32LE(8)),
    runs = data[6] & 1 ? inflateSync(raw) : raw;
  const hits = [];
  let at = 0;
  for (let c = 0; c < columns; c++) {
    const column = new Array(levels).fill(0),
      first = runs.readUInt16LE(at),
      rows = runs.readUInt16LE(at + 2);
    at += 4;
    for (let r = first; r < first + rows; r++) {
      column[r] = runs[at++];
      if (column[r] < 255) continue;
      column[r] = runs.readUInt32LE(at);
      at += 4;
    }
    hits.push(column);
  }
  assert.equal(at, runs.length);
  return {
    hits,
    levels,
    top: data.readFloatLE(20),
    step: data.readFloatLE(24),
    lines: data.readUInt32LE(28),
    frames: Number(data.readBigUInt64LE(40)),
    before: Number(data.readBigUInt64LE(48)),
    first: Number(data.readBigUInt64LE(56)),
    samples: Number(data.readBigUInt64LE(64)),
    low: data.readDoubleLE(96) - data.readDoubleLE(80),
    n: data.readUInt32LE(104),
  };
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** Every column has each frame once; the tone's column has it at the tone's level. */
function checkHits({ hits, frames }, low, rate) {
  assert.equal(hits.length, COLUMNS);
  assert.ok(frames > 0);
  for (const column of hits) assert.equal(sum(column), frames);
  const bin = Math.round((TONE.hertz + rate / 2) / (rate / N));
  assert.equal(hits[Math.floor((bin * COLUMNS) / N)][20], frames, 'the tone is not at its level');
  assert.ok(Math.abs(low + rate / 2 + rate / N / 2) < 1e-6, 'the edge of bin 0');
}

async function watch(daemon) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const client = {
    frames: [],
    bytes: 0,
    say: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
  socket.on('message', (data, binary) => {
    if (!binary || data[5] !== 2) return;
    client.bytes += data.length;
    client.frames.push(readDensity(data));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  client.say(subscribe('density'));
  return client;
}

test('a subscriber may have coarser levels, beside others that have all', async (t) => {
  const daemon = await serve(t, ARGS),
    all = await watch(daemon),
    coarse = await watch(daemon);
  coarse.say(subscribe('density', { step_db: 1 }));
  const sameAs = ({ levels, before }) => levels < LEVELS && all.frames.find((other) => other.before === before);
  const frame = await until('a frame in both forms', () => coarse.frames.find(sameAs)),
    same = sameAs(frame);
  assert.deepEqual([frame.levels, frame.step, frame.top], [101, 1, 0]);
  assert.equal(same.levels, LEVELS);
  assert.equal(frame.frames, same.frames);
  frame.hits.forEach((column, c) =>
    column.forEach((hits, r) =>
      assert.equal(hits, same.hits[c][2 * r] + (same.hits[c][2 * r + 1] ?? 0), `column ${c}, row ${r}`),
    ),
  );
});

test('subscribers get every hit once, and density is counted only while there are any', async (t) => {
  const daemon = await serve(t, ARGS);
  assert.equal((await daemon.status()).spectrum.density, null);
  const client = await watch(daemon);
  await until('ten frames', () => client.frames.length >= 10);
  assert.deepEqual((await daemon.status()).spectrum.density, {
    columns: COLUMNS,
    levels: LEVELS,
    top: 0,
    step_db: 0.5,
  });
  const frames = [...client.frames];
  frames.forEach((frame, i) => {
    checkHits(frame, frame.low, RATE);
    assert.equal(frame.before, i === 0 ? 0 : frames[i - 1].before + frames[i - 1].frames);
    if (i > 0) assert.ok(frame.first < frames[i - 1].first + frames[i - 1].samples, 'a gap between two frames');
  });
  for (let i = 0; i < 20; i++) client.say(i % 2 === 1 ? subscribe('density') : unsubscribe('density')); // coming and going makes no new plans
  client.say(unsubscribe('density'));
  const { lines } = (await daemon.status()).ledger;
  await until('more lines', async () => (await daemon.status()).ledger.lines > lines + 5);
  assert.notEqual((await daemon.status()).spectrum.density, null);
  await until('no density', async () => (await daemon.status()).spectrum.density === null);
  const { ledger } = await daemon.status();
  assert.deepEqual([ledger.lost.overflow, ledger.lost.overrun, ledger.lost.gap], [0, 0, 0]);
  client.close();
});

test('programs get density over HTTP with their persistence, as JSON and as a picture', async (t) => {
  const daemon = await serve(t, ARGS);
  const ask = (query) => fetch(`${daemon.url}api/v1/density${query}`);
  const get = async (query) => {
    // the first one waits for the line from which on it is counted
    const answer = await ask(query);
    assert.equal(answer.status, 200, query);
    return answer;
  };
  const first = await (await get('?persistence=infinite')).json();
  checkHits(first, first.low_hz - first.center_hz, first.rate_hz);
  assert.deepEqual(
    [first.persistence, first.columns, first.levels, first.top, first.step_db, first.fft_size, first.unit],
    ['infinite', COLUMNS, LEVELS, 0, 0.5, N, 'dBFS'],
  );
  let second;
  await until(
    'more lines',
    async () => (second = await (await get('?persistence=infinite')).json()).lines > first.lines,
  );
  assert.equal(second.first_sample, first.first_sample);
  assert.ok(second.frames > first.frames);
  const newest = await (await get('')).json();
  assert.equal(newest.lines > 0 && newest.persistence, 'none');
  assert.ok(newest.frames < second.frames);
  const faded = await (await get('?persistence=100ms')).json();
  assert.ok(faded.hits.every((column) => Math.abs(sum(column) - faded.frames) < 1e-3 * faded.frames));
  const picture = await get('?format=png&persistence=infinite');
  assert.equal(picture.headers.get('content-type'), 'image/png');
  const bytes = Buffer.from(await picture.arrayBuffer());
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [COLUMNS, LEVELS]);
  for (const bad of ['?persistence=-1', '?persistence=ever', '?format=gif', '?columns=9'])
    assert.equal((await ask(bad)).status, 400, bad);
  for (const more of [7, 8]) await ask(`?persistence=${more}`);
  assert.match(await (await ask('?persistence=9')).text(), /4 other persistences are being read/);
});

test('a request that waits for a line ends in time, is forgotten with its client, and does not hold up the end', async (t) => {
  const daemon = await serve(t, [...ARGS, '--line-rate', '0.02']); // a line of 50 s
  const ask = (path, more) => fetch(`${daemon.url}api/v1/${path}`, more);
  await until('the first line', async () => (await ask('spectrum')).status === 200);
  const began = Date.now();
  const [density, median, sample] = await Promise.all(
    ['density', 'spectrum?detector=median', 'spectrum?detector=sample'].map((path) => ask(path)),
  );
  assert.deepEqual([density.status, median.status, sample.status], [503, 503, 503]);
  assert.match((await density.json()).error, /^no line with this has come for 10 s$/);
  assert.ok(Date.now() - began >= 9900, `${Date.now() - began} ms`);
  const gone = new AbortController(),
    waits = ask('density?persistence=3', { signal: gone.signal }).catch(({ name }) => name);
  setTimeout(() => gone.abort(), 100);
  assert.equal(await waits, 'AbortError');
  assert.equal((await ask('spectrum?detector=max')).status, 200); // others are answered meanwhile
  ask('density').catch(() => {});
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  assert.equal(await daemon.stop(), 0);
});
