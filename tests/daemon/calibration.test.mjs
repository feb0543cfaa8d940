// calibration.test.mjs - a row from a known tone, levels in dBm where it applies, and reloads.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';
import { encode, tone } from '../support/signal.mjs';

const TONE = ['--source', 'sim', '--device', 'scene=tone,level=-10,offset=250k'];
const HEADER = 'serial = 7\ndate = 2026-05-04\nuncertainty = 1.5\n';

const calibrate = (table, level, at, args = []) =>
  run([...TONE, '--fast', '--calibration', table, `--calibrate-level=${level}`, '--calibrate-at', at, ...args]);

/** The newest row of --measure-json. */
async function measure(measurement, args) {
  const { code, stdout, stderr } = await run([
    ...TONE,
    '--fast',
    '--duration',
    '0.3',
    '--measure',
    measurement,
    '--measure-json',
    '-',
    ...args,
  ]);
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
  const { values, calibrated } = await measure('channel-power,center=100.25M,width=20k', [
    '--calibration',
    table,
    '--fft-size',
    '8192',
    '--window',
    'hann',
  ]);
  assert.equal(calibrated, true);
  near(values.power_dbm, -30, 0.02);
  near(values.density_dbm_hz, -30 - 43.01, 0.02);
  const { rows } = await measure('peaks,threshold=-60', ['--calibration', table]);
  near(rows[0].level_dbm, -30, 0.02);
});

test('a recording of a known tone makes a table of an unknown radio', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table'),
    path = join(folder, 'x_100M_1000k.cf32');
  writeFileSync(path, encode('cf32', 1e6, tone(0.1, 0.2)));
  const { code, stdout, stderr } = await run([
    path,
    '--calibration',
    table,
    '--calibrate-level=-50',
    '--calibrate-at',
    '100.2M',
  ]);
  assert.equal(code, 0, stderr);
  near(Number(stdout.toString().match(/^100\.2M - - (-?[\d.]+)\n$/)?.[1]), -50 - -20, 0.02);
  assert.match(readFileSync(table, 'utf8'), /^serial = -$/m);
});

test('a tone of known frequency gives the ppm, alone or with a row', async (t) => {
  const table = join(scratch(t), 'table');
  const ppm = (at, ...args) =>
    run([...TONE, '--fast', '--calibration', table, '--calibrate-ppm', '--calibrate-at', at, ...args]);
  // The centre is 100 MHz and the tone reads 100.25 MHz: 100 Hz too low is 1 ppm.
  const first = await ppm('100.2501M');
  assert.equal(first.code, 0, first.stderr);
  near(Number(first.stdout.toString().match(/^ppm = (-?[\d.]+)\n$/)?.[1]), 1, 0.02);
  assert.match(readFileSync(table, 'utf8'), /^ppm = (1\.0|0\.9)\d\d$/m);
  // The simulation corrects nothing, so its next reading is not added to the first.
  const both = await ppm('100.2498M', '--calibrate-level', '-30');
  const [row, line] = both.stdout.toString().split('\n');
  assert.match(row, /^100\.2498M 0 - -20\./);
  near(Number(line.match(/^ppm = (.*)$/)?.[1]), -2, 0.02);
  assert.equal(readFileSync(table, 'utf8').match(/^ppm/gm).length, 1);
  const { code, stderr } = await ppm('100.36M');
  assert.equal(code, 1);
  assert.match(stderr, /calibrate: the tone is 1100 ppm off: this is another tone, or not its frequency\n/);
});

test('another gain is uncal, and gets a row of its own', async (t) => {
  const table = join(scratch(t), 'table'),
    power = 'channel-power,center=100.25M,width=20k';
  assert.equal((await calibrate(table, '-30', '100.25M')).code, 0);
  const other = ['--calibration', table, '--gain', '20'];
  const { values, calibrated } = await measure(power, other);
  assert.equal(calibrated, false);
  near(values.power_dbfs, -10, 0.02);
  assert.equal(values.power_dbm, undefined);
  const { stderr } = await run([...TONE, '--fast', '--duration', '0.3', ...other]);
  assert.match(
    stderr,
    /^fftd: .*table: uncal: no row applies to this frequency, gain and antenna: levels stay in dBFS$/m,
  );
  assert.doesNotMatch((await run([...TONE, '--fast', '--duration', '0.3', '--calibration', table])).stderr, /uncal/);

  assert.equal((await calibrate(table, '-50', '100.25M', ['--gain', '20'])).code, 0);
  assert.equal((await calibrate(table, '-35', '100.25M')).code, 0); // replaces the first
  near((await measure(power, other)).values.power_dbm, -50, 0.02);
  near((await measure(power, ['--calibration', table])).values.power_dbm, -35, 0.02);
  const rows = readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('100.25M'));
  assert.deepEqual(
    rows.map((line) => line.split(' ')[1]),
    ['0', '20'],
  );
});

test('what is no known tone makes no row', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table');
  for (const [args, line] of [
    [['--device', 'scene=noise,level=-20'], /calibrate: 100\.25M Hz: no tone nearby is 20 dB above the noise\n/],
    [
      ['--device', 'scene=tone,level=-10,offset=500k'],
      /calibrate: 100\.25M Hz: no tone nearby is 20 dB above the noise\n/,
    ],
    [
      ['--device', 'scene=tone,level=6,offset=250k'],
      /calibrate: \d+ samples are at full scale: lower the gain or the level\n/,
    ],
    [
      ['--device', 'scene=tone,level=-10,offset=0', '--center', '100.25M'],
      /calibrate: 100\.25M Hz: the tone is at the centre, /,
    ],
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

test('a table of another radio warns, leaves levels in dBFS, and gets no row', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table'),
    file = join(folder, 'fftd.conf');
  const warning = /^fftd: .*table: uncal: the table is for serial 7, the radio has T1: levels stay in dBFS\n/gm;
  const radio = ['--device', 'scene=tone,level=-10,offset=250k,serial=T1'];
  writeFileSync(table, `${HEADER}100M - - -20\n`);
  const power = [
    '--measure',
    'channel-power,center=100.25M,width=20k,name=tone',
    '--measure-json',
    '-',
    '--calibration',
    table,
  ];
  for (const [serial, calibrated] of [
    ['T1', false],
    ['7', true],
  ]) {
    const device = `scene=tone,level=-10,offset=250k,serial=${serial}`;
    const { stdout, stderr } = await run([...TONE, '--fast', '--duration', '0.3', ...power, '--device', device]);
    assert.equal(JSON.parse(stdout.toString().split('\n')[0]).calibrated, calibrated);
    assert.equal(stderr.match(warning)?.length ?? 0, calibrated ? 0 : 1, stderr);
  }
  const { code, stderr } = await calibrate(table, '-30', '100.25M', radio);
  assert.equal(code, 1);
  assert.match(stderr, /calibrate: .*table is for serial 7, the radio has T1: give it a table of its own\n/);
  assert.equal(readFileSync(table, 'utf8'), `${HEADER}100M - - -20\n`);
  const own = join(folder, 'own');
  assert.equal((await calibrate(own, '-30', '100.25M', radio)).code, 0);
  assert.match(readFileSync(own, 'utf8'), /^serial = T1$/m);

  writeFileSync(file, `[radio]\ncalibration = ${table}\n`);
  const daemon = await serve(t, [...TONE, ...radio, '-c', file]);
  const { calibration } = await until('a line', async () => {
    const status = await daemon.status();
    return status.spectrum?.fft_size && status.calibration?.uncal && status;
  });
  assert.equal(calibration.uncal, 'the table is for serial 7, the radio has T1');
  assert.equal(calibration.offset_db, null);
  await until('the warning', () => warning.test(daemon.stderr));
  writeFileSync(table, `${HEADER.replace('7', 'T1')}100M - - -20\n`);
  daemon.child.kill('SIGHUP');
  await until('calibrated', async () => (await daemon.status()).calibration.offset_db === -20);
  // A table without a row for this frequency.
  writeFileSync(table, `${HEADER.replace('7', 'T1')}200M - - -20\n`);
  daemon.child.kill('SIGHUP');
  await until(
    'no row',
    async () => (await daemon.status()).calibration.uncal === 'no row applies to this frequency, gain and antenna',
  );
});

test('options that lack each other, and tables with a mistake, are one line with status 1', async (t) => {
  const table = join(scratch(t), 'table');
  writeFileSync(table, `${HEADER}100M auto RX 1\n`);
  for (const [args, line] of [
    [['--calibrate-level', '-30'], /^fftd: --calibrate-level needs --calibrate-at\n$/],
    [['--calibrate-at', '100M'], /^fftd: --calibrate-at needs --calibrate-level or --calibrate-ppm\n$/],
    [['--calibrate-ppm'], /^fftd: --calibrate-ppm needs --calibrate-at\n$/],
    [
      ['--calibrate-ppm', '--calibrate-at', '100M'],
      /^fftd: --calibrate-ppm needs the table: give --calibration FILE\n$/,
    ],
    [
      ['--calibrate-level', '-30', '--calibrate-at', '100M'],
      /^fftd: --calibrate-level needs the table: give --calibration FILE\n$/,
    ],
    [
      ['--calibration', table, '--check-config'],
      /^fftd: --calibration: .*table:4: gain: 'auto' is neither -, dB, nor dB for each element\n$/,
    ],
    [['--calibration', `${table}s`], /^fftd: --calibration: .*tables: No such file or directory\n$/],
    [['--calibration', '/dev/zero'], /^fftd: --calibration: \/dev\/zero: not a regular file\n$/],
    [['--calibration', table, '--csv', table], /^fftd: --calibration and --csv are both /],
  ]) {
    const { code, stderr } = await run([...TONE, '--fast', '--duration', '0.1', ...args]);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, line);
  }
});

test('rows have the offset at the centre, and frequency planners get dBm bin by bin', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table'),
    csv = join(folder, 'csv');
  // 10 dB in 2.4 MHz; the tone is 250 kHz above the centre.
  writeFileSync(table, `${HEADER}98.8M - - -20\n101.2M - - -10\n`);
  const all = async (...args) => {
    const { code, stdout, stderr } = await run([
      ...TONE,
      '--fast',
      '--duration',
      '0.2',
      '--rate',
      '2.4M',
      '--json',
      '-',
      '--overwrite',
      '--csv',
      csv,
      '--csv-format',
      'mhz-dbm',
      ...args,
    ]);
    assert.equal(code, 0, stderr);
    const levels = readFileSync(csv, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').map(Number));
    return { row: JSON.parse(stdout.toString().split('\n')[0]), peak: levels.sort((a, b) => b[1] - a[1])[0] };
  };
  const plain = await all(),
    calibrated = await all('--calibration', table);
  assert.equal(plain.row.offset_db, null);
  near(calibrated.row.offset_db, -15, 1e-6);
  assert.equal(calibrated.row.unit, 'dBFS');
  assert.deepEqual(calibrated.row.levels, plain.row.levels);
  assert.equal(calibrated.peak[0], plain.peak[0]);
  near(calibrated.peak[1] - plain.peak[1], -20 + (10 * (calibrated.peak[0] - 98.8)) / 2.4, 0.011);
  // A table that does not reach all bins: one unit in the file.
  writeFileSync(table, `${HEADER}94M - - -20\n`);
  assert.equal((await all('--calibration', table)).peak[1], plain.peak[1]);
});

// 0 dBm in 50 ohm: 1 mW is (0.2236 V)^2 / 50 ohm, which is 106.99 dB over 1 uV.
const DBUV = 20 * Math.log10(Math.sqrt(1e-3 * 50) / 1e-6);

test('every output has the unit that level-unit names, where a calibration is known', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table'),
    csv = join(folder, 'csv'),
    json = join(folder, 'json');
  writeFileSync(table, `${HEADER}98.8M - - -20\n101.2M - - -10\n`);
  const at = (hz) => -20 + (10 * (hz - 98.8e6)) / 2.4e6;
  const all = async (...args) => {
    const { code, stdout, stderr } = await run([
      ...TONE,
      '--fast',
      '--duration',
      '0.2',
      '--rate',
      '2.4M',
      '--json',
      json,
      '--overwrite',
      '--csv',
      csv,
      '--csv-format',
      'mhz-dbm',
      '--measure',
      'channel-power,center=100.25M,width=20k',
      '--measure-json',
      '-',
      ...args,
    ]);
    assert.equal(code, 0, stderr);
    const row = JSON.parse(readFileSync(json, 'utf8').split('\n')[0]);
    const levels = readFileSync(csv, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(',')[1]));
    return { row, levels, measured: JSON.parse(stdout.toString().split('\n')[0]), stderr };
  };
  const none = await all(),
    tone = -10,
    density = tone - 43.01;
  for (const [unit, name, line, shift] of [
    ['auto', 'dbm', 'dBFS', 0],
    ['dbfs', 'dbfs', 'dBFS', null],
    ['dbm', 'dbm', 'dBm', 0],
    ['dbuv', 'dbuv', 'dBuV', DBUV],
  ]) {
    const { row, levels, measured, stderr } = await all('--calibration', table, '--level-unit', unit);
    const offset = (hz) => (shift === null ? 0 : at(hz) + shift);
    near(measured.values[`power_${name}`], tone + offset(100.25e6), 0.02);
    near(measured.values[`density_${name}_hz`], density + offset(100.25e6), 0.02);
    assert.equal(measured.calibrated, unit !== 'dbfs');
    assert.match(
      stderr,
      new RegExp(`power [-\\d.]+ ${name.replace('dbfs', 'dBFS').replace('dbm', 'dBm').replace('dbuv', 'dBuV')}, `),
    );
    assert.equal(row.unit, line);
    near(row.offset_db, at(100e6), 1e-6);
    const hz = (k) => row.low_hz + (k + 0.5) * row.column_hz;
    for (const k of [0, 1000, 2475, 4095]) {
      near(row.levels[k] - none.row.levels[k], line === 'dBFS' ? 0 : offset(hz(k)), 0.011);
      near(levels[k] - none.levels[k], offset(hz(k)), 0.011);
    }
  }
  // Where one bin is uncal, the whole line stays in dBFS, and says so.
  writeFileSync(table, `${HEADER}94M - - -20\n`);
  const uncal = await all('--calibration', table, '--level-unit', 'dbuv');
  assert.equal(uncal.row.unit, 'dBFS');
  assert.deepEqual([uncal.row.levels, uncal.levels, uncal.measured.calibrated], [none.row.levels, none.levels, false]);
});

test('a reload changes the unit that programs get over HTTP', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table'),
    file = join(folder, 'fftd.conf');
  writeFileSync(table, `${HEADER}100M - - -20\n`);
  writeFileSync(file, `[radio]\ncalibration = ${table}\n`);
  const daemon = await serve(t, [...TONE, '-c', file, '--measure', 'channel-power,center=100.25M,width=20k,name=tone']);
  const get = async (path) => (await fetch(`${daemon.url}${path}`)).text();
  const values = async () => JSON.parse(await get('api/v1/measurements/tone')).values;
  near((await until('dBm', async () => (await values()).power_dbm && values())).power_dbm, -30, 0.02);
  assert.equal(JSON.parse(await get('api/v1/spectrum?columns=10')).unit, 'dBFS');
  writeFileSync(file, `[radio]\ncalibration = ${table}\n[output]\nlevel-unit = dbuv\n`);
  daemon.child.kill('SIGHUP');
  near((await until('dBuV', async () => (await values()).power_dbuv && values())).power_dbuv, -30 + DBUV, 0.02);
  assert.match(daemon.stderr, /reload: changed level-unit\n/);
  const spectrum = JSON.parse(await get('api/v1/spectrum?columns=64'));
  assert.equal(spectrum.unit, 'dBuV');
  near(Math.max(...spectrum.levels), spectrum.peak_db, 0.011);
  near(spectrum.peak_db, -30 + DBUV, 1); // without the scalloping loss
  const gauge = (await get('metrics')).match(
    /^fftd_measure_value\{name="tone",type="channel-power",value="power",unit="dbuv"\} (\S+)$/m,
  );
  near(Number(gauge?.[1]), -30 + DBUV, 0.02);
});

test('the curve of the status has the rows of the span, and no more points than fit', async (t) => {
  const folder = scratch(t),
    few = join(folder, 'few'),
    many = join(folder, 'many');
  const rows = Array.from({ length: 200 }, (_, i) => `${99e6 + 1e4 * i} - - ${i / 10}\n`).join('');
  writeFileSync(few, `${HEADER}90M - - -10\n99M - - -10\n100.5M - - -25\n200M - - 0\n`);
  writeFileSync(many, HEADER + rows);
  const curveOf = async (table) => {
    const daemon = await serve(t, [...TONE, '--calibration', table]);
    return until('a plan', async () => {
      const { curve } = (await daemon.status()).calibration;
      return curve.length > 0 && curve;
    });
  };
  const near3 = (point, hz, db) => {
    assert.equal(point[0], hz);
    near(point[1], db, 0.001);
  };
  const curve = await curveOf(few);
  assert.equal(curve.length, 4);
  near3(curve[0], 98.8e6, -10);
  near3(curve[1], 99e6, -10);
  near3(curve[2], 100.5e6, -25);
  near3(curve[3], 101.2e6, -25 + (25 * 0.7) / 99.5);
  const thinned = await curveOf(many);
  assert.equal(thinned.length, 34);
  near3(thinned[0], 98.8e6, 0); // below the first row, as far as it reaches
  near3(thinned[33], 101.2e6, 19.9);
  for (const [hz, db] of thinned.slice(3, -4)) near(db, Math.min(19.9, Math.max(0, (hz - 99e6) / 1e5)), 0.001);
});

test('the status names the table, and a reload reads it again without losing a sample', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'table'),
    file = join(folder, 'fftd.conf');
  writeFileSync(table, `${HEADER}ppm = 2\n100M - - -20\n`);
  writeFileSync(file, `[radio]\ncalibration = ${table}\n`);
  const daemon = await serve(t, [...TONE, '-c', file, '--measure', 'channel-power,center=100.25M,width=20k,name=tone']);
  const get = async (path) => (await fetch(`${daemon.url}${path}`)).text();
  const values = async () => JSON.parse(await get('api/v1/measurements/tone')).values;
  near((await until('dBm', async () => (await values()).power_dbm && values())).power_dbm, -30, 0.02);
  const status = await daemon.status();
  assert.deepEqual(status.calibration, {
    file: table,
    serial: '7',
    date: '2026-05-04',
    uncertainty_db: 1.5,
    offset_db: -20,
    uncal: null,
    curve: [
      [98.8e6, -20],
      [100e6, -20],
      [101.2e6, -20],
    ],
  });
  assert.equal(status.wanted.ppm, 2);
  assert.equal(JSON.parse(await get('api/v1/spectrum?columns=10')).offset_db, -20);
  const gauge = (await get('metrics')).match(
    /^fftd_measure_value\{name="tone",type="channel-power",value="power",unit="dbm"\} (\S+)$/m,
  );
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
