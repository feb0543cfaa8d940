// Presets in the radio's panel: one row each to recall or remove it, and a field that stores the settings in force.

import { presetsOffered, presetText } from './presets.js';
import { keepRows } from '../../ui/kept_rows.js';
import { byId, make, setText } from '../../util/dom.js';

const FORM = `
  <h3>Presets</h3>
  <ul id="preset-list"></ul>
  <form id="preset-form" autocomplete="off">
    <label>New preset <input id="preset-name" maxlength="32" spellcheck="false" placeholder="name" title="Stores the present settings of radio and spectrum under this name"></label>
    <button type="submit">Store</button>
  </form>
  <p id="preset-result" role="status"></p>`;

/** @param {import('../../app/actions.js').Actions} actions @param {string} name */
const makeRow = (actions, name) => make('li', {}, [
  make('button', { type: 'button', className: 'recall', onclick: () => actions.preset('recall', name) }, [make('span', { textContent: name }), make('small')]),
  make('button', { type: 'button', className: 'remove', textContent: '\u00d7', ariaLabel: `Remove ${name}`, onclick: () => actions.preset('remove', name) })]);

/** @param {HTMLElement} row @param {import('./presets.js').Preset} preset @param {Readonly<import('../../app/state.js').State>['control']} control */
function fillRow(row, preset, control) {
  const [recall, remove] = row.querySelectorAll('button');
  recall.disabled = !control.allowed;
  recall.title = control.allowed ? 'Recall this preset' : control.reason;
  setText(/** @type {HTMLElement} */ (recall.lastChild), presetText(preset));
  remove.disabled = !control.permitted;
}

/** @param {Readonly<import('../../app/state.js').State>} state @param {import('../../app/actions.js').Actions} actions */
function showList({ presets, control }, actions) {
  keepRows(byId('preset-list'), presets, { keyOf: ({ name }) => name, create: ({ name }) => makeRow(actions, name), fill: (row, preset) => fillRow(row, preset, control) });
}

/** @param {Readonly<import('../../app/state.js').State>} state */
function showForm(state) {
  byId('presets').hidden = !presetsOffered(state) || (state.presets.length === 0 && !state.control.permitted);
  byId('preset-form').hidden = !state.control.permitted;
}

export const presets = {
  id: 'presets',

  /** @param {import('../feature.js').Page} page */
  mount({ store, actions }) {
    byId('presets').innerHTML = FORM;
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
