// signal.mjs - recordings of known signals, made sample by sample.

/** @type {Record<string, {bytes: number, write: (view: DataView, at: number, value: number) => void}>} a component, full scale 1 */
const FORMATS = {
  cu8: { bytes: 1, write: (view, at, v) => view.setUint8(at, Math.round(v * 127.5 + 127.5)) },
  cs8: { bytes: 1, write: (view, at, v) => view.setInt8(at, Math.round(v * 128)) },
  cs16: { bytes: 2, write: (view, at, v) => view.setInt16(at, Math.round(v * 32768), true) },
  cf32: { bytes: 4, write: (view, at, v) => view.setFloat32(at, v, true) },
};

/**
 * The bytes of samples.
 * @param {string} format
 * @param {number} count
 * @param {(i: number) => [number, number]} sample  I and Q of sample i, 1 = full scale
 */
export function encode(format, count, sample) {
  const { bytes, write } = FORMATS[format];
  const view = new DataView(new ArrayBuffer(count * 2 * bytes));
  for (let i = 0; i < count; i++) {
    const [re, im] = sample(i);
    write(view, 2 * i * bytes, re);
    write(view, (2 * i + 1) * bytes, im);
  }
  return Buffer.from(view.buffer);
}

/**
 * Sample i of a tone.
 * @param {number} amplitude
 * @param {number} cycles per sample
 * @returns {(i: number) => [number, number]}
 */
export const tone = (amplitude, cycles) => (i) => {
  const angle = 2 * Math.PI * ((cycles * i) % 1);
  return [amplitude * Math.cos(angle), amplitude * Math.sin(angle)];
};

/**
 * The sum of signals.
 * @param {...(i: number) => [number, number]} signals
 * @returns {(i: number) => [number, number]}
 */
export const sum =
  (...signals) =>
  (i) =>
    signals.map((signal) => signal(i)).reduce(([a, b], [c, d]) => [a + c, b + d]);

/** Numbers between 0 and 1, neither included, the same on every machine. @param {number} seed */
export function random(seed) {
  let x = seed >>> 0;
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return (x + 0.5) / 2 ** 32;
  };
}

/** Complex Gaussian noise. @param {number} power the mean of |x|^2 @param {number} seed @returns {() => [number, number]} */
export function noise(power, seed) {
  const next = random(seed);
  return () => {
    const radius = Math.sqrt(-power * Math.log(next())),
      phase = 2 * Math.PI * next();
    return [radius * Math.cos(phase), radius * Math.sin(phase)];
  };
}
