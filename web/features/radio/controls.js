// The radio's controls: the form of its settings, the token, and who may use them.

import { inDock, makePanel } from '../dock/panel.js';
import { byId, make } from '../../util/dom.js';
import { RadioForm } from '../../ui/radio_form.js';

/** @typedef {import('../../app/state.js').State} State */

/** @param {State} state */
function showControl({ control: { allowed, permitted }, tokenHelps }) {
  /** @type {HTMLFieldSetElement} */ (byId('radio-fields')).disabled = !allowed;
  byId('token-form').hidden = permitted || !tokenHelps;
}

/** @param {import('../../app/actions.js').Actions} actions */
function sendToken(actions) {
  const input = /** @type {HTMLInputElement} */ (byId('token'));
  if (!input.value) return;
  actions.takeControl(input.value);
  input.value = ''; // only the connection keeps it: it is never stored and never in the address
}

const makeControls = () =>
  makePanel('controls', [
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
  element: makeControls,
  place: inDock,

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
    store.subscribe(['control', 'tokenHelps'], showControl);
    store.subscribe(['choices'], ({ choices }) => form.useChoices(choices));
    store.subscribe(['status'], ({ status }) => form.show(status));
    store.subscribe(['setResult'], ({ setResult }) => form.showResult(setResult));
  },
};
