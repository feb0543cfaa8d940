// Builds coded frames from the tables in docs/protocol.md, independent of the daemon and the page.
import { codeLevels } from './range_coder.mjs';

/** Seven bits a byte, the lowest first. */
function number(value) {
  const bytes = [];
  for (let digits = BigInt(value).toString(2); digits; digits = digits.slice(0, -7))
    bytes.push(parseInt(digits.slice(-7), 2) + (digits.length > 7 ? 128 : 0));
  return bytes;
}
export const signed = (value) => number(BigInt(value) < 0n ? -2n * BigInt(value) - 1n : 2n * BigInt(value));
export const float = (value) => {
  const b = Buffer.alloc(4);
  b.writeFloatLE(value);
  return [...b];
};

/**
 * values: of the frame; present: of the fields after the peak, by bit; fields: these, as they are written. line, bins:
 * from the line and the peak of the base. row: the levels; coded: they are range-coded.
 */
export function writeChanges({ line = 0, bins = 0, values, present = 0, fields = [], coded = true, row }) {
  return Buffer.from([
    'L'.charCodeAt(0),
    values.flags | (coded ? 32 : 0),
    ...number(present),
    ...signed(line),
    ...signed(bins),
    ...float(values.level_offset_db),
    ...float(values.peak_db),
    ...fields,
    ...(coded ? codeLevels(row) : row),
  ]);
}

/** A header of kind 1 as that of a base. */
export function baseOf(header) {
  const base = Buffer.from(header.subarray(0, 240));
  base[5] = 3;
  return base;
}
