// What the panels of the dock have in common.

import { make } from '../../util/dom.js';

/** Where they are. @type {import('../list.js').Place} */
export const inDock = { into: '#dock' };

/** The id of its tab. @param {string} id  of a panel */
export const tabId = (id) => `tab-${id}`;

/** An empty panel, named by its tab. @param {string} id @param {(Node | string)[]} [children] */
export const makePanel = (id, children = []) =>
  make('section', { id, role: 'tabpanel', 'aria-labelledby': tabId(id), tabIndex: 0, hidden: true }, children);
