// The waterfall: its range of levels, its colours and speed, and the pause.

import { waterfallPanel } from './panel.js';
import { followWaterfall, formatWaterfall, parseWaterfall } from './range.js';
import { DEFAULT_PALETTE, PALETTES } from '../../plot/palette.js';
import { choice, number } from '../../util/hash.js';

/**
 * @typedef {object} WaterfallState
 * @property {import('./range.js').Waterfall} waterfall  its range of levels
 * @property {string} palette
 * @property {number} speed  CSS pixels a row
 * @property {'2d' | 'gl' | undefined} renderer
 * @property {boolean} paused
 * @property {boolean} held  the picture stays: it is paused, on a line that the server has read
 */

/** @type {import('../list.js').Feature<WaterfallState>} */
export const waterfall = {
  order: 120,
  state: (hash) => ({
    waterfall: parseWaterfall(hash.waterfall ?? ''),
    palette: hash.palette ?? DEFAULT_PALETTE,
    speed: hash.speed ?? 2,
    renderer: hash.renderer,
    paused: false,
    held: false,
  }),
  link: {
    fields: {
      palette: choice(Object.keys(PALETTES)),
      renderer: choice(['2d', 'gl']),
      speed: (text) => {
        const speed = number(1, 8)(text);
        return speed && Math.round(speed);
      },
      waterfall: (text) => formatWaterfall(parseWaterfall(text)) || undefined,
    },
    keys: ['palette', 'speed', 'waterfall'],
    write: ({ palette, speed, renderer, waterfall: range }) => ({
      palette,
      speed,
      renderer,
      waterfall: formatWaterfall(range) || undefined,
    }),
    read: ({ palette, speed, waterfall: range }) => ({
      ...(palette && { palette }),
      ...(speed && { speed }),
      waterfall: parseWaterfall(range ?? ''),
    }),
  },
  commands: [
    {
      id: 'pause',
      tool: { id: 'pause', group: 'View', word: 'Pause', icon: 'M7 4v12M13 4v12' },
      keys: [' '],
      group: 'Page',
      label: 'pause and resume',
      run: (actions) => actions.togglePause(),
    },
  ],
  start: ({ store }) => followWaterfall(store),
  parts: [waterfallPanel],
};
