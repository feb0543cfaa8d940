// The time line of the waterfall: from the oldest row of the archive to now, and a date and a time to go to.

import { timeMs } from '../../net/wire.js';
import { byId, make } from '../../util/dom.js';
import { formatTime, readTime, showLocalTime } from '../../util/time.js';
import { remember } from '../../util/stored.js';

const PARTS = 1000; // of the slider

const makeLine = () =>
  make('form', { id: 'time-line', hidden: true }, [
    make('input', { id: 'time-slider', type: 'range', max: String(PARTS), 'aria-label': 'Time', hidden: true }),
    make('input', { id: 'time-wanted', type: 'datetime-local', step: '1', 'aria-label': 'Time', required: true }),
    make('button', { type: 'submit' }, 'Go to'),
  ]);

/** @param {import('../../app/store.js').Store} store @param {boolean} localTime */
export function changeZone(store, localTime) {
  showLocalTime(localTime);
  remember('fftd-time', localTime ? 'local' : '');
  store.update({ localTime });
}

/** The Unix time in ms of the end of the oldest row of the archive; NaN: there is none. */
async function archiveStart() {
  const answer = await fetch('api/v1/archive?rows=1000&columns=1').catch(() => null),
    { start, row_s: seconds } = answer?.ok ? await answer.json() : {};
  return Date.parse(start) + 1000 * seconds;
}

export const timeLine = {
  id: 'time-line',
  element: makeLine,
  place: { into: '#display' },

  /** @param {import('../list.js').Page} page */
  mount({ store, past }) {
    const form = /** @type {HTMLFormElement} */ (byId('time-line')),
      [slider, wanted] = /** @type {HTMLInputElement[]} */ ([byId('time-slider'), byId('time-wanted')]);
    let start = NaN;
    const now = () => (store.state.frame ? timeMs(store.state.frame) : Date.now());
    form.onpointerdown = (event) => event.stopPropagation(); // not a drag of the picture
    form.onsubmit = (event) => {
      event.preventDefault();
      past.goToTime(readTime(wanted.value));
    };
    slider.onchange = () => past.goToTime(start + ((now() - start) * Number(slider.value)) / PARTS);
    const showSlider = async () => {
      start = await archiveStart();
      slider.hidden = !(start < now());
    };
    store.subscribe(['timeOpen'], ({ timeOpen, status }) => {
      form.hidden = !timeOpen;
      if (!timeOpen) return;
      wanted.focus();
      if (status?.archive) showSlider();
    });
    store.subscribe(['status'], ({ timeOpen, status }) => {
      if (timeOpen && status?.archive && Number.isNaN(start)) showSlider(); // it was opened before the first status
    });
    store.subscribe(['timeOpen', 'scrolledTo', 'localTime'], ({ scrolledTo }) => {
      const at = scrolledTo ?? now();
      if (document.activeElement !== wanted || !wanted.value)
        wanted.value = formatTime(at).slice(0, 19).replace(' ', 'T');
      if (document.activeElement !== slider) slider.value = String((PARTS * (at - start)) / (now() - start));
    });
  },
};
