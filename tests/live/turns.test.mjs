// Tests turns: what is due to many clients is sent in several parts, and clients leave in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPlain, start, until } from '../support/server/harness.mjs';

const clientsAtFirst = 640,
  rounds = 20,
  leaveInARound = 8;

test('each of many clients gets each line while others leave', async () => {
  const server = await start({ max_clients: clientsAtFirst });
  const view = { type: 'view', id: 1, columns: 100 };
  const receive = (bytes, client) => {
    client.lines += bytes.readUInt32LE(24);
    client.last = Number(bytes.readBigUInt64LE(16));
    client.socket.send('{"type":"credit","count":1}');
    if (client.leavesAt <= client.last) client.socket.terminate(); // while others wait for their turn
  };
  await server.say('lines 1');
  const clients = [];
  for (let i = 0; i < clientsAtFirst; i += 64)
    clients.push(...(await Promise.all(Array.from({ length: 64 }, () => connectPlain(server, receive, view)))));
  await until('the newest line, at all', () => clients.every(({ last }) => last === 0));
  const leaving = clients.filter((_, i) => i % 4 === 1);
  leaving.forEach((client, i) => {
    client.leavesAt = 1 + (Math.floor(i / leaveInARound) % rounds);
  });
  const staying = clients.filter(({ leavesAt }) => leavesAt === undefined);
  for (let line = 1; line <= rounds; line++) {
    await server.say('lines 1');
    await until(`line ${line}, at all that stay`, () => staying.every(({ last }) => last === line));
  }
  for (const { lines } of staying) assert.equal(lines, rounds + 1);
  staying.forEach(({ socket }) => socket.close());
  assert.equal(await server.stop(), 0, server.errors);
});
