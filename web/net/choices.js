// What the server accepts for each setting: the "choices" of its welcome message (daemon/wire/wire.h).

/**
 * @typedef {object} Choice
 * @property {string} expected  what is accepted, for people; may be empty
 * @property {string[]} [values]  to offer; missing: a number within the bounds, or any text
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [below]  in place of max: the bound itself is excluded
 *
 * @typedef {Record<string, Choice>} Choices  by the names of the fields of "set", and "detector" of "view"
 */

const BOUNDS = /** @type {const} */ (['min', 'max', 'below']);

/** @param {any} received @returns {Choice} */
function readChoice(received) {
  /** @type {Choice} */
  const choice = { expected: typeof received.expected === 'string' ? received.expected : '' };
  if (Array.isArray(received.values) && received.values.length > 0) choice.values = received.values.map(String);
  for (const bound of BOUNDS)
    if (typeof received[bound] === 'number') choice[bound] = received[bound];
  return choice;
}

/** @param {unknown} received  older servers send none @returns {Choices} */
export function readChoices(received) {
  if (typeof received !== 'object' || received === null) return {};
  const members = Object.entries(received).filter(([, choice]) => typeof choice === 'object' && choice !== null);
  return Object.fromEntries(members.map(([name, choice]) => [name, readChoice(choice)]));
}

/** @param {Choice | undefined} choice @param {number} value */
export function isWithin(choice, value) {
  const { min = -Infinity, max = Infinity, below = Infinity } = choice ?? {};
  return value >= min && value <= max && value < below;
}
