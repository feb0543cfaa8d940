// The radio: the form of its settings, who may change it, and presets.

import { controls } from './controls.js';
import { controlOf, receiveLease } from './lease.js';
import { lease } from './lease_panel.js';
import { presetsOffered, readPresets } from './presets.js';
import { presets } from './presets_panel.js';
import { NO_RESULT } from './set_result.js';

/**
 * @typedef {object} RadioState
 * @property {boolean} controlsOpen  the panel
 * @property {{ allowed: boolean, reason: string, permitted: boolean, refusal: string }} control  whether this client
 *   may
 *   change the radio now, and why not; permitted: it has the right, which another client may be using; refusal: why it
 *   has not
 * @property {import('./lease.js').Lease | null} lease  null: the server has none, or not received yet
 * @property {import('./presets.js').Preset[]} presets  that the server has
 * @property {boolean} tokenSent
 * @property {boolean} tokenHelps  the server has a control token, which this client has not sent
 * @property {import('./set_result.js').SetResult} setResult  of the last change
 */

const NOT_CONNECTED = controlOf({ permitted: false, refusal: 'Not connected.' }, null);

/** @type {import('../list.js').Feature<RadioState>} */
export const radio = {
  order: 140,
  state: () => ({
    controlsOpen: false,
    control: NOT_CONNECTED,
    tokenHelps: false,
    lease: null,
    presets: [],
    tokenSent: false,
    setResult: NO_RESULT,
  }),
  panels: [{ id: 'controls', label: 'Radio', open: 'controlsOpen', linked: false }],
  commands: [
    {
      id: 'controls',
      tool: { id: 'controls-open', group: 'Radio', word: 'Radio', icon: 'M4 8h12v8H4zM7 8l6-5' },
      keys: ['c'],
      group: 'Page',
      label: "the radio's controls",
      run: (actions) => actions.togglePanel('controls'),
    },
  ],
  messages: {
    welcome({ control, token = true }, { state: { tokenSent } }) {
      const refusal = !token
        ? 'Viewing only: this server has no control token, so only its own machine changes the radio.'
        : tokenSent
          ? 'The token was not accepted: viewing only.'
          : 'Viewing only: changing the radio needs the control token.';
      return {
        control: controlOf({ permitted: control === true, refusal }, null),
        tokenHelps: token && control !== true,
        lease: null,
        presets: [],
      };
    },
    lease: (message, store) => receiveLease(store, message),
    presets: (message) => ({ presets: readPresets(message) }),
  },
  disconnected: { lease: null, control: NOT_CONNECTED },
  start({ store, connection }) {
    connection.subscribe('lease', true);
    store.subscribe(['limits'], (state) => connection.subscribe('presets', presetsOffered(state)));
  },
  parts: [controls, lease, presets],
};
