// client.test.mjs - docs/examples: client.py prints what a running fftd simulates, range_code.py decodes the golden codes.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '../support/fftd.mjs';
import { root } from './documents.mjs';

const noPython = spawnSync('python3', ['--version']).status !== 0 && 'python3 is missing';

test('the example in Python receives lines, density and measurements', { skip: noPython }, async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--center',
    '100M',
    '--window',
    'flat-top',
    '--device',
    'scene=tone,level=-10.2,offset=250k',
    '--measure',
    'channel-power,center=100.25M,width=20k,name=tone',
  ]);
  const { stdout } = await promisify(execFile)('python3', [
    join(root, 'docs/examples/client.py'),
    new URL(daemon.url).host,
  ]);
  const lines = [...stdout.matchAll(/^line (\d+): 1000 columns, highest (\S+) dBFS at (\S+) MHz$/gm)].map((found) =>
    found.slice(1).map(Number),
  );
  assert.equal(lines.length, 3, stdout);
  lines.forEach(([number, level, megahertz], i) => {
    if (i > 0) assert.ok(number > lines[i - 1][0]);
    assert.ok(Math.abs(level + 10.2) < 0.3 && Math.abs(megahertz - 100.25) < 0.001, stdout);
  });
  assert.match(stdout, /^density: [1-9]\d* frames in each of 801 columns, none above -10\.0 dBFS$/m);
  const [, power] = stdout.match(/^tone: power_dbfs (\S+), density_dbfs_hz \S+, width_hz 20000\.00$/m);
  assert.ok(Math.abs(Number(power) + 10.2) < 0.03, stdout);
});

test('the decoder in Python reads the golden range codes', { skip: noPython }, async () => {
  for (const [name, cases] of [
    ['range_levels', 6],
    ['range_hits', 5],
  ]) {
    const files = [join(root, 'docs/examples/range_code.py'), join(root, `tests/golden/${name}.json`)];
    const { stdout } = await promisify(execFile)('python3', files);
    assert.equal(stdout.match(/^\w+: \d+ bytes$/gm)?.length, cases, stdout);
  }
});
