// Presets: settings that the server stores by name. Their messages, and the text that distinguishes them.

import { formatSi } from '../../util/format.js';

/**
 * @typedef {object} Preset
 * @property {string} name
 * @property {number | null} hz  its centre; null: a sweep
 * @property {string} span  of a sweep; may be empty
 */

/** @param {any} message  "presets" of the server @returns {Preset[]} */
export const readPresets = ({ presets }) =>
  (Array.isArray(presets) ? presets : []).map(({ name, center_hz: hz, span }) => ({
    name: String(name),
    hz: typeof hz === 'number' ? hz : null,
    span: typeof span === 'string' ? span : '',
  }));

/** "118.1 MHz", "88M:108M" @param {Preset} preset */
export const presetText = ({ hz, span }) => (hz === null ? span : formatSi(hz, 'Hz', 7));

/** Whether the server has presets. @param {import('../../app/state.js').State} state */
export const presetsOffered = ({ limits }) => Number(limits.all_presets ?? 0) > 0;
