// Moves the time axis of all cards into the past, and back: by drag, wheel, keys and a button.

import { byId, setText } from '../util/dom.js';
import { formatTime } from '../util/time.js';

/**
 * @typedef {object} AxisHandlers
 * @property {() => number} now  the hub's clock, ms
 * @property {() => number} axisMs  from the top to the bottom of a waterfall
 * @property {(atMs: number | null) => void} onMove  the top of the waterfalls; null: live
 * @property {(atMs: number | null) => void} onSettle  it stays there
 */

const SCREEN = 0.8; // of the axis, by a key
const SETTLE_MS = 200;

/**
 * Pixels that a wheel event stands for, whatever its unit; Shift makes some browsers turn it sideways.
 * @param {WheelEvent} event
 */
const wheelPixels = ({ deltaX, deltaY, deltaMode }) =>
  (deltaY || deltaX) * (deltaMode === 1 ? 33 : deltaMode === 2 ? 400 : 1);

export class TimeAxis {
  /** @type {number | null} */
  atMs = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {AxisHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    byId('go-live').onclick = () => this.moveTo(null);
  }

  /** @param {number | null} atMs  times to come are live */
  moveTo(atMs) {
    this.atMs = atMs !== null && atMs < this.handlers.now() ? atMs : null;
    const text = this.#text();
    byId('go-live').hidden = this.atMs === null;
    setText(byId('go-live'), `${text} \u2014 back to live`);
    this.handlers.onMove(this.atMs);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(text), SETTLE_MS);
  }

  /** "12:34:56 UTC", with the day if it is another one. */
  #text() {
    if (this.atMs === null) return '';
    const time = formatTime(this.atMs).slice(0, 19),
      today = formatTime(this.handlers.now()).slice(0, 10) === time.slice(0, 10);
    return `${today ? time.slice(11) : time} UTC`;
  }

  /** @param {string} text */
  #settle(text) {
    setText(byId('time-announcement'), text ? `The waterfalls begin at ${text}` : 'The waterfalls are live');
    this.handlers.onSettle(this.atMs);
  }

  /** @param {number} ms  above 0: into the past */
  moveBy(ms) {
    if (this.atMs === null && ms <= 0) return;
    this.moveTo((this.atMs ?? this.handlers.now()) - ms);
  }

  /** @param {string} key @returns {boolean}  true: it is one of the axis */
  command(key) {
    if (key === 'PageDown') this.moveBy(SCREEN * this.handlers.axisMs());
    else if (key === 'PageUp') this.moveBy(-SCREEN * this.handlers.axisMs());
    else if (key === 'End') this.moveTo(null);
    else return false;
    return true;
  }

  /**
   * @param {HTMLElement} element  of the plots
   * @param {() => { waterfallTop: number, waterfallHeight: number, gutter: number }} layout
   */
  listen(element, layout) {
    let fromY = NaN,
      fromMs = 0,
      moved = false;
    const msOfPixel = () => this.handlers.axisMs() / Math.max(1, layout().waterfallHeight);
    const yOf = (/** @type {MouseEvent} */ event) => event.clientY - element.getBoundingClientRect().top;
    element.addEventListener(
      'wheel',
      (event) => {
        if (!event.shiftKey) return; // the page scrolls
        event.preventDefault();
        this.moveBy(wheelPixels(event) * msOfPixel());
      },
      { passive: false },
    );
    element.addEventListener('pointerdown', (event) => {
      const onTimes = event.offsetX < layout().gutter; // a finger elsewhere scrolls the page
      if (event.button !== 0 || yOf(event) < layout().waterfallTop || (event.pointerType !== 'mouse' && !onTimes))
        return;
      element.setPointerCapture(event.pointerId);
      fromY = yOf(event);
      fromMs = this.atMs ?? this.handlers.now();
      moved = false;
    });
    element.addEventListener('pointermove', (event) => {
      const by = yOf(event) - fromY;
      moved ||= Math.abs(by) > 3;
      // the picture follows the pointer: what comes from the top is newer
      if (moved) this.moveTo(fromMs + by * msOfPixel());
    });
    for (const end of ['pointerup', 'pointercancel'])
      element.addEventListener(end, () => {
        fromY = NaN;
        moved = false;
      });
  }
}
