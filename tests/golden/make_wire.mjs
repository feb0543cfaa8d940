// Writes wire_spectrum.* and wire_deflated.*: a frame of "fftd.3" as bytes and as values.
// It is independent of the code under test (see frame.mjs).
//
//     node tests/golden/make_wire.mjs
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { frame } from './frame.mjs';

const here = dirname(fileURLToPath(import.meta.url));

// 64-bit numbers are strings here and in the .json, because JSON readers lose digits. NaN is null.
const spectrum = {
  magic: 'FFTD',
  version: 1,
  kind: 1,
  flags: 2 | 4 | 8,
  detector: 1,
  header_bytes: 240,
  view: 4294967294,
  line: '1234567890123',
  merged: 3,
  columns: 256,
  first_sample: '9876543210987',
  samples: '8388608',
  time_ns: '1762172345678901234',
  center_hz: 433920000,
  rate_hz: 2400000,
  gain_db: 32.8,
  low_hz: 433000000.25,
  column_hz: 586.5,
  level_offset_db: -128.5,
  level_step_db: 0.5,
  enbw_bins: 1.5,
  peak_db: -20.0625,
  peak_hz: 433075072,
  n: 8192,
  hop: 4096,
  frames: '2047',
  line_rate_hz: 24.984375,
  produced: '9876551599595',
  seen: '9876551590000',
  lost_overflow: '4096',
  lost_overrun: '2048',
  lost_gap: '1024',
  lost_retune: '512',
  lost_tail: '1915',
  clipped: '77',
  engine: 'cpu',
  window: 'blackman-harris'.slice(0, 15),
};
// The second frame has minimal values: a deflated payload as its only flag, and an unknown gain.
const deflated = {
  ...spectrum,
  flags: 1,
  detector: 0,
  view: 0,
  line: '0',
  merged: 1,
  columns: 1024,
  first_sample: '0',
  time_ns: '-1',
  gain_db: null,
  center_hz: -0.5,
  lost_overflow: '0',
  lost_overrun: '0',
  lost_gap: '0',
  lost_retune: '0',
  lost_tail: '0',
  clipped: '0',
  engine: '0123456789abcde',
  window: 'hann',
};

function save(name, values, levels) {
  writeFileSync(join(here, `${name}.bin`), frame(values, levels));
  const json = JSON.stringify({ ...values, levels: [...levels] }, null, 1);
  writeFileSync(join(here, `${name}.json`), json.replace(/,\n\s+(?=\d+[,\n])/g, ', ') + '\n');
}

save('wire_spectrum', spectrum, Buffer.from(Array.from({ length: 256 }, (_, i) => i)));
save('wire_deflated', deflated, Buffer.from(Array.from({ length: 1024 }, (_, i) => i >> 4)));
