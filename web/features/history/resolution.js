// How much time a row of the past stands for. Pure functions.

import { formatCount, formatSi } from '../../util/format.js';

/** @type {[number, string][]} */
const UNITS = [
  [86400, 'a day'],
  [3600, 'an hour'],
  [60, 'a minute'],
  [1, 'a second'],
];

/** "a minute", "every 10 s", "every 100 ms" @param {number} seconds  of a row */
function everyText(seconds) {
  const [, unit] = UNITS.find(([length]) => Math.abs(seconds / length - 1) < 0.01) ?? [];
  return unit ?? `every ${formatSi(seconds, 's', 2)}`;
}

/**
 * "archive, 1 row a minute", "16 lines merged"; "": a row is a line.
 * @param {{ line: number, firstLine: number, merged: number }} row  of the archive: numbers below 0, in microseconds
 */
export function resolutionText({ line, firstLine, merged }) {
  if (line < 0) return `archive, 1 row ${everyText((line - firstLine + 1) / 1e6)}`;
  return merged > 1 ? `${formatCount(merged)} lines merged` : '';
}
