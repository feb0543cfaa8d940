// The waterfall's time: its speed, and the way back to live lines while it is scrolled back.

import { byId, choose, make, offer, onChoice } from '../../util/dom.js';
import { formatClock } from '../../util/time.js';

const SPEEDS = ['1', '2', '3', '4', '6', '8']; // CSS pixels a row

/** In the tools, after the colours. */
function addSpeed() {
  const select = make('select', { id: 'speed', title: 'Speed of the waterfall: pixels a line' });
  byId('palette')
    .closest('label')
    ?.after(make('label', {}, ['Speed ', select]));
  return select;
}

/** @param {import('../../app/actions.js').Actions} actions */
function addLive(actions) {
  const button = make('button', {
    id: 'go-live',
    title: 'Back to live lines (End)',
    hidden: true,
    onclick: () => actions.goLive(),
  });
  button.onpointerdown = (event) => event.stopPropagation(); // not a drag of the picture
  byId('display').append(button);
  return button;
}

export const past = {
  id: 'display',

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const speed = addSpeed(),
      live = addLive(actions);
    onChoice(speed, (value) => actions.changeSpeed(Number(value)));
    store.subscribe(['speed'], (state) => {
      const text = String(state.speed);
      offer(speed, SPEEDS.includes(text) ? SPEEDS : [...SPEEDS, text].sort((a, b) => Number(a) - Number(b)), text);
      for (const option of speed.options) option.textContent = `${option.value} px`;
      choose(speed, text);
    });
    store.subscribe(['scrolledTo', 'resolution', 'localTime'], ({ scrolledTo, resolution }) => {
      live.hidden = scrolledTo === null;
      if (scrolledTo !== null)
        live.textContent = [formatClock(scrolledTo, 0), resolution, 'back to live'].filter(Boolean).join(' \u2014 ');
    });
  },
};
