// The table of markers, and the table of the peaks in view.

import { addMarker, changeMarker, removeMarker, selectMarker } from './actions.js';
import { hzOf, readingOf, resolutionOf, selectedMarker, shownFrame } from './markers.js';
import { sortPeaks } from './peak_walk.js';
import { inDock, makePanel } from '../dock/panel.js';
import { densityAt, levelAt, middleShift } from '../../app/units.js';
import { rbwHz } from '../../net/wire.js';
import { frequencyText, widthText } from '../../plot/frequency.js';
import { labelOf } from './layer.js';
import { isUseful, titleOf } from '../../app/commands.js';
import { keepRows } from '../../ui/kept_rows.js';
import { byId, make, onChoice, setText, setValue } from '../../util/dom.js';
import { formatDb } from '../../util/format.js';
import { readTyped } from '../../util/quantity.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('./markers.js').Marker} Marker
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

/** Buttons: command and text. @type {[string, string][]} */
const BUTTONS = [
  ['marker-add', 'Add'],
  ['marker-delta', 'Delta'],
  ['marker-peak', 'Peak'],
  ['marker-centre', 'To centre'],
  ['peak-left', '\u2190 Peak'],
  ['peak-right', 'Peak \u2192'],
  ['peak-lower', 'Next lower'],
  ['peak-higher', 'Next higher'],
];

/** "+1.250 kHz", with a sign. @param {import('../../net/wire.js').Frame} frame @param {number} hz */
const differenceText = (frame, hz) => (hz < 0 ? '\u2212' : '+') + widthText(frame, Math.abs(hz), 7);

/** @param {number} db */
const signedDb = (db) => (db >= 0 ? `+${formatDb(db)}` : formatDb(db));

/**
 * What a marker says.
 * @param {State} state @param {Marker} marker @returns {{ frequency: string, level: string, unit: string }}
 */
export function markerTexts(state, marker) {
  const frame = shownFrame(state),
    reading = readingOf(state, marker);
  const other = state.markers.find(({ id }) => id === marker.deltaOf);
  if (!frame) return { frequency: '--', level: '--', unit: '' };
  if (other) return deltaTexts(state, frame, marker, other);
  const hz = hzOf(state, marker),
    frequency = frequencyText(frame, hz, resolutionOf(frame, reading));
  const { value, unit } = levelOf(state, marker);
  return { frequency, level: Number.isNaN(value) ? '--' : formatDb(value), unit };
}

/**
 * The level of a marker, or the density there, in the unit of levels; NaN: none.
 * @param {State} state
 * @param {Marker} marker
 * @param {boolean} [noise]
 */
function levelOf(state, marker, noise = marker.noise) {
  const reading = readingOf(state, marker),
    hz = hzOf(state, marker);
  return noise ? densityAt(state.levels, hz, reading?.noiseDbHz ?? NaN) : levelAt(state.levels, hz, reading?.db ?? NaN);
}

/**
 * @param {State} state
 * @param {import('../../net/wire.js').Frame} frame
 * @param {Marker} marker
 * @param {Marker} other
 */
function deltaTexts(state, frame, marker, other) {
  const [a, b] = [marker, other].map((one) => readingOf(state, one));
  const resolution = Math.max(resolutionOf(frame, a), resolutionOf(frame, b));
  const hz = Math.round((hzOf(state, marker) - hzOf(state, other)) / resolution) * resolution;
  const noise = marker.noise && other.noise,
    [level, from] = [marker, other].map((one) => levelOf(state, one, noise));
  const db = level.unit === from.unit ? level.value - from.value : NaN;
  return { frequency: differenceText(frame, hz), level: Number.isNaN(db) ? '--' : signedDb(db), unit: 'dB' };
}

/** @param {Store} store @param {number} id @param {'noise' | 'track'} option @param {string} title */
const optionBox = (store, id, option, title) =>
  make('input', {
    type: 'checkbox',
    title,
    'aria-label': `Marker ${id}: ${title}`,
    onchange() {
      const marker = store.state.markers.find((one) => one.id === id);
      if (marker)
        changeMarker(
          store,
          id,
          option === 'track' ? { track: !marker.track, hz: hzOf(store.state, marker) } : { noise: !marker.noise },
        );
    },
  });

/** @param {Store} store @param {number} id */
function makeMarker(store, id) {
  const name = make('button', { title: 'Select this marker', onclick: () => selectMarker(store, id) });
  const remove = make('button', {
    textContent: '\u00d7',
    'aria-label': `Remove marker ${id}`,
    onclick: () => removeMarker(store, id),
  });
  const cells = [
    make('td', {}, [name]),
    make('td', { className: 'number' }),
    make('td', { className: 'number' }),
    make('td', { className: 'unit' }),
    make('td', {}, [optionBox(store, id, 'noise', 'noise density')]),
    make('td', {}, [optionBox(store, id, 'track', 'follows the peak')]),
    make('td', {}, [remove]),
  ];
  return make('tr', {}, cells);
}

/** @param {HTMLTableRowElement} row @param {Marker} marker @param {boolean} selected */
function fillMarker(row, marker, selected) {
  const name = /** @type {HTMLElement} */ (row.cells[0].firstChild);
  setText(name, labelOf(marker));
  name.ariaPressed = String(selected);
  const [noise, track] = row.querySelectorAll('input');
  noise.checked = marker.noise;
  track.checked = marker.track;
}

/** @param {Store} store */
function showValues(store) {
  const { state } = store,
    rows = byId('marker-rows').children;
  state.markers.forEach((marker, i) => {
    const { frequency, level, unit } = markerTexts(state, marker),
      cells = /** @type {HTMLTableRowElement} */ (rows[i]).cells;
    [frequency, level, unit].forEach((text, at) => setText(cells[at + 1], text));
  });
}

/** @param {import('../../app/units.js').LevelScale} levels @param {{ hz: number, db: number }} peak */
function inUnit(levels, { hz, db }) {
  const { value, unit } = levelAt(levels, hz, db);
  return { db: value, unit };
}

/** @param {Actions} actions */
function showPeaks(actions) {
  const { store } = actions,
    { peaks, peakRule, markersOpen } = store.state,
    frame = shownFrame(store.state);
  const body = byId('peak-rows');
  if (!markersOpen || !frame) return;
  const { levels } = store.state,
    sorted = sortPeaks(
      peaks.map((peak) => ({ hz: peak.hz, ...inUnit(levels, peak) })),
      peakRule.order,
    );
  setText(byId('peak-unit-name'), levels.unit);
  while (body.children.length > sorted.length) body.lastElementChild?.remove();
  while (body.children.length < sorted.length)
    body.append(
      make('tr', {}, [make('td', {}, [make('button', { type: 'button' })]), make('td', { className: 'number' })]),
    );
  sorted.forEach((peak, i) => {
    const row = /** @type {HTMLTableRowElement} */ (body.children[i]),
      button = /** @type {HTMLButtonElement} */ (row.cells[0].firstChild);
    setText(button, frequencyText(frame, peak.hz, Math.max(1, 10 ** Math.floor(Math.log10(rbwHz(frame) / 10)))));
    button.title = 'Put a marker here';
    button.onclick = () => addMarker(actions, peak.hz);
    setText(row.cells[1], formatDb(peak.db) + (levels.uncal || peak.unit === levels.unit ? '' : ` ${peak.unit}`));
  });
  byId('no-peaks').hidden = sorted.length > 0;
  byId('peak-spurs-rule').hidden = !peakRule.spurs && !store.state.readings?.leftOut;
}

/** A field of the peak table's rule, in dB; `shift`: from what the server gets. @param {Store} store @param {string} id
 * @param {'thresholdDb' | 'excursionDb'} key @param {number} min @param {number} missing @param {() => number} shift */
function bindLevel(store, id, key, min, missing, shift) {
  const input = /** @type {HTMLInputElement} */ (byId(id));
  input.onchange = () => {
    const value = input.value.trim() === '' ? missing : readTyped(input.value, 'db') - shift();
    const valid = value >= min && value <= 100;
    input.setCustomValidity(
      valid ? '' : `A level from ${formatDb(min + shift(), 0)} to ${formatDb(100 + shift(), 0)} dB`,
    );
    input.reportValidity();
    if (valid) store.update({ peakRule: { ...store.state.peakRule, [key]: value } });
  };
  return input;
}

/** The fields of the peak table's rule. @param {Store} store */
function bindRule(store) {
  const shift = () => middleShift(store.state),
    threshold = bindLevel(store, 'peak-threshold', 'thresholdDb', -300, -300, shift);
  bindLevel(store, 'peak-excursion', 'excursionDb', 0.1, 6, () => 0);
  store.subscribe(['levels'], ({ levels, peakRule: { thresholdDb } }) => {
    threshold.title = `Threshold in ${levels.unit}`;
    if (thresholdDb > -300) setValue(threshold, String(Number((thresholdDb + shift()).toFixed(1))));
  });
  const spurs = /** @type {HTMLInputElement} */ (byId('peak-with-spurs'));
  spurs.onchange = () => store.update({ peakRule: { ...store.state.peakRule, spurs: spurs.checked } });
  const order = /** @type {HTMLSelectElement} */ (byId('peak-order'));
  onChoice(order, (by) => store.update({ peakRule: { ...store.state.peakRule, order: /** @type {any} */ (by) } }));
}

/** @param {import('../list.js').Page} page */
function makeButtons({ actions, commands }) {
  for (const [id, text] of BUTTONS) {
    const command = commands.find((row) => row.id === id);
    if (!command) throw new Error(`no command ${id}`);
    const button = make('button', { textContent: text, title: titleOf(command), onclick: () => command.run(actions) });
    byId('marker-buttons').append(button);
    actions.store.subscribe(['frame', 'markers', 'selected', 'peaks'], (state) => {
      const disabled = !isUseful(command, state);
      if (button.disabled !== disabled) button.disabled = disabled;
    });
  }
}

/** The selected marker over the plot. @param {State} state */
function showLine(state) {
  const marker = selectedMarker(state);
  byId('marker-line').hidden = !marker && !state.placing;
  if (state.placing) setText(byId('marker-line'), 'Click where the marker shall be');
  else if (marker) {
    const { frequency, level, unit } = markerTexts(state, marker);
    setText(byId('marker-line'), `Mkr ${labelOf(marker)}  ${frequency}  ${level} ${unit}`);
  }
}

const makeMarkers = () =>
  makePanel('markers', [
    make('div', { id: 'marker-buttons' }),
    make('table', {}, [
      make('thead', {}, [
        make('tr', {}, [
          make('th', { scope: 'col' }, [make('span', { className: 'visually-hidden' }, 'Marker')]),
          make('th', { scope: 'col', className: 'number' }, 'Frequency'),
          make('th', { scope: 'col', className: 'number' }, 'Level'),
          make('th', { scope: 'col' }, [make('span', { className: 'visually-hidden' }, 'Unit')]),
          make('th', { scope: 'col' }, 'Noise'),
          make('th', { scope: 'col' }, 'Track'),
          make('th', { scope: 'col' }, [make('span', { className: 'visually-hidden' }, 'Remove')]),
        ]),
      ]),
      make('tbody', { id: 'marker-rows' }),
    ]),
    make('p', { id: 'no-markers' }, 'No marker yet. M adds one; drag it, or move it with the arrow keys.'),
    make('h2', {}, 'Peaks'),
    make('div', { id: 'peak-rule' }, [
      make('label', {}, [
        'Above ',
        make('input', {
          id: 'peak-threshold',
          inputMode: 'text',
          placeholder: 'any',
          autocomplete: 'off',
          title: 'Threshold in dBFS',
        }),
      ]),
      make('label', {}, [
        'Excursion ',
        make('input', {
          id: 'peak-excursion',
          inputMode: 'decimal',
          value: '6',
          autocomplete: 'off',
          title: 'Rise and fall of a peak in dB',
        }),
      ]),
      make('label', {}, [
        'By ',
        make('select', { id: 'peak-order' }, [make('option', {}, 'level'), make('option', {}, 'frequency')]),
      ]),
      make('label', { id: 'peak-spurs-rule', title: 'Bins on the spur list count as peaks too', hidden: true }, [
        make('input', { id: 'peak-with-spurs', type: 'checkbox' }),
        ' Spurs too',
      ]),
    ]),
    make('table', {}, [
      make('thead', {}, [
        make('tr', {}, [
          make('th', { scope: 'col' }, 'Frequency'),
          make('th', { scope: 'col', className: 'number', id: 'peak-unit-name' }, 'dBFS'),
        ]),
      ]),
      make('tbody', { id: 'peak-rows' }),
    ]),
    make('p', { id: 'no-peaks' }, 'No peak in view.'),
  ]);

export const markers = {
  id: 'markers',
  element: makeMarkers,
  place: inDock,

  /** @param {import('../list.js').Page} page */
  mount(page) {
    const { store, actions } = page;
    makeButtons(page);
    bindRule(store);
    store.subscribe(['markers', 'selected'], ({ markers: all, selected }) => {
      keepRows(byId('marker-rows'), all, {
        keyOf: ({ id }) => id,
        create: ({ id }) => makeMarker(store, id),
        fill: (row, marker) => fillMarker(row, marker, marker.id === selected),
      });
      byId('no-markers').hidden = all.length > 0;
    });
    store.subscribe(['markers', 'selected', 'placing', 'figures'], (state) => {
      showValues(store);
      showLine(state);
    });
    store.subscribe(['figures', 'peakRule', 'markersOpen'], () => showPeaks(actions));
  },
};
