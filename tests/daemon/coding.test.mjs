// coding.test.mjs - range-coded lines and densities are those of the plain coding, byte for byte.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { set, subscribe } from '../support/calls.mjs';
import { serve, until } from '../support/fftd.mjs';
import { FrameReader } from '../../web/net/coded.js';
import { decodeHits } from '../../web/net/range.js';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const PEAK_HZ_AT = 112,
  FLAGS_AT = 6,
  VIEW_AT = 12;

/** A client that keeps its binary messages, and gives credit by default. */
async function connect(daemon, ...messages) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const client = {
    messages: [],
    errors: [],
    generous: true,
    say: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
  socket.on('message', (data, binary) => {
    if (!binary) {
      const message = JSON.parse(data);
      if (message.type === 'error' || message.error) client.errors.push(message.message ?? message.error);
      return;
    }
    client.messages.push(Uint8Array.from(data));
    if (client.generous && (data[0] === 0x4c || data[5] !== 2)) client.say({ type: 'credit' });
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  messages.forEach((message) => client.say(message));
  return client;
}

/** A frame of kind 1 with plain levels, as bytes. */
function plain(bytes) {
  if (!(bytes[FLAGS_AT] & 1)) return Buffer.from(bytes);
  const frame = Buffer.concat([bytes.subarray(0, 240), inflateSync(bytes.subarray(240))]);
  frame[FLAGS_AT] &= ~1;
  return frame;
}

/** Frames by the lines that they consist of. */
const byLines = (frames) => new Map(frames.map((f) => [`${f.readBigUInt64LE(16)} ${f.readUInt32LE(24)}`, f]));

/** Compares the frames of two clients that consist of the same lines; returns their number. */
function compare(plains, coded) {
  const reader = new FrameReader();
  const restored = byLines(coded.messages.map((bytes) => Buffer.from(reader.restore(bytes.slice().buffer))));
  let same = 0;
  for (const [lines, want] of byLines(plains.messages.map(plain))) {
    const got = restored.get(lines);
    if (!got) continue;
    assert.ok(Math.abs(got.readDoubleLE(PEAK_HZ_AT) - want.readDoubleLE(PEAK_HZ_AT)) < 1e-6);
    want.copy(got, PEAK_HZ_AT, PEAK_HZ_AT, PEAK_HZ_AT + 8);
    want.copy(got, VIEW_AT, VIEW_AT, VIEW_AT + 4);
    assert.deepEqual(got, want, `line ${lines}`);
    same++;
  }
  return same;
}

const view = { type: 'view', id: 4000000000, columns: 1024, detector: 'mean' };
const range = { ...view, id: 7, coding: 'range' };

test('range-coded lines are the lines of the plain coding, and a join, a new view or a slow client does not change that', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const plains = await connect(daemon, view),
    coded = await connect(daemon, range);
  await until('lines', () => coded.messages.length > 30 && plains.messages.length > 30);
  const late = await connect(daemon, range),
    slow = await connect(daemon, range);
  slow.generous = false;
  await until('lines', () => late.messages.length > 20);
  slow.generous = true;
  slow.say({ type: 'credit', count: 2 });
  coded.say({ ...range, id: 8 });
  await until('lines', () => slow.messages.length > 10 && plains.messages.length > 70 && coded.messages.length > 70);
  assert.ok(compare(plains, coded) > 30);
  assert.ok(compare(plains, late) > 5);
  compare(plains, slow);
  for (const client of [coded, late, slow]) {
    // a base for each view; another one when the line rate is first known
    const complete = client.messages.filter((bytes) => bytes[0] === 0x46),
      views = client === coded ? 2 : 1;
    assert.ok(complete.length === views || complete.length === views + 1, `${complete.length} bases`);
    assert.deepEqual(
      [...complete[0].subarray(0, 12)],
      [...Buffer.from('FFTD\x01\x03'), complete[0][6], 0, 240, 0, 0, 0],
    );
    assert.equal(Buffer.from(complete[0]).readUInt32LE(VIEW_AT), 7);
  }
  assert.equal(Buffer.from(coded.messages.filter((bytes) => bytes[0] === 0x46).at(-1)).readUInt32LE(VIEW_AT), 8);
  [plains, coded, late, slow].forEach((client) => client.close());
});

test('a change of the radio gives a new base, and the frames after it are right', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const plains = await connect(daemon, view),
    coded = await connect(daemon, range);
  await until('lines', () => coded.messages.length > 5);
  coded.say(set({ fft_size: 2048, center_hz: 200e6 }));
  const before = coded.messages.length;
  await until('lines', () => coded.messages.length > before + 20 && plains.messages.length > before + 20);
  assert.ok(coded.messages.filter((bytes) => bytes[0] === 0x46).length > 1);
  assert.ok(compare(plains, coded) > 5);
  const newest = Buffer.from(plains.messages.at(-1));
  assert.deepEqual([newest.readUInt32LE(120), newest.readDoubleLE(56)], [2048, 200e6]);
  plains.close();
  coded.close();
});

test('a coarser step keeps every level within half of it', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const plains = await connect(daemon, view),
    coarse = await connect(daemon, { ...range, step_db: 2 }),
    coarsePlain = await connect(daemon, { ...view, step_db: 2 });
  await until('lines', () => [plains, coarse, coarsePlain].every((client) => client.messages.length > 30));
  assert.ok(compare(coarsePlain, coarse) > 5);
  const fine = byLines(plains.messages.map(plain));
  let same = 0;
  for (const [lines, got] of byLines(coarsePlain.messages.map(plain))) {
    const want = fine.get(lines);
    assert.equal(got.readFloatLE(100), 2);
    for (let i = 0; want && i < 1024; i++) {
      const [a, b] = [got, want].map((f) => f.readFloatLE(96) + f.readFloatLE(100) * f[240 + i]);
      assert.ok(Math.abs(a - b) <= 1.0001, `column ${i}: ${a} and ${b} dBFS`);
    }
    same += want ? 1 : 0;
  }
  assert.ok(same > 5);
  [plains, coarse, coarsePlain].forEach((client) => client.close());
});

test('range-coded densities have the hits of the plain ones', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const plains = await connect(daemon, subscribe('density')),
    coded = await connect(daemon, subscribe('density', { coding: 'range' }));
  await until('densities', () => plains.messages.length > 5 && coded.messages.length > 5);
  const key = (f) => `${f.readBigUInt64LE(32)} ${f.readUInt32LE(28)}`;
  const codedByLines = new Map(coded.messages.map((bytes) => [key(Buffer.from(bytes)), Buffer.from(bytes)]));
  let same = 0;
  for (const bytes of plains.messages) {
    const want = Buffer.from(bytes),
      got = codedByLines.get(key(want));
    if (!got) continue;
    const [columns, levels] = [got.readUInt32LE(12), got.readUInt32LE(16)];
    const hits = decodeHits(Uint8Array.from(got.subarray(112)), columns, levels, Number(got.readBigUInt64LE(40)));
    const runs = inflateSync(want.subarray(112));
    let at = 0;
    for (let c = 0; c < columns; c++) {
      const column = new Uint32Array(levels),
        first = runs.readUInt16LE(at),
        rows = runs.readUInt16LE(at + 2);
      at += 4;
      for (let r = first; r < first + rows; r++) {
        column[r] = runs[at++];
        if (column[r] === 255) column[r] = runs.readUInt32LE((at += 4) - 4);
      }
      assert.deepEqual(hits.subarray(c * levels, (c + 1) * levels), column, `column ${c}`);
    }
    assert.deepEqual([got[FLAGS_AT] & 33, want[FLAGS_AT] & 33], [32, 1]);
    want[FLAGS_AT] = got[FLAGS_AT];
    assert.deepEqual(got.subarray(0, 112), want.subarray(0, 112));
    same++;
  }
  assert.ok(same > 2);
  plains.close();
  coded.close();
});

test('an unknown coding and a step out of range are refused', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const client = await connect(
    daemon,
    { ...view, coding: 'morse' },
    { ...view, step_db: 0 },
    subscribe('density', { coding: 1 }),
  );
  await until('errors', () => client.errors.length === 3);
  assert.deepEqual(client.errors, [
    'coding: "morse" is not plain or range',
    'step_db: 0 is not a number from 0.25 to 20',
    'coding: 1 is not plain or range',
  ]);
  client.close();
});
