// Which panel is in front, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Actions } from '../../../web/app/actions.js';
import { frontPanel, openPanels } from '../../../web/app/panels.js';
import { initialState, PANELS } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';

const page = (panels = '') => {
  const store = new Store(initialState({ panels })),
    actions = new Actions(store, {});
  return {
    store,
    toggle: (id, open) => actions.togglePanel(id, open),
    front: () => frontPanel(PANELS, store.state)?.id,
    open: () => openPanels(PANELS, store.state).map(({ id }) => id),
  };
};

test('a panel that is opened comes to the front and a second time it is closed', () => {
  const { toggle, front, open } = page();
  assert.equal(front(), undefined);
  toggle('markers');
  toggle('bookmarks');
  assert.deepEqual([front(), open()], ['bookmarks', ['bookmarks', 'markers']]);
  toggle('markers');
  assert.deepEqual([front(), open()], ['markers', ['bookmarks', 'markers']], 'from behind it comes to the front');
  toggle('markers');
  assert.deepEqual([front(), open()], ['bookmarks', ['bookmarks']], 'the other one is seen again');
  toggle('bookmarks', true);
  assert.equal(front(), 'bookmarks', 'one that shall be open stays');
  toggle('bookmarks', false);
  assert.deepEqual([front(), open()], [undefined, []]);
});

test('a panel without anything from the server has no tab and does not open', () => {
  const { store, toggle, front, open } = page('traces,markers,measure');
  assert.deepEqual([front(), open()], ['markers', ['markers']], 'a server that does not measure');
  store.update({ limits: { all_measurements: 4 } });
  assert.deepEqual([front(), open()], ['measure', ['measure', 'markers']], 'as the link had it');
  toggle('record');
  assert.equal(store.state.recordOpen, false);
});

test('every panel has an id, a label and a part of the state of its own', () => {
  for (const key of ['id', 'label', 'open'])
    assert.equal(new Set(PANELS.map((panel) => panel[key])).size, PANELS.length, key);
  assert.ok(PANELS.length >= 7);
});
