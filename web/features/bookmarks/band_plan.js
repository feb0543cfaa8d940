// Band plans and bookmarks: those of the operator's files, and the viewer's own, which the browser keeps.

import { addMarker } from '../markers/actions.js';
import { overlaps, spanOf } from '../../plot/view.js';
import { cleanName, parseBookmarks } from './csv.js';
import { remember, stored } from '../../util/stored.js';

/**
 * @typedef {import('./csv.js').Bookmark} Bookmark
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 *
 * @typedef {object} Band
 * @property {string} name
 * @property {string} kind  "amateur"; may be empty
 * @property {number} lowHz
 * @property {number} highHz
 * @property {string} color  may be empty
 *
 * @typedef {object} PlanState
 * @property {boolean} planOffered  the server has bands or bookmarks
 * @property {Band[]} bands
 * @property {Bookmark[]} bookmarks  of the operator
 * @property {Bookmark[]} ownBookmarks
 * @property {boolean} bandsShown  over the spectrum
 * @property {boolean} bookmarksShown
 * @property {boolean} bookmarksOpen  the panel
 * @property {string} bookmarkNote  what the last change came to; "": nothing to say
 */

const KEY = 'fftd.bookmarks';
export const OWN_MAX = 1000;

/** What the address calls the choices of what is shown. */
export const PLANS = ['bands', 'bookmarks', 'off'];

/** @param {string | undefined} plan  of PLANS; undefined: both are shown */
export const shownOf = (plan) => ({
  bandsShown: plan === undefined || plan === 'bands',
  bookmarksShown: plan === undefined || plan === 'bookmarks',
});

/** @param {State} state @returns {string | undefined} */
export const planOf = ({ bandsShown, bookmarksShown }) =>
  bandsShown ? (bookmarksShown ? undefined : 'bands') : bookmarksShown ? 'bookmarks' : 'off';

/** @param {string | undefined} plan @returns {PlanState} */
export const noPlan = (plan) => ({
  planOffered: false,
  bands: [],
  bookmarks: [],
  ownBookmarks: [],
  ...shownOf(plan),
  bookmarksOpen: false,
  bookmarkNote: '',
});

// ---- what there is -----------------------------------------------------------------------------

/** @param {any} row @returns {Bookmark} */
const bookmarkOf = (row) => ({
  name: String(row.name),
  hz: Number(row.hz),
  widthHz: row.width_hz ?? row.widthHz ?? null,
  mode: String(row.mode ?? ''),
  tags: String(row.tags ?? ''),
  color: String(row.color ?? ''),
});

/** @param {any} row @returns {Band} */
const bandOf = (row) => ({
  name: String(row.name),
  kind: String(row.kind ?? ''),
  lowHz: Number(row.low_hz),
  highHz: Number(row.high_hz),
  color: String(row.color ?? ''),
});

/** @returns {Bookmark[]}  what the browser keeps; it may refuse to */
function storedBookmarks() {
  try {
    const rows = JSON.parse(stored(KEY) || '[]');
    return rows
      .map(bookmarkOf)
      .filter((/** @type {Bookmark} */ { hz, name }) => hz >= 0 && name)
      .slice(0, OWN_MAX);
  } catch {
    return [];
  }
}

/** @param {Store} store */
async function fetchPlan(store) {
  try {
    const answer = await fetch('api/v1/band-plan', { cache: 'no-store' });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const { bands, bookmarks } = await answer.json();
    store.update({ bands: bands.map(bandOf), bookmarks: bookmarks.map(bookmarkOf) });
  } catch (error) {
    store.update({ message: { text: `No band plan: ${error instanceof Error ? error.message : error}` } });
  }
}

/** Reads the operator's rows on each connection, and another tab's changes of the viewer's. @param {Store} store */
export function followBandPlan(store) {
  store.update({ ownBookmarks: storedBookmarks() });
  store.subscribe(['choices'], ({ planOffered }) => {
    if (planOffered) fetchPlan(store);
    else if (store.state.bands.length + store.state.bookmarks.length > 0) store.update({ bands: [], bookmarks: [] });
  });
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key === KEY) store.update({ ownBookmarks: storedBookmarks() });
  });
}

/** All bookmarks, by frequency. @param {State} state @returns {Bookmark[]} */
export const allBookmarks = ({ bookmarks, ownBookmarks }) =>
  [...bookmarks, ...ownBookmarks].sort((a, b) => a.hz - b.hz);

/**
 * Whether there is something to show or hide. The operator's rows count before they arrive: they obey what was chosen
 * meanwhile.
 * @param {State} state
 */
export const planShowable = ({ planOffered, ownBookmarks }) => planOffered || ownBookmarks.length > 0;

// ---- what the viewer does ----------------------------------------------------------------------

/** @param {Store} store @param {Bookmark[]} ownBookmarks @param {string} note */
function keep(store, ownBookmarks, note) {
  if (!remember(KEY, JSON.stringify(ownBookmarks)))
    note = 'This browser does not keep bookmarks: they are gone with this page.';
  store.update({ ownBookmarks: ownBookmarks.sort((a, b) => a.hz - b.hz), bookmarkNote: note });
}

/** The same place and name. @param {Bookmark} a @param {Bookmark} b */
const isSame = (a, b) => Math.round(a.hz) === Math.round(b.hz) && a.name === b.name;

/** @param {Store} store @param {Bookmark[]} more @returns {number}  how many were new */
function add(store, more) {
  const { ownBookmarks } = store.state,
    all = [...ownBookmarks];
  for (const each of more) if (!all.some((other) => isSame(each, other))) all.push(each);
  const added = all.length - ownBookmarks.length;
  if (all.length > OWN_MAX) store.update({ bookmarkNote: `${OWN_MAX} bookmarks are the most.` });
  else keep(store, all, '');
  return all.length > OWN_MAX ? 0 : added;
}

/** @param {Store} store @param {number} hz @param {string} text  its name */
export function addBookmark(store, hz, text) {
  const name = cleanName(text);
  if (name) add(store, [{ name, hz, widthHz: null, mode: '', tags: '', color: '' }]);
}

/** @param {Store} store @param {Bookmark} bookmark */
export const removeBookmark = (store, bookmark) =>
  keep(
    store,
    store.state.ownBookmarks.filter((each) => each !== bookmark),
    '',
  );

/** @param {Store} store @param {string} text  of a file */
export function importBookmarks(store, text) {
  const { bookmarks, error } = parseBookmarks(text),
    before = store.state.bookmarkNote;
  if (error) return store.update({ bookmarkNote: error });
  const added = add(store, bookmarks);
  if (added > 0 || store.state.bookmarkNote === before || store.state.bookmarkNote === '')
    store.update({ bookmarkNote: `${added} of ${bookmarks.length} bookmarks were new.` });
}

/** A click on a bookmark in the picture. @param {Actions} actions @param {Bookmark} bookmark */
export const markBookmark = (actions, { hz }) => {
  const there = actions.store.state.markers.find((marker) => marker.hz === hz);
  if (there) actions.store.update({ selected: there.id });
  else addMarker(actions, hz);
};

/** Brings a bookmark into view, and marks it if it is received. @param {Actions} actions @param {Bookmark} bookmark */
export function showBookmark(actions, bookmark) {
  const { frame, shownView } = actions.store.state,
    { hz } = bookmark;
  if (!frame) return;
  const point = { lowHz: hz, highHz: hz + 1e-6 };
  if (!overlaps(point, shownView)) actions.tuning.goTo(hz);
  if (overlaps(point, spanOf(frame))) markBookmark(actions, bookmark);
}

/** Hides what is shown of the plan; shows all if nothing is. @param {Store} store */
export const togglePlan = (store) => store.update(shownOf(planOf(store.state) === 'off' ? undefined : 'off'));
