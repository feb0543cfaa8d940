// The bar of a box on the waterfall: its edges, and what to do with it.

import { boxText, recordBox, ringSeconds, shortText, zoomToBox } from './box.js';
import { timeMs } from '../../net/wire.js';
import { byId, make, setText } from '../../util/dom.js';

export const box = {
  id: 'box-bar',

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const bar = byId('box-bar'),
      text = make('output'),
      short = make('span', { className: 'short' }),
      button = (/** @type {string} */ textContent, /** @type {() => void} */ onclick) =>
        make('button', { textContent, onclick });
    const record = button('Record', () => recordBox(actions));
    record.title = 'Records it as SigMF';
    const close = button('\u00d7', () => store.update({ box: null }));
    close.ariaLabel = 'Close the box';
    bar.append(
      text,
      short,
      button('Zoom', () => zoomToBox(actions)),
      record,
      close,
    );
    bar.onpointerdown = (event) => event.stopPropagation(); // not a drag of the picture
    store.subscribe(['box', 'boxing'], ({ box: shown, boxing }) => {
      bar.hidden = shown === null;
      if (shown) setText(text, boxText(shown));
      byId('box-mode').setAttribute('aria-pressed', String(boxing));
    });
    store.subscribe(['box', 'figures'], ({ box: shown, figures, status, recordOffered }) => {
      if (shown && figures && recordOffered)
        setText(short, shortText(shown, timeMs(figures.frame), ringSeconds(status)));
    });
    store.subscribe(['recordOffered', 'control'], ({ recordOffered, control }) => {
      record.hidden = !recordOffered;
      record.disabled = !control.permitted;
    });
  },
};
