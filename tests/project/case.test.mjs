// case.test.mjs - script/case runs the cases that it is asked for, those alone, and says so when there are none.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../script/case', import.meta.url));
const run = (...args) => spawnSync(script, args, { encoding: 'utf8' });

test('a case of a program in C', () => {
  const { status, stdout, stderr } = run('test_si', 'parsed_exactly');
  assert.equal(status, 0, stderr);
  assert.deepEqual((stdout + stderr).match(/\[ RUN +\] \w+/g), ['[ RUN      ] numbers_are_parsed_exactly']);
});

test('a case in JavaScript, whose name is no expression', () => {
  const { status, stdout, stderr } = run('count', 'plain program counts');
  assert.equal(status, 0, stderr);
  const ran = stdout.split('\n').filter((line) => /^ok \d/.test(line) && !line.includes('# SKIP'));
  assert.deepEqual(ran, ['ok 1 - a plain program counts once']);
  assert.equal(run('count', 'plain .* counts').status, 2);
  assert.equal(run('count', '(').status, 2);
});

test('what there is not is named, and fails', () => {
  for (const [args, why] of [
    [['test_sii'], 'case: there is no test test_sii (ctest --preset dev -N lists them)\n'],
    [['si'], 'case: there is no test si; there are '],
    [['test_si', 'no_such_case'], 'case: no case of test_si has "no_such_case" in its name\n'],
    [
      ['test_si', 'two', 'words'],
      'case: too many words: put a name with spaces into quotes (see script/case --help)\n',
    ],
  ]) {
    const { status, stderr } = run(...args);
    assert.ok(status > 0, `${args}`);
    assert.ok(stderr.includes(why), stderr);
  }
  const { status, stdout } = run();
  assert.equal(status, 1);
  assert.match(stdout, /^Runs cases of one test/);
  assert.equal(run('--help').status, 0);
});
