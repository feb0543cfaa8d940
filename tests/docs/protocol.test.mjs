// protocol.test.mjs - what docs/protocol.md, api.md, output.md and measurements.md say, held against golden frames and a running fftd.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import { set, subscribe } from '../support/calls.mjs';
import { run, scratch, serve, until } from '../support/fftd.mjs';
import { isBuilt } from '../support/nats.mjs';
import { documents, namesIn, root, tableBelow } from './documents.mjs';

const protocol = documents.get('docs/protocol.md'),
  api = documents.get('docs/api.md');
const output = documents.get('docs/output.md'),
  measurements = documents.get('docs/measurements.md');
const modules = join(root, 'tests/node_modules');
const { WebSocket } = await import('ws').catch(() => ({}));
const noPackages = !WebSocket && 'node_modules is missing (npm ci in tests/)';

/* ---- the table of a frame ---- */

/** Reads a value of a type of the document. */
const readers = {
  u8: (data, at) => data.readUInt8(at),
  u32: (data, at) => data.readUInt32LE(at),
  u64: (data, at) => data.readBigUInt64LE(at),
  i64: (data, at) => data.readBigInt64LE(at),
  f32: (data, at) => data.readFloatLE(at),
  f64: (data, at) => data.readDoubleLE(at),
};
const fields = tableBelow(protocol, '## Binary frames').map(([at, type, name]) => ({ at: Number(at), type, name }));

function readField(data, { at, type }) {
  const text = type.match(/^char\[(\d+)\]$/);
  return text ? data.toString('latin1', at, at + Number(text[1])).replace(/\0.*/, '') : readers[type](data, at);
}

for (const name of ['wire_spectrum', 'wire_deflated']) {
  const file = (suffix) => readFileSync(join(root, `tests/golden/${name}.${suffix}`));
  const data = file('bin'),
    golden = JSON.parse(file('json'));

  test(`the document's table reads the golden frame ${name}`, () => {
    for (const field of fields.filter((each) => each.name !== 'levels'))
      assert.equal(String(readField(data, field)), String(golden[field.name] ?? NaN), field.name);
    const payload = data.subarray(golden.header_bytes);
    const levels = golden.flags & 1 ? inflateSync(payload) : payload;
    assert.deepEqual([...levels], golden.levels);
  });

  test(`the document's table has every field of ${name}`, () => {
    assert.deepEqual(fields.map((field) => field.name).sort(), Object.keys(golden).sort());
  });
}

test('fields follow each other without a hole', () => {
  const size = (type) => Number(type.match(/\d+/)[0]) / (type.startsWith('char') ? 1 : 8);
  fields.forEach(({ at, type, name }, i) => {
    if (i > 0) assert.equal(at, fields[i - 1].at + size(fields[i - 1].type), `${name} at ${at}, ${type}`);
  });
});

/* ---- messages ---- */

test('the messages shown are JSON with their type', () => {
  const shown = protocol.fences.filter(
    ({ language, code }) => language === '' && code.startsWith('{') && !code.startsWith('{"id"'),
  );
  const types = shown.map(({ code }) => JSON.parse(code).type);
  assert.deepEqual(types, [
    'hello',
    'view',
    'credit',
    'welcome',
    'choices',
    'lease',
    'recording',
    'presets',
    'state',
    'status_changes',
    'view',
    'replay',
    'error',
    'measure',
    'event',
    'own_measure',
    'markers',
  ]);
});

test('the calls shown get the answers shown', { skip: noPackages }, async (t) => {
  const { url } = await serve(t, ['--source', 'sim']),
    socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3'),
    answers = [];
  t.after(() => socket.terminate());
  socket.on('message', (data, isBinary) => {
    if (!isBinary) answers.push(JSON.parse(data));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  const shown = protocol.fences
    .filter(({ language, code }) => language === '' && code.startsWith('{"id"'))
    .map(({ code }) => JSON.parse(code));
  assert.ok(shown.length >= 18);
  socket.send(JSON.stringify({ type: 'view', id: 1, columns: 10 })); // whose trace is stored
  await until('a line', async () => (await fetch(`${url}api/v1/spectrum`)).status === 200);
  for (let i = 0; i < shown.length; i += 2) {
    const [call, expected] = shown.slice(i, i + 2);
    socket.send(JSON.stringify(call));
    const { body, ...answer } = await until('the answer', () => answers.find(({ id }) => id === call.id));
    const { body: part, ...rest } = expected;
    assert.deepEqual(answer, rest);
    if (part) assert.deepEqual(Object.fromEntries(Object.keys(part).map((key) => [key, body[key]])), part);
  }
});

/** A websocket whose texts come by type; binary frames are left out. */
async function connect(t, url) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3');
  const waiting = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) return;
    const message = JSON.parse(data);
    const i = waiting.findIndex(({ types, id }) => (id ? message.id === id : types?.includes(message.type)));
    if (i >= 0) waiting.splice(i, 1)[0].done(message);
  });
  t.after(() => socket.terminate());
  await new Promise((done, failed) => {
    socket.on('open', done).on('error', failed);
  });
  const ask = (message, types) =>
    new Promise((done) => {
      waiting.push({ types, done });
      socket.send(JSON.stringify(message));
    });
  const call = (message) =>
    new Promise((done) => {
      waiting.push({ id: message.id, done });
      socket.send(JSON.stringify(message));
    });
  return { ask, call };
}

const simulated = (t, ...more) => serve(t, ['--source', 'sim', '--engine', 'cpu', ...more]);

/** Values for fields whose setting is empty or 0 at the start. */
const good = { center_hz: 99e6, rate_hz: 1e6, ppm: 1, bandwidth_hz: 1e6, antenna: 'RX', average: 10 };

test('every field of the table is one that set knows, by its type', { skip: noPackages }, async (t) => {
  const daemon = await simulated(t);
  const { ask, call } = await connect(t, daemon.url);
  assert.equal((await ask({ type: 'hello' }, ['welcome'])).control, true);
  const { wanted } = await daemon.status();
  const rows = tableBelow(api, '## /api/v1/settings');
  assert.deepEqual(rows.map(([field]) => namesIn(field)[0]).sort(), Object.keys(wanted).sort());
  for (const [field, type] of rows) {
    const [name] = namesIn(field);
    const value = good[name] ?? wanted[name];
    assert.equal(typeof value, type === 'number' ? 'number' : 'string', name);
    const { status, error } = await call(set({ [name]: value }));
    assert.equal(status, 200, `${name}: ${error}`);
  }
});

test('the limits of the document are those of welcome and status, and they hold', { skip: noPackages }, async (t) => {
  const daemon = await simulated(t);
  const { ask } = await connect(t, daemon.url);
  const rows = tableBelow(protocol, '### Limits as numbers');
  const documented = Object.fromEntries(
    rows.flatMap(([names, values]) => {
      const numbers = values.split(',').map(Number);
      return namesIn(names).map((name, i) => [name, numbers[i]]);
    }),
  );
  const { limits } = await ask({ type: 'hello' }, ['welcome']);
  assert.ok(Object.keys(limits).length > 10);
  assert.deepEqual(limits, documented);
  assert.deepEqual((await daemon.status()).limits, documented);
  const wide = await ask({ type: 'view', id: 1, columns: limits.columns + 1 }, ['error']);
  assert.match(wide.message, new RegExp(`from 1 to ${limits.columns}`));
  const closed = new Promise((done) => {
    const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
    socket.on('open', () => socket.send(`{"type":"hello"}${' '.repeat(limits.message_bytes - 15)}`)).on('close', done);
  });
  assert.equal(await closed, 1009);
  const other = await simulated(t, '--max-clients', '7', '--max-views', '3');
  const { all_clients: clients, all_views: views } = (await other.status()).limits;
  assert.deepEqual([clients, views], [7, 3]);
});

test('the limits in the welcome shown are those of fftd', { skip: noPackages }, async (t) => {
  const { ask } = await connect(t, (await simulated(t)).url);
  const { limits: shown } = JSON.parse(protocol.fences.find(({ code }) => code.startsWith('{"type": "welcome"')).code);
  const { limits } = await ask({ type: 'hello' }, ['welcome']);
  assert.ok(Object.keys(shown).length > 0);
  assert.deepEqual(shown, Object.fromEntries(Object.keys(shown).map((name) => [name, limits[name]])));
});

test('a measurement is set up, sent and removed', { skip: noPackages }, async (t) => {
  const daemon = await simulated(t, '--center', '433.92M');
  const { ask, call } = await connect(t, daemon.url),
    shown = protocol.fences.map(({ code }) => code).find((code) => code.startsWith('{"id": 7, "put"'));
  const put = JSON.parse(shown),
    [path] = Object.values(put).filter((value) => typeof value === 'string');
  await ask({ type: 'hello' }, ['welcome']);
  assert.equal((await call(put)).status, 201);
  let { measurements } = await ask(subscribe('measurements'), ['measure']);
  for (let i = 0; i < 100 && measurements[0].line === null; i++)
    ({ measurements } = await ask({ type: 'credit' }, ['measure']));
  assert.equal(measurements[0].name, path.replace(/.*\//, ''));
  assert.equal(measurements[0].values.width_hz, 25e3);
  assert.equal((await call({ id: 'a', delete: path })).status, 200);
  assert.deepEqual(await call({ id: 'b', delete: path }), {
    id: 'b',
    status: 404,
    error: 'there is no such measurement',
  });
});

test('the error shown is the one that fftd answers', { skip: noPackages }, async (t) => {
  const daemon = await simulated(t);
  const { ask } = await connect(t, daemon.url);
  const shown = protocol.fences.find(({ code }) => code.startsWith('{"type": "error"'));
  assert.deepEqual(await ask({ type: 'view', id: 1, columns: 0 }, ['error']), JSON.parse(shown.code));
});

test('the client of the document prints ten lines', { skip: noPackages }, async (t) => {
  const daemon = await simulated(t);
  const folder = scratch(t);
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'client.mjs'), protocol.fences.find(({ language }) => language === 'js').code);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'client.mjs'), `${daemon.url.replace('http', 'ws')}ws`],
    { timeout: 120000 },
  );
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, 10);
  // The strongest signal is the hopping one: -15 dBFS, 37.5 to 300 kHz below 100 MHz.
  for (const line of lines) {
    const [, db, mhz] = line.match(/^line \d+: (-?[\d.]+) dBFS near ([\d.]+) MHz$/) ?? [];
    assert.ok(Math.abs(Number(db) + 15) < 1 && mhz > 99.69 && mhz < 99.97, line);
  }
});

/* ---- HTTP ---- */

test('every key of /api/v1/status and of its parts is documented, and every documented one is there', async (t) => {
  const daemon = await simulated(t);
  const status = await daemon.status();
  const rows = tableBelow(api, '## /api/v1/status');
  assert.deepEqual(rows.flatMap(([keys]) => namesIn(keys)).sort(), Object.keys(status).sort());
  for (const part of ['source', 'spectrum', 'engine', 'measure', 'server']) {
    const [, contents] = rows.find(([keys]) => namesIn(keys)[0] === part);
    assert.deepEqual(namesIn(contents).sort(), Object.keys(status[part]).sort(), part);
  }
  const ledger = api.text.split('## The ledger')[1].split('\n## ')[0];
  for (const key of [...Object.keys(status.ledger), ...Object.keys(status.ledger.lost)])
    assert.ok(namesIn(ledger).includes(key), key);
});

test('every metric is documented, and every documented one is there', async (t) => {
  const pair = join(scratch(t), 'tls');
  assert.equal((await run(['make-certificate', pair])).code, 0);
  const daemon = await serve(
    t,
    [
      '--source',
      'sim',
      '--engine',
      'cpu',
      '--csv',
      '/dev/null',
      '--record',
      scratch(t),
      '--iq-history',
      '64M',
      '--rtl-tcp',
      '0',
      '--archive',
      scratch(t),
      '--state-dir',
      scratch(t),
      '--tls-certificate',
      join(pair, 'fullchain.pem'),
      '--tls-key',
      join(pair, 'privkey.pem'),
      '--trigger',
      'external,webhook=http://127.0.0.1:9/',
      ...(isBuilt() ? ['--nats', 'nats://127.0.0.1:9'] : []),
    ],
    { address: '127.0.0.1:0, tls:127.0.0.1' },
  );
  const text = await until('a webhook', async () => {
    daemon.child.kill('SIGUSR1'); // fires the trigger
    const all = await (await fetch(`${daemon.url}metrics`)).text();
    return all.includes('fftd_webhook') && all;
  });
  const samples = new Set(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => line.match(/^\w+/)[0]),
  );
  const documented = tableBelow(api, '## Metrics')
    .flatMap(([names]) => namesIn(names))
    .filter((name) => isBuilt() || !name.startsWith('fftd_nats_'));
  assert.deepEqual(documented.sort(), [...samples].sort());
});

test('the paths of the document are answered', async (t) => {
  const daemon = await simulated(
    t,
    '--archive',
    scratch(t),
    '--measure',
    'channel-power,name=NAME',
    '--trigger',
    'level=0,name=NAME',
  );
  const paths = tableBelow(api, '## Paths').map(([path]) => namesIn(path)[0]);
  assert.ok(paths.length > 25);
  for (const path of ['/', ...paths]) {
    const needs = path === '/api/v1/channel-stream' ? '?center_hz=100M&rate_hz=48k' : '';
    const { status, body } = await fetch(daemon.url + path.slice(1) + needs);
    await body?.cancel(); // a stream does not end
    const waits = /density|spectrum|history|healthz/.test(path) && status === 503; // before the first line
    const absent = /NAME|archive|survey/.test(path) && status === 404; // no recording, or no row yet
    assert.ok(
      status === 200 || waits || (absent && !/measure|trigger/.test(path)) || (status === 426 && path === '/ws'),
      `${path}: ${status}`,
    );
  }
});

test('a line of JSON has the documented keys', async () => {
  const { code, stdout } = await run([
    '--source',
    'sim',
    '--fast',
    '--lines',
    '1',
    '--json',
    '-',
    '--trigger',
    'level=0,mode=free',
  ]);
  assert.equal(code, 0);
  const keys = tableBelow(output, '## JSON').flatMap(([names]) => namesIn(names));
  assert.deepEqual(keys.sort(), Object.keys(JSON.parse(stdout.toString())).sort());
});

test('a row of a measurement has the documented keys', async () => {
  const { code, stdout } = await run([
    '--source',
    'sim',
    '--fast',
    '--lines',
    '1',
    '--measure',
    'channel-power',
    '--measure-json',
    '-',
  ]);
  assert.equal(code, 0);
  const [, , after] = measurements.text.split('\n## Set-up')[1].split('\n## ')[0].split('\n|---|---|\n');
  const keys = after
    .split('\n')
    .filter((row) => row.startsWith('|'))
    .flatMap((row) => namesIn(row.split('|')[1]));
  assert.deepEqual(keys.sort(), Object.keys(JSON.parse(stdout.toString())).sort());
});

test('the statistics have the documented keys', async () => {
  const { stdout } = await run(['--source', 'sim', '--fast', '--duration', '0.1', '--stats', '-']);
  const section = output.text.split('## Statistics')[1].split('\n## ')[0];
  const ledger = api.text.split('## The ledger')[1].split('\n## ')[0];
  const named = [...namesIn(section), ...namesIn(ledger)];
  for (const key of Object.keys(JSON.parse(stdout))) assert.ok(named.includes(key), key);
});

test('the own measurement shown is set up, sent and removed', { skip: noPackages }, async (t) => {
  const daemon = await simulated(t, '--center', '433.92M');
  const { ask, call } = await connect(t, daemon.url);
  const [put, remove] = protocol.fences
    .filter(({ code }) => /^\{"id": \d+, "(put|delete)": "\/api\/v1\/connection\/measurements\//.test(code))
    .map(({ code }) => JSON.parse(code));
  assert.equal(put.put, remove.delete);
  const { measurements } = await ask(put, ['own_measure']);
  assert.deepEqual(
    measurements.map(({ name, type, reason }) => [name, type, reason]),
    [[put.put.split('/').at(-1), put.body.type, null]],
  );
  assert.equal((await call(remove)).status, 200);
  assert.equal((await call(remove)).status, 404); // it is gone
});
