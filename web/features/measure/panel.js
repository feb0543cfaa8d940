// The panel of measurements: a card for each, and the form that adds or changes one where that is allowed.

import { mayAdd, mayChange } from './measure.js';
import { inDock, makePanel } from '../dock/panel.js';
import { rbwHz } from '../../net/wire.js';
import { byId, make, setText } from '../../util/dom.js';
import { MeasureCard } from './card.js';
import { SetUpForm } from '../../ui/set_up_form.js';
import { bandInView, timeOfLine } from '../../plot/bands.js';
import { hzKey } from '../../util/measure_text.js';
import { widthHz } from '../../plot/view.js';
import { GROUPS, groupOf } from '../../util/words.js';
import { MaskTools } from '../triggers/mask_tools.js';

/**
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {import('./measure.js').Measurement} Measurement
 */

const makeMeasure = () =>
  makePanel('measure', [
    make('div', { id: 'measure-list' }),
    make('p', { id: 'measure-hint' }),
    make('p', { id: 'measure-result', role: 'status' }),
    make('p', { className: 'buttons' }, [make('button', { id: 'measure-add' }, 'Add a measurement')]),
  ]);

class Cards {
  /** @type {Map<string, MeasureCard>}  by name and type */
  #cards = new Map();
  /** @type {Map<string, HTMLElement>}  by group */
  #heads = new Map();

  /**
   * @param {Record<'edit' | 'remove' | 'select', (name: string) => void>} act
   * @param {(measurement: Measurement, mend: import('../../util/words.js').Mend) => (() => void) | null} runOf
   */
  constructor(act, runOf) {
    this.act = act;
    this.runOf = runOf;
  }

  /** @param {string} name */
  #create(name) {
    const card = new MeasureCard();
    card.element.dataset.name = name;
    card.addButton('Change', () => this.act.edit(name));
    card.addButton('Remove', () => this.act.remove(name));
    for (const event of ['focusin', 'pointerdown']) card.element.addEventListener(event, () => this.act.select(name));
    return card;
  }

  /** @param {string} group */
  #headOf(group) {
    const head = this.#heads.get(group) ?? make('h3', {}, group || 'Others');
    this.#heads.set(group, head);
    return head;
  }

  /** @param {Readonly<State>} state */
  show(state) {
    const { measurements, frame } = state,
      resolution = frame ? rbwHz(frame) : 1;
    const list = byId('measure-list'),
      kept = new Map();
    for (const measurement of measurements) {
      const key = `${measurement.name} ${measurement.type}`,
        card = this.#cards.get(key) ?? this.#create(measurement.name);
      card.show(
        measurement,
        resolution,
        mayChange(state, measurement) && state.measureTypes !== null,
        state.measureTypes,
      );
      card.offerMend(measurement, (mend) => this.runOf(measurement, mend));
      kept.set(key, card);
    }
    this.#cards = kept;
    const elements = GROUPS.flatMap((group) => {
      const found = measurements.filter(({ type }) => groupOf(type) === group);
      return [
        ...(found.length > 0 ? [this.#headOf(group)] : []),
        ...found.map(({ name, type }) => /** @type {MeasureCard} */ (kept.get(`${name} ${type}`)).element),
      ];
    });
    if (elements.some((element, i) => list.children[i] !== element) || list.children.length !== elements.length)
      list.replaceChildren(...elements);
  }
}

/** @param {Readonly<State>} state */
function hint(state) {
  if (state.measureTypes === null) return 'This server does not list its measurements.';
  if (!mayAdd(state)) return 'Adding and changing measurements needs control of the radio.';
  return state.measurements.length === 0
    ? 'Nothing is measured yet: the power of a channel, its bandwidth or modulation, a limit, or a signal against time.'
    : '';
}

/** @param {Store} store @param {import('./measure.js').Measure} measure */
function makeForm(store, measure) {
  /** @type {SetUpForm} */
  const form = new SetUpForm({
    onFill: () => tools.fill(),
    id: 'measure-type',
    first: 'channel-power',
    common: 'Detector and trace',
    propose(type) {
      const { frame, shownView } = store.state;
      return {
        ...bandInView(type, shownView, (hz) => hzKey(hz, widthHz(shownView) / 1e4)),
        ...(type === 'zero-span' && frame ? { time: timeOfLine(frame.lineRateHz) } : {}),
      };
    },
    taken: () => store.state.measurements.map(({ name }) => name),
    send(name, type, keys, isNew) {
      const own = isNew
        ? store.state.limits.own_measurements > 0
        : store.state.measurements.find((each) => each.name === name)?.own === true;
      measure.set(name, { type, keys }, own);
    },
  });
  const tools = new MaskTools(store, form, 'measure');
  return form;
}

export const measurePanel = {
  id: 'measure',
  element: makeMeasure,
  place: inDock,

  /** @param {import('../list.js').Page} page */
  mount({ store, actions, measure }) {
    const form = makeForm(store, measure);
    byId('measure').append(form.element);
    const find = (/** @type {string} */ name) => store.state.measurements.find((each) => each.name === name);
    const cards = new Cards(
      {
        edit(name) {
          const found = find(name);
          if (found) form.edit(found);
        },
        remove: (name) => measure.remove(name, find(name)?.own === true),
        select(measureSelected) {
          if (measureSelected !== store.state.measureSelected) store.update({ measureSelected });
        },
      },
      (measurement, { settings, keys: changed, centreHz }) => {
        const { state } = store,
          { name, type, own, keys } = measurement;
        if (changed)
          return mayChange(state, measurement)
            ? () => measure.set(name, { type, keys: { ...keys, ...changed } }, own === true)
            : null;
        if (!state.control.allowed) return null;
        return settings ? () => actions.set(settings, 'tuning') : () => actions.tuning.goTo(Number(centreHz));
      },
    );
    byId('measure-add').onclick = () => form.add();
    store.subscribe(['measureOpen'], ({ measureOpen }) => {
      if (!measureOpen) form.close();
    });
    store.subscribe(['measureTypes'], ({ measureTypes }) => {
      if (measureTypes) form.use(measureTypes);
    });
    store.subscribe(['measurements', 'control', 'measureTypes', 'limits'], (state) => {
      cards.show(state);
      setText(byId('measure-hint'), hint(state));
      byId('measure-add').hidden = !mayAdd(state);
      if (!mayAdd(state)) form.close();
    });
    store.subscribe(['measureAnswer'], ({ measureAnswer }) => {
      setText(byId('measure-result'), measureAnswer.text);
      byId('measure-result').dataset.kind = measureAnswer.kind;
      if (measureAnswer.kind === 'done') form.close();
    });
  },
};
