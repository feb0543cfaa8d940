// calls.mjs - calls of the websocket (docs/protocol.md#calls), and their answers.

let last = 0;

/** A call with an id of its own. @param {'get' | 'put' | 'patch' | 'post' | 'delete'} verb @param {string} path  below /api/v1/ @param {object} [body] */
export const call = (verb, path, body) => ({ id: `call ${++last}`, [verb]: `/api/v1/${path}`, ...(body && { body }) });
export const set = (settings) => call('put', 'settings', settings);
export const subscribe = (topic, how = {}) => ({ id: `call ${++last}`, subscribe: topic, ...how });
export const unsubscribe = (topic) => ({ id: `call ${++last}`, unsubscribe: topic });

/**
 * The answer to a message among the texts that came after it; undefined: none yet. The answer to a call is "done" or "error", as
 * the server tells it of other messages.
 */
export function answerTo(message, texts) {
  if (message.type) return texts.find(({ type }) => type === 'done' || type === 'error');
  const answer = texts.find(({ id, status }) => id === message.id && status);
  return answer && (answer.status < 400 ? { type: 'done' } : { type: 'error', message: answer.error });
}
