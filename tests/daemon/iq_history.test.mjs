// iq_history.test.mjs - the disk ring of the whole daemon: samples older than the IQ ring, and those of a killed run.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');
const check = (folder, name, ...args) =>
  JSON.parse(execFileSync('python3', [reader, join(folder, name), ...args], { encoding: 'utf8' }));
const RATE = 200e3;

/** fftd on samples that carry their own number, with a short IQ ring. */
async function served(t, folder, ...more) {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--device',
    'scene=counter',
    '--format',
    'cs16',
    '--rate',
    `${RATE}`,
    '--center',
    '433.92M',
    '--fft-size',
    '256',
    '--ring-size',
    '128k',
    '--record',
    folder,
    '--iq-history',
    '64M',
    ...more,
  ]);
  const post = async (query) => {
    const answer = await fetch(`${daemon.url}api/v1/recordings?${query}`, { method: 'POST' });
    return [answer.status, await answer.json()];
  };
  const ended = (id) =>
    until('its end', async () => {
      const info = await (await fetch(`${daemon.url}api/v1/recordings/${id}`)).json();
      return info.state !== 'running' && info;
    });
  const written = (seconds) =>
    until('samples on the disk', async () => (await daemon.status()).iq_history.written > seconds * RATE);
  return { daemon, post, ended, written };
}

test('a recording and a box start where the disk ring reaches back to', async (t) => {
  const folder = scratch(t),
    { daemon, post, ended, written } = await served(t, folder);
  await written(1.5); // the IQ ring has 0.16 s
  assert.deepEqual(await post('pre=1.2&duration=0.2'), [201, { id: 1 }]);
  assert.deepEqual(await post('pre=1.2&duration=0.2&low=433.915M&high=433.925M'), [201, { id: 2 }]);
  const whole = await ended(1),
    box = await ended(2);
  const { iq_history: state } = await daemon.status();
  assert.equal(whole.samples + whole.missing, 1.4 * RATE);
  assert.ok(whole.missing <= state.overrun, `${whole.missing} are missing, ${state.overrun} were lost`);
  assert.equal(check(folder, whole.name, '--counter').samples, whole.samples);
  assert.equal(box.rate_hz, 12500);
  assert.ok(box.missing > 0 || box.lost > 0 || box.samples === 1.4 * 12500, JSON.stringify(box));
  assert.equal(state.bytes, 64 * 2 ** 20);
  assert.equal(statSync(join(folder, 'fftd.iq-history')).size, state.bytes);
  assert.ok(state.used_bytes >= 4 * 1.5 * RATE && state.seconds >= 1.5, JSON.stringify(state));
  assert.match(state.oldest, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.match(await (await fetch(`${daemon.url}metrics`)).text(), /^fftd_iq_history_written_samples_total \d+$/m);
});

test('the samples of a killed run are there by their time', async (t) => {
  const folder = scratch(t),
    first = await served(t, folder);
  await first.written(1);
  const {
    iq_history: { oldest, overrun },
  } = await first.daemon.status();
  first.daemon.child.kill('SIGKILL');
  await until('its end', () => first.daemon.child.signalCode);
  const second = await served(t, folder);
  const from = (Date.parse(`${oldest.slice(0, 23)}Z`) + 250) / 1000;
  assert.deepEqual(await second.post(`from=${from}&duration=0.5`), [201, { id: 1 }]);
  const info = await second.ended(1);
  assert.equal(info.samples + info.missing, 0.5 * RATE);
  assert.ok(info.missing <= overrun);
  const found = check(folder, info.name, '--counter');
  if (overrun === 0)
    // the ring's oldest sample is number 0, at a time in microseconds
    assert.ok(Math.abs(found.first - 0.25 * RATE) < 0.0011 * RATE, `${found.first}`);
  assert.deepEqual(await second.post(`from=${from - 86400}&duration=0.1`), [201, { id: 2 }]); // before all samples
  const early = await second.ended(2);
  assert.equal(early.samples + early.missing, 0.1 * RATE);
  assert.ok(early.missing <= overrun);
});

test('a ring that cannot be had gets one line', async (t) => {
  const folder = scratch(t);
  const sim = ['--source', 'sim', '--fast', '--duration', '0.1'];
  for (const [args, message] of [
    [['--iq-history', '1G'], /--iq-history: no directory for recordings: give --record DIR/],
    [['--iq-history', '1M', '--record', folder], /--iq-history: .*expected 0, or a whole number of bytes from 64M/],
    [
      ['--iq-history', '1048576G', '--record', folder],
      /fftd.iq-history: it needs 1125899906842624 bytes, and \d+ are free/,
    ],
    [['--iq-history', '64M', '--record', folder, '--iq-history-dir', '/nonexistent/x'], /\/nonexistent\/x: No such/],
  ]) {
    const { code, stderr } = await run([...sim, ...args]);
    assert.equal(code, 1, `${args}`);
    assert.match(stderr, message);
    assert.equal(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('source sim')).length,
      1,
      stderr,
    );
  }
});
