// The newest frame of each trace, and what of it is drawn, named and read.

import { slotOf } from '../../net/trace_views.js';
import { kindOf, linesText, traceName } from './traces.js';

/**
 * @typedef {import('../../net/wire.js').Frame} Frame
 * @typedef {import('./traces.js').Trace} Trace
 *
 * @typedef {object} ShownTrace
 * @property {Trace} trace
 * @property {string} name  of it: "1 Max hold"
 * @property {string} unit  of its levels
 * @property {string} lines  that it has; "": not known
 * @property {number | null} vbwHz  of an average with one
 * @property {string} reason  why it shows nothing; "": it does
 * @property {Frame | null} frame
 */

export class TraceFrames {
  /** @type {Map<number, Frame>} */
  #frames = new Map();
  /** @type {Map<number, string>} */
  #kinds = new Map();

  /** @param {import('../../app/store.js').Store} store */
  constructor(store) {
    this.store = store;
  }

  /** @param {Frame} frame  of a trace that is wanted @returns {boolean}  true: the picture changes */
  take(frame) {
    const slot = slotOf(frame),
      trace = this.store.state.traces.find((each) => each.slot === slot);
    if (!trace || (trace.shown === 'view' && this.#frames.has(slot)) || this.store.state.held) return false;
    this.#frames.set(slot, frame);
    return trace.shown !== 'blank';
  }

  /** Forgets the frames of traces that are gone or have become others. @param {readonly Trace[]} traces */
  keep(traces) {
    const now = new Map(traces.map((trace) => [trace.slot, kindOf(trace)]));
    for (const slot of this.#frames.keys()) if (now.get(slot) !== this.#kinds.get(slot)) this.#frames.delete(slot);
    this.#kinds = now;
  }

  /** All traces but the blanked ones. @returns {ShownTrace[]} */
  shown() {
    const { traces, traceInfo, traceSlots } = this.store.state;
    return traces
      .filter(({ shown, slot }) => shown !== 'blank' && slot <= traceSlots)
      .map((trace) => {
        const info = traceInfo[trace.slot],
          reason = info?.reason ?? '';
        const frame = reason && trace.shown !== 'view' ? null : (this.#frames.get(trace.slot) ?? null);
        const first = info?.firstLine ?? null;
        const lines = frame && first !== null && frame.line >= first ? linesText(trace, frame.line - first + 1) : '';
        return {
          trace,
          name: `${trace.slot} ${traceName(trace)}`,
          unit: info?.unit ?? 'dBFS',
          lines,
          reason,
          frame,
          vbwHz: trace.vbwHz ? (info?.vbwHz ?? trace.vbwHz) : null,
        };
      });
  }
}
