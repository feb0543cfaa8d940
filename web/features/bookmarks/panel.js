// The panel of bookmarks: a list to go to, the viewer's own to change, and what of the plan is shown.

import { addBookmark, allBookmarks, importBookmarks, removeBookmark, showBookmark } from './band_plan.js';
import { inDock, makePanel } from '../dock/panel.js';
import { download } from '../traces/export.js';
import { hzOf, selectedMarker } from '../markers/markers.js';
import { keepRows } from '../../ui/kept_rows.js';
import { understoodBeside } from '../../ui/understood.js';
import { byId, make, setText } from '../../util/dom.js';
import { formatBookmarks } from './csv.js';
import { exactHz, formatHz, plainSi, shortHz } from '../../util/format.js';
import { readHz } from '../../util/quantity.js';

/**
 * @typedef {import('../../app/actions.js').Actions} Actions
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {import('./csv.js').Bookmark} Bookmark
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

const makeBookmarks = () =>
  makePanel('bookmarks', [
    make('div', { id: 'plan-shown' }, [
      make('label', {}, [make('input', { id: 'bookmarks-shown', type: 'checkbox' }), ' Bookmarks in the picture']),
      make('label', { id: 'bands-shown-label' }, [
        make('input', { id: 'bands-shown', type: 'checkbox' }),
        ' Bands in the picture',
      ]),
    ]),
    make('form', { id: 'bookmark-form', autocomplete: 'off' }, [
      make('label', {}, ['Frequency ', make('input', { id: 'bookmark-hz', inputMode: 'text', spellcheck: false })]),
      make('label', {}, ['Name ', make('input', { id: 'bookmark-name', maxLength: 95, spellcheck: false })]),
      make('button', { type: 'submit' }, 'Add'),
    ]),
    make('p', { id: 'bookmark-note', role: 'status' }),
    make('label', { id: 'bookmark-find-label' }, [
      'Find ',
      make('input', { id: 'bookmark-find', type: 'search', spellcheck: false }),
    ]),
    make('table', {}, [
      make('thead', {}, [
        make('tr', {}, [
          make('th', { scope: 'col', className: 'number' }, 'Frequency'),
          make('th', { scope: 'col' }, 'Name'),
          make('th', { scope: 'col' }, [make('span', { className: 'visually-hidden' }, 'Remove')]),
        ]),
      ]),
      make('tbody', { id: 'bookmark-rows' }),
    ]),
    make('p', { id: 'no-bookmarks' }, 'No bookmark yet. Add the frequency of the selected marker, or of the centre.'),
    make('div', { className: 'export' }, [
      make('button', { id: 'bookmarks-import', title: 'Read a bookmarks.csv of gqrx or of this page' }, 'Import'),
      make('button', { id: 'bookmarks-export', title: 'Save your bookmarks as a bookmarks.csv of gqrx' }, 'Export'),
      make('input', {
        id: 'bookmarks-file',
        type: 'file',
        accept: '.csv,text/csv',
        hidden: true,
        'aria-label': 'File of bookmarks',
      }),
    ]),
  ]);

const FIND_FROM = 12; // rows from which on there is a field to find one
const ROWS_MAX = 500;

/** @param {string} id */
const inputById = (id) => /** @type {HTMLInputElement} */ (byId(id));

/** The frequency that a bookmark is added at, unless one is entered. @param {State} state @param {Actions} actions */
function offeredHz(state, actions) {
  const marker = selectedMarker(state);
  return marker ? hzOf(state, marker) : actions.tuning.centreHz;
}

/** @param {Bookmark} bookmark @param {boolean} own */
const makeRow = ({ name, hz, mode, tags }, own) =>
  make('tr', {}, [
    make('td', { className: 'number' }, [
      make('button', { textContent: formatHz(hz, 1), title: 'Show and mark this frequency' }),
    ]),
    make('td', { textContent: name, title: [mode, tags].filter(Boolean).join(' \u00b7 ') }),
    make('td', {}, own ? [make('button', { textContent: '\u00d7', 'aria-label': `Remove bookmark ${name}` })] : []),
  ]);

/** @param {Actions} actions @param {HTMLElement} row @param {Bookmark} bookmark */
function bindRow(actions, row, bookmark) {
  const [go, remove] = row.querySelectorAll('button');
  go.onclick = () => showBookmark(actions, bookmark);
  if (remove) remove.onclick = () => removeBookmark(actions.store, bookmark);
}

/**
 * Texts that distinguish bookmarks, also equal ones.
 * @param {Bookmark[]} bookmarks
 * @param {(bookmark: Bookmark) => boolean} isOwn
 */
function keysOf(bookmarks, isOwn) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return new Map(
    bookmarks.map((bookmark) => {
      const text = JSON.stringify([bookmark, isOwn(bookmark)]),
        count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      return [bookmark, `${text}${count}`];
    }),
  );
}

/** @param {Actions} actions */
function showRows(actions) {
  const { state } = actions.store;
  if (!state.bookmarksOpen) return;
  const all = allBookmarks(state),
    wanted = inputById('bookmark-find').value.trim().toLowerCase();
  const found = all.filter(
    ({ name, tags, mode, hz }) => !wanted || `${name} ${tags} ${mode} ${plainSi(hz)}`.toLowerCase().includes(wanted),
  );
  byId('bookmark-find-label').hidden = all.length < FIND_FROM;
  const shown = found.slice(0, ROWS_MAX),
    isOwn = (/** @type {Bookmark} */ bookmark) => state.ownBookmarks.includes(bookmark),
    keys = keysOf(shown, isOwn);
  keepRows(byId('bookmark-rows'), shown, {
    keyOf: (bookmark) => keys.get(bookmark) ?? '',
    create: (bookmark) => makeRow(bookmark, isOwn(bookmark)),
    fill: (row, bookmark) => bindRow(actions, row, bookmark),
  });
  byId('no-bookmarks').hidden = all.length > 0;
  byId('bookmarks-export').toggleAttribute('disabled', state.ownBookmarks.length === 0);
}

/** @param {Actions} actions */
function bindForm(actions) {
  const { store } = actions,
    frequency = inputById('bookmark-hz'),
    name = inputById('bookmark-name');
  byId('bookmark-form').onsubmit = (event) => {
    event.preventDefault();
    const entered = frequency.value.trim(),
      hz = entered ? readHz(entered) : offeredHz(store.state, actions);
    const valid = hz >= 0 && hz <= 1e12;
    frequency.toggleAttribute('aria-invalid', !valid);
    if (!valid)
      return store.update({ bookmarkNote: `\u201c${entered}\u201d is not a frequency: write 145.5 (MHz) or 7074k.` });
    if (!name.value.trim()) return name.focus();
    addBookmark(store, Math.round(hz), name.value);
    frequency.value = name.value = '';
    frequency.dispatchEvent(new Event('input'));
  };
  frequency.after(
    understoodBeside(frequency, (text) => {
      const hz = readHz(text);
      return Number.isNaN(hz) ? '' : exactHz(hz);
    }),
  );
  store.subscribe(['figures', 'selected', 'bookmarksOpen'], (state) => {
    if (state.bookmarksOpen && state.frame) frequency.placeholder = shortHz(Math.round(offeredHz(state, actions)));
  });
}

/** @param {Store} store */
function bindFiles(store) {
  const file = inputById('bookmarks-file');
  byId('bookmarks-import').onclick = () => file.click();
  file.onchange = async () => {
    const [chosen] = file.files ?? [];
    if (chosen) importBookmarks(store, await chosen.text());
    file.value = ''; // the same file may be chosen again
  };
  byId('bookmarks-export').onclick = () =>
    download(new Blob([formatBookmarks(store.state.ownBookmarks)], { type: 'text/csv' }), 'bookmarks.csv');
}

export const bookmarks = {
  id: 'bookmarks',
  element: makeBookmarks,
  place: inDock,

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const bands = inputById('bands-shown'),
      marks = inputById('bookmarks-shown');
    bands.onchange = () => store.update({ bandsShown: bands.checked });
    marks.onchange = () => store.update({ bookmarksShown: marks.checked });
    bindForm(actions);
    bindFiles(store);
    byId('bookmark-find').oninput = () => showRows(actions);
    store.subscribe(['bands', 'bandsShown', 'bookmarksShown'], (state) => {
      bands.checked = state.bandsShown;
      marks.checked = state.bookmarksShown;
      byId('bands-shown-label').hidden = state.bands.length === 0;
    });
    store.subscribe(['bookmarks', 'ownBookmarks', 'bookmarksOpen'], () => showRows(actions));
    store.subscribe(['bookmarkNote'], ({ bookmarkNote }) => setText(byId('bookmark-note'), bookmarkNote));
  },
};
