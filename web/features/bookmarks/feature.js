// Band plan and bookmarks: over the spectrum, and a panel of bookmarks.

import { followBandPlan, noPlan, planOf, PLANS, planShowable, shownOf, togglePlan } from './band_plan.js';
import { BandPlanLayer, planRows } from './layer.js';
import { bookmarks as panel } from './panel.js';
import { choice } from '../../util/hash.js';

/** @type {import('../list.js').Feature<import('./band_plan.js').PlanState>} */
export const bookmarks = {
  order: 70,
  state: (hash) => noPlan(hash.plan),
  panels: [{ id: 'bookmarks', label: 'Bookmarks', open: 'bookmarksOpen' }],
  link: {
    fields: { plan: choice(PLANS) },
    keys: ['bandsShown', 'bookmarksShown'],
    write: (state) => ({ plan: planOf(state) }),
    read: ({ plan }) => shownOf(plan),
  },
  commands: [
    {
      id: 'bookmarks',
      tool: { id: 'bookmarks-open', group: 'View', word: 'Bookmarks', icon: 'M6 3h8v14l-4-4-4 4z' },
      keys: ['o'],
      group: 'Frequency',
      label: 'bookmarks',
      run: (actions) => actions.togglePanel('bookmarks'),
    },
    {
      id: 'band-plan',
      keys: ['u'],
      group: 'Frequency',
      label: 'band plan and bookmarks in the picture',
      when: planShowable,
      run: ({ store }) => togglePlan(store),
    },
  ],
  messages: { welcome: ({ band_plan: plan }) => ({ planOffered: plan === true }) },
  layers(page) {
    page.plan = new BandPlanLayer(page.store, page.actions);
    return [page.plan];
  },
  draws: ['bands', 'bookmarks', 'ownBookmarks', 'bandsShown', 'bookmarksShown'],
  start({ store, display }) {
    followBandPlan(store);
    store.subscribe(['bands', 'bookmarks', 'ownBookmarks', 'bandsShown', 'bookmarksShown', 'status'], (state) =>
      display.setPlanRows(planRows(state)),
    );
  },
  parts: [panel],
};
