// The ticks of an axis: steps of 1, 2 and 5, or of round numbers of seconds for a clock.

/** Smallest of 1, 2, 5 x 10^k that is at least `rough`. @param {number} rough  above 0 */
export function niceStep(rough) {
  const decade = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5, 10]) if (factor * decade >= rough * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

/**
 * @param {number} low @param {number} high @param {number} max  number of ticks, at least 1
 * @returns {{ step: number, values: number[] }}  multiples of step within low .. high
 */
export function ticks(low, high, max) {
  if (!(high > low) || !Number.isFinite(high - low)) return { step: 1, values: [] };
  const step = niceStep((high - low) / Math.max(1, max));
  const first = Math.ceil(low / step - 1e-6),
    last = Math.floor(high / step + 1e-6);
  // Multiples rather than sums, so that rounding errors do not add up along the axis.
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => roundToStep((first + i) * step, step));
  return { step, values };
}

/** Removes rounding errors: 0.30000000000000004 -> 0.3 @param {number} value @param {number} step */
function roundToStep(value, step) {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(step)));
  return digits > 15 ? value : Number(value.toFixed(Math.min(digits, 15)));
}

const CLOCK_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

/** Seconds between two marks of a clock, at least `rough`. @param {number} rough */
export const clockStep = (rough) => CLOCK_STEPS.find((step) => step >= rough) ?? 7200;
