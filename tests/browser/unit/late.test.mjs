// The second script: esbuild joins it and main.js each for itself, so what both import has no state of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { JOINED } from '../page_files.mjs';

const WEB = new URL('../../../web/', import.meta.url);

/** Lines of a module that keep something from call to call: at its left edge, a variable or a container. */
const stateOf = (text) =>
  text
    .split('\n')
    .filter(
      (line) =>
        /^(export )?(let|var) /.test(line)
        || /^(export )?const .*= (new (Map|Set|WeakMap|WeakSet)\b|\[\];|\{\};)/.test(line),
    );

test('a variable or an empty container of a module is state, and a table is none', () => {
  assert.deepEqual(stateOf('let a = 1;\n  let b;\nconst c = new Map();\nconst d = [];'), [
    'let a = 1;',
    'const c = new Map();',
    'const d = [];',
  ]);
  assert.deepEqual(stateOf('const SIZES = [1, 2];\nconst UNITS = { a: 1 };\nfunction f() {\n  let x;\n}'), []);
});

test('what both scripts of the page contain has no state', JOINED, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-late-'));
  try {
    execFileSync(
      'esbuild',
      [
        'main.js',
        'late_parts.js',
        '--bundle',
        '--format=esm',
        '--external:./late_parts.js',
        `--metafile=${folder}/meta.json`,
        `--outdir=${folder}`,
        '--log-level=warning',
      ],
      { cwd: WEB },
    );
    const { outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
    const [main, second] = ['main.js', 'late_parts.js'].map((name) =>
      Object.keys(Object.entries(outputs).find(([path]) => path.endsWith(`/${name}`))[1].inputs),
    );
    const both = second.filter((path) => main.includes(path));
    assert.ok(both.includes('util/dom.js'), both.join());
    for (const path of both)
      assert.deepEqual(stateOf(readFileSync(new URL(path, WEB), 'utf8')), [], `${path} would be there twice`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
