// listening.mjs - what comes in a stream of /api/v1/channel-stream: its parts, and their frequencies.

import assert from 'node:assert/strict';

/** Mean frequency between the first and the last upward zero crossing, Hz. @param {ArrayLike<number>} x @param {number} rate */
export function sineHz(x, rate) {
  const up = [];
  for (let i = 1; i < x.length; i++) if (x[i - 1] < 0 && x[i] >= 0) up.push(i - x[i] / (x[i] - x[i - 1]));
  return ((up.length - 1) / (up.at(-1) - up[0])) * rate;
}

/** Little-endian floats. @param {Buffer} bytes */
export const floats = (bytes) => Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));

/** Mean frequency of complex floats, Hz. @param {Buffer} bytes @param {number} rate */
export function complexHz(bytes, rate) {
  const count = bytes.length / 8 - 1;
  let turn = 0;
  for (let i = 1; i <= count; i++) {
    const [a, b, c, d] = [0, 4, -8, -4].map((at) => bytes.readFloatLE(8 * i + at));
    turn += Math.atan2(b * c - a * d, a * c + b * d);
  }
  return (turn / count / 2 / Math.PI) * rate;
}

/** Reads the body of an answer in parts. @param {Response} answer */
export function readerOf(answer) {
  const from = answer.body.getReader();
  let rest = Buffer.alloc(0);
  return {
    /** @param {number} bytes */
    async read(bytes) {
      while (rest.length < bytes) {
        const { done, value } = await from.read();
        assert.ok(!done, 'the stream ended');
        rest = Buffer.concat([rest, value]);
      }
      const part = rest.subarray(0, bytes);
      rest = rest.subarray(bytes);
      return part;
    },
    /** Bytes until it ends. */
    async end() {
      for (;;) if ((await from.read()).done) return;
    },
  };
}

/**
 * Reads tenths of a second until one has this frequency, in at most `seconds` of the stream.
 * @param {ReturnType<typeof readerOf>} stream @param {number} hz @param {number} seconds
 * @param {number} bytes  of a second @param {(bytes: Buffer) => number} measure
 */
export async function hears(stream, hz, seconds, bytes, measure) {
  const seen = [];
  for (let i = 0; i < 10 * seconds; i++) {
    seen.push(measure(await stream.read(bytes / 10)));
    if (Math.abs(seen.at(-1) - hz) < 1) return;
  }
  assert.fail(`${hz} Hz, not ${seen.join()}`);
}
