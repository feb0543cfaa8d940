// Recordings of the server: their messages, the rows of the list, and what the viewer asks for.

import { fixed, formatPosition, formatSi } from '../../util/format.js';
import { readTyped } from '../../util/quantity.js';

/**
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 *
 * @typedef {object} Recording  of this run of fftd
 * @property {number} id
 * @property {string} state  "running", "done", "failed"
 * @property {string} name  of its files; "": not created yet
 * @property {string} label
 * @property {string} end  why it ended
 * @property {number} seconds
 * @property {number} bytes
 * @property {number} missing  samples
 *
 * @typedef {object} Row  of the list of what can be downloaded
 * @property {string} name
 * @property {string} label
 * @property {string} length  "0:12.3"; "": not known
 * @property {string} size
 * @property {string} remark  what is wrong with it; "": nothing
 *
 * @typedef {object} RecordState
 * @property {boolean} recordOffered  the server makes recordings
 * @property {boolean} recordOpen  the panel
 * @property {Recording[]} recordings  the newest first
 * @property {{ name: string, bytes: number }[]} recordFiles  complete ones in the directory
 */

/** @returns {RecordState} */
export const noRecordings = () => ({ recordOffered: false, recordOpen: false, recordings: [], recordFiles: [] });

/** @param {State} state */
export const recordOffered = (state) => state.recordOffered;

/** @param {State} state */
export const runningOf = ({ recordings }) => recordings.filter(({ state }) => state === 'running');

/** A message has what is new; the rest stays. @param {Recording[]} known @param {any} message @returns {Recording[]} */
export function mergeRecordings(known, { recordings }) {
  const all = new Map(known.map((one) => [one.id, one]));
  for (const { id, state, name, label, end, seconds, bytes, missing } of recordings)
    all.set(id, { id, state, name, label, end, seconds: seconds ?? 0, bytes, missing });
  return [...all.values()].sort((a, b) => b.id - a.id);
}

// ---- the list ----------------------------------------------------------------------------------

const NAME = /^fftd_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?(?:_([\d.]+)M)?_([\d.]+)k$/;

/**
 * What the name of a recording says: the UTC of its first sample, centre and rate.
 * @param {string} name
 * @returns {{ time: string, tuning: string }}
 */
export function describeName(name) {
  const [, year, month, day, hours, minutes, seconds, centreMhz, rateKhz] = NAME.exec(name) ?? [];
  if (!year) return { time: name, tuning: '' };
  const centre = centreMhz ? [formatSi(Number(centreMhz) * 1e6, 'Hz', 9)] : [];
  return {
    time: `${year}-${month}-${day} ${hours}:${minutes}:${seconds}`,
    tuning: [...centre, formatSi(Number(rateKhz) * 1e3, 'S/s', 6)].join(', '),
  };
}

/** @type {[number, string, number][]} */
const SIZES = [
  [1e9, 'GB', 2],
  [1e6, 'MB', 1],
  [1e3, 'kB', 0],
  [0, 'B', 0],
];

/** With as many decimals whatever the digits are, so that a growing size stands still. @param {number} bytes */
export function sizeText(bytes) {
  const [scale, unit, digits] = /** @type {[number, string, number]} */ (
    SIZES.find(([from]) => bytes >= from) ?? SIZES[3]
  );
  return `${fixed(bytes / (scale || 1), digits)}\u00a0${unit}`;
}

const GOOD_ENDS = ['complete', 'the stream ended'];

/** @param {Recording} recording */
function remarkOf({ end, missing }) {
  const ended = GOOD_ENDS.includes(end) ? '' : end;
  return [missing > 0 ? `${formatSi(missing, 'samples')} missing` : '', ended].filter(Boolean).join(', ');
}

/** What can be downloaded: of this run the newest first, then the older files. @param {State} state @returns {Row[]} */
export function rowsOf({ recordings, recordFiles }) {
  const ended = recordings.filter(({ state, name }) => state !== 'running' && name);
  const own = ended.map((one) => ({
    name: one.name,
    label: one.label,
    length: formatPosition(one.seconds, 1),
    size: sizeText(one.bytes),
    remark: remarkOf(one),
  }));
  const known = new Set(recordings.map(({ name }) => name));
  const older = recordFiles
    .filter(({ name }) => !known.has(name))
    .map(({ name, bytes }) => ({ name, label: '', length: '', size: sizeText(bytes), remark: '' }));
  return [...own, ...older];
}

/** Relative, as all addresses of the page. @param {string} name @param {'data' | 'meta'} part */
export const fileUrl = (name, part) => `api/v1/recording-files/${encodeURIComponent(name)}.sigmf-${part}`;

// ---- what the viewer asks for ------------------------------------------------------------------

/** Seconds that were typed, as "0,5"; NaN: it is no time. @param {string} text */
export function readSeconds(text) {
  const seconds = text.trim() ? readTyped(text, 'seconds') : 0;
  return seconds >= 0 && seconds <= 1e9 ? seconds : NaN;
}

/**
 * The fields of "start"; without a duration it runs until it is stopped.
 * @param {number} pre
 * @param {number} duration
 * @param {string} label
 */
export const startOf = (pre, duration, label) => ({
  ...(pre > 0 && { pre }),
  ...(duration > 0 && { duration }),
  ...(label.trim() && { label: label.trim() }),
});

/** Reads the directory. @param {Store} store */
export async function fetchFiles(store) {
  try {
    const answer = await fetch('api/v1/recordings', { cache: 'no-store' });
    const { files } = await answer.json();
    store.update({ recordFiles: files.filter((/** @type {any} */ { complete }) => complete) });
  } catch {
    // the list has those of this run all the same
  }
}
