// Triggers of the server and their events: what the page knows of them, and what it asks for over HTTP.

import { refusalOf } from '../../net/answer.js';
import { locate } from '../replay/replay.js';
import { formatPosition } from '../../util/format.js';
import { formatClock } from '../../util/time.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 * @typedef {import('./mask.js').Point} Point
 *
 * @typedef {object} Trigger
 * @property {string} name
 * @property {string} type
 * @property {boolean} armed
 * @property {string | null} reason
 * @property {number} events
 * @property {Record<string, string>} keys
 * @property {number} limits_number  0: none; other limits have another one
 *
 * @typedef {object} TriggerEvent  docs/triggers.md has the fields
 * @property {number} id
 * @property {string} trigger
 * @property {boolean} open
 * @property {number} time
 * @property {number} duration_s
 * @property {number} line
 * @property {number} first_sample
 * @property {number} rate_hz
 * @property {number | null} low_hz
 * @property {number | null} high_hz
 * @property {number | null} peak_dbfs
 * @property {number | null} peak_hz
 * @property {number | null} recording
 *
 * @typedef {{ side: 'upper' | 'lower', points: Point[] }} Limit
 * @typedef {Limit & { owner: 'triggers' | 'measure' }} MaskDraft  owner: the form that has it
 *
 * @typedef {object} TriggerState
 * @property {boolean} triggersOpen  the panel
 * @property {Trigger[]} triggers
 * @property {Record<number, Limit[]>} triggerLimits  by their numbers
 * @property {import('../measure/measure.js').Types | null} triggerTypes  null: not known
 * @property {TriggerEvent[]} events  the newest first
 * @property {number | null} eventShown  id of the one that was clicked
 * @property {{ failed: boolean, text: string }} triggerNote  the answer to the last change
 * @property {MaskDraft | null} maskDraft  a limit that is being drawn
 */

const EVENTS_MAX = 200;

/** @returns {TriggerState} */
export const noTriggers = () => ({
  triggersOpen: false,
  triggers: [],
  triggerLimits: {},
  triggerTypes: null,
  events: [],
  eventShown: null,
  triggerNote: { failed: false, text: '' },
  maskDraft: null,
});

/** @param {State} state */
export const triggersOffered = ({ limits }) => limits.all_triggers > 0;

/**
 * New and ended events among those known.
 * @param {TriggerEvent[]} known
 * @param {TriggerEvent[]} more
 * @returns {TriggerEvent[]}
 */
export function mergeEvents(known, more) {
  const all = new Map([...known, ...more].map((event) => [event.id, event]));
  return [...all.values()].sort((a, b) => b.id - a.id).slice(0, EVENTS_MAX);
}

/**
 * When an event began: UTC, or the position in the recording that is replayed.
 * @param {State} state
 * @param {TriggerEvent} event
 */
export function timeOf({ anchors }, event) {
  const at = locate(
    anchors,
    /** @type {any} */ ({ line: event.line, merged: 1, firstSample: event.first_sample, rateHz: event.rate_hz }),
  );
  return at ? formatPosition(at.seconds) : formatClock(1000 * event.time);
}

/** What a trigger waits for: "level \u221240, for 1ms". @param {Trigger} trigger */
export const summaryOf = ({ type, keys }) =>
  [type in keys ? '' : type, ...Object.entries(keys).map(([key, value]) => `${key} ${value}`)]
    .filter(Boolean)
    .join(', ');

/** The limits of a trigger as they are drawn. @param {any} limits  of the server @returns {Limit[]} */
export const limitsOf = (limits) =>
  /** @type {const} */ (['upper', 'lower'])
    .map((side) => ({ side, points: limits[side].map((/** @type {[number, number]} */ [hz, db]) => ({ hz, db })) }))
    .filter(({ points }) => points.length > 0);

/** The limits that are drawn over the spectrum. @param {State} state */
export const shownLimits = ({ triggersOpen, triggers, triggerLimits }) =>
  triggersOpen
    ? triggers.flatMap(({ limits_number: number, armed }) =>
        (triggerLimits[number] ?? []).map((limit) => ({ ...limit, armed })),
      )
    : [];

/**
 * Shows an event in the waterfall; on a phone, that gets the room of the panel.
 * @param {Actions} actions
 * @param {TriggerEvent} event
 */
export function showEvent(actions, event) {
  actions.store.update({ eventShown: event.id });
  if (globalThis.matchMedia?.('(max-width: 700px)').matches) actions.togglePanel('triggers', false);
  actions.goToLine(event.line);
}

/** Events with a mark: all while the panel is open, else the one that was clicked. @param {State} state */
export const markedEvents = ({ triggersOpen, events, eventShown }) =>
  triggersOpen ? events : events.filter(({ id }) => id === eventShown);

// ---- over HTTP ---------------------------------------------------------------------------------

export class Triggers {
  #token = () => '';

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** @param {{ token: string, subscribe: (feed: 'events', want: boolean) => void }} connection */
  use(connection) {
    const { store } = this;
    this.#token = () => connection.token;
    store.subscribe(['triggersOpen', 'limits'], (state) => {
      const want = state.triggersOpen && triggersOffered(state);
      connection.subscribe('events', want);
      if (want) this.#read();
      if (want && !state.triggerTypes)
        this.#fetch('trigger-types').then((triggerTypes) => {
          if (triggerTypes) store.update({ triggerTypes });
        });
    });
    store.subscribe(['events'], () => this.refresh());
    setInterval(() => {
      if (!document.hidden) this.refresh();
    }, 3000); // others change them too
  }

  /** @param {string} path @returns {Promise<any>}  null: no answer */
  async #fetch(path) {
    try {
      const answer = await fetch(`api/v1/${path}`, { cache: 'no-store' });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null; // asked again
    }
  }

  async #read() {
    this.refresh();
    const { events } = (await this.#fetch('events')) ?? { events: [] };
    this.store.update({ events: mergeEvents([], events) }); // those of an earlier run of the server are gone
  }

  #reading = false;

  /** Reads the triggers and their states, if they are shown. */
  async refresh() {
    if (this.#reading || !this.store.state.triggersOpen || !triggersOffered(this.store.state)) return;
    this.#reading = true;
    const { triggers } = (await this.#fetch('triggers')) ?? {};
    if (triggers) await this.#readLimits(triggers);
    if (triggers && JSON.stringify(triggers) !== JSON.stringify(this.store.state.triggers))
      this.store.update({ triggers });
    this.#reading = false;
  }

  /** Reads the limits that are not known yet. @param {Trigger[]} triggers */
  async #readLimits(triggers) {
    for (const { name, limits_number: number } of triggers) {
      if (!number || this.store.state.triggerLimits[number]) continue;
      const { limits } = (await this.#fetch(`triggers/${encodeURIComponent(name)}`)) ?? {};
      if (limits)
        this.store.update({ triggerLimits: { ...this.store.state.triggerLimits, [number]: limitsOf(limits) } });
    }
  }

  /**
   * @param {'PUT' | 'POST' | 'DELETE'} method
   * @param {string} name
   * @param {Record<string, string>} [keys]
   * @returns {Promise<boolean>}
   */
  async change(method, name, keys = {}) {
    const token = this.#token(),
      query = new URLSearchParams(keys).toString();
    let failed = true,
      text = 'Not connected.';
    try {
      const answer = await fetch(`api/v1/triggers/${encodeURIComponent(name)}${query && `?${query}`}`, {
        method,
        headers: token ? { Authorization: `Bearer ${token}` } : {},
      });
      failed = !answer.ok;
      text = failed ? await refusalOf(answer) : '';
    } catch {
      // the text says so
    }
    this.store.update({ triggerNote: { failed, text } });
    this.refresh();
    return !failed;
  }
}
