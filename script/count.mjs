// Reads the JUnit file of one ctest run and prints what became of each test, one a line:
//
//     passed<TAB>step: test        failed<TAB>step: test (why)       skipped<TAB>step: test (why)
//
//     node count.mjs STEP JUNIT.xml [SECOND.xml]
//
// SECOND.xml is a run of some that had failed: what became of them there counts, and who passed is
// told by a line of its own, "again<TAB>step test".
//
// The cases inside a cmocka or node:test program are counted singly. ctest itself calls skipped
// tests "passed" and a program that is missing "skipped": neither is believed here.

import { readFileSync } from 'node:fs';
import { readTests } from './junit.mjs';

const [step, file, second] = process.argv.slice(2);

// How each runner says what became of a case.
const CASES = [
    [/^\[ +OK \] (\S+)/, 'passed'],
    [/^\[  FAILED  \] (?!\d+ test)([^\s:]+)/, 'failed'],
    [/^\[  SKIPPED \] (?!\d+ test)([^\s:]+)/, 'skipped'],
    [/^\s*not ok \d+ - (.*?)(?: # .*)?$/, 'failed'],
    [/^\s*ok \d+ - (.*?) # (?:SKIP|TODO) ?(.*)$/, 'skipped'],
    [/^\s*ok \d+ - (.*)$/, 'passed'],
    [/^\s*﹣ (.*?) \([\d.]+ms\) # (.*)$/, 'skipped'],
    [/^\s*✔ (.*?) \([\d.]+ms\)$/, 'passed'],
    [/^\s*✖ (.*?) \([\d.]+ms\)$/, 'failed'],
];

/**
 * One of cmocka's programs may run its cases several times, on one engine after the other, and each
 * counts; but behind "N test(s) run." it names them again.
 *
 * @returns {[name: string, outcome: string, why: string][]}
 */
function readCases(output) {
    const cases = [];
    let closing = false, reason = '';
    for (const line of output.split('\n')) {
        if (/^\[=+\] /.test(line)) closing = /test\(s\) run\.$/.test(line);
        if (/^\s*type: 'suite'/.test(line)) cases.pop(); // node's name for a group of the ones before
        reason = line.match(/^SKIPPED: (.*)/)?.[1] ?? reason;
        const [pattern, outcome] = CASES.find(([p]) => p.test(line)) ?? [];
        if (!pattern || (closing && line.startsWith('['))) continue;
        const [, name, why = outcome === 'skipped' ? reason : ''] = line.match(pattern);
        cases.push([name, outcome, why]);
        reason = '';
    }
    return cases;
}

const lastLine = (text) => text.trim().split('\n').pop().trim().slice(0, 200);

function count(test) {
    const { name, status, skip, output } = test;
    if (status === 'notrun' && skip.startsWith('SKIP_RETURN_CODE'))
        return [[name, 'skipped', lastLine(output)]];
    if (status === 'disabled') return [[name, 'skipped', 'disabled']];
    if (status === 'notrun') return [[name, 'failed', skip || 'not run']];
    const cases = readCases(output).map(([which, ...rest]) => [`${name}: ${which}`, ...rest]);
    if (status === 'run') return cases.length ? cases : [[name, 'passed', '']];
    return cases.some(([, outcome]) => outcome === 'failed')
        ? cases : [...cases, [name, 'failed', lastLine(output) || 'no output: crashed or timed out']];
}

const read = (path) => (path ? readTests(readFileSync(path, 'utf8')) : []);
const passed = (test) => test.status === 'run' && !count(test).some(([, outcome]) => outcome === 'failed');
const retried = new Map(read(second).map((test) => [test.name, test]));

for (const first of read(file)) {
    const test = retried.get(first.name) ?? first;
    const again = test !== first && passed(test);
    // A second try that was skipped is none.
    for (const [name, outcome, why] of count(again || test.status === 'fail' ? test : first))
        console.log(`${outcome}\t${step}: ${name}${why ? ` (${why})` : ''}`);
    if (again) console.log(`again\t${step} ${first.name}`);
}
