// Numbers as people write them, with a unit: daemon/base/si.c reads the same texts. Pure functions.

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
