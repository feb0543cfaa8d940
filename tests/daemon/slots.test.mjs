// slots.test.mjs - several views of one client at a time: what their traces show of the same lines, and who pays for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameReader } from '../../web/net/coded.js';
import { inflateFrame } from '../../web/net/wire.js';
import { call, set } from '../support/calls.mjs';
import { serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const RATE = 200e3,
  N = 1024,
  HANN_ENBW = 1.5,
  TONE = { db: -20, bin: 700 },
  NOISE_DB = -60;
const ARGS = [
  '--source',
  'sim',
  '--rate',
  '200k',
  '--center',
  '100M',
  '--fft-size',
  `${N}`,
  '--window',
  'hann',
  '--average',
  '1',
  '--overlap',
  '0',
  '--device',
  `scene=tone,level=${TONE.db},offset=${((TONE.bin - N / 2) * RATE) / N},noise=${NOISE_DB}`,
];

/** A client that keeps the rounds it gets, as arrays of frames; view n has the id 10 + n. It pays for each round by default. */
async function connect(t, daemon) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
    reader = new FrameReader();
  const client = { rounds: [], texts: [], pays: true, say: (message) => socket.send(JSON.stringify(message)) };
  client.view = (slot, view) => client.say({ type: 'view', slot, id: 10 + slot, columns: N, coding: 'range', ...view });
  client.pay = () => client.say({ type: 'credit' });
  let round = [],
    reading = Promise.resolve();
  socket.on('message', (data, binary) => {
    if (!binary) return client.texts.push(JSON.parse(data));
    reading = reading.then(async () => {
      const frame = await inflateFrame(reader.read(Uint8Array.from(data).buffer));
      round.push({
        ...frame,
        slot: frame.view - 10,
        db: Array.from(frame.levels, (level) => frame.offsetDb + frame.stepDb * level),
      });
      if (frame.more) return;
      client.rounds.push(round);
      round = [];
      if (client.pays) client.pay();
    });
  });
  t.after(() => socket.terminate());
  await new Promise((done, failed) => {
    socket.on('open', done).on('error', failed);
  });
  return client;
}

const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
const ofSlots =
  (...slots) =>
  (round) =>
    round.map(({ slot }) => slot).join() === slots.join();
const noise = ({ db }) => db.slice(0, 600); // far from the tone

test('holds and averages of the same lines keep their order in every column, and noise its level', async (t) => {
  const daemon = await serve(t, ARGS),
    client = await connect(t, daemon);
  // The average begins last: all its lines are in the holds.
  for (const [slot, trace] of [
    [1, 'max-hold'],
    [2, 'min-hold'],
    [0, 'average'],
  ])
    client.view(slot, { trace });
  await until('rounds of all', () => client.rounds.filter(ofSlots(2, 1, 0)).length >= 40);
  for (const [low, high, middle] of client.rounds.filter(ofSlots(2, 1, 0))) {
    assert.deepEqual([low.line, high.line], [middle.line, middle.line], 'one moment');
    const tolerance = Math.max(low.stepDb, high.stepDb) / 2 + middle.stepDb / 2 + 1e-4;
    for (let i = 0; i < N; i++) {
      assert.ok(high.db[i] >= middle.db[i] - tolerance, `max hold ${high.db[i]} below average ${middle.db[i]} in ${i}`);
      assert.ok(middle.db[i] >= low.db[i] - tolerance, `average ${middle.db[i]} below min hold ${low.db[i]} in ${i}`);
    }
  }
  // Noise of -60 dBFS in N bins of the window's ENBW.
  const [low, high, middle] = client.rounds.filter(ofSlots(2, 1, 0)).at(-1);
  const density = NOISE_DB - 10 * Math.log10(N / HANN_ENBW);
  const average = 10 * Math.log10(mean(noise(middle).map((db) => 10 ** (db / 10))));
  assert.ok(Math.abs(average - density) < 0.3, `${average}, not ${density}`);
  // Of K single spectra the largest is H(K) = 1 + 1/2 + ... + 1/K times the mean; of lines that a busy machine folds it is less.
  const lines = high.line - client.texts.findLast(({ type, slot }) => type === 'view' && slot === 1).first_line + 1;
  let harmonic = 0;
  for (let k = 1; k <= lines; k++) harmonic += 1 / k;
  const power = (frame) => 10 * Math.log10(mean(noise(frame).map((db) => 10 ** (db / 10))));
  const above = power(high) - density,
    law = 10 * Math.log10(harmonic);
  assert.ok(above > 3 && above < law + 0.4, `max hold of ${lines} lines: ${above} dB`);
  assert.ok(power(low) < density - 8, 'min hold');
  for (const frame of [low, high, middle])
    assert.ok(Math.abs(frame.db[TONE.bin] - TONE.db) < 0.6, `the tone reads ${frame.db[TONE.bin]}`);
});

test('a trace relative to a reference, beside the plain one', async (t) => {
  const daemon = await serve(t, [...ARGS, '--average', '50']),
    client = await connect(t, daemon);
  client.view(0, {});
  await until('a round', () => client.rounds.length > 0);
  const answer = await fetch(`${daemon.url}api/v1/references/now`, { method: 'PUT' });
  assert.equal(answer.status, 201, await answer.text());
  client.view(3, { math: 'relative', reference: 'now' });
  const [relative, plain] = await until('both', () => client.rounds.find(ofSlots(3, 0)));
  assert.ok(Math.abs(relative.db[TONE.bin]) < 0.5 && Math.abs(plain.db[TONE.bin] - TONE.db) < 0.5);
  assert.equal(
    (await until('its message', () => client.texts.find(({ type, slot }) => type === 'view' && slot === 3))).unit,
    'dB',
  );
});

test('what a trace shows can be stored, and shows 0 dB against itself', async (t) => {
  const daemon = await serve(t, ARGS),
    client = await connect(t, daemon);
  const answers = () =>
    client.texts.filter(({ status }) => status).map(({ status, error, key }) => [status, error, key]);
  client.view(0, {});
  client.view(2, { detector: 'max', trace: 'max-hold' });
  await until('rounds', () => client.rounds.filter(ofSlots(2, 0)).length > 5);
  client.say(call('put', 'references/held', { slot: 2 }));
  client.say(call('put', 'references/held', { slot: 4 }));
  client.say(call('put', `references/${encodeURIComponent('../held')}`, { slot: 2 }));
  client.say(call('put', 'references/held', { slot: 7 }));
  client.say(call('put', 'references/held', { slot: 2, count: 3 }));
  await until('five answers', () => answers().length === 5);
  assert.deepEqual(answers().slice(0, 2), [
    [201, undefined, undefined],
    [404, 'the slot has no view', undefined],
  ]);
  assert.match(answers()[2][1], /^name: expected /);
  assert.deepEqual(
    answers()
      .slice(3)
      .map(([status, , key]) => [status, key]),
    [
      [400, 'slot'],
      [400, 'slot'],
    ],
  );
  const {
    references: [held],
  } = await (await fetch(`${daemon.url}api/v1/references`)).json();
  assert.deepEqual([held.name, held.detector, held.trace, held.fft_size], ['held', 'max', 'max-hold', N]);
  assert.ok(held.lines > 5, `${held.lines} lines`);
  client.view(2, { detector: 'max', trace: 'max-hold', math: 'relative', reference: 'held', id: 18 });
  const relative = await until('the ratio', () => client.rounds.flat().find(({ slot }) => slot === 8));
  assert.ok(Math.abs(relative.db[TONE.bin]) < 0.7, `${relative.db[TONE.bin]} dB`);
});

test('with a token, only those who have it store traces', async (t) => {
  const daemon = await serve(t, [...ARGS, '--token', 'a token of enough letters']),
    client = await connect(t, daemon);
  client.view(0, {});
  await until('a line', () => client.rounds.length > 0);
  client.say(call('put', 'references/mine', { slot: 0 }));
  const refused = await until('a refusal', () => client.texts.find(({ error }) => error));
  assert.equal(refused.status, 401);
  assert.match(refused.error, /needs the control token/);
});

test('without credit a client of three views gets two rounds; then each view misses the same lines', async (t) => {
  const daemon = await serve(t, ARGS),
    client = await connect(t, daemon);
  client.pays = false;
  client.view(0, {});
  client.view(1, { detector: 'max', trace: 'max-hold' });
  client.view(2, { trace: 'average' });
  await until('two rounds', () => client.rounds.length >= 2);
  const waited = client.texts.filter(({ type }) => type === 'status').length + 3;
  await until('more lines', () => client.texts.filter(({ type }) => type === 'status').length >= waited);
  assert.equal(client.rounds.length, 2);
  client.pay();
  const round = await until('the next round', () => client.rounds[2]);
  assert.ok(ofSlots(2, 1, 0)(round), 'all three');
  assert.equal(new Set(round.map(({ line }) => line)).size, 1);
  assert.ok(round.every(({ merged }) => merged > 1));
});

test('a removed view sends no more, a bad one is refused by its slot, and a trace that begins again says so', async (t) => {
  const daemon = await serve(t, [...ARGS, '--max-views', '3']),
    client = await connect(t, daemon);
  client.view(0, {});
  client.view(1, { trace: 'max-hold' });
  client.view(2, { trace: 'min-hold' });
  await until('all three', () => client.rounds.some(ofSlots(2, 1, 0)));
  client.view(3, { trace: 'average' });
  const refused = await until('a refusal', () => client.texts.find(({ type }) => type === 'error'));
  assert.deepEqual([refused.slot, refused.message], [3, 'too many different views (see max-views)']);
  client.say({ type: 'view', slot: 1, off: true });
  const from = client.rounds.length;
  await until('two remain', () => client.rounds.slice(from).filter(ofSlots(2, 0)).length > 3);
  assert.equal((await daemon.status()).server.views, 2);
  const first = () => client.texts.findLast(({ type, slot }) => type === 'view' && slot === 2)?.first_line;
  await until('a first line', () => first() !== undefined);
  const before = first();
  client.say(set({ center_hz: 101e6 }));
  await until('another first line', () => first() > before);
  client.view(3, { trace: 'average' }); // there is room now
  await until('the new one', () => client.rounds.some(ofSlots(3, 2, 0)));
});
