// The toolbar: a button for each command that has a tool, in four groups. Beside the plots the groups stand below each
// other; on a phone each opens from a bar (layout.css).

import { titleOf } from './commands.js';
import { make } from '../util/dom.js';
import { node } from '../util/svg.js';

/** Each with its icon: the path of a line in 20 x 20. */
const GROUPS = {
  View: 'M2 15l4-9 3 6 3-10 3 9 3-3',
  Analyse: 'M3 17h14M5 17V9M10 17V3M15 17v-5',
  Capture: 'M10 3a7 7 0 1 0 .1 0M10 8a2 2 0 1 0 .1 0',
  Radio: 'M4 8h12v8H4zM7 8l6-5',
};
const SCALE = 'M3 6h14M3 14h14M7 3v6M13 11v6',
  MORE = 'M3 10h2M9 10h2M15 10h2';

/** @param {string} path */
const icon = (path) => node('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, [node('path', { d: path })]);

/** Opens a part of the page, where that is a sheet. @param {string} word @param {string} path @param {string} id */
const opener = (word, path, id) => make('button', { className: 'group', popovertarget: id }, [icon(path), word]);

/** @param {import('./commands.js').Command} command @param {readonly import('../features/list.js').Panel[]} panels */
function makeButton(command, panels) {
  const { id, tool } = command;
  if (!tool) throw new Error(id);
  return make(
    'button',
    {
      id: tool.id,
      'data-command': id,
      title: titleOf(command),
      ...(panels.some((panel) => panel.id === id)
        ? { 'aria-controls': id }
        : tool.group && { 'aria-pressed': 'false' }),
    },
    [icon(tool.icon), tool.word],
  );
}

/** @param {Pick<import('../features/list.js').Page, 'commands' | 'panels'>} page */
export function makeToolBar({ commands, panels }) {
  const of = (/** @type {string} */ name) =>
    commands.filter(({ tool }) => tool?.group === name).map((command) => makeButton(command, panels));
  const groups = Object.entries(GROUPS).flatMap(([name, path]) => {
    const id = `tools-${name}`,
      more = name === 'View' ? [opener('Scale', SCALE, 'settings')] : [];
    return [
      opener(name, path, id),
      make('div', { id, className: 'tools', popover: 'auto' }, [make('h2', {}, name), ...of(name), ...more]),
    ];
  });
  return make('nav', { id: 'tools', 'aria-label': 'Tools' }, [
    ...groups,
    ...of(''),
    make('button', { id: 'menu-open', className: 'touch-only', 'aria-haspopup': 'dialog' }, [icon(MORE), 'More']),
  ]);
}
