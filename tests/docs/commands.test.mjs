// commands.test.mjs - examples of the documents are run: blocks with "test" after their language.
//
//     ```sh test              run by sh in an empty folder, with fftd, fft-bench and fft-image in PATH; ends with 0
//     ```sh test status=1     ends with 1
//     ```sh test recording    with the recordings of FFTD_IQ_DIR in the folder; skipped without
//     ```sh test nats         with nats-reader.mjs in PATH and a free port in PORT; skipped without nats-server
//     ```c test               compiled with the library and run
//     ```js test              run with the address of a running fftd (protocol.test.mjs)
//
// The lines of the next block "text output" are lines of its output, in this order.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { scratch } from '../support/fftd.mjs';
import { freePort, missing } from '../support/nats.mjs';
import { documents, root } from './documents.mjs';

const { FFTD, FFT_BENCH, FFT_IMAGE } = process.env;
const programs = [FFTD, FFT_BENCH, FFT_IMAGE]
  .map((program) => dirname(resolve(program)))
  .concat(join(root, 'tools/nats-reader'));
const recordings = process.env.FFTD_IQ_DIR;

/** The lines that the document shows are in the output, in their order. */
function assertShows(output, shown) {
  let at = -1;
  const lines = output.split('\n');
  for (const line of shown.trimEnd().split('\n')) {
    at = lines.indexOf(line, at + 1);
    assert.ok(at >= 0, `"${line}" is not in its place in\n${output.slice(0, 4000)}`);
  }
}

/** Runs a command to its end. */
function run(command, args, folder, status) {
  const result = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PATH: [...programs, process.env.PATH].join(':'), HOME: folder, PORT: port },
  });
  assert.equal(result.status, status, `${result.signal ?? ''} ${result.stderr}`);
  return result.stdout;
}

function runShell(t, fence) {
  const folder = scratch(t);
  if (fence.words.includes('recording'))
    readdirSync(recordings).forEach((name) => symlinkSync(join(recordings, name), join(folder, name)));
  const status = Number(fence.words.find((word) => word.startsWith('status='))?.slice(7) ?? 0);
  return run('sh', ['-e', '-c', fence.code], folder, status);
}

function runC(t, fence) {
  const folder = scratch(t);
  writeFileSync(join(folder, 'example.c'), fence.code);
  execFileSync(
    process.env.CC ?? 'cc',
    [
      '-std=gnu17',
      '-Wall',
      '-Wextra',
      '-Werror',
      `-I${root}`,
      'example.c',
      process.env.FFTD_LIBRARY,
      '-lm',
      '-ldl',
      '-pthread',
      '-o',
      'example',
    ],
    { cwd: folder },
  );
  return run(join(folder, 'example'), [], folder, 0);
}

const runners = { sh: runShell, c: runC };
const port = await freePort();
let count = 0,
  shown = 0;

for (const [name, { fences }] of documents) {
  fences.forEach((fence, i) => {
    const runner = runners[fence.language];
    if (!runner || !fence.words.includes('test')) return;
    const next = fences.slice(i + 1).find(({ words }) => words.includes('test') || words.includes('output'));
    if (next?.words.includes('output')) shown++;
    const skip =
      (fence.words.includes('recording') && !recordings && 'FFTD_IQ_DIR is not set')
      || (fence.words.includes('nats') && missing());
    count++;
    test(`${name}:${fence.line} runs`, { skip }, (t) => {
      const output = runner(t, fence);
      if (next?.words.includes('output')) assertShows(output, next.code);
    });
  });
}

test('examples are run, and every output shown belongs to one', () => {
  const outputs = [...documents.values()]
    .flatMap(({ fences }) => fences)
    .filter(({ words }) => words.includes('output'));
  assert.ok(count >= 8, `${count} examples`);
  assert.equal(shown, outputs.length);
});

test('output that is missing, or in another order, is found', () => {
  assertShows('a\nb\nc\n', 'a\nc\n');
  assert.throws(() => assertShows('a\nb\n', 'b\na\n'), /"a" is not in its place/);
  assert.throws(() => assertShows('a\n', 'b\n'), /"b"/);
});

test('a command with another status is found', (t) => {
  const fence = (code, ...words) => ({ code, words });
  assert.throws(() => runShell(t, fence('exit 3')));
  assert.throws(() => runShell(t, fence('true', 'status=1')));
  runShell(t, fence('fftd --version >version; fft-bench --help >help'));
});
