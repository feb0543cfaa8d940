// sensor.mjs - a small sensor, and the account of its lines: each arrives, or is counted.

import assert from 'node:assert/strict';
import { slowness, until } from './fftd.mjs';

/** Options of fftd: a tone of -20 dBFS, 20 lines/s of 256 columns. */
export const SENSOR = [
  '--source',
  'sim',
  '--rate',
  '250k',
  '--fft-size',
  '1024',
  '--line-rate',
  '20',
  '-d',
  'scene=tone,level=-20',
  '--nats-site',
  'lab',
  '--nats-radio',
  'r1',
  '--nats-columns',
  '256',
  '--nats-rate',
  '20',
];

/** Stops it; every line of the run is in a frame, or counted as missing. Returns those that the link lost. */
export async function checkAccount(daemon, got) {
  assert.equal(await daemon.stop(), 0);
  const gone = await until('the last announcement', () => got.all('announce').find(({ state }) => state === 'gone'));
  const { lines, missing, newest, before } = got.reader;
  assert.equal(newest + 1, gone.lines + gone.missed);
  assert.equal(before + lines + missing, newest + 1);
  assert.deepEqual([gone.dropped_lines, gone.dropped_events], [0, 0]);
  return gone.lines - lines;
}

/** Lines go on after `back`, in less than two seconds. */
export async function checkReturn(got, back) {
  const next = await until('lines again', () => got.lines.find(({ receivedMs }) => receivedMs > back));
  assert.ok(next.receivedMs - back < 2000 * slowness, `back after ${next.receivedMs - back} ms`);
  return next;
}
