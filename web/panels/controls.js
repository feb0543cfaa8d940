// The radio's controls: show the current settings, send the changed ones, and give the reason if they cannot.

import { isWithin } from '../net/choices.js';
import { byId, choose, offer } from '../util/dom.js';
import { plainSi } from '../util/format.js';
import { parseQuantity } from '../util/quantity.js';

/**
 * @typedef {object} Field  of "set" in daemon/wire/wire.h
 * @property {(status: Record<string, any>) => unknown} current  value of the field
 * @property {(text: string) => number | string | undefined} parse  undefined: not a value
 * @property {string} wants  for people
 *
 * @typedef {HTMLInputElement | HTMLSelectElement} Control
 * @typedef {import('../app/state.js').State} State
 */

/** A parser of texts. @param {string} quantity @returns {Field['parse']} */
const number = (quantity) => (text) => {
  const value = parseQuantity(text, quantity);
  return Number.isNaN(value) ? undefined : value;
};

/** @param {string} text */
const word = (text) => text.trim() || undefined;

/** @param {unknown} wanted  0 and null: the source's own @param {unknown} actual  null: nobody knows */
const wantedOr = (wanted, actual) => (wanted || actual !== null ? plainSi(Number(wanted || actual || 0)) : '');

/** @type {Record<string, Field>} */
const FIELDS = {
  center_hz: { current: (s) => wantedOr(s.wanted.center_hz, s.source.tuning.center_hz), parse: number('hz'),
    wants: 'a frequency, such as 433.92M' },
  rate_hz: { current: (s) => wantedOr(s.wanted.rate_hz, s.source.tuning.rate_hz), parse: number('rate'),
    wants: 'a sample rate, such as 2.4M' },
  gain: { current: (s) => s.wanted.gain, parse: word, wants: 'a gain' },
  fft_size: { current: (s) => s.wanted.fft_size, parse: number('size'), wants: 'an FFT size' },
  window: { current: (s) => s.wanted.window, parse: word, wants: 'a window' },
  overlap: { current: (s) => s.wanted.overlap, parse: number('percent'), wants: 'an overlap' },
  line_rate: { current: (s) => s.wanted.line_rate, parse: number('lines'), wants: 'a number of lines per second' },
};

class RadioForm {
  /** @param {import('../app/actions.js').Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.form = /** @type {HTMLFormElement} */ (byId('radio'));
    this.form.onsubmit = (event) => { event.preventDefault(); this.#submit(); };
    this.form.oninput = (event) => this.#edited(/** @type {Control} */ (event.target));
    this.form.onreset = (event) => { event.preventDefault(); this.#undo(); };
    /** @type {Record<string, any> | null} */
    this.status = null;
    /** @type {import('../net/choices.js').Choices} */
    this.choices = {};
    // The text fields of index.html, which serve where the server offers no values.
    this.inputs = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, this.#control(name)]));
    this.titles = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, this.#control(name).title]));
  }

  /** @param {string} name @returns {Control} */
  #control(name) { return /** @type {Control} */ (this.form.elements.namedItem(name)); }

  /** @param {State['choices']} choices */
  useChoices(choices) {
    if (!choices || JSON.stringify(choices) === JSON.stringify(this.choices)) return;
    this.choices = choices;
    for (const name of Object.keys(FIELDS)) this.#useChoice(name, choices[name]);
    this.show(this.status);
  }

  /**
   * A select where the server offers values, else the text field; what was typed or chosen stays.
   * @param {string} name
   * @param {import('../net/choices.js').Choice | undefined} choice
   */
  #useChoice(name, choice) {
    const old = this.#control(name), control = choice?.values ? document.createElement('select') : this.inputs[name];
    control.name = name;
    control.title = this.titles[name] || choice?.expected || '';
    if (control instanceof HTMLSelectElement) offer(control, choice?.values ?? [], old.value);
    else control.value = old.value;
    if (old.dataset.edited) control.dataset.edited = old.dataset.edited;
    else delete control.dataset.edited;
    if (control !== old) old.replaceWith(control);
  }

  /** Shows the current values in every field that is not being edited. @param {State['status']} status */
  show(status) {
    if (!status?.wanted || !status.source?.tuning) return;
    this.status = status;
    for (const [name, field] of Object.entries(FIELDS)) {
      const control = this.#control(name), text = String(field.current(status) ?? '');
      if (control.dataset.edited || control === document.activeElement) continue;
      if (control instanceof HTMLSelectElement) choose(control, text);
      else if (control.value !== text) control.value = text;
    }
  }

  /** @param {Control} control */
  #edited(control) {
    control.dataset.edited = 'yes';
    control.setCustomValidity('');
    this.actions.clearSetResult();
  }

  #submit() {
    /** @type {Record<string, unknown>} */
    const fields = {};
    for (const [name, field] of Object.entries(FIELDS)) {
      const control = this.#control(name);
      if (!control.dataset.edited) continue;
      const value = field.parse(control.value), choice = this.choices[name];
      if (value === undefined || (typeof value === 'number' && !isWithin(choice, value))) {
        control.setCustomValidity(`Not ${field.wants}${choice?.expected ? `: expected ${choice.expected}` : ''}.`);
        control.reportValidity();
        return;
      }
      fields[name] = value;
    }
    if ('line_rate' in fields) fields.average = 0; // a number of frames to average would override it
    if (Object.keys(fields).length > 0) this.actions.set(fields);
  }

  /** The next status brings the new values; until then the fields keep what was typed. */
  forgetEdits() {
    for (const name of Object.keys(FIELDS)) {
      delete this.#control(name).dataset.edited;
      this.#control(name).setCustomValidity('');
    }
  }

  #undo() {
    this.forgetEdits();
    this.actions.clearSetResult();
    this.show(this.status);
  }
}

/** @param {State['control']} control */
function showControl({ allowed, reason }) {
  /** @type {HTMLFieldSetElement} */ (byId('radio-fields')).disabled = !allowed;
  byId('control-reason').textContent = allowed ? 'You have control.' : reason;
  byId('control-reason').dataset.allowed = String(allowed);
  byId('token-form').hidden = allowed;
}

/** @param {boolean} open */
function showPanel(open) {
  byId('controls').hidden = !open;
  byId('controls-open').setAttribute('aria-expanded', String(open));
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
    byId('controls-open').onclick = () => actions.toggleControls();
    byId('controls-close').onclick = () => actions.toggleControls(false);
    store.subscribe(['controlsOpen'], ({ controlsOpen }) => showPanel(controlsOpen));
    store.subscribe(['control'], ({ control }) => showControl(control));
    store.subscribe(['choices'], ({ choices }) => form.useChoices(choices));
    store.subscribe(['status'], ({ status }) => form.show(status));
    store.subscribe(['setResult'], ({ setResult }) => {
      byId('set-result').textContent = setResult.text;
      if (setResult.kind === 'done') form.forgetEdits();
    });
  },
};
