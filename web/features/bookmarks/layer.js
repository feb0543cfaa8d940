// The layer of band plan and bookmarks: rows below the frequency axis, labels above coloured bars.

import { allBookmarks, markBookmark } from './band_plan.js';
import { placeBands, placeLabels } from './rows.js';
import { KINDS, ROW } from '../../plot/layout.js';
import { xAt } from '../../plot/view.js';

/**
 * @typedef {import('../../plot/display.js').Scene} Scene
 * @typedef {import('./csv.js').Bookmark} Bookmark
 * @typedef {import('../../app/state.js').State} State
 * @typedef {CanvasRenderingContext2D} Context
 */

const PAD = 4,
  TICK = 4,
  LEAST = 24; // CSS pixels
const ROWS = 2; // of bands, and of labels

/** Number of rows below the axis: independent of the view. @param {Readonly<State>} state */
export function planRows({ bandsShown, bands, bookmarksShown, bookmarks, ownBookmarks, frame }) {
  if (frame?.rateAssumed) return 0;
  return (
    (bandsShown && bands.length > 0 ? ROWS : 0)
    + (bookmarksShown && bookmarks.length + ownBookmarks.length > 0 ? ROWS : 0)
  );
}

/** @param {import('./band_plan.js').Band} band @param {import('../../plot/display.js').Theme} theme */
function colorOf({ color, kind }, theme) {
  const known = KINDS.find((each) => each === kind.toLowerCase());
  return color || theme[known ?? 'band'];
}

/**
 * As much of a text as has room, with an ellipsis; "": not worth it.
 * @param {Context} context
 * @param {string} text
 * @param {number} width
 */
export function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0,
    high = text.length;
  while (low < high) {
    // the most characters that fit
    const middle = Math.ceil((low + high) / 2);
    if (context.measureText(`${text.slice(0, middle).trimEnd()}\u2026`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low >= 2 ? `${text.slice(0, low).trimEnd()}\u2026` : '';
}

export class BandPlanLayer {
  z = 5; // below bands of measurements and markers

  /** @param {import('../../app/store.js').Store} store @param {import('../../app/actions.js').Actions} actions */
  constructor(store, actions) {
    this.store = store;
    this.actions = actions;
    /** @type {{ bookmark: Bookmark, left: number, top: number, right: number, bottom: number }[]}  labels on screen */
    this.boxes = [];
    /** @type {{ text: string, left: number, right: number, row: number }[]}  texts of bands on screen */
    this.texts = [];
  }

  /** @returns {readonly Bookmark[]} */
  get #bookmarks() {
    return this.store.state.bookmarksShown ? allBookmarks(this.store.state) : [];
  }

  get #bands() {
    return this.store.state.bandsShown ? this.store.state.bands : [];
  }

  /** @param {Scene} scene */
  shown({ frame }) {
    const is = !frame?.rateAssumed && this.#bands.length + this.#bookmarks.length > 0;
    if (!is) Object.assign(this, { boxes: [], texts: [] });
    return is;
  }

  /** @param {Context} context @param {Scene} scene */
  draw(context, scene) {
    const { layout, theme, frame } = scene;
    this.boxes = [];
    this.texts = [];
    if (!frame) return;
    context.beginPath();
    context.rect(layout.gutter, layout.planTop - TICK, layout.plotWidth, layout.waterfallTop - layout.planTop + TICK);
    context.clip();
    context.font = `11px ${theme.font}`;
    context.textBaseline = 'middle';
    this.#drawBands(context, scene);
    this.#drawBookmarks(context, scene);
  }

  /** If there is one row alone, the bands get it. @param {Scene} scene */
  #rows({ layout: { planTop, waterfallTop } }) {
    const all = Math.round((waterfallTop - planTop) / ROW),
      bands = this.#bands.length > 0 ? Math.min(ROWS, all) : 0;
    return { bands, labels: all - bands };
  }

  /** @param {Context} context @param {Scene} scene */
  #drawBands(context, scene) {
    for (const { band, row } of placeBands(this.#bands, scene.view, this.#rows(scene).bands))
      this.#drawBand(context, scene, band, row);
  }

  /** @param {Context} context @param {Scene} scene @param {import('./band_plan.js').Band} band @param {number} row */
  #drawBand(context, { layout, view, theme }, band, row) {
    const at = (/** @type {number} */ hz) => layout.gutter + Math.min(1, Math.max(0, xAt(view, hz))) * layout.plotWidth;
    const left = at(band.lowHz),
      width = Math.max(2, at(band.highHz) - left),
      top = layout.waterfallTop - ROW * (row + 1);
    context.globalAlpha = 0.36;
    context.fillStyle = colorOf(band, theme);
    context.fillRect(left, top, width, ROW - 1);
    context.globalAlpha = 1;
    context.fillRect(left, top, width, 1.5);
    context.fillRect(left, top, 1, ROW - 1);
    const text = fitText(context, band.name, width - 2 * PAD);
    if (!text) return;
    context.textAlign = 'center';
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = theme.plot;
    context.strokeText(text, left + width / 2, top + ROW / 2 + 0.5);
    context.fillStyle = theme.text;
    context.fillText(text, left + width / 2, top + ROW / 2 + 0.5);
    this.texts.push({ text, left, right: left + width, row });
  }

  /** @param {Context} context @param {Scene} scene */
  #drawBookmarks(context, scene) {
    const { layout, view, theme } = scene,
      right = layout.gutter + layout.plotWidth;
    const wanted = this.#bookmarks
      .filter(({ hz }) => hz >= view.lowHz && hz <= view.highHz)
      .map((bookmark) => ({
        bookmark,
        x: layout.gutter + xAt(view, bookmark.hz) * layout.plotWidth,
        width: context.measureText(bookmark.name).width + 2 * PAD,
      }));
    context.textAlign = 'left';
    for (const { bookmark, x, width, row } of placeLabels(wanted, right, this.#rows(scene).labels, 3, LEAST)) {
      const top = layout.planTop + ROW * row,
        color = bookmark.color || theme.accent;
      context.fillStyle = color;
      if (row < 0) context.fillRect(Math.round(x) - 2, layout.planTop - TICK, 4, TICK);
      else {
        context.fillRect(Math.round(x) - 0.5, layout.planTop - TICK, 1, ROW * (row + 1) + TICK - 1);
        this.#drawLabel(context, theme, { bookmark, left: x, top, right: x + width, bottom: top + ROW - 1 }, color);
      }
    }
  }

  /**
   * @param {Context} context
   * @param {import('../../plot/display.js').Theme} theme
   * @param {BandPlanLayer['boxes'][number]} box
   * @param {string} color
   */
  #drawLabel(context, theme, box, color) {
    const { bookmark, left, top, right, bottom } = box;
    context.fillStyle = color;
    context.fillRect(left, bottom - 1, right - left, 1);
    context.fillStyle = theme.text;
    context.fillText(fitText(context, bookmark.name, right - left - 2 * PAD + 1), left + PAD, top + ROW / 2);
    this.boxes.push(box);
  }

  /**
   * The bookmark whose label is at a place.
   * @param {number} x
   * @param {number} y
   * @param {number} reach  CSS pixels
   * @returns {Bookmark | null}
   */
  bookmarkAt(x, y, reach) {
    const inside = this.boxes.filter(
      ({ left, right, top, bottom }) =>
        x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach,
    );
    const distance = (/** @type {BandPlanLayer['boxes'][number]} */ { top, bottom }) =>
      Math.abs(y - (top + bottom) / 2);
    return inside.sort((a, b) => distance(a) - distance(b))[0]?.bookmark ?? null;
  }

  /** @param {import('../../plot/layers.js').Point} point */
  tap({ x, y }) {
    const { placing, tuneByClick } = this.store.state,
      bookmark = this.bookmarkAt(x, y, 3);
    if (!bookmark || placing || tuneByClick) return false; // ../tuning/panel.js tunes
    markBookmark(this.actions, bookmark);
    return true;
  }
}
