// detectors.test.mjs - the sample detector is made only while somebody reads it, and then by everybody who may.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const ARGS = [
  '--source',
  'sim',
  '--rate',
  '1M',
  '--fft-size',
  '1024',
  '--window',
  'flat-top',
  '--ring-size',
  '128M', // more than the delay of a slow machine
  '--device',
  'scene=tone,level=-10.2,offset=250e3',
];
const ALL = ['mean', 'max', 'min', 'sample'],
  USUAL = ALL.slice(0, 3);

async function run(t, more = []) {
  const daemon = await serve(t, [...ARGS, ...more]);
  await until('a line', async () => (await daemon.status()).ledger.lines > 0);
  return daemon;
}

const madeBy = async (daemon) => (await daemon.status()).spectrum.detectors;
const becomes = (daemon, detectors) =>
  until(`the detectors ${detectors}`, async () => `${await madeBy(daemon)}` === `${detectors}`);

async function view(daemon, detector) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const client = { frames: 0, errors: [], close: () => socket.close() };
  socket.on('message', (data, binary) => {
    if (binary) client.frames += 1;
    else if (JSON.parse(data).type === 'error') client.errors.push(`${data}`);
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.send(JSON.stringify({ type: 'hello' }));
  socket.send(JSON.stringify({ type: 'view', id: 1, detector, columns: 100 }));
  socket.send(JSON.stringify({ type: 'credit', rounds: 1 }));
  return client;
}

test('a view of sample has it made while the view lasts, and no sample is lost', async (t) => {
  const daemon = await run(t);
  assert.deepEqual(await madeBy(daemon), USUAL);
  const client = await view(daemon, 'sample');
  await becomes(daemon, ALL);
  await until('a frame', () => client.frames > 0);
  client.close();
  await becomes(daemon, USUAL); // five seconds after that
  assert.deepEqual(client.errors, []);
  const { ledger } = await daemon.status();
  assert.deepEqual([ledger.lost.overrun, ledger.lost.gap, ledger.lost.tail], [0, 0, 0]);
});

test('over HTTP the first request of sample waits for the line that has it', async (t) => {
  const daemon = await run(t);
  const answer = await fetch(`${daemon.url}api/v1/spectrum?detector=sample`);
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).detector, 'sample');
  assert.equal((await fetch(`${daemon.url}api/v1/spectrum?detector=max`)).status, 200);
});

test('a measurement and an output of sample have it from the first line on', async (t) => {
  for (const more of [
    ['--measure', 'peaks,detector=sample,name=a'],
    ['--csv', '/dev/null', '--detector', 'sample'],
  ]) {
    const daemon = await run(t, more);
    assert.deepEqual(await madeBy(daemon), ALL);
  }
});

test('a measurement of sample that is added has it made', async (t) => {
  const daemon = await run(t);
  const put = await fetch(`${daemon.url}api/v1/measurements/a?type=peaks&detector=sample`, { method: 'PUT' });
  assert.equal(put.status, 201, await put.text());
  await becomes(daemon, ALL);
});
