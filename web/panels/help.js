// The list of keys and gestures.

import { KEYS } from '../app/keys.js';
import { byId } from '../util/dom.js';

export const help = {
  id: 'help',

  /** @param {import('../app/state.js').Store} store @param {import('../app/actions.js').Actions} actions */
  mount(store, actions) {
    const dialog = /** @type {HTMLDialogElement} */ (byId('help'));
    for (const { label, text } of KEYS) {
      byId('keys').appendChild(document.createElement('dt')).textContent = label;
      byId('keys').appendChild(document.createElement('dd')).textContent = text;
    }
    byId('help-open').onclick = () => actions.showHelp(true);
    byId('help-close').onclick = () => actions.showHelp(false);
    dialog.onclose = () => actions.showHelp(false); // closed with Escape
    store.subscribe(['helpOpen'], ({ helpOpen }) => {
      if (helpOpen && !dialog.open) dialog.showModal();
      if (!helpOpen) dialog.close();
    });
  },
};
