// What the user does to traces beside the live one.

import { kindOf, newTrace } from './traces.js';
import { pictureOf } from '../../plot/picture.js';

/**
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {import('./traces.js').Trace} Trace
 */

export class TraceActions {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {import('../../net/connection.js').Connection | null} */
    this.connection = null;
    /** @type {import('../../plot/display.js').Display | null} */
    this.display = null; // pictures are saved of it
  }

  /**
   * @param {import('../../net/connection.js').Connection} connection
   * @param {import('../../plot/display.js').Display} display
   */
  use(connection, display) {
    Object.assign(this, { connection, display });
  }

  /** As a PNG. @param {import('../../net/wire.js').Frame} frame @param {Parameters<typeof pictureOf>[2]} captions */
  picture(frame, captions) {
    if (!this.display) throw new Error('there is no display yet');
    return pictureOf(this.display, frame, captions);
  }

  /** Stores a trace on the server, under a name. @param {number} slot @param {string} name */
  storeReference(slot, name) {
    const sent = this.connection?.storeReference(slot, name) ?? false;
    this.store.update({
      setResult: { kind: sent ? 'sent' : 'failed', text: sent ? '' : 'Not connected.', from: 'traces', field: '' },
    });
  }

  get #state() {
    return this.store.state;
  }

  /** @param {number} slot */
  #find(slot) {
    return this.#state.traces.find((trace) => trace.slot === slot);
  }

  /** @param {number} slot @param {Trace | null} trace */
  #put(slot, trace) {
    const others = this.#state.traces.filter((other) => other.slot !== slot);
    const traces = [...others, ...(trace ? [trace] : [])].sort((a, b) => a.slot - b.slot);
    const before = this.#find(slot),
      same = trace && before && kindOf(trace) === kindOf(before);
    const { [slot]: dropped, ...traceInfo } = this.#state.traceInfo;
    this.store.update(same || !dropped ? { traces } : { traces, traceInfo });
  }

  /** @param {number} slot @param {string} mode  "": none */
  choose(slot, mode) {
    const before = this.#find(slot);
    const kept = before
      ? { color: before.color, math: before.math, reference: before.reference, restarts: before.restarts }
      : {};
    this.#put(slot, mode ? { ...newTrace(slot, mode), ...kept } : null);
  }

  /** @param {number} slot @param {Partial<Trace>} fields */
  change(slot, fields) {
    const trace = this.#find(slot);
    if (trace) this.#put(slot, { ...trace, ...fields });
  }

  /** Begins the trace again, and shows it. @param {number} slot */
  clear(slot) {
    const trace = this.#find(slot);
    if (trace) this.change(slot, { restarts: trace.restarts + 1, shown: 'live' });
  }

  /** Adds a trace of this mode in a free slot, or removes the one there is. @param {string} mode */
  toggle(mode) {
    const { traces, traceSlots } = this.#state,
      there = traces.find((trace) => trace.mode === mode);
    if (there) return this.#put(there.slot, null);
    const free = Array.from({ length: traceSlots }, (_, i) => i + 1).find((slot) => !this.#find(slot));
    if (free) this.#put(free, newTrace(free, mode));
    else if (traceSlots > 0) this.store.update({ message: { text: 'All traces are in use.' } });
  }
}
