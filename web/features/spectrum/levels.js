// The level scale: reference level, dB per division, and unit.

import { headroomOf } from './headroom.js';
import { DIVISIONS, middleShift, STEPS_DB, UNIT_NAMES, wantedUnit } from '../../app/units.js';
import { LIMITS } from '../../plot/levels.js';
import { byId, make, onChoice, setText, setValue } from '../../util/dom.js';
import { fixed } from '../../util/format.js';
import { readTyped } from '../../util/quantity.js';

/** What the part consists of. */
const contents = () => [
  make('label', {}, [
    'Ref ',
    make('input', {
      id: 'ref',
      inputMode: 'text',
      size: 5,
      spellcheck: false,
      title: 'Reference level: the top of the scale',
    }),
  ]),
  make('label', {}, [make('select', { id: 'db-div', title: 'dB per division, of which there are ten' }), ' dB/div']),
  make('select', {
    id: 'unit',
    'aria-label': 'Unit of levels',
    title: 'Unit of levels: other than dBFS needs a calibration table',
  }),
  make(
    'span',
    { id: 'adc', hidden: true, title: 'ADC headroom: from the largest I or Q of the last second to full scale' },
    ['ADC ', make('b', { id: 'headroom' })],
  ),
  make(
    'b',
    {
      id: 'uncal',
      hidden: true,
      title: 'The calibration of this frequency, gain or antenna is not known: levels are in dBFS',
    },
    'uncal',
  ),
];

export const levels = {
  id: 'levels',

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    byId('levels').append(...contents());
    const ref = /** @type {HTMLInputElement} */ (byId('ref'));
    const division = /** @type {HTMLSelectElement} */ (byId('db-div')),
      unit = /** @type {HTMLSelectElement} */ (byId('unit'));
    division.replaceChildren(new Option('', ''), ...STEPS_DB.map((db) => new Option(String(db))));
    unit.replaceChildren(...UNIT_NAMES.map((name) => new Option(name)));
    onChoice(unit, (name) => store.update({ unit: name }));
    onChoice(division, (text) => {
      const { topDb } = store.state.range,
        height = DIVISIONS * Number(text);
      if (height > 0) actions.changeRange({ topDb, bottomDb: topDb - height });
    });
    ref.onchange = () => {
      const { range } = store.state,
        topDb = readTyped(ref.value, 'db') - middleShift(store.state);
      const allowed = topDb <= LIMITS.topDb && topDb - (range.topDb - range.bottomDb) >= LIMITS.bottomDb;
      ref.toggleAttribute('aria-invalid', !allowed);
      if (allowed) actions.changeRange({ topDb, bottomDb: topDb - (range.topDb - range.bottomDb) });
    };
    store.subscribe(['range', 'levels', 'shownView', 'unit', 'status'], (state) => {
      const step = (state.range.topDb - state.range.bottomDb) / DIVISIONS,
        text = fixed(state.range.topDb + middleShift(state), 1).replace('.0', '');
      setValue(ref, text);
      setText(division.options[0], STEPS_DB.includes(step) ? '' : fixed(step, 1));
      division.options[0].hidden = STEPS_DB.includes(step);
      division.value = STEPS_DB.includes(step) ? String(step) : '';
      if (unit.value !== wantedUnit(state)) unit.value = wantedUnit(state);
      byId('uncal').hidden = !state.levels.uncal;
    });
    let before = store.state.status;
    store.subscribe(['status'], ({ status }) => {
      const found = headroomOf(status, before);
      before = status;
      byId('adc').hidden = !found;
      if (found) setText(byId('headroom'), found.text);
      byId('headroom').className = found?.level ?? '';
    });
  },
};
