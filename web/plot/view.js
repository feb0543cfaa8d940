// The frequencies on screen: conversion to positions, zooming and panning. Pure functions.

/**
 * @typedef {object} View  lowHz < highHz
 * @property {number} lowHz
 * @property {number} highHz
 */

/**
 * The edges of all bins. A bin extends half its width to both sides; bin n/2 is at the centre.
 * @param {import('../net/wire.js').Frame} frame @returns {View}
 */
export function spanOf({ centerHz, rateHz, n }) {
  const lowHz = centerHz - rateHz / 2 - rateHz / (2 * n);
  return { lowHz, highHz: lowHz + rateHz };
}

/** Narrowest useful view: eight bins. @param {import('../net/wire.js').Frame} frame */
export const narrowest = (frame) => Math.min(frame.rateHz, (8 * frame.rateHz) / frame.n);

/** @param {View} view */
export const widthHz = (view) => view.highHz - view.lowHz;

/** @param {View} view @param {number} x  0 .. 1 from the left edge */
export const hzAt = (view, x) => view.lowHz + x * widthHz(view);

/** @param {View} view @param {number} hz  @returns {number}  0 .. 1 inside the view */
export const xAt = (view, hz) => (hz - view.lowHz) / widthHz(view);

/**
 * The nearest view inside the span that is at least minHz wide; keeps its width if that fits.
 * @param {View} view @param {View} span @param {number} minHz @returns {View}
 */
export function clip(view, span, minHz) {
  const full = widthHz(span);
  const width = Math.min(full, Math.max(minHz, widthHz(view)));
  if (width >= full) return { ...span };
  const middle = (view.lowHz + view.highHz) / 2;
  const grown = width === widthHz(view) ? view.lowHz : middle - width / 2;
  const lowHz = Math.min(span.highHz - width, Math.max(span.lowHz, grown));
  return { lowHz, highHz: lowHz + width };
}

/**
 * Keeps the frequency at x (0 .. 1) in its position, unless the view meets an edge of the span.
 * @param {View} view @param {View} span @param {number} minHz
 * @param {number} factor  above 1 zooms in @param {number} x @returns {View}
 */
export function zoomAt(view, span, minHz, factor, x) {
  const width = Math.min(widthHz(span), Math.max(minHz, widthHz(view) / factor));
  const lowHz = hzAt(view, x) - x * width;
  return clip({ lowHz, highHz: lowHz + width }, span, minHz);
}

/**
 * @param {View} view
 * @param {View} span
 * @param {number} fraction  of the view's width; above 0: to higher frequencies
 * @returns {View}
 */
export function panBy(view, span, fraction) {
  const shift = fraction * widthHz(view);
  return clip({ lowHz: view.lowHz + shift, highHz: view.highHz + shift }, span, 0);
}

/**
 * The view that has two frequencies at two positions (0 .. 1), those of the fingers that hold them.
 * @param {View} span @param {number} minHz
 * @param {[number, number]} hz @param {[number, number]} x @returns {View}
 */
export function pinch(span, minHz, hz, x) {
  const order = hz[0] <= hz[1] ? 1 : -1;
  const apart = order * (x[1] - x[0]);
  const wanted = Math.abs(hz[1] - hz[0]) / Math.max(apart, 1e-3);
  const width = Math.min(widthHz(span), Math.max(minHz, wanted));
  const lowHz = (hz[0] + hz[1]) / 2 - (width * (x[0] + x[1])) / 2;
  return clip({ lowHz, highHz: lowHz + width }, span, minHz);
}

/** True if the view shows the whole span. @param {View} view @param {View} span */
export const isWhole = (view, span) => widthHz(view) >= widthHz(span) * (1 - 1e-9);

/** @param {View} a @param {View} b */
export const isSame = (a, b) => a.lowHz === b.lowHz && a.highHz === b.highHz;

/** @param {View} a @param {View} b */
export const overlaps = (a, b) => a.lowHz < b.highHz && b.lowHz < a.highHz;

/**
 * The middle of a view. That of the whole span is half a bin below the radio's centre: the radio's is shown instead.
 * @param {{ centerHz: number, rateHz: number, n: number }} frame @param {View} view
 */
export function centreHz(frame, view) {
  const middle = (view.lowHz + view.highHz) / 2;
  return Math.abs(middle - frame.centerHz) < frame.rateHz / frame.n ? frame.centerHz : middle;
}
