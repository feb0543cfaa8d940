// output_files.test.mjs - files of outputs that exist: what is not theirs stays, earlier rows stay, others may move or shorten them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, linkSync, readFileSync, readdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';

const SIM = ['--source', 'sim', '--rate', '1M', '--fft-size', '64', '--fast', '--duration', '0.5'];
const OUTPUTS = ['csv', 'json', 'stats', 'events', 'measure-json'];
const MORE = ['--trigger', 'level=-20', '--measure', 'channel-power'];
const rows = (path) => readFileSync(path, 'latin1').split('\n').slice(0, -1);

test('a file that is no earlier output is refused before anything starts, and stays', async (t) => {
    const folder = scratch(t), recording = join(folder, 'capture_1M.cu8'), other = join(folder, 'new');
    const bytes = Buffer.from(Array.from({ length: 20000 }, (_, i) => i * 7));
    writeFileSync(recording, bytes);
    for (const output of OUTPUTS)
        for (const check of [[], ['--check-config']]) {
            const { code, stderr } = await run([...SIM, ...MORE, ...check, `--${output}`, recording, output === 'csv' ? '--json' : '--csv', other]);
            assert.equal(code, 1, stderr);
            assert.match(stderr, /^fftd: \S+capture_1M\.cu8: it exists and is not .*: give another name, or --overwrite to replace it\n$/);
        }
    const hard = join(folder, 'hard');
    linkSync(recording, hard);
    assert.match((await run([recording, '--csv', hard, '--overwrite'])).stderr, /--replay and --csv are both/);
    assert.match((await run(['--csv', hard, '--overwrite', '--replay', '/dev/stdin', '--format', 'cu8'], { wrap: ['sh', '-c', `exec "$0" "$@" <${recording}`] })).stderr, /both/);
    assert.deepEqual(readFileSync(recording), bytes);
    assert.deepEqual(readdirSync(folder).sort(), ['capture_1M.cu8', 'hard']);
    const { code, stderr } = await run([...SIM, '--csv', recording, '--overwrite']);
    assert.equal(code, 0, stderr);
    assert.equal(rows(hard).length, 10);
});

test('rows are added to an earlier output of the same form, after its whole rows', async (t) => {
    const folder = scratch(t), path = (name) => join(folder, name);
    const args = [...SIM, ...MORE, ...OUTPUTS.flatMap((name) => [`--${name}`, path(name)])];
    assert.equal((await run(args)).code, 0);
    const first = OUTPUTS.map((name) => rows(path(name)));
    for (const name of OUTPUTS) writeFileSync(path(name), readFileSync(path(name), 'latin1') + first[OUTPUTS.indexOf(name)].at(-1).slice(0, 30));
    const again = await run(args);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(again.stderr.match(/last row was not whole: 30 bytes/g).length, OUTPUTS.length, again.stderr);
    OUTPUTS.forEach((name, i) => {
        const head = name === 'events' ? 1 : 0, both = rows(path(name));
        assert.deepEqual(both.slice(0, first[i].length), first[i], name);
        assert.equal(both.length, 2 * first[i].length - head, name);
    });
    for (const [other, what] of [[['--csv-format', 'hackrf_sweep', '--csv'], 'csv'], [['--csv-time', 'seconds', '--csv'], 'csv'],
        [['--detector', 'max', '--json'], 'json'], [['--json'], 'csv'], [['--stats'], 'json']]) {
        const { code, stderr } = await run([...SIM, ...other, path(what)]);
        assert.equal(code, 1, `${other} ${stderr}`);
        assert.match(stderr, /it exists and is not/);
    }
    const fresh = await run([...args, '--overwrite']);
    assert.equal(fresh.code, 0, fresh.stderr);
    OUTPUTS.forEach((name, i) => assert.equal(rows(path(name)).length, first[i].length, name));
});

test('SIGHUP opens a moved file again, and a shortened file gets whole rows without zeros', async (t) => {
    const folder = scratch(t), csv = join(folder, 'l.csv');
    const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--fft-size', '256', '--line-rate', '50', '--csv', csv]);
    const many = (path) => until('rows', () => { try { return rows(path).length > 3; } catch { return false; } });
    await many(csv);
    copyFileSync(csv, join(folder, 'copy'));
    truncateSync(csv);
    await many(csv);
    renameSync(csv, join(folder, 'moved'));
    daemon.child.kill('SIGHUP');
    await many(csv);
    renameSync(csv, join(folder, 'moved2'));
    writeFileSync(csv, 'a note\n');
    daemon.child.kill('SIGHUP');
    await until('it is refused', () => /l\.csv: it exists and is not CSV/.test(daemon.stderr));
    assert.equal((await daemon.status()).outputs.csv.state, 'retrying');
    assert.equal(readFileSync(csv, 'latin1'), 'a note\n');
    renameSync(csv, join(folder, 'note'));
    await many(csv);
    await daemon.stop();
    for (const name of ['l.csv', 'moved', 'moved2'])
        for (const row of rows(join(folder, name))) assert.equal(row.split(', ').length, 6 + 256, `${name}: ${row.slice(0, 60)}`);
});

test('full files are numbered, and the oldest are deleted with a line in the log', async (t) => {
    const folder = scratch(t), json = join(folder, 'l.json'), foreign = `${json}.000001`;
    writeFileSync(foreign, 'mine\n');
    const args = ['--source', 'sim', '--rate', '1M', '--fft-size', '64', '--line-rate', '100', '--output-max-bytes', '4k', '--output-keep', '2'];
    const daemon = await serve(t, [...args, '--json', json]);
    await until('files are deleted', () => (daemon.stderr.match(/deleted: output-keep is 2/g) ?? []).length > 3);
    await daemon.stop();
    const kept = readdirSync(folder).filter((name) => name !== 'l.json.000001').sort();
    assert.equal(kept.length, 3, `${kept}`);
    assert.equal(readFileSync(foreign, 'latin1'), 'mine\n');
    const [newest, ...older] = kept;
    const lines = [...older, newest].flatMap((name) => {
        const text = rows(join(folder, name));
        assert.ok(text.join('\n').length < 4096);
        return text.map((row) => JSON.parse(row)).flatMap((row) => Array.from({ length: row.merged }, (_, i) => row.line - row.merged + 1 + i));
    });
    lines.forEach((line, i) => assert.equal(line, lines[0] + i)); // none is missing between two files
    const all = scratch(t); // a replay loses none
    assert.equal((await run([...SIM, '--line-rate', '100', '--json', join(all, 'x'), '--output-max-bytes', '4k', '--output-keep', '1'])).code, 0);
    assert.equal(readdirSync(all).reduce((sum, name) => sum + rows(join(all, name)).length, 0), 50);
});

test('two processes do not write one output', async (t) => {
    const csv = join(scratch(t), 'l.csv');
    await serve(t, ['--source', 'sim', '--rate', '1M', '--csv', csv]);
    const child = spawn(binary, [...SIM, '--csv', csv], { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.on('data', (data) => { log += data; });
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 1);
    assert.match(log, /another process writes it/);
});
