// The line over the spectrum: centre and span of the view, resolution bandwidth and trace.

import { rbwHz, TRACES } from '../net/wire.js';
import { widthHz } from '../plot/view.js';
import { byId, setText } from '../util/dom.js';
import { formatHz, formatSi } from '../util/format.js';

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
      setText(byId('view-centre'), formatHz(centreHz, Math.max(1, widthHz(view) / 1e4)));
      setText(byId('view-span'), formatSi(widthHz(view), 'Hz', 5));
      setText(byId('view-rbw'), formatSi(rbwHz(frame), 'Hz'));
      setText(byId('view-trace'), TRACES[frame.trace]);
    });
  },
};
