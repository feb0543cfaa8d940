// What the user and the server can do to the page: each action updates the store or asks the server.

import { autoRange, RangeFollower, shiftRange, zoomRange } from '../plot/levels.js';
import {
  clip,
  hzAt,
  isSame,
  isWhole,
  narrowest,
  overlaps,
  panBy,
  pinch,
  spanOf,
  widthHz,
  zoomAt,
} from '../plot/view.js';
import { frontPanel } from './panels.js';
import { CLOSED, PANELS } from './state.js';
import { NO_RESULT } from '../features/radio/set_result.js';
import { TraceActions } from '../features/traces/actions.js';
import { Triggers } from '../features/triggers/triggers.js';
import { Tuning } from '../features/tuning/tuning.js';

/**
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {import('../plot/levels.js').Range} Range
 * @typedef {import('../plot/view.js').View} View
 *
 * @typedef {object} Server
 * @property {(token: string) => void} login  asks for control
 * @property {(fields: Record<string, unknown>) => boolean} set  false: not connected
 * @property {(fields: Record<string, unknown>) => boolean} replay  the same
 * @property {(action: 'store' | 'recall' | 'remove', name: string) => boolean} [preset]  the same
 * @property {(fields: Record<string, unknown>) => boolean} [startRecording]  the same
 * @property {(id: number) => boolean} [stopRecording]  the same
 * @property {(want?: 'take' | 'release') => boolean} [lease]  without `want`: only the name
 * @property {(name: string) => void} [useName]  what others see
 */

export class Actions {
  #follower = new RangeFollower();

  /**
   * @param {import('./store.js').Store} store
   * @param {Server} server
   * @param {Pick<import('../features/history/rows.js').PastRows, 'scroll' | 'scrollScreens' | 'goLive' | 'goTo' |
   *   'liveRows'>} [past]
   */
  constructor(store, server, past) {
    this.store = store;
    this.server = server;
    this.past = past;
    this.traces = new TraceActions(store);
    this.triggers = new Triggers(store);
    this.tuning = new Tuning(store, this);
  }

  get #state() {
    return this.store.state;
  }

  // ---- frequencies ---------------------------------------------------------------------------

  /** Makes a frame the newest. A view that the retuned radio has left becomes the whole span. @param {Frame} frame */
  takeFrame(frame) {
    const span = spanOf(frame);
    const view = this.#state.view && overlaps(this.#state.view, span) ? this.#state.view : null;
    const next = view ? clip(view, span, narrowest(frame)) : span,
      { shownView } = this.#state;
    this.store.update({ frame, view, shownView: isSame(next, shownView) ? shownView : next });
  }

  /** @param {View | null} view  null: the whole span */
  changeView(view) {
    const { frame, shownView } = this.#state;
    this.store.update({ view, shownView: view ?? (frame ? spanOf(frame) : shownView) });
  }

  showWholeSpan() {
    this.changeView(null);
  }

  /** @param {(view: View, span: View, minHz: number) => View} change */
  #moveView(change) {
    const { frame, shownView } = this.#state;
    if (!frame) return;
    const span = spanOf(frame);
    const view = change(shownView, span, narrowest(frame));
    this.changeView(isWhole(view, span) ? null : view);
  }

  /** @param {number} fraction  of the view's width; above 0: to higher frequencies */
  panView(fraction) {
    this.#moveView((view, span) => panBy(view, span, fraction));
  }

  /** @param {number} factor  above 1 zooms in @param {number} x  0 .. 1 of the plot: stays fixed */
  zoomView(factor, x) {
    this.#moveView((view, span, minHz) => zoomAt(view, span, minHz, factor, x));
  }

  /**
   * Moves one or two frequencies to positions 0 .. 1 of the plot.
   * @param {number[]} hz
   * @param {number[]} x
   */
  holdFrequencies(hz, x) {
    this.#moveView((view, span, minHz) =>
      hz.length > 1
        ? pinch(span, minHz, [hz[0], hz[1]], [x[0], x[1]])
        : panBy(view, span, (hz[0] - hzAt(view, x[0])) / widthHz(view)),
    );
  }

  /** @param {number} x  0 .. 1 of the plot */
  hzAt(x) {
    return hzAt(this.#state.shownView, x);
  }

  // ---- levels --------------------------------------------------------------------------------

  /** @param {Range} range @param {'user' | 'auto'} [rangeBy] */
  changeRange(range, rangeBy = 'user') {
    this.store.update({ range, rangeBy });
  }

  /** Fits the range to the newest frame, and lets it follow from now on. */
  fitRange() {
    this.#follower.restart();
    if (this.#state.frame) this.changeRange(autoRange(this.#state.frame), 'auto');
  }

  /**
   * Until the user chooses a range, it follows the spectra.
   * @param {Frame} frame
   * @param {number} now  ms
   * @param {Frame[]} [others]  of other traces
   */
  followRange(frame, now, others = []) {
    const { range, rangeBy } = this.#state,
      shown = rangeBy ? range : null;
    if (rangeBy === 'user') return;
    const next = this.#follower.follow(shown, frame, now, others);
    if (next !== shown) this.changeRange(next, 'auto');
  }

  /** @param {number} db */
  shiftRangeDb(db) {
    this.changeRange(shiftRange(this.#state.range, db));
  }

  /** @param {number} fraction  of the range's height */
  shiftRange(fraction) {
    const { topDb, bottomDb } = this.#state.range;
    this.shiftRangeDb(fraction * (topDb - bottomDb));
  }

  /** @param {number} factor  above 1: fewer dB on screen @param {number} y  0 .. 1 from the top: stays fixed */
  zoomRange(factor, y) {
    this.changeRange(zoomRange(this.#state.range, factor, y));
  }

  // ---- the picture ---------------------------------------------------------------------------

  /** @param {string} detector */
  changeDetector(detector) {
    this.store.update({ detector });
  }

  nextDetector() {
    const detectors = this.#state.choices?.detector?.values;
    if (detectors) this.changeDetector(detectors[(detectors.indexOf(this.#state.detector) + 1) % detectors.length]);
  }

  /** @param {string} palette */
  changePalette(palette) {
    this.store.update({ palette });
  }

  /** @param {number} pixels  CSS pixels a row, clamped to 1 .. 8 */
  changeSpeed(pixels) {
    this.store.update({ speed: Math.min(8, Math.max(1, pixels)) });
  }

  /** @param {number} pixels */
  stepSpeed(pixels) {
    this.changeSpeed(this.#state.speed + pixels);
  }

  toggleEconomy() {
    this.store.update({ economy: !this.#state.economy });
  }

  togglePause() {
    this.store.update({ paused: !this.#state.paused });
  }

  /** @param {number} pixels  CSS pixels of the waterfall; above 0: to older lines */
  scrollBack(pixels) {
    this.past?.scroll(pixels / this.#state.speed);
  }

  /** @param {number} screens  of the waterfall; above 0: to older lines */
  scrollScreens(screens) {
    this.past?.scrollScreens(screens);
  }

  goLive() {
    this.past?.goLive();
    this.store.update({ eventShown: null });
  }

  /** @param {number} line  of the past */
  goToLine(line) {
    this.past?.goTo(line);
  }

  /** @param {{ x: number, y: number } | null} cursor */
  moveCursor(cursor) {
    this.store.update({ cursor });
  }

  // ---- the page ------------------------------------------------------------------------------

  /**
   * Opens a panel in front of the others; closes it if it is there.
   * @param {string} id
   * @param {boolean} [open]
   */
  togglePanel(id, open = frontPanel(PANELS, this.#state)?.id !== id) {
    const panel = PANELS.find((each) => each.id === id);
    if (!panel || (open && panel.offered?.(this.#state) === false)) return;
    this.store.update({ [panel.open]: open, ...(open && { front: id }) });
  }

  /** Closes what the features have opened. */
  closeAll() {
    this.store.update(CLOSED);
  }

  /** @param {boolean} open */
  showHelp(open) {
    this.store.update({ helpOpen: open });
  }

  toggleFullscreen() {
    const refused = () => this.showMessage('This browser refuses full screen.');
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(refused);
    else refused();
  }

  /** @param {string} text */
  showMessage(text) {
    this.store.update({ message: { text } });
  }

  // ---- the radio -----------------------------------------------------------------------------

  /** @param {string} token */
  takeControl(token) {
    this.store.update({ tokenSent: true });
    this.server.login(token);
  }

  /** @param {Record<string, unknown>} fields  of /api/v1/settings @param {string} [from]  who asks */
  set(fields, from = 'radio') {
    this.store.update({ setResult: { kind: 'sent', text: 'Sent, waiting for the answer.', from, field: '' } });
    if (!this.server.set(fields))
      this.store.update({ setResult: { kind: 'failed', text: 'Not connected.', from, field: '' } });
  }

  /** @param {'store' | 'recall' | 'remove'} action @param {string} name */
  preset(action, name) {
    const from = 'presets';
    this.store.update({ setResult: { kind: 'sent', text: '', from, field: '' } });
    if (!this.server.preset?.(action, name))
      this.store.update({ setResult: { kind: 'failed', text: 'Not connected.', from, field: '' } });
  }

  /** @param {Record<string, unknown> | number} wanted  what starts, or the id of the one that stops */
  record(wanted) {
    const from = 'record';
    this.store.update({ setResult: { kind: 'sent', text: '', from, field: '' } });
    const sent =
      typeof wanted === 'number' ? this.server.stopRecording?.(wanted) : this.server.startRecording?.(wanted);
    if (!sent) this.store.update({ setResult: { kind: 'failed', text: 'Not connected.', from, field: '' } });
  }

  clearSetResult() {
    this.store.update({ setResult: NO_RESULT });
  }
}
