// A link to a band that the radio does not receive: whether to tune there.

import { overlaps, spanOf } from '../../plot/view.js';
import { byId, make, setText } from '../../util/dom.js';
import { formatHz, hzUnit } from '../../util/format.js';

/**
 * @typedef {import('../../plot/view.js').View} View
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

/** The band that a link shows; null: it names none. @param {import('../../util/hash.js').Settings} hash */
export const bandOfLink = ({ low, high }) =>
  low === undefined || high === undefined ? null : { lowHz: low, highHz: high };

/** "144 – 146 MHz", to a thousandth of the width. @param {View} band */
export function bandText({ lowHz, highHz }) {
  const resolution = 10 ** Math.floor(Math.log10((highHz - lowHz) / 100)),
    low = formatHz(lowHz, resolution),
    high = formatHz(highHz, resolution);
  const isSame = hzUnit(lowHz).unit === hzUnit(highHz).unit;
  return `${isSame ? low.replace(/\s\S+$/, '') : low} \u2013 ${high}`;
}

/**
 * With the first spectrum after a link: the band to ask about, if the radio does not receive any of it.
 * @param {State} state @returns {Partial<State>}
 */
export function checkLink({ linkBand, linkAsked, frame }) {
  if (!frame || frame.rateAssumed) return {};
  const away = (/** @type {View | null} */ band) => band !== null && !overlaps(band, spanOf(frame));
  if (linkBand) return { linkBand: null, linkAsked: away(linkBand) ? linkBand : null };
  return linkAsked && !away(linkAsked) ? { linkAsked: null } : {};
}

const makeQuestion = () =>
  make('div', { id: 'link-question', role: 'alert', hidden: true }, [
    make('span'),
    make('button', { id: 'link-tune', className: 'primary' }, 'Tune'),
    make('button', { id: 'link-stay' }, 'Stay'),
  ]);

export const linkQuestion = {
  id: 'link-question',
  element: makeQuestion,
  place: { into: '#middle' },

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const box = byId('link-question'),
      tune = byId('link-tune');
    const close = () => {
      store.update({ linkAsked: null });
      byId('display').focus({ preventScroll: true });
    };
    byId('link-stay').onclick = close;
    tune.onclick = () => {
      const { linkAsked } = store.state;
      close();
      if (linkAsked) actions.tuning.show(linkAsked);
    };
    store.subscribe(['frame', 'linkBand'], (state) => store.update(checkLink(state)));
    store.subscribe(['linkAsked', 'control', 'status'], ({ linkAsked, control, status }) => {
      box.hidden = linkAsked === null;
      if (!linkAsked) return;
      const isFile = status?.source?.name === 'file',
        why = isFile ? ' The recording has other frequencies.' : control.allowed ? '' : ` ${control.reason}`;
      setText(/** @type {HTMLElement} */ (box.firstElementChild), `This link shows ${bandText(linkAsked)}.${why}`);
      tune.hidden = why !== '';
    });
  },
};
