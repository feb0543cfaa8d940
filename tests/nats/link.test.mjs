// link.test.mjs - a sensor whose link to the broker is cut, or whose broker is away: every line arrives, or is counted.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { broker, missing, proxy, subscribe } from '../support/nats.mjs';
import { checkAccount, checkReturn, SENSOR } from '../support/sensor.mjs';

const options = { skip: missing() };

const start = (t, url, ...args) => serve(t, [...SENSOR, '--nats', url, ...args]);
const linesOf = async (daemon) => (await daemon.status()).ledger.lines;

/** The first frame with lines that were folded while the link was away; `from`: frames before that. */
const foldedLines = (got, from) =>
  until('the folded lines', () => got.lines.slice(from).find(({ afterLoss }) => afterLoss));

test('before the first link lines are folded; the first frame has them all', options, async (t) => {
  const { port } = await broker(t);
  const link = await proxy(t, port);
  const got = await subscribe(t, port);
  link.cut();
  const daemon = await start(t, link.url);
  await until('lines', async () => (await linesOf(daemon)) >= 20);
  assert.match(
    daemon.stderr,
    /^fftd: nats: nats:\/\/127\.0\.0\.1:\d+: .*; fftd tries again, and folds lines meanwhile$/m,
  );
  assert.doesNotMatch(
    daemon.stderr,
    /\.c:\d+|(No server available for connection).*\1/,
    'no place in libnats, and nothing twice',
  );
  link.mend();
  const first = await until('a frame', () => got.lines[0]);
  assert.ok(first.line >= 19 && first.afterLoss);
  assert.ok(Math.abs(first.peakDb + 20) < 0.01, 'the mean of all of them');
  assert.equal(await checkAccount(daemon, got), 0);
});

test('a link that is cut loses no line and no event', options, async (t) => {
  const { port } = await broker(t);
  const link = await proxy(t, port);
  const got = await subscribe(t, port);
  const daemon = await start(t, link.url, '--trigger', 'external,name=now');
  await until('lines', () => got.lines.length >= 5);
  const frames = got.lines.length;
  link.cut();
  await until('that it notices', async () => !(await daemon.status()).nats.connected);
  const before = await linesOf(daemon),
    { events } = await until('an event', async () => {
      daemon.child.kill('SIGUSR1');
      const list = await (await fetch(`${daemon.url}api/v1/events`)).json();
      return list.events.some(({ open }) => !open) && list;
    });
  await until('lines meanwhile', async () => (await linesOf(daemon)) >= before + 10);
  assert.equal(got.all('events').length, 0);
  link.mend();
  const next = await checkReturn(got, Date.now());
  const folded = await foldedLines(got, frames);
  assert.ok(folded.merged >= 10 && Math.abs(folded.peakDb + 20) < 0.01, `${folded.merged} lines in one frame`);
  assert.ok(next.line <= folded.line);
  const gap = await until('the account of the gap', () => got.newest('link'));
  assert.deepEqual([gap.links, gap.line, gap.dropped_lines, gap.dropped_events], [2, folded.line, 0, 0]);
  assert.ok(gap.lines >= 10 && gap.lines <= folded.merged && gap.back_ns > gap.lost_ns);
  await until('the events', () =>
    events.every(({ id }) => got.all('events').some((event) => event.id === id && !event.open)),
  );
  assert.equal(await checkAccount(daemon, got), 0);
});

test('what a network swallowed is sent again', options, async (t) => {
  const { port } = await broker(t);
  const link = await proxy(t, port);
  const got = await subscribe(t, port);
  const daemon = await start(t, link.url);
  await until('lines', () => got.lines.length >= 5);
  const frames = got.lines.length;
  link.swallow();
  await until('a new link', async () => (await daemon.status()).nats.links === 2);
  await foldedLines(got, frames);
  assert.ok((await daemon.status()).nats.again > 0);
  assert.equal(await checkAccount(daemon, got), 0);
});

test('a broker that takes a connection and does not answer is left, and tried again', options, async (t) => {
  const links = [];
  const silent = createServer((link) => {
    links.push(link.on('error', () => {}));
    link.write('INFO {"server_id":"x","version":"2.9.10","max_payload":1048576}\r\n');
  });
  await new Promise((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    silent.close();
    links.forEach((link) => link.destroy());
  });
  const daemon = await start(t, `nats://127.0.0.1:${silent.address().port}`);
  await until('that it gives up', () =>
    /^fftd: nats: .*; fftd tries again, and folds lines meanwhile$/m.test(daemon.stderr),
  );
  await until('two more tries', () => links.length === 3);
  assert.equal((await daemon.status()).nats.links, 0);
  assert.equal(await daemon.stop(), 0);
});

test('a broker that is killed and comes back: lines go on, and the counts are exact', options, async (t) => {
  const nats = await broker(t);
  const got = await subscribe(t, nats.port);
  const daemon = await start(t, nats.url);
  await until('lines', () => got.lines.length >= 5);
  await nats.kill();
  await until('that it notices', async () => !(await daemon.status()).nats.connected);
  const before = await linesOf(daemon);
  await until('lines meanwhile', async () => (await linesOf(daemon)) >= before + 10);
  await nats.start();
  await checkReturn(got, Date.now());
  await checkAccount(daemon, got); // this subscriber was away, too, and counts what it missed
});

test('settings that change while the link is away make a frame of their own', options, async (t) => {
  const { port } = await broker(t);
  const link = await proxy(t, port);
  const got = await subscribe(t, port);
  const daemon = await start(t, link.url);
  const set = async (query) => {
    const { status } = await fetch(`${daemon.url}api/v1/settings?${query}`, { method: 'PUT' });
    assert.equal(status, 200);
    const lines = await linesOf(daemon);
    await until('lines with it', async () => (await linesOf(daemon)) >= lines + 4);
  };
  await until('lines', () => got.lines.length >= 5);
  link.cut();
  await until('that it notices', async () => !(await daemon.status()).nats.connected);
  await set('center_hz=101M');
  await set('center_hz=102M');
  link.mend();
  await until('the last', () => got.lines.at(-1).centerHz === 102e6);
  assert.deepEqual([...new Set(got.lines.map(({ centerHz }) => centerHz))], [100e6, 101e6, 102e6]);
  assert.equal(await checkAccount(daemon, got), 0);
});

test('nobody else confirms a message', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await subscribe(t, port);
  const daemon = await start(t, url);
  await until('lines', () => got.lines.length >= 3);
  for (const text of ['', '0', '-1', '18446744073709551615', '1e9', '7\0', 'x'.repeat(5000), '\xff\xfe{'])
    got.client.publish('fftd.lab.r1.echo', text);
  const lines = got.lines.length;
  await until('more lines', () => got.lines.length > lines + 40);
  const { nats } = await daemon.status();
  assert.deepEqual([nats.connected, nats.links], [true, 1]);
  await checkAccount(daemon, got);
});

/* ---- rights ---- */

/** The rights of docs/many-radios.md: a sensor publishes its own subjects, and hears its echo. */
const rights = `authorization { users = [
    { user: lab, password: secret, permissions: { publish: "fftd.lab.r1.>", subscribe: "fftd.lab.r1.echo" } }
    { user: other, password: secret, permissions: { publish: "fftd.other.>", subscribe: "fftd.other.*.echo" } }
    { user: hub, password: secret } ] }\n`;

test('a sensor needs the rights to its own subjects alone, and without them says so', options, async (t) => {
  const { port, url } = await broker(t, { config: rights });
  const got = await subscribe(t, port, { user: 'hub', password: 'secret' });
  const file = (text) => {
    const path = join(scratch(), 'login');
    writeFileSync(path, text);
    return path;
  };
  const daemon = await start(t, url, '--nats-credentials', file('lab:secret\n'));
  await until('lines', () => got.lines.length >= 3);
  await checkAccount(daemon, got);
  for (const [login, message] of [
    ['lab:wrong', /nats: .*Authentication Violation.*; fftd tries again/],
    ['other:secret', /nats: .*Permissions Violation.*fftd\.lab\.r1.*; fftd tries again/],
  ]) {
    const refused = await start(t, url, '--nats-credentials', file(login));
    await until(login, () => message.test(refused.stderr));
    assert.ok(!refused.stderr.includes('secret'));
    assert.equal(await refused.stop(), 0);
  }
});

test('TLS: a broker is trusted by its authority and its name', options, async (t) => {
  const folder = scratch();
  const openssl = (...args) => assert.equal(spawnSync('openssl', args, { cwd: folder }).status, 0, args.join(' '));
  for (const name of ['127.0.0.1', '127.0.0.2'])
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=IP:${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    );
  const brokerOf = (name) =>
    broker(t, { config: `tls { cert_file: "${folder}/${name}.pem", key_file: "${folder}/${name}.key" }\n` });
  const tls = ({ port }) => `tls://127.0.0.1:${port}`;
  const good = await brokerOf('127.0.0.1');
  const daemon = await start(t, tls(good), '--nats-ca', `${folder}/127.0.0.1.pem`);
  await until('the link', async () => (await daemon.status()).nats.links === 1);
  const wrong = [
    [good, '127.0.0.2', 'another authority'],
    [await brokerOf('127.0.0.2'), '127.0.0.2', 'another name'],
  ];
  for (const [nats, ca, what] of wrong) {
    const refused = await start(t, tls(nats), '--nats-ca', `${folder}/${ca}.pem`);
    await until(what, () => /nats: tls:.*(SSL|certificate).*; fftd tries again/i.test(refused.stderr));
    assert.equal((await refused.status()).nats.links, 0, what);
    await refused.stop();
  }
});
