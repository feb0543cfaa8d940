// Axis ticks, formatted numbers, level ranges, colours, the address's hash and the history of rows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clockStep, niceStep, ticks } from '../../../web/plot/axis.js';
import { axisUnit, frequencyText, widthText } from '../../../web/plot/frequency.js';
import * as format from '../../../web/util/format.js';
import * as time from '../../../web/util/time.js';
import { formatHash, parseHash } from '../../../web/app/hash.js';
import { parseQuantity } from '../../../web/util/quantity.js';
import { resolutionText } from '../../../web/features/history/resolution.js';
import { History, gapRow, rowLevel, rowOf } from '../../../web/plot/history.js';
import { autoRange, clampRange, shiftRange, zoomRange } from '../../../web/plot/levels.js';
import { PALETTES, paletteTable } from '../../../web/plot/palette.js';

const BREAK = { text: 'here', fault: true };

/** Plain spaces and hyphens instead of the typographic ones. */
const plain = (text) => text.replace(/\u202f/g, ' ').replace(/\u2212/g, '-');
const is = (text, expected) => assert.equal(plain(text), expected);

test('ticks are multiples of 1 2 or 5', () => {
  for (const [rough, step] of [
    [1, 1],
    [1.1, 2],
    [3, 5],
    [5.1, 10],
    [0.03, 0.05],
    [4e5, 5e5],
  ])
    assert.equal(niceStep(rough), step);
  assert.deepEqual(ticks(-120, 0, 6), { step: 20, values: [-120, -100, -80, -60, -40, -20, 0] });
  assert.deepEqual(ticks(99.95e6, 100.05e6, 5).values, [99.96e6, 99.98e6, 100e6, 100.02e6, 100.04e6]);
  assert.deepEqual(ticks(0.05, 0.35, 3).values, [0.1, 0.2, 0.3]);
});

test('ticks stay exact at gigahertz with steps of a hertz', () => {
  const { step, values } = ticks(2.4e9, 2.4e9 + 10, 10);
  assert.equal(step, 1);
  assert.deepEqual(values.slice(0, 3), [2400000000, 2400000001, 2400000002]);
});

test('an axis without length has no ticks', () => {
  assert.deepEqual(ticks(5, 5, 4).values, []);
  assert.deepEqual(ticks(NaN, 5, 4).values, []);
});

test('clocks step in round seconds', () => {
  assert.equal(clockStep(3), 5);
  assert.equal(clockStep(11), 15);
  assert.equal(clockStep(1e9), 7200);
});

test('frequencies have the unit of their size and the digits of the resolution', () => {
  is(format.formatHz(433.92e6, 1), '433.920 000 MHz');
  is(format.formatHz(433.92e6, 439.45), '433.9200 MHz');
  is(format.formatHz(433.92e6, 43.9), '433.920 00 MHz');
  is(format.formatHz(99.925e6, 1e2), '99.9250 MHz');
  is(format.formatHz(1090e6, 1e3), '1090.000 MHz');
  is(format.formatHz(24.125e9, 1e6), '24.125 GHz');
  is(format.formatHz(7020, 1), '7.020 kHz');
  is(format.formatHz(-63200, 100), '-63.2 kHz');
  is(format.formatHz(0, 1), '0 Hz');
  is(format.formatHz(NaN, 1), '-- Hz');
});

test('an unknown rate leaves no hertz but fractions of it from the centre', () => {
  const frame = { rateAssumed: true, centerHz: 433.92e6, rateHz: 2e6 };
  is(frequencyText(frame, 434.42e6, 488.28125), '0.2500 fs');
  is(frequencyText(frame, 432.92e6, 2e4), '-0.50 fs');
  is(widthText(frame, 2e6), '1 fs');
  is(widthText(frame, 976.5625), '0.000488 fs');
  assert.deepEqual(axisUnit(frame, { lowHz: 432e6, highHz: 434e6 }), { zeroHz: 433.92e6, scale: 2e6, unit: 'fs' });
  const known = { ...frame, rateAssumed: false };
  is(frequencyText(known, 434.42e6, 488.28125), '434.4200 MHz');
  is(widthText(known, 976.5625), '977 Hz');
  assert.deepEqual(axisUnit(known, { lowHz: 432e6, highHz: 434e6 }), { zeroHz: 0, scale: 1e6, unit: 'MHz' });
});

test('levels counts and rates read as expected', () => {
  is(format.formatDb(-20.0625, 2), '-20.06');
  is(format.formatDb(-0.001, 2), '0.00');
  is(format.formatDb(-Infinity), '--');
  is(format.formatSi(2.4e6, 'S/s'), '2.4 MS/s');
  is(format.formatSi(61.44e6, 'S/s', 4), '61.44 MS/s');
  is(format.formatSi(0.00064, 's'), '640 \u00b5s');
  is(format.formatSi(999.9999, 'Hz'), '1 kHz');
  is(format.formatSi(0, 'Hz'), '0 Hz');
  is(format.formatSi(0.1, '/s'), '0.1/s');
  is(format.formatSi(0.052, '/s'), '0.052/s');
  is(format.formatSi(1171.9, '/s'), '1.17 k/s');
  is(format.formatCount(12345678), '12 345 678');
  is(format.formatCount(999), '999');
});

test('times are utc', () => {
  assert.equal(time.formatTime(1762172345678.9), '2025-11-03 12:19:05.678');
  assert.equal(time.formatClock(1762172345678.9, 1), '12:19:05.6');
  assert.equal(time.formatClock(0, 0), '00:00:00');
  assert.equal(time.formatTime(1e300), '--');
});

test('quantities are read as the daemon reads them', () => {
  const table = JSON.parse(readFileSync(new URL('../../golden/quantities.json', import.meta.url), 'utf8'));
  for (const [quantity, { good, bad }] of Object.entries(table)) {
    for (const [text, value] of Object.entries(good))
      assert.equal(parseQuantity(text, quantity), value, `${quantity}: ${text}`);
    for (const text of bad) assert.ok(Number.isNaN(parseQuantity(text, quantity)), `${quantity}: ${text}`);
  }
});

test('the text of an input field reads back as the same number', () => {
  for (const value of [433.92e6, 868.95e6, 1e9, 2.4e6, 1600000, 12345678.5, 999, 0, 48000, -63200, 1090000001])
    assert.equal(parseQuantity(format.plainSi(value)), value, format.plainSi(value));
  assert.equal(format.plainSi(433.92e6), '433.92M');
  assert.equal(format.plainSi(1090e6), '1090M');
});

test('level range zooms at the cursor and keeps its limits', () => {
  const range = zoomRange({ bottomDb: -120, topDb: 0 }, 2, 0.25);
  assert.deepEqual(range, { bottomDb: -75, topDb: -15 });
  assert.equal(-15 - 0.25 * 60, 0 - 0.25 * 120); // the level at a quarter from the top stays
  assert.deepEqual(shiftRange({ bottomDb: -120, topDb: 0 }, -10), { bottomDb: -130, topDb: -10 });
  assert.deepEqual(clampRange({ bottomDb: -1e9, topDb: 1e9 }), { bottomDb: -250, topDb: 100 });
  assert.deepEqual(clampRange({ bottomDb: -10, topDb: -10 }), { bottomDb: -10, topDb: -5 });
});

const spectrum = (levels, peakDb) => ({ levels: Uint8Array.from(levels), offsetDb: -140, stepDb: 0.5, peakDb });

test('automatic range holds floor and peak on round numbers', () => {
  const noise = Array.from({ length: 500 }, (_, i) => 80 + (i % 9)); // about -100 dBFS
  const range = autoRange(spectrum([...noise, 230], -25));
  assert.deepEqual(range, { bottomDb: -105, topDb: -15 });
});

test('automatic range ignores columns that only say lower than this', () => {
  const range = autoRange(spectrum([...new Array(900).fill(0), ...new Array(100).fill(100)], -90));
  assert.deepEqual(range, { bottomDb: -95, topDb: -65 });
  const nothing = autoRange(spectrum(new Array(100).fill(0), -Infinity));
  assert.ok(nothing.topDb > nothing.bottomDb);
});

test('palettes pass through their anchors and are opaque', () => {
  const turbo = paletteTable('turbo'),
    viridis = paletteTable('viridis');
  assert.deepEqual([...turbo.slice(0, 4)], [48, 18, 59, 255]);
  assert.deepEqual([...turbo.slice(-4)], [122, 4, 3, 255]);
  assert.deepEqual([...viridis.slice(0, 3)], [68, 1, 84]);
  assert.deepEqual([...viridis.slice(-4, -1)], [253, 231, 37]);
  for (let i = 0; i < 256; i++) assert.equal(viridis[4 * i + 3], 255);
  assert.deepEqual(paletteTable('nosuch'), viridis);
});

test('palettes but turbo get lighter at every step', () => {
  for (const name of Object.keys(PALETTES).filter((other) => other !== 'turbo')) {
    const table = paletteTable(name);
    const luma = (i) => 0.2126 * table[4 * i] + 0.7152 * table[4 * i + 1] + 0.0722 * table[4 * i + 2];
    for (let i = 1; i < 256; i++) assert.ok(luma(i) >= luma(i - 1) - 1, `${name}, step ${i}`);
    assert.ok(luma(255) > luma(0) + 150, `${name} from end to end`);
  }
});

test('hash keeps all settings', () => {
  const shown = {
    low: 99.5e6,
    high: 100500000.25,
    bottom: -110,
    top: -20,
    detector: 'max',
    palette: 'viridis',
    speed: 3,
    renderer: '2d',
  };
  assert.deepEqual(parseHash(formatHash(shown)), shown);
  assert.equal(formatHash({}), '');
});

test('hash drops everything that is not allowed', () => {
  for (const hash of [
    '#low=NaN&high=5',
    '#low=5',
    '#low=9&high=3',
    '#low=1e99&high=2e99',
    '#detector=<script>',
    '#palette=constructor',
    '#speed=-1',
    '#speed=Infinity',
    '#renderer=webgpu',
    '#token=secret',
    '#__proto__=1',
    '#bottom=0&top=-10',
    '#%',
    'nonsense',
  ])
    assert.deepEqual(parseHash(hash), {}, hash);
});

test('history gives the newest rows by age and forgets the oldest', () => {
  const history = new History(3);
  for (let i = 0; i < 5; i++) history.push(gapRow(i, BREAK));
  assert.equal(history.length, 3);
  assert.deepEqual(
    [0, 1, 2, 3].map((age) => history.at(age)?.timeMs),
    [4, 3, 2, undefined],
  );
  assert.equal(history.at(-1), undefined);
});

test('row level is read at the frequencies of the row', () => {
  const row = rowOf(
    { levels: Uint8Array.of(0, 10, 20), lowHz: 100, columnHz: 10, offsetDb: -50, stepDb: 2, merged: 1 },
    7,
  );
  assert.equal(rowLevel(row, 115), -30);
  assert.ok(Number.isNaN(rowLevel(row, 99)));
  assert.ok(Number.isNaN(rowLevel(row, 130)));
  assert.ok(Number.isNaN(rowLevel(gapRow(1, BREAK), 0.5)));
});

test('a tick of the clock is short between whole seconds', () => {
  const noon = Date.UTC(2026, 1, 3, 12, 34, 56);
  assert.equal(time.formatTick(noon), '12:34:56');
  assert.equal(time.formatTick(noon + 500), ':56.50');
  assert.equal(time.formatTick(noon + 20), ':56.02');
  assert.equal(time.formatTick(noon - 0.001), '12:34:56'); // a multiple of a step, but for rounding
});

test('times are those of UTC or of the zone of this machine', () => {
  const zone = process.env.TZ,
    summer = Date.UTC(2026, 6, 3, 12, 0, 0, 250),
    winter = Date.UTC(2026, 0, 3, 12);
  try {
    process.env.TZ = 'America/St_Johns'; // 3:30 behind UTC, in summer 2:30
    assert.deepEqual([time.formatClock(summer), time.zoneText(summer)], ['12:00:00.250', 'UTC']);
    assert.equal(time.readTime('2026-07-03T12:00:00'), summer - 250);
    time.showLocalTime(true);
    assert.equal(time.formatClock(summer), '09:30:00.250');
    assert.equal(time.formatTime(winter), '2026-01-03 08:30:00.000');
    assert.deepEqual([time.zoneText(summer), time.zoneText(winter)], ['UTC-0230', 'UTC-0330']);
    assert.equal(time.readTime('2026-07-03T09:30:00'), summer - 250);
    process.env.TZ = 'Asia/Tokyo';
    assert.equal(time.formatTime(Date.UTC(2026, 0, 3, 20)), '2026-01-04 05:00:00.000');
    assert.equal(time.zoneText(winter), 'UTC+0900');
  } finally {
    time.showLocalTime(false);
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('a row of the past says how much time it stands for', () => {
  const archived = (seconds) => resolutionText({ line: -4e14, firstLine: -4e14 - seconds * 1e6 + 1, merged: 7 });
  assert.deepEqual(
    [1, 60, 3600, 86400].map(archived),
    ['second', 'minute', 'hour', 'day'].map((unit) => `archive, 1 row ${unit === 'hour' ? 'an' : 'a'} ${unit}`),
  );
  is(archived(0.1), 'archive, 1 row every 100 ms');
  is(archived(100), 'archive, 1 row every 100 s');
  is(resolutionText({ line: 15, firstLine: 0, merged: 16 }), '16 lines merged');
  is(resolutionText({ line: 15, firstLine: 15, merged: 1 }), '');
});
