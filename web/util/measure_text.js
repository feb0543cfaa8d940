// How values of measurements read: names, numbers and units from the names on the wire. Pure.

import { labelOf } from './words.js';
import { decimals, fixed, formatCount, formatHz, formatSi, hzUnit, plainSi } from './format.js';

const SPACE = '\u202f',
  MINUS = '\u2212';

/**
 * Units by the end of a name; docs/measurements.md ("Set-up"). The longer ones come first.
 * @type {[string, string][]}
 */
const UNITS = [
  ['dbfs_hz', 'dBFS/Hz'],
  ['dbm_hz', 'dBm/Hz'],
  ['dbuv_hz', 'dB\u00b5V/Hz'],
  ['dbfs', 'dBFS'],
  ['dbm', 'dBm'],
  ['dbuv', 'dB\u00b5V'],
  ['db', 'dB'],
  ['hz', 'Hz'],
  ['percent', '%'],
  ['s', 's'],
];

/**
 * "power_dbfs_hz" -> { label: "power", unit: "dBFS/Hz" }
 * @param {string} name  on the wire
 */
export function nameParts(name) {
  const [ending, unit] = UNITS.find(([end]) => name.endsWith(`_${end}`)) ?? ['', ''];
  const label = ending ? name.slice(0, -ending.length - 1) : name;
  return {
    label: label
      .replace(/_(\d+)_(\d+)$/, ' $1.$2')
      .replaceAll('_', ' ')
      .replace(/^level ([\d.]+)$/, 'level at $1 %'),
    unit,
  };
}

/**
 * A value and its unit, so that the digits of the same value do not jump.
 * @param {string} name  on the wire
 * @param {number | null | undefined} value  null: unknown
 * @param {number} rbwHz  frequencies have a digit more than that
 * @returns {{ number: string, unit: string }}
 */
export function valueText(name, value, rbwHz) {
  const { unit } = nameParts(name);
  if (value === null || value === undefined) return { number: '--', unit };
  if (unit === 'Hz') return split(formatHz(value, 10 ** Math.floor(Math.log10(rbwHz / 10))));
  if (unit === 's') return split(formatSi(value, 's', 4));
  if (unit === '%') return { number: fixed(value, 2), unit };
  if (unit) return { number: fixed(value, 2), unit };
  return {
    number: Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(5))).replace('-', MINUS),
    unit,
  };
}

/**
 * A column of a table, with one unit for all its rows.
 * @param {string} name  on the wire @param {(number | null)[]} values @param {number} rbwHz
 * @returns {string[]}  the head, then the cells
 */
export function columnTexts(name, values, rbwHz) {
  const { label, unit } = nameParts(name);
  if (unit !== 'Hz')
    return [
      unit ? `${labelOf(label)}, ${unit}` : labelOf(label),
      ...values.map((value) => valueText(name, value, rbwHz).number),
    ];
  const { scale, unit: scaled } = hzUnit(Math.max(...values.map((value) => Math.abs(value ?? 0))));
  const digits = decimals(10 ** Math.floor(Math.log10(rbwHz / 10)) / scale);
  return [
    `${labelOf(label)}, ${scaled}`,
    ...values.map((value) => (value === null ? '--' : fixed(value / scale, digits))),
  ];
}

/** "433.92 MHz" in its two parts. @param {string} text */
function split(text) {
  const at = text.lastIndexOf(SPACE);
  return { number: text.slice(0, at), unit: text.slice(at + 1) };
}

/** The value that a measurement is made for, where it is not the first one. @type {Record<string, string>} */
const HEADLINES = {
  acpr: 'worst',
  ccdf: 'peak',
  snr: 'snr',
  'delta-marker': 'delta',
  marker: 'level',
  'frequency-counter': 'frequency',
};

/**
 * @param {import('../features/measure/measure.js').Measurement} measurement
 * @returns {string | undefined}  its name on the wire
 */
export function headline({ type, values }) {
  const names = Object.keys(values);
  return names.find((name) => nameParts(name).label === HEADLINES[type]) ?? names[0];
}

/** "uncal" where a calibration is missing, "--" for another reason. @param {string} reason */
export const invalidText = (reason) => (/^uncal/.test(reason) ? 'uncal' : '--');

/** The keys that differ from their defaults, for one line. @param {Record<string, string> | undefined} keys */
export const keysText = (keys) =>
  Object.entries(keys ?? {})
    .map(([key, value]) => `${labelOf(key)} ${value}`)
    .join(', ');

/** A name that is not taken: "obw", "obw-2". @param {string} type @param {string[]} taken */
export function freeName(type, taken) {
  for (let i = 1; ; i++) {
    const name = i === 1 ? type : `${type}-${i}`;
    if (!taken.includes(name)) return name;
  }
}

/** The edge of a band as it is sent, in whole steps: "99.4M". @param {number} hz @param {number} resolutionHz */
export function hzKey(hz, resolutionHz) {
  const step = 10 ** Math.floor(Math.log10(resolutionHz));
  return plainSi(Number((Math.round(hz / step) * step).toFixed(3)));
}
