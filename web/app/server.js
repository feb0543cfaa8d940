// Passes what the server sends into the store, and the wanted view to the server.

import { thriftyView } from './thrift.js';
import { receiveTraceView, TRACES } from '../features/traces/traces.js';
import { readChoices } from '../net/choices.js';
import { readReadings } from '../net/readings.js';
import { withChanges } from '../net/status.js';
import { COLUMNS_MAX } from '../net/wire.js';
import { addAnchors } from '../features/replay/replay.js';
import { controlOf, receiveLease } from '../features/radio/lease.js';
import { readPresets } from '../features/radio/presets.js';
import { mergeRecordings } from '../features/recording/recording.js';
import { mergeEvents } from '../features/triggers/triggers.js';
import { explainRefusal } from './settings.js';
import { receiveReadings } from '../features/markers/markers.js';

/**
 * @typedef {import('./state.js').Store} Store
 * @typedef {Record<string, any>} Message
 */

/** @type {Record<string, (store: Store, message: Message) => void>} */
const MESSAGES = {
  welcome(store, { control, choices, limits, band_plan: plan, recordings }) {
    const reason = store.state.tokenSent ? 'The token was not accepted: viewing only.'
      : 'Viewing only: changing the radio needs the control token.';
    store.update({ control: controlOf({ permitted: control === true, refusal: reason }, null), lease: null, presets: [],
      choices: readChoices(choices), limits: limits ?? {}, readable: Number(limits?.markers ?? 0), ended: false,
      planOffered: plan === true,
      recordOffered: recordings === true, recordings: [],
      traceSlots: Math.max(0, Math.min(TRACES, (limits?.views ?? 1) - 1)) });
  },
  lease: receiveLease,
  recording: (store, message) => store.update({ recordings: mergeRecordings(store.state.recordings, message) }),
  event: (store, { events }) => store.update({ events: mergeEvents(store.state.events, events) }),
  presets: (store, message) => store.update({ presets: readPresets(message) }),
  choices: (store, { choices }) => store.update({ choices: readChoices(choices) }), // another radio
  status: (store, status) => store.update({ status, ended: status.state === 'ended' }),
  status_changes(store, { changes }) {
    const status = /** @type {any} */ (withChanges(store.state.status ?? {}, changes));
    store.update({ status, ended: status.state === 'ended' });
  },
  replay: (store, { anchors }) => store.update({ anchors: addAnchors(store.state.anchors, anchors) }),
  view(store, message) { if (message.slot > 0) receiveTraceView(store, message); },
  error(store, message) {
    if (message.slot > 0) receiveTraceView(store, message);
    const { setResult, choices } = store.state, text = String(message.message);
    // Shown once: where it was asked for, or across the top.
    if (setResult.kind === 'sent') store.update({ setResult: { ...setResult, kind: 'failed', ...explainRefusal(text, choices) } });
    else store.update({ message: { text: `Refused: ${text}` } });
  },
  done(store) {
    const { setResult } = store.state;
    if (setResult.kind === 'sent') store.update({ setResult: { ...setResult, kind: 'done', text: 'Done.', field: '' } });
  },
  markers: (store, message) => receiveReadings(store, readReadings(message)),
};

/**
 * Ignores messages of types that it does not know: a newer server may send them.
 * @param {Store} store
 * @param {Message} message
 */
export function receiveMessage(store, message) {
  if (Object.hasOwn(MESSAGES, message.type)) MESSAGES[message.type](store, message);
}

/** @param {Store} store @param {import('./state.js').LinkState} link */
export function receiveLink(store, link) {
  const connected = link.kind === 'live' || link.kind === 'waiting';
  const lost = { status: null, anchors: [], readable: 0, lease: null, control: controlOf({ permitted: false, refusal: 'Not connected.' }, null) };
  store.update(connected ? { link } : { link, ...lost });
}

/** @param {Store} store @param {import('../net/connection.js').Connection} connection */
export function requestViews(store, connection) {
  store.subscribe(['view', 'detector', 'columns', 'thrifty'], ({ view, detector, columns, thrifty }) => {
    const edges = view ? { low_hz: view.lowHz, high_hz: view.highHz } : {};
    connection.requestView(thriftyView({ ...edges, columns: Math.min(COLUMNS_MAX, Math.max(1, columns)), detector }, thrifty));
  });
}
