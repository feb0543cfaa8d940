// The dock's tabs, its button that closes the panel in front, and the buttons of the page that open panels.

import { listenEdge } from './edge.js';
import { tabId } from './panel.js';
import { frontPanel, openPanels } from '../../app/panels.js';
import { byId, make } from '../../util/dom.js';

/**
 * @typedef {import('../list.js').Panel} Panel
 * @typedef {import('../list.js').State} State
 */

/** @param {Panel} panel */
const makeTab = ({ id, label }) =>
  make('button', { id: tabId(id), role: 'tab', 'aria-controls': id, hidden: true }, label);

const makeDock = () =>
  make('aside', { id: 'dock', 'aria-label': 'Panels', hidden: true }, [
    make('div', {
      id: 'dock-edge',
      role: 'separator',
      tabIndex: 0,
      'aria-label': 'Size of the panels, per cent',
      'aria-valuemin': 10,
      'aria-valuemax': 60,
      title: 'Drag: room for the panels. Double click: as at first',
    }),
    make('div', { id: 'dock-head' }, [
      make('div', { id: 'dock-tabs', role: 'tablist' }),
      make('button', { id: 'dock-close' }, '\u00d7'),
    ]),
  ]);

/** @param {Panel} panel */
const tabOf = ({ id }) => byId(tabId(id));

/** The buttons that open a panel. @param {string} id @returns {NodeListOf<HTMLElement>} */
const openersOf = (id) => document.querySelectorAll(`[data-command][aria-controls="${id}"]`);

/** Where the focus goes when the dock closes: to the button of its last panel, or to the picture. @param {string} id */
const leaveTo = (id) => [...openersOf(id)].find((button) => button.offsetParent) ?? byId('display');

/** The keys of the tabs; the page does not get them. @param {import('../list.js').Page} page */
function listenTabs({ store, actions, panels }) {
  byId('dock-tabs').onkeydown = (event) => {
    const open = openPanels(panels, store.state),
      front = frontPanel(panels, store.state);
    if (!front || event.altKey || event.metaKey) return;
    const at = open.indexOf(front),
      to = { ArrowLeft: at - 1, ArrowRight: (at + 1) % open.length, Home: 0, End: -1 }[event.key];
    if (event.key === 'Delete') actions.togglePanel(front.id, false);
    else if (to === undefined) return;
    else {
      store.update({ front: open.at(to)?.id });
      byId(tabId(store.state.front)).focus();
    }
    event.preventDefault();
  };
  for (const panel of panels) tabOf(panel).onclick = () => store.update({ front: panel.id });
}

/** @param {Panel} panel @param {Panel | undefined} front @param {State} state */
function showPanel(panel, front, state) {
  const inFront = panel === front,
    tab = tabOf(panel);
  tab.hidden = openPanels([panel], state).length === 0;
  tab.ariaSelected = String(inFront);
  tab.tabIndex = inFront ? 0 : -1;
  byId(panel.id).hidden = !inFront;
  for (const opener of openersOf(panel.id)) {
    opener.hidden = panel.offered?.(state) === false;
    opener.ariaExpanded = String(inFront);
  }
}

export const dock = {
  id: 'dock',
  element: makeDock,
  place: { into: '#middle' },

  /** @param {import('../list.js').Page} page */
  mount(page) {
    const { store, actions, panels } = page,
      element = byId('dock'),
      close = byId('dock-close');
    byId('dock-tabs').append(...panels.map(makeTab));
    for (const { id, label } of panels) byId(id).prepend(make('h2', { className: 'visually-hidden' }, label));
    listenTabs(page);
    listenEdge(element, byId('dock-edge'));
    /** @type {Panel | undefined} */
    let shown;
    close.onclick = () => shown && actions.togglePanel(shown.id, false);
    const keys = panels.flatMap(({ open, needs = [] }) => [open, ...needs]);
    store.subscribe(['front', ...keys], (state) => {
      const front = frontPanel(panels, state),
        hadFocus = element.contains(document.activeElement),
        before = shown;
      for (const panel of panels) showPanel(panel, front, state);
      element.hidden = !front;
      shown = front;
      if (front === before) return;
      if (front) {
        close.ariaLabel = `Close ${front.label}`;
        tabOf(front).scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      if (hadFocus && before) (front ? tabOf(front) : leaveTo(before.id)).focus();
    });
  },
};
