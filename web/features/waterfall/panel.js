// The levels of the waterfall: as the spectrum's, automatic, or a bottom and a top of its own.

import { changeMode, isAllowed } from './range.js';
import { byId, make, onChoice } from '../../util/dom.js';
import { fixed } from '../../util/format.js';
import { readTyped } from '../../util/quantity.js';

/** What the part consists of. */
const contents = () => [
  make('label', {}, [
    'Waterfall ',
    make('select', { id: 'waterfall-mode', title: 'Levels from the darkest to the brightest colour' }, [
      make('option', { value: 'spectrum' }, 'as spectrum'),
      make('option', { value: 'auto' }, 'auto'),
      make('option', { value: 'own' }, 'own range'),
    ]),
  ]),
  make('input', {
    id: 'waterfall-bottom',
    inputMode: 'text',
    spellcheck: false,
    'aria-label': 'Darkest level',
    title: 'Darkest level',
  }),
  make('input', {
    id: 'waterfall-top',
    inputMode: 'text',
    spellcheck: false,
    'aria-label': 'Brightest level',
    title: 'Brightest level',
  }),
];

/** @param {Readonly<import('../../app/state.js').State>} state */
const axisShift = ({ levels, shownView }) => levels.shiftDb((shownView.lowHz + shownView.highHz) / 2) || 0;

export const waterfallPanel = {
  id: 'waterfall-range',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    byId('waterfall-range').append(...contents());
    const mode = /** @type {HTMLSelectElement} */ (byId('waterfall-mode'));
    const ends = /** @type {HTMLInputElement[]} */ ([byId('waterfall-bottom'), byId('waterfall-top')]);
    onChoice(mode, (chosen) =>
      store.update({ waterfall: changeMode(store.state.waterfall, /** @type {any} */ (chosen), store.state.range) }),
    );
    for (const input of ends)
      input.onchange = () => {
        const [bottomDb, topDb] = ends.map(({ value }) => readTyped(value, 'db') - axisShift(store.state));
        for (const end of ends) end.toggleAttribute('aria-invalid', !isAllowed({ bottomDb, topDb }));
        if (isAllowed({ bottomDb, topDb })) store.update({ waterfall: { mode: 'own', range: { bottomDb, topDb } } });
      };
    store.subscribe(['waterfall', 'levels', 'shownView'], (state) => {
      mode.value = state.waterfall.mode;
      for (const input of ends) input.hidden = state.waterfall.mode === 'spectrum' || !state.waterfall.range;
      const { range } = state.waterfall,
        shift = axisShift(state);
      if (!range || ends.some((input) => input === document.activeElement)) return;
      ends[0].value = fixed(range.bottomDb + shift, 1).replace('.0', '');
      ends[1].value = fixed(range.topDb + shift, 1).replace('.0', '');
    });
  },
};
