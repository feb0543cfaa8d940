// methods_page.mjs - the page's table of the variants A, B and C has the counts of methods.txt, which opencl_methods.sh
// counts in the kernels, and the times of published.txt.
//
//     node methods_page.mjs             compares
//     node methods_page.mjs --print     prints the table

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const rowsOf = (name) =>
  read(name)
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(' '));
const METHODS = ['sincos', 'sin and cos', 'native_sin and native_cos'];
const VARIANTS = { 4: 'abc', 8: 'ab' };

/** What a kernel calls and computes, by methods.txt. */
function countsOf(radix, method, variant) {
  const row = rowsOf('methods.txt').find(
    ([program, kernel]) => program === `bainville_radix${radix}_${method}_0` && kernel === `radix${radix}_${variant}`,
  );
  const counts = Object.fromEntries(
    row
      .slice(2)
      .map((pair) => pair.split('='))
      .map(([key, value]) => [key, Number(value)]),
  );
  const of = (key) => counts[key] ?? 0;
  return [
    of('sincos') + of('sin') + of('cos') + of('native'),
    of('mul'),
    of('add4') ? `${of('add')} + ${of('add4')} of vectors` : of('add'),
  ];
}

/** Milliseconds on both devices, by published.txt. */
function timesOf(radix, method, variant) {
  const row = rowsOf('published.txt')
    .find(([a, b]) => Number(a) === radix && Number(b) === method)
    .slice(2);
  const count = VARIANTS[radix].length,
    at = VARIANTS[radix].indexOf(variant);
  return [row[at], row[count + at]];
}

const table = [4, 8]
  .flatMap((radix) =>
    METHODS.flatMap((name, method) =>
      [...VARIANTS[radix]].map((variant) => [
        `${radix} ${variant.toUpperCase()}`,
        name,
        ...countsOf(radix, method, variant),
        ...timesOf(radix, method, variant),
      ]),
    ),
  )
  .map((cells) => `| ${cells.join(' | ')} |`);

if (process.argv.includes('--print')) {
  console.log(table.join('\n'));
} else {
  test('the page has the counts and times of A, B and C', () => {
    const lines = read('../README.md').split('\n');
    const head = lines.findIndex((line) => line.startsWith('| kernel | sine and cosine |'));
    assert.deepEqual(lines.slice(head + 2, head + 2 + table.length + 1), [...table, '']);
  });
}
