// The radio's controls: shows what is set, sends what was changed, and says why it may not.

import { addOption, byId } from '../util/dom.js';
import { parseSi, plainSi } from '../util/format.js';

/**
 * @typedef {object} Field  of "set" in daemon/wire/wire.h
 * @property {(status: Record<string, any>) => unknown} current  value of the field
 * @property {(text: string) => unknown} parse  undefined: not a value
 * @property {string} wants  for people
 *
 * @typedef {HTMLInputElement | HTMLSelectElement} Control
 * @typedef {import('../app/state.js').State} State
 */

/** @param {number} min @param {number} max @returns {(text: string) => number | undefined} */
const si = (min, max) => (text) => {
  const value = parseSi(text);
  return value >= min && value <= max ? value : undefined;
};

/** @param {unknown} wanted  0 and null: the source's own @param {unknown} actual */
const wantedOr = (wanted, actual) => plainSi(Number(wanted || actual || 0));

/** @type {Record<string, Field>} */
const FIELDS = {
  center_hz: { current: (s) => wantedOr(s.wanted.center_hz, s.source.tuning.center_hz), parse: si(0, 1e12),
    wants: 'a frequency, as 433.92M' },
  rate_hz: { current: (s) => wantedOr(s.wanted.rate_hz, s.source.tuning.rate_hz), parse: si(1, 1e11),
    wants: 'samples a second, as 2.4M' },
  gain: { current: (s) => s.wanted.gain, parse: (text) => text.trim() || undefined,
    wants: 'auto, dB, or a list as LNA=20,TIA=8' },
  fft_size: { current: (s) => s.wanted.fft_size, parse: Number, wants: 'a size' },
  window: { current: (s) => s.wanted.window, parse: (text) => text, wants: 'a window' },
  overlap: { current: (s) => s.wanted.overlap, parse: si(0, 99.9999), wants: '0 to under 100 %' },
  line_rate: { current: (s) => s.wanted.line_rate, parse: si(0.001, 10000), wants: 'lines a second' },
};

class RadioForm {
  /** @param {import('../app/actions.js').Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.form = /** @type {HTMLFormElement} */ (byId('radio'));
    this.form.onsubmit = (event) => { event.preventDefault(); this.#submit(); };
    this.form.oninput = (event) => this.#edited(/** @type {Control} */ (event.target));
    this.form.onreset = (event) => { event.preventDefault(); this.#undo(); };
    for (let n = 64; n <= 4194304; n *= 2)
      addOption(/** @type {HTMLSelectElement} */ (this.#control('fft_size')), String(n));
    /** @type {Record<string, any> | null} */
    this.status = null;
  }

  /** @param {string} name @returns {Control} */
  #control(name) { return /** @type {Control} */ (this.form.elements.namedItem(name)); }

  /** Shows the current values in every field that is not being edited. @param {State['status']} status */
  show(status) {
    if (!status?.wanted || !status.source?.tuning) return;
    this.status = status;
    for (const [name, field] of Object.entries(FIELDS)) {
      const control = this.#control(name), text = String(field.current(status) ?? '');
      if (control.dataset.edited || control === document.activeElement) continue;
      if (control instanceof HTMLSelectElement) offer(control, text);
      if (control.value !== text) control.value = text;
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
      const value = field.parse(control.value);
      if (value === undefined) {
        control.setCustomValidity(`Not ${field.wants}.`);
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

/** Adds a value that is not among the options, such as kaiser(5). @param {HTMLSelectElement} select @param {string} value */
function offer(select, value) {
  if (![...select.options].some((option) => option.value === value)) addOption(select, value);
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
    store.subscribe(['status'], ({ status }) => form.show(status));
    store.subscribe(['setResult'], ({ setResult }) => {
      byId('set-result').textContent = setResult.text;
      if (setResult.kind === 'done') form.forgetEdits();
    });
  },
};
