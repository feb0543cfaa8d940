// Tests websockets: which upgrades and messages are accepted, and the answers.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { after, before, test } from 'node:test';
import { set } from '../support/calls.mjs';
import {
  clientFrame,
  connect,
  httpText,
  raw,
  request,
  start,
  statusOf,
  until,
  upgraded,
  upgradeHeaders,
} from '../support/server/harness.mjs';

let server;
before(async () => {
  server = await start();
});
after(async () => assert.equal(await server.stop(), 0, server.errors));

/** The answer to an upgrade that must be refused. The server closes the connection after it. */
const upgrade = (changes, path = '/ws', method = 'GET', where = server) =>
  raw(where.port, httpText(path, upgradeHeaders(where, changes), method));

async function assertRefused(status, why, ...how) {
  const answer = await upgrade(...how);
  assert.equal(statusOf(answer), status, `${JSON.stringify(how)}: ${answer}`);
  assert.ok(answer.toLowerCase().includes(why), `${JSON.stringify(how)}: ${answer}`);
  assert.ok(!answer.includes('still open'), 'the connection stays open');
}

/**
 * Sends bytes after the handshake of a websocket. Returns all bytes received after it until the
 * connection ends or enough(bytes) is true.
 */
function rawSocket(bytes, { enough = (got) => closeCode(got) > 0, where = server } = {}) {
  return new Promise((resolve) => {
    const parts = [];
    const socket = createConnection(where.port, '127.0.0.1');
    socket.write(httpText('/ws', upgradeHeaders(where)));
    socket.once('data', (head) => {
      parts.push(head.subarray(head.indexOf('\r\n\r\n') + 4));
      socket.on('data', (part) => {
        parts.push(part);
        if (enough(Buffer.concat(parts))) socket.destroy(); // the server would wait for the answer to its close frame
      });
      socket.write(bytes);
    });
    socket.on('error', () => {}).on('close', () => resolve(Buffer.concat(parts)));
  });
}

/** The code of the close frame in the bytes of a server; 0: none. */
const closeCode = (bytes) => {
  for (let at = 0; at + 2 <= bytes.length;) {
    const opcode = bytes[at] & 15;
    let size = bytes[at + 1],
      head = 2;
    if (size === 126) {
      size = bytes.readUInt16BE(at + 2);
      head = 4;
    }
    if (opcode === 8) return size >= 2 ? bytes.readUInt16BE(at + head) : 1005;
    at += head + size;
  }
  return 0;
};

// ---- upgrades -------------------------------------------------------------------------------

test('the page of the daemon is accepted, with fftd.3 and without compression', async () => {
  const answer = await upgraded(
    server.port,
    upgradeHeaders(server, { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' }),
  );
  assert.equal(statusOf(answer), 101);
  assert.match(answer, /Sec-WebSocket-Protocol: fftd\.3/i);
  assert.match(answer, /Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i); // the example of RFC 6455
  assert.ok(!/permessage-deflate/i.test(answer));
});

test('a program without an Origin is accepted', async () => {
  const answer = await upgraded(server.port, upgradeHeaders(server, { Origin: null }));
  assert.equal(statusOf(answer), 101);
});

test('an upgrade without fftd.3 is refused', async () => {
  await assertRefused(400, 'fftd.3', { 'Sec-WebSocket-Protocol': null });
  await assertRefused(400, 'fftd.3', { 'Sec-WebSocket-Protocol': '' });
  for (const name of ['chat', 'fftd.1', 'fftd.4', 'FFTD', 'http', ' http', 'fftd.3x', 'fftd', 'x'.repeat(200)])
    await assertRefused(400, 'fftd.3', { 'Sec-WebSocket-Protocol': name });
});

test('fftd.3 is found among several subprotocols', async () => {
  const answer = await upgraded(
    server.port,
    upgradeHeaders(server, { 'Sec-WebSocket-Protocol': 'http, chat, fftd.3' }),
  );
  assert.equal(statusOf(answer), 101);
  assert.match(answer, /Sec-WebSocket-Protocol: fftd\.3\r/i);
});

test('a foreign Origin, or null, is refused with 403', async () => {
  for (const origin of [
    'http://evil.example',
    'null',
    'http://127.0.0.1',
    'https://127.0.0.1',
    `http://127.0.0.1:${server.port}.evil.example`,
    'file://',
    'x'.repeat(600),
  ])
    await assertRefused(403, 'origin', { Origin: origin });
  await assertRefused(403, 'origin', { Origin: `http://127.0.0.1:${server.port}\r\nOrigin: http://evil.example` });
  await assertRefused(403, 'origin', { Origin: null, 'Sec-WebSocket-Origin': 'http://evil.example' });
});

test('a Host without the port of the Origin blames the proxy, in the answer and once in the log', async () => {
  const behind = await start({ allow_host: 'sdr.example' });
  const dropped = { Host: 'sdr.example', Origin: 'https://sdr.example:8443' };
  for (let i = 0; i < 3; i++) {
    for (const answer of [
      await upgraded(behind.port, upgradeHeaders(behind, dropped)),
      await request(behind, '/api/v1/settings?gain=1', dropped, 'PUT'),
    ]) {
      assert.equal(statusOf(answer), 403);
      assert.match(answer, /the Host header lacks its port; .*proxy_set_header Host \$http_host/);
    }
  }
  const foreign = await upgraded(
    behind.port,
    upgradeHeaders(behind, { ...dropped, Origin: 'https://evil.example:8443' }),
  );
  assert.doesNotMatch(foreign, /proxy/);
  await upgraded(behind.port, upgradeHeaders(behind, { ...dropped, Origin: 'https://other.example:8443' }));
  const whole = { ...dropped, Host: 'sdr.example:8443' };
  assert.equal(statusOf(await upgraded(behind.port, upgradeHeaders(behind, whole))), 101);
  assert.equal(await behind.stop(), 0, behind.errors);
  assert.equal(behind.errors.match(/proxy_set_header Host \$http_host/g)?.length, 1, behind.errors);
  const told = /a page of https:\/\/evil\.example:8443 was refused: see allow-origin/g;
  assert.equal(behind.errors.match(told)?.length, 1, behind.errors);
});

test('a foreign Host is refused with 403, even if the Origin is the same', async () => {
  await assertRefused(403, 'host', { Host: 'evil.example', Origin: 'http://evil.example' });
  await assertRefused(400, 'host', { Host: null, Origin: null });
  await assertRefused(400, 'one host', { Host: `127.0.0.1:${server.port}\r\nHost: evil.example` });
});

test('configured origins and names are accepted', async () => {
  const open = await start({ allow_origin: 'https://maps.example', allow_host: 'radio.example' });
  const status = async (changes) => statusOf(await upgraded(open.port, upgradeHeaders(open, changes)));
  assert.equal(await status({ Origin: 'https://maps.example' }), 101);
  assert.equal(await status({ Host: 'radio.example', Origin: 'https://radio.example' }), 101);
  assert.equal(await status({ Host: 'radio.example', Origin: 'https://evil.example' }), 403);
  assert.equal(await open.stop(), 0);
});

test('an upgrade with another path, method or header is refused', async () => {
  await assertRefused(404, '/ws', {}, '/');
  await assertRefused(404, '/ws', {}, '/ws/');
  await assertRefused(404, '/ws', {}, '/api/v1/status');
  await assertRefused(404, '/ws', {}, '/ws', 'POST');
  await assertRefused(400, 'upgrade', { Connection: null });
  await assertRefused(400, 'upgrade', { Connection: 'keep-alive' });
  await assertRefused(426, 'version', { 'Sec-WebSocket-Version': '8' });
  await assertRefused(426, 'version', { 'Sec-WebSocket-Version': null });
  await assertRefused(426, 'key', { 'Sec-WebSocket-Key': null });
  await assertRefused(426, 'key', { 'Sec-WebSocket-Key': 'short' });
  assert.ok(!(await upgrade({ Upgrade: 'smtp' })).includes('101')); // libwebsockets answers
});

test('an upgrade to HTTP/2 is ignored: the answer is HTTP/1.1', async () => {
  const h2c = {
    Upgrade: 'h2c',
    Connection: 'Upgrade, HTTP2-Settings, close',
    'HTTP2-Settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
  };
  const answer = await upgrade(h2c, '/healthz');
  assert.equal(statusOf(answer), 200);
  assert.match(answer, /\r\n\r\nrunning\n$/);
  assert.equal(statusOf(await upgrade(h2c, '/ws')), 426);
  assert.equal(statusOf(await upgrade({ ...h2c, Host: 'evil.example' }, '/')), 403);
});

test('a client is accepted after a hundred refused upgrades', async () => {
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => upgrade(i % 2 ? { Origin: 'null' } : { 'Sec-WebSocket-Protocol': null })),
  );
  const client = await connect(server);
  client.send({ type: 'hello' });
  await client.text('welcome');
  await client.close();
});

test('one client too many gets the reason, and is accepted after another has left', async () => {
  const few = await start({ max_clients: 2 });
  const first = await connect(few),
    second = await connect(few);
  const third = await connect(few);
  const { status, body } = await third.refused();
  assert.equal(status, 503);
  assert.match(body, /too many clients/);
  await first.close();
  const fourth = await until('room', async () => {
    // the server may learn of it later
    const client = await connect(few);
    return client.socket.readyState === 1 && client;
  });
  fourth.send({ type: 'hello' });
  await fourth.text('welcome');
  await Promise.all([second.close(), fourth.close()]);
  assert.equal(await few.stop(), 0);
});

// ---- messages -------------------------------------------------------------------------------

test('a message of 4096 bytes is read, one of 4097 closes with 1009', async () => {
  const client = await connect(server);
  client.send(`{"type":"credit"${' '.repeat(4096 - 17)}}`);
  await client.text('welcome');
  client.send(`{"type":"credit"${' '.repeat(4097 - 17)}}`);
  assert.equal((await client.closed()).code, 1009);
});

test('fragments form one message, and the limit applies to all of it', async () => {
  const text = '{"type":"hello"}';
  const parts = Buffer.concat([
    clientFrame(1, text.slice(0, 5), false),
    clientFrame(9, 'ping'),
    clientFrame(0, text.slice(5, 9), false),
    clientFrame(0, text.slice(9)),
  ]);
  const received = await rawSocket(parts, { enough: (got) => got.includes('"welcome"') });
  assert.equal(closeCode(received), 0);
  const large = Buffer.concat([clientFrame(1, 'x'.repeat(3000), false), clientFrame(0, 'x'.repeat(3000), false)]);
  assert.equal(closeCode(await rawSocket(large)), 1009);
});

test('binary messages close with 1003, invalid UTF-8 with 1007', async () => {
  assert.equal(closeCode(await rawSocket(clientFrame(2, 'x'))), 1003);
  assert.equal(closeCode(await rawSocket(clientFrame(1, [0x7b, 0xff, 0xfe, 0x7d]))), 1007);
});

test('random bytes in place of frames close the connection, and nothing else happens', async () => {
  const where = await start({ ping_s: 1 }); // some bytes start a message that never ends
  const mess = [
    [0xff, 0xff, 0xff],
    [0x83, 0x80, 0, 0, 0, 0],
    [0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4, 65],
    [0xc1, 0x80, 0, 0, 0, 0],
    [0x80, 0x80, 0, 0, 0, 0],
    [0x89, 0xfe, 0, 126, 0, 0, 0, 0],
  ];
  await Promise.all(mess.map((bytes) => rawSocket(Buffer.from(bytes), { where })));
  assert.equal(statusOf(await request(where, '/healthz')), 200);
  assert.equal(await where.stop(), 0, where.errors);
});

test('too many messages at once close the connection', async () => {
  const client = await connect(server);
  const ended = client.closed();
  while (client.socket.readyState === 1) {
    // as fast as possible
    for (let i = 0; i < 1000; i++) client.send('{"type":"credit"}');
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  const { code } = await ended;
  assert.ok([1006, 1008].includes(code), `${code}`); // 1006: bytes of this client crossed the close frame
});

test('a bad message gets an error that names the fault, and the connection stays open', async () => {
  const client = await connect(server);
  for (const [message, why] of [
    ['', /not JSON/],
    ['nonsense', /not JSON/],
    ['[]', /type/],
    ['{"type":"reboot"}', /reboot/],
    ['{"type":"view","id":1,"columns":0}', /columns: 0/],
    ['{"type":"view","id":1,"columns":9,"detector":"x"}', /detector/],
    ['{"type":"set","fft_size":1000}', /type: "set" is not hello/],
  ]) {
    client.send(message);
    assert.match((await client.text('error')).message, why);
  }
  client.send({ type: 'view', id: 1, columns: 10 });
  await server.say('lines 1');
  assert.equal((await client.frame()).columns, 10);
  await client.close();
});

test('too many different views are refused, shared views are not', async () => {
  const clients = await Promise.all(Array.from({ length: 6 }, () => connect(server)));
  for (const [i, client] of clients.slice(0, 4).entries()) {
    client.send({ type: 'view', id: i, columns: 100 + i });
    await client.text('welcome');
  }
  clients[4].send({ type: 'view', id: 9, columns: 104 });
  assert.match((await clients[4].text('error')).message, /too many different views/);
  clients[5].send({ type: 'view', id: 9, columns: 103 });
  await server.say('lines 1');
  assert.equal((await clients[5].frame()).view, 9);
  clients[3].send({ type: 'view', id: 4, columns: 50 }); // its old view stays, because another client has it
  assert.match((await clients[3].text('error')).message, /too many different views/);
  clients[2].send({ type: 'view', id: 4, columns: 50 }); // no other client has its old view
  assert.equal((await clients[2].frame((f) => f.view === 4)).columns, 50);
  await Promise.all(clients.map((client) => client.close()));
});

test('a client of fftd.2 looks on, and is told what its other messages are now', async () => {
  const answer = await upgraded(server.port, upgradeHeaders(server, { 'Sec-WebSocket-Protocol': 'fftd.2' }));
  assert.match(answer, /^HTTP\/1\.1 101 [^]*Sec-WebSocket-Protocol: fftd\.2\r/i);
  const client = await connect(server, { protocol: 'fftd.2' });
  client.send({ type: 'view', id: 3, columns: 10 });
  await server.say('lines 1');
  assert.equal((await client.frame()).view, 3);
  client.send({ type: 'own_measure', set: { name: 'm1', type: 'marker' } });
  assert.match((await client.text('error')).message, /^type: "own_measure" is not [^]*all else is a call: get, put, /);
  await client.close();
});

// ---- control ------------------------------------------------------------------------------

test('the welcome offers the values of every setting', async () => {
  const client = await connect(server);
  client.send({ type: 'hello' });
  const { choices } = await client.text('welcome');
  assert.deepEqual(choices.window.values, [
    'rect',
    'hann',
    'hamming',
    'blackman',
    'blackman-harris',
    'nuttall',
    'flat-top',
    'kaiser(8.6)',
    'gauss(2.5)',
  ]);
  assert.deepEqual(
    choices.fft_size.values,
    Array.from({ length: 17 }, (_, i) => 64 << i),
  );
  assert.deepEqual(choices.detector.values, ['mean', 'max', 'min', 'sample']);
  assert.deepEqual(
    { ...choices.overlap, expected: '', help: '' },
    { label: 'Overlap', group: 'spectrum', help: '', unit: '%', expected: '', min: 0, below: 100 },
  );
  assert.deepEqual(choices.line_rate, {
    label: 'Line rate',
    group: 'spectrum',
    help: 'Lines of spectrum per second of samples, on average; at most one for each frame',
    unit: 'lines/s',
    expected: 'a number from 0.001 to 100k',
    min: 0.001,
    max: 1e5,
  });
  assert.deepEqual(Object.keys(choices.gain), ['label', 'group', 'help', 'expected']);
  await client.close();
});

test('on loopback without a token any client may change the settings', async () => {
  const client = await connect(server);
  client.send({ type: 'hello' });
  assert.equal((await client.text('welcome')).control, true);
  assert.equal((await client.call(set({ center_hz: 433.92e6, fft_size: 8192, gain: 'LNA=20' }))).status, 200);
  assert.equal(await server.said(), 'apply 433920000 8192 LNA=20');
  let status;
  do status = await client.text('status');
  while (status.wanted.fft_size !== 8192);
  assert.match((await client.call(set({ center_hz: 7e9 }))).error, /the radio ends at 6 GHz/);
  client.send(set({ center_hz: 433.92e6, fft_size: 1024, gain: 'auto' }));
  assert.equal(await server.said(), 'apply 433920000 1024 auto');
  await client.close();
});

test('without a token no client may change the settings through a proxy', async () => {
  for (const headers of [
    { 'X-Forwarded-For': '192.0.2.1' },
    { Forwarded: 'for=192.0.2.1' },
    { Via: '1.1 proxy' },
    { Host: '192.0.2.1:8010' },
  ]) {
    const client = await connect(server, { headers });
    client.send({ type: 'hello' });
    assert.equal((await client.text('welcome')).control, false, JSON.stringify(headers));
    assert.match((await client.call(set({ fft_size: 64 }))).error, /through a proxy/);
    await client.close();
  }
});

test('without a token no client of another machine may change the settings', async () => {
  const open = await start({ listen: '0.0.0.0:0' });
  const client = await connect(open);
  client.send({ type: 'hello' });
  assert.equal((await client.text('welcome')).control, false);
  assert.match((await client.call(set({ fft_size: 64 }))).error, /from elsewhere needs a control token/);
  await client.close();
  assert.equal(await open.stop(), 0);
});

// ---- the end of connections ------------------------------------------------------------------

test('a client that does not answer pings is dropped, another stays', async () => {
  const strict = await start({ ping_s: 3 });
  const alive = await connect(strict);
  alive.send({ type: 'view', id: 1, columns: 5 });
  const mute = await connect(strict);
  mute.socket.pong = () => {}; // the package ws answers pings with this function
  mute.socket._receiver.removeAllListeners('ping');
  await mute.closed();
  assert.equal(alive.socket.readyState, 1);
  await alive.close();
  assert.equal(await strict.stop(), 0);
});

test('the only client is dropped soon after it stopped answering pings', async () => {
  const alone = await start({ ping_s: 1 });
  const socket = createConnection(alone.port, '127.0.0.1').resume();
  socket.write(httpText('/ws', upgradeHeaders(alone)));
  const began = Date.now();
  await new Promise((resolve) => socket.on('close', resolve));
  assert.ok(Date.now() - began < 15000, `${Date.now() - began} ms after it came`); // libwebsockets looks every 30 s itself
  assert.equal(await alone.stop(), 0, alone.errors);
});

test('the server works after clients have vanished in different ways', async () => {
  const brave = await start({ max_clients: 64 });
  for (let round = 0; round < 4; round++) {
    const clients = await Promise.all(Array.from({ length: 16 }, () => connect(brave)));
    clients.forEach((client, i) => client.send({ type: 'view', id: i, columns: 10 + (i % 3) }));
    await brave.say('lines 5');
    clients.forEach((client, i) => (i % 2 ? client.socket.terminate() : client.socket.close()));
  }
  const { server: left } = await until('all of them gone', async () => {
    const status = JSON.parse((await request(brave, '/api/v1/status')).split('\r\n\r\n')[1]);
    return status.server.clients === 0 && status;
  });
  assert.equal(left.views, 0);
  assert.equal(left.clients_total, 64);
  assert.equal(await brave.stop(), 0, brave.errors);
});

test('the server ends cleanly while clients are connected', async () => {
  const short = await start();
  const clients = await Promise.all(Array.from({ length: 4 }, () => connect(short)));
  clients.forEach((client) => client.send({ type: 'view', id: 1, columns: 500 }));
  await short.say('rate 100');
  await Promise.all(clients.map((client) => client.frame()));
  assert.equal(await short.stop(), 0, short.errors);
  await Promise.all(clients.map((client) => client.closed()));
});
