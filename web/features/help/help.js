// The list of keys and gestures.

import { commandGroups, keyText } from '../../app/commands.js';
import { byId, make } from '../../util/dom.js';

/** @param {string} group @param {import('../../app/commands.js').Command[]} commands */
function listOf(group, commands) {
  const rows = commands
    .filter(({ keys }) => keys.length > 0)
    .flatMap(({ keys, label }) => [make('dt', { textContent: keyText(keys[0]) }), make('dd', { textContent: label })]);
  return rows.length > 0 ? [make('h3', { textContent: group }), make('dl', {}, rows)] : [];
}

const makeDialog = () =>
  make('dialog', { id: 'help', 'aria-labelledby': 'help-title' }, [
    make('h2', { id: 'help-title', tabIndex: -1, autofocus: true }, 'Keys and gestures'),
    make('div', { id: 'keys' }),
    make(
      'p',
      {},
      'Wheel: zoom at the cursor. Shift and wheel, or drag: move. Double click: the whole span. Two fingers: zoom and '
        + 'move. Over the level scale: the wheel changes the range, dragging shifts it. Over the time scale: the wheel '
        + 'changes the speed.',
    ),
    make('p', { className: 'buttons' }, [make('button', { id: 'help-close', className: 'primary' }, 'Close')]),
  ]);

export const help = {
  id: 'help',
  element: makeDialog,
  place: { into: 'body' },

  /** @param {import('../list.js').Page} page */
  mount({ store, actions, commands: all }) {
    const dialog = /** @type {HTMLDialogElement} */ (byId('help'));
    byId('keys').append(...commandGroups(all).flatMap(([group, commands]) => listOf(group, commands)));
    byId('help-close').onclick = () => actions.showHelp(false);
    dialog.onclose = () => actions.showHelp(false); // closed with Escape
    store.subscribe(['helpOpen'], ({ helpOpen }) => {
      if (helpOpen && !dialog.open) dialog.showModal();
      if (!helpOpen) dialog.close();
    });
  },
};
