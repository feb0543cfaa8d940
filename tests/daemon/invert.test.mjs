// invert.test.mjs - --invert exchanges I and Q: each tone reads at the other side of the centre, at the same level.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { change, meanLevels, offsetOf, parseCsv, run, scratch, serve, strongest, until } from '../support/fftd.mjs';
import { encode, tone } from '../support/signal.mjs';

const RATE = 1e6,
  SAMPLES = 1 << 16,
  OFFSET = RATE / 8,
  AMPLITUDE = 0.5;

/** Level and offset of the strongest bin of a replay, and the level at its mirror image. */
async function peak(args) {
  const { code, stdout, stderr } = await run([...args, '--fft-size', '1024', '--csv', '-']);
  assert.equal(code, 0, stderr);
  const rows = parseCsv(stdout),
    levels = meanLevels(rows),
    bin = strongest(rows[0], levels);
  const mirror = levels.findIndex((_, k) => Math.abs(offsetOf(rows[0], k) + offsetOf(rows[0], bin)) < rows[0].step / 2);
  return { hz: offsetOf(rows[0], bin), db: levels[bin], image: levels[mirror] };
}

const metadata = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sigmf-meta'))
    .sort()
    .map((name) => ({ path: join(folder, name), meta: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));

for (const format of ['cu8', 'cs8', 'cs16', 'cf32'])
  test(`a ${format} tone reads at the mirrored frequency with its level, and its recording is the right way round`, async (t) => {
    const folder = scratch(t),
      path = join(folder, `x.${format}`),
      record = scratch(t),
      cut = scratch(t);
    writeFileSync(path, encode(format, SAMPLES, tone(AMPLITUDE, OFFSET / RATE)));
    const replay = [path, '--format', format, '--rate', '1M', '--center', '100M'];
    const plain = await peak(replay),
      mirrored = await peak([...replay, '--invert', '--record', record, '--record-all']);
    const step = RATE / 1024;
    assert.ok(
      Math.abs(plain.hz - OFFSET) < step && Math.abs(mirrored.hz + OFFSET) < step,
      `${plain.hz} ${mirrored.hz}`,
    );
    assert.ok(Math.abs(mirrored.db - 20 * Math.log10(AMPLITUDE)) < 0.1, `${mirrored.db}`);
    assert.ok(
      Math.abs(mirrored.db - plain.db) < 0.01 && mirrored.db - mirrored.image > 40,
      JSON.stringify([plain, mirrored]),
    );
    const [recording] = metadata(record);
    assert.deepEqual(
      recording.meta.captures.map((c) => c['fftd:inverted']),
      [true],
    );
    const again = await peak([recording.path]);
    assert.ok(Math.abs(again.hz + OFFSET) < step && Math.abs(again.db - mirrored.db) < 0.01, JSON.stringify(again));
    // A cut has the samples of the file as floats, with I and Q exchanged; the coarsest format has steps of 1/127.
    const { code, stderr } = await run([
      'cut',
      path,
      '0:0,99.5M:100.5M',
      ...replay.slice(1),
      '--invert',
      '--record',
      cut,
    ]);
    assert.equal(code, 0, stderr);
    const [part] = metadata(cut),
      data = readFileSync(part.path.replace(/meta$/, 'data')),
      at = tone(AMPLITUDE, OFFSET / RATE);
    assert.equal(data.length, 8 * SAMPLES);
    for (let i = 0; i < SAMPLES; i++) {
      const [re, im] = at(i),
        error = Math.hypot(data.readFloatLE(8 * i) - im, data.readFloatLE(8 * i + 4) - re);
      assert.ok(error < 0.01, `sample ${i}: ${error}`);
    }
  });

test('a change while fftd runs is of whole samples, is in the metadata from then on, and loses none', async (t) => {
  const record = scratch(t),
    csv = join(scratch(t), 'rows.csv');
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--center',
    '100M',
    '-d',
    'scene=tone,level=-20,offset=125k',
    '--fft-size',
    '64',
    '--csv',
    csv,
    '--record',
    record,
    '--record-all',
  ]);
  const sides = () => {
    try {
      return parseCsv(readFileSync(csv, 'latin1').replace(/[^\n]*$/, '')).map((row) =>
        Math.sign(offsetOf(row, strongest(row))),
      );
    } catch {
      return [];
    }
  };
  const put = (value) => change(daemon, `settings?invert=${value}`);
  await until('the tone is above the centre', () => sides().at(-1) === 1);
  assert.deepEqual(await put('perhaps'), [400, 'invert: "perhaps" is not yes or no']);
  assert.deepEqual(await put('yes'), [200, 'done']);
  await until('it is below', () => sides().at(-1) === -1);
  assert.equal((await (await fetch(`${daemon.url}api/v1/settings`)).json()).settings.invert, 'yes');
  assert.deepEqual(await put('no'), [200, 'done']);
  await until('it is above again', () => sides().at(-1) === 1);
  const { lost } = (await daemon.status()).ledger;
  assert.deepEqual([lost.overflow, lost.gap], [0, 0]);
  await daemon.stop();
  const turns = sides().filter((side, i, all) => i === 0 || side !== all[i - 1]);
  assert.deepEqual(turns, [1, -1, 1]);
  const captures = metadata(record).flatMap(({ meta }) => meta.captures);
  const flags = captures
    .map((c) => c['fftd:inverted'] ?? false)
    .filter((flag, i, all) => i === 0 || flag !== all[i - 1]);
  assert.deepEqual(flags, [false, true, false]);
});
