// Bookmarks as CSV, rows of bands and labels, and what the address keeps of the plan.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf, shownOf } from '../../../web/features/bookmarks/band_plan.js';
import { formatMarkers, parseMarkers } from '../../../web/features/markers/address.js';
import { formatPanels, parsePanels } from '../../../web/app/panels.js';
import { PANELS } from '../../../web/app/state.js';
import { placeBands, placeLabels } from '../../../web/features/bookmarks/rows.js';
import { cleanName, formatBookmarks, parseBookmarks } from '../../../web/features/bookmarks/csv.js';
import { formatHash, parseHash } from '../../../web/app/hash.js';

/** @param {string} name @param {number} hz */
const bookmark = (name, hz, more = {}) => ({ name, hz, widthHz: null, mode: '', tags: '', color: '', ...more });

// As gqrx 2.17 writes it.
const GQRX = `# Tag name          ;  color
Untagged            ; #c0c0c0
Marine VHF          ; #0000ff

# Frequency ; Name                     ; Modulation          ;  Bandwidth; Tags
   156800000; Channel 16               ; Narrow FM           ;      10000; Marine VHF,Untagged
     7074000; FT8                      ; USB                 ;       2800; digi
`;

test('a file of gqrx is read', () => {
  assert.deepEqual(parseBookmarks(GQRX), {
    error: '',
    bookmarks: [
      bookmark('Channel 16', 156.8e6, {
        widthHz: 10e3,
        mode: 'Narrow FM',
        tags: 'Marine VHF,Untagged',
        color: '#0000ff',
      }),
      bookmark('FT8', 7074e3, { widthHz: 2800, mode: 'USB', tags: 'digi' }),
    ],
  });
  assert.equal(parseBookmarks('\ufeffa;#90112233\r\n\r\n1M;x;;;a\r\n').bookmarks[0].color, '#112233');
});

test('what is written is read again', () => {
  const all = [
    bookmark('Caf\u00e9;two', 99.5e6),
    bookmark('FT8', 7074e3, { widthHz: 2800, mode: 'USB', tags: 'digi', color: '#123456' }),
  ];
  const { bookmarks, error } = parseBookmarks(formatBookmarks(all));
  assert.equal(error, '');
  assert.deepEqual(
    bookmarks.map(({ name, hz, widthHz, mode }) => [name, hz, widthHz, mode]),
    [
      ['FT8', 7074e3, 2800, 'USB'],
      ['Caf\u00e9 two', 99.5e6, null, ''],
    ],
  );
  assert.equal(bookmarks[0].color, '#123456');
});

test('a mistake names its line', () => {
  const table = [
    ['# x\n1M;a', ''],
    ['\n1M;a;b', 'Line 2: a row is: '],
    ['x;a;;;', 'Line 1: \u201cx\u201d is not a frequency'],
    ['1M;;;;', 'Line 1: the name is empty'],
    ['1M;a;;wide;', 'Line 1: \u201cwide\u201d is not a bandwidth'],
  ];
  for (const [text, error] of table) {
    const found = parseBookmarks(text);
    assert.ok(error ? found.error.startsWith(error) : found.error === '', found.error);
    assert.equal(found.bookmarks.length, 0);
  }
});

test('names have the length that the server takes', () => {
  assert.equal(cleanName(' a;b\r\nc '), 'a b c');
  const cut = cleanName('\u00e9'.repeat(60));
  assert.ok(new TextEncoder().encode(cut).length <= 95 && cut.length === 47);
});

/** @param {string} name @param {number} lowHz @param {number} highHz */
const band = (name, lowHz, highHz) => ({ name, kind: '', lowHz, highHz, color: '' });

test('bands of one row do not overlap, and the widest are the lowest', () => {
  const bands = [
    band('inside', 20, 30),
    band('wide', 0, 100),
    band('beside', 40, 60),
    band('deep', 22, 25),
    band('away', 200, 300),
    band('next', 100, 150),
  ];
  const rows = Object.fromEntries(
    placeBands(bands, { lowHz: 10, highHz: 120 }, 2).map(({ band: { name }, row }) => [name, row]),
  );
  assert.deepEqual(rows, { wide: 0, next: 0, inside: 1, beside: 1 }); // deep has no row, away is out of view
  assert.equal(placeBands(bands, { lowHz: 10, highHz: 120 }, 3).find(({ band: { name } }) => name === 'deep')?.row, 2);
});

/**
 * No text covers another, and no line a text.
 * @param {import('../../../web/features/bookmarks/rows.js').Label[]} labels
 */
function assertClear(labels) {
  for (const a of labels.filter(({ row }) => row >= 0))
    for (const b of labels.filter((other) => other !== a && other.row >= 0)) {
      if (a.row === b.row)
        assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x, `${a.bookmark.name} and ${b.bookmark.name}`);
      if (b.row >= a.row)
        assert.ok(b.x <= a.x || b.x >= a.x + a.width, `line of ${b.bookmark.name} in ${a.bookmark.name}`);
    }
}

test('labels of bookmarks stack without covering each other', () => {
  let random = 1;
  const next = () => {
    random = (random * 1664525 + 1013904223) % 2 ** 32;
    return random / 2 ** 32;
  };
  for (let round = 0; round < 200; round++) {
    const wanted = Array.from({ length: 1 + Math.floor(next() * 30) }, (_, i) => ({
      bookmark: bookmark(`b${i}`, i),
      x: next() * 1000,
      width: 20 + next() * 120,
    })).sort((a, b) => a.x - b.x);
    const labels = placeLabels(wanted, 1000, 4, 3, 24);
    assert.equal(labels.length, wanted.length);
    assertClear(labels);
    for (const { x, width, row } of labels) assert.ok(row < 4 && x + width <= 1000 + 1e-9);
  }
  const alone = placeLabels(
    [
      { bookmark: bookmark('a', 1), x: 10, width: 50 },
      { bookmark: bookmark('b', 2), x: 100, width: 50 },
    ],
    1000,
    4,
    3,
    24,
  );
  assert.deepEqual(
    alone.map(({ row, width }) => [row, width]),
    [
      [0, 50],
      [0, 50],
    ],
  );
  const close = placeLabels(
    [
      { bookmark: bookmark('a', 1), x: 10, width: 50 },
      { bookmark: bookmark('b', 2), x: 40, width: 50 },
    ],
    1000,
    4,
    3,
    24,
  );
  assert.deepEqual(
    close.map(({ row }) => row),
    [1, 0],
  );
});

test('the address keeps what is shown of the plan', () => {
  const all = [
    [undefined, true, true],
    ['bands', true, false],
    ['bookmarks', false, true],
    ['off', false, false],
  ];
  for (const [plan, bandsShown, bookmarksShown] of /** @type {[string | undefined, boolean, boolean][]} */ (all)) {
    assert.deepEqual(shownOf(plan), { bandsShown, bookmarksShown });
    assert.equal(planOf(/** @type {any} */ ({ bandsShown, bookmarksShown })), plan);
    assert.equal(parseHash(formatHash({ plan })).plan, plan);
  }
  assert.equal(parseHash('#plan=nonsense').plan, undefined);
});

test('the address keeps markers and open panels', () => {
  const text = '1:100.3M,2:99.700000125M:d1:noise,3:-5Hz:track:selected';
  const { markers, selected } = parseMarkers(text);
  assert.deepEqual(markers[1], { id: 2, hz: 99700000.125, deltaOf: 1, noise: true, track: false });
  assert.equal(selected, 3);
  assert.equal(formatMarkers(markers, selected), text);
  assert.equal(parseHash(formatHash({ markers: text, panels: 'markers,measure' })).markers, text);
  for (const bad of ['', '9:1', '0:1', '1:x', '1:1:<b>', '1', '1:1e99'])
    assert.deepEqual(parseMarkers(bad), { markers: [], selected: null }, bad);
  assert.deepEqual(
    parseMarkers('2:5:d7,2:6,1:4:d1').markers.map(({ id, hz, deltaOf }) => [id, hz, deltaOf]),
    [
      [1, 4e6, null],
      [2, 5e6, null],
    ],
  );
  assert.deepEqual(parsePanels(PANELS, 'measure,nonsense,controls'), {
    markersOpen: false,
    measureOpen: true,
    listenOpen: false,
    tracesOpen: false,
    bookmarksOpen: false,
    triggersOpen: false,
    front: 'measure',
  });
  const again = (text) => formatPanels(PANELS, parsePanels(PANELS, text));
  assert.equal(again('markers,bookmarks,traces'), 'bookmarks,markers,traces', 'in their order, the one in front last');
  assert.equal(again('markers,measure'), 'markers,measure');
  assert.equal(parseHash('#panels=controls').panels, undefined);
});
