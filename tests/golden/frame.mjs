// Builds frames of "fftd.3" from the table in daemon/wire/wire.h, independent of the daemon and the page.
import { deflateSync } from 'node:zlib';

// offset, type and name of each field: the table in daemon/wire/wire.h
const table = [
  [0, 'char4', 'magic'],
  [4, 'u8', 'version'],
  [5, 'u8', 'kind'],
  [6, 'u8', 'flags'],
  [7, 'u8', 'detector'],
  [8, 'u32', 'header_bytes'],
  [12, 'u32', 'view'],
  [16, 'u64', 'line'],
  [24, 'u32', 'merged'],
  [28, 'u32', 'columns'],
  [32, 'u64', 'first_sample'],
  [40, 'u64', 'samples'],
  [48, 'i64', 'time_ns'],
  [56, 'f64', 'center_hz'],
  [64, 'f64', 'rate_hz'],
  [72, 'f64', 'gain_db'],
  [80, 'f64', 'low_hz'],
  [88, 'f64', 'column_hz'],
  [96, 'f32', 'level_offset_db'],
  [100, 'f32', 'level_step_db'],
  [104, 'f32', 'enbw_bins'],
  [108, 'f32', 'peak_db'],
  [112, 'f64', 'peak_hz'],
  [120, 'u32', 'n'],
  [124, 'u32', 'hop'],
  [128, 'u64', 'frames'],
  [136, 'f64', 'line_rate_hz'],
  [144, 'u64', 'produced'],
  [152, 'u64', 'seen'],
  [160, 'u64', 'lost_overflow'],
  [168, 'u64', 'lost_overrun'],
  [176, 'u64', 'lost_gap'],
  [184, 'u64', 'lost_retune'],
  [192, 'u64', 'lost_tail'],
  [200, 'u64', 'clipped'],
  [208, 'char16', 'engine'],
  [224, 'char16', 'window'],
];

const write = {
  u8: (b, v, at) => b.writeUInt8(v, at),
  u32: (b, v, at) => b.writeUInt32LE(v, at),
  u64: (b, v, at) => b.writeBigUInt64LE(BigInt(v), at),
  i64: (b, v, at) => b.writeBigInt64LE(BigInt(v), at),
  f32: (b, v, at) => b.writeFloatLE(v === null ? NaN : v, at),
  f64: (b, v, at) => b.writeDoubleLE(v === null ? NaN : v, at),
  char4: (b, v, at) => b.write(v, at, 4, 'latin1'),
  char16: (b, v, at) => b.write(v, at, 16, 'latin1'),
};

/** values: one for each name in the table; levels: bytes, deflated if bit 0 of the flags is set. */
export function frame(values, levels) {
  const header = Buffer.alloc(240);
  for (const [at, type, name] of table) write[type](header, values[name], at);
  return Buffer.concat([header, values.flags & 1 ? deflateSync(levels) : levels]);
}
