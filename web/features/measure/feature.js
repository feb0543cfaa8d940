// Measurements: a panel of results, and their bands over the spectrum.

import { checkMeasures } from './address.js';
import { BandLayer } from './layer.js';
import { limitsOfMask, shownMasks } from './limits.js';
import { mayChange, measureOffered } from './measure.js';
import { measurePanel } from './panel.js';
import { MaskLayer } from '../triggers/mask_layer.js';

/**
 * @typedef {object} MeasureState
 * @property {boolean} measureOpen  the panel
 * @property {string} ownMeasures  measurements of this page alone, as in address.js
 * @property {import('./measure.js').Measurement[]} measurements  the newest results, while the panel is open
 * @property {import('./measure.js').Types | null} measureTypes  what can be measured; null: not known
 * @property {import('./measure.js').Answer} measureAnswer  to the last change
 * @property {string} measureSelected  the name of the one whose band is filled; '': none was chosen
 */

/**
 * The limits over the spectrum, with what dragging a point does.
 * @param {Omit<import('../list.js').Page, 'display'>} page
 */
const masksOf = ({ store: { state }, measure: server }) =>
  shownMasks(state).flatMap((measurement) =>
    limitsOfMask(measurement, state.status?.calibration?.curve).map(({ side, points, toKeys }) => ({
      side,
      points,
      armed: true,
      ...(mayChange(state, measurement) && {
        change: (/** @type {import('../triggers/mask.js').Point[]} */ moved) => server.drag(measurement, toKeys(moved)),
      }),
    })),
  );

/** @type {import('../list.js').Feature<MeasureState>} */
export const measure = {
  order: 50,
  state: (hash) => ({
    measureOpen: false,
    ownMeasures: hash.measures ?? '',
    measurements: [],
    measureTypes: null,
    measureAnswer: { kind: 'none', text: '' },
    measureSelected: '',
  }),
  panels: [{ id: 'measure', label: 'Measure', open: 'measureOpen', offered: measureOffered, needs: ['limits'] }],
  link: {
    fields: { measures: checkMeasures },
    keys: ['measureOpen', 'ownMeasures'],
    write: ({ measureOpen, ownMeasures }) => ({
      measures: measureOpen && ownMeasures ? encodeURIComponent(ownMeasures) : undefined,
    }),
    read: ({ measures }) => (measures ? { ownMeasures: measures } : {}),
  },
  commands: [
    {
      id: 'measure',
      tool: { id: 'measure-toggle', group: 'Analyse', word: 'Measure', icon: 'M2 7h16v6H2zM6 7v3M10 7v3M14 7v3' },
      keys: ['e'],
      group: 'Page',
      label: 'measurements',
      when: measureOffered,
      run: (actions) => actions.togglePanel('measure'),
    },
  ],
  layers: (page) => [
    new BandLayer(
      () => (page.store.state.measureOpen ? page.store.state.measurements : []),
      (measurement) => mayChange(page.store.state, measurement),
      (measurement, keys) => page.measure.drag(measurement, keys),
      ({ name }) => name === (page.store.state.measureSelected || page.store.state.measurements[0]?.name),
    ),
    new MaskLayer(
      () => masksOf(page),
      () => null,
      () => {},
    ),
  ],
  draws: ['measurements', 'measureOpen', 'measureSelected'],
  parts: [measurePanel],
};
