// A websocket that is opened again after each loss, and says why it is not open.

import { refusalOf } from './answer.js';
import { PROTOCOL } from './wire.js';

/**
 * @typedef {object} LinkState
 * @property {'connecting' | 'waiting' | 'live' | 'reconnecting' | 'refused'} kind
 * @property {string} reason  for people; may be empty
 * @property {number} retryAt  performance.now() of the next attempt, 0: none planned
 *
 * @typedef {object} SocketHandlers
 * @property {(state: LinkState) => void} onState
 * @property {() => void} onBegin  a socket is about to be made: what the last one sent is void
 * @property {() => void} onOpen
 * @property {(data: ArrayBuffer | string) => void} onData
 * @property {() => void} onEnd  the socket is given up
 */

const SILENT_MS = 10000; // the server sends a status once a second, a hub its radios every 2 s
const WAITING_MS = 2000;
const REFUSED_MIN_MS = 5000;

const SOON = 30; // attempts: a restart takes less

/**
 * Half to all of 0.5, 1, 1.5, 1.5 .. s, after half a minute of 15 s: at random, so that the clients of a restarted
 * server do not all come at once, and short, so that all are back within two seconds.
 * @param {number} attempt
 * @param {number} random  0 .. 1
 */
export const backoffMs = (attempt, random) =>
  (attempt < SOON ? Math.min(1500, 500 * 2 ** attempt) : 15000) * (0.5 + random / 2);

/** ws://host/path/ws next to the page, below any path that a proxy adds. @param {string} base */
export function socketUrl(base) {
  const url = new URL('ws', base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = url.hash = '';
  return url.href;
}

/**
 * Asks the page's own host over HTTP why it refuses; null: no answer at all.
 * @param {string} path  that answers while the server is well
 * @returns {Promise<string | null>}
 */
async function whyRefused(path) {
  try {
    const answer = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(3000) });
    if (!answer.ok) return `HTTP ${answer.status} ${await refusalOf(answer)}`;
    return (
      (await originRefusal())
      ?? 'HTTP works, the websocket does not: the server is full, or a proxy does not pass websockets on'
    );
  } catch {
    return null;
  }
}

/**
 * Why the server refuses the origin of this page; null: it does not. Browsers send the Origin with a change only, so
 * this asks for one of nothing.
 */
async function originRefusal() {
  const answer = await fetch('api/v1/settings', { method: 'PATCH', signal: AbortSignal.timeout(3000) });
  const text = answer.status === 403 ? await refusalOf(answer) : '';
  return text.includes('Origin') ? text : null;
}

export class Socket {
  /**
   * @param {string} url
   * @param {string} statusPath  that answers over HTTP while the server is well
   * @param {SocketHandlers} handlers
   */
  constructor(url, statusPath, handlers) {
    this.url = url;
    this.statusPath = statusPath;
    this.handlers = handlers;
    this.bytes = 0; // received since the page was loaded
    this.attempt = 0;
    this.heardAt = 0;
    this.openedAt = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retryTimer = undefined;
    /** @type {LinkState} */
    this.state = { kind: 'connecting', reason: '', retryAt: 0 };
    setInterval(() => this.#watch(), 1000);
    addEventListener('online', () => this.#retryNow());
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Closes any connection and opens a new one. */
  open() {
    clearTimeout(this.retryTimer);
    this.#drop();
    this.#setState('connecting', '');
    this.handlers.onBegin();
    const socket = (this.socket = new WebSocket(this.url, PROTOCOL));
    socket.binaryType = 'arraybuffer';
    let opened = false;
    const ifCurrent = (/** @type {() => void} */ run) => {
      if (this.socket === socket) run();
    };
    socket.onopen = () =>
      ifCurrent(() => {
        opened = true;
        this.#opened();
      });
    socket.onmessage = (event) => ifCurrent(() => this.#received(event.data));
    socket.onclose = (event) => ifCurrent(() => this.#closed(event, opened));
  }

  /** Closes the socket; its last events are ignored. */
  #drop() {
    const socket = this.socket;
    this.socket = null;
    this.handlers.onEnd();
    socket?.close();
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
    this.handlers.onOpen();
  }

  /** @param {CloseEvent} event @param {boolean} opened */
  async #closed(event, opened) {
    this.#drop();
    // 1008 policy violation, 1013 try again later, 4000 and above: private codes of the server.
    const refused = event.code === 1008 || event.code === 1013 || event.code >= 4000;
    if (opened) {
      const noReason = refused ? `code ${event.code}` : 'connection lost';
      return this.#retry(refused ? 'refused' : 'reconnecting', event.reason || noReason);
    }
    const why = await whyRefused(this.statusPath);
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
      this.#drop();
      this.#retry('reconnecting', 'the server stopped sending');
    } else if (this.state.kind === 'connecting' && now - this.openedAt > WAITING_MS) {
      this.#setState('waiting', '');
    }
  }

  /** @param {ArrayBuffer | string} data */
  #received(data) {
    this.heardAt = performance.now();
    this.bytes += typeof data === 'string' ? data.length : data.byteLength;
    this.handlers.onData(data);
  }

  /** What the socket is for has come. */
  live() {
    this.attempt = 0;
    if (this.state.kind !== 'live') this.#setState('live', '');
  }

  /** Disconnects from a server whose messages cannot be read. @param {unknown} error */
  fault(error) {
    this.#drop();
    this.#retry('refused', `cannot read the server: ${error instanceof Error ? error.message : error}`);
  }

  /** @param {object} message @returns {boolean}  false: not connected */
  send(message) {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }
}
