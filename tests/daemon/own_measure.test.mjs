// own_measure.test.mjs - measurements that a viewer sets up for itself, without control of the radio.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, subscribe } from '../support/calls.mjs';
import { serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const N = 1024,
  TONE = { db: -20, hz: 183593.75 };
const ARGS = [
  '--source',
  'sim',
  '--rate',
  '1M',
  '--center',
  '100M',
  '--fft-size',
  `${N}`,
  '--window',
  'hann',
  '--ring-size',
  '128M',
  '--token',
  'secret-secret-secret',
  '--device',
  `scene=tone,level=${TONE.db},offset=${TONE.hz},noise=-60`,
];
const tone = { name: 'm1', type: 'marker', frequency: 100e6 + TONE.hz };
const beside = { ...tone, frequency: 99.8e6 };

/** A viewer without the token: the newest result of each measurement, all errors, the welcome. */
async function viewer(t, daemon) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const seen = { results: {}, refused: new Map(), messages: 0, history: [] };
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const message = JSON.parse(data);
    if (message.type === 'welcome') seen.welcome = message;
    if (message.error) seen.refused.set(message.id, message);
    if (message.type === 'measure') seen.common = message;
    if (message.type !== 'own_measure') return;
    seen.messages++;
    for (const each of message.measurements) {
      seen.results[each.name] = each;
      seen.history.push(each);
    }
    seen.newest = message.measurements;
  });
  t.after(() => socket.terminate());
  await new Promise((done, failed) => {
    socket.on('open', done).on('error', failed);
  });
  seen.send = (message) => socket.send(JSON.stringify(message));
  const ask = (message) => {
    seen.send(message);
    return message;
  };
  seen.set = ({ name, ...body }) => ask(call('put', `connection/measurements/${encodeURIComponent(name)}`, body));
  seen.remove = (name) => ask(call('delete', `connection/measurements/${name}`));
  seen.refusal = ({ id }) => until(`a refusal of ${id}`, () => seen.refused.get(id));
  seen.close = () =>
    new Promise((done) => {
      socket.on('close', done).close();
    });
  seen.send({ type: 'hello' });
  await until('welcome', () => seen.welcome);
  return seen;
}

test('a viewer without control measures for itself alone', async (t) => {
  const daemon = await serve(t, ARGS);
  const one = await viewer(t, daemon),
    two = await viewer(t, daemon);
  assert.equal(one.welcome.control, false);
  const forAll = call('put', 'measurements/m1', { type: 'marker', frequency: 100e6 });
  one.send(forAll);
  assert.match((await one.refusal(forAll)).error, /needs the control token/);
  one.set(tone);
  one.set({ name: 'table', type: 'peaks', threshold: -50, count: 3 });
  two.set(beside); // of the same name
  await until('results', () => one.results.m1 && one.results.table && two.results.m1);
  assert.ok(Math.abs(one.results.m1.values.level_dbfs - TONE.db) < 0.2, JSON.stringify(one.results.m1));
  assert.ok(two.results.m1.values.level_dbfs < -60, JSON.stringify(two.results.m1));
  assert.equal(one.results.table.rows.length, 1);
  assert.ok(Math.abs(one.results.table.rows[0].frequency_hz - 100e6 - TONE.hz) < 20);
  assert.deepEqual(
    one.newest.map(({ name }) => name),
    ['m1', 'table'],
  ); // a message has them all
  assert.deepEqual(Object.keys(two.results), ['m1']);
  assert.equal(
    one.history.every(({ name, type }) => type === { m1: 'marker', table: 'peaks' }[name]),
    true,
  );
  two.send(subscribe('measurements'));
  await until('common ones', () => two.common);
  assert.deepEqual(two.common.measurements, []);
  assert.deepEqual(await (await fetch(`${daemon.url}api/v1/measurements`)).json(), { measurements: [] });
});

test('a marker that moves has its level at once, and keeps its average', async (t) => {
  const daemon = await serve(t, [...ARGS, '--line-rate', '0.5']);
  const page = await viewer(t, daemon);
  // Two set-ups give results of one line; a line may come between them.
  await until('two results of one line', async () => {
    page.set(tone);
    const first = await until('the tone', () => page.newest?.[0].values.frequency_hz > 100.1e6 && page.newest[0]);
    page.set(beside);
    const second = await until('beside it', () => page.newest?.[0].values.frequency_hz < 99.9e6 && page.newest[0]);
    return first.line === second.line && first.values.level_dbfs > second.values.level_dbfs + 30;
  });
  const fast = await viewer(t, await serve(t, ARGS));
  const averaged = { ...tone, trace: 'average' };
  fast.set(averaged);
  const before = await until('some lines', () => fast.results.m1?.trace_lines > 3 && fast.results.m1);
  fast.set({ ...averaged, frequency: beside.frequency });
  const after = await until('the other place', () => fast.results.m1.values.frequency_hz < 99.9e6 && fast.results.m1);
  assert.ok(after.trace_lines >= before.trace_lines, `${before.trace_lines} ${after.trace_lines}`);
});

test('what is refused has a status, a sentence and its key', async (t) => {
  const page = await viewer(t, await serve(t, ARGS));
  for (const [set, key, message] of [
    [{ name: 'a', type: 'marcer' }, 'type', /^type: unknown type 'marcer'/],
    [{ name: 'b', type: 'marker', frequency: 'x' }, 'frequency', /^frequency: bad value 'x'/],
    [{ name: 'c', type: 'mask', file: '/etc/passwd' }, 'file', /^file: only the configuration may name a file$/],
    [{ name: 'd d', type: 'marker' }, undefined, /^name: expected /],
    [{ name: 'd', type: 'marker', frequency: [1] }, 'frequency', /^frequency: \[1\] is not a text/],
  ]) {
    const refusal = await page.refusal(page.set(set));
    assert.deepEqual([refusal.status, refusal.key], [400, key]);
    assert.match(refusal.error, message);
  }
  const none = await page.refusal(page.remove('e'));
  assert.deepEqual([none.status, none.error], [404, 'there is no such measurement']);
  page.set(tone);
  await until('a result', () => page.results.m1);
  page.remove('m1');
  page.set({ ...tone, name: 'm2' });
  await until('the other alone', () => page.newest.length === 1 && page.newest[0].name === 'm2');
});

test('the number of measurements is limited, reported, and freed when a client leaves', async (t) => {
  const daemon = await serve(t, ARGS);
  const clients = [];
  for (let i = 0; i < 5; i++) clients.push(await viewer(t, daemon));
  const { own_measurements: own, all_own_measurements: all } = clients[0].welcome.limits;
  assert.deepEqual([own, all], [16, 128]);
  const sets = Array.from({ length: own + 1 }, (_, i) => clients[0].set({ ...tone, name: `m${i}` }));
  const full = await clients[0].refusal(sets[own]);
  assert.deepEqual([full.status, full.error], [503, 'a client has at most 16 measurements']);
  clients[0].set({ ...beside, name: 'm3' }); // one that it has
  await until('the change', () => clients[0].results.m3?.values.frequency_hz < 99.9e6);
  assert.equal(clients[0].refused.size, 1);
  for (const each of clients.slice(1, 4)) {
    for (let i = 0; i < own; i++) each.set({ ...tone, name: `m${i}` });
    await until('all results', () => each.newest?.length === own);
  }
  const one = clients[4].set(tone); // half of the places are for one address
  assert.equal((await clients[4].refusal(one)).error, 'other clients use all 128 measurements');
  await clients[0].close();
  await until('a place', () => {
    clients[4].set(tone);
    return clients[4].results.m1;
  });
});

test('zero span and modulation are measured for one viewer', async (t) => {
  const page = await viewer(t, await serve(t, ARGS));
  page.set({ name: 'z', type: 'zero-span', center: 100e6 + TONE.hz, rbw: 50e3, time: 0.001, points: 20 });
  page.set({ name: 'long', type: 'zero-span', time: 2 });
  const result = await until('power against time', () => page.results.z?.reason === null && page.results.z);
  assert.ok(Math.abs(result.values.mean_dbfs - TONE.db) < 0.2, JSON.stringify(result.values));
  assert.ok(result.rows.length > 10);
  const long = await until('a reason', () => page.results.long);
  assert.ok(long.reason, JSON.stringify(long));
});

test('what belongs to a websocket is not there over HTTP', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  for (const [method, path] of [
    ['PUT', 'connection/measurements/a'],
    ['DELETE', 'connection/measurements/a'],
    ['PATCH', 'connection'],
    ['GET', 'connection'],
    ['GET', 'connection/measurements/a'],
  ]) {
    const answer = await fetch(`${daemon.url}api/v1/${path}`, { method });
    assert.equal(answer.status, 404, path);
    assert.match((await answer.json()).error, /only a websocket has it/, `${method} ${path}`);
  }
  const answer = await fetch(`${daemon.url}api/v1/references/a?slot=0`, { method: 'PUT' });
  assert.deepEqual([answer.status, (await answer.json()).key], [400, 'slot']);
});
