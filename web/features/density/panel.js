// The density's button, its persistence, and the legend of its colours.

import { changeDensity } from './density.js';
import { densityOffered } from './offered.js';
import { colourOf, DECADES, PERSISTENCES, persistenceText } from '../../plot/density.js';
import { paletteTable } from '../../plot/palette.js';
import { byId, make, onChoice } from '../../util/dom.js';
import { formatDb } from '../../util/format.js';

const SPACE = '\u202f';

/** "6.25 %", "0.0031 %", "0 %". @param {number} share  0 .. 1 */
export function shareText(share) {
  const percent = 100 * share;
  if (percent > 0 && percent < 1e-4) return `< 0.0001${SPACE}%`;
  return `${percent >= 10 ? percent.toFixed(1) : Number(percent.toPrecision(2))}${SPACE}%`;
}

/** For the box at the cursor. @param {import('../../plot/density.js').Share} share */
export function densityLines({ share, above, lowDb, highDb }) {
  const range =
    lowDb === -Infinity
      ? `below ${formatDb(highDb)}`
      : highDb === Infinity
        ? `above ${formatDb(lowDb)}`
        : `at ${formatDb(lowDb)} to ${formatDb(highDb)}`;
  return [`${shareText(share)} of the time ${range} dBFS`, `${shareText(above)} at this level or above`];
}

/** The colours of the scale, from rare to always, for a gradient in CSS. @param {string} palette */
export function legendGradient(palette) {
  const table = paletteTable(palette),
    steps = 16;
  const colours = Array.from({ length: steps + 1 }, (_, i) => {
    const at = 4 * colourOf(10 ** (DECADES * (i / steps - 1)));
    return `rgb(${table[at]}, ${table[at + 1]}, ${table[at + 2]})`;
  });
  return `linear-gradient(to right, ${colours.join(', ')})`;
}

function makeBar() {
  const bar = byId('density-bar'),
    colours = make('i');
  const select = make(
    'select',
    { id: 'persistence', title: 'How long a hit stays: the newest message alone, seconds, or for ever' },
    PERSISTENCES.map((persistence) => new Option(persistenceText(persistence), persistence)),
  );
  bar.append(
    make('label', {}, ['Persistence ', select]),
    make(
      'div',
      {
        id: 'density-legend',
        role: 'img',
        'aria-label': 'Colours of the share of time, on a logarithmic scale from 0.01 to 100 per cent',
      },
      [colours, ...['0.01', '0.1', '1', '10', `100${SPACE}%`].map((percent) => make('span', {}, percent))],
    ),
  );
  return { bar, select, colours };
}

export const densityPanel = {
  id: 'density-bar',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    const { bar, select, colours } = makeBar(),
      button = byId('density-toggle');
    onChoice(select, (persistence) => changeDensity(store, persistence));
    store.subscribe(['density', 'limits', 'status'], (state) => {
      const offered = densityOffered(state);
      button.hidden = !offered;
      button.setAttribute('aria-pressed', String(state.density !== ''));
      bar.hidden = !offered || !state.density;
      if (state.density) select.value = state.density;
    });
    store.subscribe(['palette'], ({ palette }) => {
      colours.style.background = legendGradient(palette);
    });
  },
};
