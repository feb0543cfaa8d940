// webhooks.test.mjs - events as POST requests: to a server that works, fails, is away, hangs, and to one with TLS.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const source = ['--source', 'sim', '--rate', '250k', '--fft-size', '256'];

/**
 * A server that notes what it gets. `answer` gets the number of the request, from 0, and the response.
 * @returns {Promise<{url: string, port: number, got: {method: string, url: string, headers: object, body: object}[]}>}
 */
async function receiver(t, answer = (i, response) => response.end(), { port = 0, tls } = {}) {
  const got = [],
    sockets = new Set();
  const handle = (request, response) => {
    let text = '';
    request.on('data', (data) => {
      text += data;
    });
    request.on('end', () => {
      got.push({ method: request.method, url: request.url, headers: request.headers, body: JSON.parse(text) });
      answer(got.length - 1, response);
    });
  };
  const server = tls ? createSecureServer(tls, handle) : createServer(handle);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise((resolve) => {
    server.listen(port, tls ? 'localhost' : '127.0.0.1', resolve);
  });
  t.after(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return {
    got,
    port: server.address().port,
    url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${server.address().port}`,
  };
}

/** A daemon with a trigger `now` that POSTs to this URL. */
async function start(t, url, ...args) {
  const daemon = await serve(t, [
    ...source,
    '--trigger',
    `external,name=now,webhook=${url}${args.length ? `,${args.join(',')}` : ''}`,
  ]);
  const metric = async (name) =>
    Number((await (await fetch(`${daemon.url}metrics`)).text()).match(new RegExp(`^${name} (\\d+)`, 'm'))?.[1]);
  const fire = async () =>
    until('it fires', async () => (await fetch(`${daemon.url}api/v1/triggers/now`, { method: 'POST' })).ok);
  return { ...daemon, metric, fire, daemon };
}

test('an event is sent as the JSON that /api/v1/events has', async (t) => {
  const { url, got, port } = await receiver(t);
  const { url: daemon, fire } = await start(t, `${url}/hook?key=secret`);
  await fire();
  await until('the request', () => got.length === 1);
  const [{ method, url: path, headers, body }] = got;
  assert.deepEqual(
    [method, path, headers['content-type'], headers.host],
    ['POST', '/hook?key=secret', 'application/json', `127.0.0.1:${port}`],
  );
  assert.match(headers['user-agent'], /^fftd\//);
  const {
    events: [event],
  } = await (await fetch(`${daemon}api/v1/events`)).json();
  assert.deepEqual(body, event);
  const [{ keys }] = (await (await fetch(`${daemon}api/v1/triggers`)).json()).triggers;
  assert.ok(!JSON.stringify(keys).includes('secret'), 'readers see no secret');
});

test('an event that lasts is sent twice, and a replay ends after the last request', async (t) => {
  const { url, got } = await receiver(t, (i, response) => {
    response.statusCode = i < 2 ? 500 : 200;
    response.end();
  });
  const { code, stderr } = await run([
    '--source',
    'sim',
    '--fast',
    '--duration',
    '0.5',
    '--rate',
    '2.4M',
    '--fft-size',
    '1024',
    '--trigger',
    `level=-40,band=100.74M:100.76M,gap=0,webhook=${url}`,
  ]);
  assert.equal(code, 0, stderr);
  const events = Number(stderr.match(/^fftd: trigger level: (\d+) events/m)[1]);
  assert.ok(events >= 2);
  const ended = new Set(got.filter(({ body }) => !body.open).map(({ body }) => body.id));
  assert.deepEqual(
    [...ended],
    Array.from({ length: events }, (_, i) => i + 1),
  );
  assert.match(stderr, new RegExp(`^fftd: webhooks: ${got.length - 2} delivered, 0 dropped$`, 'm'));
});

test('a request that fails is repeated, in order, and one that is refused is not', async (t) => {
  const { url, got } = await receiver(t, (i, response) => {
    response.statusCode = [500, 503, 200, 404][i] ?? 204;
    response.end('no');
  });
  const { fire, metric, daemon } = await start(t, url);
  await fire();
  await until('the first try', () => got.length >= 1);
  for (let i = 0; i < 2; i++) await fire();
  await until('the third event', async () => (await metric('fftd_webhooks_delivered_total')) === 2);
  assert.deepEqual(
    got.map(({ body }) => body.id),
    [1, 1, 1, 2, 3],
  );
  assert.equal(await metric('fftd_webhook_failures_total'), 3);
  assert.equal(await metric('fftd_webhooks_dropped_total'), 1);
  assert.match(daemon.stderr, /webhook of trigger now: 127\.0\.0\.1:\d+: the answer is 500; fftd tries again/);
  assert.match(daemon.stderr, /webhook of trigger now: 127\.0\.0\.1:\d+: the answer is 404; the event is dropped/);
});

test('a server that is away gets the event when it is back', async (t) => {
  const port = (
    await receiver({
      after: (end) => {
        setTimeout(end);
      },
    })
  ).port; // nobody listens there any more
  const { fire, metric, daemon } = await start(t, `http://127.0.0.1:${port}/`);
  await until('nobody listens', async () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => false,
      () => true,
    ),
  );
  await fire();
  await until('a failure', async () => (await metric('fftd_webhook_failures_total')) >= 1);
  const { got } = await receiver(t, undefined, { port });
  await until('the request', () => got.length === 1);
  assert.equal(got[0].body.trigger, 'now');
  assert.match(daemon.stderr, /webhook of trigger now: 127\.0\.0\.1:\d+: .+; fftd tries again/);
});

test('a server that hangs holds up nothing but its own queue', async (t) => {
  const hanging = await receiver(t, () => {}),
    slow = await receiver(t, (i, response) => {
      if (i > 0) response.end();
    });
  const { got: others, url } = await receiver(t);
  const daemon = await serve(t, [
    ...source,
    '--trigger',
    `external,name=hanging,webhook-timeout=60s,webhook=${hanging.url}`,
    '--trigger',
    `external,name=slow,webhook-timeout=1s,webhook=${slow.url}`,
    '--trigger',
    `external,name=quick,webhook=${url}`,
  ]);
  const fire = (name) =>
    until('it fires', async () => (await fetch(`${daemon.url}api/v1/triggers/${name}`, { method: 'POST' })).ok);
  await fire('hanging');
  await until('it hangs', () => hanging.got.length === 1);
  await fire('quick');
  await until('the other one', () => others.length === 1);
  assert.ok(!/webhook of trigger hanging/.test(daemon.stderr), 'it still waits for its answer');
  await fire('slow');
  await until('the second try', () => slow.got.length >= 2);
  assert.match(daemon.stderr, /webhook of trigger slow: 127\.0\.0\.1:\d+: no answer in time; fftd tries again/);
});

test('fftd ends although a server hangs, and says what it did not send', async (t) => {
  const { url, got } = await receiver(t, () => {});
  const { fire, daemon } = await start(t, url, 'webhook-timeout=60s');
  await fire();
  await until('it hangs', () => got.length === 1);
  const ended = new Promise((resolve) => {
    daemon.child.on('close', resolve);
  });
  process.kill(daemon.pid, 'SIGTERM');
  await ended;
  assert.match(daemon.stderr, /^fftd: webhooks: 1 events are dropped at the end$/m);
});

test(
  'https needs a certificate that is trusted',
  { skip: spawnSync('openssl', ['version']).error && 'openssl is missing' },
  async (t) => {
    const folder = scratch(t),
      key = join(folder, 'key.pem'),
      certificate = join(folder, 'cert.pem');
    spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ]);
    const { url, got } = await receiver(t, undefined, {
      tls: { key: readFileSync(key), cert: readFileSync(certificate) },
    });
    const once = [
      '--source',
      'sim',
      '--fast',
      '--duration',
      '0.1',
      '--rate',
      '250k',
      '--fft-size',
      '256',
      '--trigger',
      `level=0,mode=free,count=1,webhook=${url}/`,
    ];
    const trusted = await run(once, { env: { ...process.env, SSL_CERT_FILE: certificate } });
    assert.match(trusted.stderr, /^fftd: webhooks: 1 delivered, 0 dropped$/m);
    assert.equal(got.length, 1);
    const daemon = await serve(t, [...source, '--trigger', `external,name=now,webhook=${url}/`]);
    await until('it fires', async () => (await fetch(`${daemon.url}api/v1/triggers/now`, { method: 'POST' })).ok);
    await until('a refusal', () => /webhook of trigger now: localhost:\d+: .*; fftd tries again\n/.test(daemon.stderr));
    assert.deepEqual(
      daemon.stderr.split('\n').filter((line) => line && !line.startsWith('fftd: ')),
      [],
    );
    assert.equal(got.length, 1);
  },
);

test('only the configuration names a URL, and a wrong one is one line', async (t) => {
  for (const url of [
    'ftp://example.org/',
    'http://',
    'http://user@example.org/',
    'http://a:0/',
    'http://a:99999/',
    'http://[::1/',
    'http://a b/',
    'http://a?b',
  ]) {
    const { code, stderr } = await run(['--source', 'sim', '--trigger', `level=0,webhook=${url}`]);
    assert.equal(code, 1, url);
    assert.ok(
      stderr.startsWith(`fftd: --trigger level: webhook: bad value '${url}': expected a URL as in`)
        && stderr.trimEnd().split('\n').length === 1,
      stderr,
    );
  }
  const daemon = await serve(t, source);
  const answer = await fetch(`${daemon.url}api/v1/triggers/a?level=0&webhook=http://127.0.0.1/`, { method: 'PUT' });
  assert.deepEqual(
    [answer.status, (await answer.json()).error],
    [400, 'webhook: only the configuration may name a URL'],
  );
});
