// rights.test.mjs - the row of a resource says who may call it, over HTTP and over a websocket, whatever the method is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, start, until } from '../support/server/harness.mjs';

const TOKEN = 'a token of enough letters';
const header = { Authorization: `Bearer ${TOKEN}` };

const overHttp =
  ({ url }, headers = {}) =>
  async (verb, name) => {
    const answer = await fetch(`${url}api/v1/${name}`, { method: verb.toUpperCase(), headers });
    return { status: answer.status, ...(await answer.json()) };
  };

/** @param {object} client  of the harness */
const overWebsocket = (client) => {
  let id = 0;
  return (verb, name) => client.call({ id: `right ${++id}`, [verb]: `/api/v1/${name}` });
};

/** The statuses of [GET and PUT of watch, of operate, of tune]. */
async function statuses(call) {
  const all = [];
  for (const name of ['watch', 'operate', 'tune'])
    for (const verb of ['get', 'put']) {
      const { status, ran, body, error } = await call(verb, name);
      assert.equal(Boolean(ran ?? body?.ran), status === 200, `${verb} ${name}: ${error}`);
      all.push(status);
    }
  return all;
}

test('a token is needed where the row says so, to read as to change', async () => {
  const server = await start({ token: TOKEN });
  const viewer = await connect(server),
    owner = await connect(server);
  viewer.send({ type: 'hello' });
  owner.send({ type: 'hello', token: TOKEN });
  await owner.text('welcome');
  for (const call of [
    overHttp(server),
    overHttp(server, { Authorization: 'Bearer another one' }),
    overWebsocket(viewer),
  ])
    assert.deepEqual(await statuses(call), [200, 200, 401, 401, 401, 401]);
  for (const call of [overHttp(server, header), overWebsocket(owner)])
    assert.deepEqual(await statuses(call), [200, 200, 200, 200, 200, 200]);
  await viewer.close();
  await owner.close();
  await server.stop();
});

test('a page of another origin calls nothing that needs control, and reads what does not', async () => {
  const server = await start();
  assert.deepEqual(await statuses(overHttp(server)), [200, 200, 200, 200, 200, 200]);
  assert.deepEqual(
    await statuses(overHttp(server, { Origin: 'http://elsewhere.example' })),
    [200, 403, 403, 403, 403, 403],
  );
  await server.stop();
});

test('only who has the lease tunes, to read as to change', async () => {
  const server = await start({ token: TOKEN, lease_s: 60 }),
    owner = await connect(server);
  owner.send({ type: 'hello', token: TOKEN });
  await owner.text('welcome');
  const http = overHttp(server, header),
    socket = overWebsocket(owner);
  for (const [holder, other] of [
    [socket, http],
    [http, socket],
  ]) {
    assert.equal((await holder('put', 'lease')).status, 200);
    assert.deepEqual(await statuses(holder), [200, 200, 200, 200, 200, 200]);
    assert.deepEqual(await statuses(other), [200, 200, 200, 200, 409, 409]);
  }
  await http('delete', 'lease');
  await until('nobody has it', async () => (await http('get', 'lease')).user === null);
  assert.deepEqual(await statuses(socket), [200, 200, 200, 200, 200, 200]);
  await owner.close();
  await server.stop();
});
