// Figures of the view in the strip: centre and span, and what no control says there: resolution bandwidth, detector.

import { rbwHz, DETECTORS } from '../../net/wire.js';
import { frequencyText, widthText } from '../../plot/frequency.js';
import { centreHz, widthHz } from '../../plot/view.js';
import { byId, setText } from '../../util/dom.js';

/** Each figure has one place. @param {string} id @param {boolean} shown */
export const showFigure = (id, shown) => {
  /** @type {HTMLElement} */ (byId(id).parentElement).hidden = !shown;
};

export const viewLine = {
  id: 'view-line',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    // that of the whole span is the radio's
    store.subscribe(['view', 'frame'], ({ view, frame }) =>
      showFigure('view-centre', view !== null || frame?.rateAssumed === true),
    );
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
