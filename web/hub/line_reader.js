// The lines of one sensor from its messages (docs/sensor-messages.md, "lines"), and an account of them: received, sent
// twice, missing.

import { FrameReader } from '../net/coded.js';

const HEADER = 32,
  UNKNOWN = 0xffffffff;

/**
 * @typedef {object} LineHeader
 * @property {boolean} afterLoss  the link was away while lines were folded into it
 * @property {number} run
 * @property {number} base
 * @property {bigint} hostTimeNs  Unix time when it was made
 * @property {number | null} uncertaintyUs  of the frame's time; null: unknown
 * @property {Uint8Array} frame  a view of the message
 *
 * @typedef {LineHeader & import('../net/wire.js').Frame} Line
 */

/** @param {Uint8Array} data @param {number} at @param {string} word */
const begins = (data, at, word) => [...word].every((letter, i) => data[at + i] === letter.charCodeAt(0));

/** @param {Uint8Array} data  a message of the subject PREFIX.SITE.RADIO.lines @returns {LineHeader} */
export function readHeader(data) {
  if (data.length < HEADER || !begins(data, 0, 'FFTN') || data[4] !== 1) throw new Error('not a line of version 1');
  const view = new DataView(data.buffer, data.byteOffset, data.length),
    uncertainty = view.getUint32(24, true);
  return {
    afterLoss: Boolean(data[5] & 1),
    run: view.getUint32(8, true),
    base: view.getUint32(12, true),
    hostTimeNs: view.getBigInt64(16, true),
    uncertaintyUs: uncertainty === UNKNOWN ? null : uncertainty,
    frame: data.subarray(view.getUint32(28, true)),
  };
}

/** A frame has a base if it begins with the header of a complete one. @param {Uint8Array} frame */
const isComplete = (frame) => begins(frame, 0, 'FFTD');

export class LineReader {
  undecoded = 0; // frames whose base did not arrive
  /** @type {number | undefined} */
  run = undefined;
  /** @type {number | null} */
  newest = null; // number of the newest line
  before = 0; // lines of the run before the first frame
  lines = 0; // received, with those that were folded into others
  missing = 0; // that are in no frame
  again = 0; // frames that came twice
  base = 0;
  frames = new FrameReader();

  /** @param {number} run */
  restart(run) {
    Object.assign(this, {
      run,
      newest: null,
      before: 0,
      lines: 0,
      missing: 0,
      again: 0,
      base: 0,
      frames: new FrameReader(),
    });
  }

  /** @param {Uint8Array} data  a message @returns {Line | null}  null: it came before, or its base is not known yet */
  read(data) {
    const header = readHeader(data);
    if (header.run !== this.run) this.restart(header.run);
    if (isComplete(header.frame)) this.base = header.base;
    if (header.base !== this.base) {
      this.undecoded++; // its lines count as missing with the next frame
      return null;
    }
    const frame = this.frames.read(new Uint8Array(header.frame).buffer);
    return this.count(frame) ? { ...header, ...frame } : null;
  }

  /** @param {import('../net/wire.js').Frame} frame */
  count({ line, merged }) {
    if (this.newest !== null && line <= this.newest) {
      this.again++;
      return false;
    }
    if (this.newest === null) this.before = line + 1 - merged;
    else this.missing += line - this.newest - merged;
    this.newest = line;
    this.lines += merged;
    return true;
  }
}
