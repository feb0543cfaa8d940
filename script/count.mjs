// count.mjs - reads the JUnit file of one ctest run and prints one line for each test's result:
//
//     passed<TAB>step: test        failed<TAB>step: test (why)       skipped<TAB>step: test (why)
//
//     node count.mjs STEP JUNIT.xml [SECOND.xml]
//
// SECOND.xml is a second run of tests that failed. Its results replace those of the first run,
// except for a test that it skipped. A test that passes in it gets an additional line
// "again<TAB>step test".
//
// Each case inside a cmocka or node:test program counts as one test. ctest reports skipped tests as
// "passed" and missing programs as "skipped"; this script corrects both.

import { readFileSync } from 'node:fs';
import { readTests } from './junit.mjs';

const [step, file, second] = process.argv.slice(2);

// How each test runner prints the result of a case.
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

/** What a line says about the failure of the case that it belongs to; '' if nothing. */
function complaint(line) {
  const [, message] = line.match(/^\[  ERROR   \] --- (.*)/) ?? [];
  const [, place] = line.match(/^\[   LINE   \] --- (?:.*\/)?([^/]+:\d+):/) ?? [];
  const [, error] = line.match(/^\s+error: '?([^|].*?)'?$/) ?? [];
  return (message ?? place ?? error ?? '').slice(0, 200);
}

/**
 * Reads the cases of one program. A failed case has a reason, which cmocka prints before it, and
 * node:test after it. A cmocka program may run its cases once for each engine; each run
 * counts. After "N test(s) run." cmocka lists cases again; those lines do not count.
 *
 * @returns {[name: string, outcome: string, why: string][]}
 */
function readCases(output) {
  const cases = [];
  let closing = false,
    reason = '';
  for (const line of output.split('\n')) {
    if (/^\[=+\] /.test(line)) closing = /test\(s\) run\.$/.test(line);
    if (/^\s*type: 'suite'/.test(line)) cases.pop(); // node: the group of the cases above
    reason = line.match(/^SKIPPED: (.*)/)?.[1] ?? reason;
    const said = complaint(line),
      last = cases.at(-1);
    if (said && line.startsWith('[')) reason = [reason, said].filter(Boolean).join(', ');
    else if (said && last?.[1] === 'failed' && !last[2]) last[2] = said;
    const [pattern, outcome] = CASES.find(([p]) => p.test(line)) ?? [];
    if (!pattern || (closing && line.startsWith('['))) continue;
    const [, name, why = outcome === 'passed' ? '' : reason] = line.match(pattern);
    cases.push([name, outcome, why]);
    reason = '';
  }
  return cases;
}

const lastLine = (text) => text.trim().split('\n').pop().trim().slice(0, 200);

function count(test) {
  const { name, status, skip, output } = test;
  if (status === 'notrun' && skip.startsWith('SKIP_RETURN_CODE')) return [[name, 'skipped', lastLine(output)]];
  if (status === 'disabled') return [[name, 'skipped', 'disabled']];
  if (status === 'notrun') return [[name, 'failed', skip || 'not run']];
  const cases = readCases(output).map(([which, ...rest]) => [`${name}: ${which}`, ...rest]);
  if (status === 'run') return cases.length ? cases : [[name, 'passed', '']];
  return cases.some(([, outcome]) => outcome === 'failed')
    ? cases
    : [...cases, [name, 'failed', lastLine(output) || 'no output: crashed or timed out']];
}

const read = (path) => (path ? readTests(readFileSync(path, 'utf8')) : []);
const passed = (test) => test.status === 'run' && !count(test).some(([, outcome]) => outcome === 'failed');
const retried = new Map(read(second).map((test) => [test.name, test]));

for (const first of read(file)) {
  const test = retried.get(first.name) ?? first;
  const again = test !== first && passed(test);
  // If the second run skipped the test, the first run's result counts.
  for (const [name, outcome, why] of count(again || test.status === 'fail' ? test : first))
    console.log(`${outcome}\t${step}: ${name}${why ? ` (${why})` : ''}`);
  if (again) console.log(`again\t${step} ${first.name}`);
}
