// Numbers as radio users read and write them. Pure functions.

const SPACE = '\u202f'; // narrow no-break space
const MINUS = '\u2212';

/** @type {[number, string][]} */
const HZ_UNITS = [[1e9, 'GHz'], [1e6, 'MHz'], [1e3, 'kHz'], [1, 'Hz']];

/**
 * The unit for a frequency of this size.
 * @param {number} hz
 * @returns {{ scale: number, unit: string }}
 */
export function hzUnit(hz) {
  const [scale, unit] = HZ_UNITS.find(([size]) => Math.abs(hz) >= size) ?? [1, 'Hz'];
  return { scale, unit };
}

/** Number of decimals that multiples of `step` need. @param {number} step */
export const decimals = (step) => Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

/**
 * Fixed decimals in groups of three, with a minus sign instead of a hyphen.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  if (!Number.isFinite(value)) return '--';
  const [whole, fraction] = value.toFixed(digits).split('.');
  const sign = whole.startsWith('-') && Number(value.toFixed(digits)) !== 0 ? MINUS : '';
  const number = sign + whole.replace('-', '');
  return fraction ? `${number}.${fraction.replace(/(\d{3})(?=\d)/g, `$1${SPACE}`)}` : number;
}

/** "433.920 000 MHz", to the resolution given. @param {number} hz @param {number} resolutionHz */
export function formatHz(hz, resolutionHz) {
  const { scale, unit } = hzUnit(hz);
  return `${fixed(hz / scale, decimals(resolutionHz / scale))}${SPACE}${unit}`;
}

/** "-20.06" @param {number} db @param {number} [digits] */
export const formatDb = (db, digits = 1) => fixed(db, digits);

/** @type {[number, string][]} */
const SI = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, '\u00b5'], [1e-9, 'n']];

/**
 * Up to `significant` digits, with an SI prefix: "2.4 MS/s", "640 us".
 * @param {number} value
 * @param {string} unit
 * @param {number} [significant]
 */
export function formatSi(value, unit, significant = 3) {
  if (!Number.isFinite(value)) return `--${SPACE}${unit}`;
  const rounded = Number(value.toPrecision(significant));
  const [scale, prefix] = SI.find(([size]) => Math.abs(rounded) >= size) ?? [1, ''];
  const number = String(Number((rounded / scale).toPrecision(significant))).replace('-', MINUS);
  return `${number}${prefix + unit === '/s' ? '' : SPACE}${prefix}${unit}`;
}

/** All digits, in groups: "12 345 678". @param {number} count */
export const formatCount = (count) => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, SPACE);

/** UTC: "12:34:56.789". @param {number} ms  Unix time @param {number} [digits]  of the second, 0 .. 3 */
export function formatClock(ms, digits = 3) {
  const date = new Date(Math.floor(ms));
  if (Number.isNaN(date.getTime())) return '--';
  const clock = date.toISOString().slice(11, 23);
  return digits ? clock.slice(0, 9 + digits) : clock.slice(0, 8);
}

/** UTC: "2026-02-03 12:34:56.789". @param {number} ms */
export function formatTime(ms) {
  const date = new Date(Math.floor(ms));
  return Number.isNaN(date.getTime()) ? '--' : date.toISOString().slice(0, 23).replace('T', ' ');
}

/** For an input field: the shortest text that parseQuantity reads as the same number. @param {number} value */
export function plainSi(value) {
  for (const [prefix, scale] of /** @type {[string, number][]} */ ([['G', 1e9], ['M', 1e6], ['k', 1e3]])) {
    if (Math.abs(value) < scale) continue;
    const text = String(Number((value / scale).toPrecision(15)));
    if (Number(text) * scale === value || Math.abs(Number(text) * scale - value) < 1e-6) return text + prefix;
  }
  return String(value);
}
