// A message across the top of the picture, until it is closed or 12 seconds old.

import { byId, setText } from '../../util/dom.js';

const SHOWN_MS = 12000;
const MAX_CHARACTERS = 400;

export const message = {
  id: 'message',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    const box = byId('message');
    const close = () => {
      box.hidden = true;
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    byId('message-close').onclick = close;
    store.subscribe(['message'], ({ message: shown }) => {
      if (!shown) {
        close();
        return;
      }
      setText(byId('message-text'), shown.text.slice(0, MAX_CHARACTERS));
      box.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(close, SHOWN_MS);
    });
  },
};
