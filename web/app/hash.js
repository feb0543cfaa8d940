// The address's hash: what is shown, so that a link shows the same.

import { FEATURES } from './features.js';
import { formatPanels, parsePanels } from './panels.js';
import { PANELS } from './state.js';

/**
 * @typedef {import('../util/hash.js').Settings} Settings
 * @typedef {import('./state.js').State} State
 */

const LINKS = FEATURES.flatMap(({ link }) => link ?? []);

/** @type {Record<string, (text: string) => number | string | undefined>} */
const FIELDS = Object.assign({}, ...LINKS.map(({ fields }) => fields), {
  panels: (/** @type {string} */ text) => formatPanels(PANELS, parsePanels(PANELS, text)) || undefined,
});

/** A change of one of these changes the hash. @type {(keyof State)[]} */
export const KEYS = [...LINKS.flatMap(({ keys }) => keys), ...PANELS.map(({ open }) => open), 'front'];

/** Ignores everything that is not allowed. @param {string} hash  "#low=1&.." @returns {Settings} */
export function parseHash(hash) {
  /** @type {any} */
  const settings = {};
  for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const value = Object.hasOwn(FIELDS, name) ? FIELDS[name](text) : undefined;
    if (value !== undefined) settings[name] = value;
  }
  for (const [low, high, distance] of LINKS.flatMap(({ pairs }) => pairs ?? [])) {
    if (settings[high] - settings[low] >= distance) continue;
    delete settings[low];
    delete settings[high];
  }
  return settings;
}

/** @param {Settings} settings @returns {string}  "" or "#.." */
export function formatHash(settings) {
  const present = Object.keys(FIELDS).filter((name) => /** @type {any} */ (settings)[name] !== undefined);
  const parts = present.map((name) => {
    const value = /** @type {any} */ (settings)[name];
    return `${name}=${typeof value === 'number' ? Number(value.toFixed(3)) : value}`;
  });
  return parts.length ? `#${parts.join('&')}` : '';
}

/** @param {Readonly<State>} state */
export const hashOf = (state) =>
  formatHash(
    Object.assign({ panels: formatPanels(PANELS, state) || undefined }, ...LINKS.map(({ write }) => write(state))),
  );

/** What a new address changes. @param {Settings} hash @param {Readonly<State>} state @returns {Partial<State>} */
export const changesOf = (hash, state) =>
  Object.assign(parsePanels(PANELS, hash.panels ?? ''), ...LINKS.map(({ read }) => read?.(hash, state)));
