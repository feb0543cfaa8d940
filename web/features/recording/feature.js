// Recordings: a panel that starts and stops them, and lists the files.

import { record } from './panel.js';
import { mergeRecordings, noRecordings, recordOffered } from './recording.js';

/** @type {import('../list.js').Feature<import('./recording.js').RecordState>} */
export const recording = {
  order: 80,
  state: noRecordings,
  panels: [
    {
      id: 'record',
      label: 'Record',
      open: 'recordOpen',
      offered: recordOffered,
      needs: ['recordOffered'],
      linked: false,
    },
  ],
  commands: [
    {
      id: 'record',
      tool: { id: 'record-open', group: 'Capture', word: 'Record', icon: 'M10 5a5 5 0 1 0 .1 0' },
      keys: ['Shift+r'],
      group: 'Page',
      label: 'recordings',
      when: recordOffered,
      run: (actions) => actions.togglePanel('record'),
    },
  ],
  messages: {
    welcome: ({ recordings }) => ({ recordOffered: recordings === true, recordings: [] }),
    recording: (message, { state }) => ({
      recordings: mergeRecordings(state.recordings, /** @type {any} */ (message)),
    }),
  },
  start: ({ store, connection }) =>
    store.subscribe(['recordOffered'], (state) => connection.subscribe('recordings', recordOffered(state))),
  parts: [record],
};
