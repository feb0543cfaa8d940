// Draws received frames: once for each animation frame, with credit for the server after that.

/**
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {import('./state.js').State} State
 */

const FIGURES_EVERY_MS = 125;
const PACE_EVERY_MS = 1000;

export class Drawing {
  #scheduled = false;
  #missingRows = false;  // rows were not drawn while paused: the next one follows a gap
  #missingFrames = false; // the connection was lost: the next frame to arrive follows a gap
  /** @type {Frame[]} */
  #waiting = [];
  #figuresAt = -Infinity;
  #pace = { drawn: 0, bytes: 0, merged: 1 };
  #count = { since: performance.now(), frames: 0, bytes: 0, merged: 1 };

  /**
   * @param {import('./state.js').Store} store
   * @param {import('./actions.js').Actions} actions
   * @param {import('../net/connection.js').Connection} connection
   */
  constructor(store, actions, connection) {
    this.store = store;
    this.actions = actions;
    this.connection = connection;
  }

  /** @param {import('../plot/display.js').Display} display */
  start(display) {
    const { store } = this;
    this.display = display;
    const { scene } = display;
    store.subscribe(['shownView'], ({ shownView }) => { scene.view = shownView; });
    store.subscribe(['view', 'range', 'palette'], ({ range, palette }) => {
      Object.assign(scene, { range, palette });
      display.touch();
    });
    store.subscribe(['speed'], ({ speed }) => display.setSpeed(speed));
    store.subscribe(['cursor'], ({ cursor }) => {
      display.cursor = cursor;
      this.schedule();
    });
    store.subscribe(['link'], ({ link, frame }) => { if (link.kind !== 'live') this.#missingFrames = frame !== null; });
  }

  schedule() {
    if (!this.#scheduled) requestAnimationFrame((now) => this.#draw(now));
    this.#scheduled = true;
  }

  /** Queues a frame that has arrived. @param {Frame} frame */
  add(frame) {
    // The gap is marked here because frames from before the loss may still be waiting.
    this.#waiting.push(this.#missingFrames ? { ...frame, gap: true } : frame);
    this.#missingFrames = false;
    this.schedule();
  }

  /** @param {Frame} frame */
  #take(frame) {
    this.actions.takeFrame(frame);
    if (this.store.state.paused) {
      this.#missingRows = true;
      return;
    }
    if (!this.store.state.rangeBy) this.actions.fitRange();
    this.display?.add(frame, frame.gap || this.#missingRows);
    this.#missingRows = false;
  }

  /** @param {number} now */
  #draw(now) {
    this.#scheduled = false;
    const { display } = this;
    if (!display) return;
    const frames = this.#waiting.splice(0);
    for (const frame of frames) this.#take(frame);
    this.#measurePace(frames);
    const moving = display.draw(now);
    this.connection.credit(frames.length); // after drawing: until then a frame counts as in flight
    this.#updateFigures();
    const { cursor, frame } = this.store.state;
    this.store.update({ reading: cursor && frame ? display.readingAt(cursor, frame) : null });
    if (moving) this.schedule();
  }

  /** @param {Frame[]} frames  drawn now */
  #measurePace(frames) {
    const count = this.#count, now = performance.now(), seconds = (now - count.since) / 1000;
    count.frames += frames.length;
    count.merged = Math.max(count.merged, ...frames.map((frame) => frame.merged));
    if (1000 * seconds < PACE_EVERY_MS) return;
    const { bytes } = this.connection;
    this.#pace = { drawn: count.frames / seconds, bytes: (bytes - count.bytes) / seconds, merged: count.merged };
    this.#count = { since: now, frames: 0, bytes, merged: 1 };
  }

  #updateFigures() {
    const { frame, shownView } = this.store.state, now = performance.now();
    if (!frame || now - this.#figuresAt < FIGURES_EVERY_MS) return;
    this.#figuresAt = now;
    this.store.update({ figures: { frame, view: shownView, pace: this.#pace } });
  }
}
