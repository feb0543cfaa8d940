// slowest.mjs - prints the ten slowest steps and tests of a run.
//
//     node slowest.mjs STEPS JUNIT.xml...
//
// STEPS contains lines "name<TAB>seconds". A JUnit file is named after its preset: dev-tests.xml.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readTests } from './junit.mjs';

const COUNT = 10;

/** @returns {[string, number][]} the COUNT slowest rows, slowest first */
const slowest = (rows) =>
  rows
    .filter(([, seconds]) => seconds > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, COUNT);

function print(title, rows) {
  if (!rows.length) return;
  console.log(title);
  for (const [name, seconds] of rows) console.log(`${seconds.toFixed(0).padStart(6)} s  ${name}`);
}

const [steps, ...files] = process.argv.slice(2);
print(
  'slowest steps:',
  slowest(
    readFileSync(steps, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name, seconds]) => [name, Number(seconds)]),
  ),
);
print(
  'slowest tests:',
  slowest(
    files.flatMap((file) =>
      readTests(readFileSync(file, 'utf8')).map(({ name, seconds }) => [
        `${basename(file, '-tests.xml')}: ${name}`,
        seconds,
      ]),
    ),
  ),
);
