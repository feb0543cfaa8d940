// tls.test.mjs - encrypted addresses: what clients get, what nobody gets unencrypted, and renewals.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { connect as netConnect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const ws = await import('ws').catch(() => null);
if (!ws) {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
}

/** A pair that fftd made: { certificate, key } as paths, ca: the certificate, printed: what it said. */
async function makePair(folder = join(scratch(), 'tls')) {
  const { code, stdout, stderr } = await run(['make-certificate', folder]);
  assert.equal(code, 0, stderr);
  const certificate = join(folder, 'fullchain.pem');
  return {
    folder,
    certificate,
    key: join(folder, 'privkey.pem'),
    ca: readFileSync(certificate),
    printed: stdout.toString(),
  };
}

const SIM = ['--source', 'sim', '--rate', '250k', '--fft-size', '1024', '--line-rate', '20'];

/** A daemon on an encrypted port of 127.0.0.1. */
async function serveTls(t, pair, args = []) {
  const daemon = await serve(t, [...SIM, '--tls-certificate', pair.certificate, '--tls-key', pair.key, ...args], {
    address: 'tls:127.0.0.1',
  });
  daemon.port = Number(new URL(daemon.url).port);
  return daemon;
}

/** { status, body, socket: protocol and such } of a GET. */
const fetchTls = (url, ca, options = {}) =>
  new Promise((resolve, reject) => {
    get(url, { ca, agent: new Agent({ keepAlive: false }), ...options }, (answer) => {
      const { socket } = answer,
        parts = [];
      const about = {
        protocol: socket.getProtocol(),
        alpn: socket.alpnProtocol,
        cipher: socket.getCipher().name,
        fingerprint: socket.getPeerCertificate().fingerprint256,
      };
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(parts), ...about }));
    }).on('error', reject);
  });

/** A websocket that views all bins: { socket, frames: how many came, closed }. */
function view(url, ca) {
  const socket = new ws.WebSocket(`${url.replace('https', 'wss')}ws`, 'fftd.3', { ca, perMessageDeflate: false });
  const client = { socket, frames: 0, closed: false };
  socket.on('open', () => socket.send('{"type":"view","id":1,"columns":256}'));
  socket.on('message', (data, binary) => {
    if (!binary) return;
    client.frames++;
    socket.send('{"type":"credit","count":1}');
  });
  socket.on('close', () => {
    client.closed = true;
  });
  socket.on('error', (error) => {
    client.error = error;
  });
  return client;
}

const metric = async (url, ca, name) => {
  const { body } = await fetchTls(`${url}metrics`, ca);
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
};

test('a made certificate serves page, status and websocket by TLS 1.3', async (t) => {
  const pair = await makePair(),
    daemon = await serveTls(t, pair);
  assert.match(daemon.url, /^https:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await fetchTls(daemon.url, pair.ca);
  assert.equal(page.status, 200);
  assert.match(page.body.toString(), /<title>/);
  assert.equal(page.protocol, 'TLSv1.3');
  assert.ok(pair.printed.includes(page.fingerprint), 'the fingerprint that was printed');
  const client = view(daemon.url, pair.ca);
  await until('frames', () => client.frames >= 5);
  client.socket.close();
  assert.equal((await fetchTls(`${daemon.url}healthz`, pair.ca)).status, 200);
  const end = await metric(daemon.url, pair.ca, 'fftd_tls_certificate_not_after_seconds');
  assert.ok(Math.abs(end - Date.now() / 1000 - 824 * 86400) < 3600);
});

test('old protocols and ciphers are refused, and HTTP/2 is not offered', async (t) => {
  const pair = await makePair(),
    daemon = await serveTls(t, pair);
  const tries = (options) =>
    fetchTls(`${daemon.url}healthz`, pair.ca, options).then(
      ({ protocol, cipher }) => `${protocol} ${cipher}`,
      () => 'refused',
    );
  const old = { ciphers: 'ALL:@SECLEVEL=0' };
  assert.equal(await tries({ ...old, minVersion: 'TLSv1', maxVersion: 'TLSv1' }), 'refused');
  assert.equal(await tries({ ...old, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }), 'refused');
  const two = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' };
  assert.equal(
    await tries({ ...two, ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0' }),
    'refused',
  );
  assert.equal(
    await tries({ ...two, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }),
    'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256',
  );
  const alpn = (offered) =>
    new Promise((resolve, reject) => {
      const socket = tlsConnect({ port: daemon.port, host: '127.0.0.1', ca: pair.ca, ALPNProtocols: offered }, () => {
        resolve(socket.alpnProtocol);
        socket.destroy();
      }).on('error', reject);
    });
  assert.equal(await alpn(['h2', 'http/1.1']), 'http/1.1');
  assert.equal(await alpn(['h2']), false);
});

test('nothing of a page or a spectrum is on the wire unencrypted, and HTTP gets no answer', async (t) => {
  const pair = await makePair(),
    daemon = await serveTls(t, pair),
    wire = [];
  const tap = createServer((near) => {
    const far = netConnect(daemon.port, '127.0.0.1');
    near.pipe(far).pipe(near);
    far.on('data', (bytes) => wire.push(bytes)).on('error', () => {});
    near.on('error', () => {});
  });
  await new Promise((done) => {
    tap.listen(0, '127.0.0.1', done);
  });
  t.after(() => tap.close());
  const url = `https://127.0.0.1:${tap.address().port}/`,
    client = view(url, pair.ca);
  await until('frames', () => client.frames >= 20);
  await fetchTls(`${url}metrics`, pair.ca);
  client.socket.terminate();
  const seen = Buffer.concat(wire);
  assert.ok(seen.length > 20000);
  for (const text of ['FFTD', 'HTTP/1.1', 'fftd.3', 'fftd_lines_total', 'Sec-WebSocket'])
    assert.ok(!seen.includes(text), text);
  const answer = await new Promise((resolve) => {
    let got = '';
    const socket = netConnect(daemon.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket
      .on('data', (bytes) => {
        got += bytes.toString('latin1');
      })
      .on('close', () => resolve(got))
      .on('error', () => {});
  });
  assert.ok(!answer.includes('HTTP'), answer);
});

test('an encrypted and a plain address serve the same bytes', async (t) => {
  const pair = await makePair();
  const daemon = await serve(t, [...SIM, '--tls-certificate', pair.certificate, '--tls-key', pair.key], {
    address: 'tls:127.0.0.1:0, 127.0.0.1',
  });
  const plain = /serving https:\S+, (http:\S+)/.exec(daemon.stderr)[1];
  const [encrypted, open] = [await fetchTls(`${daemon.url}main.js`, pair.ca), await fetch(`${plain}main.js`)];
  assert.equal(encrypted.status, 200);
  assert.deepEqual(encrypted.body, Buffer.from(await open.arrayBuffer()));
  assert.ok(encrypted.body.length > 100000);
});

test('a reload changes the certificate for new clients and loses none of before', async (t) => {
  const pair = await makePair(),
    daemon = await serveTls(t, pair),
    client = view(daemon.url, pair.ca);
  await until('frames', () => client.frames >= 3);
  let { ca } = pair;
  for (let i = 0; i < 5; i++) {
    const next = await makePair();
    copyFileSync(next.key, pair.key);
    copyFileSync(next.certificate, pair.certificate);
    const before = (await fetchTls(`${daemon.url}healthz`, ca)).fingerprint;
    daemon.child.kill('SIGHUP');
    await until('the new certificate', () =>
      fetchTls(`${daemon.url}healthz`, next.ca).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    ({ ca } = next);
    assert.notEqual((await fetchTls(`${daemon.url}healthz`, ca)).fingerprint, before);
  }
  const { frames } = client;
  await until('more frames', () => client.frames >= frames + 10);
  assert.equal(client.closed, false);

  const other = await makePair(); // its key alone: a renewal that was interrupted
  for (const [path, bytes] of [
    [pair.key, readFileSync(other.key)],
    [pair.certificate, 'nonsense'],
    [pair.certificate, ''],
  ]) {
    writeFileSync(path, bytes);
    const said = daemon.stderr.length;
    daemon.child.kill('SIGHUP');
    await until('a line', () => /the certificate from before stays in use/.test(daemon.stderr.slice(said)));
    assert.match(daemon.stderr.slice(said), /reload: tls-(key|certificate): .*(fullchain|privkey)\.pem: is no/);
    assert.equal((await fetchTls(`${daemon.url}healthz`, ca)).status, 200);
  }
  client.socket.close();
});

test('clients that never end their handshake delay nobody, and are let go', async (t) => {
  const pair = await makePair(),
    daemon = await serveTls(t, pair),
    stalled = [];
  for (let i = 0; i < 200; i++) {
    const socket = netConnect(daemon.port, '127.0.0.1');
    socket
      .on('error', () => {})
      .on('close', () => {
        socket.gone = true;
      });
    if (i % 2) socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1])); // the beginning of a hello
    stalled.push(socket);
  }
  for (let i = 0; i < 10; i++) assert.equal((await fetchTls(`${daemon.url}healthz`, pair.ca)).status, 200);
  assert.ok(stalled.filter(({ gone }) => gone).length < 200);
  await until('the end of all of them', () => stalled.every(({ gone }) => gone));
  assert.ok((await metric(daemon.url, pair.ca, 'fftd_tls_handshake_failures_total')) >= 200);
});

test('clients that leave at any moment leave nothing behind', async (t) => {
  const pair = await makePair(),
    daemon = await serveTls(t, pair);
  for (let i = 0; i < 30; i++) {
    const client = view(daemon.url, pair.ca);
    await until('it', () => client.frames >= i % 3);
    if (i % 2) client.socket.terminate();
    else client.socket.close();
  }
  const reset = tlsConnect({ port: daemon.port, host: '127.0.0.1', ca: pair.ca }, () => {
    reset.write('GET /main.js HTTP/1.1\r\nHost: localhost\r\n\r\n', () => setTimeout(() => reset.destroy(), 20));
  }).on('error', () => {});
  await until('this connection alone', async () => (await metric(daemon.url, pair.ca, 'fftd_tls_connections')) === 1);
  assert.equal(await daemon.stop(), 0);
});

test('a certificate is not made twice, and its key is not for everybody', async () => {
  const pair = await makePair();
  assert.equal(statSync(pair.key).mode & 0o777 & ~0o640, 0);
  for (const name of ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1', '.local'])
    assert.ok(pair.printed.includes(name), pair.printed);
  const again = await run(['make-certificate', pair.folder]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^fftd: .*fullchain\.pem: already exists: .*\n$/);
  assert.deepEqual(readFileSync(pair.certificate), pair.ca);
  const nowhere = await run(['make-certificate', '/proc/fftd']);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /^fftd: \/proc\/fftd: .*\n$/);
  assert.ok(!existsSync('/proc/fftd'));
});

test('what is missing or wrong is named, with the option', async () => {
  const pair = await makePair(),
    other = await makePair();
  const listen = ['--source', 'sim', '--listen', 'tls:127.0.0.1:0'];
  const both = (certificate, key) => [...listen, '--tls-certificate', certificate, '--tls-key', key];
  for (const [args, why] of [
    [listen, /--listen: tls:127\.0\.0\.1:0: tls: needs tls-certificate and tls-key \(fftd make-certificate DIR/],
    [[...listen, '--tls-key', pair.key], /--tls-key: needs tls-certificate too/],
    [both(pair.certificate, other.key), /tls-key: .*privkey\.pem: is not the key of tls-certificate/],
    [both(pair.key, pair.key), /tls-certificate: .*privkey\.pem: is no certificate in PEM/],
    [both(pair.certificate, '/nowhere/key.pem'), /tls-key: \/nowhere\/key\.pem: No such file or directory/],
    [['--source', 'sim', '--listen', 'tls:unix:/tmp/x'], /--listen: bad value/],
    [['--source', 'sim', '--listen', '127.0.0.1:0,none'], /--listen: bad value/],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, why);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    if (args.includes('--tls-certificate')) assert.equal((await run(['--check-config', ...args])).code, 1);
  }
});
