// calls.test.mjs - the resources of radios over the HTTP of a hub: what it does at the radio, who may, and each way to fail.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { binary, scratch, serve, until } from '../support/fftd.mjs';
import { hub } from '../support/hub.mjs';
import { broker, missing } from '../support/nats.mjs';

const options = { skip: missing() };
const token = 'correct horse battery';
const radioArgs = (url, radio, args) => [
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
];
const sensor = (t, url, radio, args = ['--token', token]) => serve(t, radioArgs(url, radio, args));

/** A call of lab.RADIO at a hub. The body is JSON unless `init` says otherwise. */
async function call(daemon, radio, method, path, body, init = {}) {
  const { headers, ...rest } = init;
  const answer = await fetch(`${daemon.url}api/v1/radios/lab.${radio}/${path}`, {
    method,
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    ...rest,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
  });
  const bytes = Buffer.from(await answer.arrayBuffer()),
    text = bytes.toString();
  const json = /json/.test(answer.headers.get('content-type')) ? JSON.parse(text) : undefined;
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    headers: answer.headers,
    bytes,
    text,
    json,
  };
}

/** A sensor that is made up here: `answer` makes replies of the requests that come, as [text, wrong number] or a text. */
async function madeUp(t, port, radio, answer) {
  const subject = (kind) => `fftd.lab.${radio}.${kind}`;
  const client = new NatsClient({
    port,
    subjects: [subject('control')],
    message: ({ reply, data }) => {
      for (const text of [
        answer(JSON.parse(data), (number, said) => client.publish(reply.replace(/\d+$/, number), said)),
      ].flat())
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

/** The centre that a radio has or is about to have, from itself. */
async function centerOf(far) {
  const { wanted, source } = await far.status();
  return wanted.center_hz ?? source.tuning.center_hz;
}

/** Seconds of processor time that a process has used. */
const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

test('what a client can read and change at a radio it can through a hub, with the same answers', options, async (t) => {
  const { url } = await broker(t),
    daemon = await hub(t, url);
  const far = await sensor(t, url, 'r1', ['--token', token, '--record', scratch(), '--state-dir', scratch()]);
  await daemon.untilState('r1', 'running');
  const at = (...args) => call(daemon, 'r1', ...args);
  const own = async (path) => Buffer.from(await (await fetch(`${far.url}api/v1/${path}`)).arrayBuffer());

  const set = await at('PUT', 'settings', { center_hz: '123M', window: 'hann' });
  assert.equal(set.status, 200, set.text);
  assert.equal(await centerOf(far), 123e6);
  assert.equal((await at('PUT', 'settings?center_hz=124M')).status, 200);
  assert.equal(await centerOf(far), 124e6);
  const reported = await until('the announcement', async () => (await daemon.radio('r1')).announce.control);
  assert.ok(reported.time_ns > 1e18);

  const made = await at('PUT', 'measurements/voice', { type: 'channel-power', width: '12.5k' });
  assert.deepEqual([made.status, made.location], [201, '/api/v1/radios/lab.r1/measurements/voice'], made.text);
  assert.equal(
    (await fetch(new URL(made.location, daemon.url), { headers: { Authorization: `Bearer ${token}` } })).status,
    200,
  );
  const stored = await at('PUT', 'presets/night');
  assert.deepEqual([stored.status, stored.location], [201, '/api/v1/radios/lab.r1/presets/night'], stored.text);
  await until('a line', async () => (await fetch(`${far.url}api/v1/spectrum`)).status === 200);
  assert.ok([201, 202].includes((await at('PUT', 'references/quiet', {})).status));
  await until('the reference', async () => (await at('GET', 'references/quiet')).status === 200);

  const recording = await at('POST', 'recordings', { duration: '100s', label: 'from afar' });
  assert.equal(recording.status, 201, recording.text);
  assert.equal(recording.location, `/api/v1/radios/lab.r1/recordings/${recording.json.id}`);
  await until('that it runs', async () =>
    JSON.parse(await own('recordings')).recordings.some(
      ({ id, label }) => id === recording.json.id && label === 'from afar',
    ),
  );
  assert.equal((await at('DELETE', `recordings/${recording.json.id}`)).status, 200);

  for (const path of [
    'settings',
    'presets',
    'references',
    'references/quiet',
    'band-plan',
    'measurement-types',
    'trigger-types',
    'openapi.json',
  ])
    assert.deepEqual((await at('GET', path)).bytes, await own(path), path);
  assert.ok((await at('GET', 'status')).json.ledger);
  const head = await fetch(`${daemon.url}api/v1/radios/lab.r1/settings`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.deepEqual([head.status, Number(head.headers.get('content-length'))], [200, (await own('settings')).length]);

  assert.equal((await at('DELETE', 'measurements/voice')).status, 200);
  assert.equal((await at('DELETE', 'measurements/voice')).status, 404);
  assert.ok(!(await own('measurements')).includes('voice'));
  assert.ok(!daemon.stderr.includes(token) && !far.stderr.includes(token));
});

test('a mistake is answered with the status, the sentence and the key of the radio', options, async (t) => {
  const { url } = await broker(t),
    daemon = await hub(t, url);
  const far = await sensor(t, url, 'r1');
  await daemon.untilState('r1', 'running');
  const cases = [
    ['PUT', 'settings', { fft_size: 1000 }],
    ['PUT', 'settings', { center: 1e8 }],
    ['PUT', 'settings', { center_hz: [1] }],
    ['POST', 'recordings', {}],
    ['PUT', 'measurements/a b', { type: 'channel-power' }],
    ['GET', 'measurements/none'],
    ['DELETE', 'presets/none'],
    ['PUT', 'measurements/a', { 'a\nb': 1 }],
    ['PUT', 'triggers/a', { type: 'level', level: 'x' }],
    ['DELETE', 'presets/a%09b'],
    ['PUT', 'settings?gain=1&gain=2'],
    ['PUT', 'settings', '{"center_hz":1e8,'],
    ['PUT', 'settings', '[1]'],
    ['PUT', 'settings?center_hz=1M', { center_hz: 2e6 }],
    ['PUT', 'settings', { more: 'x'.repeat(65500) }],
  ]; // as large as a body may be
  for (const [method, path, body] of cases) {
    const answer = await call(daemon, 'r1', method, path, body);
    const direct = await fetch(`${far.url}api/v1/${path}`, {
      method,
      body: typeof body === 'object' ? JSON.stringify(body) : body,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    });
    assert.ok(answer.status >= 400, path);
    assert.deepEqual([answer.status, answer.json], [direct.status, await direct.json()], `${method} ${path}`);
  }
  assert.equal((await call(daemon, 'r1', 'PUT', 'settings', { fft_size: 1000 })).json.key, 'fft_size');
  assert.equal((await call(daemon, 'r1', 'PUT', 'presets/%3f')).status, 201);
  for (const method of ['PUT', 'GET', 'DELETE']) {
    // not the preset "?"
    const { status, json } = await call(daemon, 'r1', method, 'presets/%e4');
    assert.deepEqual([status, json.error], [400, 'lab.r1: the path is not UTF-8'], method);
  }
  assert.equal((await call(daemon, 'r1', 'GET', 'presets/%3f')).status, 200);
  const long = await call(daemon, 'r1', 'PUT', 'settings', `{"more":[${Array(16000).fill('1e9').join()}]}`);
  assert.deepEqual(
    [long.status, long.json.error],
    [413, 'lab.r1: the values are too many for a radio'],
    'numbers that are longer when they are written anew',
  );
  for (const [method, path, status, allow] of [
    ['POST', 'settings', 405, 'GET, HEAD, PUT'],
    ['PUT', 'archive', 405, 'GET, HEAD'],
    ['PUT', 'nonsense', 405, 'GET, HEAD'],
  ]) {
    const answer = await call(daemon, 'r1', method, path, {});
    assert.equal(answer.status, status, path);
    assert.ok(answer.headers.get('allow').startsWith(allow), `${path}: ${answer.headers.get('allow')}`);
  }
  assert.equal((await call(daemon, 'r1', 'GET', 'spectrum')).status, 404);
  assert.equal((await call(daemon, 'r2', 'PUT', 'settings', { center_hz: 1e8 })).status, 404);
  assert.equal(await centerOf(far), 100e6);
});

test(
  'without the right token, from a foreign page, or with a body that is none, nothing reaches the radio',
  options,
  async (t) => {
    const { port, url } = await broker(t),
      daemon = await hub(t, url);
    const far = await sensor(t, url, 'r1');
    let seen = 0;
    const spy = new NatsClient({
      port,
      subjects: ['fftd.lab.r1.control'],
      message: () => {
        seen++;
      },
    });
    t.after(() => spy.end());
    await until('the subscription', () => spy.links > 0);
    await daemon.untilState('r1', 'running');
    const body = { center_hz: 123e6 };
    const cases = [
      [401, { headers: { Authorization: '' } }],
      [401, { headers: { Authorization: `Basic ${token}` } }],
      [403, { headers: { Origin: 'http://evil.example' } }],
      [403, { headers: { Origin: 'null' } }],
      [415, { headers: { 'Content-Type': 'text/plain' } }],
      [415, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
      [413, { body: JSON.stringify({ center_hz: 1, more: 'x'.repeat(70000) }) }],
      [411, { body: new Blob(['{}']).stream(), duplex: 'half' }],
    ];
    for (const [status, init] of cases) {
      const answer = await call(daemon, 'r1', 'PUT', 'settings', body, init);
      assert.equal(answer.status, status, answer.text);
      assert.ok(answer.json.error, answer.text);
    }
    assert.equal(
      (await call(daemon, 'r1', 'GET', 'settings', undefined, { headers: { Authorization: '' } })).status,
      401,
    );
    assert.equal(seen, 0, 'the hub asked the radio');
    const wrong = await call(daemon, 'r1', 'PUT', 'settings', body, { headers: { Authorization: 'Bearer wrong' } });
    assert.deepEqual([wrong.status, wrong.json.error], [401, 'the control token is wrong']);
    assert.equal(wrong.headers.get('www-authenticate'), 'Bearer');
    assert.equal(
      (await call(daemon, 'r1', 'GET', 'status', undefined, { headers: { Authorization: 'Bearer wrong' } })).status,
      401,
    );
    for (let i = 0; i < 3; i++)
      await call(daemon, 'r1', 'PUT', 'settings', body, { headers: { Authorization: `Bearer guess ${i}` } });
    assert.match(
      (await call(daemon, 'r1', 'PUT', 'settings', body)).json.error,
      /^too many wrong control tokens from this address: try again in \d+ s$/,
    );
    assert.equal(await centerOf(far), 100e6);
  },
);

test('a hub with a token of its own asks for that and for the one of the radio', options, async (t) => {
  const { url } = await broker(t),
    mine = 'the token of the hub';
  const daemon = await hub(t, url, ['--token', mine]),
    far = await sensor(t, url, 'r1');
  await daemon.untilState('r1', 'running');
  const put = (headers, hz) => call(daemon, 'r1', 'PUT', 'settings', { center_hz: hz }, { headers });
  for (const headers of [
    { Authorization: `Bearer ${token}` },
    { Authorization: `Bearer ${mine}` },
    { Authorization: '', 'X-Radio-Token': token },
    { Authorization: `Bearer ${token}`, 'X-Radio-Token': token },
    { Authorization: `Bearer ${mine}`, 'X-Radio-Token': mine },
  ])
    assert.equal((await put(headers, 123e6)).status, 401, JSON.stringify(headers));
  assert.equal(await centerOf(far), 100e6);
  assert.equal((await put({ Authorization: `Bearer ${mine}`, 'X-Radio-Token': token }, 125e6)).status, 200);
  assert.equal(await centerOf(far), 125e6);
});

test(
  'a call has the lease of the radio as REST has, and is not taken for a neighbour at the radio',
  options,
  async (t) => {
    const { url } = await broker(t),
      daemon = await hub(t, url);
    const far = await sensor(t, url, 'r1', ['--token', token, '--control-lease', '1h']);
    await daemon.untilState('r1', 'running');
    assert.equal((await call(daemon, 'r1', 'PUT', 'lease', { name: 'afar' })).status, 200);
    const put = () =>
      fetch(`${far.url}api/v1/settings?center_hz=123M`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}` },
      });
    const refused = await put();
    assert.equal(refused.status, 409);
    assert.match(
      (await refused.json()).error,
      /^afar \(127\.0\.0\.1 via hub\) controls the radio, for \d+ s more: PUT \/api\/v1\/lease takes it over$/,
    );
    assert.equal((await call(daemon, 'r1', 'DELETE', 'lease')).status, 200);
    assert.equal((await put()).status, 200);
    const late = await call(daemon, 'r1', 'PUT', 'settings', { center_hz: 1e8 });
    assert.deepEqual([late.status, await centerOf(far)], [409, 123e6]);
    const [, path] = late.json.error.match(/: PUT (\S+) takes it over$/); // a path of the hub
    assert.equal(
      (await fetch(daemon.url.slice(0, -1) + path, { method: 'PUT', headers: { Authorization: `Bearer ${token}` } }))
        .status,
      200,
      path,
    );
    assert.equal((await call(daemon, 'r1', 'PUT', 'settings', { center_hz: 1e8 })).status, 200);
  },
);

test('a sensor that listens nowhere is reached through the hub alone', options, async (t) => {
  const { url } = await broker(t),
    daemon = await hub(t, url);
  const list = join(scratch(t), 'spurs');
  writeFileSync(list, '');
  const child = spawn(binary, [...radioArgs(url, 'r1', ['--token', token]), '--listen', 'none', '--spurs', list], {
    stdio: 'ignore',
  });
  t.after(() => child.kill('SIGKILL'));
  await daemon.untilState('r1', 'running');
  assert.equal((await call(daemon, 'r1', 'PUT', 'settings', { center_hz: '123M' })).status, 200);
  await until('the change', async () => (await daemon.radio('r1')).announce.center_hz === 123e6);
  const spurs = await call(daemon, 'r1', 'POST', 'spurs', {});
  assert.deepEqual(
    [spurs.status, spurs.json.error],
    [400, 'with --listen none, fftd learns no spurs while it runs: start it with --learn-spurs'],
  );
  const { paths } = (await call(daemon, 'r1', 'GET', 'openapi.json')).json;
  for (const [path, operations] of Object.entries(paths))
    // none of them ends the sensor
    for (const method of Object.keys(operations).filter((each) =>
      ['get', 'put', 'patch', 'post', 'delete'].includes(each),
    )) {
      const { status } = await call(
        daemon,
        'r1',
        method.toUpperCase(),
        path.replace('/api/v1/', '').replace('{name}', 'a'),
        operations[method].requestBody?.content['application/json'].example,
      );
      assert.ok(status < 500, `${method} ${path}: ${status}`);
    }
  assert.equal(child.exitCode, null);
});

test('a radio that is away, dies in a call, or answers nothing is one error that names it', options, async (t) => {
  const server = await broker(t),
    { port, url } = server,
    daemon = await hub(t, url);
  const gone = await sensor(t, url, 'gone'),
    dying = await sensor(t, url, 'dying');
  await sensor(t, url, 'open', []);
  await madeUp(t, port, 'mute', () => undefined);
  for (const radio of ['gone', 'dying', 'open']) await daemon.untilState(radio, 'running');
  await gone.stop();
  await daemon.untilState('gone', 'gone');
  const put = (radio) => call(daemon, radio, 'PUT', 'settings', { center_hz: 123e6 });
  const {
    status: unavailable,
    json: { error: since },
  } = await put('gone');
  assert.equal(unavailable, 503);
  assert.match(since, /^lab\.gone: lab\.gone is gone, it was heard last \d+ s ago$/);
  assert.match((await put('open')).json.error, /^lab\.open: .*its fftd has no control token; /);
  dying.child.kill('SIGSTOP'); // it has taken the request when it dies
  const began = Date.now(),
    waits = [put('dying'), put('mute'), call(daemon, 'mute', 'GET', 'settings')];
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  dying.child.kill('SIGKILL');
  const [died, mute, read] = await Promise.all(waits);
  assert.deepEqual(
    [died.status, died.json.error],
    [
      504,
      'lab.dying: no answer within 5 s: whether the radio was changed is not known; read what it has before you ask again',
    ],
  );
  assert.equal(mute.status, 504);
  const after = await put('dying'); // its announcement said that it takes requests
  assert.equal(after.status, 503);
  assert.match(
    after.json.error,
    /^lab\.dying: (its sensor is gone, or .*: nobody answers there; it|lab\.dying is gone, it) was heard last \d+ s ago$/,
  );
  assert.deepEqual([read.status, read.json.error], [504, 'lab.mute: no answer within 5 s; ask again']);
  assert.ok(Date.now() - began >= 4900);
  const lost = put('mute');
  await new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
  await server.kill();
  const { status, json } = await lost;
  assert.equal(status, 504);
  assert.match(json.error, /^lab\.mute: the connection to the broker was lost: /);
  assert.deepEqual(
    [(await put('mute')).status, (await put('mute')).json.error],
    [502, 'lab.mute: the hub has no connection to its broker; /api/v1/radios/lab.mute shows its state'],
  );
});

test('what a broker lies is answered as an error, reaches no other request, and ends nothing', options, async (t) => {
  const { port, url } = await broker(t),
    daemon = await hub(t, url);
  const reply = (more) => JSON.stringify({ type: 'reply', status: 200, body: {}, ...more });
  const unreadable = [502, "lab.liar: the radio's answer cannot be read; /api/v1/radios/lab.liar shows its state"];
  let say = () => undefined;
  await madeUp(t, port, 'liar', (...args) => say(...args));
  await until('it is known', async () => (await daemon.list()).radios.length === 1);
  const get = (path = 'settings') => call(daemon, 'liar', 'GET', path);
  const lies = [
    '{',
    '[]',
    '7',
    'null',
    '{}',
    '{"type":"done"}',
    '{"type":"error","message":"no"}',
    '{"type":"choices","choices":{},"status":{}}',
    reply({ status: 999 }),
    reply({ status: 204 }),
    reply({ status: 301 }),
    reply({ status: '200' }),
    reply({ body: undefined }),
    reply({ bytes: 1e9 }),
    reply({ body: undefined, bytes: -1 }),
    `${reply({ body: undefined, bytes: 4 })}\nabc`,
    `${reply({ body: undefined, bytes: 2 })}\nabc`,
    `${reply({})}x`,
    reply({ status: 201, location: 'http://evil.example/' }),
    reply({ status: 201, location: '/api/v1/a\r\nSet-Cookie: b' }),
    reply({ status: 201, location: `/api/v1/${'x'.repeat(400)}` }),
    reply({ status: 400 }),
    reply({ status: 400, error: 'two\nlines' }),
    reply({ status: 400, error: '' }),
    reply({ status: 400, error: 'a', key: 'b\u0007' }),
    reply({ status: 600, error: 'a' }),
    `${'['.repeat(100000)}`,
    reply({ body: 'x'.repeat(600000) }),
    '{"type":"reply","status":200,"body":{"a":1,"a":2}}',
  ];
  for (const lie of lies) {
    say = () => lie;
    const { status, json } = await get();
    assert.deepEqual([status, json.error], unreadable, lie.slice(0, 80));
  }
  say = () => '';
  assert.equal((await get()).status, 503);
  say = () => reply({ body: [0.1, 1e300, 'ü<script>'] });
  assert.deepEqual((await get()).json, [0.1, 1e300, 'ü<script>']);
  say = () => `${reply({ body: undefined, bytes: 3 })}\n\0\u0001\n`;
  assert.deepEqual([...(await get()).bytes], [0, 1, 10]);
  say = () => reply({ status: 201, location: '/api/v1/presets/a b?c#d' });
  assert.equal((await get()).location, '/api/v1/radios/lab.liar/presets/a%20b%3Fc%23d');
  // Twice, late, and with the numbers of others: each request gets its own answer once.
  say = ({ path }) => [reply({ body: { path } }), reply({ body: 'again' })];
  const paths = ['settings', 'status', 'presets', 'lease', 'triggers', 'spurs'];
  assert.deepEqual(
    (await Promise.all(paths.map(get))).map(({ json }) => json.path),
    paths.map((path) => `/api/v1/${path}`),
  );
  say = (_, other) => {
    for (const number of ['0', '1', '999999', '18446744073709551616', '-1', '7x', ''])
      if (number) other(number, reply({ body: 'of another' }));
  };
  const late = await get();
  assert.equal(late.status, 504);
  say = ({ path }) => reply({ body: { path } });
  assert.equal((await get('lease')).json.path, '/api/v1/lease');
  assert.equal((await daemon.list()).broker.links, 1);
});

test(
  'a change without a body is made once, with a Content-Length of 0 and without one, also on a used connection',
  options,
  async (t) => {
    const { url } = await broker(t),
      daemon = await hub(t, url);
    await sensor(t, url, 'r1', ['--token', token, '--record', scratch()]);
    await daemon.untilState('r1', 'running');
    const { hostname, port } = new URL(daemon.url);
    let count = 0;
    for (const length of ['', 'Content-Length: 0\r\n'])
      for (const used of [false, true]) {
        const socket = connect(port, hostname),
          lines = `HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n`;
        t.after(() => socket.destroy());
        let got = '',
          ended = false;
        socket
          .on('data', (data) => {
            got += data;
          })
          .on('close', () => {
            ended = true;
          });
        if (used) {
          socket.write(`GET /api/v1/radios/lab.r1/settings ${lines}\r\n`);
          await until('the first answer', () => /\r\n\r\n\{[^]*\n\}$/.test(got));
        }
        got = '';
        socket.write(`POST /api/v1/radios/lab.r1/recordings?duration=1ms ${lines}${length}\r\n`);
        await until('the answer', () => ended);
        assert.match(got, /^HTTP\/1\.1 201 /);
        assert.equal((await call(daemon, 'r1', 'GET', 'recordings')).json.recordings.length, ++count);
      }
  },
);

test('calls that wait are bounded for an address, and bytes behind one cost no processor time', options, async (t) => {
  const { port, url } = await broker(t),
    daemon = await hub(t, url);
  let asked = 0;
  await madeUp(t, port, 'mute', () => {
    asked++;
  });
  await until('it is known', async () => (await daemon.list()).radios.length === 1);
  const { hostname, port: http } = new URL(daemon.url);
  const from = (localAddress) =>
    new Promise((resolve, reject) => {
      request(
        {
          hostname,
          port: http,
          localAddress,
          path: '/api/v1/radios/lab.mute/settings',
          headers: { Authorization: `Bearer ${token}` },
          agent: false,
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
  const before = cpuSeconds(daemon.pid),
    body = '{"center_hz":1e8}',
    asking = [];
  const socket = connect(http, hostname);
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  let got = '';
  socket.on('data', (data) => {
    got += data;
  });
  socket.write(
    `PUT /api/v1/radios/lab.mute/settings HTTP/1.1\r\nHost: ${hostname}:${http}\r\nAuthorization: Bearer ${token}\r\n`
      + `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n${'x'.repeat(2000)}`,
  );
  await until('the request', () => asked === 1);
  for (let i = 0; i < 40; i++) asking.push(from('127.0.0.1'));
  const other = until('the first ones', () => asked > 10).then(() => from('127.0.0.2'));
  const impatient = connect(http, hostname);
  impatient.write(
    `GET /api/v1/radios/lab.mute/settings HTTP/1.1\r\nHost: ${hostname}:${http}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  impatient.destroy();
  const statuses = await Promise.all(asking);
  const waited = statuses.filter((status) => status === 504).length;
  assert.ok(waited >= 8 && waited <= 20, `${waited} waited`);
  assert.equal(statuses.filter((status) => status === 503).length, 40 - waited);
  assert.equal(await other, 504, 'another address has a place');
  await until('the answer', () => got.includes('504'));
  assert.equal(got.match(/HTTP\/1\.1/g).length, 1, 'what came behind is no request');
  assert.ok(cpuSeconds(daemon.pid) - before < 2, `${cpuSeconds(daemon.pid) - before} s of processor time`);
  assert.equal((await fetch(`${daemon.url}healthz`)).status, 200);
});

test('requests behind a call that waits cost no processor time, and are answered after it', options, async (t) => {
  const { port, url } = await broker(t),
    daemon = await hub(t, url);
  let asked = 0;
  await madeUp(t, port, 'mute', () => {
    asked++;
  });
  await until('it is known', async () => (await daemon.list()).radios.length === 1);
  const { host, hostname, port: http } = new URL(daemon.url);
  const head = `HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const socket = connect(http, hostname).on('error', () => {});
  t.after(() => socket.destroy());
  let got = '';
  socket.on('data', (data) => {
    got += data;
  });
  const before = cpuSeconds(daemon.pid),
    began = Date.now();
  socket.write(`GET /api/v1/radios/lab.mute/settings ${head}`);
  await until('the call', () => asked === 1);
  socket.write(`GET /healthz ${head}`);
  await until('both answers', () => /^HTTP\/1\.1 504 [^]*HTTP\/1\.1 200 /.test(got));
  const took = (Date.now() - began) / 1000,
    share = (cpuSeconds(daemon.pid) - before) / took;
  assert.ok(took > 4 && share < 0.05, `${share} of a processor for ${took} s`);
});

test('a client that leaves gives up the places of its calls at once', options, async (t) => {
  const { port, url } = await broker(t),
    daemon = await hub(t, url);
  let asked = 0;
  await madeUp(t, port, 'mute', () => {
    asked++;
  });
  await until('it is known', async () => (await daemon.list()).radios.length === 1);
  const { hostname, port: http } = new URL(daemon.url),
    text = `GET /api/v1/radios/lab.mute/settings HTTP/1.1\r\nHost: ${hostname}:${http}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const sockets = Array.from({ length: 40 }, () => connect(http, hostname)),
    refused = new Set();
  for (const socket of sockets) {
    socket.on('data', () => refused.add(socket)).on('error', () => {});
    socket.write(text);
  }
  await until('those without a place', () => asked > 0 && asked + refused.size === sockets.length);
  assert.ok(refused.size > 0);
  const before = asked;
  for (const socket of sockets) socket.destroy();
  const next = [];
  t.after(() => {
    for (const socket of next) socket.destroy();
  });
  await until('a place', () => {
    const socket = connect(http, hostname).on('error', () => {});
    next.push(socket);
    socket.write(text);
    return asked > before;
  });
  const unanswered = (await (await fetch(`${daemon.url}metrics`)).text()).match(
    /^fftd_hub_requests_total\{outcome="unanswered"\} (\d+)$/m,
  )[1];
  assert.equal(unanswered, '0', 'no call was given up for its time meanwhile');
});
