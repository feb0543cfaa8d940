// The list of radios, with a box for each that is shown, and a filter where there are many.

import { isFound, lastLineText, missingText, skewText, stateText, summaryText, tuningText } from './radios.js';
import { byId, make, setText } from '../util/dom.js';

/**
 * @typedef {import('./radios.js').Radio} Radio
 * @typedef {{ item: HTMLElement, box: HTMLInputElement, state: HTMLElement, swatch: HTMLElement, tuning: HTMLElement,
 *   figures: HTMLElement }} Entry
 */

const FILTER_FROM = 11; // radios

export class RadioList {
  /** @type {Map<string, Entry>} by name */
  #entries = new Map();
  /** @type {Radio[]} */
  #radios = [];
  #filter = '';

  /** @param {{ onChoose: (name: string, chosen: boolean) => void, onOnly: (name: string) => void }} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.field = /** @type {HTMLInputElement} */ (byId('filter'));
    this.field.addEventListener('input', () => {
      this.#filter = this.field.value.trim();
      this.#sift();
    });
  }

  /** @param {string} name @returns {Entry} */
  #make(name) {
    const box = make('input', { type: 'checkbox', onchange: () => this.handlers.onChoose(name, box.checked) });
    const only = make('button', {
      type: 'button',
      className: 'only',
      textContent: 'Only',
      onclick: () => this.handlers.onOnly(name),
    });
    only.setAttribute('aria-label', `Only ${name}`);
    const swatch = make('i', { className: 'swatch' }),
      state = make('span', { className: 'state' });
    const tuning = make('p', { className: 'tuning' }),
      figures = make('p', { className: 'figures' });
    const item = make('li', {}, [
      make('div', {}, [make('label', {}, [box, swatch, make('b', { textContent: name })]), only]),
      state,
      tuning,
      figures,
    ]);
    return { item, box, state, swatch, tuning, figures };
  }

  /**
   * @param {Radio[]} radios
   * @param {Map<string, string>} chosen  names, with their colours
   * @param {boolean} full  no more may be chosen
   * @param {number} nowMs
   */
  show(radios, chosen, full, nowMs) {
    this.#radios = radios;
    const names = new Set(radios.map(({ name }) => name));
    for (const [name, { item }] of this.#entries) {
      if (names.has(name)) continue;
      item.remove();
      this.#entries.delete(name);
    }
    radios.forEach((radio, i) => this.#show(radio, i, chosen.get(radio.name), full, nowMs));
    setText(byId('summary'), summaryText(radios));
    byId('filter-row').hidden = radios.length < FILTER_FROM && this.#filter === '';
    this.#sift();
  }

  /**
   * @param {Radio} radio
   * @param {number} place
   * @param {string | undefined} color
   * @param {boolean} full
   * @param {number} nowMs
   */
  #show(radio, place, color, full, nowMs) {
    const entry = this.#entries.get(radio.name) ?? this.#make(radio.name),
      list = byId('radios');
    this.#entries.set(radio.name, entry);
    if (list.children[place] !== entry.item) list.insertBefore(entry.item, list.children[place] ?? null);
    entry.item.dataset.state = radio.state;
    entry.box.checked = color !== undefined;
    entry.box.disabled = full && color === undefined;
    entry.swatch.style.background = color ? `var(--${color})` : '';
    setText(entry.state, stateText(radio, nowMs));
    setText(entry.tuning, tuningText(radio));
    setText(entry.figures, `Last line ${lastLineText(radio)}, missing ${missingText(radio)}, skew ${skewText(radio)}`);
  }

  #sift() {
    let found = 0;
    for (const radio of this.#radios) {
      const entry = this.#entries.get(radio.name),
        isThere = isFound(radio, this.#filter);
      if (entry) entry.item.hidden = !isThere;
      found += Number(isThere);
    }
    byId('none-found').hidden = found > 0 || this.#radios.length === 0;
  }
}
