// The control of one radio, in its card: its token, a form of what it offers, and who changed it last.

import { durationText } from './radios.js';
import { explainRefusal } from '../app/settings.js';
import { readChoices } from '../net/choices.js';
import { RadioForm } from '../ui/radio_form.js';
import { make, setText } from '../util/dom.js';

/**
 * @typedef {import('./radios.js').Radio} Radio
 * @typedef {{ status: number, body?: any, error?: string }} Answer  of a call; an error from 400 on, and with 0
 *
 * @typedef {object} Asker
 * @property {(verb: 'get' | 'put', radio: string, resource: string, more: object) => Promise<Answer>} call  an answer
 *   comes always
 * @property {() => boolean} needsToken  the hub asks for one of its own
 * @property {(token: string) => Promise<boolean>} login  false: it is wrong
 */

/** The fields that are always shown, with those of gain elements; the others are one step away. */
const MAIN = ['center_hz', 'rate_hz', 'gain', 'fft_size'];
const AGAIN_MS = 1200; // until the status says what became of a change

/**
 * What was typed, by the radio's name, until the page is closed: it is never stored and never in the address.
 * @type {Map<string, string>}
 */
const tokens = new Map();
let ownName = '';

/** @param {string} name */
const isMain = (name) => MAIN.includes(name) || name.startsWith('gain.');

/** @param {Answer} answer */
const isRefused = ({ status }) => status === 0 || status >= 400;

/** @type {import('../ui/radio_form.js').Placing} */
const mainFirst = (list) => {
  const main = make('div', { className: 'fields' }),
    others = make('div', { className: 'fields' });
  list.append(main, make('details', {}, [make('summary', { textContent: 'More settings' }), others]));
  return (name) => (isMain(name) ? main : others).appendChild(make('div'));
};

/** "Changed by alice, 2 min ago". @param {Radio} radio @param {number} nowMs */
export function writerText({ writer }, nowMs) {
  return writer ? `Changed by ${writer.name || 'somebody'}, ${durationText(nowMs - writer.ms)} ago` : '';
}

export class Control {
  button = make('button', { type: 'button', className: 'control-open', textContent: 'Control', hidden: true });
  element = make('section', { className: 'control', hidden: true });
  hubToken = make('input', { type: 'password', autocomplete: 'off' });
  hubLabel = make('label', { hidden: true }, ['Token of the hub ', this.hubToken]);
  token = make('input', { type: 'password', autocomplete: 'off', required: true });
  name = make('input', { autocomplete: 'off', maxLength: 32 });
  login = make('form', { className: 'fields' });
  note = make('p', { className: 'note' }); // of the token
  list = make('div');
  result = make('p', { className: 'note' });
  form = make('form', { hidden: true });
  /** @type {Radio | null} */
  radio = null;
  #seen = '';
  #busy = false;

  /** @param {string} prefix  of ids @param {Asker} asker */
  constructor(prefix, asker) {
    this.asker = asker;
    for (const each of [this.note, this.result]) each.setAttribute('role', 'status');
    this.login.append(
      this.hubLabel,
      make('label', {}, ['Token of the radio ', this.token]),
      make('label', {}, ['Your name ', this.name]),
      make('button', { type: 'submit', className: 'primary', textContent: 'Open' }),
      this.note,
    );
    this.form.append(
      this.list,
      make('div', { className: 'row' }, [
        make('button', { type: 'submit', className: 'primary', textContent: 'Set' }),
        make('button', { type: 'reset', textContent: 'Undo' }),
        this.result,
      ]),
    );
    this.element.append(this.login, this.form);
    this.settings = new RadioForm(
      { form: this.form, list: this.list, result: this.result, placing: mainFirst, prefix },
      { set: (values) => this.#set(values), clearSetResult: () => setText(this.result, '') },
    );
    this.element.id = `${prefix}control`;
    this.button.setAttribute('aria-controls', this.element.id);
    this.button.onclick = () => this.open(this.element.hidden);
    this.login.onsubmit = (event) => {
      event.preventDefault();
      this.#enter();
    };
    this.element.onkeydown = ({ key }) => {
      if (key === 'Escape') this.open(false);
    };
    this.open(false);
  }

  /** @param {Radio} radio */
  show(radio) {
    const { radio: before } = this;
    this.radio = radio;
    this.button.hidden = !radio.controllable || radio.state === 'gone';
    if (this.button.hidden) this.open(false);
    if (before) return this.#follow();
    this.button.setAttribute('aria-label', `Control ${radio.name}`);
    this.element.setAttribute('aria-label', `Control of ${radio.name}`);
  }

  /** @param {boolean} open */
  open(open) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !open;
    this.button.setAttribute('aria-expanded', String(open));
    if (!open && hadFocus) this.button.focus();
    if (!open || !this.radio) return;
    if (tokens.has(this.radio.name)) return void this.#load();
    this.#askToken('');
  }

  /** @param {string} why  '': for the first time */
  #askToken(why) {
    this.form.hidden = true;
    this.login.hidden = false;
    this.hubLabel.hidden = !this.asker.needsToken();
    this.name.value = ownName;
    setText(this.note, why);
    (this.hubLabel.hidden ? this.token : this.hubToken).focus();
  }

  async #enter() {
    const { radio } = this,
      token = this.token.value,
      hubToken = this.hubToken.value;
    if (!radio || !token) return;
    ownName = this.name.value.trim();
    this.token.value = this.hubToken.value = '';
    setText(this.note, 'Asking the radio.');
    if (hubToken && !(await this.asker.login(hubToken))) return this.#askToken('The token of the hub is wrong.');
    tokens.set(radio.name, token);
    await this.#load();
  }

  /** Another one has changed the radio, or it does what was asked for. */
  #follow() {
    const { centerHz, rateHz, writer } = /** @type {Radio} */ (this.radio),
      now = [centerHz, rateHz, writer?.ms].join();
    const isChanged = now !== this.#seen;
    this.#seen = now;
    if (isChanged && !this.form.hidden && !this.element.hidden) this.#load();
  }

  /** @param {'get' | 'put'} verb @param {string} resource @param {object} [more] @returns {Promise<Answer>} */
  async #call(verb, resource, more) {
    const { name } = /** @type {Radio} */ (this.radio);
    this.#busy = true;
    const answer = await this.asker.call(verb, name, resource, { token: tokens.get(name), ...more });
    this.#busy = false;
    return answer;
  }

  /** Shows what the radio offers, and how it is set. */
  async #load() {
    if (this.#busy) return;
    const settings = await this.#call('get', 'settings'),
      status = isRefused(settings) ? settings : await this.#call('get', 'status');
    if (isRefused(status)) return this.#refuse(explainRefusal(status.error ?? '', null).text);
    const hadFocus = this.login.contains(document.activeElement);
    this.login.hidden = true;
    this.form.hidden = false;
    setText(this.note, '');
    const { detector: _, ...choices } = readChoices(settings.body.choices);
    this.choices = choices;
    this.settings.useChoices(choices);
    this.settings.show(status.body);
    if (hadFocus) this.list.querySelector('input')?.focus();
  }

  /** Without a form, the token may be the reason. @param {string} text */
  #refuse(text) {
    if (!this.form.hidden) return setText(this.result, text);
    tokens.delete(/** @type {Radio} */ (this.radio).name);
    this.#askToken(text);
  }

  /** @param {Record<string, unknown>} values */
  async #set(values) {
    if (this.#busy) return setText(this.result, 'The request before is not answered yet.');
    setText(this.result, 'Sent, waiting for the answer.');
    const answer = await this.#call('put', 'settings', { ...(ownName && { name: ownName }), body: values });
    const done = !isRefused(answer),
      refusal = explainRefusal(answer.error ?? '', this.choices ?? null);
    this.settings.showResult({
      kind: done ? 'done' : 'failed',
      from: 'radio',
      ...(done ? { field: '', text: 'Done.' } : refusal),
    });
    if (done) setTimeout(() => this.#load(), AGAIN_MS);
  }
}
