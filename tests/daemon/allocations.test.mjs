// allocations.test.mjs - memory runs out at any allocation, for good or for once: fftd ends with a line and a status
// other than 0, or does all of its work. It never hangs. FFTD_FULL: at every allocation, else at some.

import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCsv, run, scratch } from '../support/fftd.mjs';

const LINES = 3,
  LARGEST = 20000;
const full = Boolean(process.env.FFTD_FULL);
const common = ['--engine', 'cpu', '--threads', '2', '--fft-size', '1024', '--lines', `${LINES}`, '--csv', '-'];

/**
 * libwebsockets and libuv of Debian 12 crash in their own initialisation. The first one logs a line before, or an
 * assertion of its lib/core-net fails; glibc may have no memory for that assertion's text.
 */
const THEIR_WORDS = /libwebsockets|^$|^Unexpected error\.$|\/lib\/core-net\/\w+\.c:\d+: .*Assertion/;
const isTheirs = ({ code, stderr }) => /SIGSEGV|SIGABRT/.test(code) && THEIR_WORDS.test(stderr.trim());

/** Whether the rows contain all samples of a run. An output that lags in real time writes one row for several lines. */
function isComplete(rows, stderr) {
  const samples = rows.reduce((sum, row) => sum + row.samples, 0);
  return rows.length > 0 && rows.length <= LINES && samples >= Number(/(\d+) samples in .* 3 lines;/.exec(stderr)?.[1]);
}

/** @returns whether the k-th allocation took place */
async function failAt(mode, k, args, reported, counts) {
  rmSync(reported, { force: true });
  const env = [`LD_PRELOAD=${process.env.FFTD_FAIL_ALLOC}`, `FFTD_FAIL_${mode}=${k}`, `FFTD_FAIL_REPORT=${reported}`];
  const result = await run([...args, ...common], { wrap: ['env', ...env], timeout: 60000 });
  const { code, stdout, stderr } = result,
    what = `${mode} ${k}: ${code}: ${stderr}`;
  if (code === 0) {
    assert.ok(stdout.length > 0 && isComplete(parseCsv(stdout), stderr), `${what}${stdout.length} bytes of rows`);
  } else if (isTheirs(result)) {
    counts.theirs += 1;
  } else {
    assert.equal(code, 1, what);
    assert.match(stderr, /^fftd: /m, what);
  }
  return existsSync(reported);
}

/** Every allocation, or fewer and fewer. */
const next = (k, every) => (every ? k + 1 : k + 1 + Math.floor(k / 12));

for (const mode of ['FROM', 'ONCE'])
  for (const kind of ['replay', 'radio', 'server'])
    test(`${kind}, without memory ${mode === 'FROM' ? 'from an allocation on' : 'for one allocation'}`, async (t) => {
      const folder = scratch(t),
        path = join(folder, 'x_1000k.cu8'),
        reported = join(folder, 'reported');
      writeFileSync(path, Buffer.alloc(400000, 0x81));
      const args = {
        replay: ['--replay', path],
        radio: ['--source', 'sim', '--rate', '100k', '--listen', 'none'],
        server: ['--replay', path, '--realtime', '--listen', '127.0.0.1:0'],
      }[kind];
      const counts = { theirs: 0 };
      const radioStarts = kind === 'radio' && mode === 'FROM'; // a radio is opened again and again
      let k = 1;
      while (k < LARGEST && (await failAt(mode, k, args, reported, counts)))
        k = next(k, full || (radioStarts && k < 150));
      assert.ok(k > 80 && k < LARGEST, `${k} allocations`);
      assert.ok(counts.theirs <= (full ? 20 : 5), `${counts.theirs} crashes in libraries`);
      t.diagnostic(`${k} allocations; ${counts.theirs} crashes in libuv or libwebsockets`);
    });
