// Draws received frames: once for each animation frame, with credit for the server after that.

import { ringSeconds } from '../features/box/box.js';
import { waterfallRange } from '../features/waterfall/range.js';
import { CreditPacer } from './economy.js';
import { TraceFrames } from '../features/traces/frames.js';
import { slotOf } from '../net/trace_views.js';
import { breakBetween } from '../plot/breaks.js';
import { isRead } from '../features/markers/markers.js';
import { levelScale, wantedUnit } from './units.js';

/**
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {import('./state.js').State} State
 */

const FIGURES_EVERY_MS = 125;
const PACE_EVERY_MS = 1000;
const PAUSE_WAIT_MS = 1000; // at most, for a line that the server has read

export class Drawing {
  #scheduled = false;
  #paused = false; // rows were not drawn while paused
  #reconnected = false; // the connection was lost: frames are missing before the next one to arrive
  /** @type {{ frame: Frame, reconnected: boolean }[]} */
  #waiting = [];
  /** @type {Frame | null} */
  #drawn = null; // the newest in the waterfall
  #figuresAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #figuresTimer;
  #pausedAt = 0;
  #pace = { drawn: 0, bytes: 0, merged: 1 };
  #count = { since: performance.now(), frames: 0, bytes: 0, merged: 1 };

  /**
   * @param {import('./store.js').Store} store
   * @param {import('./actions.js').Actions} actions
   * @param {import('../net/connection.js').Connection} connection
   * @param {import('../features/history/rows.js').PastRows} past
   */
  constructor(store, actions, connection, past) {
    this.store = store;
    this.actions = actions;
    this.connection = connection;
    this.past = past;
    this.traces = new TraceFrames(store);
    this.pacer = new CreditPacer((count) => connection.credit(count));
  }

  /** @param {import('../plot/display.js').Display} display */
  start(display) {
    const { store } = this;
    this.display = display;
    const { scene } = display;
    store.subscribe(['shownView'], ({ shownView }) => {
      scene.view = shownView;
      display.touch();
    });
    store.subscribe(['view', 'range', 'palette', 'waterfall'], ({ range, palette, waterfall }) => {
      Object.assign(scene, { range, palette, waterfallRange: waterfallRange(waterfall, range) });
      display.touch();
    });
    store.subscribe(['traces', 'traceInfo', 'traceSlots'], ({ traces }) => {
      this.traces.keep(traces);
      display.touch();
    });
    store.subscribe(['unit', 'status', 'frame', 'shownView'], ({ unit, status, frame, shownView, levels }) => {
      const next = levelScale(
        wantedUnit({ unit, status }),
        status?.calibration?.curve,
        frame,
        (shownView.lowHz + shownView.highHz) / 2,
      );
      if (next !== levels) store.update({ levels: next });
    });
    store.subscribe(['levels'], ({ levels }) => {
      scene.levels = levels;
      display.touch();
    });
    store.subscribe(['status', 'recordOffered', 'paused'], ({ status, recordOffered, paused }) => {
      const ringMs = recordOffered && !paused ? 1000 * ringSeconds(status) : NaN; // the ring goes on
      if (Object.is(ringMs, scene.ringMs)) return;
      scene.ringMs = ringMs;
      display.touch();
    });
    store.subscribe(['speed'], ({ speed }) => display.setSpeed(speed));
    store.subscribe(['cursor'], ({ cursor }) => {
      scene.cursor = cursor;
      this.schedule();
    });
    store.subscribe(['paused'], ({ paused }) => {
      this.#pausedAt = performance.now();
      if (!paused) store.update({ held: false });
    });
    store.subscribe(['link'], ({ link, frame }) => {
      if (link.kind !== 'live') this.#reconnected = frame !== null;
    });
    store.subscribe(['link'], ({ link }) => {
      if (link.kind === 'connecting') this.pacer.restart();
    });
  }

  /** Draws again what is over the plots. */
  schedule() {
    if (this.display) this.display.stale = true;
    this.#animate();
  }

  #animate() {
    if (!this.#scheduled) requestAnimationFrame((now) => this.#draw(now));
    this.#scheduled = true;
  }

  /** Queues a frame that has arrived. @param {Frame} frame */
  add(frame) {
    // Marked here because frames from before the loss may still be waiting.
    this.#waiting.push({ frame, reconnected: this.#reconnected });
    this.#reconnected = false;
    this.#animate();
  }

  /** @param {Frame} frame @param {boolean} reconnected  before it */
  #take(frame, reconnected) {
    this.actions.takeFrame(frame);
    if (this.#holds()) {
      this.#paused = true;
      return;
    }
    this.actions.followRange(
      frame,
      performance.now(),
      this.traces.shown().flatMap((shown) => shown.frame ?? []),
    );
    const missed = { paused: this.#paused, reconnected };
    if (this.#drawn && frame.line < this.#drawn.line) this.past.beginRun();
    const gap = this.#drawn ? breakBetween(this.#drawn, frame, missed) : null;
    const page = reconnected ? 'reconnected' : this.#paused && !frame.gap ? 'paused' : undefined;
    this.display?.add(frame, gap && page ? { ...gap, page } : gap, this.past.run);
    this.store.update({ shown: frame });
    this.#paused = false;
    this.#drawn = frame;
  }

  /** A pause begins with a line that has its readings, so that peak, markers and picture are of one line. */
  #holds() {
    const { store } = this,
      { state } = store;
    if (state.paused && !state.held && (isRead(state) || performance.now() - this.#pausedAt > PAUSE_WAIT_MS))
      store.update({ held: true });
    return store.state.held;
  }

  /** @param {Frame} frame  of a trace beside the live one */
  #takeTrace(frame) {
    if (this.connection.traceViews.isCurrent(frame) && this.traces.take(frame) && this.display)
      this.display.dirty = true;
  }

  /** @param {number} now */
  #draw(now) {
    this.#scheduled = false;
    const { display } = this;
    if (!display) return;
    // Whole rounds only: the traces of a picture end with the same line.
    const whole = this.#waiting.map(({ frame }) => frame.more).lastIndexOf(false) + 1,
      waiting = this.#waiting.splice(0, whole);
    const frames = waiting.map(({ frame }) => frame).filter((frame) => slotOf(frame) === 0);
    for (const { frame, reconnected } of waiting) {
      if (slotOf(frame) > 0) this.#takeTrace(frame);
      else this.#take(frame, reconnected);
    }
    display.scene.traces = this.traces.shown();
    if (frames.length > 0) this.past.check();
    this.#measurePace(frames);
    const moving = display.draw(now);
    // after drawing: until then a frame counts as in flight
    this.pacer.add(waiting.filter(({ frame }) => !frame.more).length, this.store.state.economy);
    this.#updateFigures();
    const { cursor, frame } = this.store.state;
    this.store.update({ reading: cursor && frame ? display.readingAt(cursor, frame) : null });
    if (moving) this.#animate();
  }

  /** @param {Frame[]} frames  drawn now */
  #measurePace(frames) {
    const count = this.#count,
      now = performance.now(),
      seconds = (now - count.since) / 1000;
    count.frames += frames.length;
    count.merged = Math.max(count.merged, ...frames.map((frame) => frame.merged));
    if (1000 * seconds < PACE_EVERY_MS) return;
    const { bytes } = this.connection;
    this.#pace = { drawn: count.frames / seconds, bytes: (bytes - count.bytes) / seconds, merged: count.merged };
    this.#count = { since: now, frames: 0, bytes, merged: 1 };
  }

  /** Not with every picture, but with the last one: no other may follow while a recording pauses. */
  #updateFigures() {
    const { frame, shown, shownView } = this.store.state,
      now = performance.now();
    clearTimeout(this.#figuresTimer);
    if (!frame) return;
    if (now - this.#figuresAt < FIGURES_EVERY_MS) {
      this.#figuresTimer = setTimeout(() => this.#updateFigures(), FIGURES_EVERY_MS);
      return;
    }
    this.#figuresAt = now;
    this.store.update({
      figures: { frame, shown: shown ?? frame, view: shownView, pace: this.#pace, traces: this.traces.shown() },
    });
  }
}
