// The radios of a hub, and what the page says about each. Pure functions.

import { formatCount, formatHz, formatSi } from '../util/format.js';
import { formatClock, formatTime } from '../util/time.js';

/**
 * @typedef {object} Radio
 * @property {number} id  of this hub; another hub may give another one
 * @property {string} name  "site.radio"
 * @property {'starting' | 'waiting' | 'running' | 'failed' | 'gone'} state
 * @property {number} goneMs  Unix time; NaN: it is there
 * @property {number} protocol  of its announcements
 * @property {string} version
 * @property {string} source
 * @property {number} centerHz  NaN: not known, as of all numbers here
 * @property {number} rateHz
 * @property {number} latitude  degrees
 * @property {number} longitude
 * @property {number} lines  that the hub received
 * @property {number} missing  lines that it did not
 * @property {number} malformed  messages that it could not read
 * @property {number} dropped  lines that had no room in the sensor
 * @property {number} skewMs  from the sensor's time of its newest line to the hub's: what their clocks differ by, and
 *   the delay
 * @property {boolean} aligned  its times may stand on the axis of the others
 * @property {number} lastMs  Unix time when its last line came; NaN: there was none
 * @property {boolean} controllable  it takes requests
 * @property {{ name: string, ms: number } | null} writer  who changed it last through the broker, and when
 * @property {number} archivedMs  Unix time of the oldest row in the hub's archive; NaN: there is none
 * @property {number} ageMs  of its last line: now if none come, else when the hub reported it; NaN: there was none
 *
 * @typedef {{ sentMs: number, connected: boolean, radios: Radio[] }} Radios  sorted by name; sentMs: the hub's clock;
 *   connected: to its broker
 */

export const PROTOCOL_VERSION = 1;
/** Beyond it, the times of a radio say nothing on the axis of the others. */
const SKEW_MAX_MS = 5000;
const SKEWS = 3;
/** Lines come if the last one was not older than this in the hub's report. */
const LIVE_MS = 3000;
const STATES = ['starting', 'waiting', 'running', 'failed', 'gone'];
const TEXT_MAX = 80;

/** @param {unknown} value */
const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : NaN);
/** @param {unknown} value */
const count = (value) => Math.max(0, number(value) || 0);
/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value.slice(0, TEXT_MAX) : '');
/** Unix time in ms from one in ns; 0 and below are none. @param {unknown} value */
const msOf = (value) => (number(value) > 0 ? number(value) / 1e6 : NaN);

/** @param {any} control  of an announcement */
function readWriter(control) {
  const ms = msOf(control?.time_ns);
  return Number.isNaN(ms) ? null : { name: text(control.name), ms };
}

/** @param {any} entry @param {number} sentMs @returns {Radio} */
function readRadio(entry, sentMs) {
  const lastMs = msOf(entry.last_line_ns),
    ageMs = number(entry.age_ms),
    since = Math.max(0, sentMs - lastMs);
  const announce = entry.announce ?? {},
    state = STATES.includes(entry.state) ? entry.state : 'waiting';
  return {
    id: entry.id,
    name: `${text(entry.site)}.${text(entry.radio)}`,
    state,
    goneMs: state === 'gone' ? msOf(entry.gone_since_ns) : NaN,
    protocol: number(announce.protocol),
    version: text(announce.version),
    source: text(announce.source),
    centerHz: number(announce.center_hz),
    rateHz: number(announce.rate_hz),
    latitude: number(entry.latitude),
    longitude: number(entry.longitude),
    lines: count(entry.lines),
    missing: count(entry.missing),
    malformed: count(entry.malformed),
    dropped: count(announce.dropped_lines),
    archivedMs: msOf(entry.archive?.oldest_ns),
    controllable: announce.controllable === true,
    writer: readWriter(announce.control),
    skewMs: number(entry.skew_ms),
    aligned: true,
    lastMs,
    ageMs: ageMs <= LIVE_MS ? Math.max(0, ageMs) : since,
  };
}

/**
 * @param {any} message  "radios"
 * @returns {Radios} @throws {Error} if it has no list: the hub is not of this version
 */
export function readRadios(message) {
  if (!Array.isArray(message?.radios))
    throw new Error('it sends no list of radios; reload the page, or use a hub of the same version');
  const sentMs = msOf(message.sent_ns);
  /** @type {Radio[]} */
  const radios = message.radios
    .filter((/** @type {any} */ entry) => Number.isInteger(entry?.id))
    .map((/** @type {any} */ entry) => readRadio(entry, sentMs));
  radios.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  return { sentMs, connected: message.broker?.connected !== false, radios };
}

/**
 * What a list and the changes after it amount to.
 * @param {any} before  "radios" @param {any} changes  "changes" @returns {any}  "radios"
 */
export function mergeChanges(before, { radios, left, ...rest }) {
  const rows = new Map(before.radios.map((/** @type {any} */ row) => [row?.id, row]));
  for (const row of Array.isArray(radios) ? radios : []) rows.set(row?.id, row);
  for (const id of Array.isArray(left) ? left : []) rows.delete(id);
  return { ...before, ...rest, type: 'radios', radios: [...rows.values()] };
}

// ---- texts --------------------------------------------------------------------------------------

/** "0.4 s", "12 s", "3 min", "5 h", "2 days". @param {number} ms */
export function durationText(ms) {
  if (!Number.isFinite(ms)) return '--';
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 99.5 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

/**
 * "Running"; "Gone since 12:34:56 UTC, 5 min ago", with the day if it is another one.
 * @param {Radio} radio
 * @param {number} nowMs  the hub's clock
 */
export function stateText({ state, goneMs }, nowMs) {
  if (state !== 'gone') return state[0].toUpperCase() + state.slice(1);
  if (Number.isNaN(goneMs)) return 'Gone';
  const time = formatTime(goneMs).slice(0, 19),
    today = formatTime(nowMs).slice(0, 10) === time.slice(0, 10);
  return `Gone since ${today ? formatClock(goneMs, 0) : time} UTC, ${durationText(nowMs - goneMs)} ago`;
}

/** "100.000 MHz, 2.4 MHz wide". @param {Radio} radio */
export function tuningText({ centerHz, rateHz }) {
  if (Number.isNaN(centerHz)) return 'not tuned yet';
  return `${formatHz(centerHz, 1000)}${Number.isNaN(rateHz) ? '' : `, ${formatSi(rateHz, 'Hz', 4)} wide`}`;
}

/** "0.2 s ago", as the hub reported it; "none". @param {Radio} radio */
export const lastLineText = ({ ageMs }) => (Number.isNaN(ageMs) ? 'none' : `${durationText(ageMs)} ago`);

/** "0 of 1 234"; what the sensor dropped and what was unreadable is added. @param {Radio} radio */
export function missingText({ lines, missing, malformed, dropped }) {
  const more = [
    ...(dropped > 0 ? [`${formatCount(dropped)} dropped by the sensor`] : []),
    ...(malformed > 0 ? [`${formatCount(malformed)} unreadable messages`] : []),
  ];
  return [`${formatCount(missing)} of ${formatCount(lines + missing)}`, ...more].join(', ');
}

/** "+3 ms"; "unknown". @param {Radio} radio */
export function skewText({ skewMs }) {
  if (Number.isNaN(skewMs)) return 'unknown';
  const sign = skewMs < 0 ? '\u2212' : '+',
    size = Math.abs(skewMs);
  return size < 10e3
    ? `${sign}${size < 10 ? Number(size.toFixed(1)) : Math.round(size)} ms`
    : `${sign}${durationText(size)}`;
}

/** Why its picture is not as it should be; '': it is. @param {Radio} radio */
export function remarkText(radio) {
  if (!Number.isNaN(radio.protocol) && radio.protocol !== PROTOCOL_VERSION)
    return `It speaks protocol ${radio.protocol}, this page ${PROTOCOL_VERSION}: its lines may not be readable.`;
  if (!radio.aligned)
    return `Its clock differs from the hub's by ${skewText(radio)}: its lines stand where they arrived.`;
  return '';
}

/**
 * Finds the radios whose clock is off: one late line has a large skew, too, when a link was away.
 * @param {Radio[]} radios  `aligned` is set
 * @param {Map<string, { lastMs: number, skews: number[] }>} recent  the skews of lines before, by name; those of newer
 *   lines are added
 */
export function judgeClocks(radios, recent) {
  for (const radio of radios) {
    const { lastMs, skews } = recent.get(radio.name) ?? { lastMs: NaN, skews: [] };
    const known = radio.lastMs === lastMs ? skews : [...skews, radio.skewMs].slice(-SKEWS);
    recent.set(radio.name, { lastMs: radio.lastMs, skews: known });
    radio.aligned = known.some((skewMs) => !(Math.abs(skewMs) > SKEW_MAX_MS));
  }
}

/** True if its name, its source or its state has each word. @param {Radio} radio @param {string} filter */
export function isFound({ name, source, state }, filter) {
  const about = `${name} ${source} ${state}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => about.includes(word));
}

/** "3 radios, 1 gone". @param {Radio[]} radios */
export function summaryText(radios) {
  const gone = radios.filter(({ state }) => state === 'gone').length;
  return `${radios.length} radio${radios.length === 1 ? '' : 's'}${gone ? `, ${gone} gone` : ''}`;
}
