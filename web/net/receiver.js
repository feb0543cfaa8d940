// Reads what the server sends over one socket. Frames come in order, densities come in order.

import { FrameReader } from './coded.js';
import { decodeDensity, isDensity } from './density.js';
import { isHistory, readHistory } from './history.js';
import { inflateFrame } from './wire.js';

/**
 * @typedef {object} Received
 * @property {(frame: import('./wire.js').Frame) => void} onFrame  levels inflated
 * @property {(density: import('./density.js').Density) => void} onDensity
 * @property {(past: import('./history.js').Past) => void} onHistory  rows that were requested
 * @property {(message: Record<string, any>) => void} onMessage  the server's JSON, of any type
 * @property {(answer: { id: number, status: number, error?: string }) => void} [onAnswer]  of a call
 * @property {(error: unknown) => void} onFault  something could not be read
 */

export class Receiver {
  #reader = new FrameReader();
  /** @type {Promise<void> | null}  the newest frame that is being inflated */
  #inflating = null;
  /** @type {Promise<void>}  the newest density that is being decoded */
  #densities = Promise.resolve();
  #closed = false;

  /** @param {Received} handlers */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /** Drops what is still being decoded. */
  close() {
    this.#closed = true;
  }

  /** @param {ArrayBuffer | string} data  of one message */
  receive(data) {
    try {
      if (typeof data === 'string') this.#message(data);
      else if (isDensity(data)) this.#density(data);
      else if (isHistory(data)) this.#later(readHistory(data), this.handlers.onHistory);
      else this.#frame(data);
    } catch (error) {
      this.handlers.onFault(error);
    }
  }

  /** @param {string} text */
  #message(text) {
    const message = JSON.parse(text);
    if (typeof message?.id === 'number' && typeof message.status === 'number') return this.handlers.onAnswer?.(message);
    if (typeof message?.type !== 'string') throw new Error('message without a type');
    this.handlers.onMessage(message);
  }

  /** Inflating is asynchronous: later frames wait for it. @param {ArrayBuffer} data */
  #frame(data) {
    const frame = this.#reader.read(data);
    if (!frame.deflated && !this.#inflating) return this.handlers.onFrame(frame);
    const before = this.#inflating ?? Promise.resolve();
    const inflated = this.#later(
      before.then(() => inflateFrame(frame)),
      this.handlers.onFrame,
    );
    this.#inflating = inflated;
    inflated.then(() => {
      if (this.#inflating === inflated) this.#inflating = null;
    });
  }

  /** @param {ArrayBuffer} data */
  #density(data) {
    this.#densities = this.#later(
      this.#densities.then(() => decodeDensity(data)),
      this.handlers.onDensity,
    );
  }

  /**
   * Hands a decoded thing on, or its fault, unless the socket was closed meanwhile.
   * @template T @param {Promise<T>} decoded @param {(thing: T) => void} handle @returns {Promise<void>}
   */
  #later(decoded, handle) {
    return decoded
      .then((thing) => {
        if (!this.#closed) handle(thing);
      })
      .catch((error) => {
        if (!this.#closed) this.handlers.onFault(error);
      });
  }
}
