// Names the failed tests of a ctest run that deserve a second try, as a regular expression for
// ctest -R; nothing when there are none.
//
//     node again.mjs TESTS.json RUN.log JUNIT.xml
//
// TESTS.json: ctest --show-only=json-v1. RUN.log: what the run printed. Only a test with the label
// "clock", whose verdict depends on what else the machine does, and only one that ended by itself
// and said that it failed: a crash, a hang and a sanitizer's finding are true the first time.

import { readFileSync } from 'node:fs';
import { readTests } from './junit.mjs';

const [listing, log, junit] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8'));

const DAMNING = new RegExp([
    'Sanitizer', 'runtime error:', // ASan, LSan, TSan; UBSan
    'Assertion .* failed', 'core dumped', 'buffer overflow detected', 'stack smashing detected',
    'SIG(SEGV|ABRT|BUS|ILL|FPE|TRAP|SYS)', // of a program that the test had started
].join('|'));

const labelsOf = ({ properties = [] }) =>
    properties.find(({ name }) => name === 'LABELS')?.value ?? [];
const clocked = new Set(JSON.parse(listing).tests
    .filter((test) => labelsOf(test).includes('clock')).map(({ name }) => name));

// ctest tells crashes and time-outs from failures here, and only here.
const failed = new Set([...log.matchAll(/^ *\d+\/\d+ Test +#\d+: (\S+) \.*\*\*\*Failed/gm)]
    .map(([, name]) => name));

const names = readTests(junit)
    .filter(({ name, output }) => clocked.has(name) && failed.has(name) && !DAMNING.test(output))
    .map(({ name }) => name.replace(/[^\w]/g, '.'));
if (names.length) console.log(`^(${names.join('|')})$`);
