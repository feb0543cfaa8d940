// full_disk.test.mjs - a disk that is really full: a small tmpfs in a namespace of its own, for recordings, the disk ring and the
// archive.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, run, scratch } from '../support/fftd.mjs';

const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');
const allowed = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=1m none /tmp']).status === 0;
const options = { skip: !allowed && 'no user namespaces with a tmpfs' };

/** Runs fftd with a disk of `size` in $disk, and copies what is left there to `into`. `then`: more of the shell before that. */
function onDisk(t, size, args, then = '') {
    const folder = scratch(t), disk = join(folder, 'disk'), into = join(folder, 'kept');
    mkdirSync(disk);
    mkdirSync(into);
    const script = `mount -t tmpfs -o size=${size} none "$disk" && { "$@" ; status=$?; ${then} cp -a "$disk/." "$into"; exit $status; }`;
    const done = spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', binary, ...args(disk)],
        { encoding: 'utf8', env: { ...process.env, disk, into, binary } });
    return { ...done, into };
}

test('a recording ends where the disk does, valid and shorter, and says why', options, (t) => {
    const { status, stderr, into } = onDisk(t, '8m', (disk) => ['--source', 'sim', '--device', 'scene=counter', '--format', 'cs16', '--rate', '1M',
        '--fft-size', '1024', '--fast', '--duration', '5', '--record', disk, '--record-all', '--record-min-free', '0']);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /the disk is full|No space left/i);
    const [name] = readdirSync(into).filter((file) => file.endsWith('.sigmf-meta')).map((file) => file.replace('.sigmf-meta', ''));
    assert.deepEqual(readdirSync(into).sort(), [`${name}.sigmf-data`, `${name}.sigmf-meta`]);
    const found = JSON.parse(execFileSync('python3', [reader, join(into, name), '--counter'], { encoding: 'utf8' }));
    assert.ok(found.samples > 1e6 && found.samples < 2.1e6, `${found.samples}`); // 8 MiB less the metadata
    assert.equal(statSync(join(into, `${name}.sigmf-data`)).size, 4 * found.samples);
});

test('a disk ring that does not fit is refused before anything starts', options, (t) => {
    const { status, stderr } = onDisk(t, '8m', (disk) => ['--source', 'sim', '--fast', '--duration', '1', '--record', disk, '--iq-history', '64M']);
    assert.equal(status, 1);
    assert.match(stderr, /fftd\.iq-history: it needs 67108864 bytes, and \d+ are free/);
});

test('an archive loses rows while the disk is full, counts them, and goes on with what it has', options, async (t) => {
    const archive = (disk) => ['--source', 'sim', '--rate', '2.4M', '--fft-size', '16384', '--overlap', '0', '--line-rate', '100',
        '--fast', '--archive', disk, '--archive-tiers', '10ms:1h', '--archive-min-free', '0', '--archive-columns', '16384'];
    const { status, stderr, into } = onDisk(t, '2m', (disk) => [...archive(disk), '--duration', '20'],
        'rm -f "$disk"/*_10s_* "$disk"/*_100s_*; ');
    assert.equal(status, 1, stderr);
    assert.match(stderr, /archive: .*disk is full/);
    assert.equal(stderr.match(/disk is full/g).length, 1, stderr);
    // What is there is whole: the tone is in every row.
    const rows = (await run(['--replay-spectra', into, '--json', '-', '--detector', 'max'])).stdout.toString().trim().split('\n').map((row) => JSON.parse(row));
    assert.ok(rows.length >= 64, `${rows.length}`); // a block
    for (const { levels, low_hz: low, column_hz: step, time } of rows)
        assert.ok(Math.abs(levels[Math.floor((100.3e6 - low) / step)] + 20) <= 0.6, time); // the scene's tone of -20 dBFS
    const fresh = await run([...archive(into), '--duration', '0.5']); // with room
    assert.equal(fresh.code, 0, fresh.stderr);
});
