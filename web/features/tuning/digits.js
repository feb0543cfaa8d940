// A frequency in large digits: the wheel over a digit, or the arrow keys, step it by its weight.

import { make, setText } from '../../util/dom.js';

const WHEEL_PIXELS = 30; // a step; a notch of a wheel is more, a movement of a touchpad less
const DIGITS = 10; // up to 9.999 999 999 GHz
const MORE = 13;

/** "0433920000" @param {number} hz @param {number} digits */
const digitsOf = (hz, digits) => String(Math.round(Math.abs(hz))).padStart(digits, '0');

export class Digits {
  #hz = 0;
  #selected = 3; // power of ten: kHz
  #wheel = 0;
  /** @type {HTMLElement[]}  the last one is of 1 Hz */
  #digits = [];

  /** @param {HTMLElement} element @param {(hz: number) => void} step  called with a distance */
  constructor(element, step) {
    this.element = element;
    this.step = step;
    this.sign = make('span');
    this.#make(DIGITS);
    element.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    element.addEventListener('keydown', (event) => this.#key(event));
    element.addEventListener('pointerdown', (event) => this.#select(this.#powerOf(event.target) ?? this.#selected));
    this.#select(this.#selected);
  }

  /** @param {number} count */
  #make(count) {
    this.#digits = Array.from({ length: count }, () => make('span'));
    this.element.replaceChildren(this.sign, ...this.#digits, make('small', {}, 'MHz'));
    this.#digits.forEach((digit, i) => {
      const power = count - 1 - i;
      digit.dataset.power = String(power);
      if (power === 6) digit.classList.add('point');
      else if (power % 3 === 0 && power > 0) digit.classList.add('space');
    });
  }

  /** @param {number} hz @param {boolean} pending  the radio is on its way */
  show(hz, pending) {
    this.element.classList.toggle('pending', pending);
    if (Math.round(hz) === this.#hz && this.element.hasAttribute('aria-valuetext')) return;
    this.#hz = Math.round(hz);
    const text = digitsOf(hz, DIGITS),
      length = text.length > DIGITS ? MORE : DIGITS;
    if (length !== this.#digits.length) this.#make(length);
    setText(this.sign, hz < -0.5 ? '\u2212' : '');
    const padded = digitsOf(hz, length),
      significant = Math.min(padded.search(/[1-9]|$/), length - 7); // "0.", not "."
    this.#digits.forEach((digit, i) => {
      setText(digit, padded[i] ?? '0');
      digit.classList.toggle('leading', i < significant);
    });
    this.element.setAttribute('aria-valuenow', String(this.#hz));
    this.element.setAttribute('aria-valuetext', `${(this.#hz / 1e6).toFixed(6)} MHz`);
  }

  /** @param {EventTarget | null} target */
  #powerOf(target) {
    const power = target instanceof HTMLElement ? target.dataset.power : undefined;
    return power === undefined ? undefined : Number(power);
  }

  /** @param {number} power */
  #select(power) {
    this.#selected = Math.min(this.#digits.length - 1, Math.max(0, power));
    for (const digit of this.#digits)
      digit.classList.toggle('selected', Number(digit.dataset.power) === this.#selected);
  }

  /** @param {WheelEvent} event */
  #turn(event) {
    const power = this.#powerOf(event.target);
    event.preventDefault();
    if (power === undefined) return;
    if (power !== this.#selected) this.#wheel = 0;
    this.#select(power);
    this.#wheel -= event.deltaY * (event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1);
    const steps =
      Math.abs(event.deltaY) >= 100 || event.deltaMode
        ? Math.sign(this.#wheel)
        : Math.trunc(this.#wheel / WHEEL_PIXELS);
    if (steps === 0) return;
    this.#wheel = 0;
    this.step(steps * 10 ** power);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.#select(this.#selected + 1),
      ArrowRight: () => this.#select(this.#selected - 1),
      ArrowUp: () => this.step(10 ** this.#selected),
      ArrowDown: () => this.step(-(10 ** this.#selected)),
      PageUp: () => this.step(10 ** (this.#selected + 1)),
      PageDown: () => this.step(-(10 ** (this.#selected + 1))),
    };
    if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}
