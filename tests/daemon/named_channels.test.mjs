// named_channels.test.mjs - [channel NAME]: transmissions as events, states, changes while fftd runs, readers.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { subscribe } from '../support/calls.mjs';
import { change, run, scratch, serve, until } from '../support/fftd.mjs';
import { complexHz, floats, hears, readerOf, sineHz } from '../support/listening.mjs';
import { encode, noise, tone } from '../support/signal.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});
const RATE = 240e3,
  BLOCK_S = 0.006;

/** Noise, and transmissions at 433.83 MHz: [from, to] in seconds. */
function recording(seconds, transmissions) {
  const path = join(scratch(), 'x.cs16'),
    hiss = noise(0.001, 1),
    carrier = tone(0.25, 30e3 / RATE);
  writeFileSync(
    path,
    encode('cs16', seconds * RATE, (i) => {
      const [re, im] = hiss(i),
        [a, b] = carrier(i);
      const on = transmissions.some(([from, to]) => i >= from * RATE && i < to * RATE) ? 1 : 0;
      return [re + on * a, im + on * b];
    }),
  );
  return path;
}
const replay = (path, ...more) => ['--replay', path, '--rate', '240k', '--center', '433.8M', ...more];

function configuration(text) {
  const path = join(scratch(), 'fftd.conf');
  writeFileSync(path, text);
  return path;
}

const body = (keys) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(keys) });
const channels = async ({ url }) => (await (await fetch(`${url}api/v1/channels`)).json()).channels;
const named = async (daemon, name) => (await channels(daemon)).find((c) => c.name === name);

test('each transmission is an event, exact to a block, and a channel beside it has none', async () => {
  const spans = [
    [0.5, 0.9],
    [1.5, 1.75],
    [2.3, 2.5],
  ];
  const config = configuration('[channel tower]\ncenter = 433.83M\n[channel ground]\ncenter = 433.78M\nsquelch = 3\n');
  const { code, stdout, stderr } = await run(replay(recording(3, spans), '-c', config, '--events', '-'));
  assert.equal(code, 0, stderr);
  const [head, ...rows] = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(', '));
  const events = rows.map((row) => Object.fromEntries(row.map((value, i) => [head[i], value])));
  assert.deepEqual(
    events.map((e) => [e.trigger, e.type]),
    spans.map(() => ['tower', 'channel']),
  );
  events.forEach((e, i) => {
    const [from, to] = spans[i],
      start = e.first_sample / RATE,
      end = start + Number(e.duration_s);
    assert.ok(Math.abs(start - from) <= BLOCK_S, `${start}, not ${from}`);
    assert.ok(Math.abs(end - to) <= 2 * BLOCK_S, `${end}, not ${to}`);
    assert.ok(Math.abs(e.peak_dbfs - 20 * Math.log10(0.25)) < 0.1, `${e.peak_dbfs} dBFS`);
  });
});

/** The recordings of a folder: name, metadata, samples as pairs of numbers. */
function recordings(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sigmf-meta'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -11),
        bytes = readFileSync(join(folder, `${name}.sigmf-data`));
      /** The mean power of samples i .. i + 199, dBFS. */
      const level = (i) => {
        let sum = 0;
        for (let at = 8 * i; at < 8 * (i + 200); at += 4) sum += bytes.readFloatLE(at) ** 2;
        return 10 * Math.log10(sum / 200);
      };
      return { name, meta: JSON.parse(readFileSync(join(folder, file), 'utf8')), samples: bytes.length / 8, level };
    });
}

test('each transmission is a recording, which begins half a second before the carrier', async () => {
  const spans = [
    [0.8, 1.2],
    [2.2, 2.35],
    [3, 3.08],
  ]; // the last is too short
  const config = configuration('[channel tower]\ncenter = 433.83M\nrecord = iq\n'),
    folder = scratch();
  const { code, stderr } = await run(replay(recording(4, spans), '-c', config, '--record', folder));
  assert.equal(code, 0, stderr);
  const all = recordings(folder);
  assert.equal(all.length, 2);
  all.forEach(({ name, meta, samples, level }, i) => {
    const [from, to] = spans[i],
      rate = 25000,
      [capture] = meta.captures;
    assert.match(name, /^fftd_(undated|\d).*_tower_433\.83M_25k$/);
    assert.equal(meta.global['core:sample_rate'], rate);
    assert.equal(capture['core:frequency'], 433.83e6);
    const start = capture['core:global_index'] / rate,
      end = start + samples / rate;
    assert.ok(start <= from - 0.5 && start > from - 0.52, `${start}`);
    assert.ok(Math.abs(end - to - 0.2) < 0.02, `${end}`); // the squelch hangs for so long
    const carrier = Math.round((from - start) * rate);
    assert.ok(Math.abs(level(carrier + 100) - 20 * Math.log10(0.25)) < 0.1, `${level(carrier + 100)}`);
    assert.ok(level(carrier - 300) < -38);
    assert.ok(level(Math.round((to - start) * rate) + 100) < -38);
  });
});

test('a recording ends at max-duration and at the bytes of an hour, and is in cs16 if that is asked', async () => {
  const file = recording(3, [[0.6, 2.6]]);
  const one = async (text, ...more) => {
    const folder = scratch();
    const { code, stderr } = await run(
      replay(
        file,
        '-c',
        configuration(`[channel t]\ncenter = 433.83M\nrecord = iq\n${text}`),
        '--record',
        folder,
        ...more,
      ),
    );
    assert.equal(code, 0, stderr);
    return { all: recordings(folder), stderr };
  };
  const short = await one('max-duration = 1\n');
  assert.deepEqual(
    short.all.map((r) => [r.samples, r.meta.global['fftd:end']]),
    [[25000, 'max-duration']],
  );
  const limited = await one('rate = 200k\n', '--record-events-max', '1M');
  assert.equal(limited.all.length, 1);
  assert.equal(limited.all[0].meta.global['fftd:end'], 'record-events-max');
  assert.ok(limited.all[0].samples * 8 <= 1048576 && limited.all[0].samples * 8 > 1030000);
  assert.match(limited.stderr, /1 events? (is|are) not recorded: record-events-max allows/);
  const cs16 = await one('max-duration = 1\n', '--cut-format', 'cs16');
  assert.deepEqual([cs16.all[0].meta.global['core:datatype'], cs16.all[0].samples], ['ci16_le', 12500]);
});

/** A tone at 100.125 MHz. */
async function radio(t, ...more) {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--center',
    '100M',
    '-d',
    'scene=tone,level=-20,offset=125k',
    ...more,
  ]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  return daemon;
}

test('a channel waits armed, is open while somebody transmits, idle without a reader, and outside where the radio is not', async (t) => {
  const config = configuration(
    '[channel on]\ncenter = 100.125M\n[channel off]\ncenter = 100.9M\nrate = 24k\n'
      + '[channel mute]\ncenter = 100.125M\nsquelch = off\n[channel away]\ncenter = 200M\n',
  );
  const daemon = await radio(t, '-c', config);
  const states = async () => (await channels(daemon)).map((c) => `${c.name} ${c.state}`).join(', ');
  await until('states', async () => (await states()) === 'on open, off armed, mute idle, away outside');
  const on = await named(daemon, 'on');
  assert.equal(on.transmissions, 1);
  assert.ok(Math.abs(on.level_dbfs + 20) < 0.1);
  assert.equal((await named(daemon, 'off')).samples, 0);
  const { events } = await (await fetch(`${daemon.url}api/v1/events`)).json();
  assert.deepEqual(
    events.map((e) => [e.trigger, e.type, e.open]),
    [['on', 'channel', true]],
  );
});

test('a named channel is read by its name, by several, and one without a squelch runs while it is read', async (t) => {
  const daemon = await radio(t, '-c', configuration('[channel a]\ncenter = 100.12M\nrate = 48k\nsquelch = off\n'));
  const answers = [],
    stop = new AbortController();
  t.after(() => stop.abort());
  for (let i = 0; i < 2; i++) {
    const answer = await fetch(`${daemon.url}api/v1/channel-stream?id=a&format=cf32`, { signal: stop.signal });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-fftd-rate-hz'), '48000');
    answers.push(readerOf(answer));
  }
  for (const stream of answers) {
    const bytes = await stream.read(48000 * 8);
    assert.ok(Math.abs(complexHz(bytes.subarray(8 * 999, 8 * 40000), 48000) - 5000) < 0.5);
  }
  assert.equal((await named(daemon, 'a')).state, 'open');
  stop.abort();
  await until('it is idle', async () => (await named(daemon, 'a')).state === 'idle');
  for (const [query, status] of [
    ['id=b', 404],
    ['id=a&rate_hz=48k', 400],
  ])
    assert.equal((await fetch(`${daemon.url}api/v1/channel-stream?${query}`)).status, status, query);
});

test('a channel without a squelch moves with its readers, and one with a squelch is another one', async (t) => {
  const daemon = await radio(t),
    stop = new AbortController();
  t.after(() => stop.abort());
  const put = (keys) => change(daemon, 'channels/a', body({ rate: '48k', ...keys }));
  assert.deepEqual(await put({ center: '100.12M', squelch: 'off' }), [201, 'done']);
  const answer = await fetch(`${daemon.url}api/v1/channel-stream?id=a&format=cf32`, { signal: stop.signal });
  const stream = readerOf(answer),
    hz = (bytes) => complexHz(bytes, 48e3),
    { id } = await named(daemon, 'a');
  await hears(stream, 5000, 1, 48e3 * 8, hz);
  assert.deepEqual(await put({ center: '100.1238M', squelch: 'off' }), [200, 'done']);
  await hears(stream, 1200, 60, 48e3 * 8, hz);
  assert.equal((await named(daemon, 'a')).id, id);
  assert.deepEqual(await put({ center: '100.1238M', squelch: '6' }), [200, 'done']);
  await stream.end();
  const armed = (await named(daemon, 'a')).id;
  assert.deepEqual(await put({ center: '100.124M', squelch: '6' }), [200, 'done']);
  assert.notEqual((await named(daemon, 'a')).id, armed);
});

test('the audio of a named channel has its mode, and follows it', async (t) => {
  const daemon = await radio(t),
    stop = new AbortController();
  t.after(() => stop.abort());
  const put = (keys) => change(daemon, 'channels/rig', body({ squelch: '3', mode: 'usb', passband: '4k', ...keys }));
  const listen = (query) => fetch(`${daemon.url}api/v1/channel-stream?id=rig&${query}`, { signal: stop.signal });
  assert.deepEqual(await put({ center: '100.124M' }), [201, 'done']);
  const answer = await listen('format=f32&audio_rate_hz=16k'),
    stream = readerOf(answer);
  assert.deepEqual(
    ['mode', 'center-hz', 'audio-rate-hz'].map((name) => answer.headers.get(`x-fftd-${name}`)),
    ['usb', '100124000', '16000'],
  );
  const listed = await named(daemon, 'rig');
  assert.deepEqual([listed.mode, listed.passband_hz], ['usb', 4000]);
  const hz = (bytes) => sineHz(floats(bytes), 16e3);
  await hears(stream, 1000, 10, 16e3 * 4, hz);
  assert.deepEqual(await put({ center: '100.1238M' }), [200, 'done']); // 200 Hz below: the tone rises
  await hears(stream, 1200, 60, 16e3 * 4, hz);
  assert.equal((await channels(daemon)).find((c) => c.audio)?.center_hz, 100.1238e6 + 300 + 2e3); // the middle of 300 to 4300 Hz
  const lower = await listen('mode=lsb');
  assert.equal(lower.headers.get('x-fftd-mode'), 'lsb');
  assert.equal((await listen('format=cs16')).headers.get('x-fftd-rate-hz'), '25000');
  assert.deepEqual(await put({ center: '100.1238M', mode: 'am' }), [200, 'done']); // another channel: listeners begin anew
  await stream.end();
  await readerOf(lower).end();
});

test('a mode refuses a passband that it cannot have, in a request and in the file', async (t) => {
  const daemon = await radio(t);
  for (const [keys, key, sentence] of [
    [{ mode: 'wfm', passband: '5k' }, 'passband', /^passband = 5000: mode wfm takes 80000 to 234000 Hz$/],
    [{ passband: '5k' }, 'passband', /^passband: needs a mode/],
    [{ mode: 'fm' }, 'mode', /^mode: /],
    [{ mode: 'nfm', passband: 'wide' }, 'passband', /^passband: /],
  ]) {
    const answer = await fetch(`${daemon.url}api/v1/channels/a`, {
      method: 'PUT',
      ...body({ center: '100M', ...keys }),
    });
    const refusal = await answer.json();
    assert.deepEqual([answer.status, refusal.key], [400, key], refusal.error);
    assert.match(refusal.error, sentence);
  }
  const config = configuration('[channel a]\ncenter = 100M\nmode = wfm\npassband = 5k\n');
  const { code, stderr } = await run(['--source', 'sim', '-c', config, '--check-config']);
  assert.equal(code, 1);
  assert.match(stderr, /fftd\.conf:4: passband = 5000: mode wfm/);
});

/** The states of channels that a subscriber has received, oldest first. */
async function subscribed(t, daemon) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
    received = [];
  t.after(() => socket.terminate());
  socket.on('message', (data, binary) => {
    const text = binary ? {} : JSON.parse(data);
    if (text.topic === 'channels') received.push(text.state.channels.map((c) => `${c.name} ${c.state}`).join());
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.send(JSON.stringify({ type: 'hello' }));
  socket.send(JSON.stringify(subscribe('channels')));
  return received;
}

test('channels come, change and go while fftd runs, and those who have subscribed learn of it', async (t) => {
  const daemon = await radio(t);
  const received = await subscribed(t, daemon);
  assert.deepEqual(await change(daemon, 'channels/a', body({ center: '100.125M', squelch: 10 })), [201, 'done']);
  await until('a is open', () => received.at(-1) === 'a open');
  const one = await (await fetch(`${daemon.url}api/v1/channels/a`)).json();
  assert.deepEqual([one.squelch, one.keys.center], ['10', '100.125M']);
  assert.deepEqual(await change(daemon, 'channels/a', body({ center: '100.9M' })), [200, 'done']);
  await until('a is armed elsewhere', () => received.at(-1) === 'a armed');
  const typo = await fetch(`${daemon.url}api/v1/channels/a`, {
    method: 'PUT',
    ...body({ center: '100.9M', sqelch: 3 }),
  });
  const { status, key, error } = await typo.json();
  assert.deepEqual([status, key, error], [400, 'sqelch', "unknown key 'sqelch' of channel: did you mean squelch?"]);
  assert.deepEqual(await change(daemon, 'channels/a', { method: 'DELETE' }), [200, 'done']);
  await until('it is gone', () => received.at(-1) === '');
  assert.equal((await fetch(`${daemon.url}api/v1/channels/a`)).status, 404);
});

test('a reload adds, changes and removes channels of the file, and leaves the others', async (t) => {
  const config = configuration('[channel a]\ncenter = 100.1M\n[channel b]\ncenter = 100.2M\n');
  const daemon = await radio(t, '-c', config);
  await change(daemon, 'channels/mine', body({ center: '100.3M' }));
  const before = await channels(daemon);
  writeFileSync(config, '[channel b]\ncenter = 100.2M\n[channel c]\ncenter = 100.4M\n');
  process.kill(daemon.pid, 'SIGHUP');
  await until('c is there', async () => (await channels(daemon)).map((c) => c.name).join() === 'b,mine,c');
  assert.equal((await named(daemon, 'b')).id, before[1].id);
});

test('a centre without its M is asked about', async () => {
  const config = configuration('[channel a]\ncenter = 145.2\n[channel b]\ncenter = 433.83M\n');
  const { code, stderr } = await run(replay(recording(1, []), '-c', config));
  assert.equal(code, 0, stderr);
  assert.deepEqual(stderr.match(/channel .*did you mean.*/g), [
    'channel a: its center is 145.2 Hz: did you mean 145.2M?',
  ]);
});

test('mistakes in a section name the line', async () => {
  for (const [text, sentence] of [
    ['[channel a]\nrate = 25k\n', 'fftd.conf:1: center: is missing (example: center = 118.1M)'],
    ['[channel a]\ncenter = 100M\nsquelch = loud\n', "fftd.conf:3: squelch: bad value 'loud': expected off, decibels"],
    [
      '[channel a]\ncenter = 100M\nsquelch = off\nrecord = iq\n',
      'fftd.conf:1: record: a transmission begins by a squelch',
    ],
  ]) {
    const { code, stderr } = await run(['--source', 'sim', '-c', configuration(text), '--check-config']);
    assert.equal(code, 1);
    assert.ok(stderr.includes(sentence), stderr);
  }
});
