// presets.test.mjs - settings stored by name, recalled, removed, and kept by a restart of fftd.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerTo, call, set, subscribe, unsubscribe } from '../support/calls.mjs';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});
const SIM = ['--source', 'sim', '--rate', '1M', '--center', '100M'];

async function connect(daemon, hello, topic = subscribe('presets')) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const texts = [];
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
  client.names = () =>
    client
      .of('presets')
      .at(-1)
      ?.presets.map(({ name }) => name)
      .join();
  socket.send(JSON.stringify({ type: 'hello', ...hello }));
  await until('a welcome', () => client.of('welcome').length);
  if (topic) socket.send(JSON.stringify(topic));
  return client;
}

const path = (name) => `presets/${encodeURIComponent(name)}`;
const store = (name) => call('put', path(name)),
  recall = (name) => call('put', path(name), { recall: true }),
  remove = (name) => call('delete', path(name));
const send = (daemon, path, method = 'PUT') => fetch(`${daemon.url}api/v1/${path}`, { method });
const wantedOf = async (daemon) => (await daemon.status()).wanted;

test('a preset brings back what was set when it was stored, after a restart too', async (t) => {
  const state = scratch(t),
    daemon = await serve(t, [...SIM, '--state-dir', state]);
  const client = await connect(daemon);
  const air = {
    center_hz: 118.1e6,
    rate_hz: 2e6,
    gain: '30',
    fft_size: 8192,
    window: 'flat-top',
    overlap: 25,
    line_rate: 10,
  };
  assert.equal((await client.ask(set(air))).type, 'done');
  assert.equal((await client.ask(store('Air band'))).type, 'done');
  await until('the list', () => client.names() === 'Air band');
  assert.equal(client.of('presets').at(-1).presets[0].center_hz, 118.1e6);
  assert.equal(
    (await client.ask(set({ center_hz: 433.92e6, rate_hz: 1e6, gain: 'auto', fft_size: 512, window: 'hann', ppm: 3 })))
      .type,
    'done',
  );
  assert.equal((await client.ask(recall('Air band'))).type, 'done');
  const { center_hz, rate_hz, gain, fft_size, window, overlap, line_rate, ppm } = await wantedOf(daemon);
  assert.deepEqual({ center_hz, rate_hz, gain, fft_size, window, overlap, line_rate }, air);
  assert.equal(ppm, 3, 'the correction belongs to the radio');
  assert.equal(await daemon.stop(), 0);

  const again = await serve(t, [...SIM, '--state-dir', state]);
  const page = await connect(again);
  await until('the list', () => page.names() === 'Air band');
  assert.equal((await send(again, 'presets/Air%20band?recall=yes')).status, 200);
  assert.equal((await wantedOf(again)).window, 'flat-top');
  const { presets } = await (await send(again, 'presets', 'GET')).json();
  assert.equal(presets['Air band'].fft_size, 8192);
  assert.equal((await send(again, 'presets/Air%20band', 'DELETE')).status, 200);
  await until('an empty list', () => page.names() === '');
  assert.deepEqual(JSON.parse(readFileSync(join(state, 'presets.json'), 'utf8')), {});
});

test('as many presets as there may be outlast a restart, each with all of its fields', async (t) => {
  const state = scratch(t),
    daemon = await serve(t, [...SIM, '--state-dir', state]);
  for (let i = 0; i < 64; i++) {
    assert.equal((await send(daemon, `settings?center_hz=${100 + i}M`)).status, 200);
    assert.equal((await send(daemon, `presets/Station%20${i}`)).status, 201);
  }
  const { presets: stored } = await (await send(daemon, 'presets', 'GET')).json();
  assert.equal(await daemon.stop(), 0, daemon.stderr);
  const again = await serve(t, [...SIM, '--state-dir', state]);
  const { presets } = await (await send(again, 'presets', 'GET')).json();
  assert.deepEqual(presets, stored, again.stderr);
  assert.equal(Object.keys(presets).length, 64);
  for (let i = 0; i < 64; i++) assert.equal(presets[`Station ${i}`].center_hz, (100 + i) * 1e6);
});

test('a preset of a sweep has its span and no centre', async (t) => {
  const daemon = await serve(t, [...SIM.slice(0, 4), '--span', '90M:100M']);
  assert.equal((await send(daemon, 'presets/FM')).status, 201);
  const fields = await (await send(daemon, 'presets/FM', 'GET')).json();
  assert.deepEqual([fields.span, 'center_hz' in fields], ['90M:100M', false]);
  assert.equal((await send(daemon, 'settings?span=&center_hz=120M')).status, 200);
  assert.equal((await send(daemon, 'presets/FM?recall=yes')).status, 200);
  assert.equal((await wantedOf(daemon)).span, '90M:100M');
});

test('presets are refused with a reason', async (t) => {
  const daemon = await serve(t, [...SIM, '--token', 'correct horse battery']);
  const viewer = await connect(daemon, {}),
    owner = await connect(daemon, { token: 'correct horse battery' });
  const other = await connect(daemon, { token: 'correct horse battery' });
  for (const message of [store('a'), recall('a'), remove('a')])
    assert.match((await viewer.ask(message)).message, /needs the control token/);
  assert.equal((await send(daemon, 'presets/a')).status, 401);
  for (const [message, reason] of [
    [recall('b'), /^there is no preset b$/],
    [remove('b'), /^there is no preset b$/],
    [store(''), /1 to 32 bytes/],
    [store('a/b'), /no slash/],
    [store('x'.repeat(33)), /1 to 32 bytes/],
  ])
    assert.match((await owner.ask(message)).message, reason);
  for (let i = 0; i < 64; i++) assert.equal((await owner.ask(store(`p${i}`))).type, 'done');
  assert.match((await owner.ask(store('p64'))).message, /^there are 64 presets: remove one first$/);
  await owner.ask(set({ ppm: 1 })); // has the lease now
  assert.match((await other.ask(recall('p0'))).message, /controls the radio/);
  assert.equal((await other.ask(remove('p0'))).type, 'done');
});

test('a state directory is made; what cannot be one is refused in one line', async (t) => {
  const folder = scratch(t),
    made = join(folder, 'new'),
    file = join(folder, 'file');
  writeFileSync(file, '');
  assert.equal((await run([...SIM, '--state-dir', made, '--check-config'])).code, 0);
  assert.ok(!existsSync(made));
  const daemon = await serve(t, [...SIM, '--state-dir', made]);
  assert.equal((await send(daemon, 'presets/a')).status, 201);
  assert.ok(existsSync(join(made, 'presets.json')));
  assert.doesNotMatch(daemon.stderr, /end with this fftd|memory only/);
  for (const [path, reason] of [
    [file, 'Not a directory'],
    [join(folder, 'no/where'), 'No such file or directory'],
  ])
    for (const how of [['--check-config'], ['--lines', '1', '--listen', '127.0.0.1:0']]) {
      const { code, stderr } = await run([...SIM, '--state-dir', path, ...how]);
      assert.equal(code, 1, how[0]);
      assert.equal(stderr, `fftd: state-dir: ${path}: ${reason}\n`);
    }
});

test('a damaged file is named and left alone', async (t) => {
  const state = scratch(t),
    file = join(state, 'presets.json');
  writeFileSync(file, '{"Air band": ');
  const daemon = await serve(t, [...SIM, '--state-dir', state]);
  assert.match(daemon.stderr, /presets\.json: this is not a list of presets; presets end with this fftd\n/);
  assert.equal((await send(daemon, 'presets/a')).status, 201);
  assert.equal(readFileSync(file, 'utf8'), '{"Air band": ');
});

test('presets come to those who have subscribed to them, and as rarely as they want', async (t) => {
  const daemon = await serve(t, [...SIM, '--state-dir', scratch(t)]);
  const fast = await connect(daemon),
    none = await connect(daemon, {}, null),
    began = performance.now();
  const slow = await connect(daemon, {}, subscribe('presets', { rate: 0.5 }));
  await until('the list, which is empty', () => fast.names() === '' && slow.names() === '');
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    assert.equal((await fast.ask(store(name))).type, 'done');
    await until('the list', () => fast.names()?.endsWith(name));
  }
  await until('the newest list', () => slow.names() === 'a,b,c,d,e');
  const { length } = slow.of('presets');
  assert.ok(fast.of('presets').length >= 6 && length <= 1 + (performance.now() - began) / 2000, `${length} messages`);
  assert.equal((await slow.ask(unsubscribe('presets'))).type, 'done');
  assert.equal((await fast.ask(remove('e'))).type, 'done');
  await until('the list', () => fast.names() === 'a,b,c,d');
  await until('time', () => performance.now() - began > 6000);
  assert.equal(slow.of('presets').length, length);
  assert.deepEqual(['presets', 'lease', 'recording'].flatMap(none.of), []);
  assert.equal((await none.ask(subscribe('nosuch'))).type, 'error');
  assert.equal((await none.ask(subscribe('presets', { rate: 0 }))).type, 'error');
});
