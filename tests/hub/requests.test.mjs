// requests.test.mjs - calls of radios through the websocket of a hub: what viewers send, what sensors answer, and each reason for no answer.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { scratch, serve, until } from '../support/fftd.mjs';
import { hub, viewer } from '../support/hub.mjs';
import { broker, missing } from '../support/nats.mjs';

const options = { skip: missing() };
const token = 'correct horse battery';

const sensor = (t, url, radio, args = ['--token', token]) =>
  serve(t, [
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
    radio,
    ...args,
  ]);

/** A viewer that makes calls of radios, and waits for their answers. */
async function asking(t, daemon) {
  const page = await viewer(t, daemon);
  let last = 0;
  /** Says a call of lab.RADIO; "get" without a body. Returns its id. */
  page.sayCall = (radio, resource, body, more = { token }) => {
    const id = `call ${++last}`;
    page.say({ id, [body ? 'put' : 'get']: `/api/v1/radios/lab.${radio}/${resource}`, ...(body && { body }), ...more });
    return id;
  };
  page.ask = async (...call) => {
    const id = page.sayCall(...call),
      { id: _, ...answer } = await until('an answer', () => page.answers.find((each) => each.id === id));
    return answer;
  };
  return page;
}

/** What a broker tells of a sensor that is made up here; `answer` makes the replies to its requests, at once or by its second argument. */
async function madeUp(t, port, radio, answer) {
  const subject = (kind) => `fftd.lab.${radio}.${kind}`;
  const client = new NatsClient({
    port,
    subjects: [subject('control')],
    message: ({ reply, data }) => {
      const text = answer(data.toString(), (late) => client.publish(reply, late));
      if (text !== undefined) client.publish(reply, text);
    },
  });
  t.after(() => client.end());
  await until('the subscription', () => client.links > 0);
  client.publish(
    subject('announce'),
    JSON.stringify({
      protocol: 1,
      site: 'lab',
      radio,
      state: 'running',
      interval_s: 100,
      run: 1,
      sent_ns: 1,
      controllable: true,
    }),
  );
  return client;
}

const metric = async ({ url }, outcome) =>
  Number(
    (await (await fetch(`${url}metrics`)).text()).match(
      new RegExp(`^fftd_hub_requests_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm'),
    )[1],
  );

test(
  'a viewer with the token of a radio changes it by a call, as over HTTP, and everybody sees who did',
  options,
  async (t) => {
    const { url } = await broker(t);
    const daemon = await hub(t, url);
    const far = await sensor(t, url, 'r1');
    await daemon.untilState('r1', 'running');
    const page = await asking(t, daemon),
      other = await viewer(t, daemon);
    await until('lists', () => page.id('r1') && other.id('r1'));
    assert.equal(page.lists.at(-1).radios[0].announce.controllable, true);
    const http = async (path) =>
      (
        await fetch(`${daemon.url}api/v1/radios/lab.r1/${path}`, { headers: { Authorization: `Bearer ${token}` } })
      ).json();
    const got = await page.ask('r1', 'settings');
    assert.deepEqual(got, { status: 200, body: await http('settings') });
    assert.deepEqual([got.body.choices.center_hz.unit, got.body.choices.fft_size.values.includes(1024)], ['Hz', true]);
    const { source } = (await page.ask('r1', 'status')).body;
    assert.deepEqual([source.tuning.center_hz, source.tuning.rate_hz], [100e6, 250e3]);
    const done = await page.ask('r1', 'settings', { center_hz: 123e6 }, { token, name: 'alice' });
    assert.deepEqual([done.status, done.body.settings.center_hz], [200, 123e6]);
    const made = await page.ask('r1', 'measurements/voice', { type: 'channel-power', width: '12.5k' });
    assert.deepEqual([made.status, made.location], [201, '/api/v1/radios/lab.r1/measurements/voice']);
    assert.equal((await http('measurements/voice')).type, 'channel-power');
    const row = await until('the other viewer is told', () =>
      other.lists.at(-1).radios.find(({ announce }) => announce?.control && announce.center_hz === 123e6),
    );
    assert.equal(row.announce.control.name, 'alice');
    assert.equal((await far.status()).wanted.center_hz, 123e6);
    assert.equal(other.answers.length, 0, 'answers are for the one who asked');
    assert.equal(await metric(daemon, 'done'), 6);
    assert.ok(!daemon.stderr.includes(token) && !far.stderr.includes(token));
  },
);

test('each reason why a radio is not changed is one sentence', options, async (t) => {
  const { port, url } = await broker(t);
  const daemon = await hub(t, url);
  await sensor(t, url, 'r1');
  await sensor(t, url, 'open', []);
  const ended = await sensor(t, url, 'old');
  await madeUp(t, port, 'mute', () => undefined);
  await madeUp(t, port, 'odd', () => '{"type":"done');
  await madeUp(t, port, 'rude', () => JSON.stringify({ type: 'error', message: 'two\nlines' }));
  const absent = await madeUp(t, port, 'absent', () => undefined);
  absent.end();
  await daemon.untilState('old', 'running');
  await ended.stop();
  await daemon.untilState('old', 'gone');
  await daemon.untilState('r1', 'running');
  await until('all are known', async () => (await daemon.list()).radios.length === 7);
  const page = await asking(t, daemon);
  await until('a list', () => page.id('r1'));
  const hz = { center_hz: 123e6 };
  const cases = [
    [['nobody', hz], 404, /^lab\.nobody: there is no such radio/],
    [['old', hz], 503, /^lab\.old: lab\.old is gone, it was heard last \d+ s ago$/],
    [['open', hz], 502, 'lab.open: lab.open takes no requests: its fftd has no control token'],
    [
      ['absent', hz],
      503,
      /^lab\.absent: its sensor is gone, or the broker does not let it take requests: nobody answers there; it was heard last \d+ s ago$/,
    ],
    [['r1', hz, {}], 401, 'a radio needs its control token: the key token of a call'],
    [['r1', hz, { token: 'wrong' }], 401, 'the control token is wrong'],
    [['r1', { fft_size: 1000 }], 400, /^fft_size: 1000 is not /, 'fft_size'],
    [['odd', hz], 502, "lab.odd: the radio's answer cannot be read; /api/v1/radios/lab.odd shows its state"],
    [['rude', hz], 502, "lab.rude: the radio's answer cannot be read; /api/v1/radios/lab.rude shows its state"],
    [
      ['mute', hz],
      504,
      'lab.mute: no answer within 5 s: whether the radio was changed is not known; read what it has before you ask again',
    ],
  ];
  for (const [[radio, body, more], status, expected, key] of cases) {
    const answer = await page.ask(radio, 'settings', body, more);
    assert.deepEqual([answer.status, answer.key], [status, key], answer.error);
    if (typeof expected === 'string') assert.equal(answer.error, expected);
    else assert.match(answer.error, expected);
  }
  for (const [more, status, error] of [
    [{ put: '/api/v1/nothing' }, 404, /there is no such resource/],
    [{ get: '/api/v1/radios/lab.r1/nothing' }, 404, /there is no such resource/],
    [{ get: '/api/v1/radios/lab.r1/lease', bodi: {} }, 400, /bodi/],
    [{ get: 7 }, 400, /^get: /],
    [{ put: '/api/v1/radios/lab.r1/presets/a&b' }, 400, /%26/],
    [{ put: '/api/v1/radios/lab.r1/settings', body: [] }, 400, /^body: /],
    [{ put: '/api/v1/radios/lab.r1/settings', token: 7 }, 400, /^token: /],
    [{ post: '/api/v1/radios/lab.r1/settings', token }, 405, /^the methods of this path are GET/],
  ]) {
    page.say({ id: 'odd', ...more });
    const answer = await until('an answer', () => page.answers.find(({ id }) => id === 'odd'));
    page.answers.splice(page.answers.indexOf(answer), 1);
    assert.equal(answer.status, status, JSON.stringify(more));
    assert.match(answer.error, error);
  }
  for (const old of [
    { type: 'set', radio: page.id('r1'), token, ...hz },
    { type: 'choices', radio: page.id('r1'), token },
  ])
    page.say(old);
  await until(
    'errors',
    () => page.errors.filter((text) => /expected hello or want, or a call/.test(text)).length === 2,
  );
  assert.equal((await daemon.radio('r1')).announce.center_hz, 100e6);
  assert.deepEqual([await metric(daemon, 'refused'), await metric(daemon, 'unanswered')], [12, 1]);
});

test('requests of a viewer are bounded in number and rate, and guesses of a token cost time', options, async (t) => {
  const { port, url } = await broker(t);
  const daemon = await hub(t, url);
  await sensor(t, url, 'r1');
  for (let i = 0; i < 5; i++) await madeUp(t, port, `mute${i}`, () => undefined);
  await daemon.untilState('r1', 'running');
  const page = await asking(t, daemon);
  await until('a list', () => page.id('mute4') && page.id('r1'));
  const called = ['mute0', 'mute1', 'mute2', 'mute3', 'mute4'].map((name) => page.sayCall(name, 'settings'));
  await until('what is refused', () => page.answers.length === 1);
  assert.deepEqual(page.answers, [
    { id: called[4], status: 503, error: 'lab.mute4: too many requests of this viewer wait for their answers' },
  ]);
  await until(
    'the rate',
    async () => (await page.ask('nobody', 'settings')).error === 'too many requests: wait a moment',
  );
  const second = await asking(t, daemon);
  await until('a list', () => second.id('r1'));
  for (let i = 0; i < 5; i++)
    assert.equal(
      (await second.ask('r1', 'settings', undefined, { token: `guess ${i}` })).error,
      'the control token is wrong',
    );
  const waits = await second.ask('r1', 'settings');
  assert.equal(waits.status, 401);
  assert.match(waits.error, /^too many wrong control tokens from this address: try again in \d+ s$/);
});

/** The server's ends of connections to a port of 127.0.0.1, without a request to it: what their sockets have not sent. */
function farEnds(port) {
  const end = (number) => `0100007F:${number.toString(16).toUpperCase().padStart(4, '0')}`,
    ESTABLISHED = '01';
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, from, , state]) => from === end(port) && state === ESTABLISHED)
    .map(([, , to, , bytes]) => ({ port: parseInt(to.split(':')[1], 16), unsent: parseInt(bytes, 16) }));
}

test(
  'a viewer that reads no answers is closed when too many of them wait, though nothing else happens at the hub',
  options,
  async (t) => {
    const { port, url } = await broker(t);
    const daemon = await hub(t, url);
    const large = JSON.stringify({ type: 'reply', status: 200, body: 'x'.repeat(400000) });
    let held = null;
    await madeUp(t, port, 'r1', (_, later) => {
      if (!held) return large;
      held.push(later);
      return undefined;
    });
    const page = await asking(t, daemon);
    await until('a list', () => page.id('r1'));
    const { remotePort, localPort } = page.socket._socket.pause();
    const unsentBytes = () => farEnds(remotePort).find((end) => end.port === localPort).unsent;
    let calls = 0;
    const call = async () => {
      calls++;
      page.sayCall('r1', 'settings');
      await until('the answer', async () => (await metric(daemon, 'done')) === calls);
      await metric(daemon, 'done'); // the hub has written what it can
    };
    for (let unsent = -1; unsent !== unsentBytes();) {
      // then one or two answers wait in the hub
      unsent = unsentBytes();
      await call();
    }
    for (let i = 0; i < 12; i++) await call();
    held = []; // 13 or 14 wait, of 16
    await until('the end of connections that fetch keeps', () => farEnds(remotePort).length === 1);
    for (let i = 0; i < 4; i++) page.sayCall('r1', 'settings');
    await until('four calls', () => held.length === 4);
    const began = Date.now();
    for (const answer of held) answer(large);
    await until('its end', () => farEnds(remotePort).length === 0);
    assert.ok(Date.now() - began < 15000, `${Date.now() - began} ms`); // libwebsockets looks every 30 s itself
  },
);

test('a hub with a token of its own asks for that, too', options, async (t) => {
  const { url } = await broker(t);
  const daemon = await hub(t, url, ['--token', 'the token of the hub']);
  await sensor(t, url, 'r1');
  await daemon.untilState('r1', 'running');
  const stranger = await asking(t, daemon),
    friend = await asking(t, daemon);
  await until('lists', () => stranger.id('r1') && friend.id('r1'));
  const change = ['r1', 'settings', { center_hz: 123e6 }],
    { status, error } = await stranger.ask(...change);
  assert.deepEqual([status, error], [401, 'calls need the control token of this hub, too']);
  friend.say({ type: 'hello', token: 'the token of the hub' });
  assert.equal((await friend.ask(...change)).status, 200);
  assert.deepEqual([stranger.welcome.control, friend.welcome.control], [false, true]);
});

test('rights that the broker does not give the hub are named, and it reads on', options, async (t) => {
  const all = '{ user: sensor, password: s }';
  const cases = [
    [
      'publish: { deny: ">" }, subscribe: ["fftd.>", "_INBOX.>"]',
      'the broker does not let this hub send requests to the radio',
    ],
    [
      'publish: "fftd.*.*.control", subscribe: { allow: "fftd.>", deny: "fftd.*.*.control" }',
      'the broker does not let this hub read answers of radios',
    ],
    ['publish: "fftd.*.*.control", subscribe: { allow: ["fftd.>", "_INBOX.>"], deny: "fftd.*.*.control" }', undefined],
  ];
  for (const [rights, expected] of cases) {
    const { url } = await broker(t, {
      config: `authorization { users = [${all}, { user: hub, password: h, permissions: { ${rights} } }] }`,
    });
    const files = ['sensor:s', 'hub:h'].map((line) => {
      const path = join(scratch(), 'credentials');
      writeFileSync(path, `${line}\n`);
      return path;
    });
    const daemon = await hub(t, url, ['--nats-credentials', files[1]]);
    const far = await sensor(t, url, 'r1', ['--token', token, '--nats-credentials', files[0]]);
    await daemon.untilState('r1', 'running');
    const page = await asking(t, daemon);
    await until('a list', () => page.id('r1'));
    const { status, error } = await page.ask('r1', 'settings', { center_hz: 123e6 });
    if (expected) assert.ok(status === 502 && error.startsWith(`lab.r1: ${expected}`), error);
    else assert.deepEqual([status, error], [200, undefined]);
    const { broker: link, radios } = await daemon.list();
    assert.deepEqual([link.connected, link.links], [true, 1]);
    await until('lines go on', async () => (await daemon.radio('r1')).lines > radios[0].lines);
    await far.stop();
    await daemon.stop();
  }
});

test('a request on its way when the broker goes is answered, and not sent again later', options, async (t) => {
  const server = await broker(t);
  const daemon = await hub(t, server.url);
  const asked = [];
  await madeUp(t, server.port, 'mute', (text) => {
    asked.push(text);
  });
  await until('it is known', async () => (await daemon.list()).radios.length === 1);
  const page = await asking(t, daemon);
  await until('a list', () => page.id('mute'));
  page.sayCall('mute', 'settings', { center_hz: 1e6 });
  await until('the request', () => asked.length === 1);
  await server.kill();
  await until('an answer', () => page.answers.length === 1);
  assert.equal(page.answers[0].status, 504);
  assert.match(page.answers[0].error, /^lab\.mute: the connection to the broker was lost: /);
  assert.match(
    (await page.ask('mute', 'settings', { center_hz: 2e6 })).error,
    /^lab\.mute: the hub has no connection to its broker/,
  );
  await server.start();
  await until('the hub is back', async () => (await daemon.list()).broker.connected);
  page.sayCall('mute', 'settings', { center_hz: 3e6 });
  await until('the next one', () => asked.some((text) => text.includes('3000000')));
  assert.deepEqual(
    asked.map((text) => JSON.parse(text).values.center_hz),
    [1e6, 3e6],
  );
});
