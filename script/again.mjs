// again.mjs - prints a regular expression for ctest -R that matches the failed tests that may run
// again. Prints nothing if there are none.
//
//     node again.mjs TESTS.json RUN.log JUNIT.xml
//
// TESTS.json: the output of ctest --show-only=json-v1. RUN.log: the output of the run.
//
// A test may run again if it has the label "clock", because its result depends on the load of the
// machine, and if it exited by itself and reported a failure. A crash, a hang or a sanitizer's
// report counts the first time.

import { readFileSync } from 'node:fs';
import { readTests } from './junit.mjs';

const [listing, log, junit] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8'));

const DAMNING = new RegExp(
  [
    'Sanitizer',
    'runtime error:', // ASan, LSan, TSan; UBSan
    'Assertion .* failed',
    'core dumped',
    'buffer overflow detected',
    'stack smashing detected',
    'SIG(SEGV|ABRT|BUS|ILL|FPE|TRAP|SYS)', // of a program that the test started
  ].join('|'),
);

const labelsOf = ({ properties = [] }) => properties.find(({ name }) => name === 'LABELS')?.value ?? [];
const clocked = new Set(
  JSON.parse(listing)
    .tests.filter((test) => labelsOf(test).includes('clock'))
    .map(({ name }) => name),
);

// Only the log distinguishes crashes and time-outs from failures.
const failed = new Set([...log.matchAll(/^ *\d+\/\d+ Test +#\d+: (\S+) \.*\*\*\*Failed/gm)].map(([, name]) => name));

const names = readTests(junit)
  .filter(({ name, output }) => clocked.has(name) && failed.has(name) && !DAMNING.test(output))
  .map(({ name }) => name.replace(/[^\w]/g, '.'));
if (names.length) console.log(`^(${names.join('|')})$`);
