// Files that the page makes of what it shows: traces as CSV, and the download of a file.

import { DBFS } from '../../app/units.js';
import { DETECTORS, levelAt, rbwHz, timeMs } from '../../net/wire.js';
import { make } from '../../util/dom.js';

/**
 * @typedef {import('../../net/wire.js').Frame} Frame
 * @typedef {import('../../app/units.js').LevelScale} LevelScale
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

/** "radio.cal, serial 00000001, 2026-01-31, 0.5 dB uncertain" @param {Record<string, any> | null} calibration */
function calibrationText(calibration) {
  if (!calibration) return 'none';
  const { file, serial, date, uncertainty_db: uncertainty, uncal } = calibration;
  return [
    file,
    ...(serial ? [`serial ${serial}`] : []),
    ...(date ? [date] : []),
    ...(Number.isFinite(uncertainty) ? [`${uncertainty} dB uncertain`] : []),
    ...(uncal ? [`uncal: ${uncal}`] : []),
  ]
    .join(', ')
    .replace(/\s+/g, ' ');
}

/** "1 Max hold" -> "1_max_hold_dbfs" @param {Column} column */
const headOf = ({ name, unit }) => `${name} ${unit}`.toLowerCase().replace(/[^\w.-]+/g, '_');

/**
 * A table of levels: a row for each column of the first frame. Cells are empty where a trace was not measured. Lines
 * that
 * begin with # have the settings.
 * Absolute levels are in the unit that is shown; empty where that is not known.
 * @param {Column[]} dbfs  the live trace first
 * @param {string} source
 * @param {LevelScale} [scale]
 * @param {Record<string, any> | null} [calibration]  of the status
 */
export function tracesCsv(dbfs, source, scale = DBFS, calibration = null) {
  const { frame } = dbfs[0],
    columns = dbfs.map((column) => (column.unit === 'dBFS' ? { ...column, unit: scale.unit } : column));
  const settings = [
    `time: ${isoTime(frame)}`,
    `source: ${source.replace(/\s+/g, ' ')}${frame.simulated ? ' (simulated)' : ''}`,
    `centre_hz: ${frame.centerHz}`,
    `rate_hz: ${frame.rateHz}${frame.rateAssumed ? ' (not known)' : ''}`,
    `fft_size: ${frame.n}`,
    `window: ${frame.window}`,
    `unit: ${scale.unit}`,
    `calibration: ${calibrationText(calibration)}`,
    `detector: ${DETECTORS[frame.detector] ?? 'unknown'}`,
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
      levels = columns.map(
        (column, k) => levelAt(column.frame, hz) + (dbfs[k].unit === 'dBFS' ? scale.shiftDb(hz) : 0),
      );
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
