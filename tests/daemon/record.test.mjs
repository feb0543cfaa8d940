// record.test.mjs - recordings of the whole daemon, read by an independent reader (Python).

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, run, scratch, serve, until as wait } from '../support/fftd.mjs';
import { encode, tone } from '../support/signal.mjs';

const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');

/** What the independent reader finds in a pair; it fails if the pair is not valid. */
function check(folder, name, ...args) {
  return JSON.parse(execFileSync('python3', [reader, join(folder, name), ...args], { encoding: 'utf8' }));
}

const names = (folder, suffix = '.sigmf-meta') =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort();

const counter = [
  '--source',
  'sim',
  '--device',
  'scene=counter',
  '--format',
  'cs16',
  '--fft-size',
  '1024',
  '--center',
  '433.92M',
];

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Starts fftd and returns the child; `exited` resolves with its status. */
function start(t, args) {
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.log = '';
  child.stderr.on('data', (data) => {
    child.log += data;
  });
  child.exited = new Promise((resolve) => {
    child.on('close', resolve);
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function until(condition, what) {
  for (let i = 0; i < 6000; i++) {
    if (condition()) return;
    await pause(20);
  }
  assert.fail(`never: ${what}`);
}

const size = (folder) =>
  names(folder, '.sigmf-data').reduce((sum, name) => sum + statSync(join(folder, `${name}.sigmf-data`)).size, 0);

test('of 33 recordings at a time the last is refused with 503, as the documents say, and one that ends makes room', async (t) => {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '100k',
    '--fft-size',
    '256',
    '--record',
    scratch(t),
    '--record-min-free',
    '0',
  ]);
  const ask = async (method, path) => {
    const answer = await fetch(`${daemon.url}api/v1/recordings${path}`, { method });
    return [answer.status, await answer.json()];
  };
  await wait('samples to record', async () => (await ask('POST', '?pre=0.1&duration=600'))[0] === 201);
  for (let i = 2; i <= 32; i++) assert.deepEqual(await ask('POST', '?pre=0.1&duration=600'), [201, { id: i }]);
  const [status, { error: text }] = await ask('POST', '?pre=0.1&duration=600');
  assert.deepEqual([status, /32 recordings run already/.test(text)], [503, true], text);
  const { responses } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')).paths[
    '/api/v1/recordings'
  ].post;
  assert.match(responses[status].description, /^there are too many/);
  assert.equal((await ask('DELETE', '/1'))[0], 200);
  await wait('room', async () => (await ask('POST', '?pre=0.1&duration=600'))[0] === 201);
});

test('a recording says where the antenna was, and its replay still does', async (t) => {
  const first = join(scratch(t), 'first'),
    second = join(scratch(t), 'second');
  const place = (folder) => {
    const [name] = names(folder);
    check(folder, name);
    return JSON.parse(readFileSync(join(folder, `${name}.sigmf-meta`), 'utf8')).global['core:geolocation'];
  };
  const to = (folder) => ['--fast', '--record', folder, '--record-all'];
  await run([...counter, '--rate', '1M', '--duration', '1', '--geolocation', '-33.86,151.21,58', ...to(first)]);
  assert.deepEqual(place(first), { type: 'Point', coordinates: [151.21, -33.86, 58] });
  await run([join(first, `${names(first)[0]}.sigmf-meta`), ...to(second)]);
  assert.deepEqual(place(second), place(first));
});

test('a recording of everything has every sample, a right hash, and the fields of SigMF', async (t) => {
  const folder = join(scratch(t), 'recordings'); // is made
  const { code, stderr } = await run([
    ...counter,
    '--rate',
    '2.4M',
    '--fast',
    '--duration',
    '3',
    '--record',
    folder,
    '--record-all',
  ]);
  assert.equal(code, 0, stderr);
  const [name] = names(folder);
  assert.match(name, /^fftd_\d{8}T\d{6}Z_433\.92M_2400k$/);
  const found = check(folder, name, '--counter');
  assert.ok(found.samples >= 3 * 2400000, `${found.samples}`);
  assert.equal(found.first, 0);
  assert.equal(found.missing, 0);
  assert.equal(found.captures, 1);
  assert.equal(found.frequency, 433.92e6);
  assert.deepEqual(names(folder, '.sigmf-part'), []);
  assert.match(stderr, /recording fftd_.*_2400k: \d+ samples/);
});

test('in real time nothing is lost, and a signal ends it with a valid pair', async (t) => {
  const folder = scratch(t);
  const child = start(t, [
    ...counter,
    '--rate',
    '1M',
    '--realtime',
    '--listen',
    'none',
    '--record',
    folder,
    '--record-all',
  ]);
  await until(() => size(folder) > 2e6, 'two megabytes');
  child.kill('SIGTERM');
  await child.exited;
  const found = check(folder, names(folder)[0], '--counter');
  assert.equal(found.missing, 0, child.log);
  assert.ok(found.samples >= 500000);
});

/** The names of a process's threads, and how nice each is. */
function threadsOf(pid) {
  const stats = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8'));
  return new Map(stats.map((stat) => [/\((.*)\)/.exec(stat)[1], Number(stat.replace(/^.*\) /, '').split(' ')[16])]));
}

test('the threads of recordings have names of their own, and a lower priority than the analysis', async (t) => {
  const folder = scratch(t);
  const child = start(t, [
    ...counter,
    '--rate',
    '1M',
    '--realtime',
    '--listen',
    'none',
    '--record',
    folder,
    '--record-all',
    '--iq-history',
    '64M',
  ]);
  await until(() => size(folder) > 1e5, 'samples');
  const nice = threadsOf(child.pid);
  for (const name of ['source', 'dsp', 'recording', 'keeper', 'disk ring'])
    assert.ok(nice.has(name), `${name}: ${[...nice.keys()]}`); // else it has the name of the thread that made it
  assert.ok(nice.get('recording') > nice.get('dsp') && nice.get('dsp') === nice.get('source'), `${[...nice]}`);
  child.kill('SIGTERM');
  assert.equal(await child.exited, 0, child.log);
});

test('a replay of a recording records the same bytes, and its time', async (t) => {
  const folder = scratch(t),
    again = scratch(t);
  const samples = encode('cu8', 300000, tone(0.5, 1 / 16));
  writeFileSync(join(folder, 'x.sigmf-data'), samples);
  writeFileSync(
    join(folder, 'x.sigmf-meta'),
    JSON.stringify({
      global: { 'core:datatype': 'cu8', 'core:version': '1.2.0', 'core:sample_rate': 250e3 },
      captures: [
        { 'core:sample_start': 0, 'core:frequency': 100.1e6, 'core:datetime': '2024-05-06T07:08:09.5Z' },
        { 'core:sample_start': 100000, 'core:frequency': 101e6 },
      ],
      annotations: [],
    }),
  );
  const { code, stderr } = await run([
    '--replay',
    join(folder, 'x.sigmf-meta'),
    '--fft-size',
    '256',
    '--record',
    again,
    '--record-all',
  ]);
  assert.equal(code, 0, stderr);
  const [name] = names(again);
  assert.equal(name, 'fftd_20240506T070809Z_100.1M_250k');
  const found = check(again, name, '--same', join(folder, 'x.sigmf-data'));
  assert.equal(found.datetime, '2024-05-06T07:08:09.500000000Z');
  assert.equal(found.captures, 2);
  assert.equal(found.last_frequency, 101e6);
  assert.equal(found.last_start, 100000);
});

test('a recording of unknown time has no datetime', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'x_1000k.cu8'), encode('cu8', 50000, tone(0.5, 1 / 16)));
  await run(['--replay', join(folder, 'x_1000k.cu8'), '--record', folder, '--record-all']);
  assert.equal(check(folder, names(folder)[0]).datetime, null);
});

test('undated stays undated: in names, boxes, cuts, after a seek, and when it is replayed again', async (t) => {
  const folder = scratch(t),
    again = scratch(t),
    cuts = scratch(t);
  const raw = join(folder, 'x_100M_1000k.cu8');
  writeFileSync(raw, encode('cu8', 1000000, tone(0.5, 1 / 16)));
  const undated = (where, wanted) => {
    assert.ok(names(where).length > 0);
    for (const name of names(where)) {
      const text = readFileSync(join(where, `${name}.sigmf-meta`), 'utf8');
      assert.match(name, wanted);
      assert.doesNotMatch(name, /\d{8}T/);
      assert.doesNotMatch(text, /core:datetime|fftd:time_source/);
    }
  };
  await run(['--replay', raw, '--record', folder, '--record-all']);
  undated(folder, /^fftd_undated-0\.000s_100M_1000k$/);
  const { stderr } = await run([
    '--replay',
    join(folder, `${names(folder)[0]}.sigmf-meta`),
    '--record',
    again,
    '--record-all',
    '--csv',
    join(again, 'rows.csv'),
  ]);
  undated(again, /^fftd_undated-0\.000s_100M_1000k$/);
  assert.doesNotMatch(stderr, /according to its name/);
  assert.match(readFileSync(join(again, 'rows.csv'), 'utf8'), /^1970-01-01, 00:00:00/);
  await run(['--replay', raw, '--cut', '0.25:0.5,99.9M:100.1M', '--record', cuts]);
  undated(cuts, /^fftd_undated-0\.250s_100M_/);
  const part = scratch(t),
    sought = scratch(t);
  await run(['--replay', raw, '--from', '0.25', '--to', '0.75', '--record', part, '--record-all']);
  undated(part, /^fftd_undated-0\.250s_100M_1000k$/);
  const daemon = await serve(t, ['--replay', raw, '--speed', '0.1', '--loop', '--record', sought]);
  await fetch(`${daemon.url}api/v1/replay?position=0.5`, { method: 'PUT' });
  while ((await (await fetch(`${daemon.url}api/v1/replay`)).json()).position < 0.55); // samples from behind the seek have come, too
  const { id } = await (await fetch(`${daemon.url}api/v1/recordings?duration=0.05`, { method: 'POST' })).json();
  let found;
  do {
    found = (await (await fetch(`${daemon.url}api/v1/recordings`)).json()).recordings.find((one) => one.id === id);
  } while (found.state === 'running');
  assert.equal(found.state, 'done');
  assert.equal(found.start, '');
  undated(sought, /^fftd_undated-(0\.[5-9]|[1-9])\d*\.?\d*s_100M_1000k$/);
});

test('times at the ends of what 64 bits hold are recorded, cut, archived and asked for without an overflow', async (t) => {
  for (const [index, date] of [
    '1700-01-01T00:00:00Z',
    '1700-01-01T00:00:00+23:59',
    '1969-12-31T23:59:59.999Z',
    '2261-12-31T23:59:59Z',
  ].entries()) {
    const folder = scratch(t),
      meta = join(folder, 'x.sigmf-meta');
    writeFileSync(join(folder, 'x.sigmf-data'), encode('cu8', 20000, tone(0.5, 1 / 16)));
    writeFileSync(
      meta,
      JSON.stringify({
        global: { 'core:datatype': 'cu8', 'core:version': '1.2.0', 'core:sample_rate': 0.001 },
        captures: [{ 'core:sample_start': 0, 'core:datetime': date, 'core:frequency': 1e8 }],
        annotations: [],
      }),
    ); // 20000 samples of 1000 s each: 231 days
    for (const args of [
      ['--csv', '-', '--record', folder, '--record-all', '--trigger', 'level=-40', '--events', join(folder, 'events')],
      ['--archive', join(folder, 'archive')],
      ['--cut', '1000:1e6,99.9999999M:100.0000001M', '--record', folder],
    ]) {
      const { code, stderr } = await run([
        ...(args[0] === '--cut' ? ['--replay', meta] : [meta, '--fft-size', '64', '--rate', '1']),
        ...args,
      ]);
      assert.ok(code === 0 || code === 1, `${index}: ${stderr}`);
      assert.doesNotMatch(stderr, /runtime error|Sanitizer/);
    }
  }
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--record',
    scratch(t),
    '--archive',
    join(scratch(t), 'archive'),
  ]);
  for (const time of [
    '1700-01-01T00:00:00Z',
    '1734-01-01T00:00:00Z',
    '-9e9',
    '9e9',
    '-1e300',
    '1e300',
    'nan',
    '0',
    '2261-12-31T23:59:59Z',
    '9999-01-01T00:00:00Z',
  ]) {
    for (const [method, path] of [
      ['POST', `recordings?duration=0.01&from=${time}`],
      ['POST', `recordings?duration=1e9&from=${time}&low=99.9M&high=100.1M`],
      ['GET', `archive?from=${time}`],
      ['GET', `archive?to=${time}`],
      ['GET', `archive?from=${time}&to=${time}`],
      ['GET', `survey?width=100k&from=${time}`],
      ['GET', `survey?width=100k&from=1700-01-01T00:00:00Z&to=${time}`],
      ['GET', `events?from=${time}`],
      ['GET', `events?to=${time}`],
      ['GET', `history?from=${time}`],
    ])
      assert.match(String((await fetch(`${daemon.url}api/v1/${path}`, { method })).status), /^[24]|503/, path); // 503: no rows yet
  }
});

/* Before, fftd put the date of the replay into names alone. */
test('the date in the name of an own recording is not believed if its metadata have none', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'fftd_20261121T101500Z_100M_1000k.sigmf-data'), encode('cu8', 50000, tone(0.5, 1 / 16)));
  writeFileSync(
    join(folder, 'fftd_20261121T101500Z_100M_1000k.sigmf-meta'),
    JSON.stringify({
      global: { 'core:datatype': 'cu8', 'core:version': '1.2.0', 'core:sample_rate': 1e6 },
      captures: [{ 'core:sample_start': 0 }],
      annotations: [],
    }),
  );
  const { stdout, stderr } = await run([
    '--replay',
    join(folder, 'fftd_20261121T101500Z_100M_1000k.sigmf-meta'),
    '--csv',
    '-',
  ]);
  assert.match(stdout.toString(), /^1970-01-01, 00:00:00/);
  assert.doesNotMatch(stderr, /according to its name/);
});

test('split recordings continue without a gap', async (t) => {
  const folder = scratch(t);
  await run([
    ...counter,
    '--rate',
    '2.4M',
    '--fast',
    '--duration',
    '2',
    '--record',
    folder,
    '--record-all',
    '--record-split',
    '4M',
  ]);
  const parts = names(folder)
    .map((name) => check(folder, name, '--counter'))
    .sort((a, b) => a.first - b.first);
  assert.ok(parts.length >= 4);
  parts.forEach((part, i) => assert.equal(part.first, i ? parts[i - 1].first + parts[i - 1].samples : 0));
});

test('a full disk ends with a shorter, valid recording, a message and status 1', async (t) => {
  const folder = scratch(t);
  const { code, stderr } = await run(
    [...counter, '--rate', '1M', '--fast', '--duration', '3', '--record', folder, '--record-all'],
    { wrap: ['prlimit', '--fsize=5000001'] },
  );
  assert.equal(code, 1);
  assert.match(stderr, /recording fftd_\S+ ended: File too large; 1250000 samples/);
  assert.equal(check(folder, names(folder)[0], '--counter').samples, 1250000);
});

test('after kill -9, --repair and the next start make every recording valid', async (t) => {
  const folder = scratch(t);
  for (let round = 0; round < 5; round++) {
    const before = size(folder);
    const child = start(t, [
      ...counter,
      '--rate',
      '4M',
      '--realtime',
      '--listen',
      'none',
      '--record',
      folder,
      '--record-all',
    ]);
    await until(() => size(folder) > before + 1e6 * (round + 1), 'a megabyte more'); // repairs the one before
    child.kill('SIGKILL');
    await child.exited;
  }
  assert.equal(names(folder).length, 4);
  const { code, stdout } = await run(['--repair', folder]);
  assert.equal(code, 0);
  assert.equal(stdout.toString(), '1 recording repaired\n');
  assert.equal(names(folder).length, 5);
  for (const name of names(folder)) {
    const found = check(folder, name, '--counter');
    assert.equal(found.end, 'interrupted');
    assert.equal(found.missing, 0);
  }
  assert.deepEqual(names(folder, '.sigmf-part'), []);
});

test('a capture has the calibration of its span, and none without a table', async (t) => {
  const folder = scratch(t),
    table = join(folder, 'radio.cal');
  writeFileSync(table, 'serial = -\ndate = 2026-05-04\nuncertainty = 1.5\n433M - - -20\n434M - - -22\n436M - - -23\n');
  const recorded = async (...more) => {
    const into = scratch(t);
    const { code, stderr } = await run([
      ...counter,
      '--rate',
      '1M',
      '--fast',
      '--duration',
      '0.2',
      '--record',
      into,
      '--record-all',
      ...more,
    ]);
    assert.equal(code, 0, stderr);
    const [name] = names(into);
    check(into, name);
    return JSON.parse(readFileSync(join(into, `${name}.sigmf-meta`), 'utf8')).captures[0]['fftd:calibration'];
  };
  const { offset_db: curve, ...rest } = await recorded('--calibration', table);
  assert.deepEqual(rest, { date: '2026-05-04', uncertainty_db: 1.5 });
  // From 433.42 to 434.42 MHz: by hand, linear between the rows.
  const want = [
    [433.42e6, -20.84],
    [434e6, -22],
    [434.42e6, -22.21],
  ];
  assert.deepEqual(
    curve.map(([hz]) => hz),
    want.map(([hz]) => hz),
  );
  curve.forEach(([, db], i) => assert.ok(Math.abs(db - want[i][1]) < 1e-6, `${db}`));
  assert.equal(await recorded(), undefined);
  writeFileSync(table, 'serial = -\ndate = -\nuncertainty = -\n100M - - -20\n'); // far from the span
  assert.equal(await recorded('--calibration', table), undefined);
});

const TOKEN = 'secret-secret-secret';

/** Starts fftd in real time with a server, and waits for samples. */
async function served(t, folder, ...more) {
  const daemon = await serve(t, [
    ...counter,
    '--rate',
    '1M',
    '--realtime',
    '--ring-size',
    '16M',
    ...more,
    ...(folder ? ['--record', folder] : []),
  ]);
  const send = async (method, path, token = TOKEN) => {
    const answer = await fetch(`${daemon.url}api/v1/recordings${path}`, {
      method,
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    });
    const body = await answer.json();
    return [answer.status, body.error ?? body];
  };
  const list = async () => (await fetch(`${daemon.url}api/v1/recordings`)).json();
  await untilAsync(async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200, 'a line');
  return { daemon, send, list };
}

async function untilAsync(condition, what) {
  for (let i = 0; i < 6000; i++) {
    if (await condition()) return;
    await pause(20);
  }
  assert.fail(`never: ${what}`);
}

test('HTTP starts a recording in the past, lists it, and stops another', async (t) => {
  const folder = scratch(t);
  const { send, list } = await served(t, folder, '--token', TOKEN);
  await pause(500); // some past
  assert.deepEqual(await send('POST', '?pre=0.2&duration=300ms&label=a%20burst'), [201, { id: 1 }]);
  assert.deepEqual(await send('POST', ''), [201, { id: 2 }]);
  await untilAsync(async () => (await list()).recordings[0].samples > 100000, 'samples of the second');
  const [second] = (await list()).recordings;
  assert.equal(second.state, 'running');
  assert.deepEqual(await send('DELETE', '/2'), [200, {}]);
  await untilAsync(async () => (await list()).recordings.every(({ state }) => state === 'done'), 'the end of both');
  const {
    enabled,
    recordings: [stopped, first],
  } = await list();
  assert.equal(enabled, true);
  assert.equal(first.label, 'a burst');
  assert.equal(first.samples + first.missing, 500000);
  assert.equal(first.missing, 0);
  const files = async () => (await list()).files;
  await untilAsync(async () => (await files()).filter(({ complete }) => complete).length === 2, 'both files');
  for (const { bytes } of await files()) assert.ok(bytes > 400000, `${bytes} bytes`);
  // Last: python blocks this process for seconds, in which the server closes idle connections.
  assert.equal(check(folder, first.name, '--counter').samples, 500000);
  assert.equal(check(folder, stopped.name, '--counter').samples, stopped.samples);
});

test('only the token starts a recording, and only good parameters do', async (t) => {
  const { send, list } = await served(t, scratch(t), '--token', TOKEN);
  for (const [method, path, token, status, text] of [
    ['POST', '', null, 401, /token/],
    ['POST', '', 'wrong-wrong-wrong-wrong', 401, /token/],
    ['POST', '?duration=-1', TOKEN, 400, /^duration: "-1" is not a time from 0 to /],
    ['POST', '?pre=x', TOKEN, 400, /^pre: "x" is not a time from 0 to /],
    ['POST', '?x=1', TOKEN, 400, /"x": there is no such key \(known: pre, duration, from, low, high, label\)/],
    ['POST', `?label=${'x'.repeat(64)}`, TOKEN, 400, /^label: "x+\.\.\. is not a text of at most 63 bytes/],
    ['DELETE', '/9', TOKEN, 404, /no running recording/],
    ['DELETE', '/x', TOKEN, 404, /no running recording/],
    ['DELETE', '', TOKEN, 405, /./],
    ['PUT', '', TOKEN, 405, /./],
    ['POST', '/1', TOKEN, 405, /./],
  ]) {
    const got = await send(method, path, token);
    assert.equal(got[0], status, `${method} ${path}: ${got}`);
    assert.match(got[1], text);
  }
  assert.deepEqual((await list()).recordings, []);
});

test('without --record, recordings are off', async (t) => {
  const { send, list } = await served(t, null, '--token', TOKEN);
  assert.deepEqual(await list(), { enabled: false, recordings: [], files: [] });
  const [status, text] = await send('POST', '');
  assert.equal(status, 404);
  assert.match(text, /--record DIR/);
});

test('bad input gets one line', async () => {
  for (const [args, message] of [
    [['--record-all', '--source', 'sim'], /--record-all: no directory for recordings: give --record DIR/],
    [
      ['--source', 'sim', '--fast', '--duration', '1', '--record', '/nonexistent/x'],
      /record: \/nonexistent\/x: No such/,
    ],
    [
      ['--source', 'sim', '--fast', '--duration', '1', '--record', '/etc/hostname'],
      /\/etc\/hostname is not a directory/,
    ],
    [['--check-config', '--source', 'sim', '--record', '/etc/hostname'], /\/etc\/hostname is not a directory/],
    [['--check-config', '--source', 'sim', '--record', '/nonexistent/x'], /record: \/nonexistent\/x: No such/],
    [['--repair', '/nonexistent'], /\/nonexistent: No such file/],
  ]) {
    const { code, stderr } = await run(args);
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
