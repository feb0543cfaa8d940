// count.test.mjs - tests script/count.mjs, skips.mjs, sanitizer.mjs and again.mjs with shortened output of ctest 3.25.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = (name) => fileURLToPath(new URL(`../../script/${name}.mjs`, import.meta.url));

/** The output lines of a script whose further arguments are files with these texts. */
function run(name, first, ...texts) {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-count-'));
  const files = texts.map((text, i) => {
    const file = join(folder, `${i}`);
    writeFileSync(file, text);
    return file;
  });
  const output = execFileSync(process.execPath, [script(name), ...first, ...files], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return output.split('\n').filter(Boolean);
}

const suite = (...testcases) => `<testsuite tests="1">${testcases.join('\n')}</testsuite>`;

/** The output of count.mjs for these <testcase> elements. */
const count = (...testcases) => run('count', ['dev'], suite(...testcases));

const testcase = (status, output, more = '') =>
  `<testcase name="t" classname="t" time="0.1" status="${status}">
     ${more}<system-out>${output}</system-out></testcase>`;

test('a plain program counts once', () => {
  assert.deepEqual(count(testcase('run', 'fine')), ['passed\tdev: t']);
  assert.deepEqual(count(testcase('fail', 'a\nit broke', '<failure message=""/>')), ['failed\tdev: t (it broke)']);
});

test('exit status 77 is skipped, with the last line as the reason', () => {
  assert.deepEqual(
    count(testcase('notrun', 'skipped: no &quot;udev&quot;\n', '<skipped message="SKIP_RETURN_CODE=77"/>')),
    ['skipped\tdev: t (skipped: no "udev")'],
  );
});

test('a missing program has failed, although ctest reports it as skipped', () => {
  assert.deepEqual(
    count(testcase('notrun', 'Unable to find executable: t', '<skipped message="Unable to find executable"/>')),
    ['failed\tdev: t (Unable to find executable)'],
  );
});

test('a disabled test is skipped', () => {
  assert.deepEqual(count(testcase('disabled', 'Disabled')), ['skipped\tdev: t (disabled)']);
});

test('each case of a cmocka program counts once', () => {
  const output = [
    '[==========] Running 3 test(s).',
    '[ RUN      ] a',
    '[       OK ] a',
    '[ RUN      ] b',
    '[  FAILED  ] b',
    '[  SKIPPED ] c',
    '[==========] 3 test(s) run.',
    '[  PASSED  ] 1 test(s).',
    '[  SKIPPED ] 1 test(s), listed below:',
    '[  SKIPPED ] c',
    '[  FAILED  ] 1 test(s), listed below:',
    '[  FAILED  ] b',
  ].join('\n');
  assert.deepEqual(count(testcase('fail', output, '<failure message=""/>')), [
    'passed\tdev: t: a',
    'failed\tdev: t: b',
    'skipped\tdev: t: c',
  ]);
});

test('a failed case says where and why', () => {
  const cmocka = [
    '[ RUN      ] a',
    '[  ERROR   ] --- 0x2 != 0x3',
    '[   LINE   ] --- ../../tests/record/test_a.c:31: error: Failure!',
    '[  FAILED  ] a',
    '[ RUN      ] b',
    '[       OK ] b',
    '[ RUN      ] c',
    '[  FAILED  ] c',
  ].join('\n');
  assert.deepEqual(count(testcase('fail', cmocka, '<failure message=""/>')), [
    'failed\tdev: t: a (0x2 != 0x3, test_a.c:31)',
    'passed\tdev: t: b',
    'failed\tdev: t: c',
  ]);
  const node = [
    'not ok 1 - a',
    '  ---',
    "  failureType: 'testCodeFailure'",
    "  error: 'no line came'",
    '  ...',
    'ok 2 - b',
    'not ok 3 - c',
    '  ---',
    '  error: |-',
    '    Expected values',
    '  ...',
  ].join('\n');
  assert.deepEqual(count(testcase('fail', node, '<failure message=""/>')), [
    'failed\tdev: t: a (no line came)',
    'passed\tdev: t: b',
    'failed\tdev: t: c',
  ]);
});

test('cases that run on several engines count for each engine', () => {
  const output = [
    'engine cuda',
    '[==========] Running 1 test(s).',
    '[ RUN      ] a',
    'SKIPPED: cuda: no driver',
    '[  SKIPPED ] a',
    '[==========] 1 test(s) run.',
    '[  SKIPPED ] 1 test(s), listed below:',
    '[  SKIPPED ] a',
    'engine cpu',
    '[==========] Running 1 test(s).',
    '[ RUN      ] a',
    '[       OK ] a',
    '[==========] 1 test(s) run.',
    '[  PASSED  ] 1 test(s).',
  ].join('\n');
  assert.deepEqual(count(testcase('run', output)), ['skipped\tdev: t: a (cuda: no driver)', 'passed\tdev: t: a']);
});

test('skips of a program with the same reason are one line with their number', () => {
  const skipped = [
    'dev: t: a (cuda: no driver (no file))',
    'dev: t: b (cuda: no driver (no file))',
    'dev: t: c',
    'dev: u (no radio)',
    'asan: t: a (cuda: no driver (no file))',
  ];
  assert.deepEqual(run('skips', [], ['passed\tdev: t: a', ...skipped.map((s) => `skipped\t${s}`), ''].join('\n')), [
    'skipped asan: t: a (cuda: no driver (no file))',
    'skipped dev: t: c',
    'skipped dev: t: 2 cases (cuda: no driver (no file))',
    'skipped dev: u (no radio)',
  ]);
});

test('a crash after the last passed case is a failure of the program', () => {
  assert.deepEqual(count(testcase('fail', '[       OK ] a', '<failure message=""/>')), [
    'passed\tdev: t: a',
    'failed\tdev: t ([       OK ] a)',
  ]);
  assert.deepEqual(count(testcase('fail', '', '<failure message=""/>')), [
    'failed\tdev: t (no output: crashed or timed out)',
  ]);
});

test('each TAP line counts, and a suite is not a case', () => {
  const output = [
    '# Subtest: g',
    '    ok 1 - a',
    '    ok 2 - b # SKIP no radio',
    'ok 1 - g',
    '  ---',
    "  type: 'suite'",
    '  ...',
    'ok 2 - a',
  ].join('\n');
  assert.deepEqual(count(testcase('run', output)), [
    'passed\tdev: t: a',
    'skipped\tdev: t: b (no radio)',
    'passed\tdev: t: a',
  ]);
});

// ---- the second try -------------------------------------------------------------------------

const failing = (output) => testcase('fail', output, '<failure message=""/>');
const twice = (first, second) => run('count', ['dev'], suite(first), suite(second));

test('a test that fails and then passes counts as passed and is listed', () => {
  assert.deepEqual(twice(failing('not ok 1 - a\nok 2 - b'), testcase('run', 'ok 1 - a\nok 2 - b')), [
    'passed\tdev: t: a',
    'passed\tdev: t: b',
    'again\tdev t',
  ]);
});

test('a test that fails twice has failed with its last output', () => {
  assert.deepEqual(twice(failing('not ok 1 - a'), failing('ok 1 - a\nnot ok 2 - b')), [
    'passed\tdev: t: a',
    'failed\tdev: t: b',
  ]);
});

test('a second try that was skipped or had a failed case does not count', () => {
  const skipped = testcase('notrun', 'no', '<skipped message="SKIP_RETURN_CODE=77"/>');
  assert.deepEqual(twice(failing('not ok 1 - a'), skipped), ['failed\tdev: t: a']);
  assert.deepEqual(twice(failing('not ok 1 - a'), testcase('run', 'not ok 1 - a')), ['failed\tdev: t: a']);
});

/** The regular expression of the tests to repeat, for a test t with these labels, end and output. */
const again = (labels, ending, output) =>
  run(
    'again',
    [],
    JSON.stringify({ tests: [{ name: 't', properties: [{ name: 'LABELS', value: labels }] }, { name: 'u' }] }),
    `1/2 Test #8: t ................***${ending}    0.10 sec\n2/2 Test #9: u ................   Passed    0.10 sec\n`,
    suite(failing(output), testcase('run', 'fine').replaceAll('"t"', '"u"')),
  );

test('a failed test with the label clock is repeated', () => {
  assert.deepEqual(again(['server', 'clock'], 'Failed', 'not ok 1 - a'), ['^(t)$']);
});

test('a failed test without the label is not repeated', () => {
  assert.deepEqual(again(['server'], 'Failed', 'not ok 1 - a'), []);
});

test('a crash, an abort or a hang is not repeated', () => {
  for (const ending of ['Exception: SegFault', 'Exception: Numerical', 'Timeout'])
    assert.deepEqual(again(['clock'], ending, ''), []);
  assert.deepEqual(again(['clock'], 'Failed', "expected 0, got 'SIGSEGV'"), []);
  assert.deepEqual(again(['clock'], 'Failed', "fftd: dsp.c:30: push: Assertion `n < 3' failed."), []);
});

test('a report of a sanitizer is not repeated', () => {
  for (const report of [
    '==7==ERROR: AddressSanitizer: heap-use-after-free',
    'WARNING: ThreadSanitizer: data race',
    '==7==ERROR: LeakSanitizer: detected memory leaks',
    'ring.c:7:3: runtime error: shift exponent',
  ])
    assert.deepEqual(again(['clock'], 'Failed', `${report}\nnot ok 1 - a`), []);
});

test('the slowest steps and tests are named, slowest first', () => {
  const timed = (name, seconds) => `<testcase name="${name}" time="${seconds}" status="run"></testcase>`;
  const tests = Array.from({ length: 12 }, (_, i) => timed(`t${i}`, i));
  assert.deepEqual(run('slowest', [], 'install\t7\nbuild dev\t300\n', suite(...tests)).slice(0, 5), [
    'slowest steps:',
    '   300 s  build dev',
    '     7 s  install',
    'slowest tests:',
    '    11 s  1: t11',
  ]);
  assert.equal(run('slowest', [], '', suite(...tests)).filter((line) => line.includes(' s  ')).length, 10);
});

test('a report of a sanitizer becomes one line with the innermost frames of each stack', () => {
  const [line] = run(
    'sanitizer',
    ['tsan'],
    `==================
WARNING: ThreadSanitizer: data race (pid=7)
  Write of size 8 at 0x7ba4 by thread T8:
    #0 memcpy ../../../../src/libsanitizer/common.inc:827 (libtsan.so.2+0x5dda6)
    #1 fold ../../daemon/dsp/fold.c:12 (fftd+0x1)
    #2 step ../../daemon/dsp/dsp.c:34 (fftd+0x2)

  Previous read of size 8 at 0x7ba4 by thread T9:
    #0 <null> <null> (libcrypto.so.3+0x11327a)

SUMMARY: ThreadSanitizer: data race
`,
  );
  assert.equal(
    line,
    'failed\ttsan: sanitizer report 0: data race (pid=7): '
      + 'fold daemon/dsp/fold.c:12 (fftd+0x1) < step daemon/dsp/dsp.c:34 (fftd+0x2); (libcrypto.so.3+0x11327a)',
  );
});

test('a report without a stack is identified by its first line', () => {
  assert.deepEqual(run('sanitizer', ['asan'], 'fft/x.c:3:4: runtime error: division by zero\n', ''), [
    'failed\tasan: sanitizer report 0: fft/x.c:3:4: runtime error: division by zero',
  ]);
});
