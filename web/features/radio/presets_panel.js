// Presets in the radio's panel: one row each to recall or remove it, and a field that stores the settings in force.

import { presetsOffered, presetText } from './presets.js';
import { keepRows } from '../../ui/kept_rows.js';
import { byId, make, setText } from '../../util/dom.js';

const makeSection = () =>
  make('section', { id: 'presets', 'aria-label': 'Presets', hidden: true }, [
    make('h3', {}, 'Presets'),
    make('ul', { id: 'preset-list' }),
    make('form', { id: 'preset-form', autocomplete: 'off' }, [
      make('label', {}, [
        'New preset ',
        make('input', {
          id: 'preset-name',
          maxLength: 32,
          spellcheck: false,
          placeholder: 'name',
          title: 'Stores the present settings of radio and spectrum under this name',
        }),
      ]),
      make('button', { type: 'submit' }, 'Store'),
    ]),
    make('p', { id: 'preset-result', role: 'status' }),
  ]);

/** @param {import('../../app/actions.js').Actions} actions @param {string} name */
const makeRow = (actions, name) =>
  make('li', {}, [
    make('button', { className: 'recall', onclick: () => actions.preset('recall', name) }, [
      make('span', { textContent: name }),
      make('small'),
    ]),
    make('button', {
      className: 'remove',
      textContent: '\u00d7',
      'aria-label': `Remove ${name}`,
      onclick: () => actions.preset('remove', name),
    }),
  ]);

/**
 * @param {HTMLElement} row
 * @param {import('./presets.js').Preset} preset
 * @param {Readonly<import('../../app/state.js').State>['control']} control
 */
function fillRow(row, preset, control) {
  const [recall, remove] = row.querySelectorAll('button');
  recall.disabled = !control.allowed;
  recall.title = control.allowed ? 'Recall this preset' : control.reason;
  setText(/** @type {HTMLElement} */ (recall.lastChild), presetText(preset));
  remove.disabled = !control.permitted;
}

/**
 * @param {Readonly<import('../../app/state.js').State>} state
 * @param {import('../../app/actions.js').Actions} actions
 */
function showList({ presets, control }, actions) {
  keepRows(byId('preset-list'), presets, {
    keyOf: ({ name }) => name,
    create: ({ name }) => makeRow(actions, name),
    fill: (row, preset) => fillRow(row, preset, control),
  });
}

/** @param {Readonly<import('../../app/state.js').State>} state */
function showForm(state) {
  byId('presets').hidden = !presetsOffered(state) || (state.presets.length === 0 && !state.control.permitted);
  byId('preset-form').hidden = !state.control.permitted;
}

export const presets = {
  id: 'presets',
  element: makeSection,
  place: { before: '#radio' },

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const name = /** @type {HTMLInputElement} */ (byId('preset-name'));
    let asked = ''; // the name that is being stored
    byId('preset-form').onsubmit = (event) => {
      event.preventDefault();
      asked = name.value.trim();
      if (asked) actions.preset('store', asked);
      else name.focus();
    };
    store.subscribe(['presets', 'control'], (state) => showList(state, actions));
    store.subscribe(['presets', 'control', 'limits'], showForm);
    store.subscribe(['setResult'], ({ setResult: { kind, text, from } }) => {
      if (from !== 'presets') return;
      setText(byId('preset-result'), kind === 'failed' ? text : '');
      if (kind === 'done' && name.value.trim() === asked) name.value = ''; // else it was another preset's
    });
  },
};
