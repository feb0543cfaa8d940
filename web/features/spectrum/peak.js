// The strongest signal in the view: its frequency and level.

import { peakHz, peakOf, resolutionOf, steadyPeak } from '../markers/markers.js';
import { levelAt } from '../../app/units.js';
import { frequencyText } from '../../plot/frequency.js';
import { byId, setText } from '../../util/dom.js';
import { formatDb } from '../../util/format.js';

const ANNOUNCE_EVERY_MS = 5000; // a screen reader would never stop talking otherwise

export const peak = {
  id: 'peak',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    let announcedAt = -Infinity;
    store.subscribe(['figures'], ({ figures }) => {
      if (!figures) return;
      const { shown: frame } = figures,
        now = performance.now(),
        peak = peakOf(store.state),
        headline = steadyPeak(peak, peakHz(store.state) ?? frame.peakHz, frame, store.state.headline);
      store.update({ headline });
      // The bin of a peak without a frequency of its own is known to half a bin.
      const resolution = peak?.hz && peak.hz === headline?.hz ? resolutionOf(frame, peak) : frame.rateHz / frame.n;
      const hz = headline ? frequencyText(frame, headline.hz, resolution) : '--';
      const { value, unit } = levelAt(store.state.levels, headline?.hz ?? frame.peakHz, headline?.db ?? NaN);
      setText(byId('peak-hz'), hz);
      setText(byId('peak-db'), peak ? formatDb(value) : '--');
      setText(byId('peak-unit'), unit);
      const leftOut = store.state.readings?.leftOut ?? 0,
        note = byId('peak-spurs');
      note.hidden = leftOut === 0;
      setText(note, `${leftOut} ${leftOut === 1 ? 'spur' : 'spurs'} left out`);
      if (!peak || now - announcedAt < ANNOUNCE_EVERY_MS) return;
      announcedAt = now;
      setText(byId('peak-announcement'), `Peak ${hz}, ${formatDb(value)} ${unit}`);
    });
  },
};
