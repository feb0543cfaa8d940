// Passes what the server sends into the store, and the wanted view to the server.

import { readChoices } from '../net/choices.js';
import { COLUMNS_MAX } from '../net/wire.js';

/**
 * @typedef {import('./state.js').Store} Store
 * @typedef {Record<string, any>} Message
 */

/** @type {Record<string, (store: Store, message: Message) => void>} */
const MESSAGES = {
  welcome(store, { control, choices }) {
    const reason = store.state.tokenSent ? 'The token was not accepted: viewing only.'
      : 'Viewing only: changing the radio needs the control token.';
    store.update({ control: { allowed: control === true, reason }, choices: readChoices(choices) });
  },
  status: (store, status) => store.update({ status }),
  error(store, message) {
    const text = String(message.message);
    store.update({ message: { text: `Refused: ${text}` }, setResult: { kind: 'failed', text } });
  },
  done: (store) => store.update({ setResult: { kind: 'done', text: 'Done.' } }),
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
  const lost = { status: null, control: { allowed: false, reason: 'Not connected.' } };
  store.update(connected ? { link } : { link, ...lost });
}

/** @param {Store} store @param {import('../net/connection.js').Connection} connection */
export function requestViews(store, connection) {
  store.subscribe(['view', 'detector', 'columns'], ({ view, detector, columns }) => {
    const edges = view ? { low_hz: view.lowHz, high_hz: view.highHz } : {};
    connection.requestView({ ...edges, columns: Math.min(COLUMNS_MAX, Math.max(1, columns)), detector });
  });
}
