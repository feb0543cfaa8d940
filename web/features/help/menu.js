// The menu of all commands, for screens without a keyboard.

import { commandGroups, isUseful } from '../../app/commands.js';
import { byId, make } from '../../util/dom.js';

/** Gestures and the menu itself do what these do. */
const LEFT_OUT = ['close'];

/** @param {import('../list.js').Page} page @param {() => void} close */
function entries({ store: { state }, actions, commands: all }, close) {
  return commandGroups(all).flatMap(([group, commands]) => {
    const useful = commands.filter((command) => !LEFT_OUT.includes(command.id) && isUseful(command, state));
    if (useful.length === 0) return [];
    const buttons = useful.map((command) =>
      make('button', {
        textContent: command.label,
        onclick: () => {
          close();
          command.run(actions);
        },
      }),
    );
    return [make('h3', { textContent: group }), make('div', {}, buttons)];
  });
}

const makeDialog = () =>
  make('dialog', { id: 'menu', 'aria-label': 'Commands' }, [
    make('div', { id: 'menu-list' }),
    make('p', { className: 'buttons' }, [make('button', { id: 'menu-close', className: 'primary' }, 'Close')]),
  ]);

export const menu = {
  id: 'menu',
  element: makeDialog,
  place: { into: 'body' },

  /** @param {import('../list.js').Page} page */
  mount(page) {
    const dialog = /** @type {HTMLDialogElement} */ (byId('menu')),
      list = byId('menu-list');
    const close = () => dialog.close();
    byId('menu-open').onclick = () => {
      list.replaceChildren(...entries(page, close));
      dialog.showModal();
    };
    byId('menu-close').onclick = close;
    dialog.onclick = (event) => {
      if (event.target === dialog) close();
    }; // beside it
  },
};
