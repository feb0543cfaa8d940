// record_messages.test.mjs - recordings over the websocket: who may start them, and what every client receives.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerTo, call, subscribe } from '../support/calls.mjs';
import { scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});
const TOKEN = 'secret-secret-secret';
const RATE = 250e3; // sanitizers keep up with it

async function connect(t, daemon, hello) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
    texts = [];
  t.after(() => socket.terminate());
  socket.on('message', (data, binary) => {
    if (!binary) texts.push(JSON.parse(data));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const client = { of: (type) => texts.filter((text) => text.type === type) };
  client.ask = async (message) => {
    const before = texts.length;
    socket.send(JSON.stringify(message));
    return until(`an answer to ${JSON.stringify(message)}`, () => answerTo(message, texts.slice(before)));
  };
  /** The recordings by id, as the messages so far say. */
  client.recordings = () =>
    new Map(client.of('recording').flatMap(({ recordings }) => recordings.map((one) => [one.id, one])));
  socket.send(JSON.stringify({ type: 'hello', ...hello }));
  await until('a welcome', () => client.of('welcome').length);
  socket.send(JSON.stringify(subscribe('recordings')));
  return client;
}

async function served(t, ...more) {
  const folder = scratch(t);
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    `${RATE}`,
    '--format',
    'cs16',
    '--realtime',
    '--record',
    folder,
    ...more,
  ]);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  return { folder, daemon };
}

test('every client gets the messages of a recording: its start, its progress and its end', async (t) => {
  const { folder, daemon } = await served(t, '--token', TOKEN);
  const radio = await connect(t, daemon, { token: TOKEN }),
    viewer = await connect(t, daemon, {});
  assert.equal(radio.of('welcome')[0].recordings, true);
  assert.deepEqual(await radio.ask(call('post', 'recordings', { label: 'a burst' })), { type: 'done' });
  const first = await until('a recording', () => viewer.recordings().get(1)?.name && viewer.recordings().get(1));
  assert.deepEqual([first.state, first.label, first.end], ['running', 'a burst', '']);
  await until('progress', () => viewer.recordings().get(1).bytes > first.bytes);
  assert.deepEqual(await radio.ask(call('delete', 'recordings/1')), { type: 'done' });
  const last = await until('its end', () => viewer.recordings().get(1).state === 'done' && viewer.recordings().get(1));
  const { size } = statSync(join(folder, `${last.name}.sigmf-data`));
  assert.equal(last.bytes, size);
  assert.equal(last.seconds, size / 4 / RATE);
  assert.equal(last.missing, 0);
  const late = await connect(t, daemon, {});
  assert.deepEqual((await until('the list', () => late.of('recording')[0])).recordings, [last]);
});

test('the past and the duration are what was asked for', async (t) => {
  const { daemon } = await served(t, '--ring-size', '4M');
  const client = await connect(t, daemon, {});
  await until('some past', async () => (await daemon.status()).ledger.produced > RATE / 2);
  await client.ask(call('post', 'recordings', { pre: 0.2, duration: 0.3 }));
  await until('its end', () => client.recordings().get(1)?.state === 'done');
  const { seconds, missing } = client.recordings().get(1);
  assert.equal(seconds + missing / RATE, 0.5);
});

test('a running recording sends at most a message a second', async (t) => {
  const { daemon } = await served(t);
  const client = await connect(t, daemon, {});
  const began = performance.now();
  await client.ask(call('post', 'recordings', { duration: 3 }));
  await until('its end', () => client.recordings().get(1)?.state === 'done');
  // One each for the start, its name and the end, and one for each second between them.
  const seconds = Math.ceil((performance.now() - began) / 1000),
    { length } = client.of('recording');
  assert.ok(length <= 3 + seconds, `${length} messages in ${seconds} s`);
});

test('only changes are repeated', async (t) => {
  const { daemon } = await served(t);
  const client = await connect(t, daemon, {});
  for (const id of [1, 2]) {
    await client.ask(call('post', 'recordings', { duration: 0.1 }));
    await until('its end', () => client.recordings().get(id)?.state === 'done');
  }
  assert.deepEqual(
    client
      .of('recording')
      .at(-1)
      .recordings.map(({ id }) => id),
    [2],
  );
});

test('only control starts and stops recordings', async (t) => {
  const { folder, daemon } = await served(t, '--token', TOKEN);
  const viewer = await connect(t, daemon, {});
  for (const message of [call('post', 'recordings', {}), call('delete', 'recordings/1')])
    assert.match((await viewer.ask(message)).message, /needs the control token/);
  assert.deepEqual(readdirSync(folder), []);
});

test('bad fields are named', async (t) => {
  const { folder, daemon } = await served(t);
  const client = await connect(t, daemon, {});
  for (const [fields, reason] of [
    [{ pre: -1 }, /^pre: /],
    [{ duration: 'x' }, /^duration: /],
    [{ label: 'x'.repeat(64) }, /^label: .*63 bytes/],
    [{ label: [] }, /^label: /],
    [{ x: 1 }, /x/],
  ])
    assert.match((await client.ask(call('post', 'recordings', fields))).message, reason, JSON.stringify(fields));
  for (const id of [0, 'a', 7])
    assert.match((await client.ask(call('delete', `recordings/${id}`))).message, /no running recording/);
  assert.deepEqual(readdirSync(folder), []);
});

test('without --record, the welcome says so, and nothing starts', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', `${RATE}`, '--realtime']);
  const client = await connect(t, daemon, {});
  assert.equal(client.of('welcome')[0].recordings, false);
  assert.match((await client.ask(call('post', 'recordings', {}))).message, /--record DIR/);
});
