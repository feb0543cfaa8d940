// The page's one store: its state, and the listeners to changes of it.

/** @typedef {import('./state.js').State} State */

/** @typedef {(state: Readonly<State>) => void} Listener */

export class Store {
  /** @param {State} state */
  constructor(state) {
    /** @type {Readonly<State>} */
    this.state = state;
    /** @type {{ keys: (keyof State)[], listener: Listener }[]} */
    this.listeners = [];
  }

  /**
   * Calls the listener at once, then after each update that changes one of the keys.
   * @param {(keyof State)[]} keys
   * @param {Listener} listener
   */
  subscribe(keys, listener) {
    this.listeners.push({ keys, listener });
    listener(this.state);
  }

  /** Listeners run before it returns, in the order of their subscription. @param {Partial<State>} changes */
  update(changes) {
    const before = this.state;
    this.state = { ...before, ...changes };
    const changed = new Set(Object.keys(changes).filter((key) => isChanged(before, changes, key)));
    for (const { keys, listener } of this.listeners) if (keys.some((key) => changed.has(key))) listener(this.state);
  }
}

/** @param {Record<string, any>} before @param {Record<string, any>} changes @param {string} key */
const isChanged = (before, changes, key) => before[key] !== changes[key];
