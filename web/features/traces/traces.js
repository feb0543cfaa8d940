// Traces beside the live one: what each is, and how the server is asked for it.

import { COLUMNS_MAX } from '../../net/wire.js';

/**
 * @typedef {object} Trace
 * @property {number} slot  1 to TRACES
 * @property {string} mode  a name of MODES
 * @property {string} detector  also a percentile: "median", "p90"
 * @property {number} count  lines of an average
 * @property {number} [vbwHz]  video bandwidth of an average in place of the count
 * @property {number} color  1 to TRACES
 * @property {'live' | 'view' | 'blank'} shown  view: frozen; blank: hidden, while it goes on
 * @property {string} math  none, or how it is computed against the reference
 * @property {string} reference  its name; "": none
 * @property {number} restarts
 *
 * @typedef {object} TraceInfo  what the server says of a trace
 * @property {number | null} firstLine
 * @property {string} unit
 * @property {string} reason  why it shows nothing; "": it does
 * @property {number | null} [vbwHz]  that it settles at; null: not known, or none was asked for
 *
 * @typedef {import('../../app/store.js').Store} Store
 */

export const TRACES = 6;

/**
 * The functions of docs/measurements.md, by their names in a view.
 * @type {Record<string, { label: string, detector: string, count: number }>}
 */
export const MODES = {
  'clear-write': { label: 'Clear/write', detector: 'mean', count: 0 },
  'max-hold': { label: 'Max hold', detector: 'max', count: 0 },
  'min-hold': { label: 'Min hold', detector: 'min', count: 0 },
  average: { label: 'Average', detector: 'mean', count: 100 },
  'log-average': { label: 'Log average', detector: 'mean', count: 100 },
  'voltage-average': { label: 'Voltage average', detector: 'mean', count: 100 },
  exponential: { label: 'Exponential', detector: 'mean', count: 20 },
};

/** @param {number} slot @param {string} mode @returns {Trace} */
export function newTrace(slot, mode) {
  const { detector, count } = MODES[mode];
  return { slot, mode, detector, count, color: slot, shown: 'live', math: 'none', reference: '', restarts: 0 };
}

/** True where a count of lines belongs to the mode. @param {Trace} trace */
export const averages = ({ mode }) => MODES[mode].count > 0;

/** What makes its frames: with another value it is another trace. @param {Trace} trace */
export const kindOf = ({ mode, detector, count, vbwHz, math, reference, restarts }) =>
  JSON.stringify([mode, detector, vbwHz ? `v${vbwHz}` : count, math, reference, restarts]);

const DETECTOR = /^(mean|max|min|sample|median|p(\d{1,2}(?:\.\d{1,3})?))$/;

/** @param {string} text  as the server knows it */
export const isDetector = (text) => {
  const found = DETECTOR.exec(text);
  return found !== null && (found[2] === undefined || Number(found[2]) > 0);
};

/** The per cent of a percentile; null: it is none. @param {string} detector */
export function percentOf(detector) {
  const percent = detector === 'median' ? 50 : Number(/^p([\d.]+)$/.exec(detector)?.[1] ?? NaN);
  return percent > 0 && percent < 100 ? percent : null;
}

/** @param {number} percent  1e-3 .. 99.999 */
export const percentileOf = (percent) => (percent === 50 ? 'median' : `p${Number(percent.toFixed(3))}`);

/** "Max hold", "Average \u2212 empty-band". @param {Trace} trace */
export function traceName({ mode, math, reference }) {
  const sign = math === 'minus' ? '\u2212' : '/';
  return MODES[mode].label + (math === 'none' ? '' : ` ${sign} ${reference}`);
}

/** The lines that it has; of an average "87/100". @param {Trace} trace @param {number} lines */
export function linesText(trace, lines) {
  return averages(trace) && !trace.vbwHz ? `${Math.min(lines, trace.count)}/${trace.count}` : String(lines);
}

// ---- the server -------------------------------------------------------------------------------

/**
 * @param {Readonly<import('../../app/state.js').State>} state
 * @param {Trace} trace
 * @returns {import('../../net/trace_views.js').TraceView}
 */
function viewOfTrace({ view, columns }, trace) {
  return {
    ...(view ? { low_hz: view.lowHz, high_hz: view.highHz } : {}),
    columns: Math.min(COLUMNS_MAX, Math.max(1, columns)),
    detector: trace.detector,
    trace: trace.mode,
    ...(averages(trace) ? (trace.vbwHz ? { vbw_hz: trace.vbwHz } : { count: trace.count }) : {}),
    ...(trace.math !== 'none' ? { math: trace.math, reference: trace.reference } : {}),
    restarts: trace.restarts,
  };
}

/**
 * Asks the server for the traces, where it has several views.
 * @param {Store} store
 * @param {import('../../net/connection.js').Connection} connection
 */
export function requestTraces(store, connection) {
  store.subscribe(['view', 'columns', 'traces', 'traceSlots'], (state) => {
    const wanted = state.traces.filter(({ slot }) => slot <= state.traceSlots);
    connection.requestTraces(new Map(wanted.map((trace) => [trace.slot, viewOfTrace(state, trace)])));
  });
}

/**
 * Takes a message of the server about the view of a trace.
 * @param {Store} store
 * @param {Record<string, any>} message
 */
export function receiveTraceView(store, { slot, first_line: firstLine, unit, reason, message, vbw_hz: vbwHz }) {
  const info =
    message === undefined
      ? {
          firstLine: typeof firstLine === 'number' ? firstLine : null,
          unit: String(unit),
          reason: reason ? String(reason) : '',
          ...(typeof vbwHz === 'number' ? { vbwHz } : {}),
        }
      : { firstLine: null, unit: 'dBFS', reason: String(message) };
  store.update({ traceInfo: { ...store.state.traceInfo, [slot]: info } });
}
