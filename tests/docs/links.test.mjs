// links.test.mjs - every link of every document has its target; README is short and names what it must.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { documents, parse, root } from './documents.mjs';

/** Why a link leads nowhere, or null. */
function brokenBecause(name, target) {
  if (/^[a-z]+:/.test(target)) return null; // another host's: not ours to ask
  const [path, anchor] = target.split('#');
  const file = path ? normalize(join(dirname(name), path)) : name;
  if (file.startsWith('..')) return 'leaves the project';
  if (!existsSync(join(root, file))) return 'no such file';
  if (anchor === undefined) return null;
  if (!documents.has(file)) return 'an anchor in a file that is no document';
  return documents.get(file).anchors.has(anchor) ? null : 'no such heading';
}

test('there are documents and links to test', () => {
  const links = [...documents.values()].flatMap((document) => document.links);
  assert.ok(documents.size >= 20, `${documents.size} documents`);
  assert.ok(links.length >= 60, `${links.length} links`);
});

for (const [name, document] of documents) {
  test(`every link of ${name} has its target`, () => {
    const broken = document.links
      .map(({ target, line }) => [line, target, brokenBecause(name, target)])
      .filter(([, , why]) => why);
    assert.deepEqual(broken, []);
  });
}

/** As cmake/install.cmake has it. */
const isInstalled = (file) => /^(docs|bench\/results)(\/|$)|^[A-Z]+\.md$|^LICENSE$/.test(file);

test('an installed document links to what is installed with it', () => {
  const install = readFileSync(join(root, 'cmake/install.cmake'), 'utf8');
  for (const name of ['docs ', 'bench/results ', ...[...documents.keys()].filter((file) => /^[A-Z]+\.md$/.test(file))])
    assert.ok(install.includes(`\${CMAKE_SOURCE_DIR}/${name}`), name);
  const astray = [...documents]
    .filter(([name]) => isInstalled(name))
    .flatMap(([name, { links }]) =>
      links
        .filter(({ target }) => !/^[a-z]+:/.test(target) && !target.startsWith('#'))
        .map(({ target, line }) => [name, line, normalize(join(dirname(name), target.split('#')[0]))])
        .filter(([, , file]) => !isInstalled(file)),
    );
  assert.deepEqual(astray, []);
});

test('links in code are no links, and equal headings have different anchors', () => {
  const { links, anchors } = parse('# A b\n`[x](y)` [z](w)\n```sh\n[p](q)\n```\n## A b\n### `/api/s`, c\n');
  assert.deepEqual(links, [{ target: 'w', line: 2 }]);
  assert.deepEqual([...anchors], ['a-b', 'a-b-1', 'apis-c']);
});

test('a missing file, a missing heading and a way out are found', () => {
  assert.equal(brokenBecause('README.md', 'docs/nosuch.md'), 'no such file');
  assert.equal(brokenBecause('README.md', 'docs/protocol.md#nosuch'), 'no such heading');
  assert.equal(brokenBecause('docs/protocol.md', '../../x'), 'leaves the project');
  assert.equal(brokenBecause('docs/protocol.md', '#limits'), null);
});

for (const [name, most] of [
  ['README.md', 150],
  ['ARCHITECTURE.md', 250],
])
  test(`${name} has at most ${most} lines`, () => {
    const lines = documents.get(name).text.trimEnd().split('\n').length;
    assert.ok(lines <= most, `${lines} lines`);
  });

test('README names the two commands, which are there', () => {
  const code = documents.get('README.md').fences.map((fence) => fence.code.trim());
  for (const command of ['script/server', 'script/test']) {
    assert.ok(code.includes(command), command);
    assert.ok(statSync(join(root, command)).mode & 0o111, `${command} can be run`);
  }
});

test('pictures are small', () => {
  const folder = join(root, 'docs/images'),
    names = readdirSync(folder);
  assert.ok(names.length > 3, `${names}`);
  for (const name of names) {
    const { size } = statSync(join(folder, name));
    assert.ok(size < 200000, `${name}: ${size} bytes`);
  }
});

test('lines of documents have at most 140 characters, tables apart', () => {
  const long = [...documents].flatMap(([name, { lines }]) =>
    lines
      .map((line, i) => [name, i + 1, line.length, line])
      .filter(([, , length, line]) => length > 140 && !line.startsWith('|'))
      .map((row) => row.slice(0, 3)),
  );
  assert.deepEqual(long, []);
});
