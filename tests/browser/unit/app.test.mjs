// The store, the actions and the tables of keys and panels, without a browser.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Actions } from '../../../web/app/actions.js';
import { receiveLink, receiveMessage } from '../../../web/app/server.js';
import { initialState, Store } from '../../../web/app/state.js';
import { COMMANDS, commandOf, keyText, titleOf } from '../../../web/ui/commands.js';

const WEB = new URL('../../../web/', import.meta.url);

/** A store with its actions; server.sent: what was asked of the server. */
function page(hash = {}, connected = true) {
  const store = new Store(initialState(hash)), sent = [];
  const server = { open: (token) => sent.push({ token }), set: (fields) => connected && sent.push(fields) > 0 };
  return { store, actions: new Actions(store, server), sent };
}

// 2 MS/s around 100 MHz in 2000 bins of 1 kHz: the span is 98.9995 to 100.9995 MHz.
const FRAME = { centerHz: 100e6, rateHz: 2e6, n: 2000, columns: 4,
  levels: Uint8Array.of(10, 20, 20, 90), offsetDb: -100, stepDb: 1, peakDb: -10 };
const SPAN = { lowHz: 98.9995e6, highHz: 100.9995e6 };

test('a_listener_is_called_at_once_and_after_a_change_of_its_keys_only', () => {
  const { store } = page(), seen = [];
  store.subscribe(['detector', 'palette'], ({ detector, palette }) => seen.push(`${detector} ${palette}`));
  store.update({ paused: true });
  store.update({ detector: 'mean' }); // as it was
  store.update({ detector: 'max', palette: 'gray' });
  assert.deepEqual(seen, ['mean viridis', 'max gray']);
});

test('an_update_by_a_listener_reaches_the_listeners_after_it', () => {
  const { store } = page(), seen = [];
  store.subscribe(['detector'], ({ detector }) => { if (detector === 'max') store.update({ palette: 'gray' }); });
  store.subscribe(['detector', 'palette'], ({ detector, palette }) => seen.push(`${detector} ${palette}`));
  store.update({ detector: 'max' });
  assert.equal(seen.at(-1), 'max gray');
});

test('a_view_that_a_retune_has_left_becomes_the_whole_span', () => {
  const { store, actions } = page({ low: 99.5e6, high: 100.5e6 });
  actions.takeFrame(FRAME);
  assert.deepEqual(store.state.shownView, { lowHz: 99.5e6, highHz: 100.5e6 });
  actions.takeFrame({ ...FRAME, centerHz: 868e6 });
  assert.equal(store.state.view, null);
  assert.deepEqual(store.state.shownView, { lowHz: 866.9995e6, highHz: 868.9995e6 });
});

test('a_frame_of_the_same_view_is_no_change_of_the_view', () => {
  const { store, actions } = page(), seen = [];
  actions.takeFrame(FRAME);
  store.subscribe(['shownView'], ({ shownView }) => seen.push(shownView.lowHz));
  actions.takeFrame({ ...FRAME });
  actions.takeFrame({ ...FRAME, centerHz: 868e6 });
  assert.deepEqual(seen, [98.9995e6, 866.9995e6]);
});

test('zooming_out_to_the_span_asks_for_the_whole_span', () => {
  const { store, actions } = page({ low: 99.5e6, high: 100.5e6 });
  actions.zoomView(0.1, 0.5);
  assert.notEqual(store.state.view, null, 'without a frame there is no span to zoom in');
  actions.takeFrame(FRAME);
  actions.zoomView(0.1, 0.5);
  assert.equal(store.state.view, null);
  assert.deepEqual(store.state.shownView, SPAN);
});

test('a_range_is_the_users_until_it_is_fitted', () => {
  const { store, actions } = page();
  actions.shiftRangeDb(5);
  assert.deepEqual([store.state.range, store.state.rangeBy], [{ bottomDb: -115, topDb: 5 }, 'user']);
  actions.takeFrame(FRAME);
  actions.fitRange();
  assert.equal(store.state.rangeBy, 'auto');
  assert.ok(store.state.range.topDb > -10 && store.state.range.bottomDb <= -80);
});

test('the_speed_stays_between_1_and_8_pixels', () => {
  const { store, actions } = page({ speed: 7 });
  for (const expected of [8, 8]) { actions.stepSpeed(1); assert.equal(store.state.speed, expected); }
  actions.changeSpeed(-3);
  assert.equal(store.state.speed, 1);
});

test('a_set_message_without_a_connection_fails', () => {
  const { store, actions } = page({}, false);
  actions.set({ gain: 'auto' });
  assert.deepEqual(store.state.setResult, { kind: 'failed', text: 'Not connected.', from: 'radio', field: '' });
});

test('a_refused_token_is_said_to_be_refused_and_a_lost_link_takes_control_away', () => {
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

test('every_command_has_a_name_of_its_own_and_can_be_reached_by_its_keys', () => {
  const names = COMMANDS.map(({ id }) => id);
  assert.deepEqual(names, [...new Set(names)]);
  for (const command of COMMANDS) {
    assert.ok(command.label && command.group, command.id);
    for (const key of command.keys) {
      const before = COMMANDS.slice(0, COMMANDS.indexOf(command)).filter(({ keys }) => keys.includes(key));
      assert.ok(before.every(({ when }) => when), `${key} never runs ${command.id}`);
    }
  }
});

test('every_button_of_a_command_names_one_that_exists', () => {
  const html = readFileSync(new URL('index.html', WEB), 'utf8');
  const named = [...html.matchAll(/data-command="([^"]*)"/g)].map(([, id]) => id);
  assert.ok(named.length > 0);
  for (const id of named) assert.ok(COMMANDS.some((command) => command.id === id), id);
});

test('a_key_is_shown_as_it_is_labelled_on_a_keyboard', () => {
  assert.deepEqual(['a', '?', ' ', 'Escape', 'ArrowLeft', 'Shift+ArrowLeft', '+'].map(keyText),
    ['A', '?', 'Space', 'Esc', '\u2190', 'Shift \u2190', '+']);
  const { state } = page().store;
  assert.equal(titleOf(/** @type {any} */ (commandOf(' ', state))), 'Pause and resume (Space)');
});

test('every_panel_is_mounted_by_main_and_has_an_element_of_its_id', async () => {
  const html = readFileSync(new URL('index.html', WEB), 'utf8'), main = readFileSync(new URL('main.js', WEB), 'utf8');
  const files = readdirSync(new URL('features/', WEB), { recursive: true }).filter((name) => name.endsWith('.js'));
  let panels = 0;
  for (const file of files) {
    const exported = Object.values(await import(new URL(`features/${file}`, WEB)));
    const [panel] = exported.filter((value) => typeof value.mount === 'function');
    if (!panel) continue;
    panels++;
    assert.match(html, new RegExp(`id="${panel.id}"`), file);
    assert.ok(main.includes(`'./features/${file}'`), file);
  }
  assert.ok(panels > 20);
});
