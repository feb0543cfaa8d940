// The density: how often each level occurs, in colours over the spectrum.

import { Density, toggleDensity } from './density.js';
import { densityOffered } from './offered.js';
import { densityPanel } from './panel.js';
import { PERSISTENCES } from '../../plot/density.js';
import { choice } from '../../util/hash.js';

/**
 * @typedef {object} DensityState
 * @property {string} density  its persistence, of PERSISTENCES; '': not shown
 */

/** @type {import('../list.js').Feature<DensityState>} */
export const density = {
  order: 40,
  state: (hash) => ({ density: hash.density ?? '' }),
  link: {
    fields: { density: choice(PERSISTENCES) },
    keys: ['density'],
    write: ({ density: persistence }) => ({ density: persistence || undefined }),
    read: (hash) => ({ density: hash.density ?? '' }),
  },
  commands: [
    {
      id: 'density',
      tool: { id: 'density-toggle', group: 'View', word: 'Density', icon: 'M3 4h14M3 8h14M3 12h14M3 16h14' },
      keys: ['d'],
      group: 'Level',
      label: 'density: how often each level occurs',
      when: densityOffered,
      run: ({ store }) => toggleDensity(store),
    },
  ],
  start(page) {
    const shown = new Density(page.store, page.display, page.connection);
    page.takeDensity = (hits) => shown.add(hits);
  },
  parts: [densityPanel],
};
