// record_files.test.mjs - the files of recordings over HTTP, compared with those of the directory.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';

const PATH = 'api/v1/recording-files/',
  NAME = 'fftd_20261121T101500Z_433.92M_2400k';

/** Puts a complete recording into the directory. A number: its bytes, which are a hole. */
function place(folder, name, samples) {
  writeFileSync(join(folder, `${name}.sigmf-data`), typeof samples === 'number' ? '' : samples);
  if (typeof samples === 'number') truncateSync(join(folder, `${name}.sigmf-data`), samples);
  writeFileSync(join(folder, `${name}.sigmf-meta`), '{"global": {}}\n');
}

async function served(t, ...more) {
  const folder = scratch(t);
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--realtime', '--record', folder, ...more]);
  return { folder, daemon, url: `${daemon.url}${PATH}` };
}

/** Sends a path as it is. Resolves with status and text; 400: the server closes the connection. */
const getRaw = (url, path) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    get({ hostname, port, path }, (answer) => {
      let text = '';
      answer.on('data', (data) => {
        text += data;
      });
      answer.on('end', () => resolve([answer.statusCode, text]));
    }).on('error', (error) => (error.code === 'ECONNRESET' ? resolve([400, '']) : reject(error)));
  });

/** The largest resident memory of the process so far, in bytes. */
const peakMemory = (pid) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;

test('samples and metadata are downloaded as they are, under their names', async (t) => {
  const { folder, url } = await served(t);
  const samples = randomBytes(3_000_001);
  place(folder, NAME, samples);
  const data = await fetch(`${url}${NAME}.sigmf-data`);
  assert.equal(data.status, 200);
  assert.equal(data.headers.get('content-length'), '3000001');
  assert.equal(data.headers.get('content-type'), 'application/octet-stream');
  assert.equal(data.headers.get('content-disposition'), `attachment; filename="${NAME}.sigmf-data"`);
  assert.ok(Buffer.from(await data.arrayBuffer()).equals(samples));
  const meta = await fetch(`${url}${NAME}.sigmf-meta`);
  assert.equal(meta.headers.get('content-type'), 'application/json');
  assert.equal(await meta.text(), '{"global": {}}\n');
});

test('a recording is downloaded when it has ended, without the token too', async (t) => {
  const { daemon, url } = await served(t, '--token', 'secret-secret-secret');
  const headers = { Authorization: 'Bearer secret-secret-secret' };
  const list = async () => (await (await fetch(`${daemon.url}api/v1/recordings`)).json()).recordings[0];
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  await fetch(`${daemon.url}api/v1/recordings`, { method: 'POST', headers });
  await until('samples', async () => (await list()).samples > 100000);
  const { name } = await list(),
    file = `${url}${name}.sigmf-data`;
  const early = await fetch(file);
  assert.equal(early.status, 409);
  assert.match(await early.text(), /the recording has not ended/);
  await fetch(`${daemon.url}api/v1/recordings/1`, { method: 'DELETE', headers });
  await until('its end', async () => (await list()).state === 'done');
  const bytes = Buffer.from(await (await fetch(file)).arrayBuffer());
  assert.equal(bytes.length, (await list()).bytes);
});

test('more than 4 GiB have the right length', async (t) => {
  const { folder, url } = await served(t);
  place(folder, NAME, 5 * 2 ** 30 + 3);
  const head = await fetch(`${url}${NAME}.sigmf-data`, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(5 * 2 ** 30 + 3));
});

test('a large file passes through little memory', async (t) => {
  const { folder, daemon, url } = await served(t);
  const bytes = 400e6;
  place(folder, NAME, bytes);
  await (await fetch(`${url}${NAME}.sigmf-meta`)).text();
  const before = peakMemory(daemon.pid);
  let got = 0;
  for await (const chunk of (await fetch(`${url}${NAME}.sigmf-data`)).body) got += chunk.length;
  assert.equal(got, bytes);
  const more = peakMemory(daemon.pid) - before;
  assert.ok(more < bytes / 4, `${more} bytes more`);
});

test('only files of recordings are served: no other, no folder above, no link', async (t) => {
  const { folder, url } = await served(t);
  place(folder, NAME, Buffer.from('1234'));
  place(folder, 'secret', Buffer.from('1234'));
  writeFileSync(join(folder, 'fftd_x.sigmf-part'), 'journal');
  place(folder, 'fftd_link', Buffer.from('1234'));
  rmSync(join(folder, 'fftd_link.sigmf-data'));
  symlinkSync('/etc/hostname', join(folder, 'fftd_link.sigmf-data'));
  for (const name of [
    '',
    '.',
    '..',
    'secret.sigmf-data',
    'fftd_x.sigmf-part',
    'fftd_link.sigmf-data',
    NAME,
    `${NAME}.sigmf-data/`,
    `fftd_y/../../${NAME}.sigmf-data`,
    `fftd_%2f..%2f..%2f${NAME}.sigmf-data`,
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    `${NAME}.sigmf-data%00`,
    'fftd_nothing.sigmf-meta',
  ]) {
    const [status, text] = await getRaw(url, `/${PATH}${name}`);
    assert.ok(status >= 400 && status < 500, `${name}: ${status} ${text}`);
  }
  assert.deepEqual(await getRaw(url, `/${PATH}${NAME}.sigmf-data`), [200, '1234']);
});

test('downloads that end early make room for others', async (t) => {
  const { folder, url } = await served(t);
  place(folder, NAME, 50e6);
  for (let i = 0; i < 40; i++) {
    const answer = await fetch(`${url}${NAME}.sigmf-data`);
    assert.equal(answer.status, 200, `the ${i}th`);
    await answer.body.cancel();
    // the server learns of it when the connection closes
    await until('room', async () => (await fetch(`${url}${NAME}.sigmf-meta`)).status === 200);
  }
});

/** Starts a download and reads nothing of it. Resolves with its status. */
const hold = (t, url, localAddress, visitor) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = get(
      {
        hostname,
        port,
        path: `/${PATH}${NAME}.sigmf-data`,
        localAddress,
        agent: false,
        headers: visitor ? { 'X-Forwarded-For': visitor } : {},
      },
      (answer) => resolve(answer.statusCode),
    );
    request.on('error', reject);
    t.after(() => request.destroy());
  });

test('one address does not hold all downloads, and visitors of a proxy share what it has', async (t) => {
  const { folder, daemon, url } = await served(t);
  place(folder, NAME, 50e6);
  const most = async (from, visitor = () => null) => {
    let count = 0;
    while ((await hold(t, url, from, visitor(count))) === 200) count++;
    return count;
  };
  assert.equal(await most('127.0.0.2'), 8);
  assert.equal(await most('127.0.0.3', (i) => `192.0.2.${i}`), 4); // forged: one address all the same
  assert.equal(await most('127.0.0.1', () => '198.51.100.1'), 2);
  for (const from of ['127.0.0.4', '127.0.0.5']) assert.equal(await most(from), 1);
  const next = await fetch(`${url}${NAME}.sigmf-data`);
  assert.equal(next.status, 503);
  assert.match(await next.text(), /16 recordings are being downloaded/);
  assert.equal((await fetch(`${daemon.url}api/v1/status`)).status, 200);
});

test('a file that becomes shorter ends the connection, and fftd goes on', async (t) => {
  const { folder, url } = await served(t);
  place(folder, NAME, 50e6);
  const answer = await fetch(`${url}${NAME}.sigmf-data`);
  truncateSync(join(folder, `${NAME}.sigmf-data`), 1000);
  await assert.rejects(answer.arrayBuffer());
  assert.equal((await fetch(`${url}${NAME}.sigmf-meta`)).status, 200);
});

test('without --record there is no file', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--realtime']);
  assert.equal((await fetch(`${daemon.url}${PATH}${NAME}.sigmf-data`)).status, 404);
});
