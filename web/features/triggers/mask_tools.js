// The tools beside the points of a mask in a form: a limit that is drawn over the spectrum, or put above it.

import { offsetAt } from '../../app/units.js';
import { make } from '../../util/dom.js';
import { readHz, readTyped } from '../../util/quantity.js';
import { formatPoints, limitOver, parsePoints } from './mask.js';

/**
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {import('../../ui/set_up_form.js').SetUpForm} SetUpForm
 * @typedef {import('./mask.js').Point} Point
 */

const MARGIN_DB = 6; // where the form has no field for it

export class MaskTools {
  /** @param {Store} store @param {SetUpForm} form @param {import('./triggers.js').MaskDraft['owner']} owner */
  constructor(store, form, owner) {
    this.store = store;
    this.form = form;
    this.owner = owner;
    store.subscribe(['maskDraft'], () => this.#show());
  }

  /** After the form got its fields. */
  fill() {
    if (this.store.state.maskDraft?.owner === this.owner) this.store.update({ maskDraft: null });
    if (this.form.element.hidden || this.form.type.value !== 'mask') return;
    for (const side of /** @type {const} */ (['upper', 'lower']))
      this.form
        .field(side)
        ?.closest('label')
        ?.after(make('p', { className: 'buttons' }, this.#buttons(side)));
  }

  /** @param {'upper' | 'lower'} side */
  #buttons(side) {
    const draw = make('button', {
      textContent: 'Draw',
      title: 'Click and drag in the spectrum; drag a point out of it to remove it',
      onclick: () => this.#draw(side),
    });
    draw.dataset.side = side;
    if (side === 'lower') return [draw];
    const fit = make('button', {
      textContent: 'Fit above',
      title: 'A limit over all traces that are shown, such as a max hold, plus the margin',
      onclick: () => this.#fit(),
    });
    return [draw, ' ', fit];
  }

  /** @param {'upper' | 'lower'} side */
  #draw(side) {
    const { maskDraft } = this.store.state,
      points = parsePoints(this.form.field(side)?.value ?? '') ?? [];
    const isDrawn = maskDraft?.owner === this.owner && maskDraft.side === side;
    this.store.update({ maskDraft: isDrawn ? null : { side, points: this.#move(points, 1), owner: this.owner } });
  }

  #fit() {
    const { figures, frame, shown, shownView } = this.store.state,
      frames = [shown, ...(figures?.traces ?? []).map((trace) => (trace.unit === 'dB' ? null : trace.frame))];
    const binHz = frame ? frame.rateHz / frame.n : 1,
      parts = Math.max(1, Math.min(40, Math.floor((shownView.highHz - shownView.lowHz) / binHz)));
    const margin = readTyped(this.form.field('margin')?.value || String(MARGIN_DB), 'db');
    const points = limitOver(
      frames.flatMap((each) => each ?? []),
      shownView,
      Number.isNaN(margin) ? MARGIN_DB : margin,
      parts,
    );
    this.store.update({ maskDraft: { side: 'upper', points, owner: this.owner } });
  }

  /**
   * Between the field, whose frequencies may count from a centre and whose levels may be in dBm, and the spectrum.
   * @param {Point[]} points @param {1 | -1} sign  1: to the spectrum
   */
  #move(points, sign) {
    const center = readHz(this.form.field('center')?.value ?? '') || 0,
      curve = this.store.state.status?.calibration?.curve ?? [],
      isDbm = this.form.field('reference')?.value === 'dbm';
    return points.map(({ hz, db }) => {
      const at = sign > 0 ? hz + center : hz;
      return { hz: hz + sign * center, db: isDbm ? db - sign * (offsetAt(curve, at) || 0) : db };
    });
  }

  #show() {
    const { maskDraft } = this.store.state,
      own = maskDraft?.owner === this.owner ? maskDraft : null;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.form.element.querySelectorAll('[data-side]')))
      button.setAttribute('aria-pressed', String(button.dataset.side === own?.side));
    const field = own && this.form.field(own.side);
    if (field && own.points.length > 0) field.value = formatPoints(this.#move(own.points, -1)).replaceAll(',', ', ');
  }
}
