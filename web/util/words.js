// The words of instruments for the names on the wire: titles and groups of measurements, labels of keys and values; and
// what mends a measurement that cannot be right. Pure.

/** The types of each group. */
const TYPES = {
  Power: 'channel-power band-power acpr snr marker delta-marker noise-marker peaks mask',
  Bandwidth: 'obw bandwidth frequency-counter',
  Modulation: 'am fm ccdf',
  Time: 'zero-span occupancy',
};

/** The groups in their order; "": of what is not known here. */
export const GROUPS = [...Object.keys(TYPES), ''];

/** Names whose words are others. @type {Record<string, string>} */
const LABELS = {
  acpr: 'Adjacent channel power',
  obw: 'Occupied bandwidth',
  snr: 'Signal to noise ratio',
  am: 'Amplitude modulation',
  fm: 'Frequency modulation',
  ccdf: 'Power statistics (CCDF)',
  mask: 'Limit mask',
  marker: 'Level marker',
  peaks: 'Table of peaks',
  center: 'Centre',
  rbw: 'RBW',
  vbw: 'VBW',
  most: 'Samples at most',
  math: 'Trace arithmetic',
};

/** "above-noise", "power_mean" -> "Above noise", "Power mean" @param {string} name  of a type, a key or a value */
export const labelOf = (name) => LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replace(/[-_]/g, ' ');

/** @param {string} type */
export const groupOf = (type) => Object.entries(TYPES).find(([, types]) => types.split(' ').includes(type))?.[0] ?? '';

/**
 * @typedef {{ text: string, settings?: { rbw_hz: number }, keys?: Record<string, string>, centreHz?: number }} Mend
 *   text: what it says on its button; settings: of the radio; keys: of the measurement
 */

/**
 * The RBW that a refusal needs: [of the RBW in force, of the width that is named].
 * @type {[RegExp, number, number][]}
 */
const RBW_REFUSALS = [
  [/RBW of (\S+) Hz is more than 5 % of the bandwidth/, 1 / 4, NaN],
  [/RBW of (\S+) Hz is too wide for a band of (\S+) Hz/, NaN, 1 / 3],
  [/RBW of (\S+) Hz is wider than the bandwidth of (\S+) Hz/, NaN, 1],
];

/** Two digits, rounded down. @param {number} hz */
function roundDown(hz) {
  const step = 10 ** (Math.floor(Math.log10(hz)) - 1);
  return Number((Math.floor(hz / step + 1e-9) * step).toPrecision(12));
}

/**
 * What would make a refused measurement right.
 * @param {string} reason  of the server @param {(hz: number) => string} hzText @returns {Mend | null}
 */
export function mendOf(reason, hzText) {
  for (const [pattern, ofRbw, ofWidth] of RBW_REFUSALS) {
    const [, rbw, width] = (pattern.exec(reason) ?? []).map(Number);
    const wanted = ofWidth ? width * ofWidth : rbw * ofRbw;
    if (wanted > 0) return { text: `Set RBW ${hzText(roundDown(wanted))}`, settings: { rbw_hz: roundDown(wanted) } };
  }
  if (/^needs the detector mean or sample/.test(reason))
    return { text: 'Measure with the detector mean', keys: { detector: 'mean' } };
  if (/^needs a trace of mean power/.test(reason)) return { text: 'Measure each line', keys: { trace: 'clear-write' } };
  const [, low, high] = /^the band (\S+) Hz to (\S+) Hz is not within/.exec(reason) ?? [];
  const hz = low ? (Number(low) + Number(high)) / 2 : Number(/^(\S+) Hz is not within/.exec(reason)?.[1]);
  return Number.isNaN(hz) ? null : { text: `Tune to ${hzText(hz)}`, centreHz: hz };
}
