// count.test.mjs - script/count.mjs against what ctest 3.25 wrote, shortened.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../script/count.mjs', import.meta.url));

/** What count.mjs says of these <testcase> elements, as lines. */
function count(...testcases) {
    const folder = mkdtempSync(join(tmpdir(), 'fftd-count-'));
    const file = join(folder, 'ctest.xml');
    writeFileSync(file, `<testsuite tests="1">${testcases.join('\n')}</testsuite>`);
    const said = execFileSync(process.execPath, [SCRIPT, 'dev', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    return said.split('\n').filter(Boolean);
}

const testcase = (status, output, more = '') =>
    `<testcase name="t" classname="t" time="0.1" status="${status}">
     ${more}<system-out>${output}</system-out></testcase>`;

test('a plain program counts once', () => {
    assert.deepEqual(count(testcase('run', 'fine')), ['passed\tdev: t']);
    assert.deepEqual(count(testcase('fail', 'a\nit broke', '<failure message=""/>')),
        ['failed\tdev: t (it broke)']);
});

test('exit status 77 is skipped, with the last line as the reason', () => {
    assert.deepEqual(count(testcase('notrun', 'skipped: no &quot;udev&quot;\n',
        '<skipped message="SKIP_RETURN_CODE=77"/>')), ['skipped\tdev: t (skipped: no "udev")']);
});

test('a program that is missing has failed, though ctest calls it skipped', () => {
    assert.deepEqual(count(testcase('notrun', 'Unable to find executable: t',
        '<skipped message="Unable to find executable"/>')),
    ['failed\tdev: t (Unable to find executable)']);
});

test('a disabled test is skipped', () => {
    assert.deepEqual(count(testcase('disabled', 'Disabled')), ['skipped\tdev: t (disabled)']);
});

test('the cases of a cmocka program count singly, and once', () => {
    const output = ['[ RUN      ] a', '[       OK ] a', '[ RUN      ] b', '[  FAILED  ] b',
        '[  SKIPPED ] c', '[  FAILED  ] 1 test(s), listed below:', '[  FAILED  ] b'].join('\n');
    assert.deepEqual(count(testcase('fail', output, '<failure message=""/>')),
        ['passed\tdev: t: a', 'failed\tdev: t: b', 'skipped\tdev: t: c']);
});

test('a crash after the last good case is a failure of the program', () => {
    assert.deepEqual(count(testcase('fail', '[       OK ] a', '<failure message=""/>')),
        ['passed\tdev: t: a', 'failed\tdev: t ([       OK ] a)']);
    assert.deepEqual(count(testcase('fail', '', '<failure message=""/>')),
        ['failed\tdev: t (no output: crashed or timed out)']);
});

test('TAP counts by its lines, and a suite is not a case', () => {
    const output = ['# Subtest: g', '    ok 1 - a', '    ok 2 - b # SKIP no radio', 'ok 1 - g',
        '  ---', "  type: 'suite'", '  ...', 'ok 2 - a'].join('\n');
    assert.deepEqual(count(testcase('run', output)),
        ['passed\tdev: t: a', 'skipped\tdev: t: b (no radio)', 'passed\tdev: t: a']);
});
