// The bar of the frequency: digits that the wheel and the keys turn, a field for any frequency, steps, and tuning by
// click; and the RBW, in the strip.

import { stepOf } from './tuning.js';
import { understoodBeside } from '../../ui/understood.js';
import { byId, make, onChoice, setText } from '../../util/dom.js';
import { entryText } from '../../util/entry.js';
import { formatSi } from '../../util/format.js';
import { Digits } from './digits.js';
import { showFigure } from '../spectrum/view_line.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('../../app/state.js').State} State
 */

const STEPS_HZ = [1e3, 2e3, 5e3, 6250, 25e3 / 3, 1e4, 12500, 2e4, 25e3, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7];
const NOTE_MS = 8000;
const CLICK_PIXELS = 4; // a pointer that moves farther drags

/** What the part consists of. */
const contents = () => [
  make('div', {
    id: 'digits',
    role: 'spinbutton',
    tabIndex: 0,
    'aria-label': 'Centre frequency',
    'aria-valuenow': '0',
  }),
  make('button', { id: 'tune-open', className: 'sheet-only', popovertarget: 'tune' }, 'Tune'),
  make('div', { id: 'tune', popover: 'auto' }, [
    make('form', { id: 'entry-form', autocomplete: 'off' }, [
      make('input', {
        id: 'entry',
        spellcheck: false,
        maxLength: 60,
        'aria-label': 'Frequency: centre, centre/span, start-stop, or a step',
        placeholder: '145.5, 144-146, +25k',
        title: 'In MHz without a unit: a centre, centre/span, start-stop as in 144-146, or +25k (G)',
      }),
      make('p', { id: 'tune-note', role: 'alert', hidden: true }),
    ]),
    make('div', { className: 'steps', role: 'group', 'aria-label': 'Steps' }, [
      make('button', { id: 'step-down', 'data-command': 'step-lower', 'aria-label': 'One step lower' }, '\u25c2'),
      make('select', {
        id: 'step',
        'aria-label': 'Step',
        title: 'Step of the buttons and of the keys , and .; a click tunes to its multiples',
      }),
      make('button', { id: 'step-up', 'data-command': 'step-higher', 'aria-label': 'One step higher' }, '\u25b8'),
    ]),
  ]),
];

/** The field may be in a sheet. */
export function focusEntry() {
  if (!byId('entry').offsetParent) byId('tune').showPopover();
  byId('entry').focus();
}

/** In the strip. */
const rbwContents = () => [
  make('label', { id: 'rbw-label', hidden: true }, [
    'RBW ',
    make('select', { id: 'rbw', title: 'Resolution bandwidth: the noise bandwidth of a bin' }),
  ]),
  make('p', { id: 'rbw-figures', hidden: true }, [
    make('span', {}, ['\u22123 dB ', make('b', { id: 'rbw-3db' }, '--')]),
    make('span', {}, ['VBW ', make('b', { id: 'vbw' }, '--')]),
  ]),
];

/** @param {Actions} actions */
function mountEntry(actions) {
  const entry = /** @type {HTMLInputElement} */ (byId('entry'));
  byId('entry-form').onsubmit = (event) => {
    event.preventDefault();
    if (!entry.value.trim() || !actions.tuning.enter(entry.value)) return;
    entry.value = '';
    entry.dispatchEvent(new Event('input'));
    byId('tune').hidePopover();
    byId('display').focus({ preventScroll: true });
  };
  entry.oninput = () => actions.tuning.clearNote();
  entry.after(understoodBeside(entry, entryText));
}

/** @param {import('../../app/store.js').Store} store @param {Actions} actions */
function mountNote(store, actions) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe(['tuneNote'], ({ tuneNote }) => {
    const note = byId('tune-note'),
      failed = tuneNote.kind === 'failed';
    setText(note, tuneNote.text);
    note.hidden = !failed;
    byId('entry').toggleAttribute('aria-invalid', failed);
    clearTimeout(timer);
    if (failed) timer = setTimeout(() => actions.tuning.clearNote(), NOTE_MS);
  });
}

/** @param {import('../../app/store.js').Store} store @param {Actions} actions */
function mountSteps(store, actions) {
  const select = /** @type {HTMLSelectElement} */ (byId('step'));
  select.replaceChildren(...[0, ...STEPS_HZ].map((hz) => new Option(hz ? formatSi(hz, 'Hz', 4) : 'Step', String(hz))));
  onChoice(select, (step) => actions.tuning.changeStep(Number(step)));
  store.subscribe(['shownView', 'stepHz'], ({ shownView, stepHz, frame }) => {
    select.value = String(stepHz);
    setText(select.options[0], frame ? `Auto ${formatSi(stepOf(0, shownView), 'Hz')}` : 'Auto');
  });
}

/** The RBW of each FFT size. @param {HTMLSelectElement} select @param {Readonly<State>} state */
function offerRbw(select, { choices, status, control }) {
  const sizes = choices?.fft_size?.values ?? [],
    spectrum = status?.spectrum,
    rate = status?.source?.tuning?.rate_hz;
  const usable = choices?.rbw_hz && spectrum?.enbw_bins && rate;
  byId('rbw-label').hidden = byId('rbw-figures').hidden = !usable || sizes.length === 0;
  showFigure('view-rbw', byId('rbw-label').hidden);
  select.disabled = !control.allowed;
  if (!usable) return;
  const widths = sizes.map((n) => (spectrum.enbw_bins * rate) / Number(n));
  const offered = widths.join();
  if (select.dataset.offered !== offered) {
    select.replaceChildren(...widths.map((hz, i) => new Option(formatSi(hz, 'Hz'), sizes[i])));
    select.dataset.offered = offered;
  }
  if (document.activeElement !== select || select.dataset.size !== String(spectrum.fft_size))
    select.value = String(spectrum.fft_size);
  select.dataset.size = String(spectrum.fft_size);
  setText(byId('rbw-3db'), formatSi(spectrum.rbw_3db_hz ?? NaN, 'Hz'));
  setText(byId('vbw'), formatSi(spectrum.vbw_hz ?? NaN, 'Hz'));
}

/** @param {import('../../app/store.js').Store} store @param {Actions} actions */
function mountRbw(store, actions) {
  const select = /** @type {HTMLSelectElement} */ (byId('rbw'));
  store.subscribe(['choices', 'status', 'control'], (state) => {
    if (state.choices) offerRbw(select, state);
  });
  onChoice(select, () => {
    const { spectrum, source } = store.state.status ?? {};
    const hz = spectrum && source ? (spectrum.enbw_bins * source.tuning.rate_hz) / Number(select.value) : 0;
    if (hz > 0) actions.set({ rbw_hz: Number(hz.toPrecision(12)) }, 'tuning');
  });
}

/**
 * In the mode, a click into the picture tunes; nothing else hears of it.
 * @param {HTMLElement} element
 * @param {() => import('../../plot/display.js').Layout} layoutNow
 * @param {Actions} actions
 * @param {(x: number, y: number) => number | undefined} [namedAt]  the frequency of a label at a place, CSS pixels
 */
export function listenTuneClick(element, layoutNow, actions, namedAt) {
  let from = { x: 0, y: 0 };
  const isOn = () => actions.store.state.tuneByClick;
  element.addEventListener(
    'pointerdown',
    ({ clientX, clientY }) => {
      from = { x: clientX, y: clientY };
    },
    true,
  );
  element.addEventListener(
    'dblclick',
    (event) => {
      if (isOn()) event.stopImmediatePropagation();
    },
    true,
  );
  element.addEventListener(
    'click',
    (event) => {
      const { gutter, plotWidth } = layoutNow(),
        x = (event.clientX - element.getBoundingClientRect().left - gutter) / plotWidth;
      const dragged = Math.hypot(event.clientX - from.x, event.clientY - from.y) > CLICK_PIXELS;
      if (!isOn() || dragged || x < 0 || x > 1) return;
      event.stopImmediatePropagation();
      const { lowHz, highHz } = actions.store.state.shownView,
        box = element.getBoundingClientRect();
      const named = namedAt?.(event.clientX - box.left, event.clientY - box.top);
      if (named !== undefined) return actions.tuning.goTo(named);
      actions.tuning.pick(actions.hzAt(x), (highHz - lowHz) / plotWidth);
    },
    true,
  );
}

export const tuning = {
  id: 'tuning',

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    byId('tuning').append(...contents());
    const [choice, figures] = rbwContents();
    byId('detector-label').after(choice);
    byId('view-line').after(figures);
    const digits = new Digits(byId('digits'), (hz) => actions.tuning.shift(hz));
    store.subscribe(['shownView', 'tuneTarget', 'frame'], ({ frame, tuneTarget }) => {
      if (frame && !frame.rateAssumed) digits.show(actions.tuning.centreHz, tuneTarget !== null);
      byId('tuning').hidden = frame?.rateAssumed ?? false;
    });
    mountEntry(actions);
    mountNote(store, actions);
    mountSteps(store, actions);
    mountRbw(store, actions);
    store.subscribe(['tuneByClick'], ({ tuneByClick }) => {
      byId('tune-click').setAttribute('aria-pressed', String(tuneByClick));
      document.body.toggleAttribute('data-tuning', tuneByClick);
    });
  },
};
