// The keys of the page: one table for what they do and for the help that lists them.

/**
 * @typedef {object} Key
 * @property {string[]} keys  names as in KeyboardEvent, letters in lower case
 * @property {string} label  in the help
 * @property {string} text  in the help
 * @property {(actions: import('./actions.js').Actions) => void} run
 */

/** @type {Key[]} */
export const KEYS = [
  { keys: ['ArrowLeft'], label: '\u2190', text: 'lower frequencies', run: (actions) => actions.panView(-0.1) },
  { keys: ['ArrowRight'], label: '\u2192', text: 'higher frequencies', run: (actions) => actions.panView(0.1) },
  { keys: ['ArrowUp'], label: '\u2191', text: 'show weaker levels: everything 5 dB up',
    run: (actions) => actions.shiftRangeDb(-5) },
  { keys: ['ArrowDown'], label: '\u2193', text: 'show stronger levels: everything 5 dB down',
    run: (actions) => actions.shiftRangeDb(5) },
  { keys: ['+', '='], label: '+', text: 'zoom in', run: (actions) => actions.zoomView(1.5, 0.5) },
  { keys: ['-', '_'], label: '\u2212', text: 'zoom out', run: (actions) => actions.zoomView(1 / 1.5, 0.5) },
  { keys: ['0', 'Home'], label: '0', text: 'the whole span', run: (actions) => actions.showWholeSpan() },
  { keys: [' '], label: 'Space', text: 'pause and resume', run: (actions) => actions.togglePause() },
  { keys: ['a'], label: 'A', text: 'fit the level range to the spectrum', run: (actions) => actions.fitRange() },
  { keys: ['t'], label: 'T', text: 'next detector', run: (actions) => actions.nextDetector() },
  { keys: ['c'], label: 'C', text: 'the radio\'s controls', run: (actions) => actions.toggleControls() },
  { keys: ['f'], label: 'F', text: 'full screen', run: (actions) => actions.toggleFullscreen() },
  { keys: ['?'], label: '?', text: 'this list', run: (actions) => actions.showHelp(true) },
];

/** True where the key belongs to an input, a dialog, a focused button or the browser. @param {KeyboardEvent} event */
function isReserved(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest('input, select, textarea, dialog, [contenteditable]')) return true;
  return event.key === ' ' && target?.closest('button') !== null && target !== null;
}

/** @param {import('./actions.js').Actions} actions */
export function listenKeys(actions) {
  const byName = new Map(KEYS.flatMap((key) => key.keys.map((name) => [name, key])));
  addEventListener('keydown', (event) => {
    const key = byName.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!key || isReserved(event)) return;
    event.preventDefault();
    key.run(actions);
  });
}
