// openapi.test.mjs - docs/openapi.json and the tables that are made of it, against a running fftd and a running hub.
// With --write it renews them.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { isBuilt } from '../support/nats.mjs';
import { root } from './documents.mjs';
import { has, madeIn, places } from './tables.mjs';

const { WebSocket } = await import('ws').catch(() => ({}));
const noPackages = !WebSocket && 'node_modules is missing (npm ci in tests/)';
const noHub = !isBuilt() && 'fftd was built without libnats';
const writes = process.argv.includes('--write');

const read = (file) => readFileSync(join(root, file), 'utf8');
const committed = () => JSON.parse(read('docs/openapi.json'));
const methodsOf = (operations) => ['get', 'put', 'patch', 'post', 'delete'].filter((method) => operations[method]);
const madeBy = async ({ url }) => (await fetch(`${url}api/v1/openapi.json`)).json();
const json = { 'Content-Type': 'application/json' };

/** Compares the tables of these names, or writes them. */
function check(names, document) {
  for (const name of names) {
    const file = places[name],
      text = read(file);
    assert.ok(has(text, name), `${file} has no table "${name}"`);
    const made = madeIn(text, name, document);
    if (writes) writeFileSync(join(root, file), made);
    assert.equal(read(file), made, `${file}, table "${name}": node tests/docs/openapi.test.mjs --write renews it`);
  }
}

test('document and tables are those that fftd makes of its rows', async (t) => {
  const made = await madeBy(await serve(t, ['--source', 'sim']));
  if (writes) writeFileSync(join(root, 'docs/openapi.json'), `${JSON.stringify(made, null, 1)}\n`);
  assert.deepEqual(committed(), made, 'node tests/docs/openapi.test.mjs --write renews it');
  for (const path of [
    '/api/v1/settings',
    '/api/v1/recordings',
    '/api/v1/measurements/{name}',
    '/api/v1/spectrum',
    '/healthz',
  ])
    assert.ok(made.paths[path], path);
  check(['paths', 'rights', 'calls', 'keys', 'topics'], made);
});

const withConnection = ({ paths, 'x-connection': own }) => ({ ...paths, ...own });

/** Every method with its right and its example of a body, if it has one: [path, method, example]. */
const calls = (paths = committed().paths) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    methodsOf(operations)
      .filter((method) => operations[method]['x-right'])
      .map((method) => [path, method, operations[method].requestBody?.content['application/json'].example]),
  );
const examples = (wanted, paths) => calls(paths).filter(([path, , example]) => example && wanted(path));

/** An fftd where every example may succeed. */
function everything(t) {
  const spurs = join(scratch(t), 'spurs');
  writeFileSync(spurs, '');
  return serve(t, [
    '--source',
    'sim',
    '--record',
    scratch(t),
    '--spurs',
    spurs,
    '--state-dir',
    scratch(t),
    '--trigger',
    'level=0,name=a',
  ]);
}

const ofReplay = (path) => path === '/api/v1/replay';

/** Sends examples with `send`, which resolves to {status, location, text}. Returns how many. */
async function sendAll(daemon, wanted, send, paths) {
  let sent = 0;
  for (const [path, method, example] of examples(wanted, paths)) {
    const { status, location, text } = await send(path.replace('{name}', 'a'), method, example);
    assert.ok([200, 201, 202].includes(status), `${method} ${path}: ${text}`);
    if (status === 201) assert.equal((await fetch(daemon.url.slice(0, -1) + location)).status, 200, path);
    sent++;
  }
  return sent;
}

const overHttp =
  ({ url }) =>
  async (path, method, example) => {
    const answer = await fetch(url.slice(0, -1) + path, {
      method: method.toUpperCase(),
      headers: json,
      body: JSON.stringify(example ?? {}),
    });
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  };

/** Calls over one websocket. */
async function overWebsocket(t, { url }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3'),
    answers = [];
  let id = 0;
  t.after(() => socket.terminate());
  socket.on('message', (data, isBinary) => {
    if (!isBinary) answers.push(JSON.parse(data));
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve).on('error', reject);
  });
  return async (path, method, example) => {
    const own = ++id;
    socket.send(JSON.stringify({ id: own, [method]: path, body: example }));
    const { status, location, error } = await until('the answer', () =>
      answers.find((each) => each.id === own && each.status),
    );
    return { status, location, text: error };
  };
}

test('every method that takes keys has an example', () => {
  const paths = withConnection(committed());
  for (const [path, method, example] of calls(paths)) {
    const { schema } = paths[path][method].requestBody?.content['application/json'] ?? {};
    if (schema && (schema.additionalProperties || Object.keys(schema.properties).length > 0))
      assert.ok(example, `${method} ${path}`);
  }
});

test('every example of a body is accepted, and changes what its path says', async (t) => {
  const daemon = await everything(t);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  const sent = await sendAll(daemon, (path) => !ofReplay(path), overHttp(daemon));
  assert.ok(sent >= 8, `${sent}`);
  const { settings } = await (await fetch(`${daemon.url}api/v1/settings`)).json();
  assert.deepEqual([settings.center_hz, settings.window], [433.92e6, 'hann']);
});

test('every example of a body is accepted as a call of a websocket', { skip: noPackages }, async (t) => {
  const daemon = await everything(t);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  const sent = await sendAll(
    daemon,
    (path) => !ofReplay(path),
    await overWebsocket(t, daemon),
    withConnection(committed()),
  );
  assert.ok(sent >= 10, `${sent}`);
});

test(
  'the examples of a replay pause the replay of a recording, over HTTP and as calls',
  { skip: noPackages },
  async (t) => {
    const path = join(scratch(t), 'x.cu8');
    writeFileSync(path, Buffer.alloc(480000, 127));
    const daemon = await serve(t, ['--replay', path, '--rate', '48k', '--realtime', '--loop']);
    const paused = async () => (await (await fetch(`${daemon.url}api/v1/replay`)).json()).paused;
    for (const send of [overHttp(daemon), await overWebsocket(t, daemon)]) {
      assert.equal(await paused(), false);
      assert.equal(await sendAll(daemon, ofReplay, send), 2);
      await until('the pause', paused);
      await send('/api/v1/replay', 'put', { paused: false });
      await until('its end', async () => !(await paused()));
      await send('/api/v1/lease', 'delete');
    }
  },
);

test('a hub has the paths and methods that its document describes', { skip: noHub }, async (t) => {
  const daemon = await serve(t, ['--hub', 'nats://127.0.0.1:1']),
    made = await madeBy(daemon);
  check(['hub'], made);
  for (const [path, operations] of Object.entries(made.paths)) {
    const url = daemon.url.slice(0, -1) + path.replace('{radio}', 'a.b').replace('{name}', 'a.b');
    const allow = (await fetch(url, { method: 'OPTIONS' })).headers.get('allow').toLowerCase().split(', ');
    assert.deepEqual(allow.filter((method) => method !== 'head').sort(), methodsOf(operations).sort(), path);
    if (path.includes('{')) continue;
    const answer = await fetch(url),
      type = (answer.headers.get('content-type') ?? '').split(';')[0];
    assert.ok(operations.get.responses[answer.status], `${path}: ${answer.status}`);
    if (answer.status === 200) assert.ok(type in operations.get.responses[200].content, `${path}: ${type}`);
  }
  for (const path of Object.keys(committed()['x-connection'])) assert.ok(!made.paths[path], path);
  for (const path of Object.keys(committed().paths).filter((each) => committed().paths[each].get['x-right']))
    assert.ok(made.paths[path.replace('/v1/', '/v1/radios/{radio}/')], path);
});

test('a running fftd has the paths, methods, parameters and types described', async (t) => {
  const { paths } = committed();
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--measure',
    'channel-power,name=a',
    '--trigger',
    'level=0,name=a',
    '--archive',
    scratch(t),
    '--archive-tiers',
    '1ms:1h',
  ]);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  await fetch(`${daemon.url}api/v1/density`);
  await until('a row of the archive', async () => (await fetch(`${daemon.url}api/v1/archive`)).status === 200);
  await until('a density', async () => (await fetch(`${daemon.url}api/v1/density`)).status === 200);
  for (const path of Object.keys(paths)) {
    const { get } = paths[path],
      needed = (get.parameters ?? []).filter(({ required, example }) => required && example);
    const query = new URLSearchParams(needed.map(({ name, example }) => [name, example])).toString();
    const bare = daemon.url.slice(0, -1) + path.replace('{name}', 'a'),
      url = `${bare}?${query}`;
    if (query) assert.equal((await fetch(bare)).status, 400, `${path} without ${query}`);
    const answer = await fetch(url),
      type = (answer.headers.get('content-type') ?? '').split(';')[0];
    assert.ok(get.responses[answer.status], `${path}: ${answer.status}`);
    if (answer.status === 200) assert.ok(type in get.responses[200].content, `${path}: ${type}`);
    await answer.body?.cancel(); // some do not end
    if (get.responses[400]) assert.equal((await fetch(`${url}&nonsense=1`)).status, 400, path);
    for (const { name, schema } of (get.parameters ?? []).filter((each) => each.in === 'query'))
      for (const value of schema.enum ?? [])
        assert.equal((await fetch(`${url}&${name}=${value}`)).status, 200, `${path}?${name}=${value}`);
    const allow = (await fetch(bare, { method: 'OPTIONS' })).headers.get('allow').toLowerCase().split(', ');
    assert.deepEqual(allow.filter((method) => method !== 'head').sort(), methodsOf(paths[path]).sort(), path);
  }
});
