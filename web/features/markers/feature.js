// Markers and the peak table.

import { checkMarkers, formatMarkers, parseMarkers } from './address.js';
import { MARKER_COMMANDS } from './commands.js';
import { markerLayer, peakLayer } from './layer.js';
import { followMarkers, noMarkers, receiveReadings } from './markers.js';
import { markers as panel } from './panel.js';
import { readReadings } from '../../net/readings.js';

/** @type {import('../list.js').Feature<import('./markers.js').MarkerState>} */
export const markers = {
  order: 110,
  state: (hash) => ({ ...noMarkers(), ...parseMarkers(hash.markers ?? '') }),
  panels: [{ id: 'markers', label: 'Markers', open: 'markersOpen' }],
  link: {
    fields: { markers: checkMarkers },
    keys: ['markers', 'selected'],
    write: (state) => ({ markers: formatMarkers(state.markers, state.selected) || undefined }),
    read: (hash) => parseMarkers(hash.markers ?? ''),
  },
  commands: MARKER_COMMANDS,
  messages: {
    welcome: ({ limits }) => ({ readable: Number(limits?.markers ?? 0) }),
    markers: (message, store) => receiveReadings(store, readReadings(message)),
  },
  disconnected: { readable: 0 },
  layers: ({ store, actions }) => [peakLayer(store), markerLayer(store, actions)],
  draws: ['markers', 'selected', 'readings'],
  start: ({ store, connection }) => followMarkers(store, connection),
  parts: [panel],
};
