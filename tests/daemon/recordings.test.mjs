// recordings.test.mjs - recordings through the whole daemon, compared with published measurements.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanLevels, offsetOf, parseCsv, recording, run, strongest } from '../support/fftd.mjs';

const wmbus = recording('wmbus_868.950M_1600k.cu8');
const modes = recording('modes1_1090M_2000k.cu8');
const logo = recording('sigmf_logo.sigmf-meta');
const skip = (path) => ({ skip: path ? false : 'FFTD_IQ_DIR is not set' });

async function csv(args) {
  const { code, stdout, stderr } = await run([...args, '--csv', '-']);
  assert.equal(code, 0, stderr);
  return parseCsv(stdout);
}

test('rate and centre come from the name of the recording', skip(wmbus), async () => {
  const [row] = await csv(['--replay', wmbus, '--fft-size', '1024', '--lines', '1']);
  assert.equal((row.low + row.high) / 2, 868.95e6);
  assert.equal(row.high - row.low, 1.6e6);
  assert.equal(row.levels.length, 1024);
});

test('the two bursts of the wM-Bus recording begin at 0.239 s and 0.456 s', skip(wmbus), async () => {
  const rows = await csv([
    '--replay',
    wmbus,
    '--fft-size',
    '1024',
    '--overlap',
    '50',
    '--line-rate',
    '200',
    '--detector',
    'max',
  ]);
  // A burst is on where the strongest level is 20 dB above the median of the quiet rows.
  const peaks = rows.map((row) => Math.max(...row.levels));
  const quiet = [...peaks].sort((a, b) => a - b)[peaks.length >> 1];
  const starts = rows.filter((_, i) => peaks[i] > quiet + 20 && !(peaks[i - 1] > quiet + 20));
  // A line lasts 5 ms: the burst begins within the first line that shows it.
  const near = (seconds) =>
    starts.some((row) => row.seconds <= seconds + 0.005 && row.seconds + 0.0051 >= seconds - 0.005);
  assert.ok(near(0.2393), `no burst at 0.2393 s among ${starts.map((row) => row.seconds)}`);
  assert.ok(near(0.4556), `no burst at 0.4556 s among ${starts.map((row) => row.seconds)}`);
});

test('its FSK tones lie at -63.2 and +35.9 kHz', skip(wmbus), async () => {
  const rows = await csv(['--replay', wmbus, '--fft-size', '4096', '--line-rate', '200']);
  const levels = meanLevels(rows);
  for (const [expected, from, to] of [
    [-63.2e3, -90e3, -14e3],
    [35.9e3, -14e3, 90e3],
  ]) {
    const found = offsetOf(rows[0], strongest(rows[0], levels, from, to));
    assert.ok(Math.abs(found - expected) < 1000, `${found} Hz instead of ${expected} Hz`);
  }
});

test('the deviation of the meter is known to 0.1 % of the span', skip(wmbus), async () => {
  const { code, stdout, stderr } = await run([
    wmbus,
    '--fft-size',
    '256',
    '--overlap',
    '75',
    '--line-rate',
    '200',
    '--measure',
    'fm,center=868.936M,bandwidth=200k,samples=8192,squelch=-12',
    '--measure',
    'peaks,count=2,excursion=1,sort=frequency',
    '--measure-json',
    '-',
  ]);
  assert.equal(code, 0, stderr);
  // The line that lies within the first burst, which is on from 0.2393 s for 6.7 ms.
  const results = stdout
    .toString()
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
  const [fm, peaks] = ['fm', 'peaks'].map((type) =>
    results.find((r) => r.type === type && r.time.endsWith('00.240000Z')),
  );
  const near = (hz, want) => assert.ok(Math.abs(hz - want) <= 1.6e6 / 1000, `${hz} Hz instead of ${want} Hz`);
  near(fm.values.deviation_rms_hz, (63.2e3 + 35.9e3) / 2);
  near(fm.values.carrier_hz, 868.95e6 + (35.9e3 - 63.2e3) / 2);
  near(peaks.rows[0].frequency_hz, 868.95e6 - 63.2e3);
  near(peaks.rows[1].frequency_hz, 868.95e6 + 35.9e3);
});

test('the strongest line of the Mode S recording lies at -66 kHz', skip(modes), async () => {
  const rows = await csv(['--replay', modes, '--fft-size', '2048']);
  const found = offsetOf(rows[0], strongest(rows[0], meanLevels(rows)));
  assert.ok(Math.abs(found + 66e3) < 3000, `${found} Hz`);
});

test('two replays give the same bytes', skip(wmbus), async () => {
  const args = ['--replay', wmbus, '--fft-size', '1024', '--line-rate', '200', '--detector', 'mean'];
  const first = await run([...args, '--csv', '-']);
  const second = await run([...args, '--csv', '-']);
  assert.ok(first.stdout.length > 100000);
  assert.ok(first.stdout.equals(second.stdout));
  const json = [await run([...args, '--json', '-']), await run([...args, '--json', '-'])];
  assert.ok(json[0].stdout.length > 100000);
  assert.ok(json[0].stdout.equals(json[1].stdout));
});

test('every sample of a recording is accounted for', skip(wmbus), async () => {
  for (const [size, overlap] of [
    ['64', '0'],
    ['1024', '75'],
    ['65536', '50'],
    ['1048576', '0'],
  ]) {
    const { stdout, code } = await run(['--replay', wmbus, '--fft-size', size, '--overlap', overlap, '--stats', '-']);
    assert.equal(code, 0);
    const stats = JSON.parse(stdout);
    assert.equal(stats.samples, 1048576);
    assert.equal(stats.seen + stats.lost.tail, 1048576);
    assert.ok(stats.lost.tail < Number(size));
    assert.equal(stats.lost.overflow + stats.lost.overrun + stats.lost.gap, 0);
  }
});

test('clipped samples are counted: 0.57 % of the bytes are on a rail', skip(wmbus), async () => {
  const { stdout } = await run(['--replay', wmbus, '--stats', '-']);
  // A sample has two bytes: between half of, and all of, its bytes may be at a rail.
  const { clipped } = JSON.parse(stdout),
    bytes = 0.0057 * 2097152;
  assert.ok(clipped > bytes / 2 && clipped <= bytes * 1.01, `${clipped} samples`);
});

test('of a SigMF recording of two real channels, one is read as half a spectrum', skip(logo), async () => {
  for (const channel of [[], ['--rx-channel', '1']]) {
    const { code, stderr, stdout } = await run(['--replay', logo, '--csv', '-', ...channel]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`reading channel ${channel[1] ?? 0} of 2, from 0 to 1`));
    assert.match(stderr, /real samples at 48000 S\/s/);
    const rows = parseCsv(stdout);
    assert.ok(rows.length > 0);
    assert.ok(
      rows.every(({ low, high }) => Math.abs(low) < 10 && Math.abs(high - 24000) < 10),
      stderr,
    );
  }
  const { code, stderr } = await run(['--replay', logo, '--rx-channel', '2']);
  assert.equal(code, 1);
  assert.match(stderr, /--rx-channel 2: it has 2 channels, from 0 to 1/);
});
