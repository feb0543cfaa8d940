// mask.test.mjs - masks of measurements and triggers: verdicts, mistakes, reloads, limits; in dBm with a calibration.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';

/** A tone of -10 dBFS at 100.25 MHz. */
const TONE = ['--source', 'sim', '--device', 'scene=tone,level=-10,offset=250k', '--center', '100M'];
const SHORT = [...TONE, '--fast', '--duration', '0.3', '--measure-json', '-'];

/** The newest result of --measure-json. */
async function newest(args) {
  const { code, stdout, stderr } = await run([...SHORT, ...args]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout.toString().trimEnd().split('\n').at(-1));
}

const flat = (db, header = '') => `${header}upper 99.5M ${db}\nupper 100.5M ${db}\n`;

test('a mask in a file gives a verdict', async (t) => {
  const file = join(scratch(t), 'mask.txt'),
    mask = async () => newest(['--measure', `mask,file=${file}`]);
  writeFileSync(file, flat(-5));
  const good = await mask();
  assert.equal(good.verdict, 'pass');
  assert.ok(Math.abs(good.values.margin_db - 5) < 1, `${good.values.margin_db}`); // a bin, with scalloping
  writeFileSync(file, flat(-20));
  assert.equal((await mask()).verdict, 'fail');
});

test('limits in dBm need a calibration', async (t) => {
  const folder = scratch(t),
    file = join(folder, 'mask.txt'),
    table = join(folder, 'table');
  writeFileSync(file, flat(-35, 'level = dBm\n'));
  const mask = (more = []) => newest(['--measure', `mask,file=${file}`, ...more]);
  const uncal = await mask();
  assert.deepEqual([uncal.verdict, uncal.values], [null, {}]);
  assert.match(uncal.reason, /^uncal: limits in dBm, and no calibration of \d+ Hz$/);
  const calibrated = async (offset) => {
    writeFileSync(table, `serial = -\ndate = -\nuncertainty = -\n100M 0 - ${offset}\n`);
    return mask(['--calibration', table]);
  };
  const good = await calibrated(-30); // -40 dBm
  assert.equal(good.verdict, 'pass');
  assert.ok(
    Math.abs(good.values.limit_dbm + 35) < 1e-3 && Math.abs(good.values.level_dbm + 40) < 1,
    JSON.stringify(good.values),
  );
  assert.equal((await calibrated(-20)).verdict, 'fail'); // -30 dBm
});

test('a reload reads the file again, and starts nothing again if its points are the same', async (t) => {
  const folder = scratch(t),
    file = join(folder, 'mask.txt'),
    conf = join(folder, 'fftd.conf');
  writeFileSync(file, flat(-5));
  writeFileSync(conf, `[measure m]\ntype = mask\nfile = ${file}\ntrace = max-hold\n`);
  const daemon = await serve(t, ['-c', conf, ...TONE]);
  const result = async () => (await fetch(`${daemon.url}api/v1/measurements/m`)).json();
  const becomes = (verdict) => until(verdict, async () => (await result()).verdict === verdict);
  await becomes('pass');
  const before = (
    await until('lines', async () => {
      const now = await result();
      return now.trace_lines > 5 && now;
    })
  ).trace_lines;
  writeFileSync(file, `# the same points\n${flat(-5)}`);
  daemon.child.kill('SIGHUP');
  await until('the reload', () => /reload: changed nothing\n/.test(daemon.stderr));
  await until('a new line', async () => (await result()).trace_lines > before);
  writeFileSync(file, flat(-20));
  daemon.child.kill('SIGHUP');
  await becomes('fail');
  writeFileSync(file, 'upper 1M\n');
  daemon.child.kill('SIGHUP');
  await until('the error', () =>
    /reload: .*fftd\.conf:1: .*mask\.txt:1: a point is: upper or lower, frequency, level\n/.test(daemon.stderr),
  );
  await becomes('fail');
  const put = (query) => fetch(`${daemon.url}api/v1/measurements/n?type=mask&${query}`, { method: 'PUT' });
  const refused = await put(`file=${encodeURIComponent(file)}`);
  assert.deepEqual(
    [refused.status, (await refused.json()).error],
    [400, 'file: only the configuration may name a file'],
  );
  assert.equal(await daemon.stop(), 0);
});

test('a reload without a change leaves what clients changed and removed', async (t) => {
  const folder = scratch(t),
    file = join(folder, 'mask.txt'),
    conf = join(folder, 'fftd.conf');
  writeFileSync(file, flat(-5));
  writeFileSync(conf, ['a', 'b'].map((name) => `[measure ${name}]\ntype = mask\nfile = ${file}\n`).join(''));
  const daemon = await serve(t, ['-c', conf, ...TONE]);
  const at = (name) => `${daemon.url}api/v1/measurements/${name}`;
  assert.equal((await fetch(at('a'), { method: 'DELETE' })).status, 200);
  assert.equal((await fetch(`${at('b')}?type=marker`, { method: 'PUT' })).status, 200);
  writeFileSync(file, flat(-20));
  daemon.child.kill('SIGHUP');
  await until('the reload', () => /reload: changed nothing\n/.test(daemon.stderr));
  assert.equal((await fetch(at('a'))).status, 404);
  assert.equal((await (await fetch(at('b'))).json()).type, 'marker');
  assert.equal(await daemon.stop(), 0);
});

test('a mask that cannot be is one line, and ends fftd', async (t) => {
  const file = join(scratch(t), 'mask.txt');
  for (const [text, options, reason] of [
    ['upper 100M -5\nuper 101M -5\n', '', /--measure mask: .*mask\.txt:2: 'uper' is neither upper nor lower\n$/],
    [flat(-5, 'frequency = offset\n'), '', /mask\.txt: offsets need a center\n$/],
    [flat(-5, 'level = dBc\n'), ',center=100M', /mask\.txt: levels in dBc need the center and width of the channel\n$/],
    [flat(-5), ',upper=1M:0', /upper/],
    [flat(-5), ',reference=dbm', /a mask has a file, or upper, lower and reference\n$/],
    [null, '', /mask\.txtx: No such file or directory\n$/],
  ]) {
    writeFileSync(file, text ?? '');
    const { code, stdout, stderr } = await run([
      ...SHORT,
      '--measure',
      `mask,file=${file}${text === null ? 'x' : ''}${options}`,
    ]);
    assert.deepEqual([code, stdout.toString()], [1, ''], stderr);
    assert.match(stderr, reason);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  }
});

test('the limits of a trigger are those of its file, or an outline of what it holds', async (t) => {
  const file = join(scratch(t), 'mask.txt');
  writeFileSync(
    file,
    'frequency = offset\nupper -1M -40\nupper 0 -40\nupper 0 -30\nupper 1M -30\nlower -1M -150\nlower 1M -150\n',
  );
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '250k',
    '--center',
    '100M',
    '--fft-size',
    '4096',
    '--device',
    'scene=tone,level=-20,offset=50k,noise=-60',
    '--trigger',
    `mask=${file},center=100M,name=both`,
    '--trigger',
    `mask=${file},center=100M,side=lower,name=lower`,
    '--trigger',
    'mask,hold=0.3,margin=10,name=hold',
    '--trigger',
    'level=0',
  ]);
  const get = async (name) => (await fetch(`${daemon.url}api/v1/triggers/${name}`)).json();
  const held = await until('the hold', async () => {
    const { limits } = await get('hold');
    return limits?.upper.length > 0 && limits;
  });
  const both = await get('both');
  assert.deepEqual(both.limits, {
    upper: [
      [99e6, -40],
      [100e6, -40],
      [100e6, -30],
      [101e6, -30],
    ],
    lower: [
      [99e6, -150],
      [101e6, -150],
    ],
  });
  assert.deepEqual((await get('lower')).limits, { upper: [], lower: both.limits.lower });
  assert.equal((await get('level')).limits, null);
  assert.equal(held.upper.length, 512);
  assert.deepEqual(held.lower, []);
  const [hz, dbfs] = held.upper.reduce((a, b) => (b[1] > a[1] ? b : a));
  assert.ok(Math.abs(hz - 100.05e6) < 250e3 / 512, `the tone's part: ${hz}`);
  assert.ok(dbfs > -11 && dbfs < -9.5, `the level of the tone and the margin: ${dbfs}`); // between bins up to 0.8 dB less
  const { triggers } = await (await fetch(`${daemon.url}api/v1/triggers`)).json(),
    numbers = triggers.map(({ limits_number: number }) => number);
  assert.equal(numbers[3], 0);
  assert.equal(new Set(numbers).size, 4, 'each limit has its number');
});

test('viewers see the name of a file, not its folder, and no URL', async (t) => {
  const file = join(scratch(t), 'mask.txt');
  writeFileSync(file, flat(-5));
  const daemon = await serve(t, [
    ...TONE,
    '--measure',
    `mask,file=${file}`,
    '--trigger',
    `mask=${file},webhook=http://127.0.0.1:9/secret`,
  ]);
  const get = async (path) => (await fetch(daemon.url + path)).json();
  const measure = await get('api/v1/measurements'),
    {
      triggers: [trigger],
    } = await get('api/v1/triggers');
  assert.deepEqual(
    measure.measurements.map(({ keys }) => keys),
    [{ file: 'mask.txt' }],
  );
  assert.deepEqual(trigger.keys, { mask: 'mask.txt' });
});
