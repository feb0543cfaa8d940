// The store, the actions and the tables of keys and panels, without a browser.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Actions } from '../../../web/app/actions.js';
import { changesOf, hashOf, parseHash } from '../../../web/app/hash.js';
import { receiveLink, receiveMessage } from '../../../web/app/server.js';
import { initialState, PANELS } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { commandOf, keyText, titleOf } from '../../../web/app/commands.js';
import { COMMANDS, FEATURES } from '../../../web/app/features.js';

const WEB = new URL('../../../web/', import.meta.url);

/** A store with its actions; server.sent: what was asked of the server. */
function page(hash = {}, connected = true) {
  const store = new Store(initialState(hash)),
    sent = [];
  const server = { login: (token) => sent.push({ token }), set: (fields) => connected && sent.push(fields) > 0 };
  return { store, actions: new Actions(store, server), sent };
}

// 2 MS/s around 100 MHz in 2000 bins of 1 kHz: the span is 98.9995 to 100.9995 MHz.
const FRAME = {
  centerHz: 100e6,
  rateHz: 2e6,
  n: 2000,
  columns: 4,
  levels: Uint8Array.of(10, 20, 20, 90),
  offsetDb: -100,
  stepDb: 1,
  peakDb: -10,
};
const SPAN = { lowHz: 98.9995e6, highHz: 100.9995e6 };

test('a listener is called at once and after a change of its keys only', () => {
  const { store } = page(),
    seen = [];
  store.subscribe(['detector', 'palette'], ({ detector, palette }) => seen.push(`${detector} ${palette}`));
  store.update({ paused: true });
  store.update({ detector: 'mean' }); // as it was
  store.update({ detector: 'max', palette: 'gray' });
  assert.deepEqual(seen, ['mean viridis', 'max gray']);
});

test('an update by a listener reaches the listeners after it', () => {
  const { store } = page(),
    seen = [];
  store.subscribe(['detector'], ({ detector }) => {
    if (detector === 'max') store.update({ palette: 'gray' });
  });
  store.subscribe(['detector', 'palette'], ({ detector, palette }) => seen.push(`${detector} ${palette}`));
  store.update({ detector: 'max' });
  assert.equal(seen.at(-1), 'max gray');
});

test('a view that a retune has left becomes the whole span', () => {
  const { store, actions } = page({ low: 99.5e6, high: 100.5e6 });
  actions.takeFrame(FRAME);
  assert.deepEqual(store.state.shownView, { lowHz: 99.5e6, highHz: 100.5e6 });
  actions.takeFrame({ ...FRAME, centerHz: 868e6 });
  assert.equal(store.state.view, null);
  assert.deepEqual(store.state.shownView, { lowHz: 866.9995e6, highHz: 868.9995e6 });
});

test('a frame of the same view is no change of the view', () => {
  const { store, actions } = page(),
    seen = [];
  actions.takeFrame(FRAME);
  store.subscribe(['shownView'], ({ shownView }) => seen.push(shownView.lowHz));
  actions.takeFrame({ ...FRAME });
  actions.takeFrame({ ...FRAME, centerHz: 868e6 });
  assert.deepEqual(seen, [98.9995e6, 866.9995e6]);
});

test('zooming out to the span asks for the whole span', () => {
  const { store, actions } = page({ low: 99.5e6, high: 100.5e6 });
  actions.zoomView(0.1, 0.5);
  assert.notEqual(store.state.view, null, 'without a frame there is no span to zoom in');
  actions.takeFrame(FRAME);
  actions.zoomView(0.1, 0.5);
  assert.equal(store.state.view, null);
  assert.deepEqual(store.state.shownView, SPAN);
});

test('a range is the users until it is fitted', () => {
  const { store, actions } = page();
  actions.shiftRangeDb(5);
  assert.deepEqual([store.state.range, store.state.rangeBy], [{ bottomDb: -115, topDb: 5 }, 'user']);
  actions.takeFrame(FRAME);
  actions.fitRange();
  assert.equal(store.state.rangeBy, 'auto');
  assert.ok(store.state.range.topDb > -10 && store.state.range.bottomDb <= -80);
});

test('the speed stays between 1 and 8 pixels', () => {
  const { store, actions } = page({ speed: 7 });
  for (const expected of [8, 8]) {
    actions.stepSpeed(1);
    assert.equal(store.state.speed, expected);
  }
  actions.changeSpeed(-3);
  assert.equal(store.state.speed, 1);
});

test('a set message without a connection fails', () => {
  const { store, actions } = page({}, false);
  actions.set({ gain: 'auto' });
  assert.deepEqual(store.state.setResult, { kind: 'failed', text: 'Not connected.', from: 'radio', field: '' });
});

test('a refused token is said to be refused and a lost link takes control away', () => {
  const { store, actions, sent } = page();
  receiveMessage(store, { type: 'welcome', control: false });
  assert.match(store.state.control.reason, /needs the control token/);
  actions.takeControl('wrong');
  assert.deepEqual(sent, [{ token: 'wrong' }]);
  receiveMessage(store, { type: 'welcome', control: false });
  assert.match(store.state.control.reason, /not accepted/);
  receiveMessage(store, { type: 'welcome', control: true });
  assert.equal(store.state.control.allowed, true);
  receiveLink(store, { kind: 'reconnecting', reason: 'connection lost', retryAt: 1 });
  const { allowed, reason } = store.state.control;
  assert.deepEqual([allowed, reason], [false, 'Not connected.']);
});

test('every command has a name of its own and can be reached by its keys', () => {
  const names = COMMANDS.map(({ id }) => id);
  assert.deepEqual(names, [...new Set(names)]);
  for (const command of COMMANDS) {
    assert.ok(command.label && command.group, command.id);
    for (const key of command.keys) {
      const always = COMMANDS.filter(({ keys, when }) => keys.includes(key) && !when);
      assert.ok(always.length <= 1 || always[0] === command, `${key} never runs ${command.id}`);
    }
  }
});

test('every tool has a word, an icon and one of the four groups, and every panel has a tool', () => {
  const tools = COMMANDS.flatMap(({ id, tool }) => (tool ? [{ command: id, ...tool }] : []));
  assert.equal(new Set(tools.map(({ id }) => id)).size, tools.length);
  assert.deepEqual([...new Set(tools.map(({ group }) => group))].sort(), ['', 'Analyse', 'Capture', 'Radio', 'View']);
  for (const { id, word, icon } of tools) assert.match(`${word} ${icon}`, /^[A-Z][a-z ]+ M[\d .,a-zA-Z-]+$/, id);
  for (const { id } of PANELS)
    assert.ok(
      tools.some(({ command }) => command === id),
      id,
    );
});

test('a key is shown as it is labelled on a keyboard', () => {
  assert.deepEqual(['a', '?', ' ', 'Escape', 'ArrowLeft', 'Shift+ArrowLeft', '+'].map(keyText), [
    'A',
    '?',
    'Space',
    'Esc',
    '\u2190',
    'Shift \u2190',
    '+',
  ]);
  const { state } = page().store;
  assert.equal(titleOf(/** @type {any} */ (commandOf(COMMANDS, ' ', state))), 'Pause and resume (Space)');
});

test('a command whose condition is met runs before one without a condition', () => {
  const commands = [
    { id: 'always', keys: ['x'] },
    { id: 'sometimes', keys: ['x'], when: ({ paused }) => paused },
  ];
  assert.equal(commandOf(commands, 'x', { paused: false }).id, 'always');
  assert.equal(commandOf(commands, 'x', { paused: true }).id, 'sometimes');
});

const FOLDERS = readdirSync(new URL('features/', WEB), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('every folder of a feature is in the list and each of its parts is registered with an element', async () => {
  const html = readFileSync(new URL('index.html', WEB), 'utf8'),
    list = await import(new URL('features/list.js', WEB));
  assert.deepEqual(Object.keys(list).sort(), FOLDERS.sort());
  const styled = FOLDERS.filter((name) => existsSync(new URL(`features/${name}/style.css`, WEB)));
  assert.deepEqual(
    [...readFileSync(new URL('features/list.css', WEB), 'utf8').matchAll(/^@import "(\w+)\/style\.css";$/gm)].map(
      ([, name]) => name,
    ),
    styled.sort(),
  );
  const parts = FEATURES.flatMap((feature) => feature.parts ?? []),
    exported = [];
  for (const file of readdirSync(new URL('features/', WEB), { recursive: true }).filter((name) => name.endsWith('.js')))
    exported.push(
      ...Object.values(await import(new URL(`features/${file}`, WEB))).filter(
        (value) => typeof value.mount === 'function',
      ),
    );
  assert.ok(exported.length > 20);
  assert.deepEqual(
    exported.filter((part) => !parts.includes(part)),
    [],
  );
  for (const { id, element } of parts) assert.ok(element || html.includes(`id="${id}"`), id);
});

test('features have orders and parts of the state of their own', () => {
  const orders = FEATURES.map(({ order }) => order),
    keys = FEATURES.flatMap(({ state }) => Object.keys(state({})));
  assert.deepEqual(
    orders,
    [...new Set(orders)].sort((a, b) => a - b),
  );
  assert.deepEqual(
    keys.filter((key, i) => keys.indexOf(key) !== i),
    [],
  );
  for (const { closed = {}, panels = [], disconnected = {}, draws = [], link } of FEATURES)
    for (const key of [
      ...Object.keys(closed),
      ...panels.map(({ open }) => open),
      ...Object.keys(disconnected),
      ...draws,
      ...(link?.keys ?? []),
    ])
      assert.ok(keys.includes(key), key);
});

test('the command close closes every panel that an address opens and what the features name', () => {
  const { store, actions } = page({ panels: 'markers,measure,traces,bookmarks,triggers' });
  const open = [
    'markersOpen',
    'measureOpen',
    'tracesOpen',
    'bookmarksOpen',
    'triggersOpen',
    'recordOpen',
    'controlsOpen',
    'boxing',
  ];
  store.update({ recordOpen: true, controlsOpen: true, boxing: true, box: {}, message: { text: 'x' } });
  for (const key of open) assert.equal(store.state[key], true, key);
  actions.closeAll();
  for (const key of open) assert.equal(store.state[key], false, key);
  assert.deepEqual([store.state.box, store.state.message], [null, null]);
});

test('a new address changes what it names and resets what a link without it does not have', () => {
  const { store } = page(
    parseHash('#low=1e-3&high=2000Hz&density=1&palette=gray&panels=markers&speed=3&traces=1:max-hold:max'),
  );
  const at = (hash) => store.update(changesOf(parseHash(hash), store.state));
  at('#low=5k&high=6kHz&detector=max&panels=traces&bottom=-90&top=-10');
  const { view, density, palette, speed, traces, detector, markersOpen, tracesOpen, rangeBy } = store.state;
  assert.deepEqual(
    [view, density, palette, speed, traces, detector, markersOpen, tracesOpen, rangeBy],
    [{ lowHz: 5000, highHz: 6000 }, '', 'gray', 3, [], 'max', false, true, 'user'],
  );
  assert.equal(
    hashOf(store.state).includes('low=5k&high=6k&bottom=-90&top=-10&detector=max'),
    true,
    hashOf(store.state),
  );
});

test('no module makes elements of text', () => {
  const files = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith('.js'));
  assert.ok(files.length > 100);
  for (const file of files) {
    const text = readFileSync(new URL(file, WEB), 'utf8');
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment/,
      file,
    );
    if (file !== 'util/dom.js')
      assert.doesNotMatch(text, /document\.createElement\(|function make\(/, `${file}: make() is in util/dom.js`);
  }
});

test('colours, sizes of type and distances are in tokens.css alone', () => {
  const COLOUR = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(|\b(?:white|black|red|green|blue|yellow|gr[ae]y)\b/i,
    SPACED = /^(?:(?:padding|margin)(?:-\w+)?|(?:row-|column-)?gap|font|font-size|border-radius)$/,
    LENGTH = /(?<![\w.])(?!0px)\d*\.?\d+(?:px|pt|rem)\b/;
  const tokens = readFileSync(new URL('tokens.css', WEB), 'utf8'),
    known = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  // offline.css is there without a server, and without other files of the page.
  const files = readdirSync(WEB, { recursive: true }).filter(
    (name) => name.endsWith('.css') && !['tokens.css', 'offline.css'].includes(name),
  );
  let declarations = 0,
    used = 0;
  for (const file of files) {
    const text = readFileSync(new URL(file, WEB), 'utf8').replace(/\/\*.*?\*\//gs, '');
    for (const [, property, value] of text.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)) {
      declarations++;
      const where = `${file}: ${property}: ${value}`;
      assert.doesNotMatch(value, COLOUR, where);
      if (SPACED.test(property)) assert.doesNotMatch(value, LENGTH, where);
      for (const [, name] of value.matchAll(/var\((--[\w-]+)\)/g)) {
        used++;
        assert.ok(known.has(name), `${where}: no such token`);
      }
    }
  }
  assert.ok(declarations > 500 && used > 300, `${declarations} ${used}`);
});

test('media queries have the widths of the table in page.css alone', () => {
  const table = [
    ...readFileSync(new URL('page.css', WEB), 'utf8').matchAll(/^ \*   \w+ +max-(width|height): (\d+)px/gm),
  ];
  assert.deepEqual(table.filter(([, side]) => side === 'width').length, 3);
  const allowed = new Set(
    table.flatMap(([, side, size]) => [`max-${side}: ${size}px`, `min-${side}: ${Number(size) + 1}px`]),
  );
  const files = readdirSync(WEB, { recursive: true }).filter((name) => /\.(css|js)$/.test(name));
  let queries = 0;
  for (const file of files)
    for (const [query] of readFileSync(new URL(file, WEB), 'utf8').matchAll(/@media [^{]+|matchMedia\S*\([^)]+\)/g))
      for (const [size] of query.matchAll(/(min|max)-(width|height): \d+px/g)) {
        queries++;
        assert.ok(allowed.has(size), `${file}: ${size}`);
      }
  assert.ok(queries > 30);
});
