// Traces beside the live one: max hold, averages and others, and their legend.

import { formatTraces, parseTraces } from './address.js';
import { traceLegend } from './legend.js';
import { receiveTraceView, requestTraces, TRACES } from './traces.js';
import { late } from '../../late.js';
import { latePanel } from '../dock/panel.js';

/**
 * @typedef {object} TracesState
 * @property {import('./traces.js').Trace[]} traces  beside the live one, by slot
 * @property {number} traceSlots  traces that the server can send beside the live one; 0: an older server
 * @property {Record<number, import('./traces.js').TraceInfo>} traceInfo  by slot
 * @property {boolean} tracesOpen  the panel
 */

const hasTraces = (/** @type {import('../list.js').State} */ { traceSlots }) => traceSlots > 0;

/** @param {Record<string, any>} message @param {import('../../app/store.js').Store} store */
const receive = (message, store) => {
  if (message.slot > 0) receiveTraceView(store, message);
};

/** @type {import('../list.js').Feature<TracesState>} */
export const traces = {
  order: 60,
  state: (hash) => ({ traces: parseTraces(hash.traces ?? ''), traceSlots: 0, traceInfo: {}, tracesOpen: false }),
  panels: [{ id: 'traces', label: 'Traces', open: 'tracesOpen', offered: hasTraces, needs: ['traceSlots'] }],
  link: {
    fields: { traces: (text) => formatTraces(parseTraces(text)) || undefined },
    keys: ['traces'],
    write: (state) => ({ traces: formatTraces(state.traces) || undefined }),
    read: (hash) => ({ traces: parseTraces(hash.traces ?? '') }),
  },
  commands: [
    {
      id: 'max-hold',
      keys: ['h'],
      group: 'Level',
      label: 'max hold',
      when: hasTraces,
      run: (actions) => actions.traces.toggle('max-hold'),
    },
    {
      id: 'average',
      keys: ['y'],
      group: 'Level',
      label: 'average',
      when: hasTraces,
      run: (actions) => actions.traces.toggle('average'),
    },
    {
      id: 'traces',
      tool: { id: 'traces-open', group: 'Analyse', word: 'Traces', icon: 'M2 8l4-4 4 4 4-4 4 4M2 15l4-4 4 4 4-4 4 4' },
      keys: ['v'],
      group: 'Level',
      label: 'traces',
      when: hasTraces,
      run: (actions) => actions.togglePanel('traces'),
    },
  ],
  messages: {
    welcome: ({ limits }) => ({ traceSlots: Math.max(0, Math.min(TRACES, (limits?.views ?? 1) - 1)) }),
    view: receive,
    error: receive,
  },
  start({ store, actions, connection, display }) {
    actions.traces.use(connection, display);
    requestTraces(store, connection);
  },
  parts: [traceLegend, latePanel('traces', 'tracesOpen', async () => (await late()).fillTraces)],
};
