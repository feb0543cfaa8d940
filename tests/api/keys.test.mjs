// keys.test.mjs - the member `key` of a refusal names the value that is wrong: of every key of every resource, over HTTP and as a
// call of a websocket; of the parameters of streams; of the messages of websockets.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const json = { 'Content-Type': 'application/json' };
const api = async ({ url }, path) => (await fetch(`${url}api/v1/${path}`)).json();

/** An fftd that has every resource but a replay. */
async function everything(t) {
  const spurs = join(scratch(t), 'spurs');
  writeFileSync(spurs, '');
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--center',
    '100M',
    '--fft-size',
    '1024',
    '--measure',
    'channel-power,name=voice',
    '--record',
    scratch(t),
    '--spurs',
    spurs,
    '--state-dir',
    scratch(t),
    '--archive',
    scratch(t),
  ]);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  return daemon;
}

async function replay(t) {
  const path = join(scratch(t), 'x.cu8');
  writeFileSync(path, Buffer.alloc(480000, 127));
  const daemon = await serve(t, ['--replay', path, '--rate', '48k', '--realtime', '--loop']);
  await until('the replay', async () => (await api(daemon, 'replay'))?.position !== undefined);
  return daemon;
}

const overHttp =
  ({ url }) =>
  async (verb, path, body) => {
    const answer = await fetch(`${url}api/v1/${path}`, {
      method: verb.toUpperCase(),
      headers: json,
      body: JSON.stringify(body),
    });
    return { ...(await answer.json()), status: answer.status };
  };

/** Sends a message with an id of its own: its answer. */
async function messagesOf(t, { url }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3'),
    answers = new Map();
  let id = 0;
  t.after(() => socket.terminate());
  socket.on('message', (data, isBinary) => {
    const answer = isBinary ? {} : JSON.parse(data);
    if (answer.id && answer.status) answers.set(answer.id, answer);
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve).on('error', reject);
  });
  return async (message) => {
    const own = ++id;
    socket.send(JSON.stringify({ id: own, ...message }));
    return until(`the answer to ${JSON.stringify(message)}`, () => answers.get(own));
  };
}

async function overWebsocket(t, daemon) {
  const send = await messagesOf(t, daemon);
  return (verb, path, body) => send({ [verb]: `/api/v1/${path}`, body });
}

/** Sends bodies by both carriers: [verb, path, body, key, sentence], where a sentence is optional. */
async function refuse(t, daemon, rows, carriers) {
  for (const call of carriers ?? [overHttp(daemon), await overWebsocket(t, daemon)])
    for (const [verb, path, body, key, sentence] of rows) {
      const answer = await call(verb, path, body),
        what = `${verb} ${path} ${JSON.stringify(body)}: ${answer.error} (${answer.key})`;
      assert.ok(answer.status >= 400, what);
      assert.equal(answer.key, key, what);
      if (sentence) assert.match(answer.error, sentence);
    }
}

/** A list, which no key takes, and a text, which a key of numbers or choices does not. */
const badValues = (verb, path, key, others, isText) =>
  [[1], ...(isText ? [] : ['?'])].map((value) => [verb, path, { ...others, [key]: value }, key]);

/** Keys that take any text. */
const texts = { lease: ['name'], recordings: ['label'], settings: ['antenna'] };

test('every key of every resource is named if its value is bad', async (t) => {
  const daemon = await everything(t),
    { paths } = await api(daemon, 'openapi.json');
  const rows = [];
  for (const [path, operations] of Object.entries(paths))
    for (const verb of ['put', 'patch', 'post']) {
      const schema = operations[verb]?.requestBody?.content['application/json'].schema,
        at = path.slice('/api/v1/'.length).replace('{name}', 'a');
      for (const key of Object.keys(schema?.properties ?? {}))
        if (at !== 'replay') rows.push(...badValues(verb, at, key, {}, texts[at]?.includes(key)));
    }
  assert.ok(rows.length >= 20, `${rows.length}`);
  await refuse(t, daemon, rows);
});

test('every key of what a websocket alone has is named if its value is bad', async (t) => {
  const daemon = await everything(t),
    { 'x-connection': paths } = await api(daemon, 'openapi.json');
  const others = { 'connection/history': { id: 1, columns: 16 } },
    rows = [];
  for (const [path, operations] of Object.entries(paths))
    for (const [verb, { requestBody, parameters }] of Object.entries(operations)) {
      const at = path.slice('/api/v1/'.length).replace('{name}', 'a');
      const inQuery = (parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const keys = Object.keys(requestBody?.content['application/json'].schema.properties ?? {});
      for (const key of new Set([...keys, ...inQuery]))
        rows.push(...badValues(verb, at, key, others[at] ?? {}, key === 'name'));
    }
  assert.ok(rows.length >= 20, `${rows.length}`);
  rows.push(
    ['get', 'connection/history', { id: 1 }, 'columns'],
    ['get', 'connection/history', { columns: 1 }, 'id'],
    ['patch', 'connection', {}, 'name'],
    ['put', 'connection/markers', { markers: Array(17).fill({ hz: 1 }) }, 'markers'],
  );
  await refuse(t, daemon, rows, [await overWebsocket(t, daemon)]);
});

test('every setting is named if its value is bad', async (t) => {
  const daemon = await everything(t),
    { choices } = await api(daemon, 'settings');
  const keys = Object.keys(choices).filter((key) => key !== 'detector');
  assert.ok(keys.length >= 20, `${keys}`);
  await refuse(
    t,
    daemon,
    keys.flatMap((key) => badValues('put', 'settings', key, {}, texts.settings.includes(key))),
  );
});

const isText = ({ expected }) => expected === 'a text' || /any text/.test(expected);

test('every key of measurements, triggers and channels is named if its value is bad', async (t) => {
  const daemon = await everything(t);
  for (const [types, path] of [
    ['measurement-types', 'measurements'],
    ['trigger-types', 'triggers'],
  ]) {
    const all = await api(daemon, types);
    const rows = all.types.flatMap((type) =>
      [...type.keys, ...all.common].flatMap((key) =>
        badValues('put', `${path}/a`, key.key, { type: type.name }, isText(key)),
      ),
    );
    assert.ok(rows.length > 100, `${path}: ${rows.length}`);
    await refuse(t, daemon, rows);
  }
  await refuse(
    t,
    daemon,
    [
      'center',
      'rate',
      'width',
      'squelch',
      'hysteresis',
      'hang',
      'pre',
      'record',
      'max-duration',
      'mode',
      'passband',
    ].flatMap((key) => badValues('put', 'channels/a', key, key === 'center' ? {} : { center: '100M' })),
  );
});

test('every key of a replay is named if its value is bad', async (t) => {
  const daemon = await replay(t);
  await refuse(t, daemon, [
    ...['paused', 'loop', 'speed', 'position', 'from', 'to'].flatMap((key) => badValues('put', 'replay', key, {})),
    ['put', 'replay', { speed: 17 }, 'speed', /^speed: 17 is not a number from 0.1 to 16, or 0: as fast as possible$/],
    ['put', 'replay', { paused: 'maybe' }, 'paused', /^paused: "maybe" is not yes or no$/],
    ['put', 'replay', { position: '' }, 'position', /is not a time from 0 to 1000000000 s/],
    ['put', 'replay', {}, undefined, /^nothing is given/],
    ['put', 'replay', { position: 11 }, 'position', /^position: 11 s is not within the part/],
    ['put', 'replay', { from: 11 }, 'from', /^from: 11 s is not within the recording/],
    ['put', 'replay', { from: 3, to: 2 }, 'to', /^to: 2 s is not after from/],
    ['put', 'replay', { pause: true }, 'pause', /did you mean paused\?/],
  ]);
});

test('a value that does not fit its radio or the other values is named', async (t) => {
  const daemon = await everything(t);
  await refuse(t, daemon, [
    ['put', 'settings', { center: '1M' }, 'center', /did you mean center_hz\?/],
    ['put', 'settings', { 'gain.NONE': 1 }, 'gain.NONE', /no such option/],
    ['put', 'settings', { 'setting.none': 'x' }, 'setting.none', /no such option/],
    ['put', 'settings', { 'setting.none': 'a,b' }, 'setting.none', /without commas/],
    ['put', 'settings', { span: '99.9M:100.1M' }, 'span', /fits into one tuning/],
    ['put', 'lease', { name: 'x'.repeat(40) }, 'name', /^name: "x+.* is not a text of at most 32 bytes$/],
    ['put', 'measurements/a', { type: 'none' }, 'type'],
    ['put', 'measurements/a', { width: '1k' }, 'type', /type: is missing/],
    ['put', 'measurements/a', { type: 'channel-power', nonsense: 1 }, 'nonsense'],
    ['put', 'measurements/a', { type: 'channel-power', vbw: '10', trace: 'max-hold' }, 'vbw', /does not average/],
    ['put', 'measurements/a', { type: 'channel-power', center: '100M' }, 'center', /has no effect/],
    ['put', 'measurements/a', { type: 'am', math: 'relative', 'math-reference': 'x' }, 'math', /measures samples/],
    ['put', 'measurements/a', { type: 'am', detector: 'p90' }, 'detector', /no percentiles/],
    ['put', 'triggers/a', { type: 'calendar' }, 'calendar', /is missing/],
    ['put', 'triggers/a', { type: 'calendar', calendar: '06:30', every: '7h' }, 'every', /do not divide a day/],
    [
      'put',
      'triggers/a',
      { type: 'calendar', calendar: '06:30', every: '1h', duration: '2h' },
      'duration',
      /less than every/,
    ],
    ['put', 'triggers/a', { type: 'external', mode: 'free' }, 'mode', /cannot run free/],
    ['put', 'measurements/a', { type: 'acpr', offsets: '25k' }, 'width', /needs the width/],
    ['put', 'measurements/a', { type: 'band-power', start: '2M', stop: '1M' }, 'stop', /above start/],
    ['put', 'triggers/a', { type: 'external', for: '1s' }, 'for', /no frames/],
    ['put', 'triggers/a', { type: 'power' }, 'power', /is missing/],
    ['put', 'triggers/a', { type: 'measure' }, 'measure', /is missing/],
    ['put', 'triggers/a', { type: 'level', level: -20, then: 'stop' }, 'then', /only the configuration/],
    ['put', 'triggers/a', { type: 'level', level: -20, mode: 'single', count: 2 }, 'count', /ends after one/],
    ['put', 'triggers/a', { type: 'mask', hold: '1s', side: 'lower' }, 'side', /hold makes an upper limit/],
    ['put', 'triggers/a', { type: 'mask', upper: '99M:-10,101M:-10', side: 'lower' }, 'side', /has no lower limit/],
    ['put', 'channels/a', { rate: '25k' }, 'center', /is missing/],
    ['put', 'channels/a', { center: '1e15' }, 'center', /is not a number|expected a number/],
    ['put', 'channels/a', { center: '100M', record: 'iq', squelch: 'off' }, 'record', /begins by a squelch/],
    ['post', 'recordings', { pre: 1, from: '1700000000' }, 'from', /cannot be given together/],
    ['post', 'recordings', { low: '99.9M' }, 'low', /needs both/],
    ['post', 'recordings', { from: 'x' }, 'from', /is not a time/],
    ['put', 'references/a', { nonsense: 1 }, 'nonsense', /no such key/],
    ['put', 'references/a', { trace: 'clear-write', count: 7 }, 'count'],
  ]);
});

test('every parameter of a stream is named if its value is bad', async (t) => {
  const daemon = await everything(t),
    { paths } = await api(daemon, 'openapi.json');
  let named = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    if (!path.startsWith('/api/v1/') || path.includes('{') || get?.['x-right']) continue;
    const parameters = (get.parameters ?? []).filter((each) => each.in === 'query');
    const needed = Object.fromEntries(
      parameters.filter(({ required, example }) => required && example).map(({ name, example }) => [name, example]),
    );
    for (const { name } of parameters) {
      if (`${path} ${name}` === '/api/v1/events trigger') continue; // any text
      const query = {
        ...needed,
        ...(/audio|squelch|deviation|deemphasis|tone|pitch|notch|flat|mono/.test(name) && { mode: 'nfm' }),
        [name]: '?',
      };
      if (query.mode) delete query.rate_hz;
      if (name === 'id') (delete query.center_hz, delete query.rate_hz);
      const answer = await fetch(`${daemon.url.slice(0, -1)}${path}?${new URLSearchParams(query)}`),
        { error, key } = await answer.json();
      assert.ok([400, 404].includes(answer.status), `${path} ${name}: ${answer.status}`);
      assert.equal(key, name, `${path} ${name}: ${error}`);
      named++;
    }
    if (get.responses[400]) {
      const answer = await fetch(
        `${daemon.url.slice(0, -1)}${path}?${new URLSearchParams({ ...needed, nonsense: 1 })}`,
      );
      assert.equal((await answer.json()).key, 'nonsense', path);
    }
  }
  assert.ok(named > 60, `${named}`);
});

test('the key of a message of a websocket is named if its value is bad', async (t) => {
  const send = await messagesOf(t, await everything(t));
  for (const [message, key] of [
    [{ get: 5 }, 'get'],
    [{ put: '/api/v1/presets/a;b' }, 'put'],
    [{ put: '/api/v1/settings', body: 5 }, 'body'],
    [{ put: '/api/v1/settings', token: 'x' }, 'token'],
    [{ subscribe: 'nothing' }, 'subscribe'],
    [{ unsubscribe: 5 }, 'unsubscribe'],
    [{ subscribe: 'measurements', rate: 'x' }, 'rate'],
    [{ subscribe: 'measurements', nonsense: 1 }, 'nonsense'],
    [{ subscribe: 'density', coding: 'x' }, 'coding'],
    [{ subscribe: 'density', step_db: 100 }, 'step_db'],
  ]) {
    const answer = await send(message);
    assert.deepEqual([answer.status, answer.key], [400, key], JSON.stringify(answer));
  }
});

test('a sentence that begins like a key names none', async (t) => {
  const daemon = await everything(t);
  const { key } = await (await fetch(`${daemon.url}api/v1/recording-files/nothing`)).json();
  assert.equal(key, undefined);
});
