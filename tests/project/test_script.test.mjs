// test_script.test.mjs - script/test where a package cannot be installed: it ends with the reason, and with a count.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = mkdtempSync(join(tmpdir(), 'fftd-test-script-'));
after(() => rmSync(root, { recursive: true }));
const tools = join(root, 'tools');
mkdirSync(tools);
cpSync(fileURLToPath(new URL('../../script', import.meta.url)), join(root, 'script'), { recursive: true });

/** A program of the system, as the only one of its name that the script finds. */
function borrow(name) {
  const path = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  if (path.startsWith('/')) symlinkSync(path, join(tools, name));
}

function replace(name, script) {
  writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, name), 0o755);
}

for (const name of 'bash cat dirname env grep head id mkdir mktemp nproc rm sed sort tail wc'.split(' ')) borrow(name);
replace('dpkg-query', 'exit 0'); // nothing is installed
replace('apt-get', 'echo "E: no network" >&2; exit 100');
replace('sudo', 'exec "$@"');
replace('nvidia-smi', 'exit 1');

function runScript() {
  const { status, stdout, stderr } = spawnSync(join(tools, 'bash'), [join(root, 'script/test')], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: tools, HOME: root, TMPDIR: root },
  });
  return { status, stdout, stderr };
}

/** script/test adds the system's folders for programs to PATH: node must not be in them. */
const hidesNode = spawnSync('sh', ['-c', 'PATH=/usr/sbin:/sbin command -v node']).status !== 0;

function checkEnd({ status, stdout, stderr }) {
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^FAILED {2}install \(failed: .*apt-get .* update \(full output in .*\)\)\n0 passed, 1 failed, 0 skipped\n$/m,
  );
  assert.match(stderr, /^E: no network$/m);
  assert.doesNotMatch(stdout + stderr, /^ +at |\.mjs|not found/m);
}

test('without node the run ends with the reason', { skip: !hidesNode && 'node is in /usr/sbin' }, () =>
  checkEnd(runScript()),
);

test('with node it ends with the reason', () => {
  symlinkSync(process.execPath, join(tools, 'node'));
  const result = runScript();
  checkEnd(result);
  assert.match(result.stdout, /^==\s+install\s+FAILED/m);
});
