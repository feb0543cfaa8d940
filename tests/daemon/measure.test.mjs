// measure.test.mjs - measurements without a browser: values, every line, reloads, mistakes, faults of the file.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerTo, call, subscribe, unsubscribe } from '../support/calls.mjs';
import {
  binary,
  change,
  lostSamples,
  readStats,
  recording as ofRadio,
  run,
  scratch,
  serve,
  until,
} from '../support/fftd.mjs';
import { encode, noise as noiseOf, sum, tone as toneOf } from '../support/signal.mjs';

const { WebSocket } = await import('ws').catch(() => ({}));

const RATE = 1e6,
  CENTER = 100e6;

/**
 * A recording: a tone of `tone` dBFS at `offset` Hz, and Gaussian noise of `noise` dBFS in all, whose density is
 * noise - 10 log10(rate) dBFS/Hz.
 */
function recording(t, samples, { tone = -Infinity, offset = 0, noise = -Infinity }) {
  const path = join(scratch(t), `x_${CENTER / 1e6}M_${RATE / 1e3}k.cf32`);
  writeFileSync(
    path,
    encode('cf32', samples, sum(toneOf(10 ** (tone / 20), offset / RATE), noiseOf(10 ** (noise / 10), 7))),
  );
  return path;
}

const rowsOf = (text) =>
  text
    .toString()
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));

/** The rows of --measure-json. */
async function measure(path, measurements, args = []) {
  const { code, stdout, stderr } = await run([
    '--replay',
    path,
    '--fft-size',
    '1024',
    '--measure-json',
    '-',
    ...measurements.flatMap((text) => ['--measure', text]),
    ...args,
  ]);
  assert.equal(code, 0, stderr);
  return rowsOf(stdout);
}

test('a tone reads its level in a channel, wherever it lies between two bins', async (t) => {
  for (const offset of [200e3, 200e3 + RATE / 1024 / 2, -123456.7]) {
    const path = recording(t, 200000, { tone: -20, offset, noise: -90 });
    const rows = await measure(path, [`channel-power,center=${CENTER + offset},width=50k`]);
    assert.ok(rows.length > 2);
    for (const { values, reason } of rows) {
      assert.equal(reason, null);
      assert.ok(Math.abs(values.power_dbfs + 20) < 0.02, `${offset}: ${values.power_dbfs} dBFS`);
      assert.equal(values.width_hz, 50e3);
    }
  }
});

test('noise reads its density', async (t) => {
  const path = recording(t, 1 << 20, { noise: -40 });
  const rows = await measure(path, [
    'channel-power,width=100k,center=100.2M,trace=average',
    'channel-power,trace=average',
  ]);
  const [channel, span] = rows.slice(-2);
  assert.equal(channel.trace_lines, rows.length / 2);
  // About 10^5 independent values in the channel: their mean power deviates by 0.014 dB.
  assert.ok(Math.abs(channel.values.density_dbfs_hz + 40 + 60) < 0.06, `${channel.values.density_dbfs_hz}`);
  assert.ok(Math.abs(channel.values.power_dbfs + 50) < 0.06, `${channel.values.power_dbfs}`);
  assert.ok(Math.abs(span.values.power_dbfs + 40) < 0.02, `${span.values.power_dbfs}`);
});

for (const name of ['wmbus_868.950M_1600k.cu8', 'modes1_1090M_2000k.cu8']) {
  const path = ofRadio(name);
  test(
    `the power of ${name} is the mean power of its samples`,
    { skip: !path && 'FFTD_IQ_DIR is not set' },
    async () => {
      const bytes = readFileSync(path);
      const power = bytes.reduce((sum, byte) => sum + ((byte - 127.5) / 127.5) ** 2, 0) / (bytes.length / 2);
      const rows = await measure(path, ['channel-power'], ['--overlap', '75', '--line-rate', '0.1']);
      assert.equal(rows.length, 1);
      const error = rows[0].values.power_dbfs - 10 * Math.log10(power);
      assert.ok(Math.abs(error) < 0.05, `${error} dB`); // frames weigh the samples of bursts unequally
    },
  );
}

test('every line of a replay is measured, and the bytes do not depend on ring or threads', async (t) => {
  const path = recording(t, 1 << 20, { tone: -10, offset: 1e5, noise: -50 });
  const folder = scratch(t),
    stats = join(folder, 'stats'),
    outputs = [];
  for (const more of [
    ['--stats', stats],
    ['--threads', '1', '--ring-size', '1M', '--csv', join(folder, 'csv')],
  ]) {
    const { code, stdout, stderr } = await run([
      '--replay',
      path,
      '--fft-size',
      '256',
      '--average',
      '4',
      ...more,
      '--measure',
      'channel-power,name=a',
      '--measure',
      'channel-power,name=b,detector=max',
      '--measure-json',
      '-',
    ]);
    assert.equal(code, 0, stderr);
    outputs.push(stdout.toString());
  }
  assert.ok(outputs[0] === outputs[1], 'the rows differ');
  const { lines } = readStats(stats),
    rows = rowsOf(outputs[0]);
  assert.ok(lines > 1000);
  assert.deepEqual(
    rows.map(({ line, name }) => `${line} ${name}`),
    Array.from({ length: 2 * lines }, (_, i) => `${Math.floor(i / 2)} ${'ab'[i % 2]}`),
  );
});

test('without a file the last results are in the summary', async (t) => {
  const path = recording(t, 100000, { tone: -20, offset: 1e5, noise: -90 });
  const { code, stdout, stderr } = await run([
    '--replay',
    path,
    '--measure',
    'channel-power,center=100.1M,width=20k,name=voice',
    '--measure',
    'channel-power,center=433M,width=20k',
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout.length, 0);
  assert.match(stderr, /fftd: voice \(channel-power\): power -20\.0\d dBFS, density -63\.0\d dBFS\/Hz, width 20 kHz\n/);
  assert.match(
    stderr,
    /fftd: channel-power \(channel-power\): the (band|channel) 432990000 Hz to 433010000 Hz is not within the span/,
  );
});

test('a mistake is one line with status 1, before anything starts', async (t) => {
  const file = join(scratch(t), 'fftd.conf');
  writeFileSync(file, '[measure voice]\ntype = chanel-power\n');
  for (const [args, line] of [
    [
      ['--measure', 'channel-power,widht=25k'],
      /^fftd: --measure channel-power: unknown key 'widht' of channel-power: did you mean width\?\n$/,
    ],
    [['--measure', 'nosuch'], /^fftd: --measure nosuch: type: unknown type 'nosuch': one of .*channel-power.*\n$/],
    [
      ['-c', file, '--check-config'],
      /^fftd: .*fftd\.conf:2: type: unknown type 'chanel-power': .* \(did you mean channel-power\?\)\n$/,
    ],
    [['--csv-format', 'mhz-dbm', '--measure', 'nosuch'], /^fftd: --measure nosuch: type: unknown type 'nosuch': .*\n$/],
    [
      ['--measure-json', '/nowhere/x', '--measure', 'channel-power'],
      /^fftd: \/nowhere\/x: No such file or directory\n$/,
    ],
  ]) {
    const { code, stdout, stderr } = await run(['--source', 'sim', '--fast', '--duration', '0.1', ...args]);
    assert.equal(code, 1);
    assert.equal(stdout.length, 0);
    assert.match(stderr, line);
  }
});

test('--check-config refuses more measurements and triggers than there may be, as a run does', async (t) => {
  const file = join(scratch(t), 'fftd.conf');
  const section = {
    measurements: (i) => `[measure m${i}]\ntype = peaks\n`,
    triggers: (i) => `[trigger t${i}]\nlevel = -20\n`,
  };
  for (const [what, most] of [
    ['measurements', 256],
    ['triggers', 64],
  ]) {
    const text = Array.from({ length: most + 1 }, (_, i) => section[what](i));
    writeFileSync(file, text.slice(0, most).join(''));
    assert.equal((await run(['--source', 'sim', '-c', file, '--check-config'])).code, 0);
    writeFileSync(file, text.join(''));
    for (const how of ['--check-config', '--fast']) {
      const { code, stderr } = await run(['--source', 'sim', '--duration', '0.1', '-c', file, how]);
      assert.equal(code, 1, how);
      assert.equal(stderr, `fftd: ${file}:${2 * most + 1}: there are at most ${most} ${what}\n`);
    }
  }
});

test('a full disk fails a replay, and a reader that leaves ends it', async () => {
  const full = await run([
    '--source',
    'sim',
    '--fast',
    '--duration',
    '0.2',
    '--measure',
    'channel-power',
    '--measure-json',
    '/dev/full',
  ]);
  assert.equal(full.code, 1);
  assert.match(full.stderr, /\/dev\/full: No space left on device/);
  for (const output of ['--measure-json', '--csv']) {
    const child = spawn(
      binary,
      ['--source', 'sim', '--fast', '--listen', 'none', '--measure', 'channel-power', output, '-'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const ended = new Promise((resolve) => {
      child.on('exit', resolve);
    });
    await new Promise((resolve) => {
      child.stdout.once('data', resolve);
    });
    child.stdout.destroy();
    const late = setTimeout(() => child.kill('SIGKILL'), 60000); // only a run that goes on takes as long
    assert.equal(await ended, 0);
    clearTimeout(late);
  }
});

test('a reload adds, changes and removes measurements', async (t) => {
  const folder = scratch(t),
    file = join(folder, 'fftd.conf'),
    json = join(folder, 'json');
  const write = (sections) =>
    writeFileSync(
      file,
      `[source]\nsource = sim\n${Object.entries(sections)
        .map(([name, keys]) => `[measure ${name}]\ntype = channel-power\n${keys}\n`)
        .join('')}`,
    );
  write({ a: 'width = 10k\ncenter = 100M', b: '' });
  const daemon = await serve(t, ['-c', file, '--measure-json', json, '--measure', 'channel-power,name=line']);
  /** The widths of the newest line, by name. */
  const newest = () => {
    const rows = readFileSync(json, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((row) => JSON.parse(row));
    return Object.fromEntries(
      rows.filter(({ line }) => line === rows.at(-1).line).map(({ name, values }) => [name, values.width_hz]),
    );
  };
  const becomes = (want) => until(JSON.stringify(want), () => JSON.stringify(newest()) === JSON.stringify(want));
  await becomes({ a: 1e4, b: 2.4e6, line: 2.4e6 });
  write({ a: 'width = 20k\ncenter = 100M', c: '' });
  daemon.child.kill('SIGHUP');
  await becomes({ a: 2e4, line: 2.4e6, c: 2.4e6 });
  assert.match(daemon.stderr, /reload: changed measure a, measure c, measure b(; outputs open their files again)?\n/);
  write({ a: 'width = 30k\ncenter = 100M', d: 'nosuch = 1' });
  daemon.child.kill('SIGHUP');
  await until('the error', () => /reload: .*fftd\.conf:\d+: unknown key 'nosuch' of channel-power/.test(daemon.stderr));
  await becomes({ a: 2e4, line: 2.4e6, c: 2.4e6 });
  const {
    measure: { measurements, missed },
    outputs,
  } = await daemon.status();
  assert.deepEqual([measurements, outputs.measure.state], [3, 'ok']);
  assert.ok(missed >= 0);
  assert.equal(await daemon.stop(), 0);
});

test('in real time many slow measurements miss lines, and no sample is lost', async (t) => {
  const slow = Array.from({ length: 200 }, (_, i) => [
    '--measure',
    `channel-power,name=m${i},trace=log-average`,
  ]).flat();
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '2M',
    '--fft-size',
    '65536',
    '--average',
    '1',
    '--overlap',
    '75',
    '--ring-size',
    '256M',
    ...slow,
  ]);
  const {
    ledger,
    measure: { lines, missed },
  } = await until('missed lines', async () => {
    const status = await daemon.status();
    return status.measure.missed > 10 && status;
  });
  assert.equal(lostSamples(ledger), 0);
  assert.ok(lines > 0 && lines + missed <= ledger.lines, `${lines} + ${missed} of ${ledger.lines}`);
});

test('HTTP answers with the newest results, and the metrics have them as gauges', async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--device',
    'scene=tone,level=-10,offset=250k,seed=1',
    '--measure',
    'channel-power,center=100.25M,width=20k,name=voice',
    '--measure',
    'channel-power,center=1G,width=20k,name=far',
  ]);
  const get = async (path) => {
    const answer = await fetch(`${daemon.url}${path}`);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const one = await until('a result', async () => {
    const { text } = await get('api/v1/measurements/voice');
    return JSON.parse(text).line !== null && JSON.parse(text);
  });
  assert.equal(one.name, 'voice');
  assert.ok(Math.abs(one.values.power_dbfs + 10) < 0.02, `${one.values.power_dbfs}`);
  assert.match(one.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const all = await get('api/v1/measurements');
  assert.equal(all.type, 'application/json');
  const { measurements } = JSON.parse(all.text);
  assert.deepEqual(
    measurements.map(({ name }) => name),
    ['voice', 'far'],
  );
  assert.deepEqual(measurements[1].values, {});
  assert.match(measurements[1].reason, /is not within the span/);
  for (const path of [
    'measure/',
    'measure/x',
    'measure/voice/',
    'measure/x/voice',
    'measure/%22',
    'measures',
    'nosuch',
  ])
    assert.equal((await get(`api/v1/${path}`)).status, 404, path);
  assert.equal((await get('api/v1/measurements?x=1')).status, 400);
  for (const path of ['spectrum?columns=10', 'status']) {
    const [first, second] = await Promise.all([get(`api/v1/${path}`), get(`api/${path}`)]);
    assert.equal(first.status, 200);
    assert.deepEqual(Object.keys(JSON.parse(first.text)), Object.keys(JSON.parse(second.text)));
  }
  const { text } = await get('metrics');
  const power = text.match(
    /^fftd_measure_value\{name="voice",type="channel-power",value="power",unit="dbfs"\} (\S+)$/m,
  );
  assert.ok(Math.abs(Number(power[1]) + 10) < 0.02, power[0]);
  assert.match(text, /^fftd_measure_valid\{name="far",type="channel-power"\} 0$/m);
});

test('results over HTTP have the keys of their set-up, as written', async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--measure',
    'channel-power,center=100.3M,width=25k,name=voice',
    '--measure',
    'obw',
  ]);
  const { measurements } = await (await fetch(`${daemon.url}api/v1/measurements`)).json();
  assert.deepEqual(
    measurements.map(({ keys }) => keys),
    [{ center: '100.3M', width: '25k' }, {}],
  );
  assert.deepEqual((await (await fetch(`${daemon.url}api/v1/measurements/voice`)).json()).keys, measurements[0].keys);
});

test('the types over HTTP are those of --list-measurements, without the keys that name files', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']),
    { stdout } = await run(['--list-measurements']);
  const { types, common } = await (await fetch(`${daemon.url}api/v1/measurement-types`)).json();
  const listed = stdout
    .toString()
    .split('\n\n')
    .map((part) => ({
      name: /^([a-z-]+): /.exec(part)?.[1],
      keys: [...part.matchAll(/^  ([a-z-]+) +[A-Z0-9]/gm)].map(([, key]) => key),
    }));
  const last = listed.pop().keys.filter((key) => key !== 'name');
  assert.deepEqual(
    types.map(({ name, keys }) => ({ name, keys: keys.map(({ key }) => key) })),
    listed.map(({ name, keys }) => ({ name, keys: keys.filter((key) => key !== 'file') })),
  );
  assert.deepEqual(
    common.map(({ key }) => key),
    last,
  );
  const width = types.find(({ name }) => name === 'channel-power').keys[1];
  assert.deepEqual(width, {
    key: 'width',
    about: 'Width of the channel; 0 takes the whole span',
    default: '0',
    expected: 'a number from 0 to 10G',
    unit: 'Hz',
    min: 0,
    max: 1e10,
  });
  assert.deepEqual(common.find(({ key }) => key === 'detector').values, ['mean', 'max', 'min', 'sample', 'median']);
  for (const { keys } of types)
    for (const key of keys) assert.ok(key.about && key.expected && key.default !== undefined, key.key);
});

test('without measurements the list is empty', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  assert.deepEqual(await (await fetch(`${daemon.url}api/v1/measurements`)).json(), { measurements: [] });
});

/** A websocket and the messages that it got, by type. */
async function connect(t, url, hello = { type: 'hello' }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3'),
    got = [];
  socket.on('message', (data, isBinary) => {
    if (!isBinary) got.push(JSON.parse(data));
  });
  t.after(() => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.on('open', resolve).on('error', reject);
  });
  const send = (message) => socket.send(JSON.stringify(message));
  send(hello);
  const all = (type) => got.filter((message) => message.type === type);
  const next = (type) => {
    const before = all(type).length;
    return until(`a message ${type}`, () => all(type)[before]);
  };
  const ask = async (message) => {
    const before = got.length;
    send(message);
    return until('an answer', () => answerTo(message, got.slice(before)));
  };
  return { send, all, next, ask };
}

test(
  'a websocket gets results while it wants them, at most ten a second',
  { skip: !WebSocket && 'node_modules is missing' },
  async (t) => {
    const daemon = await serve(t, ['--source', 'sim', '--line-rate', '200', '--measure', 'channel-power,name=a']);
    const { send, all, next } = await connect(t, daemon.url);
    const other = await connect(t, daemon.url);
    await next('status');
    assert.equal(all('measure').length, 0);
    send(subscribe('measurements'));
    const began = performance.now();
    await until('twenty messages', () => all('measure').length >= 20);
    assert.ok(performance.now() - began > 19 * 100, 'more than ten a second');
    const lines = all('measure')
      .map(({ measurements }) => measurements[0].line)
      .filter((line) => line !== null);
    assert.ok(
      lines.every((line, i) => i === 0 || line > lines[i - 1]),
      `${lines}`,
    );
    assert.equal(other.all('measure').length, 0);
    send(unsubscribe('measurements'));
    await next('status');
    const then = all('measure').length;
    await next('status');
    assert.equal(all('measure').length, then);
  },
);

test(
  'measurements change over the websocket with the token only',
  { skip: !WebSocket && 'node_modules is missing' },
  async (t) => {
    const token = 'a token of enough letters';
    const daemon = await serve(t, ['--source', 'sim', '--token', token, '--measure', 'channel-power,name=a']);
    const guest = await connect(t, daemon.url),
      owner = await connect(t, daemon.url, { type: 'hello', token });
    const names = async () =>
      (await (await fetch(`${daemon.url}api/v1/measurements`)).json()).measurements.map(({ name }) => name);
    const setup = { type: 'channel-power', center: '100.3 MHz', width: 25e3 },
      put = (values, name = 'b') => call('put', `measurements/${name}`, values);
    for (const message of [put(setup), call('delete', 'measurements/a')])
      assert.match((await guest.ask(message)).message, /needs the control token/);
    assert.deepEqual(await names(), ['a']);
    assert.equal((await owner.ask(put(setup))).type, 'done');
    assert.deepEqual(await names(), ['a', 'b']);
    const one = await until('a result', async () => {
      const found = await (await fetch(`${daemon.url}api/v1/measurements/b`)).json();
      return found.line !== null && found;
    });
    assert.ok(Math.abs(one.values.power_dbfs + 20) < 0.02, `${one.values.power_dbfs}`);
    for (const [bad, message, name] of [
      [{ ...setup, width: '25x' }, "width: bad value '25x': expected a number from 0 to 10G"],
      [setup, "name: expected 1 to 40 letters, digits, '-', '_' and '.'", 'a%2fb'],
      [{ ...setup, widht: 1 }, "unknown key 'widht' of channel-power: did you mean width?"],
    ])
      assert.equal((await owner.ask(put(bad, name))).message, message);
    assert.equal((await owner.ask(call('delete', 'measurements/a'))).type, 'done');
    assert.deepEqual(await names(), ['b']);
    assert.equal((await owner.ask(call('delete', 'measurements/a'))).message, 'there is no such measurement');
  },
);

test('PUT and DELETE change measurements with the token only', async (t) => {
  const token = 'a token of enough letters',
    bearer = { Authorization: `Bearer ${token}` };
  const daemon = await serve(t, ['--source', 'sim', '--token', token]);
  const at = (name) => `${daemon.url}api/v1/measurements/${name}`;
  const ask = (method, name, headers = bearer) => change(daemon, `measurements/${name}`, { method, headers });
  const names = async () =>
    (await (await fetch(`${daemon.url}api/v1/measurements`)).json()).measurements.map(({ name }) => name);
  const put = 'a?type=channel-power&center=100.3%20MHz&width=25k';
  assert.deepEqual(await ask('PUT', put, {}), [401, 'changes need the control token: Authorization: Bearer TOKEN']);
  assert.equal((await fetch(at(put), { method: 'PUT' })).headers.get('www-authenticate'), 'Bearer');
  assert.deepEqual(await ask('PUT', put, { Authorization: 'Bearer wrong' }), [401, 'the control token is wrong']);
  assert.equal((await ask('PUT', put, { ...bearer, Origin: 'http://evil.example' }))[0], 403);
  assert.equal((await ask('DELETE', 'a', {}))[0], 401);
  assert.deepEqual(await names(), []);
  assert.deepEqual(await ask('PUT', put), [201, 'done']);
  assert.deepEqual(await ask('PUT', put), [200, 'done']);
  assert.deepEqual(await names(), ['a']);
  const one = await until('a result', async () => {
    const found = await (await fetch(at('a'))).json();
    return found.line !== null && found;
  });
  assert.ok(Math.abs(one.values.power_dbfs + 20) < 0.02, `${one.values.power_dbfs}`);
  for (const [name, message] of [
    ['b', /^type: is missing: one of .*channel-power/],
    ['b?type=channel-power&widht=1', /^unknown key 'widht' of channel-power: did you mean width\?$/],
    ['b?type=channel-power&width=1&width=2', /^width: given twice$/],
    ['b?type=channel-power&width', /^a parameter has the form KEY=VALUE$/],
    ['b?type=channel-power&width=1%7f2', /^width: .* is not a text of one line/],
    ['b%2fc?type=channel-power', /^name: expected 1 to 40 letters/],
    ['?type=channel-power', /^name: expected 1 to 40 letters/],
  ]) {
    const [refused, message_] = await ask('PUT', name);
    assert.equal(refused, 400, name);
    assert.match(message_, message);
  }
  const post = await fetch(at('a'), { method: 'POST', headers: bearer });
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, PUT, DELETE']);
  assert.equal((await fetch(`${daemon.url}api/v1/measurements`, { method: 'PUT', headers: bearer })).status, 405);
  assert.deepEqual(await names(), ['a']);
  assert.equal((await ask('DELETE', 'b'))[0], 404);
  assert.equal((await ask('DELETE', 'a'))[0], 200);
  assert.deepEqual(await names(), []);
});

test('without a token, local programs may change measurements, and those behind a proxy may not', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const put = (headers) => fetch(`${daemon.url}api/v1/measurements/a?type=channel-power`, { method: 'PUT', headers });
  assert.equal((await put({ 'X-Forwarded-For': '203.0.113.7' })).status, 403);
  assert.equal((await put({})).status, 201);
});

const Ajv = await import('ajv').catch(() => null);
test(
  'rows of every type follow the published schema',
  { skip: Ajv === null && 'node_modules is missing (npm ci in tests/)' },
  async (t) => {
    const schema = JSON.parse(readFileSync(new URL('../../docs/schema/measure.schema.json', import.meta.url), 'utf8'));
    const valid = new Ajv.default.default({ allErrors: true, allowUnionTypes: true }).compile(schema);
    const path = recording(t, 200000, { tone: -20, offset: 1e5, noise: -60 });
    /** What a type needs besides its defaults. */
    const needs = {
      'band-power': 'start=99.8M,stop=100.2M',
      'delta-marker': 'reference=100.1M',
      acpr: 'center=100.1M,width=20k,offsets=50k',
      mask: 'upper=99.6M:-10,100.4M:-10',
      occupancy: 'start=99.8M,stop=100.2M',
    };
    const { stdout } = await run(['--list-measurements']);
    const types = [...stdout.toString().matchAll(/^([a-z-]+): /gm)].map(([, type]) => type);
    assert.ok(types.includes('channel-power'));
    const rows = await measure(path, [
      ...types.map((type) => [type, needs[type]].filter(Boolean).join(',')),
      'channel-power,center=1G,width=1k,name=far',
    ]);
    for (const row of rows) assert.ok(valid(row), `${JSON.stringify(row)}: ${JSON.stringify(valid.errors)}`);
    assert.deepEqual([...new Set(rows.map(({ type }) => type))].sort(), types.sort());
    const daemon = await serve(t, ['--source', 'sim', '--measure', 'channel-power']);
    for (const row of (await (await fetch(`${daemon.url}api/v1/measurements`)).json()).measurements)
      assert.ok(valid(row), JSON.stringify(valid.errors));
    const far = rows.find(({ name }) => name === 'far');
    assert.ok(!valid({ ...far, values: { power_dbfs: 1 } }), 'the schema accepts values with a reason');
    assert.ok(!valid({ ...far, name: 'a b' }) && !valid({ ...far, verdict: 'ok' }));
  },
);
