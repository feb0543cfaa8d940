// The replay of a recording: its transport, and where in the recording a line is.

import { transport } from './panel.js';
import { addAnchors, jumpReplay, mayControl, maySeek, toggleReplay } from './replay.js';

/**
 * @typedef {object} ReplayState
 * @property {import('./replay.js').Anchor[]} anchors  of the recording that is replayed, the newest last
 */

/** @type {import('../list.js').Feature<ReplayState>} */
export const replay = {
  order: 130,
  state: () => ({ anchors: [] }),
  commands: [
    {
      id: 'replay-pause',
      keys: ['r'],
      group: 'Replay',
      label: 'play and pause the recording',
      when: mayControl,
      run: toggleReplay,
    },
    {
      id: 'replay-back',
      keys: ['j'],
      group: 'Replay',
      label: 'go back in the recording',
      when: maySeek,
      run: (actions) => jumpReplay(actions, -1),
    },
    {
      id: 'replay-forward',
      keys: ['l'],
      group: 'Replay',
      label: 'go forward in the recording',
      when: maySeek,
      run: (actions) => jumpReplay(actions, 1),
    },
  ],
  messages: { replay: ({ anchors }, { state }) => ({ anchors: addAnchors(state.anchors, anchors) }) },
  disconnected: { anchors: [] },
  parts: [transport],
};
