// Tests the status that websockets get: each as a whole, or what changed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { set } from '../support/calls.mjs';
import { connect, runDaemon, start, until } from '../support/server/harness.mjs';

let server;
before(async () => {
  server = await start();
});
after(async () => assert.equal(await server.stop(), 0, server.errors));

test('the status is sent after the first message and every second', async () => {
  const client = await connect(server);
  client.send({ type: 'hello' });
  const welcome = await client.text('welcome');
  assert.match(welcome.version, /^\d+\.\d+\.\d+$/);
  assert.equal((await client.text('status')).state, 'running');
  await client.text('status');
  // Clients of earlier tests may have left only now.
  await until('a status without them', async () => (await client.text('status')).server.clients === 1);
  await client.close();
});

/** What docs/protocol.md says that a client makes of changes. */
function merge(status, changes) {
  for (const [key, value] of Object.entries(changes)) {
    const inner = [status[key], value].every((v) => v && typeof v === 'object' && !Array.isArray(v));
    if (inner) merge(status[key], value);
    else status[key] = value;
  }
  return status;
}

/** Takes the next text of these types. */
async function nextOf(client, ...types) {
  const at = await until(
    types.join(),
    () =>
      client.texts.some(({ type }) => types.includes(type)) && {
        index: client.texts.findIndex(({ type }) => types.includes(type)),
      },
  );
  return client.texts.splice(at.index, 1)[0];
}

/** Without what only a whole status has. */
function common({ beat_age: _, ring_fill: __, ...status }) {
  const { frames_total: ___, ...server } = status.server;
  return { ...status, server };
}

test('a client that asks for changes of the status knows as much as the others', async () => {
  const daemon = await runDaemon(['--source', 'sim', '--fft-size', '256']);
  const full = await connect(daemon),
    small = await connect(daemon);
  full.send({ type: 'hello' });
  small.send({ type: 'hello', status: 'changes' });
  const { type: first, ...mine } = await nextOf(small, 'status', 'status_changes');
  assert.equal(first, 'status');
  const reported = new Map(),
    merged = new Map(); // by their time: what each client knows
  let compared = 0,
    smallest = Infinity;
  for (let asked = false; compared < 4 || mine.wanted.average !== 7;) {
    const { type, changes, ...whole } = await nextOf(small, 'status', 'status_changes');
    if (type === 'status')
      Object.assign(mine, whole); // it missed one
    else merge(mine, changes);
    assert.ok(!changes?.beat_age && !changes?.ring_fill && !changes?.server?.frames_total, 'what always differs');
    if (changes) smallest = Math.min(smallest, JSON.stringify(changes).length);
    merged.set(mine.seconds, structuredClone(mine));
    while (full.texts.some((text) => text.type === 'status')) {
      const { type: _, ...status } = await nextOf(full, 'status');
      reported.set(status.seconds, status);
    }
    for (const [seconds, status] of merged) {
      if (!reported.has(seconds)) continue;
      assert.deepEqual(common(status), common(reported.get(seconds)));
      merged.delete(seconds);
      compared++;
    }
    if (!asked && compared > 1) full.send(set({ average: 7, center_hz: 1.01e8 }));
    asked ||= compared > 1;
  }
  assert.ok(smallest < 400, `${smallest} bytes`);
  assert.ok(!full.texts.some(({ type }) => type === 'status_changes'), 'the others get each status as a whole');
  await full.close();
  await small.close();
  assert.equal(await daemon.stop(), 0, daemon.errors);
});
