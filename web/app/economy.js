// Economy: the picture for a fraction of the bytes, for slow and metered links.

const SLOW = ['slow-2g', '2g', '3g'];
const STEP_DB = 0.5; // finer steps are less than two pixels of a spectrum, and a fifth more bytes
export const ECONOMY = { stepDb: 2, columns: 1024, framesPerSecond: 8 };

/** @typedef {{ saveData?: boolean, effectiveType?: string }} Network  navigator.connection, where a browser has it */

/** True if the user or the network asks for fewer bytes. @param {Network | undefined} network */
export const isScarce = (network) => network?.saveData === true || SLOW.includes(network?.effectiveType ?? '');

/**
 * Adds the step of the levels to a view. An economical one has fewer columns, too.
 * @template {{ columns: number }} V
 * @param {V} view
 * @param {boolean} economy
 */
export const economyView = (view, economy) =>
  economy
    ? { ...view, columns: Math.min(view.columns, ECONOMY.columns), step_db: ECONOMY.stepDb }
    : { ...view, step_db: STEP_DB };

/**
 * How a density is wanted. Deflated hits are read in a twentieth of the time of range-coded ones, which have half the
 * bytes.
 * @param {boolean} economy
 */
export const economyDensity = (economy) => (economy ? { coding: 'range', step_db: ECONOMY.stepDb } : {});

/** Returns credit at a steady pace: frames come at most as often, and those in between are merged. */
export class CreditPacer {
  #owed = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(count: number) => void} send */
  constructor(send) {
    this.send = send;
  }

  /** @param {number} count  frames drawn @param {boolean} economy */
  add(count, economy) {
    this.#owed += count;
    if (!economy) this.#flush();
    else if (this.#timer === undefined && this.#owed > 0) this.#wait();
  }

  /** A new connection has its full credit. */
  restart() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#owed = 0;
  }

  #flush() {
    const count = this.#owed;
    this.restart();
    if (count > 0) this.send(count);
  }

  #wait() {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#owed -= 1;
      this.send(1);
      if (this.#owed > 0) this.#wait();
    }, 1000 / ECONOMY.framesPerSecond);
  }
}

/** Tells the style sheet. @param {import('./store.js').Store} store */
export function followEconomy(store) {
  store.subscribe(['economy'], ({ economy }) => {
    document.body.toggleAttribute('data-economy', economy);
  });
}
