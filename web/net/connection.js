// What the page requests of fftd over its socket, now and after each reconnect: views, traces, feeds.

import { Receiver } from './receiver.js';
import { Socket } from './socket.js';
import { SLOT_STEP, TraceViews } from './trace_views.js';

/**
 * @typedef {import('./socket.js').LinkState} LinkState
 *
 * @typedef {Omit<import('./receiver.js').Received, 'onFault'> & { onState: (state: LinkState) => void }} Handlers
 *
 * @typedef {'density' | 'measurements' | 'events' | 'recordings' | 'lease' | 'presets'} Feed
 *   what the server sends on its own while it is wanted
 *
 * @typedef {{ id: number, status: number, error?: string }} Answer  to a call
 *
 * @typedef {{ low_hz?: number, high_hz?: number, columns: number, detector: string, step_db?: number }} WantedView
 */

const VIEW_EVERY_MS = 80; // a wheel changes the view more often than a request is worth

export class Connection {
  /** @param {string} url @param {Handlers} handlers */
  constructor(url, handlers) {
    this.handlers = handlers;
    this.token = '';
    this.name = ''; // what others see while this client controls the radio
    this.sentName = ''; // the same, as the server knows it
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
    this.lastCall = 0;
    /** @type {Map<number, (answer: Answer) => void>}  what takes the answers that are due, by id of the call */
    this.calls = new Map();
    this.socket = new Socket(url, 'api/v1/status', {
      onState: handlers.onState,
      onBegin: () => this.#begin(),
      onOpen: () => this.#opened(),
      onData: (data) => this.receiver?.receive(data),
      onEnd: () => this.receiver?.close(),
    });
  }

  get isOpen() {
    return this.socket.isOpen;
  }
  get state() {
    return this.socket.state;
  }
  /** Received since the page was loaded. */
  get bytes() {
    return this.socket.bytes;
  }

  /** Closes any connection and opens a new one; with a token, which is kept in memory only, it asks for control. */
  open() {
    this.socket.open();
  }

  /** Asks for control on the connection that there is. @param {string} token */
  login(token) {
    this.token = token;
    if (!this.isOpen) this.open();
    else this.#hello();
  }

  #begin() {
    this.receiver = new Receiver({
      ...this.handlers,
      onFrame: (frame) => {
        this.socket.live();
        this.handlers.onFrame(frame);
      },
      onDensity: (density) => {
        if (this.feeds.has('density')) this.handlers.onDensity(density);
      },
      onAnswer: (answer) => this.#answered(answer),
      onFault: (error) => this.socket.fault(error),
    });
    this.traceViews.reset();
    this.calls.clear(); // their answers do not come any more
  }

  #hello() {
    this.#send({
      type: 'hello',
      status: 'changes',
      ...(this.token && { token: this.token }),
      ...(this.name && { name: this.name }),
    });
    this.sentName = this.name;
  }

  #opened() {
    this.#hello();
    clearTimeout(this.viewTimer);
    this.viewTimer = undefined;
    if (this.view) this.#sendView();
    for (const [feed, how] of this.feeds) this.#call({ subscribe: feed, ...how });
  }

  /** @param {object} message @returns {boolean}  false: not connected */
  #send(message) {
    return this.socket.send(message);
  }

  /**
   * @param {object} message  a call, without its id
   * @param {(answer: Answer) => void} [answered]
   * @returns {boolean}  false: not connected
   */
  #call(message, answered = (answer) => this.#tellRefusal(answer)) {
    const id = ++this.lastCall;
    if (!this.#send({ id, ...message })) return false;
    this.calls.set(id, answered);
    return true;
  }

  /**
   * @param {'put' | 'patch' | 'post' | 'delete'} verb
   * @param {string} path  below /api/v1/
   * @param {Record<string, unknown>} [body]
   * @param {(answer: Answer) => void} [answered]  in place of a message "done" or "error"
   * @returns {boolean}  false: not connected
   */
  #change(verb, path, body, answered = (answer) => this.#tell(answer)) {
    return this.#call({ [verb]: `/api/v1/${path}`, ...(body && { body }) }, answered);
  }

  /** @param {Answer} answer */
  #answered(answer) {
    const answered = this.calls.get(answer.id) ?? ((late) => this.#tellRefusal(late));
    this.calls.delete(answer.id);
    answered(answer);
  }

  /** @param {Answer} answer */
  #tellRefusal({ status, error }) {
    if (status >= 400) this.handlers.onMessage({ type: 'error', message: error });
  }

  /** @param {Answer} answer */
  #tell(answer) {
    this.#tellRefusal(answer);
    if (answer.status < 400) this.handlers.onMessage({ type: 'done' });
  }

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
    this.viewTimer = setTimeout(() => {
      this.viewTimer = undefined;
      this.#sendView();
    }, wait);
  }

  /**
   * Requests traces beside the view, paced with it.
   * @param {Map<number, import('./trace_views.js').TraceView>} views  by slot
   */
  requestTraces(views) {
    this.traceViews.want(views);
    if (this.isOpen && this.viewTimer === undefined) this.#sendTraces();
  }

  #sendTraces() {
    for (const message of this.traceViews.messages()) this.#send(message);
  }

  /**
   * Subscribes to a feed, now and after each reconnect.
   * @param {Feed} type
   * @param {boolean} want
   * @param {object} [how]  more fields
   */
  subscribe(type, want, how = {}) {
    const before = this.feeds.get(type);
    if (want ? JSON.stringify(before) === JSON.stringify(how) : !before) return;
    if (want) this.feeds.set(type, how);
    else this.feeds.delete(type);
    this.#call(want ? { subscribe: type, ...how } : { unsubscribe: type });
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown> | null} setUp  null: remove it
   * @param {boolean} own  of this client alone
   * @param {(answer: Answer) => void} answered
   * @returns {boolean}  false: not connected
   */
  measure(name, setUp, own, answered) {
    const path = `${own ? 'connection/' : ''}measurements/${encodeURIComponent(name)}`;
    return this.#change(setUp ? 'put' : 'delete', path, setUp ?? undefined, answered);
  }

  /** @param {number} count  frames drawn */
  credit(count) {
    if (count > 0) this.#send({ type: 'credit', count });
  }

  /** Stores the trace of a slot on the server. @param {number} slot @param {string} name */
  storeReference(slot, name) {
    return this.#change('put', `references/${encodeURIComponent(name)}`, { slot });
  }

  /** @param {Record<string, unknown>} fields */
  replay(fields) {
    return this.#change('put', 'replay', fields);
  }

  /**
   * Asks for readings of markers.
   * @param {import('./readings.js').WantedReadings} wanted
   * @returns {boolean}  false: not connected
   */
  wantReadings(wanted) {
    return this.#call({ put: '/api/v1/connection/markers', body: wanted });
  }

  /** Rows of the past: a frame. @param {Record<string, unknown>} fields @returns {boolean}  false: not connected */
  requestHistory(fields) {
    return this.#call({ get: '/api/v1/connection/history', body: fields });
  }

  /** @param {'store' | 'recall' | 'remove'} action @param {string} name */
  preset(action, name) {
    return this.#change(
      action === 'remove' ? 'delete' : 'put',
      `presets/${encodeURIComponent(name)}`,
      action === 'recall' ? { recall: true } : undefined,
    );
  }

  /** @param {Record<string, unknown>} fields */
  startRecording(fields) {
    return this.#change('post', 'recordings', fields);
  }

  /** @param {number} id */
  stopRecording(id) {
    return this.#change('delete', `recordings/${id}`);
  }

  /** @param {string} name */
  useName(name) {
    this.name = name;
  }

  /**
   * Takes or gives back the control of the radio, or only sends the name.
   * @param {'take' | 'release'} [want]
   * @returns {boolean}  false: not connected
   */
  lease(want) {
    if (want === 'release') return this.#change('delete', 'lease');
    const named = this.name === this.sentName || this.#change('patch', 'connection', { name: this.name });
    this.sentName = this.name;
    return want ? this.#change('put', 'lease') : named;
  }

  /** @param {Record<string, unknown>} fields */
  set(fields) {
    return this.#change('put', 'settings', fields);
  }
}
