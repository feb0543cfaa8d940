// lease.test.mjs - the control lease of a running fftd: one client at a time changes the radio.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerTo, call, set, subscribe } from '../support/calls.mjs';
import { scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});
const TOKEN = 'correct horse battery';

/** A client that keeps every message. */
async function connect(daemon, hello) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const client = {
    texts: [],
    close: () => socket.close(),
    say: (message) => socket.send(JSON.stringify(message)),
    of: (type) => client.texts.filter((text) => text.type === type),
  };
  socket.on('message', (data, binary) => {
    if (!binary) client.texts.push(JSON.parse(data));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  client.say({ type: 'hello', ...hello });
  await until('a welcome', () => client.of('welcome').length);
  client.say(subscribe('lease'));
  /** Says it and returns the answer. */
  client.ask = async (message) => {
    const before = client.texts.length;
    client.say(message);
    return until(`an answer to ${JSON.stringify(message)}`, () => answerTo(message, client.texts.slice(before)));
  };
  client.lease = (what, check) => until(what, () => client.of('lease').length > 0 && check(client.of('lease').at(-1)));
  return client;
}

const gainOf = async (daemon) => (await daemon.status()).wanted.gain;

async function startGuarded(t, ...options) {
  const file = join(scratch(t), 'token');
  writeFileSync(file, `${TOKEN}\n`);
  return serve(t, ['--source', 'sim', '--token-file', file, ...options]);
}

test('the second holder of the token changes nothing until it takes over, and the first is informed', async (t) => {
  const daemon = await startGuarded(t, '--control-lease', '1h');
  const ann = await connect(daemon, { token: TOKEN, name: 'Ann' }),
    bob = await connect(daemon, { token: TOKEN });
  await bob.lease('a free radio', ({ user }) => user === null);

  assert.equal((await ann.ask(set({ ppm: 1 }))).type, 'done');
  await ann.lease(
    'a lease of 1 h',
    ({ yours, user, seconds, period }) => yours && user.name === 'Ann' && period === 3600 && seconds > 3000,
  );
  await ann.ask(call('patch', 'connection', { name: 'Anne' }));
  await bob.lease('the new name', ({ user }) => user.name === 'Anne');
  await ann.ask(call('patch', 'connection', { name: 'Ann' }));
  assert.equal((await bob.ask(call('patch', 'connection', { name: 'Bob' }))).type, 'done'); // takes nothing
  assert.match(
    (await bob.ask(call('patch', 'connection', { name: 'B'.repeat(33) }))).message,
    /^name: at most 32 bytes/,
  );
  assert.match((await bob.ask(call('patch', 'connection'))).message, /^name: is missing/);
  await bob.lease(
    'who has it',
    ({ yours, user, taken }) => !yours && !taken && user.name === 'Ann' && user.address === '127.0.0.1',
  );
  const { type, message } = await bob.ask(set({ ppm: 2 }));
  assert.equal(type, 'error');
  assert.match(message, /^Ann \(127\.0\.0\.1\) controls the radio, for 3\d\d\d s more$/);
  assert.equal((await daemon.status()).wanted.ppm, 1);

  assert.equal((await bob.ask(call('put', 'lease', { name: 'Bob' }))).type, 'done');
  await ann.lease('the notice', ({ taken, yours, user }) => taken && !yours && user.name === 'Bob');
  assert.match((await ann.ask(set({ ppm: 3 }))).message, /^Bob \(127/);
  assert.equal((await bob.ask(set({ ppm: 2 }))).type, 'done');
  assert.equal((await daemon.status()).wanted.ppm, 2);

  assert.equal((await ann.ask(call('delete', 'lease'))).type, 'done'); // it is not hers
  assert.match((await ann.ask(set({ ppm: 3 }))).message, /^Bob/);
  assert.equal((await bob.ask(call('delete', 'lease'))).type, 'done');
  await ann.lease('a free radio', ({ user, taken }) => user === null && !taken);
  assert.equal((await ann.ask(set({ ppm: 3 }))).type, 'done');

  ann.close(); // and leaves it
  await bob.lease('a free radio', ({ user }) => user === null);
  assert.equal((await bob.ask(set({ ppm: 4 }))).type, 'done');
});

test('a refused change gets no lease, and a viewer learns the name alone', async (t) => {
  const daemon = await startGuarded(t);
  const owner = await connect(daemon, { token: TOKEN, name: 'Ann' }),
    viewer = await connect(daemon, {});
  assert.equal((await owner.ask(set({ fft_size: 1000 }))).type, 'error');
  assert.equal((await owner.ask(call('put', 'lease', { want: 'maybe' }))).type, 'error');
  assert.equal((await (await fetch(`${daemon.url}api/v1/lease`)).json()).user, null);
  for (const message of [call('put', 'lease'), set({ ppm: 1 })])
    assert.match((await viewer.ask(message)).message, /needs the control token/);
  await owner.ask(set({ ppm: 1 }));
  await viewer.lease('who has it', ({ user }) => user?.name === 'Ann' && !('address' in user));
});

test('a subscriber that gets control later sees at once who has the lease, and from where', async (t) => {
  const daemon = await startGuarded(t);
  const owner = await connect(daemon, { token: TOKEN, name: 'Ann' }),
    other = await connect(daemon, {});
  await owner.ask(set({ ppm: 1 }));
  await other.lease('who has it', ({ user }) => user?.name === 'Ann' && !('address' in user));
  other.say({ type: 'hello', token: TOKEN });
  await other.lease('from where', ({ user }) => user?.address === '127.0.0.1');
  assert.equal(other.of('welcome').length, 2);
});

test('an unused lease ends, and each change renews it', async (t) => {
  const daemon = await startGuarded(t, '--control-lease', '2');
  const ann = await connect(daemon, { token: TOKEN }),
    bob = await connect(daemon, { token: TOKEN });
  await ann.ask(set({ ppm: 1 }));
  await ann.lease('a lease', ({ yours }) => yours);
  const first = ann.of('lease').length;
  await ann.ask(set({ ppm: 2 }));
  await until('its renewal', () => ann.of('lease').length > first);
  await bob.lease('its end', ({ user }) => user === null);
  assert.equal((await bob.ask(set({ ppm: 3 }))).type, 'done');
});

test('requests over HTTP have the lease like a client, by their address', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--control-lease', '1h']);
  const put = (path) => fetch(`${daemon.url}api/v1/${path}`, { method: 'PUT' });
  const page = await connect(daemon, {});
  await page.ask(set({ gain: '10' }));
  const refused = await put('settings?gain=20');
  assert.equal(refused.status, 409);
  assert.match(
    (await refused.json()).error,
    /^127\.0\.0\.1 controls the radio, for 3\d\d\d s more: PUT \/api\/v1\/lease takes it over$/,
  );
  assert.equal(await gainOf(daemon), '10');

  for (const [query, reason] of [
    ['colour=red', /known: name/],
    [`name=${'x'.repeat(33)}`, /at most 32 bytes/],
  ]) {
    const bad = await put(`lease?${query}`);
    assert.equal(bad.status, 400);
    assert.match((await bad.json()).error, reason);
  }
  assert.equal((await put('lease?name=scan.sh')).status, 200);
  await page.lease('the notice', ({ taken, user }) => taken && user.name === 'scan.sh' && !user.websocket);
  assert.equal((await put('settings?gain=20')).status, 200);
  assert.match((await page.ask(set({ gain: '10' }))).message, /^scan\.sh \(127/);
  assert.equal(await gainOf(daemon), '20');
  const { user, seconds, period } = await (await fetch(`${daemon.url}api/v1/lease`)).json();
  assert.deepEqual([user, period], [{ name: 'scan.sh', websocket: false }, 3600]);
  assert.ok(seconds > 3000 && seconds <= 3600);
  assert.equal((await fetch(`${daemon.url}api/v1/lease`, { method: 'DELETE' })).status, 200);
  assert.equal((await page.ask(set({ gain: '10' }))).type, 'done');
});

test('without leases everybody who may changes the radio', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--control-lease', '0']);
  const ann = await connect(daemon, {}),
    bob = await connect(daemon, {});
  for (const [client, gain] of [
    [ann, '10'],
    [bob, '20'],
    [ann, '30'],
  ]) {
    assert.equal((await client.ask(set({ gain }))).type, 'done');
    assert.equal(await gainOf(daemon), gain);
  }
  assert.match((await ann.ask(call('put', 'lease'))).message, /there are no leases/);
  const before = bob.of('status').length; // a renewed lease would be announced within a second
  await until('two more states', () => bob.of('status').length > before + 1);
  assert.deepEqual(bob.of('lease'), []);
});
