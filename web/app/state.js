// The page's one store: what is shown, what the server sent, and the listeners to changes of either.

import { DEFAULT_RANGE } from '../plot/levels.js';

/**
 * @typedef {import('../net/choices.js').Choices} Choices
 * @typedef {import('../net/connection.js').LinkState} LinkState
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {import('../plot/display.js').Reading} Reading
 * @typedef {import('../plot/levels.js').Range} Range
 * @typedef {import('../plot/view.js').View} View
 * @typedef {import('../util/hash.js').Settings} Settings
 *
 * @typedef {object} Pace  measured over the last second
 * @property {number} drawn  frames a second
 * @property {number} bytes  received a second
 * @property {number} merged  most lines in one frame
 *
 * @typedef {{ frame: Frame, view: View, pace: Pace }} Figures
 * @typedef {{ kind: 'none' | 'sent' | 'done' | 'failed', text: string }} SetResult
 *
 * @typedef {object} State
 *
 * Chosen by the user; the address keeps these:
 * @property {View | null} view  null: the whole span
 * @property {Range} range
 * @property {'user' | 'auto' | ''} rangeBy  who chose the range; '': the first frame will. Only the user's is kept
 * @property {string} detector
 * @property {string} palette
 * @property {number} speed  CSS pixels a row of the waterfall
 * @property {'2d' | 'gl' | undefined} renderer
 *
 * Other input of the user:
 * @property {boolean} paused
 * @property {boolean} controlsOpen
 * @property {boolean} helpOpen
 * @property {{ x: number, y: number } | null} cursor  CSS pixels in the display; null: outside
 *
 * From the server:
 * @property {LinkState} link
 * @property {Record<string, any> | null} status  its newest status message; null: not connected
 * @property {Choices | null} choices  null: not received yet; an older server offers none: {}
 * @property {{ allowed: boolean, reason: string }} control  whether this client may change the radio; why not
 * @property {boolean} tokenSent
 * @property {SetResult} setResult  of the last "set" message
 * @property {{ text: string } | null} message  to show for a while
 *
 * For drawing:
 * @property {Frame | null} frame  newest
 * @property {View} shownView  the view, clipped to the frame's span
 * @property {number} columns  that the display can use
 * @property {Figures | null} figures  renewed eight times a second: often enough to follow, slowly enough to read
 * @property {Reading | null} reading  at the cursor
 */

/** @type {SetResult} */
export const NO_RESULT = { kind: 'none', text: '' };

/** @param {Settings} hash @returns {View | null} */
export function viewOf({ low, high }) {
  return low === undefined || high === undefined ? null : { lowHz: low, highHz: high };
}

/** @param {Settings} hash @returns {Range | null} */
export function rangeOf({ bottom, top }) {
  return bottom === undefined || top === undefined ? null : { bottomDb: bottom, topDb: top };
}

/** @param {Settings} hash  from the address @returns {State} */
export function initialState(hash) {
  const range = rangeOf(hash);
  return {
    view: viewOf(hash), range: range ?? DEFAULT_RANGE, rangeBy: range ? 'user' : '',
    detector: hash.detector ?? 'mean', palette: hash.palette ?? 'turbo', speed: hash.speed ?? 2, renderer: hash.renderer,
    paused: false, controlsOpen: false, helpOpen: false, cursor: null,
    link: { kind: 'connecting', reason: '', retryAt: 0 }, status: null, choices: null,
    control: { allowed: false, reason: 'Not connected.' }, tokenSent: false, setResult: NO_RESULT, message: null,
    frame: null, shownView: { lowHz: 0, highHz: 1 }, columns: 1, figures: null, reading: null,
  };
}

/** @typedef {(state: Readonly<State>) => void} Listener */

export class Store {
  /** @param {State} state */
  constructor(state) {
    /** @type {Readonly<State>} */
    this.state = state;
    /** @type {{ keys: (keyof State)[], listener: Listener }[]} */
    this.listeners = [];
  }

  /**
   * Calls the listener at once, then after each update that changes one of the keys.
   * @param {(keyof State)[]} keys
   * @param {Listener} listener
   */
  subscribe(keys, listener) {
    this.listeners.push({ keys, listener });
    listener(this.state);
  }

  /** Listeners run before it returns, in the order of their subscription. @param {Partial<State>} changes */
  update(changes) {
    const before = this.state;
    this.state = { ...before, ...changes };
    const changed = new Set(Object.keys(changes).filter((key) => isChanged(before, changes, key)));
    for (const { keys, listener } of this.listeners)
      if (keys.some((key) => changed.has(key))) listener(this.state);
  }
}

/** @param {Record<string, any>} before @param {Record<string, any>} changes @param {string} key */
const isChanged = (before, changes, key) => before[key] !== changes[key];
