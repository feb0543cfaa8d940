// The legend over the spectrum: which line is which trace, its detector, and the lines that it has.

import { DETECTORS } from '../../net/wire.js';
import { byId, make, setText } from '../../util/dom.js';
import { formatSi } from '../../util/format.js';

/** @typedef {import('./frames.js').ShownTrace} ShownTrace */

/** @param {ShownTrace} shown */
function detailOf({ trace, lines, reason, frame, vbwHz }) {
  if (reason) return reason;
  return [
    trace.detector,
    ...(vbwHz ? [`VBW ${formatSi(vbwHz, 'Hz')}`] : []),
    ...(lines ? [`${lines} lines`] : []),
    ...(trace.shown === 'view' && frame ? ['frozen'] : []),
  ].join(' \u00b7 ');
}

/** @param {HTMLElement} list @param {{ color: string, name: string, detail: string }[]} entries */
function show(list, entries) {
  while (list.children.length > entries.length) list.lastElementChild?.remove();
  while (list.children.length < entries.length)
    list.append(
      make(
        'li',
        {},
        ['trace-line', 'name', 'detail'].map((className) => make('span', { className })),
      ),
    );
  entries.forEach(({ color, name, detail }, i) => {
    const item = /** @type {HTMLElement} */ (list.children[i]),
      [, nameBox, detailBox] = item.children;
    item.dataset.traceColor = color;
    setText(/** @type {HTMLElement} */ (nameBox), name);
    setText(/** @type {HTMLElement} */ (detailBox), detail);
  });
}

export const traceLegend = {
  id: 'trace-legend',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    const list = byId('trace-legend');
    store.subscribe(['figures', 'traces'], ({ figures, traces }) => {
      const there = (figures?.traces ?? []).filter(({ trace }) => traces.some(({ slot }) => slot === trace.slot));
      const live = { color: '', name: 'Live', detail: figures ? DETECTORS[figures.frame.detector] : '' };
      show(
        list,
        there.length === 0
          ? []
          : [
              live,
              ...there.map((shown) => ({
                color: String(shown.trace.color),
                name: shown.name,
                detail: detailOf(shown),
              })),
            ],
      );
    });
  },
};
