// Files that the page makes of what it shows: traces as CSV, and the download of a file.

import { levelAt, rbwHz, timeMs } from '../../net/wire.js';
import { make } from '../../util/dom.js';

/**
 * @typedef {import('../../net/wire.js').Frame} Frame
 *
 * @typedef {object} Column  of the table
 * @property {string} name
 * @property {string} unit
 * @property {string} about  in words
 * @property {Frame} frame
 */

/** A time as ISO 8601 in UTC. @param {Frame} frame */
const isoTime = (frame) => {
  const date = new Date(timeMs(frame));
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
};

/** @param {Frame} frame @param {number} columnIndex */
const centreHz = (frame, columnIndex) => frame.lowHz + (columnIndex + 0.5) * frame.columnHz;

/** "1 Max hold" -> "1_max_hold_dbfs" @param {Column} column */
const headOf = ({ name, unit }) => `${name} ${unit}`.toLowerCase().replace(/[^\w.-]+/g, '_');

/**
 * A table of levels: a row for each column of the first frame. Cells are empty where a trace was not measured. Lines
 * that
 * begin with # have the settings.
 * @param {Column[]} columns  the live trace first
 * @param {string} source
 */
export function tracesCsv(columns, source) {
  const { frame } = columns[0];
  const settings = [
    `time: ${isoTime(frame)}`,
    `source: ${source.replace(/\s+/g, ' ')}${frame.simulated ? ' (simulated)' : ''}`,
    `centre_hz: ${frame.centerHz}`,
    `rate_hz: ${frame.rateHz}${frame.rateAssumed ? ' (not known)' : ''}`,
    `fft_size: ${frame.n}`,
    `window: ${frame.window}`,
    `rbw_hz: ${Number(rbwHz(frame).toPrecision(6))}`,
    `gain_db: ${Number.isNaN(frame.gainDb) ? 'unknown' : frame.gainDb}`,
    `line: ${frame.line}`,
    ...columns.map(
      (column) =>
        `${headOf(column)}: ${column.about}; ${column.unit}; ${isoTime(column.frame)}; `
        + `step ${Number(column.frame.stepDb.toPrecision(4))} dB`,
    ),
  ];
  const rows = Array.from({ length: frame.columns }, (_, i) => {
    const hz = centreHz(frame, i),
      levels = columns.map((column) => levelAt(column.frame, hz));
    return [Number(hz.toFixed(3)), ...levels.map((db) => (Number.isNaN(db) ? '' : db.toFixed(2)))].join(',');
  });
  const head = ['frequency_hz', ...columns.map(headOf)].join(',');
  return `${settings.map((line) => `# ${line}\n`).join('')}${head}\n${rows.join('\n')}\n`;
}

/** "fftd_2026-01-31_12-00-00.csv" @param {Frame} frame @param {string} extension */
export const fileName = (frame, extension) =>
  `fftd_${isoTime(frame).slice(0, 19).replace('T', '_').replaceAll(':', '-')}.${extension}`;

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  make('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
