// Range-codes levels and hits as docs/protocol.md describes it, independent of the daemon and the page: one big
// number in place of bytes with carries, and decisions made first.

/** Decisions, each with the probability of a 1 in 1/32768, as bytes. */
function bytesOf(decisions) {
  let low = 0n,
    range = 0xffffffffn,
    bytes = 1;
  for (const { one, bit } of decisions) {
    const bound = (range >> 15n) * BigInt(one);
    if (bit) range = bound;
    else {
      low += bound;
      range -= bound;
    }
    for (; range < 1n << 24n; range <<= 8n) {
      low <<= 8n;
      bytes++;
    }
  }
  const rounded = (low + 0xffffffn) >> 24n;
  return Buffer.from(rounded.toString(16).padStart(2 * bytes, '0'), 'hex');
}

/** One kind of number: bucket -> node -> context. */
function kind() {
  const contexts = new Map();
  return (bucket, node) => {
    const key = `${bucket} ${node}`;
    if (!contexts.has(key)) contexts.set(key, { one: 16384, seen: 0 });
    return contexts.get(key);
  };
}

function learn(context, bit) {
  const rate = Math.floor(65536 / (context.seen + 2));
  if (bit) context.one += Math.floor(((32768 - context.one) * rate) / 65536);
  else context.one -= Math.floor((context.one * rate) / 65536);
  context.seen = Math.min(context.seen + 1, 62);
}

/** Names of the decisions of a number: its exponent, then bits with what precedes them. */
function decisionsOf(number) {
  const digits = (number + 1).toString(2).slice(1),
    e = digits.length;
  const list = [];
  for (let i = 0; i <= e; i++) list.push({ node: Math.min(i, 11), bit: i < e ? 1 : 0 });
  [...digits].forEach((digit, i) => {
    const node =
      e <= 4 ? 12 + 2 ** e - 3 + parseInt(`1${digits.slice(0, i)}`, 2) : i === 0 ? 37 + Math.min(e, 12) : null;
    list.push({ node, bit: Number(digit) });
  });
  return list;
}

/** at: in sixteenths of a bucket */
function put(out, contexts, at, number) {
  const bucket = Math.floor(at / 16),
    part = at % 16;
  for (const { node, bit } of decisionsOf(number)) {
    if (node === null) {
      out.push({ one: 16384, bit });
      continue;
    }
    const near = contexts(bucket, node),
      next = part ? contexts(bucket + 1, node) : near;
    const one = Math.floor((near.one * (16 - part) + next.one * part) / 16);
    out.push({ one, bit });
    learn(near, bit);
    if (part) learn(next, bit);
  }
}

const interleave = (number) => (number > 0 ? 2 * number - 1 : -2 * number);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Exponent of the highest bit, and the sixteenths that follow it. */
function logarithm(value) {
  const digits = value.toString(2),
    next = `${digits.slice(1)}00000`;
  return {
    exponent: digits.length - 1,
    sixteenths: parseInt(next.slice(0, 4), 2),
    thirtySeconds: parseInt(next.slice(0, 5), 2),
  };
}

export function codeLevels(levels) {
  const out = [],
    contexts = kind();
  let predictions = [0, 0, 0, 0],
    errors = [0, 0, 0, 0],
    short = 0,
    long = 0;
  levels.forEach((level, i) => {
    const smallest = Math.min(...errors) + 64;
    const weights = errors.map((error) => BigInt(Math.floor((256 * smallest) / (error + 64))) ** 4n);
    const total = weights.reduce((sum, w, k) => sum + w * BigInt(predictions[k]), 0n);
    const prediction = Number(total / weights.reduce((sum, w) => sum + w));
    const difference = level - Math.floor((prediction + 32) / 64);
    const { exponent, sixteenths } = logarithm(smallest);
    put(out, contexts, 16 * (exponent - 6) + sixteenths, interleave(prediction % 64 < 32 ? difference : -difference));
    const value = 64 * level;
    if (i === 0) {
      [short, long, predictions] = [4 * value, 16 * value, [value, value, value, value]];
      return;
    }
    errors = errors.map((error, k) => error + Math.abs(value - predictions[k]) - Math.floor(error / 4));
    long += clamp(value - Math.floor(long / 16), -512, 512);
    short += value - Math.floor(short / 4);
    predictions = [value, Math.floor(short / 4), Math.floor(long / 16), 64 * clamp(2 * level - levels[i - 1], 0, 255)];
  });
  return bytesOf(out);
}

/** columns: arrays of hits, each of the same sum */
export function codeHits(columns, frames) {
  const out = [],
    rows = kind(),
    firsts = kind(),
    others = kind();
  const levels = columns[0].length;
  let fast = new Array(levels).fill(0),
    slow = new Array(levels).fill(0),
    before = 0;
  for (const hits of columns) {
    const first = hits.findIndex((count) => count > 0);
    put(out, rows, 0, interleave(first - before));
    before = first;
    const sum = (r) => (fast[r] ?? 0) + (slow[r] ?? 0);
    const shares = hits.map((_, r) => sum(r - 1) + 2 * sum(r) + sum(r + 1) + 0.125);
    let left = frames;
    for (let r = first; r < levels - 1 && left > 0; r++) {
      let below = 0;
      for (let k = levels - 1; k >= r; k--) below += shares[k];
      const value = Math.min(Math.floor(((left * shares[r]) / below) * 256) + 1, 0x7fffffff);
      const { exponent, thirtySeconds } = logarithm(value);
      put(
        out,
        r === first ? firsts : others,
        Math.min(32 * exponent + thirtySeconds, 735),
        r === first ? hits[r] - 1 : hits[r],
      );
      left -= hits[r];
    }
    fast = fast.map((average, r) => (average + hits[r]) / 2);
    slow = slow.map((average, r) => average + (hits[r] - average) / 8);
  }
  return bytesOf(out);
}
