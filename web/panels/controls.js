// The radio's controls: shows what is set, sends what was changed, and says why it may not.

import { parseSi, plainSi } from '../util/format.js';
import { byId } from './readouts.js';

/**
 * @typedef {object} Field  of "set" in daemon/wire/wire.h
 * @property {(status: Record<string, any>) => unknown} now  the value that is set
 * @property {(text: string) => unknown} parse  undefined: not a value
 * @property {string} wants  for people
 */

/** @param {number} least @param {number} most @returns {(text: string) => number | undefined} */
const si = (least, most) => (text) => {
  const value = parseSi(text);
  return value >= least && value <= most ? value : undefined;
};

/** @param {unknown} wanted @param {unknown} actual  0 and null: nothing was asked for */
const given = (wanted, actual) => plainSi(Number(wanted || actual || 0));

/** @type {Record<string, Field>} */
const FIELDS = {
  center_hz: { now: (s) => given(s.wanted.center_hz, s.source.tuning.center_hz), parse: si(0, 1e12),
    wants: 'a frequency, as 433.92M' },
  rate_hz: { now: (s) => given(s.wanted.rate_hz, s.source.tuning.rate_hz), parse: si(1, 1e11),
    wants: 'samples a second, as 2.4M' },
  gain: { now: (s) => s.wanted.gain, parse: (text) => text.trim() || undefined,
    wants: 'auto, dB, or a list as LNA=20,TIA=8' },
  fft_size: { now: (s) => s.wanted.fft_size, parse: Number, wants: 'a size' },
  window: { now: (s) => s.wanted.window, parse: (text) => text, wants: 'a window' },
  overlap: { now: (s) => s.wanted.overlap, parse: si(0, 99.9999), wants: '0 to under 100 %' },
  line_rate: { now: (s) => s.wanted.line_rate, parse: si(0.001, 10000), wants: 'lines a second' },
};

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

export class Panel {
  /**
   * @param {{ set: (fields: Record<string, unknown>) => void, takeControl: (token: string) => void }} actions
   */
  constructor(actions) {
    this.actions = actions;
    this.form = /** @type {HTMLFormElement} */ (byId('radio'));
    this.form.onsubmit = (event) => { event.preventDefault(); this.#submit(); };
    this.form.oninput = (event) => this.#edited(/** @type {Control} */ (event.target));
    this.form.onreset = (event) => { event.preventDefault(); this.#undo(); };
    byId('token-form').onsubmit = (event) => { event.preventDefault(); this.#token(); };
    byId('panel-close').onclick = () => this.toggle(false);
    byId('panel-open').onclick = () => this.toggle();
    this.#fillSizes();
    /** @type {Record<string, any> | null} */
    this.status = null;
    this.allow(false, 'Not connected.');
  }

  #fillSizes() {
    for (let n = 64; n <= 4194304; n *= 2) this.#option(this.#control('fft_size'), String(n));
  }

  /** @param {Control} select @param {string} value */
  #option(select, value) {
    const option = select.appendChild(document.createElement('option'));
    option.value = option.textContent = value;
  }

  /**
   * A value that is no choice yet, as kaiser(5), becomes one.
   * @param {HTMLSelectElement} select
   * @param {string} value
   */
  #offer(select, value) {
    if (![...select.options].some((option) => option.value === value)) this.#option(select, value);
  }

  /** @param {string} name @returns {Control} */
  #control(name) { return /** @type {Control} */ (this.form.elements.namedItem(name)); }

  /** @param {boolean} [open] */
  toggle(open = byId('panel').hidden) {
    byId('panel').hidden = !open;
    byId('panel-open').setAttribute('aria-expanded', String(open));
    if (open) byId('panel-close').focus();
  }

  /** @param {boolean} may @param {string} reason  why not */
  allow(may, reason) {
    /** @type {HTMLFieldSetElement} */ (byId('radio-fields')).disabled = !may;
    byId('control-reason').textContent = may ? 'You have control.' : reason;
    byId('control-reason').dataset.may = String(may);
    byId('token-form').hidden = may;
  }

  /** What is set now, in every field that nobody is editing. @param {Record<string, any>} status */
  show(status) {
    if (!status.wanted || !status.source?.tuning) return;
    this.status = status;
    for (const [name, field] of Object.entries(FIELDS)) {
      const control = this.#control(name), text = String(field.now(status) ?? '');
      if (control.dataset.edited || control === document.activeElement) continue;
      if (control instanceof HTMLSelectElement) this.#offer(control, text);
      if (control.value !== text) control.value = text;
    }
  }

  /** @param {Control} control */
  #edited(control) {
    control.dataset.edited = 'yes';
    control.setCustomValidity('');
    byId('set-result').textContent = '';
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
    if ('line_rate' in fields) fields.average = 0; // else the number of frames wins
    if (Object.keys(fields).length === 0) return;
    byId('set-result').textContent = 'Asked ...';
    this.actions.set(fields);
  }

  #forgetEdits() {
    for (const name of Object.keys(FIELDS)) {
      delete this.#control(name).dataset.edited;
      this.#control(name).setCustomValidity('');
    }
  }

  /** Back to what is set. */
  #undo() {
    this.#forgetEdits();
    byId('set-result').textContent = '';
    if (this.status) this.show(this.status);
  }

  /** The next status brings the new values; until then the fields keep what was typed. */
  done() {
    byId('set-result').textContent = 'Done.';
    this.#forgetEdits();
  }

  /** @param {string} message  the server's */
  failed(message) { byId('set-result').textContent = message; }

  #token() {
    const input = /** @type {HTMLInputElement} */ (byId('token'));
    if (!input.value) return;
    this.actions.takeControl(input.value);
    input.value = ''; // it lives in the connection alone: never in the address, never stored
  }
}
