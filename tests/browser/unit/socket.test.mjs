// The websocket's delays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffMs } from '../../../web/net/socket.js';

test('a page is back within two seconds of a restart, and later spares a server that stays away', () => {
  let waited = 0;
  for (let attempt = 0; attempt < 100; attempt++) {
    const [least, most] = [backoffMs(attempt, 0), backoffMs(attempt, 1)];
    assert.equal(most, 2 * least, 'spread over half of it');
    if (waited < 15000) assert.ok(most <= 1500, `attempt ${attempt} after ${waited} ms`);
    if (waited > 60000) assert.equal(most, 15000, `attempt ${attempt}`);
    waited += least;
  }
});
