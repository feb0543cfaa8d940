// Decodes range-coded levels and hits; docs/protocol.md ("Range coding") describes the code.

const ONE_BITS = 15,
  CERTAIN = 1 << ONE_BITS;
const PARTS = 16,
  NODES = 50,
  BUCKETS = 48,
  SEEN_MAX = 62;
const EXPONENT_NODES = 12,
  TREE_EXPONENT_MAX = 4,
  TOP_NODE = 37,
  EXPONENT_MAX = 12;
const RATES = Uint16Array.from({ length: SEEN_MAX + 1 }, (_, seen) => 65536 / (seen + 2));

/** The contexts of one kind of number. */
class Table {
  constructor() {
    this.one = new Uint16Array(BUCKETS * NODES).fill(CERTAIN / 2); // probability of a 1
    this.seen = new Uint8Array(BUCKETS * NODES);
  }

  /** @param {number} context @param {number} bit */
  learn(context, bit) {
    const one = this.one[context],
      rate = RATES[this.seen[context]];
    this.one[context] = bit ? one + (((CERTAIN - one) * rate) >>> 16) : one - ((one * rate) >>> 16);
    if (this.seen[context] < SEEN_MAX) this.seen[context]++;
  }
}

class Decoder {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.range = 0xffffffff;
    this.code = 0;
    for (let i = 0; i < 4; i++) this.shift();
  }

  /** Bytes after the last one count as 0. */
  shift() {
    this.code = ((this.code << 8) | (this.at < this.bytes.length ? this.bytes[this.at] : 0)) >>> 0;
    this.at++;
  }

  /** @param {number} one  probability of a 1 */
  decide(one) {
    const bound = (this.range >>> ONE_BITS) * one;
    const bit = this.code < bound ? 1 : 0;
    if (bit) {
      this.range = bound;
    } else {
      this.code -= bound;
      this.range -= bound;
    }
    while (this.range < 0x1000000) {
      this.range = (this.range << 8) >>> 0;
      this.shift();
    }
    return bit;
  }

  /** @param {Table} table @param {number} at  bucket and part @param {number} node */
  bit(table, at, node) {
    const part = at % PARTS,
      lower = ((at - part) / PARTS) * NODES + node;
    let one = table.one[lower];
    if (part > 0) one = (one * (PARTS - part) + table.one[lower + NODES] * part) >>> 4;
    const bit = this.decide(one);
    table.learn(lower, bit);
    if (part > 0) table.learn(lower + NODES, bit);
    return bit;
  }

  /** @param {Table} table @param {number} at @returns {number}  0 to 2^31 - 2 */
  number(table, at) {
    let exponent = 0;
    while (this.bit(table, at, Math.min(exponent, EXPONENT_NODES - 1)))
      if (++exponent > 30) throw new Error('range code with a number above 2^31');
    let value = 1;
    for (let i = exponent - 1; i >= 0; i--) {
      let bit;
      if (exponent <= TREE_EXPONENT_MAX) bit = this.bit(table, at, EXPONENT_NODES + (1 << exponent) - 3 + value);
      else if (i === exponent - 1) bit = this.bit(table, at, TOP_NODE + Math.min(exponent, EXPONENT_MAX));
      else bit = this.decide(CERTAIN / 2);
      value = value * 2 + bit;
    }
    return value - 1;
  }

  /** A number that may be negative: 0, 1, 2, 3, 4 are 0, 1, -1, 2, -2. @param {Table} table @param {number} at */
  signed(table, at) {
    const number = this.number(table, at);
    return number % 2 ? (number + 1) / 2 : -number / 2;
  }

  /** The decoder is three bytes ahead of what it has used. */
  end() {
    if (this.at < this.bytes.length || this.at > this.bytes.length + 3)
      throw new Error(`range code of ${this.bytes.length} bytes ends at byte ${this.at}`);
  }
}

const UNIT = 64,
  LONG_STEP = 8 * UNIT,
  ERROR_MIN = 64;

/**
 * Decodes the levels of a line.
 * @param {Uint8Array} bytes
 * @param {number} columns
 * @returns {Uint8Array}  [columns]
 * @throws {Error} if the bytes are no code of so many levels
 */
export function decodeLevels(bytes, columns) {
  const decoder = new Decoder(bytes),
    table = new Table();
  const levels = new Uint8Array(columns);
  // In 1/64 levels: predictions from the last level, an average of some 4, one of some 16, and the line
  // through two; and 4 x their recent errors.
  const value = [0, 0, 0, 0],
    error = [0, 0, 0, 0];
  let short = 0,
    long = 0;
  for (let i = 0; i < columns; i++) {
    const smallest = Math.min(error[0], error[1], error[2], error[3]) + ERROR_MIN;
    let sum = 0,
      weights = 0;
    for (let k = 0; k < 4; k++) {
      let weight = Math.floor((256 * smallest) / (error[k] + ERROR_MIN));
      weight *= weight;
      weight *= weight;
      sum += weight * value[k];
      weights += weight;
    }
    const prediction = Math.floor(sum / weights),
      nearest = (prediction + UNIT / 2) >>> 6;
    const exponent = 31 - Math.clz32(smallest);
    const difference = decoder.signed(table, PARTS * (exponent - 6) + (((PARTS * smallest) >>> exponent) % PARTS));
    const level = prediction % UNIT < UNIT / 2 ? nearest + difference : nearest - difference;
    if (!(level >= 0 && level <= 255)) throw new Error(`range code with a level of ${level}`);
    levels[i] = level;
    const units = level * UNIT;
    if (i === 0) {
      short = 4 * units;
      long = 16 * units;
      value.fill(units);
      continue;
    }
    for (let k = 0; k < 4; k++) error[k] += Math.abs(units - value[k]) - (error[k] >>> 2);
    long += Math.max(-LONG_STEP, Math.min(LONG_STEP, units - (long >>> 4)));
    short += units - (short >>> 2);
    value[0] = units;
    value[1] = short >>> 2;
    value[2] = long >>> 4;
    value[3] = Math.max(0, Math.min(255, 2 * level - levels[i - 1])) * UNIT;
  }
  decoder.end();
  return levels;
}

const NEVER_HIT = 0.125,
  AT_MAX = (BUCKETS - 2) * PARTS - 1;

/** log2 of the hits expected, in half octaves from 1/256 on. @param {number} expected */
function expectedAt(expected) {
  const value = Math.min(Math.floor(expected * 256) + 1, 0x7fffffff);
  const exponent = 31 - Math.clz32(value);
  return Math.min(32 * exponent + (((value << (31 - exponent)) >>> 26) % 32), AT_MAX);
}

/**
 * Decodes the hits of a density.
 * @param {Uint8Array} bytes
 * @param {number} columns
 * @param {number} levels
 * @param {number} frames  that the hits of each column sum to
 * @returns {Uint32Array}  [columns][levels]
 * @throws {Error} if the bytes are no code of such hits
 */
export function decodeHits(bytes, columns, levels, frames) {
  const decoder = new Decoder(bytes);
  const rows = new Table(),
    firsts = new Table(),
    others = new Table();
  const hits = new Uint32Array(columns * levels);
  const fast = new Float64Array(levels),
    slow = new Float64Array(levels);
  const share = new Float64Array(levels),
    below = new Float64Array(levels + 1);
  for (let c = 0, first = 0; c < columns; c++) {
    const column = hits.subarray(c * levels, (c + 1) * levels);
    first += decoder.signed(rows, 0);
    if (!(first >= 0 && first < levels)) throw new Error(`range code with a hit in row ${first} of ${levels}`);
    for (let r = levels - 1; r >= first; r--) {
      const above = r > 0 ? fast[r - 1] + slow[r - 1] : 0;
      const next = r + 1 < levels ? fast[r + 1] + slow[r + 1] : 0;
      share[r] = above + 2 * (fast[r] + slow[r]) + next + NEVER_HIT;
      below[r] = below[r + 1] + share[r];
    }
    let left = frames;
    for (let r = first; r + 1 < levels && left > 0; r++) {
      const at = expectedAt((left * share[r]) / below[r]);
      column[r] = r === first ? decoder.number(firsts, at) + 1 : decoder.number(others, at);
      left -= column[r];
      if (left < 0) throw new Error(`range code with more hits than ${frames} frames`);
    }
    if (left > 0) column[levels - 1] = left;
    for (let r = 0; r < levels; r++) {
      fast[r] = (fast[r] + column[r]) / 2;
      slow[r] += (column[r] - slow[r]) / 8;
    }
  }
  decoder.end();
  return hits;
}
