// Runs the commands of pressed keys.

import { commandOf } from './commands.js';
import { byId } from '../util/dom.js';

/** The keys that inputs without text use themselves. @type {Record<string, string[]>} */
const OWN_KEYS = {
  checkbox: [' '],
  range: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'],
};

/** True where the key belongs to an input, a dialog, a focused button or the browser. @param {KeyboardEvent} event */
function isReserved(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (event.key === 'Escape') return document.querySelector('dialog[open], :popover-open') !== null;
  if (target instanceof HTMLInputElement && Object.hasOwn(OWN_KEYS, target.type))
    return OWN_KEYS[target.type].includes(event.key);
  if (target?.closest('input, select, textarea, dialog, [contenteditable]')) return true;
  return event.key === ' ' && target?.closest('button') !== null && target !== null;
}

/** From a field that is still there, the focus goes to the picture. @param {EventTarget | null} target */
function leaveField(target) {
  if (target === document.activeElement && target instanceof HTMLElement && target.matches('input, select, textarea'))
    byId('display').focus({ preventScroll: true });
}

/** @param {readonly import('./commands.js').Command[]} commands @param {import('./actions.js').Actions} actions */
export function listenKeys(commands, actions) {
  addEventListener('keydown', (event) => {
    const { state } = actions.store,
      key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = (event.shiftKey && commandOf(commands, `Shift+${key}`, state)) || commandOf(commands, key, state);
    if (!command || isReserved(event)) return;
    event.preventDefault();
    command.run(actions);
    if (event.key === 'Escape') leaveField(event.target);
  });
}
