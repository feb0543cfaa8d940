// What the server reads at markers: the message "markers" of docs/protocol.md, and what it is asked.

/**
 * @typedef {object} Reading
 * @property {number} db
 * @property {number} [binHz]  of a peak that is no tone: the centre of its bin
 * @property {number} [hz]  of a tone, between the bins
 * @property {number} [errorHz]  rms, with hz
 * @property {number} [noiseDbHz]
 *
 * @typedef {object} Readings  of one line
 * @property {number} id  of the request
 * @property {number} view
 * @property {number} line
 * @property {Reading | null} peak
 * @property {(Reading | null)[]} markers  in the order of the request; null: not within the span
 * @property {{ hz: number, db: number }[] | null} peaks  null: not in this message
 * @property {number} leftOut  places of the spur list in view that are no peaks
 *
 * @typedef {{ hz: number, width_hz: number, noise: boolean }} WantedMarker
 * @typedef {{ id: number, markers: WantedMarker[], per_second?: number, peaks?: { count: number, threshold: number,
 *   excursion: number }, spurs?: boolean }} WantedReadings
 */

/** @param {any} value @returns {Reading | null} */
function readReading(value) {
  if (typeof value?.db !== 'number') return null;
  return { db: value.db, binHz: value.bin_hz, hz: value.hz, errorHz: value.error_hz, noiseDbHz: value.noise_db_hz };
}

/** @param {Record<string, any>} message @returns {Readings} */
export const readReadings = ({ id, view, line, peak, markers = [], peaks = null, left_out: leftOut = 0 }) => ({
  id,
  view,
  line,
  peaks,
  leftOut,
  peak: readReading(peak),
  markers: markers.map(readReading),
});
