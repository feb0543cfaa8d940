// The radio's controls: the form of its settings, the token, and who may use them.

import { byId, make } from '../../util/dom.js';
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

const makePanel = () =>
  make('aside', { id: 'controls', 'aria-label': 'Radio', hidden: true }, [
    make('h2', {}, ['Radio ', make('button', { id: 'controls-close', 'aria-label': 'Close' }, '\u00d7')]),
    make('p', { id: 'control-reason', 'data-allowed': 'false' }),
    make('form', { id: 'token-form', autocomplete: 'off' }, [
      make('label', {}, [
        'Control token ',
        make('input', { id: 'token', type: 'password', autocomplete: 'off', spellcheck: false }),
      ]),
      make('button', { type: 'submit' }, 'Take control'),
    ]),
    make('form', { id: 'radio', autocomplete: 'off', noValidate: true }, [
      make('fieldset', { id: 'radio-fields', disabled: true }, [
        make('div', { id: 'radio-list' }),
        make('p', { className: 'buttons' }, [
          make('button', { type: 'submit', className: 'primary' }, 'Set'),
          ' ',
          make('button', { type: 'reset' }, 'Undo'),
        ]),
      ]),
      make('p', { id: 'set-result', role: 'status' }),
    ]),
  ]);

export const controls = {
  id: 'controls',
  element: makePanel,
  place: { into: '#middle' },

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const form = new RadioForm(
      { form: /** @type {HTMLFormElement} */ (byId('radio')), list: byId('radio-list'), result: byId('set-result') },
      actions,
    );
    byId('token-form').onsubmit = (event) => {
      event.preventDefault();
      sendToken(actions);
    };
    byId('controls-close').onclick = () => actions.toggleControls(false);
    store.subscribe(['controlsOpen'], ({ controlsOpen }) => showPanel(controlsOpen));
    store.subscribe(['control'], ({ control }) => showControl(control));
    store.subscribe(['choices'], ({ choices }) => form.useChoices(choices));
    store.subscribe(['status'], ({ status }) => form.show(status));
    store.subscribe(['setResult'], ({ setResult }) => form.showResult(setResult));
  },
};
