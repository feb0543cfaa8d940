// The panel of recordings: one that starts, those that run, and those that can be downloaded.

import { describeName, fetchFiles, fileUrl, readSeconds, rowsOf, runningOf, sizeText, startOf } from './recording.js';
import { inDock, makePanel } from '../dock/panel.js';
import { byId, make, setText } from '../../util/dom.js';
import { formatPosition } from '../../util/format.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('./recording.js').Recording} Recording
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

const makeRecord = () =>
  makePanel('record', [
    make('form', { id: 'record-form', autocomplete: 'off', noValidate: true }, [
      make('label', {}, [
        'Past, s ',
        make('input', {
          id: 'record-pre',
          inputMode: 'decimal',
          placeholder: '0',
          title: "Seconds before now: as many as the server's ring has",
        }),
      ]),
      make('label', {}, [
        'Duration, s ',
        make('input', {
          id: 'record-duration',
          inputMode: 'decimal',
          placeholder: 'until stopped',
          title: 'Seconds from now on',
        }),
      ]),
      make('label', { id: 'record-label-field' }, [
        'Label ',
        make('input', { id: 'record-label', maxLength: 63, spellcheck: false, placeholder: 'optional' }),
      ]),
      make('button', { id: 'record-start', type: 'submit', className: 'primary' }, 'Start'),
    ]),
    make('p', { id: 'record-note', role: 'status' }),
    make('ul', { id: 'record-running', 'aria-label': 'Running' }),
    make('table', { id: 'record-table' }, [
      make('thead', {}, [
        make('tr', {}, [
          make('th', { scope: 'col' }, 'Recording, UTC'),
          make('th', { scope: 'col', className: 'number' }, 'Length'),
          make('th', { scope: 'col', className: 'number' }, 'Size'),
          make('th', { scope: 'col' }, 'Files'),
        ]),
      ]),
      make('tbody', { id: 'record-rows' }),
    ]),
    make('p', { id: 'no-recordings' }, 'No recording yet.'),
  ]);

const FILES_AFTER_MS = 2500; // after an end: the server reads its directory once a second

/** @param {string} id */
const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));

// ---- the form ----------------------------------------------------------------------------------

/** @param {Actions} actions */
function start(actions) {
  const [pre, duration] = ['record-pre', 'record-duration'].map((id) => {
    const input = inputById(id),
      seconds = readSeconds(input.value);
    input.toggleAttribute('aria-invalid', Number.isNaN(seconds));
    return seconds;
  });
  if (Number.isNaN(pre + duration)) setText(byId('record-note'), 'Past and duration are seconds: write 0.5 or 10.');
  else actions.record(startOf(pre, duration, inputById('record-label').value));
}

/** @param {State} state */
function showControl({ control }) {
  byId('record-start').toggleAttribute('disabled', !control.permitted);
  byId('record-start').title = control.permitted ? '' : control.refusal;
  setText(byId('record-note'), control.permitted ? '' : control.refusal);
  for (const stop of document.querySelectorAll('#record-running button'))
    stop.toggleAttribute('disabled', !control.permitted);
}

// ---- those that run ----------------------------------------------------------------------------

/** @param {Actions} actions @param {Recording} recording */
function runningRow(actions, { id, label }) {
  const row = make('li', {}, [
    make('i', { 'aria-hidden': 'true' }),
    make('span', { className: 'label', textContent: label || `Recording ${id}` }),
    make('output', { className: 'length', ariaLive: 'off' }),
    make('output', { className: 'size', ariaLive: 'off' }),
    make('button', {
      textContent: 'Stop',
      'aria-label': `Stop ${label || `recording ${id}`}`,
      disabled: !actions.store.state.control.permitted,
      onclick: () => actions.record(id),
    }),
  ]);
  row.dataset.id = String(id);
  return row;
}

/** Rows stay while they run, and with them the focus on a button. @param {Actions} actions */
function showRunning(actions) {
  const list = byId('record-running'),
    running = runningOf(actions.store.state);
  const rows = new Map([...list.querySelectorAll('li')].map((row) => [Number(row.dataset.id), row]));
  for (const [id, row] of rows) if (!running.some((one) => one.id === id)) row.remove();
  for (const one of running) {
    const row = rows.get(one.id) ?? list.appendChild(runningRow(actions, one));
    setText(/** @type {HTMLElement} */ (row.querySelector('.length')), formatPosition(one.seconds, 1));
    setText(/** @type {HTMLElement} */ (row.querySelector('.size')), sizeText(one.bytes));
  }
  list.hidden = running.length === 0;
  byId('no-recordings').hidden = running.length > 0 || rowsOf(actions.store.state).length > 0;
  const button = byId('record-open');
  button.dataset.running = String(running.length > 0);
  setText(byId('record-state'), running.length > 0 ? ' (running)' : '');
}

// ---- the list ----------------------------------------------------------------------------------

/** @param {import('./recording.js').Row} row */
function rowElement({ name, label, length, size, remark }) {
  const link = (/** @type {'data' | 'meta'} */ part) =>
    make('a', {
      href: fileUrl(name, part),
      download: `${name}.sigmf-${part}`,
      textContent: part,
      'aria-label': `Download ${part} of ${label || name}`,
    });
  const { time, tuning } = describeName(name);
  const title = [make('span', { className: 'name', textContent: label || time })];
  for (const textContent of label ? [time, tuning] : [tuning]) title.push(make('small', { textContent }));
  if (remark) title.push(make('small', { className: 'remark', textContent: remark }));
  return make('tr', {}, [
    make('td', { title: name }, title),
    make('td', { className: 'number', textContent: length }),
    make('td', { className: 'number', textContent: size }),
    make('td', { className: 'files' }, [link('data'), ' ', link('meta')]),
  ]);
}

/** Leaves a list alone that says the same. @param {State} state @param {{ text: string }} shown */
function showRows(state, shown) {
  const rows = rowsOf(state),
    text = JSON.stringify(rows);
  if (text === shown.text) return;
  shown.text = text;
  byId('record-rows').replaceChildren(...rows.map(rowElement));
  byId('record-table').hidden = rows.length === 0;
}

// ---- the panel ---------------------------------------------------------------------------------

/** Reads the directory when the panel opens, and after each end. @param {Store} store */
function followFiles(store) {
  let ended = 0;
  store.subscribe(['recordOpen'], ({ recordOpen }) => {
    if (recordOpen) fetchFiles(store);
  });
  store.subscribe(['recordings'], ({ recordings, recordOpen }) => {
    const now = recordings.filter(({ state }) => state !== 'running').length;
    if (recordOpen && now !== ended) setTimeout(() => fetchFiles(store), FILES_AFTER_MS);
    ended = now;
  });
}

export const record = {
  id: 'record',
  element: makeRecord,
  place: inDock,

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    byId('record-open').append(make('span', { id: 'record-state', className: 'visually-hidden' }));
    const shown = { text: '' };
    byId('record-form').onsubmit = (event) => {
      event.preventDefault();
      start(actions);
    };
    followFiles(store);
    store.subscribe(['control'], showControl);
    store.subscribe(['recordings', 'recordFiles'], () => showRunning(actions));
    store.subscribe(['recordings', 'recordFiles'], (state) => showRows(state, shown));
    store.subscribe(['setResult'], ({ setResult: { kind, text, from } }) => {
      if (from === 'record') setText(byId('record-note'), kind === 'failed' ? text : '');
    });
  },
};
