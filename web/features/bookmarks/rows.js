// Where bands and labels of bookmarks stand: rows in which none covers another. Pure functions.

/**
 * @typedef {import('./band_plan.js').Band} Band
 * @typedef {import('./csv.js').Bookmark} Bookmark
 *
 * @typedef {{ band: Band, row: number }} PlacedBand  row: 0 is the lowest
 * @typedef {object} Label  of a bookmark
 * @property {Bookmark} bookmark
 * @property {number} x  of its frequency
 * @property {number} width  of its text; 0: none
 * @property {number} row  0 is the next to the axis; -1: there is no room for its text
 */

/**
 * The bands in view, each in the lowest row where it covers none that is wider. Bands that find no row are left out:
 * the
 * narrowest, which have room when the view is narrower.
 * @param {readonly Band[]} bands @param {import('../../plot/view.js').View} view @param {number} rows
 * @returns {PlacedBand[]}
 */
export function placeBands(bands, view, rows) {
  const inView = bands.filter(({ lowHz, highHz }) => lowHz < view.highHz && highHz > view.lowHz);
  /** @type {PlacedBand[]} */
  const placed = [];
  for (const band of [...inView].sort((a, b) => b.highHz - b.lowHz - (a.highHz - a.lowHz) || a.lowHz - b.lowHz)) {
    const covered = placed.filter(({ band: { lowHz, highHz } }) => lowHz < band.highHz && highHz > band.lowHz);
    const row = Array.from({ length: rows }, (_, i) => i).find((free) => !covered.some((other) => other.row === free));
    if (row !== undefined) placed.push({ band, row });
  }
  return placed;
}

/**
 * Labels begin at their frequency. Each stands below those whose lines, up to the axis, its text would cross, so that
 * no line crosses a text.
 * @param {{ bookmark: Bookmark, x: number, width: number }[]} wanted  by x
 * @param {number} right  end of the room
 * @param {number} rows @param {number} gap  between texts @param {number} least  width of a text that is worth it
 * @returns {Label[]}
 */
export function placeLabels(wanted, right, rows, gap, least) {
  /** @type {Label[]} */
  const placed = [];
  for (const { bookmark, x, width: whole } of [...wanted].reverse()) {
    const width = Math.min(whole, right - x),
      end = x + width + gap;
    let row = 0;
    for (const other of placed) if (other.row >= 0 && other.x < end) row = Math.max(row, other.row + 1);
    const fits = row < rows && width >= Math.min(whole, least);
    placed.push({ bookmark, x, width: fits ? width : 0, row: fits ? row : -1 });
  }
  return placed.reverse();
}
