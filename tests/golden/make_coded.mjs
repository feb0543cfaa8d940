// Writes coded_frames.json: the messages of a connection, in order, and the plain frames that they stand for, in
// hexadecimal. It is independent of the code under test (see frame.mjs and range_coder.mjs).
//
//     node tests/golden/make_coded.mjs
import { writeFileSync } from 'node:fs';
import { baseOf, float, signed, writeChanges } from './coded.mjs';
import { frame } from './frame.mjs';

const levels = Array.from({ length: 256 }, (_, i) => (i === 90 ? 200 : 10 + ((i * i) % 5)));
const base = {
  // frames of 2048 samples, 47 a line: a line is every 96256 samples and has 98304
  magic: 'FFTD',
  version: 1,
  kind: 1,
  flags: 2,
  detector: 1,
  header_bytes: 240,
  view: 7,
  line: 1000n,
  merged: 1,
  columns: 256,
  first_sample: 9876543210987n,
  samples: 98304n,
  time_ns: 1762172345678901234n,
  center_hz: 433920000,
  rate_hz: 2400000,
  gain_db: null,
  low_hz: 432720000,
  column_hz: 9375,
  level_offset_db: -128.5,
  level_step_db: 0.5,
  enbw_bins: 1.5,
  peak_db: -20.0625,
  peak_hz: 433075072,
  n: 4096,
  hop: 2048,
  frames: 47n,
  line_rate_hz: 24.984375,
  produced: 9876543309291n,
  seen: 9876543300000n,
  lost_overflow: 4096n,
  lost_overrun: 0n,
  lost_gap: 0n,
  lost_retune: 512n,
  lost_tail: 1915n,
  clipped: 77n,
  engine: 'cpu',
  window: 'hann',
};

const changes = (options) => writeChanges({ values: base, row: levels, ...options });

const strings = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, v]) => [name, typeof v === 'bigint' ? `${v}` : v]));
const plain = (values, row = levels) => frame(strings(values), Buffer.from(row));
const bin = 2400000 / 4096;

const next = {
  ...base,
  line: 1001n,
  first_sample: base.first_sample + 96256n,
  time_ns: base.time_ns + 40106667n,
  produced: base.produced + 96256n,
  seen: base.seen + 96256n,
  level_offset_db: -128.25,
  peak_db: -21,
  peak_hz: base.peak_hz - 3 * bin,
};
// Lines 1002 to 1004 as one frame, 10000 samples and 7 ns late, in which 5000 were lost and two clipped.
const merged = {
  ...base,
  flags: 2 | 8,
  line: 1004n,
  merged: 3,
  first_sample: base.first_sample + 2n * 96256n + 10000n,
  samples: 2n * 96256n + 98304n,
  frames: 141n,
  time_ns: base.time_ns + 80213333n + 4166667n + 7n,
  level_step_db: 0.75,
  produced: base.produced + 4n * 96256n + 10000n,
  seen: base.seen + 4n * 96256n + 5000n,
  lost_gap: 5000n,
  clipped: 79n,
};
// A short line, before which the clock was set back by a day.
const short = {
  ...next,
  line: 2000n,
  frames: 3n,
  samples: 8192n,
  first_sample: base.first_sample + 1000n * 96256n,
  time_ns: base.time_ns + 40106666667n - 86400000000000n,
  peak_hz: base.peak_hz + 2000 * bin,
  produced: base.produced + 1000n * 96256n - 90112n,
  seen: base.seen + 1000n * 96256n - 90112n,
};
const extremes = Array.from({ length: 256 }, (_, i) => ((i * 7919) % 256) ^ (i & 1 ? 255 : 0));
const retuned = { ...next, line: 2001n, center_hz: 868e6, low_hz: 866.8e6, peak_hz: 868.5e6, gain_db: 20 };

const complete = (values) => baseOf(plain(values));
const messages = [
  ['a_base_and_its_own_line', Buffer.concat([complete(base), changes({ line: 0 })]), plain(base)],
  ['the_next_line', changes({ line: 1, bins: -3, values: next }), plain(next)],
  [
    'a_merged_frame_with_loss',
    changes({
      line: 4,
      values: merged,
      present: 1 | 2 | 8 | 32 | 128 | 1024 | 8192,
      fields: [
        ...float(0.75),
        ...signed(2),
        ...signed(10000),
        ...signed(7),
        ...signed(-5000),
        ...signed(5000),
        ...signed(2),
      ],
    }),
    plain(merged),
  ],
  [
    'a_short_line_after_the_clock_was_set_back',
    changes({
      line: 1000,
      bins: 2000,
      values: short,
      present: 4 | 32,
      fields: [...signed(-44), ...signed(-86400000000000)],
    }),
    plain(short),
  ],
  [
    'levels_that_no_code_makes_shorter',
    changes({ line: 1, bins: -3, values: next, coded: false, row: extremes }),
    plain(next, extremes),
  ],
  ['another_base', Buffer.concat([complete(retuned), changes({ line: 0, values: retuned })]), plain(retuned)],
];
writeFileSync(
  new URL('coded_frames.json', import.meta.url),
  `[\n${messages
    .map(([name, message, want]) =>
      JSON.stringify({ name, message: message.toString('hex'), frame: want.toString('hex') }),
    )
    .join(',\n')}\n]\n`,
);
