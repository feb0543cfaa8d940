// Tests /api/spectrum under load: shared renderings, compression, bounded memory, clients that leave.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { httpText, raw, request, start, statusOf, until } from '../support/server/harness.mjs';

const header = (answer, name) => new RegExp(`^${name}: (.*)\r$`, 'mi').exec(answer)?.[1];
const body = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
const countsOf = async (server) => JSON.parse(body(await request(server, '/api/status'))).server;

test('equal requests of one line share one rendering', async () => {
  const server = await start();
  await server.say('lines 1');
  const queries = ['columns=10', 'columns=10&trace=max', 'format=csv'];
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => request(server, `/api/spectrum?${queries[i % 3]}`)));
  for (const [i, answer] of answers.entries()) {
    assert.equal(statusOf(answer), 200);
    assert.equal(body(answer), body(answers[i % 3]));
  }
  assert.equal((await countsOf(server)).spectra_total, 3);
  await server.say('lines 1');
  const next = JSON.parse(body(await request(server, '/api/spectrum?columns=10')));
  assert.equal(next.line, 1); // not the bytes of line 0
  assert.equal((await countsOf(server)).spectra_total, 4);
  assert.equal(await server.stop(), 0, server.errors);
});

test('more queries than are kept are all answered', async () => {
  const server = await start();
  await server.say('lines 1');
  await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const answer = await request(server, `/api/spectrum?columns=${i + 1}`);
    assert.equal(JSON.parse(body(answer)).levels.length, i + 1);
  }));
  assert.equal(await server.stop(), 0, server.errors);
});

test('a client that accepts gzip gets the same bytes, compressed', async () => {
  const server = await start({ n: 4096 });
  await server.say('lines 1');
  const plain = await request(server, '/api/spectrum');
  const packed = await request(server, '/api/spectrum', { 'Accept-Encoding': 'br, gzip' });
  assert.equal(header(plain, 'Content-Encoding'), undefined);
  assert.equal(header(packed, 'Content-Encoding'), 'gzip');
  for (const answer of [plain, packed]) {
    assert.equal(header(answer, 'Vary'), 'Accept, Accept-Encoding');
    assert.equal(Number(header(answer, 'Content-Length')), body(answer).length);
  }
  assert.ok(body(packed).length < body(plain).length / 2);
  assert.equal(gunzipSync(Buffer.from(body(packed), 'latin1')).toString(), body(plain));
  const refused = await request(server, '/api/spectrum', { 'Accept-Encoding': 'gzip;q=0' });
  assert.equal(header(refused, 'Content-Encoding'), undefined);
  const head = await request(server, '/api/spectrum', {}, 'HEAD');
  assert.equal(header(head, 'Content-Length'), header(plain, 'Content-Length'));
  assert.equal(body(head), '');
  assert.equal(await server.stop(), 0, server.errors);
});

/** Asks for a spectrum and reads only the beginning of the answer: its status. */
const unread = (server, query, address) => new Promise((resolve) => {
  const socket = createConnection(server.port, '127.0.0.1').on('error', () => resolve({ socket, status: 0 }));
  socket.write(httpText(`/api/spectrum?${query}`, { Host: 'localhost', 'X-Forwarded-For': address }));
  socket.once('readable', () => {
    const text = `${socket.read(200)}`;
    socket.pause();
    resolve({ socket, status: statusOf(text) });
  });
});

/** Asks for `count` spectra that differ, and leaves them unread. address(i) of request i. */
async function leaveUnread(server, count, address) {
  const all = [];
  for (let i = 0; i < count; i += 10)
    all.push(...await Promise.all(Array.from({ length: 10 }, (_, k) => unread(server, `high_hz=${101e6 + i + k}`, address(i + k)))));
  return all;
}

test('answers that nobody reads hold a bounded number of bytes, and are refused beyond', async () => {
  const MiB = 2 ** 20;
  const server = await start({ n: 65536, noise: 1, max_clients: 256, handshake_s: 120 });
  await server.say('lines 1');
  const size = body(await request(server, '/api/spectrum')).length;
  assert.ok(size > 400_000);
  // One address: 16 MiB
  const one = await leaveUnread(server, 60, () => '192.0.2.1');
  const accepted = one.filter(({ status }) => status === 200).length;
  assert.equal(one.filter(({ status }) => status === 503).length, 60 - accepted);
  assert.ok(accepted >= 1 && accepted * 400_000 <= 16 * MiB, `${accepted} answers of ${size} bytes`);
  const other = await raw(server.port, httpText('/api/spectrum?columns=10',
    { Host: 'localhost', Connection: 'close', 'X-Forwarded-For': '192.0.2.2' }));
  assert.equal(statusOf(other), 200); // another address is not affected
  // Many addresses: 64 MiB
  const many = await leaveUnread(server, 200, (i) => `198.51.100.${i}`);
  assert.ok(many.some(({ status }) => status === 503));
  assert.ok(many.filter(({ status }) => status === 200).length > 60);
  const counts = await countsOf(server); // small answers have room
  assert.ok(counts.answer_bytes > 32 * MiB && counts.answer_bytes <= 64 * MiB, `${counts.answer_bytes}`);
  const refused = await request(server, '/api/spectrum?high_hz=100.5M');
  assert.equal(statusOf(refused), 503);
  assert.equal(header(refused, 'Retry-After'), '5');
  [...one, ...many].forEach(({ socket }) => socket.destroy());
  await until('room', async () => statusOf(await request(server, '/api/spectrum?high_hz=100.5M')) === 200);
  await server.say('lines 1');
  assert.ok((await countsOf(server)).answer_bytes < MiB);
  assert.equal(await server.stop(), 0, server.errors);
});

test('clients that leave before their answer is ready do no harm', async () => {
  const server = await start({ n: 65536, max_clients: 256 });
  await server.say('lines 1');
  await server.say('rate 50');
  for (let round = 0; round < 5; round++) {
    const sockets = Array.from({ length: 40 }, (_, i) => {
      const socket = createConnection(server.port, '127.0.0.1').on('error', () => {});
      socket.write(httpText(`/api/spectrum?high_hz=${101e6 + i % 20}`, { Host: 'localhost' }));
      return socket;
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('connect', resolve).on('close', resolve))));
    sockets.forEach((socket, i) => (i % 2 ? socket.resetAndDestroy() : socket.destroy()));
  }
  await until('an answer', async () => statusOf(await request(server, '/api/spectrum')) === 200);
  const left = createConnection(server.port, '127.0.0.1').on('error', () => {}); // waits while the server ends
  left.write(httpText('/api/spectrum?columns=3', { Host: 'localhost' }));
  assert.equal(await server.stop(), 0, server.errors);
});
