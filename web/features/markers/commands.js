// The commands of the markers: rows of the table in commands.js.

import {
  addDelta,
  addMarkerHere,
  centreOnMarker,
  markerToNextPeak,
  markerToPeak,
  releaseMarker,
  removeMarker,
  removeMarkers,
  stepMarker,
  toggleMarker,
  togglePlacing,
} from './actions.js';
import { selectedMarker } from './markers.js';

/** @typedef {import('../../app/commands.js').State} State */

/** @param {State} state */
const isSelected = (state) => selectedMarker(state) !== undefined;
/** @param {State} state */
const hasPeaks = (state) => isSelected(state) && state.peaks.length > 0;
const group = 'Marker';

/** @type {import('../../app/commands.js').Command[]} */
export const MARKER_COMMANDS = [
  {
    id: 'marker-add',
    keys: ['m'],
    group,
    label: 'marker at the cursor, else on the peak',
    when: (state) => state.frame !== null,
    run: (actions) => addMarkerHere(actions),
  },
  {
    id: 'marker-delta',
    keys: ['Shift+m'],
    group,
    label: 'delta marker to the selected one',
    when: isSelected,
    run: addDelta,
  },
  {
    id: 'marker-place',
    keys: [],
    group,
    label: 'place a marker with a click',
    when: (state) => state.frame !== null,
    run: ({ store }) => togglePlacing(store),
  },
  {
    id: 'marker-left',
    keys: ['ArrowLeft'],
    group,
    label: 'marker a column down',
    when: isSelected,
    run: ({ store }) => stepMarker(store, -1),
  },
  {
    id: 'marker-right',
    keys: ['ArrowRight'],
    group,
    label: 'marker a column up',
    when: isSelected,
    run: ({ store }) => stepMarker(store, 1),
  },
  {
    id: 'marker-far-left',
    keys: ['Shift+ArrowLeft'],
    group,
    label: 'marker ten columns down',
    when: isSelected,
    run: ({ store }) => stepMarker(store, -10),
  },
  {
    id: 'marker-far-right',
    keys: ['Shift+ArrowRight'],
    group,
    label: 'marker ten columns up',
    when: isSelected,
    run: ({ store }) => stepMarker(store, 10),
  },
  {
    id: 'marker-peak',
    keys: ['p'],
    group,
    label: 'marker to the peak',
    when: isSelected,
    run: ({ store }) => markerToPeak(store),
  },
  {
    id: 'peak-lower',
    keys: ['n'],
    group,
    label: 'next lower peak',
    when: hasPeaks,
    run: ({ store }) => markerToNextPeak(store, 'lower'),
  },
  {
    id: 'peak-higher',
    keys: ['Shift+n'],
    group,
    label: 'next higher peak',
    when: hasPeaks,
    run: ({ store }) => markerToNextPeak(store, 'higher'),
  },
  {
    id: 'peak-left',
    keys: ['['],
    group,
    label: 'next peak to the left',
    when: hasPeaks,
    run: ({ store }) => markerToNextPeak(store, 'left'),
  },
  {
    id: 'peak-right',
    keys: [']'],
    group,
    label: 'next peak to the right',
    when: hasPeaks,
    run: ({ store }) => markerToNextPeak(store, 'right'),
  },
  {
    id: 'marker-centre',
    keys: ['Shift+g'],
    group,
    label: 'marker to the centre: moves a zoomed view, else tunes',
    when: isSelected,
    run: centreOnMarker,
  },
  {
    id: 'marker-track',
    keys: ['k'],
    group,
    label: 'marker follows the peak',
    when: isSelected,
    run: ({ store }) => toggleMarker(store, 'track'),
  },
  {
    id: 'marker-noise',
    keys: [],
    group,
    label: 'marker reads noise density',
    when: isSelected,
    run: ({ store }) => toggleMarker(store, 'noise'),
  },
  {
    id: 'marker-remove',
    keys: ['Delete', 'Backspace'],
    group,
    label: 'remove the marker',
    when: isSelected,
    run: ({ store }) => removeMarker(store, store.state.selected),
  },
  {
    id: 'markers-remove',
    keys: ['Shift+Delete'],
    group,
    label: 'remove all markers',
    when: (state) => state.markers.length > 0,
    run: ({ store }) => removeMarkers(store),
  },
  {
    id: 'marker-release',
    keys: ['Escape'],
    group,
    label: 'select no marker: arrow keys move the view again',
    when: (state) => (isSelected(state) || state.placing) && !state.controlsOpen && !state.message,
    run: ({ store }) => releaseMarker(store),
  },
  {
    id: 'markers',
    tool: { id: 'markers-open', group: 'Analyse', word: 'Markers', icon: 'M10 17V8M6 3h8l-4 5z' },
    keys: ['i'],
    group,
    label: 'marker and peak table',
    run: (actions) => actions.togglePanel('markers'),
  },
];
