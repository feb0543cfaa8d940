// What the server accepts for each setting: the "choices" of its welcome message (daemon/wire/wire.h).

/**
 * @typedef {object} Choice
 * @property {string} label  for people
 * @property {string} group  of settings: "radio", "spectrum", "sweep"; may be empty
 * @property {string} help  what it does; may be empty
 * @property {string} unit  of a number; may be empty
 * @property {string} expected  what is accepted, for people; may be empty
 * @property {string[]} [values]  to offer; missing: a number within the bounds, or any text
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [step]  of a number, from one value to the next
 * @property {number[]} [proposals]  of a number: values to offer beside others
 * @property {number} [below]  in place of max: the bound itself is excluded
 *
 * @typedef {Record<string, Choice>} Choices  by the names of the fields of "set", and "detector" of "view"
 */

const BOUNDS = /** @type {const} */ (['min', 'max', 'below', 'step']);

const TEXTS = /** @type {const} */ (['group', 'help', 'unit', 'expected']);

/** @param {any} received @param {string} name @returns {Choice} */
function readChoice(received, name) {
  /** @type {Choice} */
  const choice = {
    label: typeof received.label === 'string' ? received.label : name,
    group: '',
    help: '',
    unit: '',
    expected: '',
  };
  for (const text of TEXTS) if (typeof received[text] === 'string') choice[text] = received[text];
  if (Array.isArray(received.values) && received.values.length > 0) choice.values = received.values.map(String);
  if (Array.isArray(received.proposals) && received.proposals.length > 0)
    choice.proposals = received.proposals.map(Number);
  for (const bound of BOUNDS) if (typeof received[bound] === 'number') choice[bound] = received[bound];
  return choice;
}

/** @param {unknown} received  older servers send none @returns {Choices} */
export function readChoices(received) {
  if (typeof received !== 'object' || received === null) return {};
  const members = Object.entries(received).filter(([, choice]) => typeof choice === 'object' && choice !== null);
  return Object.fromEntries(members.map(([name, choice]) => [name, readChoice(choice, name)]));
}

/** True for a setting that is a number; others are texts. @param {Choice} choice */
export const isNumber = ({ values, min, max, below, unit }) =>
  values ? values.every((value) => /^\d+$/.test(value)) : unit !== '' || (min ?? max ?? below) !== undefined;

/** @param {Choice | undefined} choice @param {number} value */
export function isWithin(choice, value) {
  const { min = -Infinity, max = Infinity, below = Infinity } = choice ?? {};
  return value >= min && value <= max && value < below;
}
