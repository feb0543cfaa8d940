// Listening to a signal: a panel, and the pass band over the spectrum.

import { ListenLayer } from './layer.js';
import { listenOffered, notListening, readTuned, tunedText } from './listen.js';
import { late } from '../../late.js';
import { latePanel } from '../dock/panel.js';

/** @type {import('../list.js').Feature<import('./listen.js').ListenState>} */
export const listen = {
  order: 65,
  state: (hash) => ({ ...notListening(), tuned: readTuned(String(hash.listen ?? '')) ?? null }),
  panels: [{ id: 'listen', label: 'Listen', open: 'listenOpen', offered: listenOffered, needs: ['limits', 'status'] }],
  link: {
    fields: { listen: (text) => (readTuned(text) ? text : undefined) },
    keys: ['tuned', 'listenOpen'],
    write: ({ tuned, listenOpen }) => ({ listen: tuned && listenOpen ? tunedText(tuned) : undefined }),
    read: (hash) => (hash.listen ? { tuned: readTuned(String(hash.listen)) ?? null } : {}),
  },
  commands: [
    {
      id: 'listen',
      tool: {
        id: 'listen-open',
        group: 'Analyse',
        word: 'Listen',
        icon: 'M3 8v4h3l4 4V4L6 8zM13 7a4 4 0 0 1 0 6M15 4a8 8 0 0 1 0 12',
      },
      keys: ['q'],
      group: 'Page',
      label: 'listen to a signal',
      when: listenOffered,
      run: (actions) => actions.togglePanel('listen'),
    },
    {
      id: 'listen-play',
      keys: ['Shift+q'],
      group: 'Page',
      label: 'sound on and off',
      when: listenOffered,
      run: ({ store }) => late().then(({ toggleListening }) => toggleListening(store)),
    },
  ],
  layers: ({ store }) => [
    new ListenLayer(
      () => (store.state.listenOpen || store.state.listening ? store.state.tuned : null),
      (tuned) => store.update({ tuned }),
    ),
  ],
  draws: ['tuned', 'listenOpen', 'listening'],
  parts: [latePanel('listen', 'listenOpen', async () => (await late()).fillListen)],
};
