// The panel of triggers: their list and form, a mask that is drawn, and the events, which lead into the waterfall's
// past.

import { MaskTools } from './mask_tools.js';
import { showEvent, summaryOf, timeOf, triggersOffered } from './triggers.js';
import { inDock, makePanel } from '../dock/panel.js';
import { levelAt } from '../../app/units.js';
import { aimedAt, keepRows } from '../../ui/kept_rows.js';
import { SetUpForm } from '../../ui/set_up_form.js';
import { byId, make, setText } from '../../util/dom.js';
import { formatDb, formatHz, formatSi } from '../../util/format.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('./triggers.js').Trigger} Trigger
 * @typedef {import('./triggers.js').TriggerEvent} TriggerEvent
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

const makeTriggers = () =>
  makePanel('triggers', [
    make('ul', { id: 'trigger-list', 'aria-label': 'Triggers' }),
    make('p', { id: 'trigger-note', role: 'status' }),
    make('p', { className: 'buttons' }, [make('button', { id: 'trigger-add' }, 'Add a trigger')]),
    make('h2', {}, ['Events ', make('small', { id: 'event-count' })]),
    make('table', { id: 'event-table' }, [
      make('thead', {}, [
        make('tr', {}, [
          make('th', { scope: 'col' }, 'Start'),
          make('th', { scope: 'col' }, 'Trigger'),
          make('th', { scope: 'col', className: 'number' }, 'Length'),
          make('th', { scope: 'col', className: 'number', id: 'event-unit' }, 'Peak, dBFS'),
        ]),
      ]),
      make('tbody', { id: 'event-rows' }),
    ]),
    make(
      'p',
      { id: 'no-events' },
      'No event yet: a trigger watches the spectrum, and each time that it fires is listed here.',
    ),
  ]);

const ROWS_MAX = 50;

// ---- the triggers ------------------------------------------------------------------------------

/** @param {(name: string, action: string) => void} act @param {string} name */
function makeTrigger(act, name) {
  const button = (/** @type {string} */ textContent, title = '') =>
    make('button', {
      textContent,
      title,
      'aria-label': `${textContent} ${name}`,
      onclick: () => act(name, textContent),
    });
  return make('li', {}, [
    make('p', {}, [
      make('i'),
      make('b', { textContent: name }),
      make('span', { className: 'number', title: 'Events so far' }),
    ]),
    make('p', { className: 'keys' }),
    make('p', { className: 'remark' }),
    make('p', { className: 'buttons' }, [
      button('Arm', 'Arms it again'),
      button('Fire', 'Makes an event at the newest sample'),
      button('Change'),
      button('Remove'),
    ]),
  ]);
}

/** @param {HTMLElement} row @param {Trigger} trigger @param {boolean} permitted */
function fillTrigger(row, trigger, permitted) {
  const { armed, reason, events } = trigger,
    [head, keys, remark, buttons] = /** @type {HTMLElement[]} */ ([...row.children]);
  const [light, , count] = /** @type {HTMLElement[]} */ ([...head.children]),
    [arm, fire] = /** @type {HTMLElement[]} */ ([...buttons.children]);
  light.title = armed ? 'Armed' : 'Not armed';
  light.dataset.armed = String(armed);
  setText(count, String(events));
  setText(keys, summaryOf(trigger));
  setText(remark, reason ?? '');
  remark.hidden = !reason;
  for (const button of buttons.children) button.toggleAttribute('disabled', !permitted);
  if (armed && document.activeElement === arm) fire.focus();
  arm.hidden = armed;
}

/** @param {State} state @param {(name: string, action: string) => void} act */
function showTriggers({ triggers, control }, act) {
  keepRows(byId('trigger-list'), triggers, {
    keyOf: ({ name }) => name,
    create: ({ name }) => makeTrigger(act, name),
    fill: (row, trigger) => fillTrigger(row, trigger, control.permitted),
  });
}

// ---- the form ----------------------------------------------------------------------------------

/** @param {Actions} actions */
function makeForm({ store, triggers: server }) {
  /** @type {SetUpForm} */
  const form = new SetUpForm({
    id: 'trigger-type',
    first: 'level',
    common: 'In time',
    propose: () => ({}),
    taken: () => store.state.triggers.map(({ name }) => name),
    async send(name, type, keys) {
      if (await server.change('PUT', name, { type, ...keys })) form.close();
    },
    onFill: () => tools.fill(),
  });
  const tools = new MaskTools(store, form, 'triggers');
  return form;
}

// ---- the events --------------------------------------------------------------------------------

/** @param {Actions} actions @param {number} id */
function makeEvent(actions, id) {
  const show = () => {
    const event = actions.store.state.events.find((one) => one.id === id);
    if (event) showEvent(actions, event);
  };
  return make('tr', {}, [
    make('td', {}, [make('button', { title: 'Shows it in the waterfall', onclick: show })]),
    make('td'),
    make('td', { className: 'number' }),
    make('td', { className: 'number' }, [make('span'), make('small')]),
  ]);
}

/** @param {HTMLTableRowElement} row @param {State} state @param {TriggerEvent} event */
function fillEvent(row, state, event) {
  const { id, trigger, open, duration_s: seconds, peak_hz: hz, peak_dbfs: db, recording } = event,
    [start, name, length, peak] = row.cells;
  setText(/** @type {HTMLElement} */ (start.firstChild), timeOf(state, event));
  setText(name, trigger);
  name.title = recording === null ? '' : `Recording ${recording}`;
  setText(length, open ? 'open' : formatSi(seconds, 's'));
  setText(/** @type {HTMLElement} */ (peak.firstChild), db === null ? '' : peakText(state, hz, db));
  setText(/** @type {HTMLElement} */ (peak.lastChild), hz === null ? '' : formatHz(hz, 1000));
  row.ariaSelected = String(id === state.eventShown);
}

/**
 * In the unit of the picture; with its own where that is not known.
 * @param {State} state
 * @param {number | null} hz
 * @param {number} db
 */
function peakText({ levels }, hz, db) {
  const { value, unit } = levelAt(levels, hz ?? NaN, db);
  return formatDb(value) + (levels.uncal || unit === levels.unit ? '' : ` ${unit}`);
}

/** @param {Actions} actions @param {boolean} aimed  at a row: new ones wait, so that it stays where it is */
function showEvents(actions, aimed) {
  const { state } = actions.store,
    { events, triggersOpen } = state,
    body = byId('event-rows');
  if (!triggersOpen) return;
  const shown = new Set([...body.children].map((row) => /** @type {HTMLElement} */ (row).dataset.key));
  keepRows(body, aimed ? events.filter(({ id }) => shown.has(String(id))) : events.slice(0, ROWS_MAX), {
    keyOf: ({ id }) => id,
    create: ({ id }) => makeEvent(actions, id),
    fill: (row, event) => fillEvent(row, state, event),
  });
  byId('event-table').hidden = events.length === 0;
  byId('no-events').hidden = events.length > 0;
  setText(byId('event-count'), events.length > 0 ? `${events[0].id} so far` : '');
}

// ---- the panel ---------------------------------------------------------------------------------

export const triggers = {
  id: 'triggers',
  element: makeTriggers,
  place: inDock,

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const form = makeForm(actions);
    byId('trigger-add').closest('p')?.after(form.element);
    byId('trigger-add').onclick = () => form.add();
    const act = (/** @type {string} */ name, /** @type {string} */ action) => {
      const trigger = store.state.triggers.find((one) => one.name === name);
      if (!trigger) return;
      if (action === 'Change') form.edit(trigger);
      else if (action === 'Arm') actions.triggers.change('PUT', trigger.name, { type: trigger.type, ...trigger.keys });
      else actions.triggers.change(action === 'Fire' ? 'POST' : 'DELETE', trigger.name);
    };
    store.subscribe(['triggerTypes'], ({ triggerTypes }) => {
      if (triggerTypes) form.use(triggerTypes);
    });
    store.subscribe(['triggers', 'control'], (state) => showTriggers(state, act));
    const isAimed = aimedAt(byId('event-rows'), () => showEvents(actions, false));
    store.subscribe(['events', 'eventShown', 'anchors', 'triggersOpen', 'levels'], () =>
      showEvents(actions, isAimed()),
    );
    store.subscribe(['levels'], ({ levels }) => setText(byId('event-unit'), `Peak, ${levels.unit}`));
    store.subscribe(['triggerNote', 'control'], ({ triggerNote: { failed, text }, control }) => {
      byId('trigger-add').toggleAttribute('disabled', !control.permitted);
      byId('trigger-note').dataset.kind = failed ? 'failed' : '';
      setText(byId('trigger-note'), text || (control.permitted ? '' : control.refusal));
    });
    store.subscribe(['limits', 'triggersOpen'], (state) => {
      if (!triggersOffered(state) || !state.triggersOpen) form.close();
    });
  },
};
