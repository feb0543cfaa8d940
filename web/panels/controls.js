// The radio's controls: a field for each setting that the server offers. They show the current settings, send the changed
// ones, and say what is really in force and why a value was refused.

import { byId, choose, make, setText } from '../util/dom.js';
import { deviation, readSetting, settingsOf, settingText } from '../app/settings.js';
import { makeField } from '../ui/setting_field.js';

/**
 * @typedef {import('../app/state.js').State} State
 * @typedef {import('../ui/setting_field.js').Control} Control
 * @typedef {import('../ui/setting_field.js').Field} Field
 */

/** A heading for each group of settings, in the server's order. @param {string} group */
const heading = (group) => make('h3', { textContent: group.charAt(0).toUpperCase() + group.slice(1) });

class RadioForm {
  /** @param {import('../app/actions.js').Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.form = /** @type {HTMLFormElement} */ (byId('radio'));
    this.form.onsubmit = (event) => { event.preventDefault(); this.#submit(); };
    this.form.oninput = (event) => this.#edited(/** @type {Control} */ (event.target));
    this.form.onreset = (event) => { event.preventDefault(); this.#undo(); };
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

  /** Makes the fields anew where the server offers others than before; what was typed or chosen stays. @param {State['choices']} choices */
  useChoices(choices) {
    if (!choices || JSON.stringify(choices) === this.offered) return;
    this.offered = JSON.stringify(choices);
    const before = this.fields, list = byId('radio-list'), groups = new Map();
    this.fields = new Map();
    list.replaceChildren();
    for (const [name, choice] of Object.entries(settingsOf(choices))) {
      if (!groups.has(choice.group)) groups.set(choice.group, list.appendChild(make('section')));
      const group = groups.get(choice.group);
      if (choice.group && !group.hasChildNodes()) group.append(heading(choice.group));
      this.fields.set(name, makeField(name, choice, group));
    }
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
      const { control } = field, text = settingText(name, field.choice, status);
      if (control.dataset.edited || control === document.activeElement) continue;
      if (control instanceof HTMLSelectElement) choose(control, text);
      else if (control.value !== text) control.value = text;
    }
  }

  /** @param {string} name @param {Field} field @param {Record<string, any>} status */
  #showDeviation(name, field, status) {
    const text = deviation(name, field.choice, status), news = `${status.wanted[name]} ${text}`;
    const settled = news === field.seen;
    field.seen = news;
    if (field.control.getAttribute('aria-invalid') || !settled) return;
    setText(field.note, text && `in force: ${text}`);
    if (!text || !this.accepted.includes(name)) return;
    this.accepted = this.accepted.filter((other) => other !== name);
    setText(byId('set-result'), `${field.choice.label} is ${text}, not ${settingText(name, field.choice, status)}.`);
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
    this.actions.clearSetResult();
  }

  #submit() {
    /** @type {Record<string, unknown>} */
    const values = {};
    for (const [name, { choice, control }] of this.fields) {
      if (!control.dataset.edited) continue;
      const reading = readSetting(choice, control.value);
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
    setText(byId('set-result'), kind === 'failed' && this.fields.has(field) ? '' : text);
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

/** @param {import('../app/actions.js').Actions} actions */
function sendToken(actions) {
  const input = /** @type {HTMLInputElement} */ (byId('token'));
  if (!input.value) return;
  actions.takeControl(input.value);
  input.value = ''; // only the connection keeps it: it is never stored and never in the address
}

export const controls = {
  id: 'controls',

  /** @param {import('../app/state.js').Store} store @param {import('../app/actions.js').Actions} actions */
  mount(store, actions) {
    const form = new RadioForm(actions);
    byId('token-form').onsubmit = (event) => { event.preventDefault(); sendToken(actions); };
    byId('controls-close').onclick = () => actions.toggleControls(false);
    store.subscribe(['controlsOpen'], ({ controlsOpen }) => showPanel(controlsOpen));
    store.subscribe(['control'], ({ control }) => showControl(control));
    store.subscribe(['choices'], ({ choices }) => form.useChoices(choices));
    store.subscribe(['status'], ({ status }) => form.show(status));
    store.subscribe(['setResult'], ({ setResult }) => form.showResult(setResult));
  },
};
