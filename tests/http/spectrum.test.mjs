// Tests /api/v1/spectrum under load: shared renderings, compression, bounded memory, clients that leave.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { httpText, request, start, statusOf, until } from '../support/server/harness.mjs';

const header = (answer, name) => new RegExp(`^${name}: (.*)\r$`, 'mi').exec(answer)?.[1];
const body = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
const countsOf = async (server) => JSON.parse(body(await request(server, '/api/v1/status'))).server;

test('equal requests of one line share one rendering', async () => {
  const server = await start();
  await server.say('lines 1');
  const queries = ['columns=10', 'columns=10&detector=max', 'format=csv'];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => request(server, `/api/v1/spectrum?${queries[i % 3]}`)),
  );
  for (const [i, answer] of answers.entries()) {
    assert.equal(statusOf(answer), 200);
    assert.equal(body(answer), body(answers[i % 3]));
  }
  assert.equal((await countsOf(server)).spectra_total, 3);
  await server.say('lines 1');
  const next = JSON.parse(body(await request(server, '/api/v1/spectrum?columns=10')));
  assert.equal(next.line, 1); // not the bytes of line 0
  assert.equal((await countsOf(server)).spectra_total, 4);
  assert.equal(await server.stop(), 0, server.errors);
});

test('more queries than are kept are all answered', async () => {
  const server = await start();
  await server.say('lines 1');
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const answer = await request(server, `/api/v1/spectrum?columns=${i + 1}`);
      assert.equal(JSON.parse(body(answer)).levels.length, i + 1);
    }),
  );
  assert.equal(await server.stop(), 0, server.errors);
});

test('a client that accepts gzip gets the same bytes, compressed', async () => {
  const server = await start({ n: 4096 });
  await server.say('lines 1');
  const plain = await request(server, '/api/v1/spectrum');
  const packed = await request(server, '/api/v1/spectrum', { 'Accept-Encoding': 'br, gzip' });
  assert.equal(header(plain, 'Content-Encoding'), undefined);
  assert.equal(header(packed, 'Content-Encoding'), 'gzip');
  for (const answer of [plain, packed]) {
    assert.equal(header(answer, 'Vary'), 'Accept, Accept-Encoding');
    assert.equal(Number(header(answer, 'Content-Length')), body(answer).length);
  }
  assert.ok(body(packed).length < body(plain).length / 2);
  assert.equal(gunzipSync(Buffer.from(body(packed), 'latin1')).toString(), body(plain));
  const refused = await request(server, '/api/v1/spectrum', { 'Accept-Encoding': 'gzip;q=0' });
  assert.equal(header(refused, 'Content-Encoding'), undefined);
  const head = await request(server, '/api/v1/spectrum', {}, 'HEAD');
  assert.equal(header(head, 'Content-Length'), header(plain, 'Content-Length'));
  assert.equal(body(head), '');
  assert.equal(await server.stop(), 0, server.errors);
});

/** Asks as a proxy at `local` does for the visitor `address`, and reads only the beginning of the answer: its status. */
const unread = (server, path, address, local) =>
  new Promise((resolve) => {
    const socket = createConnection({ port: server.port, host: '127.0.0.1', localAddress: local }).on('error', () =>
      resolve({ socket, status: 0 }),
    );
    socket.write(httpText(path, { Host: 'localhost', 'X-Forwarded-For': address }));
    socket.once('readable', () => {
      const text = `${socket.read(200)}`;
      socket.pause();
      resolve({ socket, status: statusOf(text) });
    });
  });

test('answers that nobody reads hold a bounded number of bytes, and are refused beyond', async () => {
  const MiB = 2 ** 20;
  const folder = mkdtempSync(join(tmpdir(), 'fftd-unread-'));
  writeFileSync(join(folder, 'file.bin'), Buffer.alloc(13_400_000, 'x')); // five in 64 MiB, one in 16 MiB
  const server = await start({ n: 65536, web_root: folder, max_clients: 16, handshake_s: 120 });
  await server.say('lines 1');
  const whole = '/api/v1/spectrum?high_hz=101M'; // 57,000 columns: 400 kB
  const sockets = [];
  const statusAfter = async (path, address, local = address.replace('192.0.2', '127.0.0')) => {
    const { socket, status } = await unread(server, path, address, local);
    sockets.push(socket);
    return status;
  };
  assert.equal(await statusAfter('/file.bin', '192.0.2.1'), 200);
  assert.equal(await statusAfter('/file.bin', '192.0.2.1'), 503); // more than 16 MiB of one address
  assert.equal(await statusAfter(whole, '192.0.2.1'), 200); // 13.8 MB of it
  for (let i = 2; i <= 3; i++) assert.equal(await statusAfter('/file.bin', `192.0.2.${i}`), 200, `address ${i}`);
  assert.equal(await statusAfter('/file.bin', '192.0.2.4', '127.0.0.3'), 200);
  assert.equal(await statusAfter('/file.bin', '192.0.2.7', '127.0.0.3'), 503); // more than 32 MiB of one proxy
  const { answer_bytes: held } = await countsOf(server); // small answers have room
  assert.ok(held > 4 * 13_400_000 && held <= 64 * MiB, `${held}`);
  assert.equal(await statusAfter('/file.bin', '192.0.2.5'), 503); // more than 64 MiB of all
  const refused = await request(server, '/file.bin');
  assert.equal(statusOf(refused), 503);
  assert.equal(header(refused, 'Retry-After'), '5');
  assert.match(body(refused), /too many answers/);
  writeFileSync(join(folder, 'rest.bin'), Buffer.alloc(64 * MiB - held - 100_000, 'x'));
  assert.equal(await statusAfter('/rest.bin', '192.0.2.6'), 200);
  assert.equal(statusOf(await request(server, '/api/v1/spectrum?high_hz=101.1M')), 503); // 100 kB are left
  assert.equal(statusOf(await request(server, '/api/v1/spectrum?columns=10')), 200);
  sockets.forEach((socket) => socket.destroy());
  await until('room', async () => statusOf(await request(server, '/api/v1/spectrum?high_hz=101.1M')) === 200);
  await server.say('lines 1');
  assert.ok((await countsOf(server)).answer_bytes < MiB);
  assert.equal(await server.stop(), 0, server.errors);
  rmSync(folder, { recursive: true });
});

test('clients that leave before their answer is ready do no harm', async () => {
  const server = await start({ n: 65536, max_clients: 256 });
  await server.say('lines 1');
  await server.say('rate 50');
  for (let round = 0; round < 5; round++) {
    const sockets = Array.from({ length: 40 }, (_, i) => {
      const socket = createConnection(server.port, '127.0.0.1').on('error', () => {});
      socket.write(httpText(`/api/v1/spectrum?high_hz=${101e6 + (i % 20)}`, { Host: 'localhost' }));
      return socket;
    });
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.on('connect', resolve).on('close', resolve))),
    );
    sockets.forEach((socket, i) => (i % 2 ? socket.resetAndDestroy() : socket.destroy()));
  }
  await until('an answer', async () => statusOf(await request(server, '/api/v1/spectrum')) === 200);
  const left = createConnection(server.port, '127.0.0.1').on('error', () => {}); // waits while the server ends
  left.write(httpText('/api/v1/spectrum?columns=3', { Host: 'localhost' }));
  assert.equal(await server.stop(), 0, server.errors);
});
