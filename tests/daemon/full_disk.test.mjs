// full_disk.test.mjs - a disk that is really full: a small tmpfs in a namespace of its own, for recordings, the disk ring and the
// archive.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, run, scratch } from '../support/fftd.mjs';

const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');
const allowed = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=1m none /tmp']).status === 0;
const options = { skip: !allowed && 'no user namespaces with a tmpfs' };

/** Runs fftd with a disk of `size` in $disk, and copies what is left there to `into`. `then`: more of the shell before that. */
function onDisk(t, size, args, then = '') {
  const folder = scratch(t),
    disk = join(folder, 'disk'),
    into = join(folder, 'kept');
  mkdirSync(disk);
  mkdirSync(into);
  const script = `mount -t tmpfs -o size=${size} none "$disk" && { "$@" ; status=$?; ${then} cp -a "$disk/." "$into"; exit $status; }`;
  const done = spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', binary, ...args(disk)], {
    encoding: 'utf8',
    env: { ...process.env, disk, into, binary },
  });
  return { ...done, into };
}

test('a recording ends where the disk does, valid and shorter, and says why', options, (t) => {
  const { status, stderr, into } = onDisk(t, '8m', (disk) => [
    '--source',
    'sim',
    '--device',
    'scene=counter',
    '--format',
    'cs16',
    '--rate',
    '1M',
    '--fft-size',
    '1024',
    '--fast',
    '--duration',
    '5',
    '--record',
    disk,
    '--record-all',
    '--record-min-free',
    '0',
  ]);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /the disk is full|No space left/i);
  const [name] = readdirSync(into)
    .filter((file) => file.endsWith('.sigmf-meta'))
    .map((file) => file.replace('.sigmf-meta', ''));
  assert.deepEqual(readdirSync(into).sort(), [`${name}.sigmf-data`, `${name}.sigmf-meta`]);
  const found = JSON.parse(execFileSync('python3', [reader, join(into, name), '--counter'], { encoding: 'utf8' }));
  assert.ok(found.samples > 1e6 && found.samples < 2.1e6, `${found.samples}`); // 8 MiB less the metadata
  assert.equal(statSync(join(into, `${name}.sigmf-data`)).size, 4 * found.samples);
});

test('a disk ring that does not fit is refused before anything starts', options, (t) => {
  const { status, stderr } = onDisk(t, '8m', (disk) => [
    '--source',
    'sim',
    '--fast',
    '--duration',
    '1',
    '--record',
    disk,
    '--iq-history',
    '64M',
  ]);
  assert.equal(status, 1);
  assert.match(stderr, /fftd\.iq-history: it needs 67108864 bytes, and \d+ are free/);
});

test('an archive loses rows while the disk is full, counts them, and goes on with what it has', options, async (t) => {
  const archive = (disk) => [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--fft-size',
    '16384',
    '--overlap',
    '0',
    '--line-rate',
    '100',
    '--fast',
    '--archive',
    disk,
    '--archive-tiers',
    '10ms:1h',
    '--archive-min-free',
    '0',
    '--archive-columns',
    '16384',
  ];
  const { status, stderr, into } = onDisk(
    t,
    '2m',
    (disk) => [...archive(disk), '--duration', '20'],
    'rm -f "$disk"/*_10s_* "$disk"/*_100s_*; ',
  );
  assert.equal(status, 1, stderr);
  assert.match(stderr, /archive: .*disk is full/);
  assert.equal(stderr.match(/disk is full/g).length, 1, stderr);
  // What is there is whole: the tone is in every row.
  const rows = (await run(['--replay-spectra', into, '--json', '-', '--detector', 'max'])).stdout
    .toString()
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));
  assert.ok(rows.length >= 64, `${rows.length}`); // a block
  for (const { levels, low_hz: low, column_hz: step, time } of rows)
    assert.ok(Math.abs(levels[Math.floor((100.3e6 - low) / step)] + 20) <= 0.6, time); // the scene's tone of -20 dBFS
  const fresh = await run([...archive(into), '--duration', '0.5']); // with room
  assert.equal(fresh.code, 0, fresh.stderr);
});

test(
  'a disk that is full at a rotation costs a replay nothing silently, and in real time rows go on once there is room',
  options,
  async (t) => {
    // 4 KiB files on a disk of 64 KiB: it fills up in the middle of the rotation.
    const args = (disk) => [
      '--source',
      'sim',
      '--rate',
      '1M',
      '--fft-size',
      '64',
      '--line-rate',
      '100',
      '--output-max-bytes',
      '4k',
      '--json',
      join(disk, 'l.json'),
    ];
    const lines = (folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith('l.json'))
        .sort((a, b) => (a === 'l.json') - (b === 'l.json') || (a < b ? -1 : 1))
        .flatMap((name) => readFileSync(join(folder, name), 'latin1').split('\n').slice(0, -1))
        .map((row) => JSON.parse(row)); // only whole rows are JSON
    const fast = onDisk(t, '64k', (disk) => [...args(disk), '--fast', '--duration', '3']);
    assert.equal(fast.status, 1, fast.stderr);
    assert.match(fast.stderr, /l\.json: No space left on device/);
    const first = lines(fast.into);
    assert.ok(first.length > 20, `${first.length}`);
    first.forEach((row, i) => assert.equal(row.line, first[0].line + i));

    // The shell waits for the fault, frees space, and waits for its end.
    const folder = scratch(t),
      disk = join(folder, 'disk'),
      into = join(folder, 'kept');
    mkdirSync(disk);
    mkdirSync(into);
    const script = `mount -t tmpfs -o size=64k none "$disk" && { "$@" 2>"$into/log" & pid=$!
        until grep -q 'dropped until' "$into/log"; do kill -0 $pid || exit 9; sleep 0.1; done
        mount -o remount,size=1m "$disk"
        until grep -q 'written again after' "$into/log"; do kill -0 $pid || exit 8; sleep 0.1; done
        sleep 0.5; kill -TERM $pid; wait $pid; status=$?; cp -a "$disk/." "$into"; exit $status; }`;
    const { status } = spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', binary, ...args(disk), '--realtime'], {
      env: { ...process.env, disk, into },
    });
    const log = readFileSync(join(into, 'log'), 'utf8');
    assert.equal(status, 0, log);
    assert.equal(log.match(/dropped until/g).length, 1, log);
    const dropped = Number(log.match(/written again after (\d+) dropped rows/)[1]),
      all = lines(into);
    // Every line is in a row, or counted: `merged` lines are in one row.
    const missing = all.slice(1).reduce((sum, row, i) => sum + row.line - row.merged - all[i].line, 0);
    assert.ok(missing <= dropped, `${missing} are missing, ${dropped} are counted`);
    assert.ok(all.at(-1).line > first.length + dropped, 'rows after the fault');
  },
);
