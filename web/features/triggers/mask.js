// The limits of a mask: points as the server reads them, and a limit over a spectrum. Pure functions.

import { readHz, readTyped } from '../../util/quantity.js';

/** @typedef {{ hz: number, db: number }} Point */

/** What the server takes at most. */
export const POINTS_MAX = 64;

/**
 * "433.1:-50, 434M:-40.5", in MHz without a unit; with semicolons between the points also "433,1:-50; 434:-40,5". null:
 * these are no points.
 * @param {string} text @returns {Point[] | null}
 */
export function parsePoints(text) {
  const points = text
    .split(text.includes(';') ? ';' : /,|(?<=:\s*[-+]?[\d.]+)\s+/)
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => {
      const [hz, db, ...more] = each.split(':');
      return { hz: readHz(hz), db: more.length ? NaN : readTyped(db ?? '', 'db') };
    });
  const isRising = points.every(
    ({ hz, db }, i) => Number.isFinite(hz) && Number.isFinite(db) && (i === 0 || hz > points[i - 1].hz),
  );
  return points.length > 0 && isRising ? points : null;
}

/** @param {Point[]} points */
export const formatPoints = (points) =>
  points.map(({ hz, db }) => `${Number((hz / 1e6).toFixed(6))}M:${Number(db.toFixed(1))}`).join(',');

/**
 * Moves a point, or adds one; frequencies stay apart.
 * @param {Point[]} points
 * @param {number} index  of the point; -1: a new one
 * @param {Point} to
 * @param {number} leastHz  between two points
 * @returns {{ points: Point[], index: number }}
 */
export function putPoint(points, index, to, leastHz) {
  const others = points.filter((_, i) => i !== index),
    at = others.filter(({ hz }) => hz < to.hz).length;
  const low = at > 0 ? others[at - 1].hz + leastHz : -Infinity,
    high = at < others.length ? others[at].hz - leastHz : Infinity;
  if (low > high || others.length >= POINTS_MAX) return { points, index };
  const moved = { hz: Math.min(high, Math.max(low, to.hz)), db: to.db };
  return { points: [...others.slice(0, at), moved, ...others.slice(at)], index: at };
}

/**
 * A limit that is at least `margin` dB over every level in a view, between any two of its points.
 * @param {{ lowHz: number, columnHz: number, levels: ArrayLike<number>, offsetDb: number, stepDb: number }[]} frames
 * @param {{ lowHz: number, highHz: number }} view
 * @param {number} margin  dB
 * @param {number} [parts]  of the view, of equal width
 * @returns {Point[]}  none: the frames have no level there
 */
export function limitOver(frames, view, margin, parts = 40) {
  const width = (view.highHz - view.lowHz) / parts,
    peaks = Array(parts).fill(-Infinity);
  for (const { lowHz, columnHz, levels, offsetDb, stepDb } of frames)
    for (let i = 0; i < levels.length; i++) {
      const first = Math.floor((lowHz + i * columnHz - view.lowHz) / width),
        last = Math.floor((lowHz + (i + 1) * columnHz - view.lowHz) / width - 1e-9);
      for (let part = Math.max(0, first); part <= Math.min(parts - 1, last); part++)
        peaks[part] = Math.max(peaks[part], offsetDb + stepDb * levels[i]);
    }
  /** @type {Point[]} */
  const points = [];
  for (let edge = 0; edge <= parts; edge++) {
    const db = Math.max(peaks[edge - 1] ?? -Infinity, peaks[edge] ?? -Infinity) + margin;
    if (Number.isFinite(db)) points.push({ hz: view.lowHz + edge * width, db: Math.ceil(10 * db) / 10 });
  }
  return points;
}
