// dump1090.test.mjs - dump1090-mutability decodes every simulated squitter from a channel of 2.4 MS/s.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch } from '../support/fftd.mjs';
import { needs, shell } from './stranger.mjs';

const options = needs({ 'dump1090-mutability': ['dump1090-mutability', ['--help']] });

// Examples in Junzi Sun, "The 1090 Megahertz Riddle", with the CRC that they have there: scene=squitter sends one each 20.0001 ms.
const SENT = [
  '8d4840d6202cc371c32ce0576098',
  '8d40621d58c382d690c8ac2863a7',
  '8d40621d58c386435cc412692ad6',
  '8d485020994409940838175b284f',
];

/** Messages by what they contain. */
function count(text) {
  const found = {};
  for (const [, message] of text.matchAll(/^\*([0-9a-f]+);$/gm)) found[message] = (found[message] ?? 0) + 1;
  return found;
}

// The first begins after 10 ms; in 2 s there are 100, 25 of each.
const all = Object.fromEntries(SENT.map((message) => [message, 25]));

for (const [rate, center] of [
  ['2.4M', '1090M'],
  ['6M', '1089M'],
])
  test(`all of a radio at ${rate}S/s`, options, async () => {
    const file = join(scratch(), 'x.cu8'),
      offset = center === '1090M' ? 0 : '1M';
    const text = await shell(
      `"$FFTD" --source sim -s ${rate} -f ${center} -d scene=squitter,offset=${offset} --full-speed --duration 2 `
        + `--channel center=1090M,rate=2.4M,format=cu8,output=${file} 2>/dev/null && dump1090-mutability --ifile ${file} --raw 2>/dev/null`,
    );
    assert.deepEqual(count(text), all);
  });
