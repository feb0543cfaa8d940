// The websocket: connects, requests views, reconnects after a failure, and reports its state with the reason.

import { decodeFrame, inflateFrame, PROTOCOL } from './wire.js';

/**
 * @typedef {object} LinkState
 * @property {'connecting' | 'waiting' | 'live' | 'reconnecting' | 'refused'} kind
 * @property {string} reason  for people; may be empty
 * @property {number} retryAt  performance.now() of the next attempt, 0: none planned
 *
 * @typedef {object} Handlers
 * @property {(state: LinkState) => void} onState
 * @property {(frame: import('./wire.js').Frame) => void} onFrame  in order, levels inflated
 * @property {(message: Record<string, any>) => void} onMessage  the server's JSON, of any type
 *
 * @typedef {{ low_hz?: number, high_hz?: number, columns: number, detector: string }} WantedView
 */

const VIEW_EVERY_MS = 80;  // a wheel changes the view more often than a request is worth
const SILENT_MS = 10000;   // the server sends a status once a second
const WAITING_MS = 2000;
const REFUSED_MIN_MS = 5000;

/**
 * Half to all of 0.5, 1, 2 .. 15 s, at random, so that the clients of a restarted server do not all come at once.
 * @param {number} attempt
 * @param {number} random  0 .. 1
 */
export const backoffMs = (attempt, random) => Math.min(15000, 500 * 2 ** attempt) * (0.5 + random / 2);

/** ws://host/path/ws next to the page, below any path that a proxy adds. @param {string} base */
export function socketUrl(base) {
  const url = new URL('ws', base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = url.hash = '';
  return url.href;
}

/**
 * Asks the page's own host over HTTP why it refuses; null: no answer at all.
 * @returns {Promise<string | null>}
 */
async function whyRefused() {
  try {
    const answer = await fetch('api/status', { cache: 'no-store', signal: AbortSignal.timeout(3000) });
    const line = (await answer.text()).split('\n')[0].slice(0, 200);
    if (!answer.ok) return `HTTP ${answer.status} ${line}`;
    return 'HTTP works, the websocket does not: the server is full, or a proxy does not pass websockets on';
  } catch {
    return null;
  }
}

export class Connection {
  /** @param {string} url @param {Handlers} handlers */
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
    this.bytes = 0; // received since the page was loaded
    this.token = '';
    this.attempt = 0;
    this.heardAt = 0;
    this.openedAt = 0;
    this.lastViewAt = -Infinity;
    this.viewId = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {WantedView | null} */
    this.view = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.viewTimer = undefined;
    /** @type {Promise<void> | null} */
    this.inflating = null;
    /** @type {LinkState} */
    this.state = { kind: 'connecting', reason: '', retryAt: 0 };
    setInterval(() => this.#watch(), 1000);
    addEventListener('online', () => this.#retryNow());
  }

  get isOpen() { return this.socket?.readyState === WebSocket.OPEN; }

  /**
   * Closes any connection and opens a new one; with a token it asks for control.
   * @param {string} [token]  kept in memory only
   */
  open(token = this.token) {
    this.token = token;
    clearTimeout(this.retryTimer);
    const old = this.socket;
    this.socket = null; // ignores the last events of the old one
    old?.close();
    this.#setState('connecting', '');
    this.inflating = null;
    const socket = this.socket = new WebSocket(this.url, PROTOCOL);
    socket.binaryType = 'arraybuffer';
    let opened = false;
    const ifCurrent = (/** @type {() => void} */ run) => { if (this.socket === socket) run(); };
    socket.onopen = () => ifCurrent(() => { opened = true; this.#opened(); });
    socket.onmessage = (event) => ifCurrent(() => this.#received(event.data));
    socket.onclose = (event) => ifCurrent(() => this.#closed(event, opened));
  }

  #retryNow() {
    if (!this.socket) this.open();
  }

  /** @param {LinkState['kind']} kind @param {string} reason @param {number} [retryAt] */
  #setState(kind, reason, retryAt = 0) {
    this.state = { kind, reason, retryAt };
    this.handlers.onState(this.state);
  }

  #opened() {
    this.openedAt = this.heardAt = performance.now();
    if (this.token) this.#send({ type: 'hello', token: this.token });
    clearTimeout(this.viewTimer);
    this.viewTimer = undefined;
    if (this.view) this.#sendView();
  }

  /** @param {CloseEvent} event @param {boolean} opened */
  async #closed(event, opened) {
    this.socket = null;
    // 1008 policy violation, 1013 try again later, 4000 and above: private codes of the server.
    const refused = event.code === 1008 || event.code === 1013 || event.code >= 4000;
    if (opened) {
      const noReason = refused ? `code ${event.code}` : 'connection lost';
      return this.#retry(refused ? 'refused' : 'reconnecting', event.reason || noReason);
    }
    const why = await whyRefused();
    if (this.socket) return; // a new one was opened meanwhile
    this.#retry(why === null ? 'reconnecting' : 'refused', why ?? 'no answer');
  }

  /** @param {'refused' | 'reconnecting'} kind @param {string} reason */
  #retry(kind, reason) {
    const min = kind === 'refused' ? REFUSED_MIN_MS : 0;
    const wait = Math.max(min, backoffMs(this.attempt++, Math.random()));
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.open(), wait);
    this.#setState(kind, reason, performance.now() + wait);
  }

  /** Gives up a socket that is open but silent, as after suspend or with an unplugged cable. */
  #watch() {
    if (!this.isOpen) return;
    const now = performance.now();
    if (now - this.heardAt > SILENT_MS) {
      const socket = this.socket;
      this.socket = null;
      socket?.close();
      this.#retry('reconnecting', 'the server stopped sending');
    } else if (this.state.kind === 'connecting' && now - this.openedAt > WAITING_MS) {
      this.#setState('waiting', '');
    }
  }

  /** @param {unknown} data */
  #received(data) {
    this.heardAt = performance.now();
    try {
      if (data instanceof ArrayBuffer) this.#frame(data);
      else this.#message(String(data));
    } catch (error) {
      this.#fault(error);
    }
  }

  /** @param {string} text */
  #message(text) {
    this.bytes += text.length;
    const message = JSON.parse(text);
    if (typeof message?.type !== 'string') throw new Error('message without a type');
    this.handlers.onMessage(message);
  }

  /** @param {ArrayBuffer} data */
  #frame(data) {
    this.bytes += data.byteLength;
    const frame = decodeFrame(data);
    if (!frame.deflated && !this.inflating) return this.#deliver(frame);
    // Inflating is asynchronous. Later frames wait, so that the order stays.
    const socket = this.socket;
    const inflated = (this.inflating ?? Promise.resolve()).then(async () => {
      const plain = await inflateFrame(frame);
      if (this.socket === socket) this.#deliver(plain);
    }).catch((error) => { if (this.socket === socket) this.#fault(error); });
    this.inflating = inflated;
    inflated.then(() => { if (this.inflating === inflated) this.inflating = null; });
  }

  /** @param {import('./wire.js').Frame} frame */
  #deliver(frame) {
    this.attempt = 0;
    if (this.state.kind !== 'live') this.#setState('live', '');
    this.handlers.onFrame(frame);
  }

  /** Disconnects from a server whose messages cannot be read. @param {unknown} error */
  #fault(error) {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.#retry('refused', `cannot read the server: ${error instanceof Error ? error.message : error}`);
  }

  /** @param {object} message @returns {boolean}  false: not connected */
  #send(message) {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  #sendView() {
    this.lastViewAt = performance.now();
    this.viewId = (this.viewId + 1) >>> 0;
    this.#send({ type: 'view', id: this.viewId, ...this.view });
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

  /** @param {number} count  frames drawn */
  credit(count) { if (count > 0) this.#send({ type: 'credit', count }); }

  /** @param {Record<string, unknown>} fields  of "set" */
  set(fields) { return this.#send({ type: 'set', ...fields }); }
}
