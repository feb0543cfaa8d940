// The state of the page: what all features share, and the part of each.

import { FEATURES } from './features.js';
import { closedPanels, parsePanels } from './panels.js';

/**
 * @typedef {typeof import('../features/list.js')} Features
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {import('../plot/view.js').View} View
 *
 * @typedef {object} Pace  measured over the last second
 * @property {number} drawn  frames a second
 * @property {number} bytes  received a second
 * @property {number} merged  most lines in one frame
 *
 * @typedef {object} Figures
 * @property {Frame} frame
 * @property {Frame} shown  the line on screen, older than the frame while paused
 * @property {View} view
 * @property {Pace} pace
 * @property {import('../features/traces/frames.js').ShownTrace[]} traces
 *
 * @typedef {object} SharedState
 * @property {import('../net/choices.js').Choices | null} choices  null: not received yet; an older server offers none:
 *   {}
 * @property {Record<string, number>} limits  what the server lets a client have; {}: not received yet
 * @property {Frame | null} frame  newest
 * @property {Frame | null} shown  on screen: the newest, or while paused the last one before the pause
 * @property {View} shownView  the view, clipped to the frame's span
 * @property {number} columns  that the display can use
 * @property {import('../plot/display.js').Layout | null} layout  of the display
 * @property {{ x: number, y: number } | null} cursor  CSS pixels in the display; null: outside
 * @property {import('../plot/display.js').Reading | null} reading  at the cursor
 * @property {Figures | null} figures  renewed eight times a second: often enough to follow, slowly enough to read
 */

/**
 * @template F
 * @typedef {F extends { state: (...hash: any) => infer S } ? S : unknown} PartOf  the state of a feature
 */
/**
 * @template U
 * @typedef {(U extends any ? (each: U) => void : never) extends (all: infer I) => void ? I : never} All
 */
/** @typedef {SharedState & All<{ [K in keyof Features]: PartOf<Features[K]> }[keyof Features]>} State */

/** @returns {SharedState} */
const shared = () => ({
  choices: null,
  limits: {},
  frame: null,
  shown: null,
  shownView: { lowHz: 0, highHz: 1 },
  columns: 1,
  layout: null,
  cursor: null,
  reading: null,
  figures: null,
});

/** Of all features. @type {import('../features/list.js').Panel[]} */
export const PANELS = FEATURES.flatMap(({ panels = [] }) => panels);

/** What the command "close" changes. @type {Partial<State>} */
export const CLOSED = Object.assign(closedPanels(PANELS), ...FEATURES.map(({ closed }) => closed));

/** @param {import('../util/hash.js').Settings} hash  from the address @returns {State} */
export const initialState = (hash) =>
  Object.assign(shared(), ...FEATURES.map(({ state }) => state?.(hash)), parsePanels(PANELS, hash.panels ?? ''));
