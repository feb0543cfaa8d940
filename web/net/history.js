// Decodes rows of the server's history (kind 4): docs/protocol.md ("History frames") has the tables.

import { Bytes } from './coded.js';
import { decodeLevels } from './range.js';
import { COLUMNS_MAX } from './wire.js';

/**
 * @typedef {object} PastRow  lines of the past, through the view that was asked for
 * @property {number} line  the newest
 * @property {number} firstLine
 * @property {number} lines  in this row
 * @property {bigint} timeNs  Unix time of its first sample
 * @property {number} lowHz
 * @property {number} columnHz
 * @property {number} offsetDb
 * @property {number} stepDb
 * @property {boolean} finest  a narrower view would not show more
 * @property {boolean} rateAssumed
 * @property {boolean} archived  of the spectrum archive: its line numbers are negative
 * @property {number} breaks  BREAK bits: why it does not continue the row before
 * @property {number} lost  samples, of BREAK.loss
 * @property {Uint8Array} levels
 *
 * @typedef {object} Past
 * @property {number} id  of the request
 * @property {number} detector
 * @property {boolean} oldest  there are no rows before these
 * @property {PastRow[]} rows  newest first
 */

/** Bits of `breaks`. */
export const BREAK = { loss: 1, retune: 2, plan: 4, restart: 8, loop: 16, missed: 32 };

const HEADER_BYTES = 32,
  KIND = 4,
  DEFLATED = 1,
  RANGE_CODED = 32;
const GRID = 1,
  FINEST = 2,
  RATE_ASSUMED = 4,
  BREAKS = 8,
  STEP = 16,
  ARCHIVED = 32;
const ROWS_MAX = 65536,
  LEVELS_MAX = 1 << 24;

/** True for a message of this kind. @param {ArrayBuffer} buffer */
export function isHistory(buffer) {
  const bytes = new Uint8Array(buffer, 0, Math.min(6, buffer.byteLength));
  return bytes.length === 6 && bytes[0] === 0x46 && bytes[4] === 1 && bytes[5] === KIND;
}

class Table extends Bytes {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    super(bytes);
    this.scratch = new DataView(new ArrayBuffer(8));
  }

  f32() {
    for (let i = 0; i < 4; i++) this.scratch.setUint8(i, this.byte());
    return this.scratch.getFloat32(0, true);
  }

  f64() {
    for (let i = 0; i < 8; i++) this.scratch.setUint8(i, this.byte());
    return this.scratch.getFloat64(0, true);
  }
}

/**
 * A row without its levels.
 * @param {Table} table
 * @param {any} above  the row before it in the table
 */
function readRow(table, above) {
  const flags = table.byte();
  const line = (above ? above.firstLine - 1 : 0) - Number(table.signed());
  const lines = Number(table.number()) + 1,
    missing = Number(table.number());
  const timeNs = BigInt.asIntN(64, (above ? above.timeNs : 0n) - table.signed());
  const row = {
    line,
    firstLine: line - lines - missing + 1,
    lines,
    timeNs,
    offsetDb: table.f32(),
    stepDb: flags & STEP ? table.f32() : above?.stepDb,
    columns: above?.columns,
    lowHz: above?.lowHz,
    columnHz: above?.columnHz,
    finest: Boolean(flags & FINEST),
    rateAssumed: Boolean(flags & RATE_ASSUMED),
    archived: Boolean(flags & ARCHIVED),
    breaks: 0,
    lost: 0,
    levels: /** @type {Uint8Array} */ (new Uint8Array(0)),
  };
  if (flags & GRID) Object.assign(row, { columns: Number(table.number()), lowHz: table.f64(), columnHz: table.f64() });
  if (flags & BREAKS) Object.assign(row, { breaks: table.byte(), lost: Number(table.number()) });
  if (
    !(row.columns >= 1 && row.columns <= COLUMNS_MAX)
    || !Number.isFinite(row.lowHz)
    || !(row.columnHz > 0)
    || !Number.isFinite(row.columnHz)
    || !Number.isFinite(row.offsetDb)
    || !(row.stepDb > 0)
  )
    throw new Error('history with a bad row');
  return row;
}

/** @param {Uint8Array} bytes @param {number} count @returns {Promise<Uint8Array>} */
async function inflate(bytes, count) {
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer()).subarray(0, count + 1);
}

/**
 * @param {ArrayBuffer} buffer  one websocket message
 * @returns {Promise<Past>}
 * @throws {Error} naming what is wrong with the message
 */
export async function readHistory(buffer) {
  const view = new DataView(buffer),
    bytes = new Uint8Array(buffer);
  if (!isHistory(buffer) || buffer.byteLength < HEADER_BYTES) throw new Error('no history');
  const begin = view.getUint32(8, true),
    count = view.getUint32(16, true),
    levels = view.getUint32(24, true);
  const end = begin + view.getUint32(20, true);
  if (begin < HEADER_BYTES || end > bytes.length || count > ROWS_MAX || levels > LEVELS_MAX)
    throw new Error('history with a bad header');
  const table = new Table(bytes.subarray(begin, end)),
    payload = bytes.subarray(end),
    flags = bytes[6];
  /** @type {(PastRow & { columns: number })[]} */
  const rows = [];
  for (let i = 0; i < count; i++) rows.push(readRow(table, rows.at(-1)));
  /** @type {Uint8Array} */
  const plain =
    flags & RANGE_CODED ? decodeLevels(payload, levels) : flags & DEFLATED ? await inflate(payload, levels) : payload;
  let at = 0;
  for (const row of rows) row.levels = plain.subarray(at, (at += row.columns));
  if (at !== plain.length || at !== levels) throw new Error('history with rows of other columns than levels');
  return { id: view.getUint32(12, true), detector: bytes[7], oldest: bytes[28] === 1, rows };
}
