// Times as the page writes and reads them: in UTC, or in this machine's time.

let isLocal = false; // times are this machine's, not UTC

/** @param {boolean} local */
export const showLocalTime = (local) => (isLocal = local);

/** What the times are in: "UTC", "UTC+0200". @param {number} ms  Unix time: summer has another one */
export const zoneText = (ms) => `UTC${isLocal ? new Date(ms).toString().slice(28, 33) : ''}`;

/** A date whose UTC is what is shown. @param {number} ms  Unix time */
function shownDate(ms) {
  const date = new Date(Math.floor(ms));
  return isLocal ? new Date(date.getTime() - 60000 * date.getTimezoneOffset()) : date;
}

/** The Unix time in ms of what was entered, as "2026-02-03T12:34:56"; NaN: none. @param {string} text */
export const readTime = (text) => Date.parse(isLocal ? text : `${text}Z`);

/** "12:34:56.789" @param {number} ms  Unix time @param {number} [digits]  of the second, 0 .. 3 */
export function formatClock(ms, digits = 3) {
  const date = shownDate(ms);
  if (Number.isNaN(date.getTime())) return '--';
  const clock = date.toISOString().slice(11, 23);
  return digits ? clock.slice(0, 9 + digits) : clock.slice(0, 8);
}

/** For a narrow axis: "12:34:56" at whole seconds, ":56.50" between them. @param {number} ms  Unix time */
export function formatTick(ms) {
  return Math.round(ms / 10) % 100 ? formatClock(ms + 5, 2).slice(5) : formatClock(ms + 5, 0);
}

/** "2026-02-03 12:34:56.789" @param {number} ms */
export function formatTime(ms) {
  const date = shownDate(ms);
  return Number.isNaN(date.getTime()) ? '--' : date.toISOString().slice(0, 23).replace('T', ' ');
}
