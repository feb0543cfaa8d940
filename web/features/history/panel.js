// The waterfall's time: its speed, and the way back to live lines while it is scrolled back.

import { byId, choose, offer, onChoice } from '../../util/dom.js';
import { formatClock } from '../../util/format.js';

const SPEEDS = ['1', '2', '3', '4', '6', '8']; // CSS pixels a row

/** @returns {HTMLSelectElement}  in the tools, after the colours */
function addSpeed() {
  const label = document.createElement('label'), select = document.createElement('select');
  select.id = 'speed';
  select.title = 'Speed of the waterfall: pixels a line';
  label.append('Speed ', select);
  byId('palette').closest('label')?.after(label);
  return select;
}

/** @param {import('../../app/actions.js').Actions} actions @returns {HTMLButtonElement} */
function addLive(actions) {
  const button = document.createElement('button');
  button.id = 'go-live';
  button.type = 'button';
  button.title = 'Back to live lines (End)';
  button.hidden = true;
  button.onclick = () => actions.goLive();
  button.onpointerdown = (event) => event.stopPropagation(); // not a drag of the picture
  byId('display').append(button);
  return button;
}

export const past = {
  id: 'display',

  /** @param {import('../feature.js').Page} page */
  mount({ store, actions }) {
    const speed = addSpeed(), live = addLive(actions);
    onChoice(speed, (value) => actions.changeSpeed(Number(value)));
    store.subscribe(['speed'], (state) => {
      const text = String(state.speed);
      offer(speed, SPEEDS.includes(text) ? SPEEDS : [...SPEEDS, text].sort((a, b) => Number(a) - Number(b)), text);
      for (const option of speed.options) option.textContent = `${option.value} px`;
      choose(speed, text);
    });
    store.subscribe(['scrolledTo'], ({ scrolledTo }) => {
      live.hidden = scrolledTo === null;
      if (scrolledTo !== null) live.textContent = `${formatClock(scrolledTo, 0)} \u2014 back to live`;
    });
  },
};
