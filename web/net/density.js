// Decodes density frames (kind 2 of protocol "fftd.3"): docs/protocol.md ("Density frames") has the table.

import { decodeHits } from './range.js';

/**
 * @typedef {object} Density  hits of the lines since the message before
 * @property {number} columns
 * @property {number} levels  rows; row 0 has the highest levels, and all that are higher
 * @property {number} topDb  upper edge of row 0, dBFS
 * @property {number} stepDb  height of a row
 * @property {number} line  number of the newest line
 * @property {number} frames  transforms: the hits of each column sum to this
 * @property {number} firstSample
 * @property {number} samples
 * @property {number} centerHz
 * @property {number} rateHz
 * @property {number} lowHz  left edge of bin 0
 * @property {number} n  FFT size: column c has the bins k with floor(k * columns / n) = c
 * @property {Uint32Array} hits  [columns][levels]
 */

const HEADER_BYTES = 112,
  KIND = 2;
const DEFLATED = 1,
  RANGE_CODED = 32;
const CELLS_MAX = 1 << 24;

/** True for a binary message that is a density. @param {ArrayBuffer} buffer */
export function isDensity(buffer) {
  if (buffer.byteLength < 8) return false;
  const view = new DataView(buffer);
  return view.getUint32(0, false) === 0x46465444 && view.getUint8(5) === KIND;
}

/** @param {Uint8Array} bytes */
async function inflate(bytes) {
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The hits of runs: for each column the first row, the number of rows, and their hits.
 * @param {Uint8Array} bytes @param {number} columns @param {number} levels
 */
function readRuns(bytes, columns, levels) {
  const hits = new Uint32Array(columns * levels);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (let c = 0; c < columns; c++) {
    const first = view.getUint16(at, true),
      count = view.getUint16(at + 2, true);
    if (first + count > levels) throw new Error(`density with row ${first + count - 1} of ${levels}`);
    at += 4;
    for (let i = c * levels + first, end = i + count; i < end; i++) {
      const byte = view.getUint8(at++);
      if (byte < 255) hits[i] = byte;
      else {
        hits[i] = view.getUint32(at, true);
        at += 4;
      }
    }
  }
  if (at !== bytes.length) throw new Error(`density with ${bytes.length - at} bytes after its hits`);
  return hits;
}

/** @param {DataView} view */
function readHeader(view) {
  const big = (/** @type {number} */ at) => Number(view.getBigUint64(at, true));
  return {
    columns: view.getUint32(12, true),
    levels: view.getUint32(16, true),
    topDb: view.getFloat32(20, true),
    stepDb: view.getFloat32(24, true),
    line: big(32),
    frames: big(40),
    firstSample: big(56),
    samples: big(64),
    centerHz: view.getFloat64(80, true),
    rateHz: view.getFloat64(88, true),
    lowHz: view.getFloat64(96, true),
    n: view.getUint32(104, true),
  };
}

/** @param {ReturnType<typeof readHeader>} h */
const isUsable = (h) =>
  h.columns >= 1
  && h.levels >= 1
  && h.columns * h.levels <= CELLS_MAX
  && h.n >= h.columns
  && h.stepDb > 0
  && h.rateHz > 0
  && h.frames >= 1
  && Number.isFinite(h.topDb + h.lowHz + h.centerHz + h.rateHz);

/**
 * @param {ArrayBuffer} buffer  one websocket message for which isDensity holds
 * @returns {Promise<Density>}
 * @throws {Error} naming what is wrong with the message
 */
export async function decodeDensity(buffer) {
  if (buffer.byteLength < HEADER_BYTES) throw new Error(`density of ${buffer.byteLength} bytes is too short`);
  const view = new DataView(buffer),
    begin = view.getUint32(8, true),
    flags = view.getUint8(6);
  if (view.getUint8(4) !== 1) throw new Error(`density of unknown version ${view.getUint8(4)}`);
  if (begin < HEADER_BYTES || begin > buffer.byteLength) throw new Error(`density with a header of ${begin} bytes`);
  const header = readHeader(view);
  if (!isUsable(header)) throw new Error('density with a bad header');
  const payload = new Uint8Array(buffer, begin),
    { columns, levels, frames } = header;
  if (flags & RANGE_CODED) return { ...header, hits: decodeHits(payload, columns, levels, frames) };
  return { ...header, hits: readRuns(flags & DEFLATED ? await inflate(payload) : payload, columns, levels) };
}
