// One field of the radio's controls, made from what the server says of the setting: a list or a number with its steps.

import { make, offer } from '../util/dom.js';
import { plainSi } from '../util/format.js';

/**
 * @typedef {HTMLInputElement | HTMLSelectElement} Control
 * @typedef {import('../net/choices.js').Choice} Choice
 *
 * @typedef {object} Field
 * @property {Choice} choice
 * @property {Control} control
 * @property {HTMLElement} note  beside it: the value in force, or an error
 * @property {string} seen  what the status before said of it: the radio takes a moment to follow
 */

/** Steps with the arrow keys. @param {HTMLInputElement} control @param {Choice} choice */
function offerNumbers(control, choice) {
  control.spellcheck = false;
  if (choice.step) control.onkeydown = (event) => stepValue(event, control, choice);
}

/** @param {HTMLInputElement} control @param {number[]} values @param {string} prefix */
function proposals(control, values, prefix) {
  const list = make(
    'datalist',
    { id: `${prefix}offer-${control.name}` },
    values.map((value) => new Option('', plainSi(value))),
  );
  control.setAttribute('list', list.id);
  return list;
}

/** @param {KeyboardEvent} event @param {HTMLInputElement} control @param {Choice} choice */
function stepValue(event, control, { step = 1, min = -Infinity, max = Infinity }) {
  const steps = { ArrowUp: step, ArrowDown: -step }[event.key];
  if (!steps) return;
  event.preventDefault();
  const value = Math.min(max, Math.max(min, (Number(control.value) || 0) + steps));
  control.value = String(Number(value.toPrecision(12)));
  control.dispatchEvent(new Event('input', { bubbles: true }));
}

/** "LNA, 0 to 40 dB" where the radio itself has the range. @param {string} name @param {Choice} choice */
function labelOf(name, { label, unit, values, min, max }) {
  if (!name.includes('.') || min === undefined || max === undefined)
    return label + (unit && !values ? `, ${unit}` : '');
  return `${label}, ${signed(min)} to ${signed(max)} ${unit}`.trim();
}

/** @param {number} value */
const signed = (value) => String(value).replace('-', '\u2212');

/** @param {string} name @param {Choice} choice @param {string} prefix @returns {Control} */
function makeControl(name, choice, prefix) {
  const control = make(choice.values ? 'select' : 'input', { name, id: `${prefix}set-${name}`, title: choice.help });
  control.setAttribute('aria-describedby', `${prefix}note-${name}`);
  if (control instanceof HTMLInputElement) offerNumbers(control, choice);
  else offer(control, choice.values ?? [], '');
  return control;
}

/**
 * A label, its control and its note, at the end of `into`.
 * @param {string} name @param {Choice} choice @param {HTMLElement} into @param {string} prefix  of ids @returns {Field}
 */
export function makeField(name, choice, into, prefix) {
  const control = makeControl(name, choice, prefix),
    label = make('label', {}, [labelOf(name, choice), ' ', control]);
  const note = make('p', { className: 'note', id: `${prefix}note-${name}` });
  if (control instanceof HTMLInputElement && choice.proposals)
    label.append(proposals(control, choice.proposals, prefix));
  into.append(label, note);
  return { choice, control, note, seen: '' };
}
