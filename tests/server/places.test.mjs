// Tests who gets a place when max-clients are connected: no address keeps more than half of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, request, start } from '../support/server/harness.mjs';

/** A client of an address, as a proxy of this machine passes it on. */
const clientOf = (server, address) => connect(server, { headers: { 'X-Forwarded-For': address } });
const isOpen = (client) => client.socket.readyState === 1;

test('an address that holds all places gives up half of them to others, idle and old ones first', async () => {
  const server = await start({ max_clients: 8 });
  const holders = [];
  for (let i = 0; i < 8; i++) {
    const client = await clientOf(server, '192.0.2.1');
    holders.push(client);
    client.send(i < 2 ? { type: 'view', id: 1, columns: 10 } : { type: 'hello' });
    await client.text('welcome');
  }
  const again = await clientOf(server, '192.0.2.1'); // its own address gets no other place
  assert.equal((await again.refused()).status, 503);
  const others = [];
  for (let i = 0; i < 4; i++) {
    const client = await clientOf(server, `2001:db8:${i}::1`);
    assert.ok(isOpen(client), `client ${i}`);
    client.send({ type: 'hello' });
    await client.text('welcome');
    others.push(client);
    const { code, reason } = await holders[2 + i].closed(); // 0 and 1 have a view
    assert.equal(code, 1013);
    assert.match(reason, /another address/);
  }
  const fifth = await clientOf(server, '2001:db8:9::1');
  assert.equal((await fifth.refused()).status, 503);
  assert.deepEqual(holders.map(isOpen), [true, true, false, false, false, false, true, true]);
  assert.ok(others.every(isOpen));
  const { server: counts } = JSON.parse((await request(server, '/api/status')).split('\r\n\r\n')[1]);
  assert.equal(counts.clients, 8);
  assert.equal(counts.displaced_total, 4);
  assert.equal(await server.stop(), 0, server.errors);
});

test('without X-Forwarded-For all clients of a proxy are one address', async () => {
  const server = await start({ max_clients: 2 });
  const first = await connect(server), second = await connect(server);
  assert.equal((await (await connect(server)).refused()).status, 503);
  assert.ok(isOpen(first) && isOpen(second));
  assert.equal(await server.stop(), 0, server.errors);
});

test('two addresses do not take the last place from each other', async () => {
  const server = await start({ max_clients: 1 });
  const only = await clientOf(server, '192.0.2.1');
  assert.equal((await (await clientOf(server, '192.0.2.2')).refused()).status, 503);
  assert.ok(isOpen(only));
  assert.equal(await server.stop(), 0, server.errors);
});
