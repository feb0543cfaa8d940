// The form of a radio's settings: a field for each setting that the server offers. They show the current settings, give
// the
// changed ones to whoever sends them, and say what is really in force and why a value was refused.

import { deviation, readSetting, settingsOf, settingText, understoodSetting } from '../app/settings.js';
import { choose, make, setText } from '../util/dom.js';
import { makeField } from './setting_field.js';

/**
 * @typedef {import('../app/state.js').State} State
 * @typedef {import('./setting_field.js').Control} Control
 * @typedef {import('./setting_field.js').Field} Field
 * @typedef {import('../net/choices.js').Choice} Choice
 * @typedef {(list: HTMLElement) => (name: string, choice: Choice) => HTMLElement} Placing  where a field of an empty
 *   list goes
 *
 * @typedef {object} FormParts
 * @property {HTMLFormElement} form
 * @property {HTMLElement} list  of the fields
 * @property {HTMLElement} result  what came of the newest request
 * @property {Placing} [placing]
 * @property {string} [prefix]  of ids, where the document has several such forms
 */

/** A section with a heading for each group of settings, in the server's order. @type {Placing} */
export const byGroup = (list) => {
  /** @type {Map<string, HTMLElement>} */
  const groups = new Map();
  return (_, { group }) => {
    const heading = group ? [make('h3', { textContent: group.charAt(0).toUpperCase() + group.slice(1) })] : [];
    const section = groups.get(group) ?? list.appendChild(make('section', {}, heading));
    groups.set(group, section);
    return section;
  };
};

export class RadioForm {
  /** @param {FormParts} parts @param {Pick<import('../app/actions.js').Actions, 'set' | 'clearSetResult'>} actions */
  constructor({ form, list, result, placing = byGroup, prefix = '' }, actions) {
    this.form = form;
    this.list = list;
    this.result = result;
    this.placing = placing;
    this.prefix = prefix;
    this.actions = actions;
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    this.form.oninput = (event) => this.#edited(/** @type {Control} */ (event.target));
    this.form.onreset = (event) => {
      event.preventDefault();
      this.#undo();
    };
    /** @type {Map<string, Field>} */
    this.fields = new Map();
    /** @type {Record<string, any> | null} */
    this.status = null;
    this.offered = '';
    /** @type {string[]}  names of the newest request */
    this.asked = [];
    /** @type {string[]}  those accepted of which nothing was said yet */
    this.accepted = [];
  }

  /**
   * Makes the fields anew where the server offers others than before; what was typed or chosen stays.
   * @param {State['choices']} choices
   */
  useChoices(choices) {
    if (!choices || JSON.stringify(choices) === this.offered) return;
    this.offered = JSON.stringify(choices);
    const before = this.fields;
    this.fields = new Map();
    this.list.replaceChildren();
    const place = this.placing(this.list);
    for (const [name, choice] of Object.entries(settingsOf(choices)))
      this.fields.set(name, makeField(name, choice, place(name, choice), this.prefix));
    for (const [name, { control }] of before) if (control.dataset.edited) this.#keepEdit(name, control.value);
    this.show(this.status);
  }

  /** @param {string} name @param {string} value */
  #keepEdit(name, value) {
    const control = this.fields.get(name)?.control;
    if (!control) return;
    if (control instanceof HTMLSelectElement) choose(control, value);
    else control.value = value;
    control.dataset.edited = 'yes';
  }

  /** Shows the current values in every field that is not being edited. @param {State['status']} status */
  show(status) {
    if (!status?.wanted || !status.source?.tuning) return;
    this.status = status;
    for (const [name, field] of this.fields) {
      this.#showDeviation(name, field, status);
      const { control } = field,
        text = settingText(name, field.choice, status);
      if (control.dataset.edited || control === document.activeElement) continue;
      if (control instanceof HTMLSelectElement) choose(control, text);
      else if (control.value !== text) control.value = text;
    }
  }

  /** @param {string} name @param {Field} field @param {Record<string, any>} status */
  #showDeviation(name, field, status) {
    const text = deviation(name, field.choice, status),
      refusal = `${status.wanted[name]} ${text}`;
    const settled = refusal === field.seen;
    field.seen = refusal;
    if (field.control.getAttribute('aria-invalid') || field.control.dataset.edited || !settled) return;
    setText(field.note, text && `in force: ${text}`);
    if (!text || !this.accepted.includes(name)) return;
    this.accepted = this.accepted.filter((other) => other !== name);
    setText(this.result, `${field.choice.label} is ${text}, not ${settingText(name, field.choice, status)}.`);
  }

  /** @param {string} name @param {string} text  "": none */
  #showError(name, text) {
    const field = this.fields.get(name);
    if (!field) return;
    if (text) field.control.setAttribute('aria-invalid', 'true');
    else field.control.removeAttribute('aria-invalid');
    setText(field.note, text);
  }

  /** @param {Control} control */
  #edited(control) {
    control.dataset.edited = 'yes';
    this.#showError(control.name, '');
    const field = this.fields.get(control.name);
    if (field) setText(field.note, understoodSetting(field.choice, control.value, this.#shown(control.name)));
    this.actions.clearSetResult();
  }

  /** What the field shows while nobody edits it. @param {string} name */
  #shown(name) {
    const field = this.fields.get(name);
    return field && this.status ? settingText(name, field.choice, this.status) : '';
  }

  #submit() {
    /** @type {Record<string, unknown>} */
    const values = {};
    for (const [name, { choice, control }] of this.fields) {
      if (!control.dataset.edited) continue;
      const reading = readSetting(choice, control.value, this.#shown(name));
      if ('error' in reading) return this.#refuse(name, reading.error);
      values[name] = reading.value;
    }
    if (Object.keys(values).length === 0) return;
    this.asked = Object.keys(values);
    this.actions.set(values);
  }

  /** @param {string} name @param {string} text */
  #refuse(name, text) {
    this.#showError(name, text);
    this.fields.get(name)?.control.focus();
  }

  /** @param {State['setResult']} result */
  showResult({ kind, field, text, from }) {
    if (from !== 'radio') return;
    this.accepted = kind === 'done' ? this.asked : [];
    if (kind === 'done') this.#forgetEdits();
    if (kind === 'failed' && this.fields.has(field)) this.#refuse(field, text);
    setText(this.result, kind === 'failed' && this.fields.has(field) ? '' : text);
  }

  /** The next status brings the new values; until then the fields keep what was typed. */
  #forgetEdits() {
    for (const [name, { control }] of this.fields) {
      delete control.dataset.edited;
      if (control.getAttribute('aria-invalid')) this.#showError(name, '');
    }
  }

  #undo() {
    this.#forgetEdits();
    this.actions.clearSetResult();
    this.show(this.status);
  }
}
