// Traces as the address keeps them: "1:max-hold:max,2:average:mean:n50:c4:blank:minus=empty-band".

import { averages, isDetector, MODES, newTrace } from './traces.js';

/** @typedef {import('./traces.js').Trace} Trace */

/** @type {[RegExp, (match: string[]) => Partial<Trace>][]} */
const OPTIONS = [
  [/^n([1-9]\d{0,8})$/, ([, count]) => ({ count: Number(count) })],
  [/^v(\d{1,9}(?:\.\d{1,6})?)$/, ([, hz]) => (Number(hz) > 0 ? { vbwHz: Number(hz) } : {})],
  [/^c([1-6])$/, ([, color]) => ({ color: Number(color) })],
  [/^(view|blank)$/, ([, shown]) => ({ shown: /** @type {Trace['shown']} */ (shown) })],
  [/^(minus|relative)=([\w.-]{1,40})$/, ([, math, reference]) => ({ math, reference })],
];

/** @param {string} text @returns {Trace | null} */
function parseTrace(text) {
  const [slot, mode, detector, ...options] = text.split(':');
  if (!/^[1-6]$/.test(slot) || !Object.hasOwn(MODES, mode) || !isDetector(detector)) return null;
  const trace = { ...newTrace(Number(slot), mode), detector };
  for (const option of options) {
    const found = OPTIONS.map(([pattern, read]) => {
      const match = pattern.exec(option);
      return match && read(match);
    }).find(Boolean);
    if (!found) return null;
    Object.assign(trace, found);
  }
  return trace;
}

/** Leaves out what it cannot read, and a second trace of a slot. @param {string} text @returns {Trace[]} */
export function parseTraces(text) {
  /** @type {Map<number, Trace>} */
  const bySlot = new Map();
  for (const trace of text.split(',').map(parseTrace))
    if (trace && !bySlot.has(trace.slot)) bySlot.set(trace.slot, trace);
  return [...bySlot.values()].sort((a, b) => a.slot - b.slot);
}

/** @param {readonly Trace[]} traces @returns {string} */
export function formatTraces(traces) {
  return traces
    .map((trace) =>
      [
        trace.slot,
        trace.mode,
        trace.detector,
        ...(averages(trace) && trace.count !== MODES[trace.mode].count ? [`n${trace.count}`] : []),
        ...(averages(trace) && trace.vbwHz ? [`v${Number(trace.vbwHz.toFixed(6))}`] : []),
        ...(trace.color !== trace.slot ? [`c${trace.color}`] : []),
        ...(trace.shown !== 'live' ? [trace.shown] : []),
        ...(trace.math !== 'none' ? [`${trace.math}=${trace.reference}`] : []),
      ].join(':'),
    )
    .join(',');
}
