// realtime.test.mjs - the daemon at real rates with a connected browser: no sample may be lost.
//
// The short run is part of every test run. It passes on a busy machine: its ring holds many seconds,
// and it checks the clock only for samples that are too early. With FFTD_FULL, runs take a minute at
// 2.4, 20 and 61.44 MS/s, keep up with the clock in a ring of one second, and print their cost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, lostSamples, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

/** A browser that draws every frame at once. */
async function watch(url) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3');
  const seen = { frames: 0, lines: 0, first: null, last: null, close: () => socket.close() };
  socket.on('message', (data, binary) => {
    if (!binary) return;
    const merged = data.readUInt32LE(24),
      line = Number(data.readBigUInt64LE(16));
    seen.frames++;
    seen.lines += merged;
    seen.first ??= line - merged + 1;
    seen.last = line;
    socket.send('{"type":"credit","count":1}');
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.send('{"type":"view","id":1,"columns":1024,"detector":"max"}');
  await until('the first frame', () => seen.frames > 0);
  return seen;
}

const start = (t, rate, ...more) =>
  serve(t, [
    '--source',
    'sim',
    '--rate',
    `${rate}`,
    '--fft-size',
    '4096',
    '--overlap',
    '50',
    '--line-rate',
    '20',
    ...more,
  ]);

test('at 2.4 MS/s no sample is lost or early, and every line reaches the browser', async (t) => {
  const rate = 2.4e6,
    began = performance.now();
  const daemon = await start(t, rate, '--ring-size', '128M');
  const browser = await watch(daemon.url);
  const { ledger } = await until('five seconds of samples', async () => {
    const status = await daemon.status(),
      seconds = (performance.now() - began) / 1000;
    assert.ok(status.ledger.produced <= rate * seconds, `${status.ledger.produced} in ${seconds} s`);
    return status.ledger.seen >= 5 * rate && status;
  });
  assert.equal(lostSamples(ledger), 0);
  assert.equal(ledger.folded, 0);
  await until('the lines until then', () => browser.last >= ledger.lines - 1);
  const absent = browser.last - browser.first + 1 - browser.lines;
  const { server } = await daemon.status();
  assert.ok(absent >= 0 && absent <= server.lines_missed, `${absent} absent, ${server.lines_missed} missed`);
  browser.close();
});

async function keepsUp(t, rate, seconds) {
  const daemon = await start(t, rate);
  const browser = await watch(daemon.url);
  const cpu = cpuSeconds(daemon.pid),
    begin = await daemon.status(),
    from = browser.lines;
  await sleep(seconds * 1000);
  const used = cpuSeconds(daemon.pid) - cpu,
    { ledger, seconds: end } = await daemon.status();
  const lines = browser.lines - from,
    lasted = end - begin.seconds;
  browser.close();
  t.diagnostic(
    `${rate / 1e6} MS/s for ${lasted.toFixed(1)} s: ${lostSamples(ledger)} lost, `
      + `${((100 * used) / lasted).toFixed(0)} % of a core, ${(lines / lasted).toFixed(1)} lines/s, `
      + `${browser.frames} frames`,
  );
  assert.equal(lostSamples(ledger), 0);
  const made = ledger.produced - begin.ledger.produced;
  assert.ok(Math.abs(made / (rate * lasted) - 1) < 0.05, `${made} samples in ${lasted} s`);
  // The browser got every line, single or folded.
  assert.ok(lines > 19 * lasted - 5, `${lines} lines in ${lasted} s`);
}

const skip = process.env.FFTD_FULL ? false : 'long: script/test --full';
for (const rate of [2.4e6, 20e6, 61.44e6])
  test(`${rate / 1e6} MS/s for a minute`, { skip }, (t) => keepsUp(t, rate, 60));
