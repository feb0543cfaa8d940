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
  /**
   * The hub's list with its changes; null: it has not sent its radios yet, and another hub may give their ids to
   * others.
   * @type {any}
   */
  #list = null;
  /** @type {Map<number, LineReader>} */
  #readers = new Map();
  /** Calls without an answer, by id. @type {Map<number, (answer: import('./control.js').Answer) => void>} */
  #calls = new Map();
  #lastCall = 0;
  #token = ''; // of the hub, for this connection and those after it
  /** @type {((isRight: boolean) => void) | null} */
  #onWelcome = null;
  allowed = true; // to make calls, as far as the hub is concerned
  #serial = 0; // of the newest request that starts anew
  #awaited = false; // frames that arrive now belong to the previous request

  /** @param {string} url @param {FeedHandlers} handlers */
  constructor(url, handlers) {
    this.handlers = handlers;
    this.socket = new Socket(url, 'api/v1/radios', {
      onState: handlers.onState,
      onBegin: () => this.#begin(),
      onOpen: () => this.#hello(),
      onData: (data) => this.#receive(data),
      onEnd: () => {},
    });
  }

  open() {
    this.socket.open();
  }

  #hello() {
    if (this.#token) this.socket.send({ type: 'hello', token: this.#token });
  }

  /**
   * Connects anew, with the hub's token.
   * @param {string} token
   * @returns {Promise<boolean>}  false: it is wrong, or the connection was lost
   */
  login(token) {
    this.#token = token;
    return new Promise((resolve) => {
      this.socket.open();
      this.#onWelcome = resolve;
    });
  }

  /**
   * A call of a radio. Its answer comes always; status 0: there is none, and `error` says why.
   * @param {'get' | 'put'} verb @param {string} radio  SITE.RADIO @param {string} resource  "settings"
   * @param {{ token?: string, name?: string, body?: object }} more
   * @returns {Promise<import('./control.js').Answer>}
   */
  call(verb, radio, resource, more) {
    return new Promise((resolve) => {
      const id = ++this.#lastCall;
      if (!this.socket.send({ id, [verb]: `/api/v1/radios/${radio}/${resource}`, ...more }))
        return resolve({ status: 0, error: 'this page is not connected' });
      this.#calls.set(id, resolve);
    });
  }

  /** @param {any} answer */
  #answer(answer) {
    const resolve = this.#calls.get(answer.id);
    this.#calls.delete(answer.id);
    resolve?.(answer);
  }

  #begin() {
    for (const id of [...this.#calls.keys()])
      this.#answer({
        id,
        status: 0,
        error: 'the connection to the hub was lost: whether the radio was changed is not known',
      });
    this.#onWelcome?.(false);
    this.#onWelcome = null;
    this.#readers.clear();
    this.#wanted = [];
    this.#list = null;
    this.#awaited = false;
  }

  /**
   * Asks for the lines of these radios. After a reconnect that is to be done again, from onRadios.
   * @param {number[]} ids  of its newest list
   * @param {number} pastS  the lines of a radio that it did not want before begin so many seconds ago
   */
  want(ids, pastS) {
    const wanted = ids.slice(0, WANTED_MAX);
    if (
      !this.#list
      || wanted.join() === this.#wanted.join()
      || !this.socket.send({ type: 'want', radios: wanted, past_s: pastS })
    )
      return;
    for (const id of this.#readers.keys()) if (!wanted.includes(id)) this.#readers.delete(id);
    this.#wanted = wanted;
  }

  /**
   * Asks for the lines of all wanted radios once more, from an earlier time on.
   * @param {number} pastS
   * @returns {boolean}  false: not connected
   */
  wantAgain(pastS) {
    if (
      !this.#list
      || !this.socket.send({ type: 'want', radios: this.#wanted, past_s: pastS, again: true, serial: ++this.#serial })
    )
      return false;
    this.#awaited = true;
    this.#readers.clear();
    return true;
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
      const list = message.type === 'radios' ? message : mergeChanges(this.#list, message),
        radios = readRadios(list);
      this.socket.live();
      this.#list = list;
      this.handlers.onRadios(radios);
    } else if (Number.isInteger(message?.status) && this.#calls.has(message.id)) {
      this.#answer(message);
    } else if (message?.type === 'wanted') {
      this.#awaited &&= message.serial !== this.#serial;
    } else if (message?.type === 'welcome') {
      this.allowed = message.control !== false;
      if (!this.allowed) this.#token = ''; // a wrong one is not sent again
      this.#onWelcome?.(this.allowed);
      this.#onWelcome = null;
    } else if (message?.type === 'error') {
      this.#awaited = false; // a request was refused: the next one repeats all of it
      this.#wanted = [];
      this.handlers.onNote(String(message.message));
    } else if (message?.type === 'dropped') {
      this.handlers.onNote(
        `This connection is too slow: the hub left out ${formatCount(Number(message.frames))} lines so far.`,
      );
    }
  }

  /** What one radio sends does not end the connection to the others. @param {ArrayBuffer} data */
  #line(data) {
    if (data.byteLength < ID_BYTES) return;
    const id = new DataView(data).getUint32(0, true);
    if (this.#awaited || !this.#wanted.includes(id)) return; // in flight while the request changed
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
