// Writes range_levels.json and range_hits.json: levels and hits with their range codes, in hexadecimal.
//
//     node tests/golden/make_range.mjs
import { writeFileSync } from 'node:fs';
import { codeHits, codeLevels } from './range_coder.mjs';

/** A sequence of numbers from 0 to below 1 that is always the same (Park and Miller's generator). */
function random(seed) {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

const next = random(1);
const list = (length, value) => Array.from({ length }, (_, i) => value(i));
const noise = (around) => Math.max(0, Math.round(around + 5 * Math.log10(-Math.log(next() + 1e-9))));
const levels = {
  one_column: [77],
  nothing: list(300, () => 0),
  everything: list(300, () => 255),
  a_ramp: list(256, (i) => i),
  noise_with_a_carrier_and_a_signal: list(1024, (i) => (i === 300 ? 254 : i > 600 && i < 700 ? noise(150) : noise(8))),
  the_two_extremes: list(64, (i) => (i % 2 ? 255 : 0)),
};

/** Hits of frames whose rows are around one. */
function column(rows, frames, around, spread) {
  const hits = new Array(rows).fill(0);
  for (let i = 0; i < frames; i++)
    hits[Math.min(rows - 1, Math.max(0, Math.round(around + spread * (next() + next() + next() - 1.5))))]++;
  return hits;
}

const steady = (rows, row, frames) => list(rows, (r) => (r === row ? frames : 0));
const hits = {
  one_cell: { frames: 7, columns: [[7]] },
  a_hit_in_the_last_row: {
    frames: 3,
    columns: [
      [0, 0, 3],
      [0, 2, 1],
      [3, 0, 0],
    ],
  },
  a_million_frames: {
    frames: 1000000,
    columns: [steady(50, 9, 1000000), list(50, (r) => (r === 9 ? 999000 : r === 30 ? 1000 : 0))],
  },
  the_largest_number_of_frames: { frames: 2147483646, columns: [steady(4, 1, 2147483646), [1, 0, 2147483644, 1]] },
  noise_and_carriers: {
    frames: 118,
    columns: list(60, (c) => (c % 20 === 10 ? steady(80, 12, 118) : column(80, 118, c > 40 ? 30 : 50, 8))),
  },
};

const save = (name, cases) =>
  writeFileSync(new URL(name, import.meta.url), `[\n${cases.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`);
save(
  'range_levels.json',
  Object.entries(levels).map(([name, all]) => ({ name, levels: all, code: codeLevels(all).toString('hex') })),
);
save(
  'range_hits.json',
  Object.entries(hits).map(([name, { frames, columns }]) => ({
    name,
    frames,
    columns,
    code: codeHits(columns, frames).toString('hex'),
  })),
);
