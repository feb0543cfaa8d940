// rtl_433.test.mjs - rtl_433 decodes the simulated sensor from a channel of a wide stream.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve, until } from '../support/fftd.mjs';
import { needs, shell } from './stranger.mjs';

const options = needs({ rtl_433: ['rtl-433', ['-V']], curl: ['curl', ['-V']] });

// What scene=sensor sends, every 3 s (docs/input.md).
const SENT = [
  { model: 'Nexus-TH', id: 165, channel: 2, battery_ok: 1, temperature_C: 21.7, humidity: 48 },
  { model: 'Nexus-TH', id: 60, channel: 1, battery_ok: 1, temperature_C: -5.3, humidity: 91 },
];
const decoded = (text) =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { time, ...rest } = JSON.parse(line);
      return { rest, at: Number(/^@([\d.]+)s$/.exec(time)?.[1]) };
    });

test('both telegrams of a recording, and when they were sent', options, async () => {
  const got = decoded(
    await shell(
      '"$FFTD" --source sim -s 2.4M -f 433.62M -d scene=channels --full-speed --duration 3 '
        + '--channel center=433.92M,rate=250k,format=cu8 2>/dev/null | rtl_433 -s 250k -f 433.92M -F json -r cu8:- 2>/dev/null',
    ),
  );
  assert.deepEqual(
    got.map(({ rest }) => rest),
    SENT,
  );
  // rtl_433 finds the first pulse within two samples of its own
  for (const [i, at] of [0.1, 1.6].entries()) assert.ok(Math.abs(got[i].at - at) < 20e-6, `${got[i].at}`);
});

test('a sensor at -66 dBFS is found in eight bits with a gain of 60 dB, and not without', options, async () => {
  const found = async (gain) =>
    decoded(
      await shell(
        '"$FFTD" --source sim -s 2.4M -f 433.62M -d scene=sensor,level=-66,noise=-90,offset=300k '
          + `--full-speed --duration 3 --channel center=433.92M,rate=250k,format=cu8${gain} 2>/dev/null`
          + ' | rtl_433 -s 250k -f 433.92M -F json -r cu8:- 2>/dev/null',
      ),
    ).length;
  assert.equal(await found(',gain=0'), 0);
  assert.equal(await found(',gain=60'), 2);
});

test('curl of a running radio', options, async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '-s', '2.4M', '-f', '433.62M', '-d', 'scene=channels']);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  const text = await shell(
    `curl -sSfN '${daemon.url}api/v1/channel-stream?center_hz=433.92M&rate_hz=250k&format=cu8'`
      + ' | rtl_433 -s 250k -f 433.92M -F json -r cu8:- 2>/dev/null',
    (so_far) => SENT.every(({ id }) => so_far.includes(`"id" : ${id}`)),
  );
  const got = decoded(text).map(({ rest }) => rest);
  for (const telegram of SENT)
    assert.ok(
      got.some((one) => JSON.stringify(one) === JSON.stringify(telegram)),
      text,
    );
  assert.ok(
    got.every((one) => SENT.some(({ id }) => one.id === id)),
    text,
  );
});

test('as a client of the rtl_tcp server', options, async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '-s',
    '2.4M',
    '-f',
    '433.62M',
    '-d',
    'scene=channels',
    '--rtl-tcp',
    '0',
  ]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  const port = /serving rtl_tcp at 127\.0\.0\.1:(\d+)/.exec(daemon.stderr)[1];
  const text = await shell(`rtl_433 -d rtl_tcp:127.0.0.1:${port} -f 433.92M -s 250k -F json 2>/dev/null`, (so_far) =>
    SENT.every(({ id }) => so_far.includes(`"id" : ${id}`)),
  );
  const got = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ time, ...rest }) => rest);
  for (const telegram of SENT)
    assert.ok(
      got.some((one) => JSON.stringify(one) === JSON.stringify(telegram)),
      text,
    );
});
