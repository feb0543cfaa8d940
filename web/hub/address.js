// What the page shows as the address's hash, so that a link shows the same:
// "#radios=roof.south&time=120&at=2026-11-24T10:15:00.000Z". Pure.

/**
 * @typedef {object} Shown
 * @property {string[] | null} radios  names of the chosen ones; null: the first ones that are there
 * @property {'chosen' | 'all' | 'off'} panorama
 * @property {number} seconds  of the time axis
 * @property {number | null} atMs  Unix time at the top of the waterfalls; null: live
 * @property {'2d' | 'gl'} [renderer]  of the waterfalls; "gl": WebGL even without a GPU
 */

export const CHOSEN_MAX = 6;
export const SECONDS = [15, 30, 60, 120, 300];
export const PANORAMAS = /** @type {const} */ (['chosen', 'all', 'off']);
const RENDERERS = /** @type {const} */ (['2d', 'gl']);
const DEFAULTS = { radios: null, panorama: PANORAMAS[0], seconds: 30, atMs: null };

/** Characters that the names in subjects of NATS may have, without those that part them here. */
const NAME = /^[^\s,&#=*>]{1,160}$/;

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Ignores everything that is not allowed. @param {string} hash @returns {Shown} */
export function parseShown(hash) {
  const parts = new Map(
    hash
      .replace(/^#/, '')
      .split('&')
      .map((part) => /** @type {[string, string]} */ (part.split(/=(.*)/s).slice(0, 2))),
  );
  const names = (parts.get('radios') ?? '')
    .split(',')
    .map(decoded)
    .filter((name) => NAME.test(name));
  const seconds = Number(parts.get('time')),
    panorama = PANORAMAS.find((each) => each === parts.get('panorama'));
  const renderer = RENDERERS.find((each) => each === parts.get('renderer'));
  const at = decoded(parts.get('at') ?? ''),
    atMs = MOMENT.test(at) ? Date.parse(at) : NaN;
  return {
    radios: parts.has('radios') ? [...new Set(names)].slice(0, CHOSEN_MAX) : DEFAULTS.radios,
    panorama: panorama ?? DEFAULTS.panorama,
    seconds: SECONDS.includes(seconds) ? seconds : DEFAULTS.seconds,
    atMs: atMs > 0 ? atMs : DEFAULTS.atMs,
    ...(renderer && { renderer }),
  };
}

/** @param {Shown} shown @returns {string}  "" or "#.." */
export function formatShown({ radios, panorama, seconds, atMs, renderer }) {
  const parts = [
    ...(radios ? [`radios=${radios.map(encodeURIComponent).join(',')}`] : []),
    ...(panorama === DEFAULTS.panorama ? [] : [`panorama=${panorama}`]),
    ...(seconds === DEFAULTS.seconds ? [] : [`time=${seconds}`]),
    ...(atMs === null ? [] : [`at=${new Date(atMs).toISOString()}`]),
    ...(renderer ? [`renderer=${renderer}`] : []),
  ];
  return parts.length ? `#${parts.join('&')}` : '';
}
