// Who controls the radio and for how long, at the top of the radio's panel: take over, release, and this user's name.

import { leaseText } from './lease.js';
import { byId, make, setText } from '../../util/dom.js';
import { remember, stored } from '../../util/stored.js';

const NAME_KEY = 'fftd-name',
  NAME_BYTES = 32;

const makeSection = () =>
  make('section', { id: 'lease', 'aria-label': 'Control', hidden: true }, [
    make('p', { id: 'lease-text' }),
    make('p', { className: 'buttons' }, [
      make('button', { id: 'lease-take' }, 'Take over'),
      make('button', { id: 'lease-release' }, 'Release'),
    ]),
    make('label', { id: 'lease-name-label' }, [
      'Your name ',
      make('input', {
        id: 'lease-name',
        maxLength: NAME_BYTES,
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'optional',
        title: 'Shown to others while you control the radio',
      }),
    ]),
  ]);

/** As many characters as fit. @param {string} text */
function shortName(text) {
  let name = text.trim();
  while (new TextEncoder().encode(name).length > NAME_BYTES) name = name.slice(0, -1);
  return name;
}

/** @param {Readonly<import('../../app/state.js').State>} state */
function show({ lease, control: { permitted, allowed, refusal } }) {
  const text = leaseText(lease, permitted, performance.now());
  byId('lease').hidden = !lease;
  setText(byId('lease-text'), text);
  byId('lease-take').hidden = !permitted || allowed;
  byId('lease-release').hidden = !permitted || !lease?.yours;
  byId('lease-name-label').hidden = !permitted;
  byId('lease').dataset.holder = lease?.yours ? 'you' : lease?.user ? 'other' : 'nobody';
  byId('control-reason').hidden = permitted && Boolean(lease); // the lease says it
  setText(byId('control-reason'), permitted ? 'You have control.' : refusal);
  byId('control-reason').dataset.allowed = String(permitted);
}

export const lease = {
  id: 'lease',
  element: makeSection,
  place: { before: '#token-form' },

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const name = /** @type {HTMLInputElement} */ (byId('lease-name'));
    name.value = shortName(stored(NAME_KEY));
    actions.server.useName?.(name.value);
    name.onchange = () => {
      name.value = shortName(name.value);
      remember(NAME_KEY, name.value);
      actions.server.useName?.(name.value);
      if (store.state.control.permitted && store.state.lease) actions.server.lease?.();
    };
    byId('lease-take').onclick = () => actions.server.lease?.('take');
    byId('lease-release').onclick = () => actions.server.lease?.('release');
    store.subscribe(['lease', 'control'], show);
    setInterval(() => {
      if (store.state.lease?.user && store.state.controlsOpen) show(store.state);
    }, 1000);
    store.subscribe(['controlsOpen'], show);
  },
};
