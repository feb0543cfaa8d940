// The status as the server sends it: as a whole, then what changed. Pure functions.

/** @typedef {Record<string, any>} Tree */

const isTree = (/** @type {any} */ value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A new object: members of objects change one by one, any other value replaces the one before.
 * @param {Tree} before @param {Tree} changes @returns {Tree}
 */
export function withChanges(before, changes) {
  const now = { ...before };
  for (const [key, value] of Object.entries(changes))
    now[key] = isTree(value) && isTree(before[key]) ? withChanges(before[key], value) : value;
  return now;
}
