// Commands of the page: keys, help, buttons and the menu follow from them. The features have them.

/**
 * @typedef {import('../app/actions.js').Actions} Actions
 * @typedef {Readonly<import('../app/state.js').State>} State
 *
 * @typedef {object} Command
 * @property {string} id  buttons name it: data-command
 * @property {string[]} keys  names as in KeyboardEvent, letters in lower case, with "Shift+" before them if need be;
 *   the help shows the first
 * @property {string} label  in help, menu and titles
 * @property {string} group
 * @property {(state: State) => boolean} [when]  it does something now; missing: always. Of several commands with
 *   one key, one with a condition runs before one without
 * @property {{ id: string, group: '' | 'View' | 'Analyse' | 'Capture' | 'Radio', word: string, icon: string }} [tool]
 *   its button in the toolbar (tool_bar.js), after the groups if it has none; the icon is a path in 20 x 20
 * @property {(actions: Actions) => void} run
 */

/** @type {Record<string, string>} */
const KEY_NAMES = {
  ArrowLeft: '\u2190',
  ArrowRight: '\u2192',
  ArrowUp: '\u2191',
  ArrowDown: '\u2193',
  ' ': 'Space',
  Escape: 'Esc',
  Delete: 'Del',
  PageUp: 'Page \u2191',
  PageDown: 'Page \u2193',
  '-': '\u2212',
};

/** A key as the help shows it: "A", "\u2190", "Shift \u2190". @param {string} name  of Command.keys */
export function keyText(name) {
  const [, shift, key] = /** @type {RegExpExecArray} */ (/^(Shift\+)?(.+)$/s.exec(name));
  return (shift ? 'Shift ' : '') + (KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

/** "Pause and resume (Space)". @param {Command} command */
export function titleOf({ label, keys }) {
  const title = label.charAt(0).toUpperCase() + label.slice(1);
  return keys.length > 0 ? `${title} (${keyText(keys[0])})` : title;
}

const GROUPS = ['Frequency', 'Time', 'Level', 'Marker', 'Replay', 'Page'];

/** The commands by their groups. @param {readonly Command[]} commands @returns {[string, Command[]][]} */
export const commandGroups = (commands) => GROUPS.map((name) => [name, commands.filter(({ group }) => group === name)]);

/** @param {Command} command @param {State} state */
export const isUseful = (command, state) => command.when?.(state) ?? true;

/**
 * The command that a key runs now: one with a condition that is met before one without.
 * @param {readonly Command[]} commands @param {string} key  as in Command.keys @param {State} state
 */
export function commandOf(commands, key, state) {
  const useful = commands.filter((command) => command.keys.includes(key) && isUseful(command, state));
  return useful.find(({ when }) => when) ?? useful[0];
}

/** Gives each button its command and its title. @param {readonly Command[]} commands @param {Actions} actions */
export function bindButtons(commands, actions) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('button[data-command]'))) {
    const command = commands.find(({ id }) => id === button.dataset.command);
    if (!command) throw new Error(`no command ${button.dataset.command}`);
    button.title = titleOf(command);
    button.onclick = () => {
      /** @type {HTMLElement | null} */ (button.closest('.tools:popover-open'))?.hidePopover();
      command.run(actions);
    };
  }
}
