// The ledger: what its colours say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Growth, lossEntry } from '../../../web/features/status/ledger.js';

test('losses have a colour while they grow, and ten seconds after that', () => {
  const growth = new Growth();
  assert.equal(growth.isRecent(5, 0), false, 'lost before the page was opened');
  assert.equal(growth.isRecent(5, 1000), false);
  assert.equal(growth.isRecent(6, 2000), true);
  assert.equal(growth.isRecent(6, 11999), true);
  assert.equal(growth.isRecent(6, 12000), false);
  assert.equal(growth.isRecent(0, 13000), false, 'of a restarted server');
  assert.equal(growth.isRecent(1, 14000), true);
});

test('losses are named by their causes', () => {
  const lost = { overflow: 12345, overrun: 0, gap: 0, retune: 100, tail: 0 };
  assert.equal(lossEntry({ lost }).text.replaceAll('\u202f', ' '), '12 445 (overflow 12 345, retune 100)');
  assert.equal(lossEntry({ lost: { ...lost, overflow: 0, retune: 0 } }).text, 'none');
});
