// The spectrum: its view of frequencies, its levels and units, the detector, and the figures that are read from it.

import { divider, storedSplit } from './divider.js';
import { hover } from './hover.js';
import { levels } from './levels.js';
import { peak } from './peak.js';
import { tools } from './tools.js';
import { viewLine } from './view_line.js';
import { DBFS, UNIT_NAMES } from '../../app/units.js';
import { DETECTORS } from '../../net/wire.js';
import { crosshair } from '../../plot/crosshair.js';
import { DEFAULT_RANGE } from '../../plot/levels.js';
import { spanOf } from '../../plot/view.js';
import { choice, frequency, hzText, number } from '../../util/hash.js';

/**
 * @typedef {import('../../util/hash.js').Settings} Settings
 * @typedef {import('../../plot/levels.js').Range} Range
 * @typedef {import('../../plot/view.js').View} View
 *
 * @typedef {object} SpectrumState
 * @property {View | null} view  null: the whole span
 * @property {Range} range
 * @property {'user' | 'auto' | ''} rangeBy  who chose the range; 'auto': it follows the spectra; '': it will, from the
 *   first frame on. The address keeps the user's alone
 * @property {string} detector
 * @property {string} unit  of levels (app/units.js), as chosen; '': dBm with a calibration, else dBFS
 * @property {import('../../app/units.js').LevelScale} levels  as shown
 * @property {import('../markers/markers.js').Headline | null} headline
 * @property {number} split  the spectrum's part of both plots
 */

/** @param {Settings} hash @returns {View | null} */
const viewOf = ({ low, high }) => (low === undefined || high === undefined ? null : { lowHz: low, highHz: high });

/** @param {Settings} hash @returns {{ range: Range, rangeBy: 'user' } | null} */
const rangeOf = ({ bottom, top }) =>
  bottom === undefined || top === undefined ? null : { range: { bottomDb: bottom, topDb: top }, rangeBy: 'user' };

/** @type {import('../list.js').Feature<SpectrumState>} */
export const spectrum = {
  order: 10,
  state: (hash) => ({
    view: viewOf(hash),
    range: DEFAULT_RANGE,
    rangeBy: '',
    ...rangeOf(hash),
    detector: hash.detector ?? 'mean',
    unit: hash.unit ?? '',
    levels: DBFS,
    headline: null,
    split: 0.42,
  }),
  link: {
    fields: {
      low: frequency(-1e12, 1e12),
      high: frequency(-1e12, 1e12),
      bottom: number(-250, 100),
      top: number(-250, 100),
      detector: choice(DETECTORS),
      unit: choice(UNIT_NAMES),
    },
    pairs: [
      ['low', 'high', 1e-3],
      ['bottom', 'top', 5],
    ],
    keys: ['view', 'range', 'rangeBy', 'detector', 'unit'],
    write: ({ view, range, rangeBy, detector, unit }) => ({
      low: view ? hzText(view.lowHz) : undefined,
      high: view ? hzText(view.highHz) : undefined,
      ...(rangeBy === 'user' ? { bottom: range.bottomDb, top: range.topDb } : {}),
      detector,
      unit: unit ? encodeURIComponent(unit) : undefined,
    }),
    read(hash, { frame, shownView }) {
      const { detector, unit } = hash,
        view = viewOf(hash);
      return {
        ...(detector && { detector }),
        ...(unit && { unit }),
        ...rangeOf(hash),
        view,
        shownView: view ?? (frame ? spanOf(frame) : shownView),
      };
    },
  },
  commands: [
    {
      id: 'lower',
      keys: ['ArrowLeft'],
      group: 'Frequency',
      label: 'lower frequencies',
      run: (actions) => actions.panView(-0.1),
    },
    {
      id: 'higher',
      keys: ['ArrowRight'],
      group: 'Frequency',
      label: 'higher frequencies',
      run: (actions) => actions.panView(0.1),
    },
    {
      id: 'zoom-in',
      keys: ['+', '='],
      group: 'Frequency',
      label: 'zoom in',
      run: (actions) => actions.zoomView(1.5, 0.5),
    },
    {
      id: 'zoom-out',
      keys: ['-', '_'],
      group: 'Frequency',
      label: 'zoom out',
      run: (actions) => actions.zoomView(1 / 1.5, 0.5),
    },
    {
      id: 'whole-span',
      keys: ['0', 'Home'],
      group: 'Frequency',
      label: 'the whole span',
      run: (actions) => actions.showWholeSpan(),
    },
    {
      id: 'levels-up',
      keys: ['ArrowUp'],
      group: 'Level',
      label: 'show weaker levels: everything 5 dB up',
      run: (actions) => actions.shiftRangeDb(-5),
    },
    {
      id: 'levels-down',
      keys: ['ArrowDown'],
      group: 'Level',
      label: 'show stronger levels: everything 5 dB down',
      run: (actions) => actions.shiftRangeDb(5),
    },
    {
      id: 'fit-range',
      tool: {
        id: 'auto',
        group: 'View',
        word: 'Auto level',
        icon: 'M4 3v14M4 5h3M4 10h3M4 15h3M12 3v14M9 6l3-3 3 3M9 14l3 3 3-3',
      },
      keys: ['a'],
      group: 'Level',
      label: 'let the level range follow the spectrum',
      run: (actions) => actions.fitRange(),
    },
    {
      id: 'next-detector',
      keys: ['t'],
      group: 'Level',
      label: 'next detector',
      run: (actions) => actions.nextDetector(),
    },
  ],
  layers: () => [crosshair],
  start({ store, display }) {
    store.update({ split: storedSplit() });
    store.subscribe(['split'], ({ split }) => display.setSplit(split));
  },
  parts: [peak, tools, viewLine, hover, divider, levels],
};
