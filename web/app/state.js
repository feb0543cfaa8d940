// The page's one store: what is shown, what the server sent, and the listeners to changes of either.

import { parseWaterfall } from '../features/waterfall/range.js';
import { parseTraces } from '../features/traces/address.js';
import { noPlan } from '../features/bookmarks/band_plan.js';
import { noRecordings } from '../features/recording/recording.js';
import { noTriggers } from '../features/triggers/triggers.js';
import { noBox } from '../features/box/box.js';
import { parseMarkers, parsePanels } from './link.js';
import { noMarkers } from '../features/markers/markers.js';
import { isScarce } from './thrift.js';
import { DEFAULT_RANGE } from '../plot/levels.js';
import { DEFAULT_PALETTE } from '../plot/palette.js';
import { DBFS } from './units.js';

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
 * @typedef {{ frame: Frame, shown: Frame, view: View, pace: Pace, traces: import('../features/traces/frames.js').ShownTrace[] }} Figures
 *   shown: the line on screen, older than the frame while paused
 * @typedef {object} SetResult
 * @property {'none' | 'sent' | 'done' | 'failed'} kind
 * @property {string} text
 * @property {string} from  the part of the page that asked: 'radio', 'tuning'
 * @property {string} field  that was refused; "": none
 *
 * @typedef {PageState & import('../features/markers/markers.js').MarkerState & import('../features/bookmarks/band_plan.js').PlanState & import('../features/recording/recording.js').RecordState & import('../features/triggers/triggers.js').TriggerState & import('../features/box/box.js').BoxState} State
 *
 * @typedef {object} PageState
 *
 * Chosen by the user; the address keeps these:
 * @property {View | null} view  null: the whole span
 * @property {Range} range
 * @property {'user' | 'auto' | ''} rangeBy  who chose the range; 'auto': it follows the spectra; '': it will, from the
 *   first frame on. Only the user's is kept
 * @property {import('../features/waterfall/range.js').Waterfall} waterfall  its range of levels
 * @property {string} detector
 * @property {string} palette
 * @property {number} speed  CSS pixels a row of the waterfall
 * @property {'2d' | 'gl' | undefined} renderer
 * @property {string} density  its persistence, of PERSISTENCES; '': not shown
 * @property {import('../features/traces/traces.js').Trace[]} traces  beside the live one, by slot
 *
 * Other input of the user:
 * @property {boolean} thrifty  use few bytes
 * @property {boolean} paused
 * @property {boolean} held  the picture stays: it is paused, on a line that the server has read
 * @property {boolean} controlsOpen
 * @property {boolean} helpOpen
 * @property {number} split  the spectrum's part of both plots
 * @property {boolean} measureOpen  the panel of measurements
 * @property {string} ownMeasures  measurements of this page alone, as in app/link.js
 * @property {boolean} tracesOpen
 * @property {{ x: number, y: number } | null} cursor  CSS pixels in the display; null: outside
 *
 * Of levels (app/units.js):
 * @property {string} unit  wanted
 * @property {import('./units.js').LevelScale} levels  shown
 *
 * Of tuning (features/tuning/tuning.js):
 * @property {number} stepHz  0: a tenth of the view
 * @property {boolean} tuneByClick  a click into the picture tunes
 * @property {number | null} tuneTarget  a centre that the radio was asked for and has not reached; null: none
 * @property {{ kind: 'none' | 'failed', text: string }} tuneNote  why the newest wish was not met
 *
 * From the server:
 * @property {LinkState} link
 * @property {Record<string, any> | null} status  its newest status message; null: not connected
 * @property {import('../features/replay/replay.js').Anchor[]} anchors  of the recording that is replayed, the newest last
 * @property {boolean} ended  the recording has ended, and with it fftd
 * @property {Choices | null} choices  null: not received yet; an older server offers none: {}
 * @property {import('../features/measure/measure.js').Measurement[]} measurements  the newest results, while the panel is open
 * @property {import('../features/measure/measure.js').Types | null} measureTypes  what can be measured; null: not known
 * @property {import('../features/measure/measure.js').Answer} measureAnswer  to the last change
 * @property {{ allowed: boolean, reason: string, permitted: boolean, refusal: string }} control  whether this client may change the
 *   radio now, and why not; permitted: it has the right, which another client may be using; refusal: why it has not
 * @property {import('../features/radio/presets.js').Preset[]} presets  that the server has
 * @property {import('../features/radio/lease.js').Lease | null} lease  null: the server has none, or not received yet
 * @property {Record<string, number>} limits  what the server lets a client have; {}: not received yet
 * @property {boolean} tokenSent
 * @property {SetResult} setResult  of the last "set" message
 * @property {{ text: string } | null} message  to show for a while
 * @property {number} traceSlots  traces that the server can send beside the live one; 0: an older server
 * @property {Record<number, import('../features/traces/traces.js').TraceInfo>} traceInfo  by slot
 *
 * For drawing:
 * @property {Frame | null} frame  newest
 * @property {Frame | null} shown  on screen: the newest, or while paused the last one before the pause
 * @property {View} shownView  the view, clipped to the frame's span
 * @property {number} columns  that the display can use
 * @property {import('../plot/display.js').Layout | null} layout  of the display
 * @property {Figures | null} figures  renewed eight times a second: often enough to follow, slowly enough to read
 * @property {Reading | null} reading  at the cursor
 * @property {number | null} scrolledTo  Unix time in ms of the top of the waterfall; null: it is live
 */

/** @type {SetResult} */
export const NO_RESULT = { kind: 'none', text: '', from: 'radio', field: '' };

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
    waterfall: parseWaterfall(hash.waterfall ?? ''),
    detector: hash.detector ?? 'mean', palette: hash.palette ?? DEFAULT_PALETTE, speed: hash.speed ?? 2, renderer: hash.renderer,
    density: hash.density ?? '', limits: {},
    split: 0.42, layout: null,
    ownMeasures: hash.measures ?? '', measurements: [], measureTypes: null, measureAnswer: { kind: 'none', text: '' },
    thrifty: hash.thrifty ? hash.thrifty === 'on' : isScarce(/** @type {any} */ (globalThis.navigator)?.connection),
    paused: false, held: false, controlsOpen: false, helpOpen: false, cursor: null,
    link: { kind: 'connecting', reason: '', retryAt: 0 }, status: null, choices: null, anchors: [], ended: false,
    control: { allowed: false, reason: 'Not connected.', permitted: false, refusal: 'Not connected.' },
    lease: null, presets: [], tokenSent: false, setResult: NO_RESULT, message: null,
    traces: parseTraces(hash.traces ?? ''), traceSlots: 0, traceInfo: {},
    ...noMarkers(),
    ...noPlan(hash.plan),
    ...noRecordings(),
    ...noTriggers(),
    ...noBox(),
    ...parseMarkers(hash.markers ?? ''), ...parsePanels(hash.panels ?? ''),
    unit: hash.unit ?? 'dBFS', levels: DBFS,
    stepHz: 0, tuneByClick: false, tuneTarget: null, tuneNote: { kind: 'none', text: '' },
    frame: null, shown: null, shownView: { lowHz: 0, highHz: 1 }, columns: 1, figures: null, reading: null,
    scrolledTo: null, // history
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
