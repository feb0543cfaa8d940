// case.mjs - the work of script/case: runs a test as ctest would, with a filter on its cases. Reads ctest's list of tests.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [name, pattern = ''] = process.argv.slice(2);
const { tests } = JSON.parse(readFileSync(0, 'utf8'));

function fail(why) {
  console.error(`case: ${why}`);
  process.exit(2);
}

const test = tests.find((each) => each.name === name);
if (!test) {
  const near = tests
    .map((each) => each.name)
    .filter((each) => each.includes(name.replace(/^test_|\.test\.mjs$|\.c$/g, '')));
  fail(
    `there is no test ${name}${near.length ? `; there are ${near.slice(0, 8).join(', ')}` : ' (ctest --preset dev -N lists them)'}`,
  );
}
if (!test.command) fail(`${name} is not built yet: cmake --build --preset dev`);

const property = (key, fallback) => test.properties?.find((each) => each.name === key)?.value ?? fallback;
const env = { ...process.env, OCL_ICD_VENDORS: '/nonexistent' }; // as the presets of the tests do
for (const pair of property('ENVIRONMENT', []))
  env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
let [program, ...args] = test.command;
const inJavaScript = args.some((word) => word.endsWith('.mjs'));
// A part of the name, as it is: node takes an expression, cmocka a pattern in which only * and ? are special.
if (pattern && inJavaScript) args = [`--test-name-pattern=${pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`, ...args];
delete env.NODE_TEST_CONTEXT; // a test that calls this one
if (pattern) env.FFTD_TEST_CASE = `*${pattern}*`;

const run = spawnSync(program, args, { cwd: property('WORKING_DIRECTORY'), env, encoding: 'utf8', maxBuffer: 1 << 30 });
process.stdout.write(run.stdout ?? '');
process.stderr.write(run.stderr ?? '');
if (run.error) fail(run.error.message);
const text = run.stdout + run.stderr;
const passedOver = /^ok \d+ .*# SKIP test name does not match pattern$/; // what node prints of the others
const ran = inJavaScript
  ? text.split('\n').some((line) => /^(not )?ok \d/.test(line) && !passedOver.test(line))
  : text.includes('[ RUN ');
if (pattern && !ran) fail(`no case of ${name} has "${pattern}" in its name`);
process.exit(run.status ?? 1);
