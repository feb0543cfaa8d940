// density.test.mjs - frames of a density, their sum over time, and the colours of shares.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodeDensity, isDensity } from '../../../web/net/density.js';
import { densityLines, shareText } from '../../../web/features/density/panel.js';
import { colourOf, DensitySum, opacityOf, paintShares, shareColours } from '../../../web/plot/density.js';
import { paletteTable } from '../../../web/plot/palette.js';

const plain = (text) => text.replace(/\u202f/g, ' ').replace(/\u2212/g, '-');

/** A message by the tables of docs/protocol.md ("Density frames"). columns: hits, the first row first. */
function message(
  columns,
  { frames = 10, payload = runs(columns), flags = 0, firstSample = 0, samples = 1000, change } = {},
) {
  const header = Buffer.alloc(112);
  header.write('FFTD', 0, 'latin1');
  header.writeUInt8(1, 4);
  header.writeUInt8(2, 5);
  header.writeUInt8(flags, 6);
  header.writeUInt32LE(112, 8);
  header.writeUInt32LE(columns.length, 12);
  header.writeUInt32LE(columns[0].length, 16);
  header.writeFloatLE(-10, 20);
  header.writeFloatLE(5, 24);
  header.writeBigUInt64LE(BigInt(frames), 40);
  header.writeBigUInt64LE(BigInt(firstSample), 56);
  header.writeBigUInt64LE(BigInt(samples), 64);
  header.writeDoubleLE(100e6, 80);
  header.writeDoubleLE(1000, 88);
  header.writeDoubleLE(99999500, 96);
  header.writeUInt32LE(8, 104);
  change?.(header);
  return Uint8Array.from(Buffer.concat([header, payload])).buffer;
}

function runs(columns) {
  return Buffer.concat(
    columns.map((column) => {
      const first = Math.max(
        0,
        column.findIndex((hits) => hits > 0),
      );
      const rows = column.slice(first, column.findLastIndex((hits) => hits > 0) + 1),
        head = Buffer.alloc(4);
      head.writeUInt16LE(first, 0);
      head.writeUInt16LE(rows.length, 2);
      const hits = rows.map((count) => {
        if (count < 255) return Buffer.of(count);
        const many = Buffer.alloc(5, 255);
        many.writeUInt32LE(count, 1);
        return many;
      });
      return Buffer.concat([head, ...hits]);
    }),
  );
}

const COLUMNS = [
  [0, 10, 0],
  [10, 0, 0],
  [0, 0, 10],
  [3, 0, 7],
];

test('runs are read plain and deflated', async () => {
  for (const [flags, wrap] of [
    [0, (bytes) => bytes],
    [1, deflateSync],
  ]) {
    const density = await decodeDensity(message(COLUMNS, { flags, payload: wrap(runs(COLUMNS)) }));
    assert.deepEqual([...density.hits], COLUMNS.flat());
    assert.deepEqual(
      [density.columns, density.levels, density.topDb, density.stepDb, density.frames, density.rateHz],
      [4, 3, -10, 5, 10, 1000],
    );
  }
});

test('a number of hits above 254 follows in four bytes', async () => {
  const columns = [[1e6, 254, 255]];
  assert.deepEqual([...(await decodeDensity(message(columns, { frames: 1000509 }))).hits], columns[0]);
});

test('range coded hits are read', async () => {
  const golden = JSON.parse(readFileSync(new URL('../../golden/range_hits.json', import.meta.url), 'utf8')).at(-1);
  const { columns, frames, code } = golden;
  const coded = message(columns, {
    frames,
    flags: 32,
    payload: Buffer.from(code, 'hex'),
    change: (h) => h.writeUInt32LE(4096, 104),
  });
  assert.deepEqual([...(await decodeDensity(coded)).hits], columns.flat());
});

test('what is no density is refused with its fault', async () => {
  const cut = message(COLUMNS).slice(0, -1),
    longer = new Uint8Array(message(COLUMNS).byteLength + 1);
  longer.set(new Uint8Array(message(COLUMNS)));
  for (const [bytes, fault] of [
    [new ArrayBuffer(20), /too short/],
    [cut, /./],
    [longer.buffer, /1 bytes after/],
    [message([[0, 1]], { payload: Buffer.of(1, 0, 9, 0, 1) }), /row 9 of 2/],
    [message(COLUMNS, { change: (h) => h.writeUInt32LE(2 ** 31, 12) }), /bad header/],
    [message(COLUMNS, { change: (h) => h.writeUInt8(2, 4) }), /version 2/],
  ])
    await assert.rejects(decodeDensity(bytes), fault);
});

test('only frames of kind 2 are densities', () => {
  assert.equal(isDensity(message(COLUMNS)), true);
  assert.equal(isDensity(message(COLUMNS, { change: (h) => h.writeUInt8(1, 5) })), false);
  assert.equal(isDensity(new ArrayBuffer(3)), false);
});

/** A sum of messages, a second apart. */
async function sumOf(persistence, ...messages) {
  const sum = new DensitySum(persistence);
  for (const [i, columns] of messages.entries())
    sum.add(await decodeDensity(message(columns, { firstSample: 1000 * i })));
  return sum;
}

// Column 0 has the bins 0 and 1 of 8: 99.9995 to 99.99975 MHz. Rows: -10 to -15, -15 to -20, below.
const HZ = 99999600,
  LEVEL = -17;
const BUSY = [
    [0, 10, 0],
    [0, 0, 10],
    [0, 0, 10],
    [0, 0, 10],
  ],
  IDLE = [
    [0, 0, 10],
    [0, 0, 10],
    [0, 0, 10],
    [0, 0, 10],
  ];

test('without persistence the newest message counts alone', async () => {
  assert.equal((await sumOf('none', BUSY, IDLE)).at(HZ, LEVEL).share, 0);
  assert.equal((await sumOf('none', IDLE, BUSY)).at(HZ, LEVEL).share, 1);
});

test('infinite persistence gives the share of all transforms', async () => {
  assert.equal((await sumOf('infinite', BUSY, IDLE, IDLE, IDLE)).at(HZ, LEVEL).share, 0.25);
});

test('variable persistence forgets all but 1 in e within its time', async () => {
  const { share } = (await sumOf('1', BUSY, IDLE)).at(HZ, LEVEL);
  assert.ok(Math.abs(share - Math.exp(-1) / (1 + Math.exp(-1))) < 1e-9, share);
});

test('another grid starts again', async () => {
  const sum = await sumOf('infinite', BUSY);
  sum.add(await decodeDensity(message(IDLE, { change: (h) => h.writeDoubleLE(868e6, 80) })));
  assert.equal(sum.at(HZ, LEVEL).share, 0);
  assert.equal(sum.frames, 10);
});

test('a share is that of its row and of all above', async () => {
  const sum = await sumOf('none', [
    [3, 0, 7],
    [1, 4, 5],
    [0, 0, 10],
    [0, 0, 10],
  ]);
  assert.deepEqual(sum.at(99999760, -17), { share: 0.4, above: 0.5, lowDb: -20, highDb: -15 });
  assert.deepEqual(sum.at(99999760, 0), { share: 0.1, above: 0.1, lowDb: -15, highDb: Infinity });
  assert.deepEqual(sum.at(99999760, -99), { share: 0.5, above: 1, lowDb: -Infinity, highDb: -20 });
  assert.equal(sum.at(99999400, -17), null, 'below the span');
  assert.equal(sum.at(100000600, -17), null, 'above the span');
});

test('each decade of a share is as far in the palette as the next', () => {
  const at = [1, 0.1, 0.01, 0.001, 0.0001].map(colourOf);
  assert.equal(at[0], 255);
  for (let i = 1; i < 4; i++) assert.ok(Math.abs(at[i - 1] - at[i] - (at[i] - at[i + 1])) <= 1, at.join());
  assert.equal(colourOf(1e-9), at[4], 'rarer ones have the weakest colour');
});

test('the table by the bits of a float has the colour of the logarithm', async () => {
  const colours = shareColours('viridis', false),
    palette = paletteTable('viridis');
  for (let share = 1; share > 2e-5; share *= 0.83) {
    const sum = await sumOf('none', [[10, 0, 0]]);
    sum.sums[0] = share * sum.frames;
    const pixels = new Uint32Array(3);
    paintShares(sum, colours, pixels);
    const [red, green, blue, alpha] = new Uint8Array(pixels.buffer),
      near = colourOf(share);
    const found = [-1, 0, 1].some((step) =>
      [red, green, blue].every((part, i) => part === palette[4 * Math.min(255, near + step) + i]),
    );
    assert.ok(found && alpha === 255, `${share}: ${red} ${green} ${blue} ${alpha}`);
    assert.deepEqual([pixels[1], pixels[2]], [0, 0], 'what never occurs is transparent');
  }
});

test('rare levels fade away with variable persistence and stay otherwise', () => {
  assert.equal(opacityOf(1e-4, true), 1);
  assert.ok(Math.abs(opacityOf(10 ** -4.5, true) - 0.5) < 1e-6);
  assert.equal(opacityOf(1e-6, true), 0);
  assert.equal(opacityOf(1e-9, false), 1);
  assert.equal(opacityOf(0, false), 0);
});

test('a share reads in per cent with two digits', () => {
  for (const [share, text] of [
    [0, '0 %'],
    [1, '100.0 %'],
    [0.0625, '6.3 %'],
    [0.5, '50.0 %'],
    [0.00031, '0.031 %'],
    [1e-8, '< 0.0001 %'],
  ])
    assert.equal(plain(shareText(share)), text);
  assert.deepEqual(densityLines({ share: 0.0625, above: 0.07, lowDb: -30.5, highDb: -30 }).map(plain), [
    '6.3 % of the time at -30.5 to -30.0 dBFS',
    '7 % at this level or above',
  ]);
});
