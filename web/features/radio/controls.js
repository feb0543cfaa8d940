// The radio's controls: the form of its settings, the token, and who may use them.

import { byId } from '../../util/dom.js';
import { RadioForm } from '../../ui/radio_form.js';

/** @typedef {import('../../app/state.js').State} State */

/** @param {State['control']} control */
function showControl({ allowed, permitted }) {
  /** @type {HTMLFieldSetElement} */ (byId('radio-fields')).disabled = !allowed;
  byId('token-form').hidden = permitted;
}

/** @param {boolean} open */
function showPanel(open) {
  const hadFocus = byId('controls').contains(document.activeElement);
  byId('controls').hidden = !open;
  byId('controls-open').setAttribute('aria-expanded', String(open));
  if (!open && hadFocus) byId('controls-open').focus();
  if (open) byId('controls-close').focus();
}

/** @param {import('../../app/actions.js').Actions} actions */
function sendToken(actions) {
  const input = /** @type {HTMLInputElement} */ (byId('token'));
  if (!input.value) return;
  actions.takeControl(input.value);
  input.value = ''; // only the connection keeps it: it is never stored and never in the address
}

export const controls = {
  id: 'controls',

  /** @param {import('../feature.js').Page} page */
  mount({ store, actions }) {
    const form = new RadioForm({ form: /** @type {HTMLFormElement} */ (byId('radio')), list: byId('radio-list'), result: byId('set-result') }, actions);
    byId('token-form').onsubmit = (event) => { event.preventDefault(); sendToken(actions); };
    byId('controls-close').onclick = () => actions.toggleControls(false);
    store.subscribe(['controlsOpen'], ({ controlsOpen }) => showPanel(controlsOpen));
    store.subscribe(['control'], ({ control }) => showControl(control));
    store.subscribe(['choices'], ({ choices }) => form.useChoices(choices));
    store.subscribe(['status'], ({ status }) => form.show(status));
    store.subscribe(['setResult'], ({ setResult }) => form.showResult(setResult));
  },
};
