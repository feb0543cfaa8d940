// Tests the headroom of the converter, from the server's status (docs/api.md).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headroomOf } from '../../../web/features/spectrum/headroom.js';

const status = (headroom_db, clipped = 0) => ({ front_end: { headroom_db }, ledger: { clipped } });

test('headroom has tenths of dB, and a colour when little is left', () => {
  assert.deepEqual(headroomOf(status(10.25), null), { text: '10.3 dB', level: '' });
  assert.deepEqual(headroomOf(status(2.9), status(2.9)), { text: '2.9 dB', level: 'warn' });
});

test('samples clipped since the last status are shown, earlier ones are not', () => {
  assert.deepEqual(headroomOf(status(0, 5), status(0, 4)), { text: 'clipping', level: 'bad' });
  assert.equal(headroomOf(status(6, 5), status(0, 5)).text, '6.0 dB');
  assert.equal(headroomOf(status(6, 5), null).text, '6.0 dB', 'on connecting');
});

test('without samples, and of an older server, nothing is known', () => {
  assert.equal(headroomOf(null, null), null);
  assert.equal(headroomOf(status(null), null), null);
  assert.equal(headroomOf({ ledger: { clipped: 1 } }, null), null);
});
