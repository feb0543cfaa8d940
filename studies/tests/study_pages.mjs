// study_pages.mjs - the tables of pages that only fft-study prints have the rows that it prints now.
//
//     node study_pages.mjs FFT-STUDY PAGE DOCUMENT TABLE...
//
// A table of the page with the columns of TABLE is compared. Counts and errors in emulators are the same on every machine.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const [program, page, document, ...tables] = process.argv.slice(2);
const printed = execFileSync(program, [document, '--json', '--table', tables.join(',')], { encoding: 'utf8' })
  .trim()
  .split('\n');
const lines = readFileSync(page, 'utf8').split('\n');
const cells = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of the page's table with these columns. */
function rowsOfPage(columns) {
  const head = lines.findIndex((line) => line.startsWith('|') && cells(line).join('|') === columns.join('|'));
  assert.notEqual(head, -1, `${page} has no table with the columns ${columns}`);
  const end = lines.findIndex((line, i) => i > head && !line.startsWith('|'));
  return lines.slice(head + 2, end).map(cells);
}

for (const table of tables)
  test(`${page}: ${table}`, () => {
    const rows = printed
      .filter((line) => line.includes(`"table":"${table}"`))
      .map((line) => JSON.parse(line.replace(/,$/, '')));
    assert.ok(rows.length > 0);
    const columns = Object.keys(rows[0]).filter((key) => key !== 'table');
    assert.deepEqual(
      rowsOfPage(columns),
      rows.map((row) => columns.map((key) => `${row[key] ?? '-'}`)),
    );
  });
