// rtl_tcp_server.test.mjs - --rtl-tcp: clients of the rtl_tcp protocol, right ones, wrong ones and slow ones.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { run, serve, until } from '../support/fftd.mjs';

const CENTER = 100e6,
  TONE = 100.3e6;

/** A radio with a tone of -20 dBFS at 100.3 MHz, and the port of its rtl_tcp server. */
async function radio(t, ...more) {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '-s',
    '2.4M',
    '-f',
    '100M',
    '-d',
    'scene=tone,level=-20,offset=300k',
    '--rtl-tcp',
    '0',
    ...more,
  ]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  await until('it serves', () => /serving rtl_tcp at 127\.0\.0\.1:\d+/.test(daemon.stderr));
  return {
    ...daemon,
    port: Number(/serving rtl_tcp at 127\.0\.0\.1:(\d+)/.exec(daemon.stderr)[1]),
    said: () => daemon.stderr,
  };
}

const command = (code, value) =>
  Buffer.from([code, value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);

/** A client. next(bytes): the next ones; parts: of the stream, as they came. */
async function client(t, port) {
  const socket = connect(port, '127.0.0.1'),
    parts = [];
  let have = Buffer.alloc(0),
    ended = false;
  socket.on('data', (data) => {
    parts.push(data.length);
    have = Buffer.concat([have, data]);
  });
  socket.on('close', () => {
    ended = true;
  });
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const next = async (bytes) => {
    await until(`${bytes} bytes came`, () => have.length >= bytes || ended);
    const got = have.subarray(0, bytes);
    have = have.subarray(bytes);
    return got;
  };
  return {
    socket,
    parts,
    next,
    drop: () => {
      have = have.subarray(have.length - (have.length % 2));
    },
    send: (...all) => socket.write(Buffer.concat(all)),
    ended: () => ended,
    close: () => socket.destroy(),
  };
}

/** Mean turn from sample to sample in Hz, and power in dBFS. */
function measure(bytes, rate) {
  let re = 0,
    im = 0,
    power = 0;
  const at = (i) => (bytes[i] - 127.5) / 127.5;
  for (let i = 2; i < bytes.length; i += 2) {
    const [a, b, c, d] = [at(i), at(i + 1), at(i - 2), at(i - 1)];
    ((re += a * c + b * d), (im += b * c - a * d), (power += a * a + b * b));
  }
  return { hz: (Math.atan2(im, re) / 2 / Math.PI) * rate, db: 10 * Math.log10(power / (bytes.length / 2 - 1)) };
}

/** Waits until a quarter of a second of the stream is a tone this far from the centre. */
const heard = (c, rate, hz, db) =>
  until(`${hz} Hz at ${rate}S/s`, async () => {
    const found = measure(await c.next((rate / 4) * 2), rate);
    return Math.abs(found.hz - hz) < 0.002 * rate && (db === undefined || Math.abs(found.db - db) < 0.3) && found;
  });
const metric = async (daemon, name) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(`${daemon.url}metrics`)).text())?.[1]);

test('the greeting comes in one segment, and samples without a command', async (t) => {
  const daemon = await radio(t),
    c = await client(t, daemon.port);
  assert.equal((await c.next(12)).toString('latin1'), 'RTL0\0\0\0\x05\0\0\0\x1d');
  assert.ok(c.parts[0] >= 12, `${c.parts[0]}`);
  await heard(c, 2.048e6, TONE - CENTER);
});

test('commands move the channel, change its rate and its gain, and nothing of the radio', async (t) => {
  const daemon = await radio(t),
    c = await client(t, daemon.port),
    before = (await daemon.status()).wanted;
  await c.next(12);
  c.send(command(0x02, 250000), command(0x03, 1), command(0x01, TONE - 20e3), command(0x04, 60));
  await heard(c, 250e3, 20e3, -14);
  c.send(command(0x01, TONE + 50e3));
  await heard(c, 250e3, -50e3, -14);
  c.send(command(0x05, 100)); // 10 kHz of 100 MHz
  await heard(c, 250e3, -40e3 + 35, -14);
  c.send(command(0x05, 0), command(0x02, 1024000), command(0x0d, 4)); // 3.7 dB
  await heard(c, 1.024e6, -50e3, -16.3);
  c.send(command(0x0e, 1));
  await until('it is said', () => daemon.said().includes('power through the antenna socket: refused'));
  assert.deepEqual((await daemon.status()).wanted, before);
});

test('half a command and nonsense do no harm', async (t) => {
  const daemon = await radio(t),
    c = await client(t, daemon.port);
  await c.next(12);
  c.send(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.padEnd(40)), Buffer.alloc(100, 0xff));
  c.send(command(0x02, 250000), command(0x01, TONE - 20e3).subarray(0, 2));
  await new Promise((done) => setTimeout(done, 100));
  c.send(command(0x01, TONE - 20e3).subarray(2));
  await heard(c, 250e3, 20e3);
  assert.ok((await metric(daemon, 'fftd_rtl_tcp_ignored_commands_total')) >= 28);
  for (let i = 0; i < 2000; i++) c.send(command(0x02, 225001 + i), command(0x01, 99.9e6 + 100 * i));
  c.send(command(0x02, 300000), command(0x01, TONE + 30e3));
  await heard(c, 300e3, -30e3);
});

test('each client has a channel of its own, up to the share of an address', async (t) => {
  const daemon = await radio(t, '--max-channels', '4');
  const clients = [];
  for (let i = 0; i < 2; i++) {
    const c = await client(t, daemon.port);
    await c.next(12);
    c.send(command(0x02, 250000), command(0x01, TONE - 20e3 - 10e3 * i));
    clients.push(c);
  }
  for (const [i, c] of clients.entries()) await heard(c, 250e3, 20e3 + 10e3 * i);
  const more = await client(t, daemon.port),
    fourth = await client(t, daemon.port);
  await until('one is refused', () => more.ended() || fourth.ended());
  await until('it is said', () => /rtl_tcp: 127\.0\.0\.1 is refused: \d channels are open/.test(daemon.said()));
  for (const c of [...clients, more, fourth]) c.close();
  await until(
    'all are closed',
    async () =>
      (await metric(daemon, 'fftd_rtl_tcp_clients')) === 0 && (await metric(daemon, 'fftd_channels_open')) === 0,
  );
  const again = await client(t, daemon.port);
  assert.equal((await again.next(12)).length, 12);
});

test('a frequency that the radio does not receive is silence, said and counted once', async (t) => {
  const daemon = await radio(t),
    c = await client(t, daemon.port);
  await c.next(12);
  c.send(command(0x02, 250000), command(0x01, 24e6)); // as gqrx begins
  await until('there is silence', async () => (await c.next(50000)).every((value) => value === 128));
  await until('it is said', () => daemon.said().includes('the radio does not receive 24000000 Hz: silence'));
  await new Promise((done) => setTimeout(done, 600));
  assert.equal(daemon.said().split('24000000 Hz').length, 2);
  assert.equal(await metric(daemon, 'fftd_rtl_tcp_outside_total'), 1);
  c.send(command(0x01, TONE - 20e3));
  await heard(c, 250e3, 20e3);
});

test('a client that reads too slowly gets zeros for what it missed, and others all', async (t) => {
  const daemon = await radio(t),
    slow = await client(t, daemon.port),
    other = await client(t, daemon.port);
  await slow.next(12);
  await other.next(12);
  slow.send(command(0x02, 3200000), command(0x01, TONE - 20e3));
  await heard(slow, 3.2e6, 20e3);
  slow.socket.pause();
  const received = () => {
      other.drop();
      return other.parts.reduce((sum, bytes) => sum + bytes, 0);
    },
    before = received();
  await until('the buffers of the sockets and of the channel are full', () => received() - before > 5 * 2 * 2.048e6);
  slow.socket.resume();
  await until('samples are missing', async () => {
    slow.drop();
    return (await metric(daemon, 'fftd_rtl_tcp_missing_samples_total')) > 0;
  });
  await heard(slow, 3.2e6, 20e3);
  await heard(other, 2.048e6, TONE - CENTER);
});

test('the source rtl_tcp of another fftd is a client', async (t) => {
  const daemon = await radio(t);
  const { code, stdout, stderr } = await run([
    '--source',
    'rtl_tcp',
    '-d',
    `127.0.0.1:${daemon.port}`,
    '-s',
    '1.024M',
    '-f',
    '100.25M',
    '--gain',
    '20',
    '-n',
    '1024',
    '--line-rate',
    '10',
    '--lines',
    '10',
    '--csv',
    '-',
    '--listen',
    'none',
  ]);
  assert.equal(code, 0, stderr);
  const rows = stdout
    .toString()
    .trim()
    .split('\n')
    .map((row) => row.split(', '));
  const [low, , step, , ...levels] = rows.at(-1).slice(2).map(Number);
  const peak = levels.indexOf(Math.max(...levels));
  assert.ok(Math.abs(low + peak * step - TONE) <= 1000, `${low + peak * step}`);
  assert.ok(Math.abs(levels[peak]) < 2, `${levels[peak]}`); // -20 dBFS and a gain of 20 dB, between bins
});

test('a port alone is a port of 127.0.0.1, and what is no address is refused', async (t) => {
  const daemon = await radio(t);
  assert.match(daemon.said(), /serving rtl_tcp at 127\.0\.0\.1:/);
  for (const address of ['unix:/tmp/x', 'none', 'here', '70000', 'tls:127.0.0.1:0', '1,2']) {
    const { code, stderr } = await run(['--source', 'sim', '--rtl-tcp', address, '--lines', '1']);
    assert.equal(code, 1);
    assert.match(stderr, /--rtl-tcp: .*expected PORT, ADDRESS:PORT or \[IPV6\]:PORT/);
  }
  const taken = await run(['--source', 'sim', '--rtl-tcp', String(daemon.port), '--lines', '1', '--listen', 'none']);
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, new RegExp(`rtl-tcp ${daemon.port}: address already in use`, 'i'));
});
