// The density as a mode of the display: subscribed to while it is shown, and summed with the chosen persistence.

import { densityOffered } from './offered.js';
import { economyDensity } from '../../app/economy.js';

/**
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('../../app/store.js').Store} Store
 */

const FIRST = '1'; // persistence when it is switched on for the first time
let last = FIRST;

/** @param {Store} store @param {string} persistence  of PERSISTENCES; '': off */
export function changeDensity(store, persistence) {
  if (persistence) last = persistence;
  store.update({ density: persistence });
}

/** @param {Store} store */
export function toggleDensity(store) {
  if (densityOffered(store.state)) changeDensity(store, store.state.density ? '' : last);
}

export class Density {
  /**
   * @param {Store} store
   * @param {import('../../plot/display.js').Display} display
   * @param {import('../../net/connection.js').Connection} connection
   */
  constructor(store, display, connection) {
    this.store = store;
    this.display = display;
    store.subscribe(['density'], ({ density }) => this.#show(density));
    store.subscribe(['density', 'limits', 'status', 'economy'], (state) =>
      connection.subscribe('density', state.density !== '' && densityOffered(state), economyDensity(state.economy)),
    );
  }

  /** @param {string} persistence */
  #show(persistence) {
    this.display.density.show(persistence);
    this.display.touch();
  }

  /** A picture that is held stays. @param {import('../../net/density.js').Density} hits */
  add(hits) {
    if (this.store.state.held) return;
    this.display.density.add(hits);
    this.display.touch();
  }
}
