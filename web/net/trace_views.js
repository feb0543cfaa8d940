// The views of a client beside the first one: which are wanted, which the server was asked for, and whose a frame is.

/**
 * @typedef {object} TraceView  what a trace asks of the server
 * @property {number} [low_hz]
 * @property {number} [high_hz]
 * @property {number} columns
 * @property {string} detector
 * @property {string} trace
 * @property {number} [count]
 * @property {number} [vbw_hz]  in place of the count
 * @property {string} [math]
 * @property {string} [reference]
 * @property {number} restarts  another number: the trace begins again
 *
 * @typedef {{ text: string, trace: string, restarts: number, id: number, since: number }} Asked  since: the first id of
 *   this trace
 */

/** Views are numbered in steps of this, and a number includes its slot. */
export const SLOT_STEP = 8;

/** The slot of a frame. @param {{ view: number }} frame */
export const slotOf = ({ view }) => view % SLOT_STEP;

/** What makes a trace, without the part of it that is shown. @param {TraceView} view */
const traceOf = ({ detector, trace, count, vbw_hz: vbwHz, math, reference, restarts }) =>
  JSON.stringify([detector, trace, count, vbwHz, math, reference, restarts]);

export class TraceViews {
  /** @type {Map<number, TraceView>} */
  #wanted = new Map();
  /** @type {Map<number, Asked>} */
  #asked = new Map();
  #serial = 0;

  /** @param {Map<number, TraceView>} views  by slot, from 1 on */
  want(views) {
    this.#wanted = views;
  }

  /** A new connection knows of no views. */
  reset() {
    this.#asked.clear();
  }

  /** The messages that make the server send what is wanted. @returns {Record<string, unknown>[]} */
  messages() {
    const removed = [...this.#asked.keys()].filter((slot) => !this.#wanted.has(slot));
    for (const slot of removed) this.#asked.delete(slot);
    const changed = [...this.#wanted].filter(([slot, view]) => this.#asked.get(slot)?.text !== JSON.stringify(view));
    return [
      ...removed.map((slot) => ({ type: 'view', slot, off: true })),
      ...changed.map(([slot, view]) => this.#ask(slot, view)),
    ];
  }

  /** @param {number} slot @param {TraceView} view */
  #ask(slot, view) {
    const before = this.#asked.get(slot),
      trace = traceOf(view);
    const id = (++this.#serial % 2 ** 28) * SLOT_STEP + slot;
    const since = before && before.trace === trace ? before.since : id;
    const { restarts, ...fields } = view;
    const again = before !== undefined && before.restarts !== restarts;
    this.#asked.set(slot, { text: JSON.stringify(view), trace, restarts, id, since });
    return { type: 'view', slot, id, coding: 'range', ...fields, ...(again ? { restart: true } : {}) };
  }

  /** True if a frame is of a trace that is still wanted as it is. @param {{ view: number }} frame */
  isCurrent(frame) {
    return frame.view >= (this.#asked.get(slotOf(frame))?.since ?? Infinity);
  }
}
