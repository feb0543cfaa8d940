// The panel of triggers: their list and form, a mask that is drawn, and the events, which lead into the waterfall's past.

import { draftText, showEvent, summaryOf, timeOf, toggleTriggers, triggersOffered } from '../app/triggers.js';
import { SetUpForm } from '../ui/set_up_form.js';
import { byId, make, setText } from '../util/dom.js';
import { formatDb, formatHz, formatSi } from '../util/format.js';
import { limitOver, parsePoints } from '../util/mask.js';

/**
 * @typedef {import('../app/actions.js').Actions} Actions
 * @typedef {import('../app/triggers.js').Trigger} Trigger
 * @typedef {import('../app/triggers.js').TriggerEvent} TriggerEvent
 * @typedef {import('../app/state.js').Store} Store
 * @typedef {Readonly<import('../app/state.js').State>} State
 */

const MARKUP = `
  <h2>Triggers <button id="triggers-close" type="button" aria-label="Close triggers">&times;</button></h2>
  <ul id="trigger-list" aria-label="Triggers"></ul>
  <p id="trigger-note" role="status"></p>
  <p class="buttons"><button id="trigger-add" type="button">Add a trigger</button></p>
  <h2>Events <small id="event-count"></small></h2>
  <table id="event-table">
    <thead><tr><th scope="col">Start</th><th scope="col">Trigger</th><th scope="col" class="number">Length</th><th scope="col" class="number">Peak</th></tr></thead>
    <tbody id="event-rows"></tbody>
  </table>
  <p id="no-events">No event yet.</p>`;

const ROWS_MAX = 50;

// ---- the triggers ------------------------------------------------------------------------------

/** @param {Trigger} trigger @param {boolean} permitted @param {(action: string) => void} act */
function triggerRow(trigger, permitted, act) {
  const { name, armed, reason, events } = trigger;
  const button = (/** @type {string} */ textContent, /** @type {string} */ title) => make('button', { type: 'button', textContent, title,
    ariaLabel: `${textContent} ${name}`, disabled: !permitted, onclick: () => act(textContent) });
  const state = make('i', { title: armed ? 'Armed' : 'Not armed' });
  state.dataset.armed = String(armed);
  return make('li', {}, [make('p', {}, [state, make('b', { textContent: name }), make('span', { className: 'number', textContent: String(events), title: 'Events so far' })]),
    make('p', { className: 'keys', textContent: summaryOf(trigger) }), ...(reason ? [make('p', { className: 'remark', textContent: reason })] : []),
    make('p', { className: 'buttons' }, [...(armed ? [] : [button('Arm', 'Arms it again')]), button('Fire', 'Makes an event at the newest sample'),
      button('Change', ''), button('Remove', '')])]);
}

/** @param {State} state @param {(trigger: Trigger, action: string) => void} act @param {{ text: string }} shown */
function showTriggers({ triggers, control }, act, shown) {
  const text = JSON.stringify([triggers, control.permitted]);
  if (text === shown.text) return; // what has the focus keeps it
  shown.text = text;
  byId('trigger-list').replaceChildren(...triggers.map((trigger) => triggerRow(trigger, control.permitted, (action) => act(trigger, action))));
}

// ---- a mask ------------------------------------------------------------------------------------

/** The tools beside the points of a mask. @param {Store} store @param {SetUpForm} form */
function addMaskTools(store, form) {
  const { state } = store, binHz = state.frame ? state.frame.rateHz / state.frame.n : 1;
  store.update({ maskDraft: null });
  if (form.element.hidden || form.type.value !== 'mask') return;
  for (const side of /** @type {const} */ (['upper', 'lower'])) {
    const field = form.field(side);
    const draw = make('button', { type: 'button', textContent: 'Draw', title: 'Click and drag in the spectrum; drag a point out of it to remove it',
      onclick: () => store.update({ maskDraft: store.state.maskDraft?.side === side ? null : { side, points: parsePoints(field?.value ?? '') ?? [] } }) });
    draw.dataset.side = side;
    field?.closest('label')?.after(make('p', { className: 'buttons' }, side === 'lower' ? [draw] : [draw, ' ',
      make('button', { type: 'button', textContent: 'Fit above', title: 'A limit over all traces that are shown, such as a max hold, plus the margin',
        onclick: () => fitMask(store, Number(form.field('margin')?.value || 6), binHz) })]));
  }
}

/** @param {Store} store @param {number} margin @param {number} binHz */
function fitMask(store, margin, binHz) {
  const { figures, shown, shownView } = store.state, frames = [shown, ...(figures?.traces ?? []).map(({ frame, unit }) => (unit === 'dB' ? null : frame))];
  const parts = Math.max(1, Math.min(40, Math.floor((shownView.highHz - shownView.lowHz) / binHz)));
  const points = limitOver(frames.flatMap((frame) => frame ?? []), shownView, margin, parts);
  store.update({ maskDraft: { side: 'upper', points } });
}

/** @param {State} state @param {SetUpForm} form */
function showDraft({ maskDraft }, form) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (form.element.querySelectorAll('[data-side]')))
    button.setAttribute('aria-pressed', String(button.dataset.side === maskDraft?.side));
  const field = maskDraft && form.field(maskDraft.side);
  if (field && maskDraft.points.length > 0) field.value = draftText(maskDraft);
}

/** @param {Actions} actions */
function makeForm({ store, triggers: server }) {
  /** @type {SetUpForm} */
  const form = new SetUpForm({ id: 'trigger-type', first: 'level', common: 'In time', propose: () => ({}),
    taken: () => store.state.triggers.map(({ name }) => name),
    async send(name, type, keys) { if (await server.change('PUT', name, { type, ...keys })) form.close(); },
    onFill: () => addMaskTools(store, form) });
  return form;
}

// ---- the events --------------------------------------------------------------------------------

/** @param {State} state @param {TriggerEvent} event @param {() => void} show */
function eventRow(state, event, show) {
  const { id, trigger, open, duration_s: seconds, peak_hz: hz, peak_dbfs: db, recording } = event;
  const time = timeOf(state, event);
  const row = make('tr', {}, [make('td', {}, [make('button', { type: 'button', textContent: time, title: 'Shows it in the waterfall', onclick: show })]),
    make('td', { textContent: trigger, title: recording === null ? '' : `Recording ${recording}` }),
    make('td', { className: 'number', textContent: open ? 'open' : formatSi(seconds, 's') }),
    make('td', { className: 'number', textContent: db === null ? '' : formatDb(db) }, hz === null ? [] : [make('small', { textContent: formatHz(hz, 1000) })])]);
  row.ariaSelected = String(id === state.eventShown);
  return row;
}

/** @param {Actions} actions @param {{ text: string }} shown */
function showEvents(actions, shown) {
  const { state } = actions.store, { events, triggersOpen, eventShown } = state, text = JSON.stringify([events.slice(0, ROWS_MAX), eventShown, state.anchors.length]);
  if (!triggersOpen || text === shown.text) return;
  shown.text = text;
  const focused = document.activeElement?.closest('#event-rows tr'), at = focused ? [...byId('event-rows').children].indexOf(focused) : -1;
  byId('event-rows').replaceChildren(...events.slice(0, ROWS_MAX).map((event) => eventRow(state, event, () => showEvent(actions, event))));
  if (at >= 0) /** @type {HTMLElement | null} */ (byId('event-rows').children[at]?.querySelector('button'))?.focus();
  byId('event-table').hidden = events.length === 0;
  byId('no-events').hidden = events.length > 0;
  setText(byId('event-count'), events.length > 0 ? `${events[0].id} so far` : '');
}

// ---- the panel ---------------------------------------------------------------------------------

export const triggers = {
  id: 'triggers',

  /** @param {Store} store @param {Actions} actions */
  mount(store, actions) {
    const panel = byId('triggers'), shownTriggers = { text: '' }, shownEvents = { text: '' };
    panel.innerHTML = MARKUP;
    const form = makeForm(actions);
    byId('trigger-add').closest('p')?.after(form.element);
    byId('triggers-close').onclick = () => toggleTriggers(store, false);
    byId('trigger-add').onclick = () => form.add();
    const act = (/** @type {Trigger} */ trigger, /** @type {string} */ action) => {
      if (action === 'Change') form.edit(trigger);
      else if (action === 'Arm') actions.triggers.change('PUT', trigger.name, { type: trigger.type, ...trigger.keys });
      else actions.triggers.change(action === 'Fire' ? 'POST' : 'DELETE', trigger.name);
    };
    store.subscribe(['triggerTypes'], ({ triggerTypes }) => { if (triggerTypes) form.use(triggerTypes); });
    store.subscribe(['triggers', 'control'], (state) => showTriggers(state, act, shownTriggers));
    store.subscribe(['events', 'eventShown', 'anchors', 'triggersOpen'], () => showEvents(actions, shownEvents));
    store.subscribe(['maskDraft'], (state) => showDraft(state, form));
    store.subscribe(['triggerNote', 'control'], ({ triggerNote: { failed, text }, control }) => {
      byId('trigger-add').toggleAttribute('disabled', !control.permitted);
      byId('trigger-note').dataset.kind = failed ? 'failed' : '';
      setText(byId('trigger-note'), text || (control.permitted ? '' : control.refusal));
    });
    store.subscribe(['limits', 'triggersOpen'], (state) => {
      const open = triggersOffered(state) && state.triggersOpen;
      if (!open && panel.contains(document.activeElement)) byId('display').focus();
      if (!open) form.close();
      byId('triggers-open').hidden = !triggersOffered(state);
      byId('triggers-open').setAttribute('aria-expanded', String(open));
      panel.hidden = !open;
    });
  },
};
