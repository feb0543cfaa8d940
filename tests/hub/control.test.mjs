// control.test.mjs - control of a sensor's radio through the broker: who may, what is answered, and who is told.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { broker, missing, subscribe } from '../support/nats.mjs';

const options = { skip: missing() };
const token = 'correct horse battery';

/** A sensor whose control token is the one above, unless `args` say otherwise. */
function sensor(t, url, args) {
  const file = join(scratch(), 'token');
  writeFileSync(file, `${token}\n`);
  return serve(t, [
    '--source',
    'sim',
    '--rate',
    '250k',
    '--fft-size',
    '1024',
    '--nats',
    url,
    '--nats-site',
    'lab',
    '--nats-radio',
    'r1',
    ...(args ?? ['--token-file', file]),
  ]);
}

/** A client of the broker that sends requests, and waits for their replies. */
async function requester(t, port, login = {}) {
  const got = await subscribe(t, port, { ...login, subjects: ['fftd.>', 'reply.*'] });
  let count = 0;
  got.ask = async (message) => {
    const reply = `reply.${++count}`,
      text = typeof message === 'string' ? message : JSON.stringify(message);
    got.client.publish('fftd.lab.r1.control', text, reply);
    return JSON.parse(await until('a reply', () => got.at.get(String(count))?.[0]));
  };
  got.set = (values, more) => got.ask(setting(values, more));
  return got;
}

/** A call that changes settings. */
const setting = (values, more) => ({ type: 'call', token, verb: 'PUT', path: '/api/v1/settings', values, ...more });

test('a request with the token changes the radio, and announcements tell who did', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await requester(t, port);
  await sensor(t, url);
  await until('that it runs', () => got.newest('announce')?.state === 'running');
  assert.equal(got.newest('announce').control, undefined);
  assert.equal((await got.set({ center_hz: 123e6 }, { name: 'alice' })).status, 200);
  const reported = await until('the announcement', () =>
    got.all('announce').find(({ control, center_hz: center }) => control && center === 123e6),
  );
  assert.equal(reported.control.name, 'alice');
  assert.ok(reported.control.time_ns > 1e18);
  await until('lines of the new centre', () => got.lines.at(-1)?.centerHz === 123e6);
  assert.equal((await got.set({ center_hz: 124e6 })).status, 200);
  await until(
    'the next writer',
    () => got.newest('announce').control.name === '' && got.newest('announce').center_hz === 124e6,
  );
  assert.equal(
    (await until('the request', () => got.newest('control'))).token,
    token,
    'whoever may subscribe to `control` reads it (SECURITY.md)',
  );
});

test(
  'a request without the right token, or with a mistake, changes nothing and is answered with one line',
  options,
  async (t) => {
    const { port, url } = await broker(t);
    const got = await requester(t, port);
    const daemon = await sensor(t, url);
    await until('that it runs', () => got.newest('announce')?.state === 'running');
    const cases = [
      [setting({ center_hz: 123e6 }, { token: undefined }), 'requests need the control token'],
      [setting({ center_hz: 123e6 }, { token: 'wrong' }), 'the control token is wrong'],
      [setting({ center_hz: 123e6 }, { token: `${token} ` }), 'the control token is wrong'],
      [setting({ center_hz: 123e6 }, { token: 7 }), 'requests need the control token'],
      [setting({}, { token: 'wrong', nonsense: 1 }), 'the control token is wrong'],
      ['', 'requests need the control token'],
      ['[1]', 'requests need the control token'],
      ['x'.repeat(5000), 'requests need the control token'],
      [{ type: 'set', token, center_hz: 123e6 }, 'type: "set": expected call'],
      [{ type: 'choices', token }, 'type: "choices": expected call'],
      [{ token }, 'type: absent: expected call'],
      [setting({ center_hz: 123e6 }, { name: 'x'.repeat(40) }), 'name: at most 32 bytes of text'],
    ];
    for (const [request, error] of cases) {
      const status = /token/.test(error) ? 401 : 400,
        cause = error.endsWith('wrong') && { cause: 'token' };
      assert.deepEqual(
        await got.ask(request),
        { type: 'reply', status, error, ...cause },
        JSON.stringify(request).slice(0, 80),
      );
    }
    const { status, error, key } = await got.set({ center_hz: 123e6, fft_size: 1000 });
    assert.deepEqual([status, key], [400, 'fft_size']);
    assert.match(error, /fft_size/);
    assert.equal(got.newest('announce').center_hz, 100e6);
    assert.equal(got.newest('announce').control, undefined);
    assert.equal((await daemon.status()).nats.links, 1);
    assert.equal(daemon.stderr.match(/wrong control token/g).length, 1, 'the log is not filled');
  },
);

test(
  'a call of the API does at the sensor what REST does there, and announcements tell of changes of the radio alone',
  options,
  async (t) => {
    const { port, url } = await broker(t);
    const got = await requester(t, port);
    const daemon = await sensor(t, url);
    await until('that it runs', () => got.newest('announce')?.state === 'running');
    const call = (verb, path, values = {}, more = {}) =>
      got.ask({ type: 'call', token, from: '192.0.2.7', verb, path: `/api/v1/${path}`, values, ...more });
    const { body, ...rest } = await call('GET', 'settings');
    assert.deepEqual(rest, { type: 'reply', status: 200 });
    assert.deepEqual(body, await (await fetch(`${daemon.url}api/v1/settings`)).json());
    const made = await call('PUT', 'measurements/a', { type: 'channel-power', width: '12.5k' });
    assert.deepEqual([made.status, made.location], [201, '/api/v1/measurements/a']);
    assert.equal((await fetch(`${daemon.url}api/v1/measurements/a`)).status, 200);
    const count = got.all('announce').length;
    await until('two more announcements', () => got.all('announce').length >= count + 2);
    assert.equal(got.newest('announce').control, undefined);
    assert.equal((await call('PUT', 'settings', { center_hz: '123M' }, { name: 'alice' })).status, 200);
    await until(
      'the announcement',
      () => got.newest('announce').control?.name === 'alice' && got.newest('announce').center_hz === 123e6,
    );
    for (const [reply, status, error] of [
      [await call('PUT', 'settings', { center_hz: 1e8 }, { token: 'wrong' }), 401, /^the control token is wrong$/],
      [
        await call('PUT', 'settings', { center_hz: 1e8 }, { token: undefined }),
        401,
        /^requests need the control token$/,
      ],
      [await call('PUT', 'settings', { fft_size: 1000 }), 400, /^fft_size: 1000 is not /],
      [await call('GET', 'spectrum'), 404, /no such resource/],
      [await call('BREW', 'settings'), 405, /^the methods of this path are GET, HEAD, PUT/],
      [await call('GET', 'settings', []), 400, /^a call has /],
      [await call('GET', 'settings', {}, { from: '<b>' }), 400, /^from: /],
      [await call('GET', 'settings', {}, { more: 1 }), 400, /^a call has /],
      [await call('PUT', 'settings', { label: 'x'.repeat(100000) }), 400, /no such key/],
    ]) {
      assert.equal(reply.status, status, JSON.stringify(reply));
      assert.match(reply.error, error);
    }
    assert.equal((await daemon.status()).wanted.center_hz, 123e6);
    assert.equal((await daemon.status()).nats.links, 1);
  },
);

test('all requesters of a broker together guess five tokens at once, then one in five seconds', options, async (t) => {
  const { port, url } = await broker(t);
  const first = await requester(t, port);
  await sensor(t, url);
  await until('that it runs', () => first.newest('announce')?.state === 'running');
  const began = Date.now(),
    guesses = 300;
  for (let i = 0; i < guesses; i++)
    first.client.publish('fftd.lab.r1.control', JSON.stringify(setting({}, { token: `guess ${i}` })), `reply.g${i}`);
  const answers = await until('the answers', () => {
    const all = Array.from({ length: guesses }, (_, i) => first.at.get(`g${i}`)?.[0]);
    return all.every(Boolean) && all.map((text) => JSON.parse(text));
  });
  const compared = answers.filter(({ error }) => error === 'the control token is wrong').length;
  assert.ok(compared >= 5 && compared <= 5 + (Date.now() - began) / 5000, `${compared} were compared`);
  assert.ok(
    answers.every(({ error }) =>
      /^(the control token is wrong|too many wrong control tokens through the broker: try again in [1-5] s)$/.test(
        error,
      ),
    ),
  );
  // Not even the right one, of another client, until the wait is over.
  const second = await requester(t, port);
  const set = () => second.set({ center_hz: 123e6 });
  if (Date.now() - began < 4000) assert.match((await set()).error, /^too many/);
  await until('that the wait is over', async () => (await set()).status === 200);
  assert.ok(Date.now() - began >= 4900);
});

test('without a token in its configuration a sensor takes no requests', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await requester(t, port);
  await sensor(t, url, []);
  await until('that it runs', () => got.newest('announce')?.state === 'running');
  const count = got.all('announce').length;
  got.client.publish(
    'fftd.lab.r1.control',
    JSON.stringify(setting({ center_hz: 123e6 }, { token: undefined })),
    'reply.1',
  );
  got.client.publish('fftd.lab.r1.control', JSON.stringify(setting({ center_hz: 123e6 }, { token: '' })), 'reply.1');
  await until('two more announcements', () => got.all('announce').length >= count + 2);
  assert.equal(got.at.get('1'), undefined);
  assert.equal(got.newest('announce').center_hz, 100e6);
});

test('a client of the page that holds the lease is not overruled, and without one it is told', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await requester(t, port);
  const daemon = await sensor(t, url, ['--token', token, '--control-lease', '1h']);
  await until('that it runs', () => got.newest('announce')?.state === 'running');
  const put = (path, method = 'PUT') =>
    fetch(`${daemon.url}api/v1/${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
  assert.equal((await put('lease')).status, 200);
  const { status, error } = await got.set({ center_hz: 123e6 });
  assert.equal(status, 409);
  assert.match(error, /127\.0\.0\.1/);
  assert.equal((await put('lease', 'DELETE')).status, 200);
  assert.equal((await got.set({ center_hz: 123e6 })).status, 200);
  await until('the status', async () =>
    JSON.stringify(await (await fetch(`${daemon.url}api/v1/settings`)).json()).includes('123000000'),
  );
});

test('a broker that forbids requests or replies does not cost the link', options, async (t) => {
  const users = (rights) => `authorization { users = [
        { user: sensor, password: s, permissions: { publish: "fftd.lab.>", subscribe: ${rights} } }
        { user: reader, password: r } ] }`;
  for (const [rights, changes] of [
    ['"fftd.lab.*.echo"', false],
    ['["fftd.lab.*.echo", "fftd.lab.*.control"]', true],
  ]) {
    const { port, url } = await broker(t, { config: users(rights) });
    const got = await requester(t, port, { user: 'reader', password: 'r' });
    const folder = scratch();
    writeFileSync(join(folder, 'credentials'), 'sensor:s\n');
    const daemon = await sensor(t, url, ['--token', token, '--nats-credentials', join(folder, 'credentials')]);
    await until('that it runs', () => got.newest('announce')?.state === 'running');
    got.client.publish('fftd.lab.r1.control', JSON.stringify(setting({ center_hz: 123e6 })), 'reply.1');
    if (changes) await until('the change', () => got.newest('announce').center_hz === 123e6);
    const count = got.all('announce').length;
    await until('two more announcements', () => got.all('announce').length >= count + 2);
    assert.equal(got.newest('announce').center_hz, changes ? 123e6 : 100e6);
    assert.equal(got.at.get('1'), undefined, 'the reply has no way');
    const { nats } = await daemon.status();
    assert.deepEqual([nats.connected, nats.links], [true, 1]);
    await daemon.stop();
  }
});
