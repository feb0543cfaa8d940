// The line over the spectrum: centre and span of the view, resolution bandwidth and detector.

import { rbwHz, DETECTORS } from '../../net/wire.js';
import { frequencyText, widthText } from '../../plot/frequency.js';
import { centreHz, widthHz } from '../../plot/view.js';
import { byId, setText } from '../../util/dom.js';

export const viewLine = {
  id: 'view-line',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    store.subscribe(['figures'], ({ figures }) => {
      if (!figures) return;
      const { frame, view } = figures;
      setText(byId('view-centre'), frequencyText(frame, centreHz(frame, view), Math.max(1, widthHz(view) / 1e4)));
      setText(byId('view-span'), widthText(frame, widthHz(view), 5));
      setText(byId('view-rbw'), widthText(frame, rbwHz(frame)));
      setText(byId('view-detector'), DETECTORS[frame.detector] ?? 'percentile');
    });
  },
};
