// What the user wants to receive: the view moves within the radio's span; beyond it the radio is retuned, or sweeps.

import { niceStep } from '../../plot/axis.js';
import { clip, narrowest, overlaps, spanOf, widthHz } from '../../plot/view.js';
import { parseEntry } from '../../util/entry.js';
import { formatHz, formatSi, plainSi } from '../../util/format.js';
import { parseQuantity } from '../../util/quantity.js';

/**
 * @typedef {import('../../plot/view.js').View} View
 * @typedef {import('../../net/wire.js').Frame} Frame
 */

const FORGET_MS = 5000; // a radio that is not there by then does not come

/** @param {View} view */
const middleOf = (view) => (view.lowHz + view.highHz) / 2;
/** @param {number} hz @param {number} width @returns {View} */
const around = (hz, width) => ({ lowHz: hz - width / 2, highHz: hz + width / 2 });
/** @param {View} view @param {View} span @param {number} slackHz */
const isInside = (view, span, slackHz) => view.lowHz >= span.lowHz - slackHz && view.highHz <= span.highHz + slackHz;

/**
 * The centre of a view; of the whole span the radio's, half a bin above its middle.
 * @param {View} view
 * @param {Frame} frame
 */
export function centreOf(view, frame) {
  const middle = middleOf(view);
  return Math.abs(middle - frame.centerHz) < frame.rateHz / frame.n ? frame.centerHz : middle;
}

/**
 * Steps of people: those of channels, or a tenth of the view.
 * @param {number} stepHz  0: of the view
 * @param {View} view
 */
export const stepOf = (stepHz, view) => stepHz || niceStep(widthHz(view) / 10);

export class Tuning {
  /** @type {View | null}  to be shown when the radio is there; null: its whole span */
  #coming = null;
  #askedAt = -Infinity;
  #again = false; // the target has moved since the request

  /** @param {import('../../app/store.js').Store} store @param {import('../../app/actions.js').Actions} actions */
  constructor(store, actions) {
    this.store = store;
    this.actions = actions;
    store.subscribe(['frame'], ({ frame }) => {
      if (frame) this.#arrive(frame);
    });
    store.subscribe(['setResult'], ({ setResult }) => {
      if (setResult.from === 'tuning') this.#answered(setResult);
    });
  }

  get #state() {
    return this.store.state;
  }

  /**
   * The span that a sweep was asked for, if all of it is in view: its bins end a part of a bin beyond it.
   * @returns {View | null}
   */
  get #swept() {
    const { frame, shownView, status } = this.#state;
    const [lowHz, highHz] = String(status?.wanted?.span ?? '')
      .split(':')
      .map((text) => parseQuantity(text, 'hz'));
    const binHz = frame ? frame.rateHz / frame.n : 0;
    return Math.abs(lowHz - shownView.lowHz) <= 2 * binHz && Math.abs(highHz - shownView.highHz) <= 2 * binHz
      ? { lowHz, highHz }
      : null;
  }

  /** The centre that is shown or asked for. */
  get centreHz() {
    const { frame, shownView, tuneTarget } = this.#state,
      swept = this.#swept;
    return tuneTarget ?? (swept ? middleOf(swept) : frame ? centreOf(shownView, frame) : 0);
  }

  get #width() {
    return widthHz(this.#swept ?? this.#state.shownView);
  }

  /** @param {string} text  as people enter it @returns {boolean}  false: it was not understood */
  enter(text) {
    const entry = parseEntry(text);
    if (entry.kind === 'error') this.#say(entry.text, 'failed');
    else if (entry.kind === 'range') this.show(entry);
    else if (entry.kind === 'span') this.show(around(this.centreHz, entry.hz));
    else this.show(around(entry.kind === 'shift' ? this.centreHz + entry.hz : entry.hz, this.#width));
    return entry.kind !== 'error' && this.#state.tuneNote.kind !== 'failed';
  }

  /** Keeps the span. @param {number} hz */
  goTo(hz) {
    this.show(around(hz, this.#width));
  }

  /** @param {number} hz */
  shift(hz) {
    this.goTo(this.centreHz + hz);
  }

  /** @param {number} steps  below 0: to lower frequencies */
  step(steps) {
    this.shift(steps * stepOf(this.#state.stepHz, this.#state.shownView));
  }

  /** @param {number} stepHz  0: a tenth of the view */
  changeStep(stepHz) {
    this.store.update({ stepHz });
  }

  toggleClick() {
    this.store.update({ tuneByClick: !this.#state.tuneByClick });
  }

  /** Tunes to a point of the picture, rounded to the step or to a pixel. @param {number} hz @param {number} pixelHz */
  pick(hz, pixelHz) {
    const step = this.#state.stepHz || niceStep(pixelHz);
    this.goTo(Math.round(hz / step) * step);
  }

  /** @param {View} range */
  show(range) {
    const { frame } = this.#state;
    if (!frame) return this.#say('There is no spectrum yet.', 'failed');
    this.#say('', 'none');
    const span = spanOf(frame),
      binHz = frame.rateHz / frame.n;
    if (frame.rateAssumed)
      return this.#say('The rate of this recording is not known: there are no frequencies.', 'failed');
    if (isInside(range, span, binHz)) return this.#move(clip(range, span, narrowest(frame)), span);
    const refusal = this.#refusal(span);
    if (refusal) return this.#showPart(range, frame, refusal);
    this.#retune(range, frame);
  }

  /** @param {View} view @param {View} span */
  #move(view, span) {
    this.store.update({ tuneTarget: null });
    this.#coming = null;
    this.actions.changeView(widthHz(view) >= widthHz(span) * (1 - 1e-9) ? null : view);
  }

  /** Why the radio cannot be retuned; "": it can. @param {View} span */
  #refusal(span) {
    const { control, status } = this.#state;
    const received = `${formatHz(span.lowHz, 1e3)} to ${formatHz(span.highHz, 1e3)}`;
    if (status?.source?.name === 'file') return `The recording has ${received} only.`;
    return control.allowed ? '' : `${control.reason} It receives ${received}.`;
  }

  /** As much as is received around the same centre. @param {View} range @param {Frame} frame @param {string} refusal */
  #showPart(range, frame, refusal) {
    const span = spanOf(frame),
      hz = middleOf(range);
    const half = Math.min(hz - span.lowHz, span.highHz - hz, widthHz(range) / 2);
    if (2 * half >= narrowest(frame)) this.#move(around(hz, 2 * half), span);
    else if (overlaps(range, span) && widthHz(range) > widthHz(span)) this.#move(span, span);
    this.#say(refusal, 'failed');
  }

  /** @param {View} range @param {Frame} frame */
  #retune(range, frame) {
    const { status, choices, setResult } = this.#state;
    const radioHz = status?.source?.tuning?.rate_hz || frame.rateHz,
      width = widthHz(range),
      hz = middleOf(range);
    const sweeps = width > radioHz * (1 + 1e-9);
    if (sweeps && !choices?.span)
      return this.#say(`The radio receives ${formatSi(radioHz, 'Hz')} at a time.`, 'failed');
    if (sweeps ? range.lowHz < 0 : hz < 0) return this.#say('Frequencies of a radio begin at 0.', 'failed');
    this.store.update({ tuneTarget: hz });
    this.#coming = width < radioHz * (1 - 1e-9) ? range : null;
    this.#askedAt = performance.now();
    this.#again = setResult.kind === 'sent' && setResult.from === 'tuning'; // one request at a time, the newest next
    if (this.#again) return;
    const tuned = status?.wanted?.span ? { span: '', center_hz: hz } : { center_hz: hz };
    this.actions.set(sweeps ? { span: `${plainSi(range.lowHz)}:${plainSi(range.highHz)}` } : tuned, 'tuning');
  }

  /** @param {import('../radio/set_result.js').SetResult} result */
  #answered({ kind, text }) {
    const { tuneTarget } = this.#state;
    if (kind === 'failed') {
      this.#coming = null;
      this.store.update({ tuneTarget: null });
      this.#say(text, 'failed');
    }
    if (kind !== 'done' || !this.#again || tuneTarget === null) return;
    this.#again = false;
    this.show(this.#coming ?? around(tuneTarget, widthHz(this.#state.shownView)));
  }

  /** Shows the view that was asked for as soon as the radio receives it. @param {Frame} frame */
  #arrive(frame) {
    const { tuneTarget } = this.#state;
    if (tuneTarget === null) return;
    const late = performance.now() - this.#askedAt > FORGET_MS;
    const there =
      Math.abs(frame.centerHz - tuneTarget) <= Math.max(frame.rateHz / frame.n, 1e-6 * Math.abs(tuneTarget));
    if (!late && !there) return;
    const view = this.#coming;
    this.#coming = null;
    this.store.update({ tuneTarget: null });
    if (there) this.actions.changeView(view && clip(view, spanOf(frame), narrowest(frame)));
  }

  clearNote() {
    if (this.#state.tuneNote.kind !== 'none') this.#say('', 'none');
  }

  /** @param {string} text @param {'none' | 'failed'} kind */
  #say(text, kind) {
    this.store.update({ tuneNote: { kind, text } });
  }
}
