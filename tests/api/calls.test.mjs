// calls.test.mjs - the calls of the websocket: every resource, with the keys, rights and errors of HTTP.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const TOKEN = 'a token of enough letters';
const SIM = ['--source', 'sim', '--rate', '1M', '--center', '100M', '--fft-size', '1024'];

async function connect(t, daemon, hello = {}, options = {}) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3', options),
    texts = [];
  t.after(() => socket.terminate());
  socket.on('message', (data, binary) => {
    if (!binary) texts.push(JSON.parse(data));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  let id = 0;
  const say = (message) => socket.send(JSON.stringify(message));
  const call = (verb, path, body) => {
    const mine = ++id;
    say({ id: mine, [verb]: path, ...(body && { body }) });
    return until(`the answer to ${verb} ${path}`, () => texts.find((text) => text.id === mine));
  };
  say({ type: 'hello', ...hello });
  return { call, say, socket, texts };
}

test('a call that is not understood is answered with its id, whatever else it has', async (t) => {
  const daemon = await serve(t, SIM),
    { say, texts } = await connect(t, daemon);
  for (const [id, more] of Object.entries({
    1: { get: '/api/v1/status', type: 'view' },
    2: { subscribe: 'status', type: 'x' },
    3: { put: 1 },
    4: { get: '/api/v1/status', nonsense: 1 },
  })) {
    say({ id: Number(id), ...more });
    const { status, error } = await until(`the answer ${id}`, () => texts.find((text) => text.id === Number(id)));
    assert.equal(status, 400, error);
  }
});

test('a call reads what HTTP reads', async (t) => {
  const spurs = join(scratch(t), 'spurs');
  writeFileSync(spurs, '');
  const daemon = await serve(t, [
    ...SIM,
    '--measure',
    'channel-power,name=voice,width=20k',
    '--trigger',
    'level=0,name=loud',
    '--record',
    scratch(t),
    '--spurs',
    spurs,
    '--state-dir',
    scratch(t),
  ]);
  const { call } = await connect(t, daemon),
    { paths } = await (await fetch(`${daemon.url}api/v1/openapi.json`)).json();
  const without = (value) =>
    JSON.stringify(value, (key, part) => (typeof part === 'number' || key === 'time' || key === 'values' ? 0 : part)); // what changes with time
  let read = 0;
  for (const path of [
    'settings',
    'lease',
    'presets',
    'measurements',
    'measurement-types',
    'triggers',
    'trigger-types',
    'recordings',
    'references',
    'replay',
    'spurs',
    'band-plan',
    'measurements/voice',
    'triggers/loud',
  ]) {
    const answer = await fetch(`${daemon.url}api/v1/${path}`),
      { status, body, error } = await call('get', `/api/v1/${path}`);
    assert.equal(status, answer.status, `${path}: ${error}`);
    assert.equal(without(body), without(await answer.json()), path);
    read++;
  }
  assert.ok(read === 14 && paths['/api/v1/measurements/{name}'].put);
});

test('a call changes what HTTP changes, and says where what it made is', async (t) => {
  const daemon = await serve(t, [...SIM, '--state-dir', scratch(t)]),
    { call } = await connect(t, daemon);
  const voice = { type: 'channel-power', center: '100.1M', width: '20k' };
  const made = await call('put', '/api/v1/measurements/voice', voice);
  assert.deepEqual(
    [made.status, made.location, made.body.name, made.body.type],
    [201, '/api/v1/measurements/voice', 'voice', 'channel-power'],
  );
  assert.equal((await call('put', '/api/v1/measurements/voice', voice)).status, 200);
  assert.equal((await fetch(daemon.url.slice(0, -1) + made.location)).status, 200);
  assert.equal((await call('delete', '/api/v1/measurements/voice')).status, 200);
  assert.equal((await fetch(daemon.url.slice(0, -1) + made.location)).status, 404);
  assert.equal(
    (await call('put', '/api/v1/settings', { center_hz: '433.92M', window: 'hann' })).body.settings.center_hz,
    433.92e6,
  );
  await until('the radio', async () => (await daemon.status()).wanted.center_hz === 433.92e6);
  // A path is that of a URL: with %XX, as its location has it.
  const air = await call('put', '/api/v1/presets/Air%20band%2Fa');
  assert.equal(air.status, 400, 'no name of a preset');
  for (const name of ['.', '..', '%2e%2E'])
    // no URL has these: HTTP could not remove them
    assert.match((await call('put', `/api/v1/presets/${name}`)).error, /^the name of a preset .* is not \. or \.\.$/);
  assert.deepEqual((await call('get', '/api/v1/presets')).body.presets, {});
  const preset = await call('put', '/api/v1/presets/Air%20band');
  assert.deepEqual([preset.status, preset.location], [201, '/api/v1/presets/Air%20band']);
  const put = await fetch(`${daemon.url}api/v1/presets/Sea%20band`, { method: 'PUT' });
  assert.deepEqual([put.status, put.headers.get('location')], [201, '/api/v1/presets/Sea%20band']);
  for (const location of [preset.location, put.headers.get('location')]) {
    assert.equal((await fetch(daemon.url.slice(0, -1) + location)).status, 200);
    assert.equal((await call('get', location)).status, 200);
    assert.equal((await call('delete', location)).status, 200);
  }
});

test('unencoded characters of a path mean over HTTP what they mean in a call', async (t) => {
  const daemon = await serve(t, SIM),
    { call } = await connect(t, daemon),
    { hostname, port } = new URL(daemon.url);
  /** The status of a PUT whose path no client encodes. */
  const put = (path) =>
    new Promise((resolve, reject) => {
      const socket = connectTo(port, hostname, () =>
        socket.write(`PUT ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 0\r\n\r\n`),
      );
      socket.on('data', (data) => resolve(Number(data.toString().split(' ')[1]))).on('error', reject);
    });
  const stored = async () => Object.keys((await (await fetch(`${daemon.url}api/v1/presets`)).json()).presets);
  for (const [name, expected] of [
    ['a+b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['a%26b', 'a&b'],
    ['a%3Bb', 'a;b'],
    ["a'b!*@:$", "a'b!*@:$"],
    ['a&b', null],
    ['a;b', null],
    ['a?b', null],
  ]) {
    const path = `/api/v1/presets/${name}`,
      made = [];
    for (const send of [put, async (to) => (await call('put', to)).status]) {
      const status = await send(path);
      made.push(...(await stored()));
      assert.equal(status, expected === null ? 400 : 201, `${name}: ${status}`);
      if (expected !== null)
        assert.equal((await call('delete', `/api/v1/presets/${encodeURIComponent(expected)}`)).status, 200, name);
    }
    assert.deepEqual(made, expected === null ? [] : [expected, expected], name);
  }
});

test('an error has the status, the sentence and the key of HTTP', async (t) => {
  const daemon = await serve(t, SIM),
    { call } = await connect(t, daemon);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  await call('put', '/api/v1/references/now');
  for (const [verb, path, body, status, error, key] of [
    ['put', 'settings', { center: '1M' }, 400, /did you mean center_hz\?/, 'center'],
    ['put', 'settings', { center_hz: 'x' }, 400, /^center_hz: "x" is not a number/, 'center_hz'],
    ['put', 'settings', { center_hz: [1] }, 400, /^center_hz: /, 'center_hz'],
    ['put', 'measurements/a', { type: 'channel-power', width: -1 }, 400, /^width: /, 'width'],
    ['put', 'measurements/a', { type: 'none' }, 400, /none/, 'type'],
    ['put', 'triggers/a', { type: 'level', level: 'x' }, 400, /^level: /, 'level'],
    ['put', 'settings', { 'gain.NONE': 1 }, 400, /no such option/, 'gain.NONE'],
    ['get', 'measurements/nobody', undefined, 404, /there is no such measurement/, undefined],
    ['get', 'nothing', undefined, 404, /there is no such resource/, undefined],
    ['get', '%6geasurements', undefined, 404, /there is no such resource/, undefined],
    ['get', 'measurements%00/a', undefined, 404, /there is no such resource/, undefined],
    ['patch', 'measurements', {}, 405, /the methods of this path are GET, HEAD/, undefined],
    ['get', 'references/now', undefined, 405, /is a file: HTTP has it/, undefined],
    ['post', 'recordings', {}, 404, /--record DIR/, undefined],
    ['put', 'replay', { paused: true }, 400, /./, undefined],
  ]) {
    const got = await call(verb, `/api/v1/${path}`, body);
    assert.deepEqual([got.status, got.key], [status, key], `${verb} ${path}: ${JSON.stringify(got)}`);
    assert.match(got.error, error);
    assert.equal(got.body, undefined);
    if (status !== 400) continue;
    const answer = await fetch(`${daemon.url}api/v1/${path}`, {
      method: verb.toUpperCase(),
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });
    const http = await answer.json();
    assert.deepEqual([answer.status, http.error, http.key], [status, got.error, got.key], path);
  }
});

test('what is not JSON is refused in words of fftd, over HTTP and over a websocket', async (t) => {
  const daemon = await serve(t, SIM),
    { socket, texts } = await connect(t, daemon);
  for (const [text, why] of [
    ['{"name": "\\u0000"}', 'a text contains the character NUL near \'"\\u0000"\' (line 1, column 17)'],
    ['{"name": 1, "name": 2}', 'a key is given twice near \'"name"\' (line 1, column 18)'],
    ['{', 'it ends too early (line 1, column 1)'],
  ]) {
    const answer = await fetch(`${daemon.url}api/v1/lease`, {
      method: 'PUT',
      body: text,
      headers: { 'Content-Type': 'application/json' },
    });
    assert.deepEqual([answer.status, (await answer.json()).error], [400, `the body is not JSON: ${why}`]);
    socket.send(text);
    assert.equal(
      (await until('the error', () => texts.find(({ type, message }) => type === 'error' && message.includes(why))))
        .message,
      `not JSON: ${why}`,
    );
  }
});

test('many calls at once are all answered, in their order, to a client that reads', async (t) => {
  const { socket, say, texts } = await connect(t, await serve(t, SIM)),
    ids = Array.from({ length: 500 }, (_, id) => id);
  socket._socket.cork(); // they arrive together
  for (const id of ids) say({ id, get: '/api/v1/lease' });
  socket._socket.uncork();
  const answers = () => texts.filter(({ status }) => status === 200).map(({ id }) => id);
  await until('all answers', () => answers().length === ids.length || socket.readyState !== WebSocket.OPEN);
  assert.deepEqual(answers(), ids);
});

test('a client that reads no answers is closed', async (t) => {
  const daemon = await serve(t, SIM),
    { socket, say } = await connect(t, daemon);
  let said = 0;
  socket.on('error', () => {});
  socket.pause();
  await until('its end, for answers and not for too many messages', async () => {
    for (let i = 0; i < 10 && said < 900; i++) say({ id: said++, get: '/api/v1/openapi.json' });
    return (await daemon.status()).server.clients === 0;
  });
});

test('what follows a close frame does not count', async (t) => {
  const daemon = await serve(t, SIM),
    { socket } = await connect(t, daemon);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  const text = JSON.stringify({ id: 1, put: '/api/v1/measurements/late', body: { type: 'obw' } }),
    closed = new Promise((resolve) => {
      socket.on('close', resolve);
    });
  const frame = (opcode, data) => Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | data.length, 0, 0, 0, 0]), data]);
  socket._socket.write(Buffer.concat([frame(8, Buffer.from([3, 232])), frame(1, Buffer.from(text))]));
  await closed;
  assert.equal((await fetch(`${daemon.url}api/v1/measurements/late`)).status, 404);
});

test('a refused subscription or a bad call names the key that is wrong', async (t) => {
  const { say, texts } = await connect(t, await serve(t, SIM));
  for (const [id, message, key] of [
    ['a', { subscribe: 'status', rate: 0 }, 'rate'],
    ['b', { subscribe: 'lines' }, 'subscribe'],
    ['c', { subscribe: 'status', coding: 'range' }, 'coding'],
    ['d', { unsubscribe: 'density', step_db: 1 }, 'step_db'],
    ['e', { subscribe: 'density', coding: 'x' }, 'coding'],
    ['f', { get: 5 }, 'get'],
    ['g', { get: '/api/v1/lease', body: [] }, 'body'],
    ['h', { get: '/api/v1/lease', values: {} }, 'values'],
  ]) {
    say({ id, ...message });
    const got = await until('the answer', () => texts.find((text) => text.id === id));
    assert.deepEqual([got.status, got.key], [400, key], JSON.stringify(got));
  }
});

test('topics come to those who subscribed, as often as they want', async (t) => {
  const daemon = await serve(t, [
    ...SIM,
    '--line-rate',
    '20',
    '--measure',
    'channel-power,name=voice,width=20k',
    '--trigger',
    'external,name=now',
  ]);
  const one = await connect(t, daemon),
    slow = await connect(t, daemon);
  const of = ({ texts }, type) => texts.filter((text) => text.type === type);
  const answer = async (client, message) => {
    client.say(message);
    return until('the answer', () => client.texts.find(({ id }) => id === message.id));
  };
  assert.deepEqual(await answer(one, { id: 'a', subscribe: 'measurements' }), { id: 'a', status: 200, body: {} });
  assert.equal((await answer(slow, { id: 'b', subscribe: 'measurements', rate: 1 })).status, 200);
  assert.equal((await answer(slow, { id: 'c', unsubscribe: 'status' })).status, 200);
  const statuses = of(slow, 'status').length,
    began = performance.now();
  await until('many results', () => of(one, 'measure').length >= 25);
  const seconds = (performance.now() - began) / 1000,
    few = of(slow, 'measure').length;
  assert.ok(few >= 1 && few <= seconds + 2, `${few} in ${seconds} s`);
  assert.equal(of(slow, 'status').length, statuses);
  assert.ok(of(one, 'status').length > 1);
  // A rate loses no event; without a subscription none comes.
  assert.equal((await answer(slow, { id: 'd', subscribe: 'events', rate: 2 })).status, 200);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  const fire = () => fetch(`${daemon.url}api/v1/triggers/now`, { method: 'POST' });
  for (let i = 1; i <= 3; i++) {
    await fire();
    await until(
      'its event',
      async () => (await (await fetch(`${daemon.url}api/v1/events`)).json()).events.length === i,
    );
  }
  await until(
    'all events',
    () => new Set(of(slow, 'event').flatMap(({ events }) => events.map(({ id }) => id))).size === 3,
  );
  assert.equal(of(one, 'event').length, 0);
  assert.equal((await answer(one, { id: 'e', unsubscribe: 'measurements' })).status, 200);
  const { length } = of(one, 'measure'),
    more = of(one, 'status').length;
  await until('the time of more', () => of(one, 'status').length > more + 1);
  assert.ok(of(one, 'measure').length <= length + 1, 'none but the one under way');
  for (const [message, why] of [
    [
      { id: 'f', subscribe: 'lines' },
      /status, measurements, events, density, recordings, lease, presets, channels or settings/,
    ],
    [{ id: 'g', subscribe: 'events', rate: 0 }, /^rate: 0/],
    [{ id: 'h', subscribe: 'events', coding: 'range' }, /coding/],
  ]) {
    const { status, error } = await answer(one, message);
    assert.equal(status, 400);
    assert.match(error, why);
  }
});

test('the topic of a resource has its state at once, then after each change, by whomever', async (t) => {
  const daemon = await serve(t, SIM),
    { say, texts, call } = await connect(t, daemon),
    states = () => texts.filter(({ type }) => type === 'state');
  say({ id: 'a', subscribe: 'settings' });
  const [{ topic, state }] = await until('the state', () => states().length === 1 && states());
  assert.equal(topic, 'settings');
  assert.deepEqual(state, await (await fetch(`${daemon.url}api/v1/settings`)).json());
  assert.equal((await fetch(`${daemon.url}api/v1/settings?center_hz=101M`, { method: 'PUT' })).status, 200);
  await until('the change', () => states().at(-1).state.settings.center_hz === 101e6);
  const count = states().length,
    statuses = () => texts.filter(({ type }) => type === 'status').length,
    now = statuses();
  await until('time without a change', () => statuses() > now + 2);
  assert.equal(states().length, count, 'nothing comes without a change');
  say({ id: 'b', unsubscribe: 'settings' });
  await until('the answer', () => texts.find(({ id }) => id === 'b'));
  assert.equal((await fetch(`${daemon.url}api/v1/lease`, { method: 'DELETE' })).status, 200);
  assert.equal((await call('put', '/api/v1/settings', { center_hz: 102e6 })).status, 200);
  const later = statuses();
  await until('time for a message', () => statuses() > later + 2);
  assert.equal(states().length, count);
});

test('a client that does not read the answers is closed, and costs nobody else', async (t) => {
  const daemon = await serve(t, SIM),
    mute = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  t.after(() => mute.terminate());
  await new Promise((resolve, reject) => mute.on('open', resolve).on('error', reject));
  mute.on('error', () => {});
  mute._socket.pause();
  await until('its place', async () => (await daemon.status()).server.clients === 1);
  // 16 kB each, some at a time: more at once would be too many messages.
  await until('its end', async () => {
    for (let i = 0; i < 20; i++) mute.send(JSON.stringify({ id: i, get: '/api/v1/measurement-types' }));
    return (await daemon.status()).server.clients === 0;
  });
});

test('where no token is configured, a change through a proxy is 403 over HTTP and as a call', async (t) => {
  const daemon = await serve(t, SIM),
    headers = { 'X-Forwarded-For': '203.0.113.7' },
    body = { center_hz: 1e6 };
  const http = await fetch(`${daemon.url}api/v1/settings`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  const { call } = await connect(t, daemon, {}, { headers }),
    { status, error } = await call('put', '/api/v1/settings', body);
  assert.deepEqual([http.status, status], [403, 403]);
  assert.match(error, /through a proxy needs a control token; none is configured/);
  assert.equal((await call('get', '/api/v1/settings')).status, 200);
});

test('a call without the right changes nothing, and a malformed one has no effect', async (t) => {
  const daemon = await serve(t, [...SIM, '--token', TOKEN]),
    { call, say, texts } = await connect(t, daemon);
  assert.equal((await call('get', '/api/v1/settings')).status, 200);
  for (const [verb, path, body] of [
    ['put', 'settings', { center_hz: 1e6 }],
    ['put', 'measurements/a', { type: 'peaks' }],
    ['put', 'lease'],
    ['post', 'recordings'],
    ['put', 'presets/a'],
  ]) {
    const { status, error } = await call(verb, `/api/v1/${path}`, body);
    const http = await fetch(`${daemon.url}api/v1/${path}`, {
      method: verb.toUpperCase(),
      body: JSON.stringify(body ?? {}),
      headers: { 'Content-Type': 'application/json' },
    });
    assert.deepEqual([status, http.status], [401, 401], path); // one rule for all carriers
    assert.match(error, /token|control/);
  }
  const wrong = await connect(t, daemon, { token: 'a wrong one of enough letters' });
  assert.equal((await wrong.call('put', '/api/v1/settings', { center_hz: 1e6 })).status, 401);
  const holder = await connect(t, daemon, { token: TOKEN });
  assert.equal((await holder.call('put', '/api/v1/settings', { center_hz: 101e6 })).status, 200);
  for (const [message, why] of [
    [{ put: '/api/v1/settings', body: {} }, /id/],
    [{ id: [1], get: '/api/v1/settings' }, /id/],
    [{ id: 90, put: '/api/v1/settings', body: [] }, /body/],
    [{ id: 91, put: 7 }, /put/],
    [{ id: 92, get: '/api/v1/settings', put: '/api/v1/settings' }, /put/],
    [{ id: 93, put: '/api/v1/settings', bodi: {} }, /bodi/],
    [{ id: 94, get: `/${'x'.repeat(200)}` }, /long/],
    [{ id: null, get: '/api/v1/settings' }, /id/],
  ]) {
    const before = texts.length;
    say(message);
    const answer = await until('an answer', () =>
      texts
        .slice(before)
        .find(({ type, id }) =>
          ['number', 'string'].includes(typeof message.id) ? id === message.id : type === 'error',
        ),
    );
    assert.match(answer.message ?? answer.error, why, JSON.stringify(message));
  }
  assert.equal((await daemon.status()).wanted.center_hz, 101e6);
});
