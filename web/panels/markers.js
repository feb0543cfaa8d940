// The table of markers, and the table of the peaks in view.

import { addMarker, changeMarker, removeMarker, selectMarker, toggleMarkers } from '../app/marker_actions.js';
import { hzOf, readingOf, resolutionOf, selectedMarker, shownFrame } from '../app/markers.js';
import { sortPeaks } from '../app/peak_walk.js';
import { rbwHz } from '../net/wire.js';
import { frequencyText, widthText } from '../plot/frequency.js';
import { labelOf } from '../plot/marker_layer.js';
import { COMMANDS, isUseful, titleOf } from '../ui/commands.js';
import { byId, make, onChoice, setText } from '../util/dom.js';
import { formatDb } from '../util/format.js';
import { parseQuantity } from '../util/quantity.js';

/**
 * @typedef {import('../app/actions.js').Actions} Actions
 * @typedef {import('../app/markers.js').Marker} Marker
 * @typedef {import('../app/state.js').Store} Store
 * @typedef {Readonly<import('../app/state.js').State>} State
 */

/** Buttons: command and text. @type {[string, string][]} */
const BUTTONS = [['marker-add', 'Add'], ['marker-delta', 'Delta'], ['marker-peak', 'Peak'], ['marker-centre', 'To centre'],
  ['peak-left', '\u2190 Peak'], ['peak-right', 'Peak \u2192'], ['peak-lower', 'Next lower'], ['peak-higher', 'Next higher']];

/** "+1.250 kHz", with a sign. @param {import('../net/wire.js').Frame} frame @param {number} hz */
const differenceText = (frame, hz) => (hz < 0 ? '\u2212' : '+') + widthText(frame, Math.abs(hz), 7);

/** @param {number} db */
const signedDb = (db) => (db >= 0 ? `+${formatDb(db)}` : formatDb(db));

/**
 * What a marker says.
 * @param {State} state @param {Marker} marker @returns {{ frequency: string, level: string, unit: string }}
 */
export function markerTexts(state, marker) {
  const frame = shownFrame(state), reading = readingOf(state, marker);
  const other = state.markers.find(({ id }) => id === marker.deltaOf);
  if (!frame) return { frequency: '--', level: '--', unit: '' };
  if (other) return deltaTexts(state, frame, marker, other);
  const frequency = frequencyText(frame, hzOf(state, marker), resolutionOf(frame, reading));
  if (marker.noise) {
    const density = reading?.noiseDbHz;
    return { frequency, level: density === undefined ? '--' : formatDb(density), unit: 'dBFS/Hz' };
  }
  return { frequency, level: reading ? formatDb(reading.db) : '--', unit: 'dBFS' };
}

/** @param {State} state @param {import('../net/wire.js').Frame} frame @param {Marker} marker @param {Marker} other */
function deltaTexts(state, frame, marker, other) {
  const [a, b] = [marker, other].map((one) => readingOf(state, one));
  const resolution = Math.max(resolutionOf(frame, a), resolutionOf(frame, b));
  const hz = Math.round((hzOf(state, marker) - hzOf(state, other)) / resolution) * resolution;
  const db = marker.noise && other.noise ? (a?.noiseDbHz ?? NaN) - (b?.noiseDbHz ?? NaN) : (a?.db ?? NaN) - (b?.db ?? NaN);
  return { frequency: differenceText(frame, hz), level: Number.isNaN(db) ? '--' : signedDb(db), unit: 'dB' };
}

/** @param {Store} store @param {Marker} marker @param {'noise' | 'track'} option @param {string} title */
const optionBox = (store, marker, option, title) => make('input', { type: 'checkbox', title, ariaLabel: `Marker ${marker.id}: ${title}`,
  checked: marker[option], onchange: () => changeMarker(store, marker.id,
    option === 'track' ? { track: !marker.track, hz: hzOf(store.state, marker) } : { noise: !marker.noise }) });

/** @param {Store} store @param {Marker} marker */
function markerRow(store, marker) {
  const name = make('button', { type: 'button', textContent: labelOf(marker), ariaPressed: String(marker.id === store.state.selected),
    title: 'Select this marker', onclick: () => selectMarker(store, marker.id) });
  const remove = make('button', { type: 'button', textContent: '\u00d7', ariaLabel: `Remove marker ${marker.id}`,
    onclick: () => removeMarker(store, marker.id) });
  const cells = [make('td', {}, [name]), make('td', { className: 'number' }), make('td', { className: 'number' }), make('td', { className: 'unit' }),
    make('td', {}, [optionBox(store, marker, 'noise', 'noise density')]), make('td', {}, [optionBox(store, marker, 'track', 'follows the peak')]),
    make('td', {}, [remove])];
  return make('tr', {}, cells);
}

/** @param {Store} store */
function showValues(store) {
  const { state } = store, rows = byId('marker-rows').children;
  state.markers.forEach((marker, i) => {
    const { frequency, level, unit } = markerTexts(state, marker), cells = /** @type {HTMLTableRowElement} */ (rows[i]).cells;
    [frequency, level, unit].forEach((text, at) => setText(cells[at + 1], text));
  });
}

/** @param {Actions} actions */
function showPeaks(actions) {
  const { store } = actions, { peaks, peakRule, markersOpen } = store.state, frame = shownFrame(store.state);
  const body = byId('peak-rows');
  if (!markersOpen || !frame) return;
  const sorted = sortPeaks(peaks, peakRule.order);
  while (body.children.length > sorted.length) body.lastElementChild?.remove();
  while (body.children.length < sorted.length)
    body.append(make('tr', {}, [make('td', {}, [make('button', { type: 'button' })]), make('td', { className: 'number' })]));
  sorted.forEach((peak, i) => {
    const row = /** @type {HTMLTableRowElement} */ (body.children[i]), button = /** @type {HTMLButtonElement} */ (row.cells[0].firstChild);
    setText(button, frequencyText(frame, peak.hz, Math.max(1, 10 ** Math.floor(Math.log10(rbwHz(frame) / 10)))));
    button.title = 'Put a marker here';
    button.onclick = () => addMarker(actions, peak.hz);
    setText(row.cells[1], formatDb(peak.db));
  });
  byId('no-peaks').hidden = sorted.length > 0;
  byId('peak-spurs-rule').hidden = !peakRule.spurs && !store.state.readings?.leftOut;
}

/** The fields of the peak table's rule. @param {Store} store */
function bindRule(store) {
  /** @param {string} id @param {'thresholdDb' | 'excursionDb'} key @param {number} min @param {number} missing */
  const bind = (id, key, min, missing) => {
    const input = /** @type {HTMLInputElement} */ (byId(id));
    input.onchange = () => {
      const value = input.value.trim() === '' ? missing : parseQuantity(input.value.replace('\u2212', '-'), 'db');
      const valid = value >= min && value <= 100;
      input.setCustomValidity(valid ? '' : `A level from ${min} to 100 dB`);
      input.reportValidity();
      if (valid) store.update({ peakRule: { ...store.state.peakRule, [key]: value } });
    };
  };
  bind('peak-threshold', 'thresholdDb', -300, -300);
  bind('peak-excursion', 'excursionDb', 0.1, 6);
  const spurs = /** @type {HTMLInputElement} */ (byId('peak-with-spurs'));
  spurs.onchange = () => store.update({ peakRule: { ...store.state.peakRule, spurs: spurs.checked } });
  const order = /** @type {HTMLSelectElement} */ (byId('peak-order'));
  onChoice(order, (by) => store.update({ peakRule: { ...store.state.peakRule, order: /** @type {any} */ (by) } }));
}

/** @param {Actions} actions */
function makeButtons(actions) {
  for (const [id, text] of BUTTONS) {
    const command = COMMANDS.find((row) => row.id === id);
    if (!command) throw new Error(`no command ${id}`);
    const button = make('button', { type: 'button', textContent: text, title: titleOf(command), onclick: () => command.run(actions) });
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

export const markers = {
  id: 'markers',

  /** @param {Store} store @param {Actions} actions */
  mount(store, actions) {
    makeButtons(actions);
    bindRule(store);
    byId('markers-close').onclick = () => toggleMarkers(store, false);
    store.subscribe(['markersOpen'], ({ markersOpen }) => {
      if (!markersOpen && byId('markers').contains(document.activeElement)) byId('display').focus();
      byId('markers').hidden = !markersOpen;
      byId('markers-open').setAttribute('aria-expanded', String(markersOpen));
    });
    let before = '';
    store.subscribe(['markers', 'selected'], (state) => {
      const text = JSON.stringify([state.markers.map(({ hz, ...rest }) => rest), state.selected]);
      if (text !== before) byId('marker-rows').replaceChildren(...state.markers.map((marker) => markerRow(store, marker)));
      before = text;
      byId('no-markers').hidden = state.markers.length > 0;
    });
    store.subscribe(['markers', 'selected', 'placing', 'figures'], (state) => {
      showValues(store);
      showLine(state);
    });
    store.subscribe(['figures', 'peakRule', 'markersOpen'], () => showPeaks(actions));
  },
};
