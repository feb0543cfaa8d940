// settings.test.mjs - /api/v1/settings: read by anybody, changed with control, with the units of the command line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, scratch, serve, until } from '../support/fftd.mjs';

const at = (daemon) => `${daemon.url}api/v1/settings`;
const read = async (daemon) => (await fetch(at(daemon))).json();

const put = (daemon, query, headers = {}) => change(daemon, `settings${query}`, { headers });

test('settings change over HTTP, all of a request or none, and cost no sample', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--center', '100M', '--ring-size', '128M']);
  const { settings, choices, refused } = await read(daemon);
  assert.deepEqual(
    [settings.center_hz, settings.rate_hz, settings.fft_size, settings.rbw_hz, settings.window, refused],
    [100e6, 1e6, 4096, 0, 'blackman-harris', ''],
  );
  assert.deepEqual([choices.ppm.min, choices.ppm.max], [-1000, 1000]);
  assert.deepEqual(await put(daemon, '?center_hz=433.92%20MHz&rbw_hz=2k&window=hann&line_rate=10'), [200, 'done']);
  // 1 MS/s and 1.5 bins: 1024 points have 1465 Hz, 512 have 2930.
  await until('the plan', async () => (await daemon.status()).spectrum.fft_size === 1024);
  const changed = (await read(daemon)).settings;
  assert.deepEqual(
    [changed.center_hz, changed.rbw_hz, changed.fft_size, changed.window, changed.line_rate],
    [433.92e6, 2000, 1024, 'hann', 10],
  );
  for (const [query, reason] of [
    ['', 'no setting is given'],
    ['?fft_size=1000', 'fft_size: 1000 is not a power of two from 64 to 4194304'],
    ['?overlap=75&overlap=50', 'overlap: given twice'],
    ['?overlap=75&colour=red', '"colour": there is no such key'],
    ['?overlap', 'a parameter has the form KEY=VALUE'],
    ['?center_hz=', 'center_hz: "" is not a number from 0 to 1000G'],
    ['?antenna=a%7fb', 'antenna: "a'],
  ]) {
    const [status, why] = await put(daemon, query);
    assert.equal(status, 400, query);
    assert.ok(why.startsWith(reason), why);
  }
  assert.deepEqual((await read(daemon)).settings, changed);
  assert.deepEqual(await put(daemon, '?fft_size=256'), [200, 'done']);
  assert.equal((await read(daemon)).settings.rbw_hz, 0); // it would override the size
  const { lost } = (await daemon.status()).ledger;
  assert.deepEqual([lost.overflow, lost.overrun, lost.gap], [0, 0, 0]);
  const other = await fetch(at(daemon), { method: 'DELETE' });
  assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD, PUT, PATCH']);
});

test('two settings of which one would be ignored are refused, with a line that names both', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--center', '100M', '--state-dir', scratch(t)]);
  const line = "a line's length follows from one of them",
    { settings } = await read(daemon);
  for (const [first, second, why, query] of [
    ['average', 'line_rate', line, '?average=16&line_rate=5'],
    ['average', 'line_rate', line, `?average=16&line_rate=${settings.line_rate}`],
    ['vbw_hz', 'average', line, '?average=16&vbw_hz=100'],
    ['vbw_hz', 'line_rate', line, '?vbw_hz=100&line_rate=5'],
    ['rbw_hz', 'fft_size', 'one follows from the other', '?rbw_hz=1k&fft_size=512'],
    ['span', 'center_hz', 'a sweep has many centres', '?span=88M:108M&center_hz=99M'],
    ['span', 'line_rate', 'the dwells set the time of a line', '?span=88M:108M&line_rate=5'],
    ['dwell', 'average', 'the frames of a dwell follow from one of them', '?dwell=5ms&average=16'],
  ])
    assert.deepEqual(await put(daemon, query), [400, `${first} and ${second} cannot be given together: ${why}`], query);
  assert.deepEqual((await read(daemon)).settings, settings);
  assert.equal((await (await fetch(`${at(daemon)}?average=16&line_rate=5`, { method: 'PUT' })).json()).key, 'average');
  // With 0 or "" an option is off.
  assert.deepEqual(await put(daemon, '?average=0&line_rate=10&vbw_hz=0&rbw_hz=0&fft_size=512&span=&center_hz=101M'), [
    200,
    'done',
  ]);
  assert.deepEqual(await put(daemon, '?average=16'), [200, 'done']);
  // What GET answers may be sent back, and a preset has both.
  const now = (await read(daemon)).settings,
    body = JSON.stringify({ ...now, window: 'hann' });
  assert.deepEqual([now.average, now.line_rate], [16, 10]);
  assert.deepEqual(await change(daemon, 'settings', { body, headers: { 'Content-Type': 'application/json' } }), [
    200,
    'done',
  ]);
  assert.deepEqual((await read(daemon)).settings, { ...now, window: 'hann' });
  assert.deepEqual(await change(daemon, 'presets/a', {}), [201, 'done']);
  assert.deepEqual(await put(daemon, '?line_rate=5'), [200, 'done']);
  assert.deepEqual(await change(daemon, 'presets/a?recall=yes', {}), [200, 'done']);
  assert.equal((await read(daemon)).settings.average, 16);
});

test('with a token, only those who have it change settings; a foreign page never does', async (t) => {
  const token = 'a token of enough letters',
    bearer = { Authorization: `Bearer ${token}` };
  const daemon = await serve(t, ['--source', 'sim', '--token', token]);
  assert.equal((await put(daemon, '?overlap=75'))[0], 401);
  assert.equal((await put(daemon, '?overlap=75', { ...bearer, Origin: 'http://evil.example' }))[0], 403);
  assert.equal((await read(daemon)).settings.overlap, 50);
  assert.deepEqual(await put(daemon, '?overlap=75', bearer), [200, 'done']);
  assert.equal((await read(daemon)).settings.overlap, 75);
});

test('a change of a test that stood still is made, though fftd has closed its connection', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '64k']);
  await daemon.status();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7000);
  assert.deepEqual(await put(daemon, '?window=hann'), [200, 'done']);
});
