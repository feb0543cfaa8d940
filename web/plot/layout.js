// Where spectrum and waterfall are in their element, and the colours of both. Pure, but for the style sheet.

/**
 * @typedef {object} Layout  CSS pixels
 * @property {number} width
 * @property {number} height
 * @property {number} gutter  left of both plots: levels and times
 * @property {number} top  of the spectrum
 * @property {number} plotWidth
 * @property {number} spectrumHeight
 * @property {number} axisHeight  below the spectrum: frequencies
 * @property {number} planTop  below the axis: bands and bookmarks
 * @property {number} waterfallTop
 * @property {number} waterfallHeight
 *
 * @typedef {Record<typeof THEME[number], string>} Theme  from the style sheet
 */

/** Kinds of bands that have a colour. */
export const KINDS = /** @type {const} */ (['amateur', 'broadcast', 'aviation', 'marine', 'military', 'satellite']);
const THEME = /** @type {const} */ ([
  'page',
  'plot',
  'text',
  'dim',
  'grid',
  'edge',
  'trace',
  'fill',
  'mark',
  'cross',
  'gap',
  'void',
  'font',
  'accent',
  't1',
  't2',
  't3',
  't4',
  't5',
  't6',
  'band',
  ...KINDS,
]);
export const ROW = 15; // of the band plan
const LOW_PX = 400;

export const SPLIT = 0.42;
const SPLIT_LOW = 0.54; // of a low display: its spectrum needs more to be readable
const LEAST = 60; // CSS pixels of each plot

/** Leaves some of both plots; the spectrum comes first. @param {number} wanted @param {number} available */
const clampHeight = (wanted, available) => Math.max(LEAST, Math.min(wanted, available - LEAST));

/**
 * @param {number} width
 * @param {number} height  CSS pixels
 * @param {number} [split]  the spectrum's part of both plots
 * @param {number} [planRows]  rows of the band plan below the axis
 * @returns {Layout}
 */
export function layoutOf(width, height, split = SPLIT, planRows = 0) {
  const gutter = width < 600 ? 60 : 62,
    top = 4,
    axisHeight = 26;
  const share = split === SPLIT && height < LOW_PX ? SPLIT_LOW : split;
  const planHeight = ROW * (height < LOW_PX ? Math.min(1, planRows) : planRows),
    rest = height - axisHeight - planHeight;
  const spectrumHeight = clampHeight(Math.round(rest * share), rest - top - 4);
  const planTop = top + spectrumHeight + axisHeight,
    waterfallTop = planTop + planHeight;
  return {
    width,
    height,
    gutter,
    top,
    axisHeight,
    spectrumHeight,
    planTop,
    waterfallTop,
    plotWidth: Math.max(1, width - gutter - 8),
    waterfallHeight: Math.max(1, height - waterfallTop - 4),
  };
}

/** @returns {Theme}  the style sheet's colours, for the canvases */
export function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const pairs = THEME.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]);
  return /** @type {Theme} */ (Object.fromEntries(pairs));
}

/** "#0a0d12" -> [10, 13, 18] @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) || 0);

/** Colours of the waterfall that are in no palette, RGB. @param {Theme} theme */
export const waterfallColors = (theme) => ({
  background: rgb(theme.void),
  fault: rgb(theme.gap),
  jump: rgb(theme.accent),
  seam: rgb(theme.dim),
});
