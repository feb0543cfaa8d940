// The page's address: it says what is shown, however often something else changes.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { followAddress } from '../../../web/app/address.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';

/**
 * Stands in for the address and the clock of a page.
 * @returns {{ written: string[], listeners: Record<string, Function> }}
 */
function standIn(t) {
  const written = [],
    listeners = {};
  mock.timers.enable({ apis: ['setTimeout'] });
  Object.assign(globalThis, {
    location: { hash: '' },
    addEventListener(type, listener) {
      listeners[type] = listener;
    },
    history: {
      replaceState(state, title, hash) {
        written.push(hash);
        globalThis.location.hash = hash;
      },
    },
  });
  t.after(() => {
    mock.timers.reset();
    for (const name of ['location', 'addEventListener', 'history']) delete globalThis[name];
  });
  return { written, listeners };
}

test('a link is followed even if the page wrote its address just after', (t) => {
  const { listeners } = standIn(t),
    store = new Store(initialState({}));
  followAddress(store);
  globalThis.location.hash = '#detector=min';
  listeners.hashchange({ newURL: 'http://radio/#detector=max' });
  assert.equal(store.state.detector, 'max');
});

test('a range that changes all the time does not hold the address back', (t) => {
  const { written } = standIn(t);
  const store = new Store(initialState({}));
  followAddress(store);
  store.update({ detector: 'max' });
  for (let i = 0; i < 20; i++) {
    store.update({ range: { bottomDb: -100 - i, topDb: 0 }, rangeBy: 'auto' });
    mock.timers.tick(100);
  }
  assert.ok(
    written.some((hash) => /detector=max/.test(hash)),
    `${written}`,
  );
  assert.ok(written.length <= 5, 'seldom: browsers limit it');
});
