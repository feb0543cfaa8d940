// Passes what the server sends into the store, and the wanted view to the server.

import { FEATURES } from './features.js';
import { explainRefusal } from './settings.js';
import { economyView } from './economy.js';
import { readChoices } from '../net/choices.js';
import { COLUMNS_MAX } from '../net/wire.js';

/**
 * @typedef {import('./store.js').Store} Store
 * @typedef {Partial<import('./state.js').State>} Changes
 * @typedef {Record<string, any>} Message
 */

/** What all features share. @type {Record<string, (message: Message, store: Store) => Changes>} */
const MESSAGES = {
  welcome: ({ choices, limits }) => ({ choices: readChoices(choices), limits: limits ?? {} }),
  choices: ({ choices }) => ({ choices: readChoices(choices) }), // another radio
  error({ message }, { state: { setResult, choices } }) {
    const text = String(message);
    // Shown once: where it was asked for, or across the top.
    return setResult.kind === 'sent'
      ? { setResult: { ...setResult, kind: 'failed', ...explainRefusal(text, choices) } }
      : { message: { text: `Refused: ${text}` } };
  },
  done: (_, { state: { setResult } }) =>
    setResult.kind === 'sent' ? { setResult: { ...setResult, kind: 'done', text: 'Done.', field: '' } } : {},
};

/** @param {Record<string, any>} table @param {string} type @returns {typeof MESSAGES[string][]} */
const receiverIn = (table, type) => (Object.hasOwn(table, type) ? [table[type]] : []);

/**
 * Ignores messages of types that no feature knows: a newer server may send them.
 * @param {Store} store
 * @param {Message} message
 */
export function receiveMessage(store, message) {
  const receivers = [MESSAGES, ...FEATURES.map(({ messages = {} }) => messages)].flatMap((table) =>
    receiverIn(table, message.type),
  );
  if (receivers.length > 0) store.update(Object.assign({}, ...receivers.map((receive) => receive(message, store))));
}

/** What a lost connection changes. @type {Changes} */
const DISCONNECTED = Object.assign({}, ...FEATURES.map(({ disconnected }) => disconnected));

/** @param {Store} store @param {import('../net/connection.js').LinkState} link */
export function receiveLink(store, link) {
  const connected = link.kind === 'live' || link.kind === 'waiting';
  store.update(connected ? { link } : { link, ...DISCONNECTED });
}

/** @param {Store} store @param {import('../net/connection.js').Connection} connection */
export function requestViews(store, connection) {
  store.subscribe(['view', 'detector', 'columns', 'economy'], ({ view, detector, columns, economy }) => {
    const edges = view ? { low_hz: view.lowHz, high_hz: view.highHz } : {};
    connection.requestView(
      economyView({ ...edges, columns: Math.min(COLUMNS_MAX, Math.max(1, columns)), detector }, economy),
    );
  });
}
