// Sends several requests in one write, well-formed and mutated: the daemon still answers and ends.
//
// FFTD_TEST_CONNECTIONS is the number of mutated connections (2000). Connection k of FFTD_TEST_SEED (1)
// sends the same bytes on every machine.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { httpText, raw, request, runDaemon, sleep, statusOf } from '../support/server/harness.mjs';

const connections = Number(process.env.FFTD_TEST_CONNECTIONS ?? 2000);
const seed = Number(process.env.FFTD_TEST_SEED ?? 1);
const atOnce = 20,
  pauseMs = 50,
  patienceMs = 60000;

const start = () => runDaemon(['--source', 'sim', '--rate', '64k', '--fft-size', '64', '--line-rate', '1']);

async function assertAnswers(daemon, what) {
  const answer = await request(daemon, '/healthz');
  assert.ok([200, 503].includes(statusOf(answer)), `no answer after ${what}: ${answer}`);
}

const statuses = (text) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));

// ---- well-formed ----------------------------------------------------------------------------

test('a refused body after another request ends the connection, not the daemon', async () => {
  const daemon = await start(),
    headers = { Host: 'localhost' };
  const get = httpText('/healthz', headers);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const post = httpText('/healthz', { ...headers, 'Content-Length': 10 }, method) + '0123456789';
    for (const before of [get, get + get]) {
      for (const after of ['', get, post]) {
        const got = statuses(await raw(daemon.port, before + post + after));
        assert.deepEqual(got.slice(before.length / get.length), [405], `${method}: ${got}`);
        await assertAnswers(daemon, method);
      }
    }
  }
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

// libwebsockets loses a body behind a request that is not answered yet.
const tooEarly = /came before the answer to the one before it: wait for that answer/;

test('a change of measurements ends the connection, with a body of JSON or without', async () => {
  const daemon = await start(),
    get = httpText('/healthz', { Host: 'localhost' });
  const path = '/api/v1/measurements/a',
    put = `${path}?type=channel-power`,
    typed = '{"type":"channel-power"}';
  const json = 'application/json';
  for (const [method, target, status, { type, body = '', length = body ? body.length : null } = {}] of [
    ['PUT', put, 201],
    ['PUT', put, 201, { length: 0 }],
    ['PUT', path, 201, { type: json, body: typed }],
    ['PUT', path, 201, { type: `${json}; charset=utf-8`, body: `${' '.repeat(60000)}${typed}` }],
    ['PUT', path, 400],
    ['PUT', put, 400, { type: json, body: typed }],
    ['PUT', path, 400, { type: json, body: '{"type":' }],
    ['PUT', path, 400, { type: json, body: '[]' }],
    ['PUT', put, 415, { body: '0123456789' }],
    ['PUT', path, 415, { type: 'text/plain', body: typed }],
    ['PUT', put, 413, { type: json, length: 2 ** 53, body: typed }],
    ['PUT', put, 413, { type: json, length: 65537, body: typed }],
    ...['ten', -1, '+9', '9x', '24, 24'].map((length) => ['PUT', put, 400, { type: json, length, body: typed }]),
    ['PUT', path, 201, { type: json, length: `00000${typed.length}`, body: typed }],
    ['DELETE', path, 200],
    ['DELETE', path, 415, { body: '0123456789' }],
    ['POST', put, 405, { type: json, body: typed }],
  ]) {
    const fields = {
      Host: 'localhost',
      ...(type && { 'Content-Type': type }),
      ...(length !== null && { 'Content-Length': length }),
    };
    const change = httpText(target, fields, method) + body;
    for (const before of ['', get, get + get]) {
      for (const after of ['', get, change]) {
        await raw(
          daemon.port,
          httpText(...(status === 201 ? [path, { Host: 'localhost' }, 'DELETE'] : [put, { Host: 'localhost' }, 'PUT'])),
        );
        const answer = await raw(daemon.port, before + change + after),
          got = statuses(answer).slice(before.length / get.length);
        const early = before && body && [200, 201, 400].includes(status) && /^\d+$/.test(length) && length <= 65536;
        assert.deepEqual(got, [early ? 400 : status], `${method} ${target} ${type} ${length}: ${answer}`);
        if (early) assert.match(answer, tooEarly);
        await assertAnswers(daemon, method);
      }
    }
  }
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

test('a body is read behind a request that is answered, on one connection', async () => {
  const daemon = await start(),
    typed = '{"type":"channel-power"}';
  const put =
    httpText(
      '/api/v1/measurements/a',
      { Host: 'localhost', 'Content-Type': 'application/json', 'Content-Length': typed.length },
      'PUT',
    ) + typed;
  const socket = createConnection(daemon.port, '127.0.0.1').setNoDelay(true);
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  for (let i = 1; i <= 3; i++) {
    socket.write(httpText('/healthz', { Host: 'localhost' }));
    const answered = () => {
      const [head, body] = text.split('HTTP/1.1 ')[i]?.split('\r\n\r\n') ?? [];
      return body !== undefined && body.length === Number(head.match(/content-length: (\d+)/i)[1]);
    };
    while (!answered()) await sleep(5);
  }
  socket.write(put);
  await new Promise((resolve) => socket.on('close', resolve));
  assert.deepEqual(statuses(text).slice(3), [201]);
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

test('a body in many pieces is read, one that never comes ends with the connection', async () => {
  const daemon = await start(),
    body = '{"type":"channel-power","width":"20k"}';
  const head = httpText(
    '/api/v1/measurements/a',
    { Host: 'localhost', 'Content-Type': 'application/json', 'Content-Length': body.length, Expect: '100-continue' },
    'PUT',
  );
  const socket = createConnection(daemon.port, '127.0.0.1').setNoDelay(true);
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(head);
  while (!text.includes('100 Continue')) await sleep(5);
  for (const byte of body) {
    socket.write(byte);
    await sleep(2);
  }
  await closed;
  assert.deepEqual(statuses(text), [100, 201]);
  const never = createConnection(daemon.port, '127.0.0.1');
  never.write(head + body.slice(1));
  await sleep(200);
  await assertAnswers(daemon, 'half a body');
  never.destroy();
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

test('a GET with a body is refused in every notation of its length', async () => {
  const daemon = await start();
  for (const length of ['10', '00', '+10', '-10', '0,10', 'ten', `${'0'.repeat(40)}10`]) {
    const get = httpText('/nothing', { Host: 'localhost', 'Content-Length': length }) + '0123456789';
    for (const before of ['', httpText('/nothing', { Host: 'localhost' })])
      assert.deepEqual(statuses(await raw(daemon.port, before + get)), before ? [404, 400] : [400], length);
  }
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

// ---- while an answer is under way -----------------------------------------------------------

/** Seconds of processor time that a process has taken. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100; // utime, stime
}

/** Sends requests and then reads nothing. */
async function stall(daemon, text) {
  const socket = createConnection(daemon.port, '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => socket.on('connect', resolve));
  socket.pause();
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

test('requests behind an answer that nobody reads take no processor time, and are answered when it is read', async () => {
  const daemon = await runDaemon(['--source', 'sim', '--rate', '64k', '--fft-size', '16384', '--line-rate', '1']);
  const large = httpText('/api/v1/spectrum?columns=8192', { Host: 'localhost' });
  for (let status = 0; status !== 200;) status = statusOf(await request(daemon, '/api/v1/spectrum?columns=8192'));
  const last = httpText('/healthz', { Host: 'localhost', Connection: 'close' });
  const socket = await stall(daemon, large.repeat(100) + last);
  await sleep(1000); // until the socket is full
  const before = processorSeconds(daemon.pid),
    began = Date.now();
  await sleep(3000);
  const share = (processorSeconds(daemon.pid) - before) / ((Date.now() - began) / 1000);
  assert.ok(share < 0.25, `${share} of a processor`);
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  assert.deepEqual(statuses(text), Array(101).fill(200));
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

test('a client that closes its side after the request, or sends on, gets its answer', async () => {
  const daemon = await runDaemon(['--source', 'sim', '--rate', '64k', '--fft-size', '16384', '--line-rate', '1']);
  const headers = { Host: 'localhost' },
    get = httpText('/api/v1/spectrum?columns=8192', headers);
  for (let status = 0; status !== 200;) status = statusOf(await request(daemon, '/api/v1/spectrum'));
  for (let i = 0; i < 20; i++) {
    // the answer is rendered by another thread
    const columns = httpText(`/api/v1/spectrum?columns=${8000 + i}`, { ...headers, Connection: 'close' });
    const socket = createConnection(daemon.port, '127.0.0.1').on('error', () => {});
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    if (i % 2) socket.end(columns);
    else (socket.write(columns), setTimeout(() => socket.write(get), 0));
    await new Promise((resolve) => socket.on('close', resolve));
    assert.deepEqual(statuses(text), [200], i % 2 ? 'half closed' : 'more bytes');
  }
  assert.equal(await daemon.stop(), 0, daemon.errors);
});

// ---- mutated --------------------------------------------------------------------------------

/** Pseudo-random numbers from a seed (mulberry32): below(n) is an integer from 0 to n - 1. */
function random(state) {
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return { below, of: (list) => list[below(list.length)] };
}

const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'BREW'];
const paths = [
  '/healthz',
  '/',
  '/x',
  '/api/v1/measurements/x?type=channel-power',
  '/api/v1/measurements/x',
  '/api/v1/settings',
  '/api/v1/measure/x',
  '/api/v1/status',
  '/ws',
  '/api/v1/spectrum?columns=3',
  '*',
  '/%00',
  '//',
];
const websocket = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const upgrade = (to) => `Connection: Upgrade\r\nUpgrade: ${to}\r\n`;
const headers = [
  '',
  '',
  '',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Expect: 100-continue\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Type: application/json\r\n',
  'Content-Type: application/json\r\n',
  'Accept: text/csv\r\n',
  'Host: evil.example\r\n',
  'Content-Length: 5\r\n',
  upgrade('h2c'),
  upgrade('foo'),
  upgrade('websocket') + websocket,
];

/** One request, perhaps with a body. Its Content-Length is correct in half of the cases. */
function makeRequest(r) {
  const body = r.of([
    '',
    '',
    '0123456789',
    '{"type":"channel-power"}',
    '{"center_hz":1e8}',
    'x'.repeat(r.below(3000)),
    'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]);
  const length = r.of([
    body.length,
    body.length,
    body.length,
    0,
    -1,
    body.length + 1 + r.below(100),
    r.below(body.length + 1),
    2 ** 31,
    2 ** 32 + 10,
    2 ** 53,
    `${'0'.repeat(40)}${body.length}`,
    '',
  ]);
  const stated = body || r.below(4) === 0 ? `Content-Length: ${length}\r\n` : '';
  const line = `${r.of(methods)} ${r.of(paths)} HTTP/1.${r.below(8) ? 1 : 0}\r\n`;
  return `${line}Host: localhost\r\n${r.of(headers)}${stated}\r\n${body}`;
}

/** Changes one byte, or removes, duplicates or inserts several. */
function mutate(r, bytes) {
  const at = r.below(bytes.length),
    end = Math.min(bytes.length, at + 1 + r.below(20));
  const part = bytes.subarray(at, end);
  const middle = r.of([
    () => Buffer.concat([Buffer.of(r.below(256)), part.subarray(1)]),
    () => Buffer.alloc(0),
    () => Buffer.concat([part, part]),
    () => Buffer.concat([Buffer.from(r.of(['\r\n', '\r\n\r\n', '\n', '\0', ':', ' ', '\xff'])), part]),
  ])();
  return Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(end)]);
}

/** The writes of connection k, and whether it then resets or half-closes. */
function makeConnection(k) {
  const r = random(seed * 1000003 + k);
  let bytes = Buffer.from(Array.from({ length: 1 + r.below(5) }, () => makeRequest(r)).join(''), 'latin1');
  for (let times = r.of([0, 0, 1, 1, 2, 5]); times > 0 && bytes.length; times--) bytes = mutate(r, bytes);
  const cuts = Array.from({ length: r.of([0, 0, 0, 1, 2]) }, () => r.below(bytes.length + 1)).sort((a, b) => a - b);
  const writes = [0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length));
  return { writes, resets: r.below(2) === 0 };
}

/** True when the server closes the connection, false if it keeps it open. */
async function converse(port, { writes, resets }) {
  const socket = createConnection(port, '127.0.0.1')
    .setNoDelay(true)
    .on('error', () => {});
  let late;
  const closed = new Promise((resolve) => {
    late = setTimeout(() => {
      resolve(false);
      socket.destroy();
    }, patienceMs);
    socket.resume().on('close', () => resolve(true));
  });
  await new Promise((resolve) => socket.on('connect', resolve).on('close', resolve));
  for (const [i, part] of writes.entries()) {
    if (i) await new Promise((resolve) => setTimeout(resolve, 1));
    if (!socket.destroyed) socket.write(part);
  }
  if (resets) setTimeout(() => socket.resetAndDestroy(), pauseMs);
  else socket.end();
  return closed.finally(() => clearTimeout(late));
}

test('mutated requests leave the daemon answering', async () => {
  console.log(`FFTD_TEST_SEED=${seed} FFTD_TEST_CONNECTIONS=${connections}`);
  const daemon = await start();
  for (let first = 0; first < connections; first += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, connections - first) }, (_, i) => first + i);
    const what = `connections ${first} to ${batch.at(-1)} of seed ${seed}`;
    const closed = await Promise.all(batch.map((k) => converse(daemon.port, makeConnection(k))));
    assert.deepEqual(
      batch.filter((_, i) => !closed[i]),
      [],
      `still open, of ${what}`,
    );
    await assertAnswers(daemon, what);
  }
  assert.equal(await daemon.stop(), 0, daemon.errors);
});
