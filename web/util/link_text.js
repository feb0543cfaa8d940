// The state of a connection in words. Pure functions.

/** @typedef {import('../net/socket.js').LinkState} LinkState */

/**
 * @param {LinkState} link
 * @param {{ live: string, waiting: string }} words  of the page
 * @returns {string}  without the countdown
 */
export function linkWords({ kind, reason }, { live, waiting }) {
  const texts = {
    connecting: 'Connecting',
    live,
    waiting: `Waiting: ${waiting}`,
    reconnecting: `Reconnecting: ${reason}`,
    refused: `Refused: ${reason}`,
  };
  return texts[kind];
}

/** @param {LinkState} link */
export const isLost = ({ kind }) => kind === 'reconnecting' || kind === 'refused';

/** " (again in 3 s)", or "". @param {LinkState} link @param {number} now  performance.now() */
export function countdown(link, now) {
  const left = Math.max(0, Math.ceil((link.retryAt - now) / 1000));
  return link.retryAt > 0 && isLost(link) ? ` (again in ${left} s)` : '';
}
