// The panels of the dock: which are open, which one is in front, and how the address names them. Pure functions.

/**
 * @typedef {readonly import('../features/list.js').Panel[]} Panels
 * @typedef {Partial<import('./state.js').State>} Changes
 * @typedef {Readonly<Changes>} State
 */

/** Those with a tab. @param {Panels} panels @param {State} state */
export const openPanels = (panels, state) =>
  panels.filter(({ open, offered }) => state[open] && (offered?.(/** @type {any} */ (state)) ?? true));

/** The one that is shown: the others are behind it. @param {Panels} panels @param {State} state */
export function frontPanel(panels, state) {
  const open = openPanels(panels, state);
  return open.find(({ id }) => id === state.front) ?? open.at(-1);
}

/** @param {Panels} panels */
const linkedOf = (panels) => panels.filter(({ linked = true }) => linked);

/**
 * What an address opens and closes.
 * @param {Panels} panels
 * @param {string} text  "markers,measure": the last one is in front
 * @returns {Changes}
 */
export function parsePanels(panels, text) {
  const linked = linkedOf(panels),
    named = text.split(',').filter((name) => linked.some(({ id }) => id === name));
  return { ...Object.fromEntries(linked.map(({ id, open }) => [open, named.includes(id)])), front: named.at(-1) ?? '' };
}

/** @param {Panels} panels @param {State} state @returns {string} */
export function formatPanels(panels, state) {
  const names = linkedOf(panels)
    .filter(({ open }) => state[open])
    .map(({ id }) => id);
  return [...names.filter((name) => name !== state.front), ...names.filter((name) => name === state.front)].join(',');
}

/** @param {Panels} panels @returns {Changes} */
export const closedPanels = (panels) => ({ ...Object.fromEntries(panels.map(({ open }) => [open, false])), front: '' });
