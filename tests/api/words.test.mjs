// words.test.mjs - the page's words for what the daemon says: each type of measurement has a title and a group, and what
// the page offers after a refusal mends it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GROUPS, groupOf, labelOf, mendOf } from '../../web/util/words.js';
import { run, scratch } from '../support/fftd.mjs';
import { encode, noise, sum, tone } from '../support/signal.mjs';

const RATE = 1e6,
  OFFSET = 100e3;
const hz = (value) => `${value} Hz`;

/** The last reason that a measurement of a tone at 100.1 MHz, 40 dB above noise, has no values; null: it has. */
async function refusal(t, measurement, ...args) {
  const path = join(scratch(t), 'x_100M_1000k.cf32');
  writeFileSync(path, encode('cf32', 1 << 17, sum(tone(0.1, OFFSET / RATE), noise(1e-6, 7))));
  const size = args.includes('--rbw') ? [] : ['--fft-size', '1024'];
  const { code, stdout, stderr } = await run([
    '--replay',
    path,
    ...size,
    '--measure-json',
    '-',
    '--measure',
    measurement,
    ...args,
  ]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout.toString().trimEnd().split('\n').at(-1)).reason;
}

/** Keys that mend a measurement stand behind it. */
const withKeys = (measurement, keys) =>
  [
    measurement.split(',').filter((part) => !(part.split('=')[0] in keys)),
    Object.entries(keys).map(([key, value]) => `${key}=${value}`),
  ]
    .flat()
    .join(',');

test('every measurement of the daemon has a title that is no option key, and a group', async () => {
  const { stdout } = await run(['list', 'measurements']);
  const types = [...stdout.toString().matchAll(/^([\w-]+): /gm)].map(([, type]) => type);
  assert.ok(types.length >= 17, `${types}`);
  for (const type of types) {
    assert.match(labelOf(type), /^[A-Z][a-z]+( [a-z(]|$)/, type);
    assert.ok(GROUPS.includes(groupOf(type)) && groupOf(type), type);
  }
  assert.equal(labelOf('acpr'), 'Adjacent channel power');
});

test('keys and values are words in sentence case', () => {
  const labels = ['center', 'above-noise', 'rbw', 'power_mean', 'roll-off'].map(labelOf);
  assert.deepEqual(labels, ['Centre', 'Above noise', 'RBW', 'Power mean', 'Roll off']);
});

test('a refusal for its RBW offers one that is accepted', async (t) => {
  const narrow = 'channel-power,center=100.1M,width=2k',
    { settings, text } = mendOf(await refusal(t, narrow), hz);
  assert.equal(text, `Set RBW ${settings.rbw_hz} Hz`);
  assert.equal(await refusal(t, narrow, '--rbw', `${settings.rbw_hz}`), null);
  const mask = 'mask,upper=-100k:-10,100k:-10,center=100.1M,bandwidth=1k',
    wide = mendOf(await refusal(t, mask), hz);
  assert.equal(wide.settings.rbw_hz, 1e3);
  assert.equal(await refusal(t, mask, '--rbw', '1k'), null);
  // A tone is never wider: only the offer is looked at, which is at most a fifth of three bins and a half.
  const occupied = await refusal(t, 'obw'),
    [, rbw] = /RBW of (\S+) Hz/.exec(occupied);
  assert.ok(mendOf(occupied, hz).settings.rbw_hz <= Number(rbw) / 4, occupied);
});

test('a refusal for detector or trace offers one that is accepted', async (t) => {
  for (const [measurement, keys] of [
    ['channel-power,detector=max', { detector: 'mean' }],
    ['channel-power,trace=max-hold', { trace: 'clear-write' }],
  ]) {
    const reason = await refusal(t, measurement);
    assert.deepEqual(mendOf(reason, hz)?.keys, keys, reason);
    assert.equal(await refusal(t, withKeys(measurement, keys)), null);
  }
});

test('a refusal for its place offers to tune there, and others offer nothing', async (t) => {
  for (const [measurement, centre] of [
    ['channel-power,center=433M,width=20k', 433e6],
    ['marker,frequency=145M', 145e6],
  ]) {
    const reason = await refusal(t, measurement);
    assert.equal(mendOf(reason, hz)?.centreHz, centre, reason);
  }
  const reason = await refusal(t, 'frequency-counter,center=99.7M,width=300k');
  assert.match(reason, /no tone is 10 dB above/);
  assert.equal(mendOf(reason, hz), null);
});
