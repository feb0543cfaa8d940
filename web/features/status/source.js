// Where the samples come from: the source's name, the marks of a simulation and of an unknown rate, and the page's
// title.

import { byId, setText } from '../../util/dom.js';
import { formatHz } from '../../util/format.js';

/** @param {Record<string, any>} status */
function showSource(status) {
  const about = status.source?.about || status.source?.name || '';
  setText(byId('source'), String(about));
  const details = [about, status.engine?.name, status.engine?.note, `fftd ${status.version ?? ''}`];
  byId('source').title = details.filter(Boolean).join('\n');
}

export const source = {
  id: 'source',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    store.subscribe(['status'], ({ status }) => {
      if (status) showSource(status);
    });
    store.subscribe(['figures'], ({ figures }) => {
      if (!figures) return;
      const { simulated, rateAssumed, centerHz } = figures.frame;
      byId('simulated').hidden = !simulated;
      byId('rate-unknown').hidden = !rateAssumed;
      const centre = rateAssumed && centerHz === 0 ? 'rate unknown' : formatHz(centerHz, 1e3);
      const title = `${simulated ? 'SIMULATED ' : ''}${centre} - fftd`;
      if (document.title !== title) document.title = title;
    });
  },
};
