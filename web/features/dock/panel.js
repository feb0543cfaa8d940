// What the panels of the dock have in common.

import { byId, make } from '../../util/dom.js';

/** Where they are. @type {import('../list.js').Place} */
export const inDock = { into: '#dock' };

/** The id of its tab. @param {string} id  of a panel */
export const tabId = (id) => `tab-${id}`;

/** An empty panel, named by its tab. @param {string} id @param {(Node | string)[]} [children] */
export const makePanel = (id, children = []) =>
  make('section', { id, role: 'tabpanel', 'aria-labelledby': tabId(id), tabIndex: 0, hidden: true }, children);

/**
 * A panel whose contents come with the second script, when it is first opened.
 * @param {string} id
 * @param {keyof import('../../app/state.js').State} open  true: it has its tab
 * @param {() => Promise<(page: import('../list.js').Page, panel: HTMLElement) => void>} load  what fills it
 * @returns {import('../list.js').Part}
 */
export const latePanel = (id, open, load) => ({
  id,
  element: () => makePanel(id),
  place: inDock,
  mount(page) {
    let asked = false;
    page.store.subscribe([open], async (state) => {
      if (!state[open] || asked) return;
      asked = true;
      const panel = byId(id);
      try {
        (await load())(page, panel);
      } catch {
        asked = false; // opened again, it is loaded again
        panel.replaceChildren('This panel could not be loaded. Is the server there? Else reload the page.');
      }
    });
  },
});
