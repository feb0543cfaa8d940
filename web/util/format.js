// Numbers as radio users read and write them. Pure functions.

const SPACE = '\u202f'; // narrow no-break space
const MINUS = '\u2212';

const GIGAHERTZ_FROM = 10e9; // people say 1090 MHz and 2400 MHz

/** @type {[number, string][]} */
const HZ_UNITS = [
  [1e9, 'GHz'],
  [1e6, 'MHz'],
  [1e3, 'kHz'],
  [1, 'Hz'],
];

/**
 * The unit for a frequency of this size.
 * @param {number} hz
 * @returns {{ scale: number, unit: string }}
 */
export function hzUnit(hz) {
  const size = Math.abs(hz) < GIGAHERTZ_FROM ? Math.min(Math.abs(hz), 1e6) : Math.abs(hz);
  const [scale, unit] = HZ_UNITS.find(([least]) => size >= least) ?? [1, 'Hz'];
  return { scale, unit };
}

/** Number of decimals that multiples of `step` need. @param {number} step */
export const decimals = (step) => Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

/**
 * Fixed decimals in groups of three, no digit alone, with a minus sign instead of a hyphen: "99.9250", "99.925 00".
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  if (!Number.isFinite(value)) return '--';
  const [whole, fraction] = value.toFixed(digits).split('.');
  const sign = whole.startsWith('-') && Number(value.toFixed(digits)) !== 0 ? MINUS : '';
  const number = sign + whole.replace('-', '');
  return fraction ? `${number}.${fraction.replace(/(\d{3})(?=\d{2})/g, `$1${SPACE}`)}` : number;
}

/** "433.920 000 MHz", to the resolution given. @param {number} hz @param {number} resolutionHz */
export function formatHz(hz, resolutionHz) {
  const { scale, unit } = hzUnit(hz);
  return `${fixed(hz / scale, decimals(resolutionHz / scale))}${SPACE}${unit}`;
}

/** All digits that count, kHz at least: "145.500 MHz", "12.500 kHz". @param {number} hz */
export function exactHz(hz) {
  const step = [1e3, 1].find((each) => Math.abs(hz / each - Math.round(hz / each)) < 1e-6);
  return formatHz(hz, step ?? 1e-3);
}

/** For a field: the shortest text that says its unit, "99.4 MHz". @param {number} hz */
export function shortHz(hz) {
  const { scale, unit } = hzUnit(hz);
  return `${Number((hz / scale).toPrecision(15))} ${unit}`;
}

/** "-20.06" @param {number} db @param {number} [digits] */
export const formatDb = (db, digits = 1) => fixed(db, digits);

/** @type {[number, string][]} */
const SI = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, '\u00b5'],
  [1e-9, 'n'],
];

/**
 * Up to `significant` digits, with an SI prefix: "2.4 MS/s", "640 us". Nobody counts in milli: "0.1/s".
 * @param {number} value
 * @param {string} unit
 * @param {number} [significant]
 */
export function formatSi(value, unit, significant = 3) {
  if (!Number.isFinite(value)) return `--${SPACE}${unit}`;
  const rounded = Number(value.toPrecision(significant));
  const smallest = unit === '/s' ? 1 : 0;
  const [scale, prefix] = SI.find(([size]) => Math.abs(rounded) >= size && size >= smallest) ?? [1, ''];
  const number = String(Number((rounded / scale).toPrecision(significant))).replace('-', MINUS);
  return `${number}${prefix + unit === '/s' ? '' : SPACE}${prefix}${unit}`;
}

/** All digits, in groups: "12 345 678". @param {number} count */
export const formatCount = (count) => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, SPACE);

/**
 * A position in a recording: "1:02.34", "2:03:04".
 * @param {number} seconds
 * @param {number} [digits]  of the second, 0 .. 3
 */
export function formatPosition(seconds, digits = 3) {
  if (!Number.isFinite(seconds)) return '--';
  const units = 10 ** digits,
    whole = Math.floor(Math.max(0, seconds) * units + 1e-6),
    all = Math.floor(whole / units);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  const hours = Math.floor(all / 3600),
    minutes = Math.floor(all / 60) % 60;
  const clock = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(all % 60)}`;
  return digits ? `${clock}.${String(whole % units).padStart(digits, '0')}` : clock;
}

/** For an input field: the shortest text that parseQuantity reads as the same number. @param {number} value */
export function plainSi(value) {
  for (const [prefix, scale] of /** @type {[string, number][]} */ ([
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ])) {
    if (Math.abs(value) < (scale === 1e9 ? GIGAHERTZ_FROM : scale)) continue;
    const text = String(Number((value / scale).toPrecision(15)));
    if (Number(text) * scale === value || Math.abs(Number(text) * scale - value) < 1e-6) return text + prefix;
  }
  return String(value);
}
