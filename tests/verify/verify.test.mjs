// verify.test.mjs - --verify: one line for each check, and an exit status that a script can use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../support/fftd.mjs';

test('a right engine passes every check within its limits', async () => {
  // 1 kS/s, so that the speed of a machine with a sanitizer or other work is no question.
  const { code, stdout, stderr } = await run(['--verify', '--engine', 'cpu', '--rate', '1k'], { timeout: 600000 });
  const lines = stdout.toString().trimEnd().split('\n');
  assert.equal(code, 0, stdout + stderr);
  assert.match(lines[0], /^fftd .*, cpu: /);
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.match(/^pass {2}(\w+):/)?.[1]),
    ['levels', 'bursts', 'density', 'correction', 'speed', 'ledger'],
  );
  assert.ok(Number(lines[1].match(/([\d.]+) dB at most/)[1]) <= 0.02);
  assert.match(lines[6], /262144 samples: [1-9]\d+ seen, \d+ after the last frame, 0 lost/);
  assert.equal(lines.at(-1), 'PASS');
});

test('an engine that cannot keep up with the rate fails, with status 1', async () => {
  const { code, stdout } = await run(
    ['--verify', '--engine', 'cpu', '--isa', 'sse2', '--rate', '5G', '--duration', '0.001'],
    { timeout: 600000 },
  );
  assert.equal(code, 1);
  assert.match(stdout.toString(), /\nFAIL {2}speed: .*, 0\.\d+ times the stream's 5000 MS\/s\n/);
  assert.match(stdout.toString(), /\nFAIL\n$/);
});

test('an engine that is not there is named', async () => {
  const { code, stderr } = await run(['--verify', '--engine', 'abacus']);
  assert.equal(code, 1);
  assert.match(stderr, /no engine is called "abacus"/);
});
