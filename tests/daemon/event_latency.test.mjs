// event_latency.test.mjs - the time from the first sample of a burst to its event on the websocket, with long and short lines.
//
// With FFTD_FULL, 200 bursts of each are timed, and the median must be below 50 ms at 20 lines/s and 10 ms at 500. Without it, some
// events only have to come after their burst.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscribe } from '../support/calls.mjs';
import { serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const full = Boolean(process.env.FFTD_FULL),
  COUNT = full ? 200 : 5;

for (const [lineRate, limitMs] of [
  [20, 50],
  [500, 10],
])
  test(`bursts at ${lineRate} lines/s`, async (t) => {
    const daemon = await serve(t, [
      '--source',
      'sim',
      '--rate',
      '2.4M',
      '--center',
      '100M',
      '--fft-size',
      '1024',
      '--line-rate',
      `${lineRate}`,
      '--trigger',
      'level=-40,band=100.74M:100.76M',
    ]);
    const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
      delays = new Map();
    t.after(() => socket.terminate());
    socket.on('message', (data, isBinary) => {
      const nowMs = performance.timeOrigin + performance.now(),
        message = isBinary ? {} : JSON.parse(data);
      for (const { id, exact, time } of message.type === 'event' ? message.events : [])
        if (exact && !delays.has(id)) delays.set(id, nowMs - 1000 * time);
    });
    await new Promise((resolve, reject) => {
      socket.on('open', resolve).on('error', reject);
    });
    socket.send(JSON.stringify({ type: 'hello' }));
    socket.send(JSON.stringify(subscribe('events')));
    await until('the bursts', () => delays.size >= COUNT + 2);
    const sorted = [...delays.values()].slice(2).sort((a, b) => a - b); // the first may be from before the connection
    const median = sorted[sorted.length >> 1];
    t.diagnostic(
      `median ${median.toFixed(1)} ms, 90 % below ${sorted[Math.floor(0.9 * sorted.length)].toFixed(1)} ms, of ${sorted.length}`,
    );
    assert.ok(sorted[0] > -1, `${sorted[0]} ms: before its burst`);
    if (full) assert.ok(median < limitMs, `median ${median} ms`);
  });
