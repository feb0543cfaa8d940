// Colours of the waterfall: 256 for each palette, interpolated smoothly between a few anchors.

/**
 * Equidistant anchors from weak to strong, RGB. All but turbo grow brighter from end to end, so that the strongest
 * signal is the brightest: sample points of matplotlib's maps by N. Smith and S. van der Walt (CC0).
 * @type {Record<string, number[][]>}
 */
export const PALETTES = {
  viridis: [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
  ],
  inferno: [
    [0, 0, 4],
    [31, 12, 72],
    [85, 15, 109],
    [136, 34, 106],
    [186, 54, 85],
    [227, 89, 51],
    [249, 140, 10],
    [249, 201, 50],
    [252, 255, 164],
  ],
  turbo: [
    [48, 18, 59],
    [70, 107, 227],
    [40, 187, 236],
    [49, 242, 153],
    [162, 252, 60],
    [237, 208, 58],
    [251, 128, 34],
    [210, 49, 5],
    [122, 4, 3],
  ],
  gray: [
    [0, 0, 0],
    [255, 255, 255],
  ],
};
export const DEFAULT_PALETTE = 'viridis';
/** Levels above the range, in no palette. */
export const OVER_RANGE = [255, 64, 208];

/**
 * Catmull-Rom through four neighbours, t = 0 .. 1 between the middle two.
 * @param {number[]} p
 * @param {number} t
 */
function smooth([a, b, c, d], t) {
  const linear = c - a,
    square = 2 * a - 5 * b + 4 * c - d,
    cube = 3 * b - a - 3 * c + d;
  return b + 0.5 * t * (linear + t * (square + t * cube));
}

/** @param {string} name  of PALETTES; unknown: the default @returns {Uint8Array}  [256][4] RGBA */
export function paletteTable(name) {
  const anchors = PALETTES[name] ?? PALETTES[DEFAULT_PALETTE];
  const last = anchors.length - 1;
  const table = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const position = (i / 255) * last;
    const k = Math.min(last - 1, Math.floor(position));
    const near = [k - 1, k, k + 1, k + 2].map((j) => anchors[Math.min(last, Math.max(0, j))]);
    for (let rgb = 0; rgb < 3; rgb++) {
      const value = smooth(
        near.map((colour) => colour[rgb]),
        position - k,
      );
      table[4 * i + rgb] = Math.min(255, Math.max(0, Math.round(value)));
    }
    table[4 * i + 3] = 255;
  }
  return table;
}
