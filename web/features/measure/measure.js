// Measurements: what the server measures and can measure, and the changes that this page asks for.

import { formatMeasures, parseMeasures } from './address.js';
import { remember, stored } from '../../util/stored.js';

/**
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('../../app/store.js').Store} Store
 *
 * @typedef {object} Key  of a type; docs/api.md ("/api/v1/measurement-types")
 * @property {string} key
 * @property {string} about
 * @property {string} default
 * @property {string} expected
 * @property {string[]} [values]
 * @property {string} [unit]  of a number
 * @property {number} [min]
 * @property {number} [max]
 *
 * @typedef {object} Type
 * @property {string} name
 * @property {string} about
 * @property {Key[]} keys
 *
 * @typedef {{ types: Type[], common: Key[] }} Types
 *
 * @typedef {object} Measurement  as the server sends it
 * @property {string} name
 * @property {string} type
 * @property {string | null} reason
 * @property {string | null} note
 * @property {'pass' | 'fail' | null} verdict
 * @property {boolean | null} calibrated
 * @property {Record<string, number | null>} values
 * @property {Record<string, number | null>[]} rows
 * @property {Record<string, string>} [keys]  of the set-up; an older server sends none
 * @property {boolean} [own]  of this page alone
 *
 * @typedef {{ kind: 'none' | 'sent' | 'done' | 'failed', text: string }} Answer
 */

const SHOWN_EVERY_MS = 250; // figures that change faster cannot be read
const SENT_EVERY_MS = 100; // while a band is dragged

/** Whether the server measures at all. @param {Readonly<State>} state */
export const measureOffered = ({ limits }) => limits.all_measurements > 0;

/** Whether this page may have measurements of its own. @param {Readonly<State>} state */
const ownOffered = ({ limits }) => limits.own_measurements > 0;

/** Whether one can be added: one's own, or with control of the radio one for all. @param {Readonly<State>} state */
export const mayAdd = (state) => state.measureTypes !== null && (ownOffered(state) || state.control.permitted);

/** @param {Readonly<State>} state @param {Measurement} measurement */
export const mayChange = (state, { own, keys }) => keys !== undefined && (own || state.control.permitted);

/** @returns {Promise<Types | null>}  null: an older server has no such list */
async function fetchTypes() {
  try {
    const answer = await fetch('api/v1/measurement-types');
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // asked again when the panel is opened again
  }
}

/** @typedef {{ type: string, keys: Record<string, string> }} SetUp */

const KEY = 'fftd.measurements';

/** Of a measurement that has no result yet. @param {string} name @param {SetUp} setUp @returns {Measurement} */
const unmeasured = (name, { type, keys }) => ({
  name,
  type,
  keys,
  own: true,
  reason: 'no line has been measured yet',
  note: null,
  verdict: null,
  calibrated: null,
  values: {},
  rows: [],
});

export class Measure {
  /** @type {Map<string, SetUp>}  this page's own, in the order of their results */
  #own = new Map();
  /** @type {Map<string, SetUp | null>}  what the server has of changed ones, until it answers; null: new */
  #before = new Map();
  /** @type {Map<string, SetUp>}  what is dragged but not measured yet, of the measurements of all */
  #drafts = new Map();
  /** @type {Measurement[]} */
  #shared = [];
  /** @type {Measurement[]} */
  #results = []; // of its own
  #asked = false; // the server has its own
  #shownAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #sentAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #dragTimer;

  /** @param {Store} store @param {import('../../net/connection.js').Connection} connection */
  constructor(store, connection) {
    this.store = store;
    this.connection = connection;
    this.#own = new Map(parseMeasures(store.state.ownMeasures || stored(KEY)));
    store.update({ ownMeasures: formatMeasures(this.#own) });
    store.subscribe(['ownMeasures'], ({ ownMeasures }) => {
      if (ownMeasures !== formatMeasures(this.#own)) this.#replaceOwn(parseMeasures(ownMeasures));
    });
    store.subscribe(['measureOpen', 'limits'], (state) => {
      const want = state.measureOpen && measureOffered(state);
      connection.subscribe('measurements', want);
      this.#askOwn(want && ownOffered(state));
      if (want && !state.measureTypes) fetchTypes().then((measureTypes) => store.update({ measureTypes }));
    });
    store.subscribe(['link'], ({ link }) => {
      if (link.kind === 'live' || link.kind === 'waiting') return;
      this.#asked = false; // they end with the connection
    });
  }

  /** Has its own measured while the panel is open. @param {boolean} want */
  #askOwn(want) {
    if (want === this.#asked) return;
    this.#asked = want;
    for (const [name, setUp] of this.#own) this.#send(name, want ? setUp : null, true);
    this.#publish();
  }

  /** Those of a link; the browser keeps what it remembers until they are changed. @param {[string, SetUp][]} own */
  #replaceOwn(own) {
    const asked = this.#asked;
    this.#askOwn(false);
    this.#own = new Map(own);
    this.#askOwn(asked);
  }

  /**
   * Takes what concerns measurements.
   * @param {Record<string, any>} message
   * @returns {boolean}  false: it is for others too
   */
  receive(message) {
    if (message.type === 'welcome' && this.store.state.measureOpen) this.#askOwn(message.limits?.own_measurements > 0);
    if (message.type === 'measure') {
      this.#shared = message.measurements;
      this.#settleDrafts();
      this.#publishSoon();
      return true;
    }
    if (message.type === 'own_measure') this.#takeOwn(message.measurements);
    return false;
  }

  /** @param {Measurement[]} results  of all that this client set up, such as markers */
  #takeOwn(results) {
    this.#results = results.filter(({ name, type }) => this.#own.get(name)?.type === type);
    this.#publishSoon();
  }

  /**
   * Sends a change. null: the measurement ends.
   * @param {string} name @param {SetUp | null} setUp @param {boolean} own
   */
  #send(name, setUp, own) {
    return this.connection.measure(name, setUp && valuesOf(setUp), own, ({ status, error }) => {
      if (status < 400) this.#accepted(name, setUp, own);
      else this.#refused(name, setUp, own, String(error));
    });
  }

  /** @param {string} name @param {SetUp | null} setUp @param {boolean} own */
  #accepted(name, setUp, own) {
    if (own && this.#before.has(name)) {
      if (this.#own.get(name) === setUp) this.#before.delete(name);
      else this.#before.set(name, setUp); // a later change is on its way
    }
    if (this.store.state.measureAnswer.kind === 'sent') this.#answer('done', 'Done.');
  }

  /** @param {string} name @param {SetUp | null} setUp @param {boolean} own @param {string} text */
  #refused(name, setUp, own, text) {
    if (!own) this.#drafts.clear();
    if (own && setUp && this.#own.get(name) === setUp) this.#restore(name);
    this.#answer('failed', text);
  }

  /** @param {string} name */
  #restore(name) {
    const before = this.#before.get(name);
    if (before) this.#own.set(name, before);
    else if (before === null) this.#own.delete(name);
    this.#before.delete(name);
    this.#remember();
    this.#publish();
  }

  /** Drafts that the server measures now are none any more. */
  #settleDrafts() {
    for (const { name, keys } of this.#shared)
      if (keys && JSON.stringify(this.#drafts.get(name)?.keys) === JSON.stringify(keys)) this.#drafts.delete(name);
  }

  /** @param {Answer['kind']} kind @param {string} text */
  #answer(kind, text) {
    this.store.update({ measureAnswer: { kind, text } });
  }

  /** Shows the newest a few times a second. */
  #publishSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#publish(), Math.max(0, this.#shownAt + SHOWN_EVERY_MS - performance.now()));
  }

  #publish() {
    clearTimeout(this.#timer);
    this.#shownAt = performance.now();
    const shared = this.#shared.map((each) => ({
      ...each,
      keys: this.#drafts.get(each.name)?.keys ?? each.keys,
      own: false,
    }));
    const own = this.#asked
      ? [...this.#own].map(([name, setUp]) => {
          const result = this.#results.find((each) => each.name === name);
          return result ? { ...result, keys: setUp.keys, own: true } : unmeasured(name, setUp);
        })
      : [];
    this.store.update({ measurements: [...shared, ...own] });
  }

  #remember() {
    remember(KEY, formatMeasures(this.#own));
    this.store.update({ ownMeasures: formatMeasures(this.#own) });
  }

  /** @param {boolean} sent */
  #expect(sent) {
    if (sent) this.#answer('sent', 'Sent, waiting for the answer.');
    else this.#answer('failed', 'Not connected.');
    return sent;
  }

  /** For the case that the server refuses a change. @param {string} name */
  #keepBefore(name) {
    if (!this.#before.has(name)) this.#before.set(name, this.#own.get(name) ?? null);
  }

  /**
   * Adds or replaces a measurement: its own, or with `own` false one of all.
   * @param {string} name
   * @param {SetUp} setUp
   * @param {boolean} own
   */
  set(name, setUp, own) {
    if (!own) {
      this.#expect(this.#send(name, setUp, false));
      return;
    }
    if (!this.#expect(this.#send(name, setUp, true))) return;
    this.#keepBefore(name);
    this.#own.set(name, setUp);
    this.#remember();
    this.#publish();
  }

  /** @param {string} name @param {boolean} own */
  remove(name, own) {
    if (!own) {
      this.#expect(this.#send(name, null, false));
      return;
    }
    this.#send(name, null, true);
    this.#own.delete(name);
    this.#before.delete(name);
    this.#remember();
    this.#publish();
  }

  /**
   * Shows changed keys at once, and sends the newest some times a second.
   * @param {Measurement} measurement
   * @param {Record<string, string>} keys
   */
  drag({ name, type, own }, keys) {
    const setUp = { type, keys };
    if (own) this.#keepBefore(name);
    (own ? this.#own : this.#drafts).set(name, setUp);
    this.#publish();
    clearTimeout(this.#dragTimer);
    this.#dragTimer = setTimeout(
      () => {
        this.#sentAt = performance.now();
        this.set(name, setUp, own === true);
      },
      Math.max(0, this.#sentAt + SENT_EVERY_MS - performance.now()),
    );
  }
}

/** @param {SetUp} setUp */
const valuesOf = ({ type, keys }) => ({ type, ...keys });
