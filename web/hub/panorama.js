// The spans of many radios on one frequency axis: spans that are far apart stand side by side, with a break between
// them. Pure.

import { pixelLevels } from '../plot/trace.js';
import { overlaps, widthHz } from '../plot/view.js';

/**
 * @typedef {import('../plot/view.js').View} View
 * @typedef {import('../net/wire.js').Frame} Frame
 *
 * @typedef {object} Section  frequencies without a break, and where they are
 * @property {View} view
 * @property {number} left  pixel
 * @property {number} pixels
 */

const FAR = 0.5; // a gap wider than this share of all that is received is a break

/**
 * The spans as few as possible, ascending; a gap above `farHz` parts two.
 * @param {View[]} spans
 * @param {number} farHz
 * @returns {View[]}
 */
function joined(spans, farHz) {
  /** @type {View[]} */
  const views = [];
  for (const span of [...spans].sort((a, b) => a.lowHz - b.lowHz)) {
    const last = views[views.length - 1];
    if (last && span.lowHz - last.highHz <= farHz) last.highHz = Math.max(last.highHz, span.highHz);
    else views.push({ ...span });
  }
  return views;
}

/** Hertz that are in any of these spans. @param {View[]} spans */
export const coveredHz = (spans) => joined(spans, 0).reduce((sum, view) => sum + widthHz(view), 0);

/**
 * The axis over some spans.
 * @param {View[]} spans @param {number} pixels  of the whole axis @param {number} breakPixels  of a break
 * @returns {Section[]}  ascending; none without spans
 */
export function sectionsOf(spans, pixels, breakPixels) {
  const views = joined(spans, FAR * coveredHz(spans)),
    total = views.reduce((sum, view) => sum + widthHz(view), 0);
  const available = Math.max(views.length, pixels - breakPixels * (views.length - 1));
  let left = 0;
  return views.map((view) => {
    const width = Math.max(1, Math.round((available * widthHz(view)) / total)),
      section = { view, left, pixels: width };
    left += width + breakPixels;
    return section;
  });
}

/** @param {Section[]} sections @param {number} hz @returns {number}  pixels from the left, NaN: not on the axis */
export function pixelAt(sections, hz) {
  const section = sections.find(({ view }) => hz >= view.lowHz && hz <= view.highHz);
  return section ? section.left + ((hz - section.view.lowHz) / widthHz(section.view)) * section.pixels : NaN;
}

/**
 * @param {Section[]} sections
 * @param {number} x  pixels from the left
 * @returns {number}  Hz, NaN: in a break, or off the axis
 */
export function hzAtPixel(sections, x) {
  const section = sections.find(({ left, pixels }) => x >= left && x < left + pixels);
  return section ? section.view.lowHz + ((x - section.left) / section.pixels) * widthHz(section.view) : NaN;
}

/**
 * The strongest level at each pixel of a section, and whose it is. An old level stands only where there is no other.
 * @param {Frame[]} frames @param {Section} section @param {boolean[]} [old]  those of radios that are gone
 * @returns {{ dbs: Float32Array, owners: Int16Array }}  [pixels] each: dBFS, NaN: nobody receives it; number of the
 *   frame, -1: none
 */
export function stitch(frames, { view, pixels }, old = []) {
  const dbs = new Float32Array(pixels).fill(NaN),
    owners = new Int16Array(pixels).fill(-1);
  frames.forEach((frame, owner) => {
    if (!overlaps(view, { lowHz: frame.lowHz, highHz: frame.lowHz + frame.columns * frame.columnHz })) return;
    const levels = pixelLevels(frame, view, pixels);
    for (let x = 0; x < pixels; x++) {
      const db = frame.offsetDb + frame.stepDb * levels[x];
      const taken = owners[x] >= 0,
        same = taken && Boolean(old[owners[x]]) === Boolean(old[owner]);
      if (levels[x] < 0 || (same ? dbs[x] >= db : taken && old[owner])) continue;
      dbs[x] = db;
      owners[x] = owner;
    }
  });
  return { dbs, owners };
}
