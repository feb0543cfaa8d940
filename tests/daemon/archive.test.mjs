// archive.test.mjs - the spectrum archive of a whole daemon: what HTTP and --survey give of a tone whose level is known.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';

// A tone of -10 dBFS in the middle of bin 256 above the centre.
const TONE = [
  '--source',
  'sim',
  '--device',
  'scene=tone,level=-10,offset=250k',
  '--rate',
  '1M',
  '--fft-size',
  '1024',
  '--center',
  '100M',
];

/** Levels are exact to the step of 0.5 dB. */
function assertTone(levels, lowHz, columnHz, text) {
  const column = Math.floor((100.25e6 - lowHz) / columnHz);
  assert.ok(Math.abs(levels[column] + 10) <= 0.51, `${text}: ${levels[column]} dB`);
  const other = Math.max(...levels.filter((_, i) => Math.abs(i - column) > 8));
  assert.ok(other < -40, `${text}: ${other} dB elsewhere`);
}

test('the archive is read as JSON, CSV, PNG and bytes', async (t) => {
  const folder = join(scratch(t), 'archive');
  const daemon = await serve(t, [...TONE, '--archive', folder, '--archive-tiers', '1ms:1h']);
  const get = (path, headers = {}) => fetch(`${daemon.url}api/v1/${path}`, { headers });
  await until('rows', async () => {
    const answer = await get('archive');
    return answer.status === 200 && (await answer.json()).rows.filter((row) => row.levels).length >= 5;
  });
  const { start, row_s: seconds, rows } = await (await get('archive?rows=20')).json();
  // Without the last row, which may reach past what is stored now, and in rows too short for the tier of 10 ms,
  // which may begin between two answers.
  const stored = 1000 * seconds * (rows.length - 1);
  const from = start,
    to = new Date(Date.parse(start) + Math.min(stored, 160)).toISOString();
  const query = `archive?rows=20&columns=256&from=${from}&to=${to}`;
  const json = await (await get(query)).json();
  assert.equal(json.columns, 256);
  assert.equal(json.detector, 'max');
  assert.equal(json.facts.fft_size, 1024);
  assert.equal(json.facts.rate_hz, 1e6);
  assert.equal(json.facts.simulated, true);
  const full = json.rows.filter((row) => row.levels);
  assert.ok(full.length > 0);
  for (const row of full) assertTone(row.levels, json.low_hz, json.column_hz, row.time);

  const csv = (await (await get(query, { accept: 'text/csv' })).text())
    .trim()
    .split('\n')
    .map((line) => line.split(', '));
  assert.equal(csv.length, full.length);
  csv.forEach((fields, i) => assert.deepEqual(fields.slice(6).map(Number), full[i].levels));

  const bytes = new DataView(await (await get(`${query}&format=binary`)).arrayBuffer());
  assert.equal(bytes.getUint32(0, false), 0x46535631); // FSV1
  assert.deepEqual(
    [bytes.getUint32(4, true), bytes.getUint32(8, true), bytes.getUint32(12, true)],
    [1, json.rows.length, 256],
  );
  assert.equal(bytes.getFloat64(32, true), json.low_hz);
  json.rows.forEach((row, y) =>
    row.levels?.forEach((level, x) =>
      assert.ok(Math.abs(bytes.getInt16(56 + 2 * (256 * y + x), true) / 100 - level) < 0.011),
    ),
  );

  const png = Buffer.from(await (await get(`${query}&format=png&bottom=-100&top=0`)).arrayBuffer());
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, json.rows.length]);

  for (const [path, status, text] of [
    ['archive?colums=5', 400, /colums/],
    ['archive?columns=0', 400, /columns: "0" is not a whole number from 1 to 8192/],
    ['archive?detector=sample', 400, /detector: "sample" is not mean, max or min/],
    ['archive?low_hz=2M&high_hz=1M', 400, /high_hz must be above low_hz/],
    ['archive?rows=1024&columns=8192', 400, /rows times columns/],
    ['archive?from=yesterday', 400, /from: "yesterday" is not a date/],
    ['archive?to=1970-01-02T00:00:00Z', 404, /no rows of this time/],
    ['survey?format=png', 400, /format: "png" is not json or csv/],
    ['survey?resolution=2s', 404, /resolution/],
    ['survey?width=0.001', 400, /too much/],
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, status, path);
    assert.match((await answer.json()).error, text);
  }
  const survey = await (await get('survey?low_hz=99.6M&high_hz=100.4M&width=100k&from=-1h&threshold=-50')).json();
  assert.equal(survey.channels, 8);
  for (const hour of survey.hours)
    for (const channel of hour.channels)
      assert.equal(channel.fco_percent, channel.frequency_hz === 100.25e6 ? 100 : 0, `${channel.frequency_hz}`);
  assert.match(await (await fetch(`${daemon.url}metrics`)).text(), /fftd_archive_lost_rows_total 0\n/);
});

test('without an archive there is nothing to read', async (t) => {
  const daemon = await serve(t, TONE);
  const answer = await fetch(`${daemon.url}api/v1/archive`);
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /--archive DIR/);
});

test('a fast run is archived whole, and surveyed from the command line', async (t) => {
  const folder = join(scratch(t), 'archive');
  const made = await run([...TONE, '--fast', '--duration', '3', '--archive', folder]);
  assert.equal(made.code, 0, made.stderr);
  assert.deepEqual([...new Set(readdirSync(folder).map((name) => name.split('_')[1]))].sort(), [
    '0.1s',
    '10000s',
    '1000s',
    '100s',
    '10s',
    '1s',
    undefined,
  ]);
  const survey = await run([
    '--survey',
    `${folder},resolution=100ms,width=100k,low_hz=99.6M,high_hz=100.4M,threshold=-50`,
  ]);
  assert.equal(survey.code, 0, survey.stderr);
  const [head, ...rows] = String(survey.stdout)
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  assert.deepEqual(head, ['hour', 'frequency_hz', 'width_hz', 'fco_percent', 'max_dbfs', 'observed_s']);
  assert.equal(rows.length, 8);
  for (const [, hz, , fco, max, seconds] of rows) {
    assert.equal(Number(fco), Number(hz) === 100.25e6 ? 100 : 0);
    assert.ok(Math.abs(Number(seconds) - 3) < 0.11, seconds);
    assert.ok(Number(hz) !== 100.25e6 || Math.abs(Number(max) + 10) <= 0.51, max);
  }
});

test('what is wrong with an archive is one line', (t) => {
  const folder = scratch(t);
  for (const [args, text] of [
    [['--archive', '/proc/none'], /\/proc\/none: /],
    [['--archive', folder, '--archive-tiers', '1s:1h,100ms:1h'], /archive-tiers: .*expected PERIOD:AGE/],
    [['--survey', folder], /there is no archive/],
    [['--survey', '/dev/null'], /\/dev\/null: Not a directory/],
    [['--survey', `${folder},hours=3`], /hours: expected one of above_noise, /],
  ]) {
    const { status, stderr } = spawnSync(binary, [...TONE, '--fast', '--duration', '0.1', ...args], {
      encoding: 'utf8',
    });
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, text);
    assert.equal(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('source sim')).length,
      1,
      stderr,
    );
  }
});
