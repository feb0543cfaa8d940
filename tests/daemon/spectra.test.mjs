// spectra.test.mjs - --replay-spectra: an archive whose every second has a tone of its own frequency is shown again, so the
// lines prove which time of the archive they come from.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';
import { encode } from '../support/signal.mjs';

const RATE = 128000,
  SECONDS = 6,
  CENTER = 7e6,
  LEVEL = 20 * Math.log10(0.25);
const BEGIN = Date.parse('2024-05-06T07:00:00Z') / 1000,
  AGAIN = BEGIN + 3600; // three seconds of each hour

const secondOf = (unix) => (unix < AGAIN ? unix - BEGIN : unix - AGAIN + 3);
const toneOf = (second) => -30e3 + 10e3 * Math.floor(second);

/** An archive with rows of 100 ms and 1 s of two recordings, one an hour after the other. */
async function makeArchive(t, ...more) {
  const folder = scratch(t),
    archive = join(folder, 'archive');
  const scene = (i) => [
    0.25 * Math.cos(2 * Math.PI * toneOf(i / RATE) * (i / RATE)),
    0.25 * Math.sin(2 * Math.PI * toneOf(i / RATE) * (i / RATE)),
  ];
  writeFileSync(join(folder, 'x.sigmf-data'), encode('cs16', RATE * SECONDS, scene));
  writeFileSync(
    join(folder, 'x.sigmf-meta'),
    JSON.stringify({
      global: { 'core:datatype': 'ci16_le', 'core:version': '1.2.0', 'core:sample_rate': RATE },
      captures: [0, 3].map((at, i) => ({
        'core:sample_start': at * RATE,
        'core:frequency': CENTER,
        'core:datetime': new Date(1000 * [BEGIN, AGAIN][i]).toISOString(),
      })),
      annotations: [],
    }),
  );
  const made = await run([
    '--replay',
    join(folder, 'x.sigmf-meta'),
    '--fft-size',
    '1024',
    '--line-rate',
    '20',
    '--archive',
    archive,
    '--archive-tiers',
    '100ms:2h,1s:1y',
    ...more,
  ]);
  assert.equal(made.code, 0, made.stderr);
  return archive;
}

/** The rows of --json. */
async function replay(archive, ...args) {
  const { code, stdout, stderr } = await run([
    '--replay-spectra',
    archive,
    '--json',
    '-',
    '--detector',
    'max',
    ...args,
  ]);
  assert.equal(code, 0, stderr);
  return String(stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((row) => ({ ...row, unix: Date.parse(row.time) / 1000 }));
}

/** The tone of the row's second, in its bin, with its level; the next 8 bins belong to the window. */
function assertTone(row) {
  const { levels, low_hz: low, column_hz: step } = row,
    hz = CENTER + toneOf(secondOf(row.unix) + 1e-3);
  const bin = Math.floor((hz - low) / step); // low is the left edge of bin 0
  assert.ok(Math.abs(levels[bin] - LEVEL) <= 0.51, `${row.time}: ${levels[bin]} dB at ${hz} Hz`);
  assert.ok(Math.abs(low + (bin + 0.5) * step - hz) < 1e-3, `${low}`); // the middle of its bin
}

/** A row that ends in the second in which it begins. */
const isWhole = (row) =>
  Math.floor(secondOf(row.unix) + 1e-3) === Math.floor(secondOf(row.unix) + row.samples / RATE - 0.01);

test('peaks are at their frequencies and levels, times are those of the archive, and a gap is a gap', async (t) => {
  const rows = await replay(await makeArchive(t));
  assert.ok(rows.length >= 58 && rows.length <= 64, `${rows.length} rows`);
  assert.ok(rows.filter(isWhole).length >= 50);
  rows.filter(isWhole).forEach(assertTone);
  assert.ok(Math.abs(rows[0].unix - BEGIN) < 1e-6);
  const gaps = rows.filter((row) => row.gap_before);
  assert.equal(gaps.length, 1);
  assert.ok(Math.abs(gaps[0].unix - AGAIN) < 1e-6, gaps[0].time);
  rows.forEach((row, i) => assert.ok(i === 0 || row.unix > rows[i - 1].unix));
  const { ledger } = rows.at(-1),
    before = rows[rows.indexOf(gaps[0]) - 1].ledger;
  assert.equal(ledger.produced, ledger.seen + ledger.lost.gap);
  assert.equal(before.lost.gap, 0);
  assert.ok(Math.abs(ledger.lost.gap / RATE - 3597) < 0.1, `${ledger.lost.gap / RATE} s`);
  // numbers of samples count time
  for (const row of rows) assert.ok(Math.abs(row.first_sample / RATE - (row.unix - BEGIN)) < 1e-4, row.time);
  const [first] = rows;
  assert.equal(first.rbw_hz.toFixed(6), ((RATE / 1024) * first.enbw_bins).toFixed(6));
  assert.equal(first.window, 'blackman-harris');
});

test('columns of several bins have the frequency and the level of their strongest bin', async (t) => {
  const rows = await replay(await makeArchive(t, '--archive-columns', '256'));
  assert.equal(rows[0].levels.length, 256);
  for (const row of rows.filter(isWhole)) {
    const best = row.levels.indexOf(Math.max(...row.levels)),
      hz = row.low_hz + (best + 0.5) * row.column_hz;
    assert.ok(Math.abs(hz - CENTER - toneOf(secondOf(row.unix) + 1e-3)) <= row.column_hz / 2 + 1e-6, row.time);
    assert.ok(Math.abs(row.levels[best] - LEVEL) <= 0.51);
  }
  assert.equal((rows[0].rbw_hz / rows[0].column_hz).toFixed(4), rows[0].enbw_bins.toFixed(4));
});

test('a part, by dates, by time before the end, by position; and coarser rows', async (t) => {
  const archive = await makeArchive(t);
  const starts = async (...args) => (await replay(...args)).map((row) => Math.round(10 * (row.unix - AGAIN)) / 10);
  const within = (list, from, to) =>
    assert.ok(
      list.length > 0 && list[0] >= from - 1e-6 && list[0] < from + 0.11 && list.at(-1) < to && list.at(-1) > to - 0.21,
      `${list[0]} .. ${list.at(-1)}`,
    );
  within(await starts(`${archive},from=2024-05-06T08:00:01Z,to=2024-05-06T08:00:02Z`), 1, 2);
  within(await starts(`${archive},from=-2s`), 1, 3);
  within(await starts(`${archive},from=2024-05-06T08:00:00Z`, '--from', '1', '--to', '2'), 1, 2);
  const coarse = await replay(`${archive},resolution=1s`);
  assert.equal(coarse.length, 6);
  coarse.filter(isWhole).forEach(assertTone);
  assert.equal((await replay(archive, '--lines', '7')).length, 7);
});

test('runs whose rows have the same times are shown one after the other', async (t) => {
  const archive = join(scratch(t), 'archive'),
    tones = [-100e3, 50e3];
  for (const hz of tones) {
    // both begin in 1970
    const made = await run([
      '--source',
      'sim',
      '--device',
      `scene=tone,level=-20,offset=${hz}`,
      '--rate',
      '1M',
      '--fast',
      '--duration',
      '3',
      '--fft-size',
      '1024',
      '--line-rate',
      '20',
      '--archive',
      archive,
      '--archive-tiers',
      '100ms:2h,1s:1y',
    ]);
    assert.equal(made.code, 0, made.stderr);
  }
  const rows = await replay(archive),
    best = ({ levels, low_hz: low, column_hz: step }) => low + (levels.indexOf(Math.max(...levels)) + 0.5) * step;
  const center = rows[0].low_hz + (rows[0].levels.length * rows[0].column_hz) / 2;
  assert.ok(rows.length >= 58 && rows.length <= 64, `${rows.length} rows`);
  const second = rows.findIndex((row, i) => i > 0 && row.unix <= rows[i - 1].unix);
  assert.equal(second, rows.length / 2);
  rows.forEach((row, i) => {
    assert.ok(Math.abs(best(row) - center - tones[i < second ? 0 : 1]) <= row.column_hz, `${i}: ${best(row)}`);
    assert.equal(row.gap_before, i === second);
    assert.ok(i % second === 0 || row.unix > rows[i - 1].unix);
  });
  assert.equal(rows.at(-1).ledger.lost.gap, 0);
  const part = await replay(archive, '--from', '1', '--to', '2'); // from the part of each
  assert.deepEqual([part.every(({ unix }) => unix >= 1), part.every(({ unix }) => unix < 2)], [true, true]);
  assert.equal(part.filter((row) => Math.abs(best(row) - center - tones[1]) <= row.column_hz).length, part.length / 2);
  assert.equal((await replay(`${archive},resolution=1s`)).length, 6);
});

test('levels have the calibration that was in force when they were archived, others that of this run', async (t) => {
  const folder = scratch(t),
    archive = join(folder, 'archive');
  const table = (name, ...rows) => {
    // rows: Hz and dB
    const path = join(folder, name);
    writeFileSync(
      path,
      `serial = -\ndate = -\nuncertainty = -\n${rows.map(([hz, db]) => `${hz} - - ${db}\n`).join('')}`,
    );
    return ['--calibration', path];
  };
  const sloped = table('sloped', [99.5e6, -20], [100.5e6, -10]); // -12.5 dB at the tone
  const flat = table('flat', [100e6, 7]),
    own = table('own', [100e6, 40]);
  for (const [calibration, when] of [
    [sloped, 1],
    [flat, 2],
    [[], 3],
  ]) {
    const recording = join(folder, `${when}`);
    writeFileSync(
      `${recording}.sigmf-data`,
      encode('cs16', 1e6, (i) => [0.25 * Math.cos((Math.PI / 2) * i), 0.25 * Math.sin((Math.PI / 2) * i)]),
    ); // + 250 kHz
    writeFileSync(
      `${recording}.sigmf-meta`,
      JSON.stringify({
        global: { 'core:datatype': 'ci16_le', 'core:version': '1.2.0', 'core:sample_rate': 1e6 },
        captures: [
          {
            'core:sample_start': 0,
            'core:frequency': 100e6,
            'core:datetime': new Date(1000 * (BEGIN + 10 * when)).toISOString(),
          },
        ],
        annotations: [],
      }),
    );
    const made = await run([
      '--replay',
      `${recording}.sigmf-meta`,
      '--fft-size',
      '1024',
      '--line-rate',
      '20',
      '--archive',
      archive,
      '--archive-tiers',
      '100ms:2h',
      ...calibration,
    ]);
    assert.equal(made.code, 0, made.stderr);
  }
  const assertLevels = (rows, wants) =>
    wants.forEach(([unit, db], i) => {
      const part = rows.filter((row) => Math.floor((row.unix - BEGIN + 1e-3) / 10) === i + 1);
      assert.ok(part.length >= 9, `${part.length} rows`);
      for (const row of part) {
        assert.equal(row.unit, unit, row.time);
        assert.ok(Math.abs(Math.max(...row.levels) - LEVEL - db) <= 0.6, `${row.time}: ${Math.max(...row.levels)}`);
      }
    });
  assertLevels(await replay(archive, '--level-unit', 'dbm'), [
    ['dBm', -12.5],
    ['dBm', 7],
    ['dBFS', 0],
  ]);
  assertLevels(await replay(archive, '--level-unit', 'dbm', ...own), [
    ['dBm', -12.5],
    ['dBm', 7],
    ['dBm', 40],
  ]);
  const daemon = await serve(t, ['--replay-spectra', archive, '--stay', '--speed', '0.1']);
  const state = await until('its calibration', async () => (await daemon.status()).calibration);
  assert.equal(state.file, 'archive');
  const [[, low], [, high]] = [state.curve[0], state.curve.at(-1)];
  assert.ok(Math.abs(low + 20) < 0.1 && Math.abs(high + 10) < 0.1, `${low} .. ${high} dB`);
});

test('in real time it is paused, sought, repeated and sped up as a recording is', async (t) => {
  const archive = await makeArchive(t),
    daemon = await serve(t, ['--replay-spectra', `${archive}/`, '--speed', '0.5', '--stay']);
  const put = (query) => fetch(`${daemon.url}api/v1/replay?${query}`, { method: 'PUT' });
  const state = async () => (await daemon.status()).replay;
  assert.equal((await put('paused=true')).status, 200);
  await until('a pause', async () => (await state()).paused);
  assert.equal((await put('position=3601.5&paused=true')).status, 200);
  await until('the position', async () => Math.abs((await state()).position - 3601.5) < 1e-3);
  assert.equal((await put('paused=false&speed=1')).status, 200);
  const began = performance.now();
  const shown = await until('its line', async () => {
    const answer = await fetch(`${daemon.url}api/v1/spectrum?detector=max`);
    const line = answer.status === 200 && (await answer.json());
    return line && Date.parse(line.time) / 1000 >= AGAIN + 2 && line;
  });
  assert.ok(performance.now() - began > 400, 'before it is due');
  const best = shown.levels.indexOf(Math.max(...shown.levels)),
    hz = shown.low_hz + best * shown.column_hz;
  assert.ok(Math.abs(hz - CENTER - toneOf(secondOf(Date.parse(shown.time) / 1000))) <= shown.column_hz, `${hz} Hz`);
  assert.ok(Math.abs(shown.levels[best] - LEVEL) <= 0.51);
  await until('the end', async () => (await state()).ended);
  const status = await daemon.status();
  assert.equal(status.source.name, 'archive');
  assert.equal(status.source.about, 'spectra of archive');
  assert.equal(status.spectrum.fft_size, 1024);
  assert.equal(status.state, 'running');
  assert.equal((await put('position=0')).status, 200);
  await until('a line after the seek', async () => (await state()).position < 3);
  const refused = await fetch(`${daemon.url}api/v1/settings?fft_size=4096`, { method: 'PUT' });
  assert.ok([400, 404, 409].includes(refused.status), `${refused.status}`);
  for (const path of ['api/v1/status', 'metrics', 'healthz', 'api/v1/replay'])
    // clients get no path
    assert.ok(!(await (await fetch(daemon.url + path)).text()).includes(archive.replace(/[^/]+$/, '')), path);
});

test('what is wrong is one line', async (t) => {
  const archive = await makeArchive(t);
  for (const [args, text] of [
    [['--replay-spectra', scratch(t)], /there is no archive/],
    [['--replay-spectra', `${archive},until=3`], /"until" is not from, to or resolution/],
    [['--replay-spectra', `${archive},from=yesterday`], /from: "yesterday" is not a date/],
    [['--replay-spectra', `${archive},to=2020-01-01T00:00:00Z`], /no rows of this time/],
    [['--replay-spectra', archive, '--from', '4000'], /from is 4000 s, but it lasts 3603/],
    [['--replay-spectra', archive, '--archive', archive], /not archived again/],
    [['--replay-spectra', archive, '--record', archive], /no samples/],
    [['--replay-spectra', archive, '--csv', '-', '--detector', 'sample'], /mean, max and min, not sample/],
  ]) {
    const { status, stderr } = spawnSync(binary, args, { encoding: 'utf8' });
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, text);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
  assert.equal((await run(['--replay-spectra', archive, '--check-config'])).code, 0);
});
