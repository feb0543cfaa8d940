// The strongest signal in the view: its frequency and level.

import { frequencyText } from '../plot/frequency.js';
import { byId, setText } from '../util/dom.js';
import { formatDb } from '../util/format.js';

const ANNOUNCE_EVERY_MS = 5000; // a screen reader would never stop talking otherwise

export const peak = {
  id: 'peak',

  /** @param {import('../app/state.js').Store} store */
  mount(store) {
    let announcedAt = -Infinity;
    store.subscribe(['figures'], ({ figures }) => {
      if (!figures) return;
      const { frame } = figures, now = performance.now();
      const known = Number.isFinite(frame.peakDb);
      const hz = known ? frequencyText(frame, frame.peakHz, Math.min(100, frame.rateHz / frame.n)) : '--';
      setText(byId('peak-hz'), hz);
      setText(byId('peak-db'), known ? formatDb(frame.peakDb, 2) : '--');
      if (!known || now - announcedAt < ANNOUNCE_EVERY_MS) return;
      announcedAt = now;
      setText(byId('peak-announcement'), `Peak ${hz}, ${formatDb(frame.peakDb, 1)} dBFS`);
    });
  },
};
