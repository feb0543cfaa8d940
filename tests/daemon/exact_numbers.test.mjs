// exact_numbers.test.mjs - a frequency at 10 GHz with a fraction of a hertz is the same number in all that fftd writes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';

// 12 digits of it are 10000000000.1, and 15 are 10000000000.1235. A bin of the line is 1 Hz, so 12 digits lose 0.02 bins.
const CENTER = 10000000000.123457,
  RATE = 4096.0000123456,
  TEXT = '10000000000.123457';
const RADIO = ['--source', 'sim', '--rate', String(RATE), '--center', TEXT, '--fft', '4096', '--window', 'rect'];
const read = (folder, name) => readFileSync(join(folder, name), 'utf8');

test('lines, measurements, events and the summary have the centre as it was given', async (t) => {
  const folder = scratch(t),
    at = (name) => join(folder, name);
  const { code, stderr } = await run([
    ...RADIO,
    '--fast',
    '--lines',
    '4',
    '--line-rate',
    '1',
    '--listen',
    'none',
    '--json',
    at('lines'),
    '--csv',
    at('csv'),
    '--measure',
    `marker,frequency=${TEXT}`,
    '--measure-json',
    at('values'),
    '--trigger',
    'level=-200',
    '--events',
    at('events.csv'),
    '--stats',
    at('stats'),
  ]);
  assert.equal(code, 0, stderr);
  const line = JSON.parse(read(folder, 'lines').split('\n')[0]);
  assert.equal(line.center_hz, CENTER);
  assert.match(read(folder, 'lines'), new RegExp(`"center_hz":${TEXT.replace('.', '\\.')},`));
  assert.equal(line.rate_hz, RATE);
  assert.equal(line.column_hz, RATE / 4096);
  const marker = JSON.parse(read(folder, 'values').split('\n')[0]).values.frequency_hz;
  assert.equal(marker, line.low_hz + (2048 + 0.5) * (RATE / 4096), 'the bin at the centre');
  assert.equal(Number(read(folder, 'csv').split(', ')[4]), RATE / 4096, 'the step of a row');
  const events = read(folder, 'events.csv')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(', '));
  assert.ok(events.length > 0);
  for (const [, , , , , low, high] of events) {
    const bins = [low, high].map((hz) => (Number(hz) - CENTER) / (RATE / 4096));
    assert.ok(
      bins.every((bin) => Math.abs(bin * 2 - Math.round(bin * 2)) < 0.001),
      `${low} to ${high} are ends of bins`,
    );
  }
  assert.equal(JSON.parse(read(folder, 'stats')).sample_rate_hz ?? RATE, RATE);
});

test('settings, the spectrum, and presets have it over HTTP, and the preset after a restart', async (t) => {
  const folder = scratch(t),
    args = [...RADIO, '--state-dir', folder];
  const daemon = await serve(t, args);
  const api = (path, init) => fetch(`${daemon.url}api/v1/${path}`, init);
  const raw = async (path, init) => (await api(path, init)).text();
  assert.equal((await api(`settings?center_hz=${TEXT}`, { method: 'PATCH' })).status, 200);
  await until('a line', async () => (await api('spectrum')).ok);
  for (const path of ['settings', 'status', 'spectrum?columns=64', 'density'])
    assert.match(await raw(path), new RegExp(`"center_hz": ?${TEXT.replace('.', '\\.')}\\b`), path);
  assert.equal((await api('presets/far', { method: 'PUT' })).status, 201);
  assert.equal(await daemon.stop(), 0);
  assert.match(read(folder, 'presets.json'), new RegExp(`"center_hz": ${TEXT.replace('.', '\\.')}`));
  const again = await serve(t, args);
  assert.equal((await (await fetch(`${again.url}api/v1/presets`)).json()).presets.far.center_hz, CENTER);
});
