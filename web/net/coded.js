// Restores range-coded frames (kind 3) to frames of kind 1: docs/protocol.md ("Coded frames") has the tables.

import { decodeLevels } from './range.js';
import { COLUMNS_MAX, decodeFrame } from './wire.js';

const HEADER_BYTES = 240,
  KIND_AT = 5,
  FLAGS_AT = 6,
  COLUMNS_AT = 28;
const MARK = 0x4c,
  SLOTS = 7,
  RANGE_CODED = 32; // changes of slot s begin with MARK + s
const MERGED_AT = 24,
  LINE_AT = 16,
  FIRST_AT = 32,
  SAMPLES_AT = 40,
  TIME_AT = 48,
  FRAMES_AT = 128;
const OFFSET_AT = 96,
  STEP_AT = 100,
  PEAK_DB_AT = 108,
  PEAK_HZ_AT = 112;
const PRODUCED_AT = 144,
  SEEN_AT = 152,
  LOST_AT = 160,
  CLIPPED_AT = 200;

/** Reads the numbers of coded frames. */
export class Bytes {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error(`coded frame ends at byte ${this.at}`);
    return this.bytes[this.at++];
  }

  number() {
    let number = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      number |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, number);
      if (shift > 56n) throw new Error('coded frame with a number above 2^64');
    }
  }

  /** 0, 1, 2, 3, 4 are 0, -1, 1, -2, 2. */
  signed() {
    const number = this.number();
    return number & 1n ? -(number >> 1n) - 1n : number >> 1n;
  }

  /** Copies a float. @param {DataView} into @param {number} at */
  float(into, at) {
    for (let i = 0; i < 4; i++) into.setUint8(at + i, this.byte());
  }
}

/** @param {DataView} header @param {number} at */
const u64 = (header, at) => header.getBigUint64(at, true);

/** Nanoseconds that a number of samples takes. @param {bigint} samples @param {number} rate */
function elapsedNs(samples, rate) {
  const ns = (Number(BigInt.asIntN(64, samples)) * 1e9) / rate;
  return Math.abs(ns) < 1e18 ? BigInt(Math.floor(ns + 0.5)) : 0n;
}

/** The slot that changes are of; -1: they are none. @param {number} mark  their first byte */
const slotOf = (mark) => (mark >= MARK && mark < MARK + SLOTS ? mark - MARK : -1);

/** Changes a copy of the base to the header of a frame. @param {Bytes} bytes @param {DataView} h */
function applyChanges(bytes, h) {
  const base = new DataView(h.buffer.slice(0, HEADER_BYTES));
  const put = (/** @type {number} */ at, /** @type {bigint} */ value) =>
    h.setBigUint64(at, BigInt.asUintN(64, value), true);
  if (slotOf(bytes.byte()) < 0) throw new Error('coded frame of an unknown form');
  h.setUint8(FLAGS_AT, bytes.byte());
  const present = bytes.number();
  const baseMerged = BigInt(base.getUint32(MERGED_AT, true)),
    hop = BigInt(base.getUint32(124, true));
  const n = base.getUint32(120, true),
    rate = base.getFloat64(64, true);
  if (baseMerged < 1n || n < 1) throw new Error('coded frame with a bad base');
  const line = u64(base, LINE_AT) + bytes.signed();
  put(LINE_AT, line);
  h.setFloat64(PEAK_HZ_AT, base.getFloat64(PEAK_HZ_AT, true) + Number(bytes.signed()) * (rate / n), true);
  bytes.float(h, OFFSET_AT);
  bytes.float(h, PEAK_DB_AT);
  if (present & 1n) bytes.float(h, STEP_AT);
  let bit = 1n;
  const change = () => ((present >> bit++) & 1n ? bytes.signed() : 0n);
  const each = u64(base, FRAMES_AT) / baseMerged; // frames a line
  const merged = 1n + change();
  h.setUint32(MERGED_AT, Number(BigInt.asUintN(32, merged)), true);
  const frames = merged * each + change();
  put(FRAMES_AT, frames);
  const lines = line - merged - (u64(base, LINE_AT) - baseMerged);
  const first = u64(base, FIRST_AT) + lines * each * hop + change();
  put(FIRST_AT, first);
  const samples = (frames - 1n) * hop + BigInt(n) + change();
  put(SAMPLES_AT, samples);
  put(TIME_AT, u64(base, TIME_AT) + elapsedNs(first - u64(base, FIRST_AT), rate) + change());
  const since = first + samples - u64(base, FIRST_AT) - u64(base, SAMPLES_AT);
  put(PRODUCED_AT, u64(base, PRODUCED_AT) + since + change());
  put(SEEN_AT, u64(base, SEEN_AT) + since + change());
  for (let at = LOST_AT; at <= CLIPPED_AT; at += 8) put(at, u64(base, at) + change());
}

/** Reads the binary messages of one connection. */
export class FrameReader {
  constructor() {
    /** @type {Uint8Array[]} */
    this.bases = []; // a header for each slot
  }

  /**
   * @param {ArrayBuffer} buffer  one websocket message
   * @returns {ArrayBuffer}  a frame of kind 1 or another kind
   * @throws {Error} naming what is wrong with the message
   */
  restore(buffer) {
    let bytes = new Uint8Array(buffer);
    if (slotOf(bytes[0]) < 0) {
      if (bytes.length < HEADER_BYTES || bytes[KIND_AT] !== 3) return buffer;
      const begin = new DataView(buffer).getUint32(8, true);
      if (begin < HEADER_BYTES || begin > bytes.length) throw new Error(`frame with a header of ${begin} bytes`);
      const fresh = bytes.slice(0, HEADER_BYTES);
      fresh[KIND_AT] = 1;
      new DataView(fresh.buffer).setUint32(8, HEADER_BYTES, true);
      bytes = bytes.subarray(begin);
      this.bases[slotOf(bytes[0])] = fresh;
    }
    const base = this.bases[slotOf(bytes[0])];
    if (!base) throw new Error('coded frame without a base');
    const header = base.slice(),
      view = new DataView(header.buffer),
      rest = new Bytes(bytes);
    applyChanges(rest, view);
    const payload = bytes.subarray(rest.at),
      flags = view.getUint8(FLAGS_AT);
    const columns = view.getUint32(COLUMNS_AT, true);
    if (columns > COLUMNS_MAX) throw new Error(`coded frame of ${columns} columns`);
    view.setUint8(FLAGS_AT, flags & ~RANGE_CODED);
    const levels = flags & RANGE_CODED ? decodeLevels(payload, columns) : payload;
    const restored = new Uint8Array(HEADER_BYTES + levels.length);
    restored.set(header);
    restored.set(levels, HEADER_BYTES);
    return restored.buffer;
  }

  /** @param {ArrayBuffer} buffer  one websocket message @returns {import('./wire.js').Frame} */
  read(buffer) {
    return decodeFrame(this.restore(buffer));
  }
}
