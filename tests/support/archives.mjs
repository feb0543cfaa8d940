// archives.mjs - the files of an archive, and how a hub's copy compares with the sensor's.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve, until } from './fftd.mjs';

const HEAD = 72;

/** The blocks of a segment: where the head says that they end. */
function blocksOf(bytes) {
  const blocks = [];
  for (let at = 0; at + HEAD <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 8);
    assert.equal(bytes.toString('latin1', at, at + 4), 'FSA1');
    if (at + size > bytes.length) break; // it is being written
    blocks.push(bytes.toString('latin1', at, at + size));
    at += size;
  }
  return blocks;
}

/** The blocks of an archive, by the period of their tier in seconds, in the order of their segments. */
export function blocks(folder) {
  const tiers = new Map();
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.fsa'))
        .sort()
    : [];
  for (const name of names) {
    const period = Number(name.match(/^spectra_([\d.]+)s_/)[1]);
    tiers.set(period, [...(tiers.get(period) ?? []), ...blocksOf(readFileSync(join(folder, name)))]);
  }
  return tiers;
}

export const count = (folder) => [...blocks(folder).values()].reduce((sum, list) => sum + list.length, 0);

/** Waits until the copy has every block of the sensor's archive; each is there once, byte for byte and in order. */
export async function untilCopied(sensor, copy) {
  await until('every block is copied', () => {
    const all = blocks(copy);
    return [...blocks(sensor)].every(([period, list]) => list.length <= (all.get(period)?.length ?? 0));
  });
  const all = blocks(copy);
  for (const [period, list] of blocks(sensor)) {
    assert.equal(new Set(all.get(period)).size, all.get(period).length, `tier of ${period} s: twice`);
    assert.ok(
      list.every((block, i) => block === all.get(period)[i]),
      `tier of ${period} s: other bytes`,
    );
  }
  return [...all.values()].reduce((sum, list) => sum + list.length, 0);
}

/** A sensor with an archive of rows of 100 ms; blocks come every 6.4 s. */
export const sensor = (t, url, radio, folder, args = []) =>
  serve(t, [
    '--source',
    'sim',
    '--rate',
    '250k',
    '--fft-size',
    '1024',
    '--line-rate',
    '20',
    '--nats',
    url,
    '--nats-site',
    'lab',
    '--nats-radio',
    radio,
    ...(folder ? ['--archive', folder, '--archive-tiers', '100ms:1h,1s:1d', '--archive-columns', '64'] : []),
    ...args,
  ]);
