// The commands of the page: one table from which keys, help, buttons and the menu follow.

import { jumpReplay, mayControl, maySeek, toggleReplay } from '../features/replay/replay.js';
import { densityOffered, toggleDensity } from '../features/density/density.js';
import { planShowable, toggleBookmarks, togglePlan } from '../features/bookmarks/band_plan.js';
import { recordOffered, toggleRecord } from '../features/recording/recording.js';
import { toggleTriggers, triggersOffered } from '../features/triggers/triggers.js';
import { measureOffered, toggleMeasure } from '../features/measure/measure.js';
import { byId } from '../util/dom.js';
import { MARKER_COMMANDS } from '../features/markers/commands.js';

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
 * @property {(state: State) => boolean} [when]  it does something now; missing: always. Of several commands with one
 *   key, the first that does something runs
 * @property {(actions: Actions) => void} run
 */

const hasTraces = (/** @type {State} */ { traceSlots }) => traceSlots > 0;

/** @type {Command[]} */
export const COMMANDS = [
  ...MARKER_COMMANDS,
  { id: 'lower', keys: ['ArrowLeft'], group: 'Frequency', label: 'lower frequencies', run: (actions) => actions.panView(-0.1) },
  { id: 'higher', keys: ['ArrowRight'], group: 'Frequency', label: 'higher frequencies', run: (actions) => actions.panView(0.1) },
  { id: 'zoom-in', keys: ['+', '='], group: 'Frequency', label: 'zoom in', run: (actions) => actions.zoomView(1.5, 0.5) },
  { id: 'zoom-out', keys: ['-', '_'], group: 'Frequency', label: 'zoom out', run: (actions) => actions.zoomView(1 / 1.5, 0.5) },
  { id: 'whole-span', keys: ['0', 'Home'], group: 'Frequency', label: 'the whole span', run: (actions) => actions.showWholeSpan() },
  { id: 'later', keys: ['PageUp'], group: 'Time', label: 'later lines of the waterfall', run: (actions) => actions.scrollScreens(-0.8) },
  { id: 'earlier', keys: ['PageDown'], group: 'Time', label: 'earlier lines of the waterfall', run: (actions) => actions.scrollScreens(0.8) },
  { id: 'live', keys: ['End'], group: 'Time', label: 'back to live lines', run: (actions) => actions.goLive() },
  { id: 'enter', keys: ['g'], group: 'Frequency', label: 'enter a frequency', run: () => byId('entry').focus() },
  { id: 'step-lower', keys: [','], group: 'Frequency', label: 'one step lower', run: (actions) => actions.tuning.step(-1) },
  { id: 'step-higher', keys: ['.'], group: 'Frequency', label: 'one step higher', run: (actions) => actions.tuning.step(1) },
  { id: 'levels-up', keys: ['ArrowUp'], group: 'Level', label: 'show weaker levels: everything 5 dB up',
    run: (actions) => actions.shiftRangeDb(-5) },
  { id: 'levels-down', keys: ['ArrowDown'], group: 'Level', label: 'show stronger levels: everything 5 dB down',
    run: (actions) => actions.shiftRangeDb(5) },
  { id: 'fit-range', keys: ['a'], group: 'Level', label: 'let the level range follow the spectrum', run: (actions) => actions.fitRange() },
  { id: 'next-detector', keys: ['t'], group: 'Level', label: 'next detector', run: (actions) => actions.nextDetector() },
  { id: 'density', keys: ['d'], group: 'Level', label: 'density: how often each level occurs', when: densityOffered, run: ({ store }) => toggleDensity(store) },
  { id: 'measure', keys: ['e'], group: 'Page', label: 'measurements', when: measureOffered, run: ({ store }) => toggleMeasure(store) },
  /* band plan */
  { id: 'bookmarks', keys: ['o'], group: 'Frequency', label: 'bookmarks', run: ({ store }) => toggleBookmarks(store) },
  { id: 'band-plan', keys: ['u'], group: 'Frequency', label: 'band plan and bookmarks in the picture',
    when: planShowable, run: ({ store }) => togglePlan(store) },
  /* recordings */
  { id: 'record', keys: ['Shift+r'], group: 'Page', label: 'recordings', when: recordOffered, run: ({ store }) => toggleRecord(store) },
  /* triggers */
  { id: 'triggers', keys: ['w'], group: 'Page', label: 'triggers and events', when: triggersOffered, run: ({ store }) => toggleTriggers(store) },
  { id: 'box', keys: ['s'], group: 'Time', label: 'a box of time and frequency on the waterfall', run: ({ store }) => store.update({ boxing: !store.state.boxing }) },
  /* traces */
  { id: 'max-hold', keys: ['h'], group: 'Level', label: 'max hold', when: hasTraces, run: ({ traces }) => traces.toggle('max-hold') },
  { id: 'average', keys: ['y'], group: 'Level', label: 'average', when: hasTraces, run: ({ traces }) => traces.toggle('average') },
  { id: 'traces', keys: ['v'], group: 'Level', label: 'traces', when: hasTraces, run: ({ traces }) => traces.togglePanel() },
  { id: 'pause', keys: [' '], group: 'Page', label: 'pause and resume', run: (actions) => actions.togglePause() },
  { id: 'replay-pause', keys: ['r'], group: 'Replay', label: 'play and pause the recording', when: mayControl, run: toggleReplay },
  { id: 'replay-back', keys: ['j'], group: 'Replay', label: 'go back in the recording', when: maySeek,
    run: (actions) => jumpReplay(actions, -1) },
  { id: 'replay-forward', keys: ['l'], group: 'Replay', label: 'go forward in the recording', when: maySeek,
    run: (actions) => jumpReplay(actions, 1) },
  { id: 'controls', keys: ['c'], group: 'Page', label: 'the radio\'s controls', run: (actions) => actions.toggleControls() },
  { id: 'thrifty', keys: ['b'], group: 'Page', label: 'use fewer bytes', run: (actions) => actions.toggleThrifty() },
  { id: 'fullscreen', keys: ['f'], group: 'Page', label: 'full screen', run: (actions) => actions.toggleFullscreen() },
  { id: 'close', keys: ['Escape'], group: 'Page', label: 'close the panels or a message', run: (actions) => actions.closeAll() },
  { id: 'help', keys: ['?'], group: 'Page', label: 'keys and gestures', run: (actions) => actions.showHelp(true) },
];

/** @type {Record<string, string>} */
const KEY_NAMES = { ArrowLeft: '\u2190', ArrowRight: '\u2192', ArrowUp: '\u2191', ArrowDown: '\u2193', ' ': 'Space', Escape: 'Esc',
  Delete: 'Del', PageUp: 'Page \u2191', PageDown: 'Page \u2193', '-': '\u2212' };

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

/** The commands by their groups. @returns {[string, Command[]][]} */
export const commandGroups = () => GROUPS
  .map((name) => [name, COMMANDS.filter(({ group }) => group === name)]);

/** @param {Command} command @param {State} state */
export const isUseful = (command, state) => command.when?.(state) ?? true;

/** The command that a key runs now. @param {string} key  as in Command.keys @param {State} state */
export const commandOf = (key, state) => COMMANDS.find((command) => command.keys.includes(key) && isUseful(command, state));

/** Gives each button its command and its title. @param {Actions} actions */
export function bindButtons(actions) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('button[data-command]'))) {
    const command = COMMANDS.find(({ id }) => id === button.dataset.command);
    if (!command) throw new Error(`no command ${button.dataset.command}`);
    button.title = titleOf(command);
    button.onclick = () => command.run(actions);
  }
}
