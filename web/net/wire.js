// Decodes the daemon's binary frames of protocol "fftd.3"; daemon/wire/wire.h has the table.

/**
 * @typedef {object} Ledger  totals since the daemon's start, in samples
 * @property {number} produced
 * @property {number} seen
 * @property {Record<string, number>} lost  by cause: overflow, overrun, gap, retune, tail
 * @property {number} clipped
 *
 * @typedef {object} Frame  one spectrum of one view
 * @property {boolean} deflated  `levels` are still compressed: see inflateFrame
 * @property {boolean} simulated
 * @property {boolean} rateAssumed  the rate is not known: no Hz but the centre is real
 * @property {boolean} hardwareTime
 * @property {boolean} gap  samples are missing before this frame's first line
 * @property {boolean} more  a frame of another view follows that ends with the same line
 * @property {number} detector  0 mean, 1 max, 2 min, 3 sample, 4 a percentile
 * @property {number} view
 * @property {number} line
 * @property {number} merged  lines folded into this frame
 * @property {number} columns
 * @property {number} firstSample
 * @property {number} samples
 * @property {bigint} timeNs  Unix time of the first sample
 * @property {number} centerHz
 * @property {number} rateHz
 * @property {number} gainDb  NaN: unknown or automatic
 * @property {number} lowHz  left edge of column 0
 * @property {number} columnHz
 * @property {number} offsetDb  dBFS of level 0, which also stands for anything lower
 * @property {number} stepDb
 * @property {number} enbwBins
 * @property {number} peakDb
 * @property {number} peakHz
 * @property {number} n
 * @property {number} hop
 * @property {number} frames
 * @property {number} lineRateHz
 * @property {Ledger} ledger
 * @property {string} engine
 * @property {string} window
 * @property {Uint8Array} levels  [columns]
 * @property {import('../features/replay/replay.js').Located | null} [replay]  where in its recording; set by main.js
 */

export const PROTOCOL = 'fftd.3';
export const DETECTORS = ['mean', 'max', 'min', 'sample'];
/** In a frame the number after these: a percentile. The message `view` has its name. */
export const PERCENTILE = DETECTORS.length;
export const COLUMNS_MAX = 8192;
export const LOSS_CAUSES = ['overflow', 'overrun', 'gap', 'retune', 'tail'];

const HEADER_BYTES = 240;
const DEFLATED = 1,
  SIMULATED = 2,
  HARDWARE_TIME = 4,
  GAP = 8,
  RATE_ASSUMED = 16,
  MORE = 64;
const LEDGER_AT = 144;

// name: [at, type]. Counters become plain numbers: 2^53 samples are 4 years at 61.44 MS/s.
const FIELDS = /** @type {const} */ ({
  detector: [7, 'u8'],
  view: [12, 'u32'],
  line: [16, 'u64'],
  merged: [24, 'u32'],
  columns: [28, 'u32'],
  firstSample: [32, 'u64'],
  samples: [40, 'u64'],
  centerHz: [56, 'f64'],
  rateHz: [64, 'f64'],
  gainDb: [72, 'f64'],
  lowHz: [80, 'f64'],
  columnHz: [88, 'f64'],
  offsetDb: [96, 'f32'],
  stepDb: [100, 'f32'],
  enbwBins: [104, 'f32'],
  peakDb: [108, 'f32'],
  peakHz: [112, 'f64'],
  n: [120, 'u32'],
  hop: [124, 'u32'],
  frames: [128, 'u64'],
  lineRateHz: [136, 'f64'],
});

/** @type {Record<string, (view: DataView, at: number) => number>} */
const READ = {
  u8: (view, at) => view.getUint8(at),
  u32: (view, at) => view.getUint32(at, true),
  u64: (view, at) => Number(view.getBigUint64(at, true)),
  f32: (view, at) => view.getFloat32(at, true),
  f64: (view, at) => view.getFloat64(at, true),
};

/** @param {DataView} view @param {number} at */
function text(view, at) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, 16);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** @param {DataView} view @returns {Ledger} */
function readLedger(view) {
  const total = (/** @type {number} */ i) => READ.u64(view, LEDGER_AT + 8 * i);
  /** @type {Record<string, number>} */
  const lost = {};
  LOSS_CAUSES.forEach((cause, i) => {
    lost[cause] = total(2 + i);
  });
  return { produced: total(0), seen: total(1), lost, clipped: total(2 + LOSS_CAUSES.length) };
}

// What the rest of the page relies on without a check of its own.
/** @type {[string, (f: Frame) => boolean][]} */
const CHECKS = [
  ['columns', (f) => f.columns >= 1 && f.columns <= COLUMNS_MAX],
  ['detector', (f) => f.detector <= PERCENTILE],
  ['rate', (f) => Number.isFinite(f.rateHz) && f.rateHz > 0],
  ['centre', (f) => Number.isFinite(f.centerHz)],
  ['low edge', (f) => Number.isFinite(f.lowHz)],
  ['column width', (f) => Number.isFinite(f.columnHz) && f.columnHz > 0],
  ['level offset', (f) => Number.isFinite(f.offsetDb)],
  ['level step', (f) => Number.isFinite(f.stepDb) && f.stepDb > 0],
  ['FFT size', (f) => f.n >= 1 && f.hop >= 1],
];

/**
 * @param {ArrayBuffer} buffer  one websocket message
 * @returns {Frame}  `levels` shares the buffer
 * @throws {Error} naming what is wrong with the message
 */
export function decodeFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER_BYTES) throw new Error(`frame of ${buffer.byteLength} bytes is too short`);
  if (view.getUint32(0, false) !== 0x46465444) throw new Error('frame does not begin with "FFTD"');
  if (view.getUint8(4) !== 1) throw new Error(`frame of unknown version ${view.getUint8(4)}`);
  if (view.getUint8(5) !== 1) throw new Error(`frame of unknown kind ${view.getUint8(5)}`);
  const begin = view.getUint32(8, true);
  if (begin < HEADER_BYTES || begin > buffer.byteLength) throw new Error(`frame with a header of ${begin} bytes`);

  /** @type {any} */
  const frame = {};
  for (const [name, [at, type]] of Object.entries(FIELDS)) frame[name] = READ[type](view, at);
  const flags = view.getUint8(6);
  Object.assign(frame, {
    deflated: Boolean(flags & DEFLATED),
    simulated: Boolean(flags & SIMULATED),
    hardwareTime: Boolean(flags & HARDWARE_TIME),
    gap: Boolean(flags & GAP),
    rateAssumed: Boolean(flags & RATE_ASSUMED),
    more: Boolean(flags & MORE),
    timeNs: view.getBigInt64(48, true),
    ledger: readLedger(view),
    engine: text(view, 208),
    window: text(view, 224),
    levels: new Uint8Array(buffer, begin),
  });
  for (const [what, good] of CHECKS) if (!good(frame)) throw new Error(`frame with a bad ${what}`);
  if (!frame.deflated && frame.levels.length !== frame.columns)
    throw new Error(`frame of ${frame.columns} columns with ${frame.levels.length} levels`);
  return frame;
}

/**
 * @param {Frame} frame  as decoded
 * @returns {Promise<Frame>}  with plain levels
 */
export async function inflateFrame(frame) {
  if (!frame.deflated) return frame;
  const stream = new Blob([/** @type {any} */ (frame.levels)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const levels = new Uint8Array(frame.columns);
  let filled = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (filled + value.length > levels.length) throw new Error('frame inflates to more than its columns');
    levels.set(value, filled);
    filled += value.length;
  }
  if (filled !== levels.length) throw new Error('frame inflates to less than its columns');
  return { ...frame, deflated: false, levels };
}

// Figures that follow from the header; definitions in daemon/line/line.h.
/** Noise bandwidth in Hz. @param {Frame} f */
export const rbwHz = (f) => (f.enbwBins * f.rateHz) / f.n;
/** @param {Frame} f */
export const spectraPerSecond = (f) => f.rateHz / f.hop;
/** Length of the shortest event that always fills a whole FFT, in seconds. @param {Frame} f */
export const poiSeconds = (f) => (f.n + f.hop - 1) / f.rateHz;
/** Per cent. @param {Frame} f */
export const overlapPercent = (f) => 100 * (1 - f.hop / f.n);
/** @param {Frame} f */
export const timeMs = (f) => Number(f.timeNs / 1000n) / 1000;

/** dBFS at a frequency, NaN outside of the frame. @param {Frame} f @param {number} hz */
export function levelAt(f, hz) {
  const column = Math.floor((hz - f.lowHz) / f.columnHz);
  if (!(column >= 0 && column < f.columns)) return NaN;
  return f.offsetDb + f.stepDb * f.levels[column];
}
