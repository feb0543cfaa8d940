// calibration.test.mjs - a row from a known tone, levels in dBm where it applies, and reloads.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const TONE = ['--source', 'sim', '--device', 'scene=tone,level=-10,offset=250k'];
const HEADER = 'serial = 7\ndate = 2026-05-04\nuncertainty = 1.5\n';

const calibrate = (table, level, at, args = []) =>
    run([...TONE, '--fast', '--calibration', table, `--calibrate-level=${level}`, '--calibrate-at', at, ...args]);

/** The newest row of --measure-json. */
async function measure(measurement, args) {
    const { code, stdout, stderr } = await run([...TONE, '--fast', '--duration', '0.3', '--measure', measurement,
        '--measure-json', '-', ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout.toString().trimEnd().split('\n').at(-1));
}

const near = (value, want, tolerance) => assert.ok(Math.abs(value - want) <= tolerance, `${value}, expected ${want}`);

test('a tone reads in dBm what its source was stated to deliver', async (t) => {
    const table = join(scratch(t), 'table');
    const { code, stdout, stderr } = await calibrate(table, '-30dBm', '100.25M');
    assert.equal(code, 0, stderr);
    // The simulation has a gain of 0 dB and no antenna; its tone is at -10 dBFS.
    const row = stdout.toString().match(/^100\.25M 0 - (-?[\d.]+)\n$/);
    near(Number(row?.[1]), -30 - -10, 0.02);
    const text = readFileSync(table, 'utf8');
    assert.match(text, /^serial = simulated radio \(cs16\)\ndate = \d{4}-\d\d-\d\d\nuncertainty = -\n/m);
    assert.ok(text.endsWith(`\n${stdout}`));

    // Another window and FFT size; the density of 20 kHz is 43.01 dB lower.
    const { values, calibrated } = await measure('channel-power,center=100.25M,width=20k',
        ['--calibration', table, '--fft-size', '8192', '--window', 'hann']);
    assert.equal(calibrated, true);
    near(values.power_dbm, -30, 0.02);
    near(values.density_dbm_hz, -30 - 43.01, 0.02);
    const { rows } = await measure('peaks,threshold=-60', ['--calibration', table]);
    near(rows[0].level_dbm, -30, 0.02);
});

test('another gain is uncal, and gets a row of its own', async (t) => {
    const table = join(scratch(t), 'table'), power = 'channel-power,center=100.25M,width=20k';
    assert.equal((await calibrate(table, '-30', '100.25M')).code, 0);
    const other = ['--calibration', table, '--gain', '20'];
    const { values, calibrated } = await measure(power, other);
    assert.equal(calibrated, false);
    near(values.power_dbfs, -10, 0.02);
    assert.equal(values.power_dbm, undefined);

    assert.equal((await calibrate(table, '-50', '100.25M', ['--gain', '20'])).code, 0);
    assert.equal((await calibrate(table, '-35', '100.25M')).code, 0); // replaces the first
    near((await measure(power, other)).values.power_dbm, -50, 0.02);
    near((await measure(power, ['--calibration', table])).values.power_dbm, -35, 0.02);
    const rows = readFileSync(table, 'utf8').split('\n').filter((line) => line.startsWith('100.25M'));
    assert.deepEqual(rows.map((line) => line.split(' ')[1]), ['0', '20']);
});

test('what is no known tone makes no row', async (t) => {
    const folder = scratch(t), table = join(folder, 'table');
    for (const [args, line] of [
        [['--device', 'scene=noise,level=-20'], /calibrate: 100\.25M Hz: no tone nearby is 20 dB above the noise\n/],
        [['--device', 'scene=tone,level=-10,offset=500k'], /calibrate: 100\.25M Hz: no tone nearby is 20 dB above the noise\n/],
        [['--device', 'scene=tone,level=6,offset=250k'], /calibrate: \d+ samples are at full scale: lower the gain or the level\n/],
        [['--device', 'scene=tone,level=-10,offset=0', '--center', '100.25M'], /calibrate: 100\.25M Hz: the tone is at the centre, /],
        [['--center', '433M'], /calibrate: 100\.25M Hz: this is not within the span: set --center\n/],
        [['--duration', '0.0001'], /calibrate: no line of spectrum was measured\n/],
    ]) {
        const { code, stdout, stderr } = await calibrate(table, '-30', '100.25M', args);
        assert.equal(code, 1, stderr);
        assert.equal(stdout.length, 0);
        assert.match(stderr, line);
    }
    assert.ok(!existsSync(table));
    const away = await calibrate(join(folder, 'nowhere/table'), '-30', '100.25M');
    assert.equal(away.code, 1);
    assert.match(away.stderr, /nowhere\/table: No such file or directory\n/);
    writeFileSync(table, HEADER);
    assert.equal((await calibrate(table, '-30', '100.25M')).code, 0);
    assert.deepEqual(readdirSync(folder), ['table']); // no temporary file
});

test('options that lack each other, and tables with a mistake, are one line with status 1', async (t) => {
    const table = join(scratch(t), 'table');
    writeFileSync(table, `${HEADER}100M auto RX 1\n`);
    for (const [args, line] of [
        [['--calibrate-level', '-30'], /^fftd: --calibrate-level needs --calibrate-at\n$/],
        [['--calibrate-at', '100M'], /^fftd: --calibrate-at needs --calibrate-level\n$/],
        [['--calibrate-level', '-30', '--calibrate-at', '100M'], /^fftd: --calibrate-level needs the table: give --calibration FILE\n$/],
        [['--calibration', table, '--check-config'], /^fftd: --calibration: .*table:4: gain: 'auto' is neither -, dB, nor dB for each element\n$/],
        [['--calibration', `${table}s`], /^fftd: --calibration: .*tables: No such file or directory\n$/],
        [['--calibration', '/dev/zero'], /^fftd: --calibration: \/dev\/zero: not a regular file\n$/],
        [['--calibration', table, '--csv', table], /^fftd: --csv and --calibration are both /],
    ]) {
        const { code, stderr } = await run([...TONE, '--fast', '--duration', '0.1', ...args]);
        assert.equal(code, 1, args.join(' '));
        assert.match(stderr, line);
    }
});

test('rows have the offset at the centre, and frequency planners get dBm bin by bin', async (t) => {
    const folder = scratch(t), table = join(folder, 'table'), csv = join(folder, 'csv');
    // 10 dB in 2.4 MHz; the tone is 250 kHz above the centre.
    writeFileSync(table, `${HEADER}98.8M - - -20\n101.2M - - -10\n`);
    const all = async (...args) => {
        const { code, stdout, stderr } = await run([...TONE, '--fast', '--duration', '0.2', '--rate', '2.4M', '--json', '-',
            '--csv', csv, '--csv-format', 'mhz-dbm', ...args]);
        assert.equal(code, 0, stderr);
        const levels = readFileSync(csv, 'utf8').trimEnd().split('\n').map((line) => line.split(',').map(Number));
        return { row: JSON.parse(stdout.toString().split('\n')[0]), peak: levels.sort((a, b) => b[1] - a[1])[0] };
    };
    const plain = await all(), calibrated = await all('--calibration', table);
    assert.equal(plain.row.offset_db, null);
    near(calibrated.row.offset_db, -15, 1e-6);
    assert.equal(calibrated.row.unit, 'dBFS');
    assert.deepEqual(calibrated.row.levels, plain.row.levels);
    assert.equal(calibrated.peak[0], plain.peak[0]);
    near(calibrated.peak[1] - plain.peak[1], -20 + 10 * (calibrated.peak[0] - 98.8) / 2.4, 0.011);
    // A table that does not reach all bins: one unit in the file.
    writeFileSync(table, `${HEADER}94M - - -20\n`);
    assert.equal((await all('--calibration', table)).peak[1], plain.peak[1]);
});

test('the status names the table, and a reload reads it again without losing a sample', async (t) => {
    const folder = scratch(t), table = join(folder, 'table'), file = join(folder, 'fftd.conf');
    writeFileSync(table, `${HEADER}ppm = 2\n100M - - -20\n`);
    writeFileSync(file, `[radio]\ncalibration = ${table}\n`);
    const daemon = await serve(t, [...TONE, '-c', file, '--measure', 'channel-power,center=100.25M,width=20k,name=tone']);
    const get = async (path) => (await fetch(`${daemon.url}${path}`)).text();
    const values = async () => JSON.parse(await get('api/v1/measure/tone')).values;
    near((await until('dBm', async () => (await values()).power_dbm && values())).power_dbm, -30, 0.02);
    const status = await daemon.status();
    assert.deepEqual(status.calibration, { file: table, serial: '7', date: '2026-05-04', uncertainty_db: 1.5, offset_db: -20 });
    assert.equal(status.wanted.ppm, 2);
    assert.equal(JSON.parse(await get('api/spectrum?columns=10')).offset_db, -20);
    const gauge = (await get('metrics'))
        .match(/^fftd_measure_value\{name="tone",type="channel-power",value="power",unit="dbm"\} (\S+)$/m);
    near(Number(gauge?.[1]), -30, 0.02);

    writeFileSync(table, `${HEADER}ppm = 2\n100M - - -7\n`);
    daemon.child.kill('SIGHUP');
    near((await until('the new table', async () => (await values()).power_dbm > -20 && values())).power_dbm, -17, 0.02);

    writeFileSync(table, `${HEADER}100M - -\n`);
    daemon.child.kill('SIGHUP');
    await until('the error', () => /reload: .*table:4: a row is: frequency gain antenna offset\n/.test(daemon.stderr));
    near((await values()).power_dbm, -17, 0.02);

    writeFileSync(file, '');
    daemon.child.kill('SIGHUP');
    near((await until('dBFS', async () => (await values()).power_dbfs && values())).power_dbfs, -10, 0.02);
    assert.match(daemon.stderr, /reload: changed ppm, calibration\n/);
    const { calibration, ledger } = await daemon.status();
    assert.equal(calibration, null);
    assert.deepEqual([ledger.lost.overrun, ledger.lost.overflow, ledger.lost.gap], [0, 0, 0]);
});
