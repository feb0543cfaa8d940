// The divider between spectrum and waterfall: dragged or moved with keys, and remembered by the browser.

import { SPLIT } from '../../plot/layout.js';
import { byId } from '../../util/dom.js';
import { remember, stored } from '../../util/stored.js';

const KEY = 'fftd.split',
  LEAST = 0.1,
  MOST = 0.9,
  STEP = 0.05;

/** @param {number} split */
export const clampSplit = (split) => Math.min(MOST, Math.max(LEAST, split));

/** What the browser remembers. */
export function storedSplit() {
  const split = Number(stored(KEY));
  return split >= LEAST && split <= MOST ? split : SPLIT;
}

/** @type {Record<string, (split: number) => number>} */
const KEYS = {
  ArrowUp: (split) => split - STEP,
  ArrowDown: (split) => split + STEP,
  Home: () => LEAST,
  End: () => MOST,
};

/**
 * @param {import('../../app/store.js').Store} page
 * @param {HTMLElement} bar
 */
function listen(page, bar) {
  const change = (/** @type {number} */ split) => {
    page.update({ split: clampSplit(split) });
    remember(KEY, page.state.split.toFixed(4));
  };
  const dragTo = (/** @type {PointerEvent} */ event) => {
    const box = byId('display').getBoundingClientRect(),
      { layout } = page.state;
    if (layout)
      change(
        (event.clientY - box.y - layout.top - layout.axisHeight + 4)
          / (layout.height - layout.axisHeight - layout.waterfallTop + layout.planTop),
      );
  };
  bar.onpointerdown = (event) => {
    event.stopPropagation(); // the picture does not move
    if (event.button === 0) bar.setPointerCapture(event.pointerId);
  };
  bar.onpointermove = (event) => {
    if (bar.hasPointerCapture(event.pointerId)) dragTo(event);
  };
  bar.ondblclick = (event) => {
    event.stopPropagation();
    change(SPLIT);
  };
  bar.onkeydown = (event) => {
    if (!Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault(); // not the page's key
    change(KEYS[event.key](page.state.split));
  };
}

export const divider = {
  id: 'divider',

  /** @param {import('../list.js').Page} page */
  mount({ store: page }) {
    const bar = byId('divider');
    listen(page, bar);
    page.subscribe(['layout', 'split'], ({ layout, split }) => {
      bar.ariaValueNow = String(Math.round(100 * split));
      if (layout)
        Object.assign(bar.style, {
          top: `${layout.planTop - 8}px`,
          left: `${layout.gutter}px`,
          width: `${layout.plotWidth}px`,
        });
    });
  },
};
