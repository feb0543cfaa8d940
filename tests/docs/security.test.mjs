// security.test.mjs - every row of SECURITY.md that says what holds, or what does not, names the tests that show it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'node:test';

import { documents, root } from './documents.mjs';

const security = documents.get('SECURITY.md');

/** The rows below a heading, up to the next heading of the same level: the cells of all of its tables. */
function rowsBelow(heading) {
  const from = security.lines.indexOf(heading);
  assert.notEqual(from, -1, `SECURITY.md has no ${heading}`);
  const rest = security.lines.slice(from + 1);
  const end = rest.findIndex((line) => /^## /.test(line));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([, tests]) => tests !== 'shown by');
}

/** "`http/http.test.mjs` *a case*" -> file and case; a file without a case is one test as a whole. */
const testsOf = (cell) => [...cell.matchAll(/`([^`]+)`(?: \*([^*]+)\*)?/g)].map(([, file, name]) => ({ file, name }));

/** Whether the CMakeLists.txt of its folder registers it, a foreach() without the "test_". */
function isRegistered(file) {
  const list = join(dirname(file), 'CMakeLists.txt');
  const name = basename(file).replace(/(\.test)?\.\w+$/, '');
  return (
    existsSync(list) && new RegExp(`\\b(${name}|${name.replace(/^test_/, '')})\\b`).test(readFileSync(list, 'utf8'))
  );
}

const rows = [...rowsBelow('## What holds'), ...rowsBelow('## What does not hold')];

test('each row names at least one test', () => {
  assert.ok(rows.length > 45, `${rows.length} rows`);
  for (const [claim, cell] of rows) assert.ok(cell && testsOf(cell).length > 0, `no test for: ${claim}`);
});

test('each test that is named exists, runs, and has the case', () => {
  for (const [claim, cell] of rows)
    for (const { file, name } of testsOf(cell)) {
      const path = join(root, 'tests', file);
      assert.ok(existsSync(path), `${file}: no such test, for: ${claim}`);
      assert.ok(isRegistered(path), `${file}: not in the CMakeLists.txt beside it`);
      assert.ok(!name || readFileSync(path, 'utf8').includes(name), `${file} has no case "${name}", for: ${claim}`);
    }
});
