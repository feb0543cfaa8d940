// The line over the spectrum: centre and span of the view, resolution bandwidth and detector.

import { rbwHz, DETECTORS } from '../net/wire.js';
import { frequencyText, widthText } from '../plot/frequency.js';
import { widthHz } from '../plot/view.js';
import { byId, setText } from '../util/dom.js';

export const viewLine = {
  id: 'view-line',

  /** @param {import('../app/state.js').Store} store */
  mount(store) {
    store.subscribe(['figures'], ({ figures }) => {
      if (!figures) return;
      const { frame, view } = figures;
      // The middle of the whole span is half a bin below the radio's centre. Show the radio's instead.
      const middle = (view.lowHz + view.highHz) / 2, binHz = frame.rateHz / frame.n;
      const centreHz = Math.abs(middle - frame.centerHz) < binHz ? frame.centerHz : middle;
      setText(byId('view-centre'), frequencyText(frame, centreHz, Math.max(1, widthHz(view) / 1e4)));
      setText(byId('view-span'), widthText(frame, widthHz(view), 5));
      setText(byId('view-rbw'), widthText(frame, rbwHz(frame)));
      setText(byId('view-detector'), DETECTORS[frame.detector]);
    });
  },
};
