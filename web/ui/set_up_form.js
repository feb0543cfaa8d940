// The form that adds or changes a measurement or a trigger: its fields come from the server's list of types.

import { make } from '../util/dom.js';
import { sentText, shownText, understoodText, unitBeside } from '../util/key_text.js';
import { freeName } from '../util/measure_text.js';
import { GROUPS, groupOf, labelOf } from '../util/words.js';
import { understoodBeside } from './understood.js';

/**
 * @typedef {import('../features/measure/measure.js').Key} Key
 * @typedef {import('../features/measure/measure.js').Type} Type
 * @typedef {import('../features/measure/measure.js').Types} Types
 *
 * @typedef {object} Options
 * @property {string} id  of the select of types
 * @property {string} first  the type of a new one
 * @property {string} common  heading of the keys that all types have
 * @property {(type: string) => Record<string, string>} propose  values for a new one
 * @property {() => string[]} taken  names
 * @property {(name: string, type: string, keys: Record<string, string>, isNew: boolean) => void} send
 * @property {() => void} [onFill]  the fields are new ones
 */

/** @param {Key} described @param {string} value  '': the default */
function fieldOf(described, value) {
  const { key, about, expected, default: fallback, values, unit } = described;
  const control = make(values ? 'select' : 'input', { name: key, title: `${about}: ${expected}` });
  if (control instanceof HTMLSelectElement) {
    for (const each of values ?? []) control.add(new Option(labelOf(each), each));
    control.value = value || fallback;
    return make('label', {}, [`${labelOf(key)} `, control]);
  }
  control.placeholder = fallback === '0' && unit === 'Hz' ? '' : shownText(described, fallback);
  control.spellcheck = false;
  control.value = control.dataset.shown = shownText(described, value);
  const beside = unit === 'Hz' ? [understoodBeside(control, (text) => understoodText(described, text, value))] : [];
  const said = unitBeside(described, control.value);
  return make('label', {}, [
    `${labelOf(key)} `,
    control,
    ...(said ? [make('small', { className: 'unit' }, said)] : []),
    ...beside,
  ]);
}

export class SetUpForm {
  /** @type {Types} */
  #types = { types: [], common: [] };
  #name = ''; // that is changed; '': a new one

  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.type = make('select', { id: options.id, onchange: () => this.#fill({}, options.propose(this.type.value)) });
    this.about = make('p', { className: 'keys' });
    this.fields = make('div');
    this.common = make('details');
    this.submit = make('button', { type: 'submit', className: 'primary' });
    this.element = make(
      'form',
      {
        autocomplete: 'off',
        noValidate: true,
        hidden: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#send();
        },
      },
      [
        make('label', {}, ['Type ', this.type]),
        this.about,
        this.fields,
        this.common,
        make('p', { className: 'buttons' }, [
          this.submit,
          make('button', { textContent: 'Cancel', onclick: () => this.close() }),
        ]),
      ],
    );
  }

  /** @param {Types} types */
  use(types) {
    this.#types = types;
    const optionsOf = (/** @type {string} */ group) =>
      types.types.filter(({ name }) => groupOf(name) === group).map(({ name }) => new Option(labelOf(name), name));
    this.type.replaceChildren(
      ...GROUPS.flatMap((group) => {
        const options = optionsOf(group);
        return group && options.length > 0 ? [make('optgroup', { label: group }, options)] : options;
      }),
    );
  }

  add() {
    this.#name = '';
    this.type.disabled = false;
    this.type.value = this.options.first;
    if (!this.type.value) this.type.selectedIndex = 0;
    this.#fill({}, this.options.propose(this.type.value));
    this.#open('Add');
  }

  /** @param {{ name: string, type: string, keys?: Record<string, string> }} one */
  edit({ name, type, keys }) {
    this.#name = name;
    this.type.value = type;
    this.type.disabled = true;
    this.#fill(keys ?? {}, {});
    this.#open('Set');
  }

  /** Of the type that is shown. @param {string} key @returns {HTMLInputElement | null} */
  field(key) {
    return /** @type {HTMLInputElement | null} */ (this.element.elements.namedItem(key));
  }

  /** @param {string} label */
  #open(label) {
    this.submit.textContent = label;
    this.element.hidden = false;
    this.element.scrollIntoView({ block: 'nearest' });
    (this.#name ? this.fields.querySelector('input') : this.type)?.focus();
  }

  close() {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.options.onFill?.();
  }

  /** @param {Record<string, string>} keys @param {Record<string, string>} proposed  for fields of the type */
  #fill(keys, proposed) {
    const type = this.#types.types.find(({ name }) => name === this.type.value);
    this.about.textContent = type ? `${type.about}.` : '';
    this.fields.replaceChildren(
      ...(type?.keys ?? []).map((key) => fieldOf(key, keys[key.key] ?? proposed[key.key] ?? '')),
    );
    this.common.replaceChildren(
      make('summary', { textContent: this.options.common }),
      ...this.#types.common.map((key) => fieldOf(key, keys[key.key] ?? '')),
    );
    this.common.open = this.#types.common.some(({ key }) => key in keys);
    this.options.onFill?.();
  }

  #send() {
    const all = [
      ...(this.#types.types.find(({ name }) => name === this.type.value)?.keys ?? []),
      ...this.#types.common,
    ];
    /** @type {Record<string, string>} */
    const keys = {};
    for (const described of all) {
      const { key, default: fallback } = described,
        field = this.field(key),
        value = field ? sentText(described, field.value, field.dataset.shown ?? '') : '';
      if (value !== '' && value !== fallback) keys[key] = value;
    }
    this.options.send(
      this.#name || freeName(this.type.value, this.options.taken()),
      this.type.value,
      keys,
      !this.#name,
    );
  }
}
