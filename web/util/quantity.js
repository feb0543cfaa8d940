// The page's one reader of numbers. parseQuantity reads what daemon/base/si.c reads, readTyped what people type in
// fields: also with a decimal comma, with digits in groups, and without the unit that the field shows. Pure functions.

/**
 * The units of each quantity, in lower case, and their size.
 * @type {Record<string, Record<string, number>>}
 */
const UNITS = {
  plain: {},
  hz: { hz: 1 },
  rate: { 's/s': 1, sps: 1, 'sa/s': 1, 'samples/s': 1, hz: 1 },
  lines: { hz: 1, '/s': 1, 'lines/s': 1 },
  db: { db: 1 },
  ppm: { ppm: 1 },
  percent: { '%': 1 },
  seconds: { s: 1, sec: 1, ms: 1e-3, min: 60, h: 3600, d: 86400 },
  size: { b: 1 },
};

/** Powers of ten; a size takes powers of 1024. @type {Record<string, number>} */
const PREFIXES = { k: 3, K: 3, M: 6, G: 9 };

/**
 * Reads "433.92 MHz", "2.4 MS/s", "4k": "433.92M", "2.4e6" and a unit of the quantity.
 * @param {string} input @param {string} [quantity]  a key of UNITS
 * @returns {number}  NaN: not such a number
 */
export function parseQuantity(input, quantity = 'plain') {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:e([+-]?\d{1,4}))?\s*(.*)$/i.exec(input.trim());
  if (!match) return NaN;
  const [, digits, exponent = '0', rest] = match;
  /** @type {Record<string, number>} */
  const units = { '': 1, ...UNITS[quantity] };
  const number = (/** @type {number} */ power) => Number(`${digits}e${Number(exponent) + power}`);
  let value = NaN;
  if (Object.hasOwn(units, rest.toLowerCase())) value = number(0) * units[rest.toLowerCase()];
  else if (quantity !== 'seconds' && Object.hasOwn(PREFIXES, rest[0])) {
    // 1M of time may be meant as a month
    const power = PREFIXES[rest[0]],
      unit = rest.slice(1).toLowerCase();
    if (quantity === 'size' && ['', 'b', 'i', 'ib'].includes(unit)) value = number(0) * 1024 ** (power / 3);
    else if (Object.hasOwn(units, unit)) value = number(power) * units[unit];
  }
  return Number.isFinite(value) ? value : NaN;
}

/** The quantity of a unit of the server's choices. @param {string} unit */
export function quantityOf(unit) {
  const name = unit.toLowerCase();
  return Object.keys(UNITS).find((quantity) => quantity !== 'plain' && Object.hasOwn(UNITS[quantity], name)) ?? 'plain';
}

const MINUS = /[\u2212\u2013\u2014]/g; // minus, en dash, em dash

/** Dashes as hyphens. @param {string} text */
export const plainMinus = (text) => text.replace(MINUS, '-');

/** Digits in groups of three: one separator for all. */
const WHOLE = /^(?:\d*|\d{1,3}(?:([.,\s'\u2019_])\d{3}(?:\1\d{3})*))$/;
const FRACTION = /^(?:\d*|\d{3}(?:[\s_]\d{3})*[\s_]\d{2,3})$/; // the page writes "99.925 00"

/**
 * "433,92" -> "433.92", "1.234.567" -> "1234567", "1 234,5" -> "1234.5". A mark that occurs once, after all others, is
 * the decimal mark.
 * @param {string} digits @returns {string | null}  null: not a number
 */
function plainDigits(digits) {
  const marks = digits.match(/[.,]/g) ?? [],
    last = marks[marks.length - 1];
  const at = marks.filter((mark) => mark === last).length === 1 ? digits.lastIndexOf(last) : digits.length;
  const whole = digits.slice(0, at),
    fraction = digits.slice(at + 1);
  if (!WHOLE.test(whole) || !FRACTION.test(fraction)) return null;
  return [whole.replace(/\D/g, ''), fraction.replace(/\D/g, '')].filter((part, i) => part || i === 0).join('.');
}

/** A number and its unit as parseQuantity reads them; what is no number stays. @param {string} text */
export function plainNumber(text) {
  const typed = plainMinus(text).trim(),
    match = /^([+-]?)\s*(\d[\d.,\s'\u2019_]*|[.,]\d+)/.exec(typed);
  const digits = match && plainDigits(match[2].trimEnd());
  return match && digits !== null ? `${match[1]}${digits}${typed.slice(match[0].length).trimStart()}` : typed;
}

/** What follows a number, such as "MHz". @param {string} text */
export const unitOf = (text) => /[a-z/%]+$/i.exec(text.trim().replace(/e[+-]?\d+$/i, ''))?.[0] ?? '';

/** 1e6 for "100 MHz"; 1 without a unit. @param {string} text @param {string} [quantity] */
export function unitSize(text, quantity = 'hz') {
  const size = parseQuantity(`1${unitOf(text)}`, quantity);
  return size > 0 ? size : 1;
}

/** So many MHz are no radio's: a number this large is in Hz, such as 145500000. */
const IN_UNIT_BELOW = 1e6;

/**
 * A number that somebody typed.
 * @param {string} text
 * @param {string} [quantity]  a key of UNITS
 * @param {number} [unit]  what a number without a unit counts
 * @returns {number}  NaN: not such a number
 */
export function readTyped(text, quantity, unit = 1) {
  const plain = plainNumber(text),
    value = parseQuantity(plain, quantity);
  const isBare = unitOf(plain) === '' && Math.abs(value) < IN_UNIT_BELOW;
  return isBare && unit !== 1 ? Number((value * unit).toPrecision(15)) : value;
}

/**
 * A frequency that somebody typed: "145.5", "145,5 MHz", "145 500 kHz", "145500000".
 * @param {string} text
 * @param {number} [unitHz]  of a number without a unit; the page shows frequencies in MHz
 */
export const readHz = (text, unitHz = 1e6) => readTyped(text, 'hz', unitHz);
