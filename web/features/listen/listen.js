// What the page listens to: a frequency, a demodulator, a pass band. Pure functions.

import { parseEntry } from '../../util/entry.js';
import { plainSi } from '../../util/format.js';
import { parseQuantity } from '../../util/quantity.js';

/**
 * @typedef {object} Tuned  what is listened to
 * @property {number} hz  the carrier; of cw the tone
 * @property {string} mode  of MODES; 'auto': the usual one of the frequency
 * @property {number} widthHz  of the pass band; 0: the mode's
 * @property {number} squelchDb  above the noise; 0: always open
 *
 * @typedef {object} Facts  of the sound, once a second
 * @property {number} levelDb  its mean power, dB of full scale; -Infinity: silence
 * @property {number} aheadMs  scheduled and not heard yet
 * @property {number} underruns  times that there was nothing to play
 * @property {number} droppedMs  left out, because too much had come
 *
 * @typedef {object} ListenState
 * @property {boolean} listenOpen  the panel
 * @property {Tuned | null} tuned  null: nothing was chosen yet
 * @property {boolean} listening
 * @property {{ volume: number, muted: boolean }} loudness  volume: 0 .. 1
 * @property {{ kind: 'none' | 'failed', text: string }} listenNote
 * @property {Facts | null} sound  null: there is none
 */

/**
 * The pass band of each mode: its width and side, and the widths that the server's demodulator takes.
 * @type {Record<string, { word: string, widthHz: number, side: -1 | 0 | 1, leastHz: number, mostHz: number }>}
 */
export const MODES = {
  am: { word: 'AM', widthHz: 8e3, side: 0, leastHz: 2e3, mostHz: 16e3 },
  sam: { word: 'AM, synchronous', widthHz: 8e3, side: 0, leastHz: 2e3, mostHz: 16e3 },
  nfm: { word: 'FM, narrow', widthHz: 16e3, side: 0, leastHz: 3e3, mostHz: 40e3 },
  wfm: { word: 'FM, broadcast', widthHz: 220e3, side: 0, leastHz: 80e3, mostHz: 234e3 },
  usb: { word: 'SSB, upper', widthHz: 2.4e3, side: 1, leastHz: 500, mostHz: 5.4e3 },
  lsb: { word: 'SSB, lower', widthHz: 2.4e3, side: -1, leastHz: 500, mostHz: 5.4e3 },
  cw: { word: 'CW', widthHz: 400, side: 0, leastHz: 100, mostHz: 2e3 },
};

const SSB_FROM_HZ = 300; // the lowest tone of speech

/** Bands with a usual mode of their own, in Hz; the first that fits. @type {[low: number, high: number, string][]} */
const USUAL = [
  [0, 1.8e6, 'am'],
  [1.8e6, 2e6, 'lsb'],
  [3.5e6, 4e6, 'lsb'],
  [7e6, 7.2e6, 'lsb'],
  [10.1e6, 10.15e6, 'cw'],
  [14e6, 14.35e6, 'usb'],
  [18.068e6, 18.168e6, 'usb'],
  [21e6, 21.45e6, 'usb'],
  [24.89e6, 24.99e6, 'usb'],
  [28e6, 29e6, 'usb'],
  [2e6, 26.5e6, 'am'],
  [65.9e6, 74e6, 'wfm'],
  [76e6, 108e6, 'wfm'],
  [108e6, 137e6, 'am'],
];

/** The mode that is usual at a frequency. @param {number} hz */
export const usualMode = (hz) => USUAL.find(([low, high]) => hz >= low && hz < high)?.[2] ?? 'nfm';

/** @param {Tuned} tuned */
export const modeOf = ({ mode, hz }) => (mode in MODES ? mode : usualMode(hz));

/** @param {Tuned} tuned */
export const widthOf = (tuned) => tuned.widthHz || MODES[modeOf(tuned)].widthHz;

/** The edges of the pass band. @param {Tuned} tuned */
export function passBand(tuned) {
  const { side } = MODES[modeOf(tuned)],
    { hz } = tuned,
    width = widthOf(tuned);
  if (side > 0) return { lowHz: hz + SSB_FROM_HZ, highHz: hz + SSB_FROM_HZ + width };
  if (side < 0) return { lowHz: hz - SSB_FROM_HZ - width, highHz: hz - SSB_FROM_HZ };
  return { lowHz: hz - width / 2, highHz: hz + width / 2 };
}

/**
 * What a drag makes of it: of the middle, another frequency; of an edge, another width.
 * @param {Tuned} from @param {'low' | 'high' | 'middle'} part @param {number} byHz @param {number} stepHz
 * @returns {Tuned}
 */
export function dragged(from, part, byHz, stepHz) {
  if (part === 'middle') return { ...from, hz: Math.round((from.hz + byHz) / stepHz) * stepHz };
  const { side, leastHz, mostHz } = MODES[modeOf(from)];
  if ((side > 0 && part === 'low') || (side < 0 && part === 'high')) return dragged(from, 'middle', byHz, stepHz);
  const wider = (part === 'high' ? byHz : -byHz) * (side === 0 ? 2 : 1),
    step = Math.min(stepHz, leastHz / 10);
  const widthHz = Math.min(mostHz, Math.max(leastHz, Math.round((widthOf(from) + wider) / step) * step));
  return { ...from, widthHz };
}

/** Another mode has a width of its own. @param {Tuned} tuned @param {string} mode @returns {Tuned} */
export const withMode = (tuned, mode) => ({ ...tuned, mode, widthHz: 0 });

/**
 * A frequency keeps the width unless its mode is another one.
 * @param {Tuned} tuned
 * @param {number} hz
 * @returns {Tuned}
 */
export function withHz(tuned, hz) {
  const moved = { ...tuned, hz };
  return modeOf(moved) === modeOf(tuned) ? moved : { ...moved, widthHz: 0 };
}

/** @param {string} text  as typed @returns {number}  NaN: no frequency */
export function readListenHz(text) {
  const entry = parseEntry(text);
  return entry.kind === 'centre' ? entry.hz : NaN;
}

/** The address of the sound. @param {Tuned} tuned @param {number} audioRateHz */
export function soundUrl(tuned, audioRateHz) {
  const query = new URLSearchParams({
    center_hz: plainSi(tuned.hz),
    mode: modeOf(tuned),
    format: 's16',
    audio_rate_hz: String(audioRateHz),
    ...(tuned.widthHz ? { width_hz: String(tuned.widthHz) } : {}),
    ...(tuned.squelchDb ? { squelch: String(tuned.squelchDb) } : {}),
  });
  return `api/v1/channel-stream?${query}`;
}

/** For the address of the page: "145.5M:nfm". @param {Tuned} tuned */
export const tunedText = ({ hz, mode, widthHz, squelchDb }) =>
  [plainSi(hz), mode, widthHz || '', squelchDb || ''].join(':').replace(/:+$/, '');

/** @param {string} text @returns {Tuned | undefined} */
export function readTuned(text) {
  const [hz, mode = 'auto', width = '', squelch = ''] = text.split(':'),
    tuned = { hz: parseQuantity(hz, 'hz'), mode, widthHz: Number(width), squelchDb: Number(squelch) };
  const allowed =
    hz !== ''
    && Math.abs(tuned.hz) <= 1e12
    && (mode === 'auto' || mode in MODES)
    && tuned.widthHz >= 0
    && tuned.squelchDb >= 0
    && tuned.squelchDb <= 60;
  if (!allowed) return undefined;
  const { leastHz, mostHz } = MODES[modeOf(tuned)];
  return tuned.widthHz === 0 || (tuned.widthHz >= leastHz && tuned.widthHz <= mostHz) ? tuned : undefined;
}

/** @returns {ListenState} */
export const notListening = () => ({
  listenOpen: false,
  tuned: null,
  listening: false,
  loudness: { volume: 0.7, muted: false },
  listenNote: { kind: 'none', text: '' },
  sound: null,
});

/** Whether the server has sound. @param {Readonly<import('../../app/state.js').State>} state */
export const listenOffered = ({ limits, status }) => limits.audio_channels > 0 && !status?.spectrum?.sweep;
