// What the page requests of fftd over its socket, now and after each reconnect: views, traces, feeds.

import { Receiver } from './receiver.js';
import { Socket } from './socket.js';
import { SLOT_STEP, TraceViews } from './trace_views.js';

/**
 * @typedef {import('./socket.js').LinkState} LinkState
 *
 * @typedef {Omit<import('./receiver.js').Received, 'onFault'> & { onState: (state: LinkState) => void }} Handlers
 *
 * @typedef {'density' | 'measure' | 'events'} Feed  what the server sends on its own while it is wanted
 *
 * @typedef {{ low_hz?: number, high_hz?: number, columns: number, detector: string, step_db?: number }} WantedView
 */

const VIEW_EVERY_MS = 80;  // a wheel changes the view more often than a request is worth

export class Connection {
  /** @param {string} url @param {Handlers} handlers */
  constructor(url, handlers) {
    this.handlers = handlers;
    this.token = '';
    this.name = ''; // what others see while this client controls the radio
    this.lastViewAt = -Infinity;
    this.viewId = 0;
    this.traceViews = new TraceViews();
    /** @type {WantedView | null} */
    this.view = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.viewTimer = undefined;
    /** @type {Receiver | null} */
    this.receiver = null;
    /** @type {Map<Feed, object>} */
    this.feeds = new Map();
    this.socket = new Socket(url, 'api/v1/status', { onState: handlers.onState, onBegin: () => this.#begin(), onOpen: () => this.#opened(),
      onData: (data) => this.receiver?.receive(data), onEnd: () => this.receiver?.close() });
  }

  get isOpen() { return this.socket.isOpen; }
  get state() { return this.socket.state; }
  /** Received since the page was loaded. */
  get bytes() { return this.socket.bytes; }

  /**
   * Closes any connection and opens a new one; with a token it asks for control.
   * @param {string} [token]  kept in memory only
   */
  open(token = this.token) {
    this.token = token;
    this.socket.open();
  }

  #begin() {
    this.receiver = new Receiver({ ...this.handlers,
      onFrame: (frame) => { this.socket.live(); this.handlers.onFrame(frame); },
      onDensity: (density) => { if (this.feeds.has('density')) this.handlers.onDensity(density); },
      onFault: (error) => this.socket.fault(error) });
    this.traceViews.reset();
  }

  #opened() {
    this.#send({ type: 'hello', status: 'changes', ...(this.token && { token: this.token }), ...(this.name && { name: this.name }) });
    clearTimeout(this.viewTimer);
    this.viewTimer = undefined;
    if (this.view) this.#sendView();
    for (const [type, how] of this.feeds) this.#send({ type, want: true, ...how });
  }

  /** @param {object} message @returns {boolean}  false: not connected */
  #send(message) { return this.socket.send(message); }

  #sendView() {
    this.lastViewAt = performance.now();
    this.viewId = (this.viewId + SLOT_STEP) >>> 0;
    this.#send({ type: 'view', id: this.viewId, coding: 'range', ...this.view });
    this.#sendTraces();
  }

  /**
   * Requests a view, now and after each reconnect. Of several in a row only the last is sent.
   * @param {WantedView} view
   */
  requestView(view) {
    const same = JSON.stringify(view) === JSON.stringify(this.view);
    this.view = view;
    if (same || !this.isOpen || this.viewTimer !== undefined) return;
    const wait = this.lastViewAt + VIEW_EVERY_MS - performance.now();
    if (wait <= 0) return this.#sendView();
    this.viewTimer = setTimeout(() => { this.viewTimer = undefined; this.#sendView(); }, wait);
  }

  /** Requests traces beside the view, paced with it. @param {Map<number, import('./trace_views.js').TraceView>} views  by slot */
  requestTraces(views) {
    this.traceViews.want(views);
    if (this.isOpen && this.viewTimer === undefined) this.#sendTraces();
  }

  #sendTraces() {
    for (const message of this.traceViews.messages()) this.#send(message);
  }

  /** Subscribes to a feed, now and after each reconnect. @param {Feed} type @param {boolean} want @param {object} [how]  more fields */
  subscribe(type, want, how = {}) {
    const before = this.feeds.get(type);
    if (want ? JSON.stringify(before) === JSON.stringify(how) : !before) return;
    if (want) this.feeds.set(type, how);
    else this.feeds.delete(type);
    this.#send({ type, want, ...(want && how) });
  }

  /** @param {Record<string, unknown>} change  "set" or "remove" @returns {boolean}  false: not connected */
  measure(change) { return this.#send({ type: 'measure', ...change }); }

  /** The same for a measurement of this client alone. @param {Record<string, unknown>} change */
  ownMeasure(change) { return this.#send({ type: 'own_measure', ...change }); }

  /** @param {number} count  frames drawn */
  credit(count) { if (count > 0) this.#send({ type: 'credit', count }); }

  /** Stores the trace of a slot on the server, which answers as to "set". @param {number} slot @param {string} name */
  storeReference(slot, name) { return this.#send({ type: 'reference', store: name, slot }); }

  /** @param {Record<string, unknown>} fields  of "replay" */
  replay(fields) { return this.#send({ type: 'replay', ...fields }); }

  /** Asks for readings of markers. @param {object} wanted  fields of "markers" @returns {boolean}  false: not connected */
  wantReadings(wanted) { return this.#send({ type: 'markers', ...wanted }); }

  /** @param {Record<string, unknown>} fields  of "history" */
  requestHistory(fields) { return this.#send({ type: 'history', ...fields }); }

  /** @param {Record<string, string>} fields  of "preset" */
  preset(fields) { return this.#send({ type: 'preset', ...fields }); }

  /** @param {Record<string, unknown>} fields  of "record" */
  record(fields) { return this.#send({ type: 'record', ...fields }); }

  /** @param {string} name */
  useName(name) { this.name = name; }

  /** Takes or gives back the control of the radio, or only tells the name. @param {'take' | 'release'} [want] @returns {boolean}  false: not connected */
  lease(want) { return this.#send({ type: 'lease', want, name: this.name }); }

  /** @param {Record<string, unknown>} fields  of "set" */
  set(fields) { return this.#send({ type: 'set', ...fields }); }
}
