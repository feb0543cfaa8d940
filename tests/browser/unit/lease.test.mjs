// The control lease: who may change the radio, what the panel says, and the messages of the server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf, leaseText, receiveLease, secondsLeft } from '../../../web/features/radio/lease.js';
import { receiveMessage } from '../../../web/app/server.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';

const ANN = { name: 'Ann', address: '192.0.2.1' };
const lease = (user, more = {}) => ({ user, yours: false, until: 30000, period: 30, ...more });
const HOLDER = { permitted: true, refusal: '' },
  VIEWER = { permitted: false, refusal: 'Viewing only.' };

test('the radio is changed by who has the lease, and by nobody without the token', () => {
  const cases = [
    [HOLDER, null, true],
    [HOLDER, lease(null), true],
    [HOLDER, lease(ANN, { yours: true }), true],
    [HOLDER, lease(ANN), false],
    [VIEWER, null, false],
    [VIEWER, lease(null), false],
    [VIEWER, lease(ANN), false],
  ];
  for (const [access, now, allowed] of cases)
    assert.equal(controlOf(access, now).allowed, allowed, JSON.stringify([access, now]));
  assert.equal(controlOf(HOLDER, lease(ANN)).reason, 'Ann (192.0.2.1) controls the radio.');
  assert.equal(controlOf(VIEWER, lease(ANN)).reason, 'Viewing only.');
});

test('the panel says who controls the radio and for how long', () => {
  assert.equal(leaseText(lease(ANN), true, 5500), 'Ann (192.0.2.1) controls the radio, for 25 s more.');
  assert.equal(leaseText(lease({ name: 'Ann', address: '' }), false, 0), 'Ann controls the radio, for 30 s more.');
  assert.equal(
    leaseText(lease({ name: '', address: '' }), false, 0),
    'Somebody else controls the radio, for 30 s more.',
  );
  assert.match(leaseText(lease(ANN, { yours: true }), true, 29500), /^You control the radio, for 1 s/);
  assert.match(leaseText(lease(null), true, 0), /your first change takes control/);
  assert.equal(secondsLeft(lease(ANN), 40000), 0);
});

test('a message of the server changes what this client may do, and a loss is shown', () => {
  const store = new Store(initialState({}));
  receiveMessage(store, { type: 'welcome', control: true });
  assert.deepEqual([store.state.control.allowed, store.state.lease], [true, null]);
  receiveLease(store, { type: 'lease', user: ANN, seconds: 20, period: 30, yours: false, taken: true });
  assert.deepEqual([store.state.control.allowed, store.state.control.permitted], [false, true]);
  assert.equal(store.state.message.text, 'Ann (192.0.2.1) took control of the radio.');
  assert.ok(Math.abs(store.state.lease.until - performance.now() - 20000) < 5000);
  receiveLease(store, { type: 'lease', user: null, seconds: 0, period: 30, yours: false, taken: false });
  assert.equal(store.state.control.allowed, true);
  receiveMessage(store, { type: 'welcome', control: true }); // of a server that has no leases
  assert.equal(store.state.lease, null);
});
