// Tests the status that the page puts together from changes (docs/protocol.md, status_changes).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withChanges } from '../../../web/net/status.js';

test('members of objects change one by one, other values as a whole', () => {
  const before = { a: 1, b: { c: 2, d: { e: 3, f: 4 } }, list: [1, 2], nothing: null, tree: { g: 5 } };
  const now = withChanges(before, { b: { d: { e: 6 } }, list: [7], nothing: { h: 8 }, tree: null, fresh: 9 });
  assert.deepEqual(now, { a: 1, b: { c: 2, d: { e: 6, f: 4 } }, list: [7], nothing: { h: 8 }, tree: null, fresh: 9 });
  assert.deepEqual(before, { a: 1, b: { c: 2, d: { e: 3, f: 4 } }, list: [1, 2], nothing: null, tree: { g: 5 } });
});
