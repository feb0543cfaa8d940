// memory.test.mjs - in a control group with little memory: too large a plan is refused with a sentence, at the
// start and while fftd runs, and no process is killed.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { residentBytes, run, scratch, serve, until } from '../support/fftd.mjs';

const MIB = 2 ** 20,
  LIMIT = 160 * MIB;

/** A new control group with a limit, or null: this user may not make one. */
function makeGroup() {
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  const v1 = own.match(/^\d+:memory:(.*)$/m)?.[1],
    v2 = own.match(/^0::(.*)$/m)?.[1];
  const [parent, file] = v1
    ? [`/sys/fs/cgroup/memory${v1}`, 'memory.limit_in_bytes']
    : [`/sys/fs/cgroup${v2}`, 'memory.max'];
  const path = join(parent, `fftd-test-${process.pid}`);
  try {
    mkdirSync(path);
    writeFileSync(join(path, file), `${LIMIT}`);
    return path;
  } catch {
    if (existsSync(path)) rmdirSync(path);
    return null;
  }
}

const group = makeGroup();
if (!group) {
  console.log('1..0 # SKIP no control group can be made here');
  process.exit(77);
}
process.on('exit', () => rmdirSync(group));
const inside = { wrap: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$0" "$@"`] };
const NEEDS = /fft-size (\d+) at 2400000 samples\/s needs (\d+) MiB of memory; the control group has (\d+) MiB left/;
const RING = /ring-size: \d+ bytes needed, more than a quarter of the memory of the control group/;

test('a plan that is too large ends the start with a sentence, and takes what it says where there is room', async (t) => {
  const args = ['--source', 'sim', '--fast', '--overlap', '0', '--average', '1'];
  const largest = await run([...args, '--fft-size', '4194304', '--lines', '3'], inside);
  assert.equal(largest.code, 1, largest.stderr);
  assert.match(largest.stderr, RING);
  const large = await run([...args, '--fft-size', '1048576', '--lines', '3'], inside);
  assert.equal(large.code, 1, large.stderr);
  const [, n, needed, left] = large.stderr.match(NEEDS) ?? assert.fail(large.stderr);
  assert.equal(n, '1048576');
  assert.ok(Number(left) <= 160 && Number(needed) > Number(left), large.stderr);
  // The same plan outside of the group, after more lines than the ring of lines holds.
  const rss = async (size) => {
    const daemon = await serve(t, [...args, '--fft-size', size]);
    await until('lines', async () => (await daemon.status()).ledger.lines > (size > 4096 ? 12 : 100));
    const bytes = residentBytes(daemon.pid);
    await daemon.stop();
    return bytes;
  };
  const { stderr } = await run([...args, '--fft-size', '1048576', '--listen', '127.0.0.1:0'], inside);
  const estimate = Number(stderr.match(NEEDS)[2]) - 16,
    ring = (8 * (1048576 - 300000) * 4) / MIB;
  const taken = ((await rss('1048576')) - (await rss('1024'))) / MIB - ring;
  // Pyramids that nobody reads, and the fold of lines of one batch, are counted and not touched.
  assert.ok(taken < estimate + 16 && taken > 0.6 * estimate, `${estimate} MiB estimated, ${taken} MiB taken`);
});

test('a change that needs more than there is is refused, and the old plan goes on', async (t) => {
  const config = join(scratch(t), 'fftd.conf');
  const write = (size, rate = '2.4M') =>
    writeFileSync(config, `[source]\nsource = sim\n[radio]\nrate = ${rate}\n[spectrum]\nfft-size = ${size}\n`);
  write(1024);
  const daemon = await serve(t, ['-c', config], inside);
  const reload = async (answer, ...settings) => {
    const before = daemon.stderr.length;
    write(...settings);
    daemon.child.kill('SIGHUP');
    await until(`${answer}`, () => answer.test(daemon.stderr.slice(before)));
  };
  await until('lines', async () => (await daemon.status()).ledger.lines > 2);
  await reload(RING, 4194304);
  await reload(NEEDS, 1048576);
  await reload(RING, 1024, '1G');
  await reload(/reload: changed/, 65536);
  await until('the new plan', async () => (await daemon.status()).spectrum.fft_size === 65536);
  const { state, ledger } = await daemon.status();
  assert.equal(state, 'running');
  assert.equal(ledger.lost.overrun + ledger.lost.gap, 0);
  assert.equal(await daemon.stop(), 0, daemon.stderr);
});

test('a sweep takes memory by the bins of its span, and is refused where there is too little', async () => {
  const args = ['--source', 'sim', '--fast', '--rate', '2.4M', '--dwell', '1ms', '--lines', '2', '--csv', '/dev/null'];
  const wide = await run([...args, '--span', '100M:1G', '--fft-size', '1024'], inside);
  assert.equal(wide.code, 0, wide.stderr);
  const fine = await run([...args, '--span', '100M:1G', '--fft-size', '16384'], inside);
  assert.equal(fine.code, 1, fine.stderr);
  assert.match(fine.stderr, /plan: span: /);
  assert.match(fine.stderr, NEEDS);
  // 6.1 million bins: three lines of 8 bytes a bin, half of them the pyramid, and 4 in the panorama
  assert.ok(Number(fine.stderr.match(NEEDS)[2]) * MIB > 6.1e6 * (3 * 8 + 4), fine.stderr);
});
