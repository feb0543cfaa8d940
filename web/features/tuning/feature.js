// The frequency of the radio: digits, a field for any frequency, steps, and tuning by click.

import { bandOfLink, linkQuestion } from './link_question.js';
import { focusEntry, listenTuneClick, tuning as bar } from './panel.js';
import { byId } from '../../util/dom.js';

/**
 * @typedef {object} TuningState
 * @property {number} stepHz  0: a tenth of the view
 * @property {boolean} tuneByClick  a click into the picture tunes
 * @property {number | null} tuneTarget  a centre that the radio was asked for and has not reached; null: none
 * @property {{ kind: 'none' | 'failed', text: string }} tuneNote  why the newest request failed
 * @property {import('../../plot/view.js').View | null} linkBand  of a link, until there is a spectrum
 * @property {import('../../plot/view.js').View | null} linkAsked  of a link to another band: whether to tune
 */

/** @type {import('../list.js').Feature<TuningState>} */
export const tuning = {
  order: 30,
  state: (hash) => ({
    stepHz: 0,
    tuneByClick: false,
    tuneTarget: null,
    tuneNote: { kind: 'none', text: '' },
    linkBand: bandOfLink(hash),
    linkAsked: null,
  }),
  closed: { linkAsked: null },
  link: { fields: {}, keys: [], write: () => ({}), read: (hash) => ({ linkBand: bandOfLink(hash) }) },
  commands: [
    { id: 'enter', keys: ['g'], group: 'Frequency', label: 'enter a frequency', run: focusEntry },
    {
      id: 'step-lower',
      keys: [','],
      group: 'Frequency',
      label: 'one step lower',
      run: (actions) => actions.tuning.step(-1),
    },
    {
      id: 'step-higher',
      keys: ['.'],
      group: 'Frequency',
      label: 'one step higher',
      run: (actions) => actions.tuning.step(1),
    },
    {
      id: 'tune-click',
      tool: { id: 'tune-click', group: 'Radio', word: 'Click to tune', icon: 'M10 2v5M10 13v5M2 10h5M13 10h5' },
      keys: [],
      group: 'Frequency',
      label: 'tune by a click into the picture',
      run: (actions) => actions.tuning.toggleClick(),
    },
  ],
  start: ({ actions, display, plan }) =>
    listenTuneClick(
      byId('display'),
      () => display.layout,
      actions,
      (x, y) => plan?.bookmarkAt(x, y, 3)?.hz,
    ),
  parts: [bar, linkQuestion],
};
