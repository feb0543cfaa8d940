// Labels over the spectrum: those of measurements cover neither each other nor those of bookmarks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BandLayer } from '../../../web/features/measure/layer.js';
import { BandPlanLayer } from '../../../web/features/bookmarks/layer.js';
import { layoutOf } from '../../../web/plot/layout.js';

/** A context that notes where texts are drawn; a character is 7 pixels wide. */
function contextOf(texts) {
  const nothing = () => {};
  return /** @type {any} */ (
    new Proxy(
      {
        measureText: (text) => ({ width: 7 * text.length }),
        fillText(text, x, y) {
          const height = this.textBaseline === 'top' ? [0, 13] : [-6, 7];
          texts.push({ text, left: x, right: x + 7 * text.length, top: y + height[0], bottom: y + height[1] });
        },
      },
      { get: (own, name) => own[name] ?? nothing },
    )
  );
}

const channel = (name, center) => ({
  name,
  type: 'channel-power',
  keys: { center, width: '25k' },
  values: { power_dbfs: -20 },
  rows: [],
  reason: null,
  verdict: null,
});

test('labels of measurements and bookmarks cover no other', () => {
  const store = /** @type {any} */ ({
    state: {
      bookmarksShown: true,
      bandsShown: true,
      bands: [],
      ownBookmarks: [],
      bookmarks: [
        { hz: 145.41e6, name: 'calling', mode: '', tags: '', color: '' },
        { hz: 145.43e6, name: 'beacon', mode: '', tags: '', color: '' },
      ],
    },
  });
  const plan = new BandPlanLayer(store, /** @type {any} */ (null));
  const measured = [
    channel('carrier', '145.4M'),
    channel('neighbour', '145.425M'),
    channel('far', '144.2M'),
    channel('third', '145.45M'),
  ];
  const bands = new BandLayer(
    () => /** @type {any} */ (measured),
    () => false,
    () => {},
  );
  const scene = /** @type {any} */ ({
    layout: layoutOf(900, 500, undefined, 2),
    view: { lowHz: 144e6, highHz: 146e6 },
    theme: {},
    frame: { n: 4096, rateHz: 2.4e6, enbwBins: 2 },
  });
  const texts = [];
  for (const layer of [plan, bands]) layer.draw(contextOf(texts), scene);
  assert.equal(texts.length, 6, JSON.stringify(texts));
  for (const [i, a] of texts.entries())
    for (const b of texts.slice(i + 1))
      assert.ok(
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
        `${a.text} and ${b.text}`,
      );
  const { planTop, top, spectrumHeight } = scene.layout;
  for (const { text, top: high, bottom } of texts)
    assert.ok(/ /.test(text) ? bottom <= top + spectrumHeight : high >= planTop, `${text}: no plan is over data`);
  const heightOf = (name) => texts.find(({ text }) => text.startsWith(name)).top;
  assert.equal(heightOf('far'), heightOf('carrier'), 'as low as there is room');
});
