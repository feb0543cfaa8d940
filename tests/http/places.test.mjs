// Tests who gets a place when max-clients are connected: no address keeps more than half of them.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { connect, httpText, request, start, statusOf, until } from '../support/server/harness.mjs';

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
  const { server: counts } = JSON.parse((await request(server, '/api/v1/status')).split('\r\n\r\n')[1]);
  assert.equal(counts.clients, 8);
  assert.equal(counts.displaced_total, 4);
  assert.equal(await server.stop(), 0, server.errors);
});

test('without X-Forwarded-For all clients of a proxy are one address', async () => {
  const server = await start({ max_clients: 2 });
  const first = await connect(server),
    second = await connect(server);
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

test('one socket address with forged headers gives up half of the places, too', async () => {
  const server = await start({ max_clients: 8 });
  const forged = [];
  for (let i = 0; i < 8; i++)
    forged.push(await connect(server, { localAddress: '127.0.0.2', headers: { 'X-Forwarded-For': `192.0.2.${i}` } }));
  assert.ok(forged.every(isOpen));
  const others = [];
  for (let i = 0; i < 4; i++) {
    others.push(await connect(server));
    assert.ok(isOpen(others[i]), `client ${i}`);
    assert.equal((await forged[i].closed()).code, 1013);
  }
  assert.equal((await (await connect(server)).refused()).status, 503);
  assert.deepEqual(others.map(isOpen), Array(4).fill(true));
  assert.equal(await server.stop(), 0, server.errors);
});

// ---- connections ----------------------------------------------------------------------------

const PLACES = 1 + 64; // max_clients, and HTTP_EXTRA

/** Opens a connection and sends a text. `closed`: the server has closed it. */
function hold(server, localAddress, text) {
  const held = { closed: false, socket: createConnection({ port: server.port, host: '127.0.0.1', localAddress }) };
  held.socket
    .on('error', () => {})
    .on('close', () => {
      held.closed = true;
    });
  return new Promise((resolve) => held.socket.on('connect', () => held.socket.write(text, () => resolve(held))));
}

for (const [what, text, reads] of [
  ['half requests', 'GET / HTTP/1.1\r\nHost: a', true],
  ['nothing', '', true],
  ['requests whose answers it does not read', httpText('/api/v1/status', { Host: 'localhost' }).repeat(2000), false],
]) {
  test(`one address that holds all places with ${what} keeps no other out`, async () => {
    const server = await start({ max_clients: 1, handshake_s: 120 });
    const held = [];
    for (let i = 0; i < 3 * PLACES; i++) {
      held.push(await hold(server, '127.0.0.2', text));
      if (reads) held[i].socket.resume();
      else held[i].socket.pause();
      if (i % 13 === 0) assert.equal(statusOf(await request(server, '/healthz')), 200, `after ${i}`);
    }
    const client = await connect(server);
    assert.ok(isOpen(client));
    for (let i = 0; i < 10; i++) assert.equal(statusOf(await request(server, '/healthz')), 200);
    assert.ok(isOpen(client));
    if (reads)
      // the oldest went, and the newest stay
      await until('the oldest closed', () => held.slice(0, 2 * PLACES).every(({ closed }) => closed));
    held.forEach(({ socket }) => socket.destroy());
    assert.equal(await server.stop(), 0, server.errors);
  });
}
