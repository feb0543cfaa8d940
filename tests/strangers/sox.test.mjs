// sox.test.mjs - sox measures the level of a channel.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs, shell } from './stranger.mjs';

const options = needs({ sox: ['sox', ['--version']] });

test('a tone of -20 dBFS has 0.1 / sqrt 2 in each component', options, async () => {
  const text = await shell(
    '"$FFTD" --source sim -s 2.4M -f 100M -d scene=tone,level=-20,offset=100k --full-speed --duration 1 '
      + '--channel center=100.095M,rate=48k,format=cs16 2>/dev/null | sox -t raw -r 48k -e signed -b 16 -c 2 - -n stat 2>&1',
  );
  const value = (name) => Number(new RegExp(`^${name}: +([\\d.-]+)$`, 'm').exec(text)?.[1]);
  assert.equal(value('Length \\(seconds\\)'), 1);
  assert.ok(Math.abs(value('RMS +amplitude') - 0.1 / Math.SQRT2) < 2e-4, text);
  assert.ok(Math.abs(value('Maximum amplitude') - 0.1) < 5e-4, text);
});
