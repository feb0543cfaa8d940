// The page's address: it says what is shown, however often something else changes.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { followAddress } from '../../../web/app/address.js';
import { initialState, Store } from '../../../web/app/state.js';

test('a_range_that_changes_all_the_time_does_not_hold_the_address_back', (t) => {
  const written = [];
  mock.timers.enable({ apis: ['setTimeout'] });
  Object.assign(globalThis, { location: { hash: '' }, addEventListener() {}, history: {
    replaceState(state, title, hash) { written.push(hash); globalThis.location.hash = hash; } } });
  t.after(() => { mock.timers.reset(); for (const name of ['location', 'addEventListener', 'history']) delete globalThis[name]; });
  const store = new Store(initialState({}));
  followAddress(store, { applyHash() {} });
  store.update({ detector: 'max' });
  for (let i = 0; i < 20; i++) {
    store.update({ range: { bottomDb: -100 - i, topDb: 0 }, rangeBy: 'auto' });
    mock.timers.tick(100);
  }
  assert.ok(written.some((hash) => /detector=max/.test(hash)), `${written}`);
  assert.ok(written.length <= 5, 'seldom: browsers limit it');
});
