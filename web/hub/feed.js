// The radios of a hub and their lines, over one socket that is opened again after each loss.

import { LineReader } from './line_reader.js';
import { mergeChanges, readRadios } from './radios.js';
import { Socket } from '../net/socket.js';
import { formatCount } from '../util/format.js';

/**
 * @typedef {object} FeedHandlers
 * @property {(state: import('../net/socket.js').LinkState) => void} onState
 * @property {(radios: import('./radios.js').Radios) => void} onRadios
 * @property {(id: number, line: import('./line_reader.js').Line) => void} onLine
 * @property {(id: number, reason: string) => void} onUnreadable  a message of a radio; those after it may be readable
 * @property {(message: string) => void} onNote  for people
 */

const ID_BYTES = 4;
export const WANTED_MAX = 16;

export class Feed {
  /** @type {number[]} */
  #wanted = [];
  /** The hub's list with its changes; null: it has not told its radios yet, and another hub may give their ids to others. @type {any} */
  #list = null;
  /** @type {Map<number, LineReader>} */
  #readers = new Map();

  /** @param {string} url @param {FeedHandlers} handlers */
  constructor(url, handlers) {
    this.handlers = handlers;
    this.socket = new Socket(url, 'api/v1/radios', { onState: handlers.onState, onBegin: () => this.#begin(), onOpen: () => {},
      onData: (data) => this.#receive(data), onEnd: () => {} });
  }

  open() { this.socket.open(); }

  #begin() {
    this.#readers.clear();
    this.#wanted = [];
    this.#list = null;
  }

  /** Asks for the lines of these radios. After a reconnect that is to be done again, from onRadios. @param {number[]} ids  of its newest list */
  want(ids) {
    const wanted = ids.slice(0, WANTED_MAX);
    if (!this.#list || wanted.join() === this.#wanted.join() || !this.socket.send({ type: 'want', radios: wanted })) return;
    for (const id of this.#readers.keys()) if (!wanted.includes(id)) this.#readers.delete(id);
    this.#wanted = wanted;
  }

  /** @param {ArrayBuffer | string} data */
  #receive(data) {
    if (typeof data !== 'string') {
      this.#line(data);
      return;
    }
    try {
      this.#message(JSON.parse(data));
    } catch (error) {
      this.socket.fault(error);
    }
  }

  /** @param {any} message */
  #message(message) {
    if (message?.type === 'radios' || (message?.type === 'changes' && this.#list)) {
      const list = message.type === 'radios' ? message : mergeChanges(this.#list, message), radios = readRadios(list);
      this.socket.live();
      this.#list = list;
      this.handlers.onRadios(radios);
    } else if (message?.type === 'error') {
      this.handlers.onNote(String(message.message));
    } else if (message?.type === 'dropped') {
      this.handlers.onNote(`This connection is too slow: the hub left out ${formatCount(Number(message.frames))} lines so far.`);
    }
  }

  /** What one radio sends does not end the connection to the others. @param {ArrayBuffer} data */
  #line(data) {
    if (data.byteLength < ID_BYTES) return;
    const id = new DataView(data).getUint32(0, true);
    if (!this.#wanted.includes(id)) return; // on its way while the wish changed
    const reader = this.#readers.get(id) ?? new LineReader();
    this.#readers.set(id, reader);
    try {
      const line = reader.read(new Uint8Array(data, ID_BYTES));
      if (line) this.handlers.onLine(id, line);
    } catch (error) {
      this.handlers.onUnreadable(id, error instanceof Error ? error.message : String(error));
    }
  }
}
