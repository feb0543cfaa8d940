// Whether there is a density.

/**
 * A sweep has none.
 * @param {Readonly<import('../../app/state.js').State>} state
 */
export const densityOffered = ({ limits, status }) => limits.density_frames_per_second > 0 && !status?.spectrum?.sweep;
