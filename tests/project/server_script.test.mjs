// server_script.test.mjs - script/server on a tree that is built already: what its arguments make of the simulated radio.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = mkdtempSync(join(tmpdir(), 'fftd-server-'));
after(() => rmSync(root, { recursive: true }));
const tools = join(root, 'tools'),
  recording = join(root, 'x_100M_1M.cu8');

/** A program of this name, before all others of PATH. */
function replace(name, script) {
  writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, name), 0o755);
}

cpSync(fileURLToPath(new URL('../../script', import.meta.url)), join(root, 'script'), { recursive: true });
for (const folder of [tools, join(root, 'build/release/daemon')]) mkdirSync(folder, { recursive: true });
symlinkSync(resolve(process.env.FFTD), join(root, 'build/release/daemon/fftd'));
replace('cmake', 'exit 0'); // everything is built, and every package is installed
replace('dpkg-query', `awk '!/^#/ { print $2, "installed" }' '${root}/script/packages'`);
replace('apt-get', 'echo apt-get was called >&2; exit 1');
writeFileSync(recording, Buffer.alloc(40000, 128));
writeFileSync(join(root, 'own.conf'), '[source]\nsource = sim\n[radio]\nrate = 500k\n');

/** What fftd says, without the lines of script/server. */
function server(...args) {
  const { status, stderr } = spawnSync(join(root, 'script/server'), args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
  });
  return { status, text: stderr.replace(/^server: .*\n/gm, '') };
}

test('without a source it is the simulated radio', () => {
  const { status, text } = server('--fast', '--duration', '0.1', '--listen', 'none');
  assert.equal(status, 0, text);
  assert.match(text, /^fftd: source sim: simulated radio/);
});

test('a recording takes its place, with --replay and without', () => {
  for (const args of [['--replay', recording], [`--replay=${recording}`], [recording], ['x_100M_1M.cu8']]) {
    const { status, text } = server(...args);
    assert.equal(status, 0, text);
    assert.match(text, /^fftd: source file: .*x_100M_1M\.cu8 \(cu8\), 1000000 samples\/s/);
  }
});

test('so do another source, a hub, and a configuration file', () => {
  for (const args of [
    ['--source', 'soapy'],
    ['--hub', 'nats://127.0.0.1:1'],
    ['hub', 'nats://127.0.0.1:1'],
    ['--hub=nats://127.0.0.1:1'],
  ]) {
    const { status, text } = server(...args, '--listen', '127.0.0.1:0', '--check-config');
    assert.ok(status === 0 || /not in this build|built without/.test(text), `${args}: ${text}`);
  }
  const { status, text } = server('-c', 'own.conf', '--fast', '--duration', '0.1', '--listen', 'none');
  assert.equal(status, 0, text);
  assert.match(text, /500000 samples\/s/);
});
