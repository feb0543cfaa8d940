// history.test.mjs - the history over the websocket and HTTP: rows are the lines that were sent live, and what limits it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, set } from '../support/calls.mjs';
import { scratch, serve, until } from '../support/fftd.mjs';
import { FrameReader } from '../../web/net/coded.js';
import { BREAK, isHistory, readHistory } from '../../web/net/history.js';
import { inflateFrame } from '../../web/net/wire.js';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const SIM = ['--source', 'sim', '--rate', '1M', '--fft-size', '1024'];
const DETECTORS = ['mean', 'max', 'min'];

/** A client that keeps frames by line, answers and errors. */
async function connect(daemon, ...messages) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const client = {
    lines: new Map(),
    past: [],
    errors: [],
    welcome: null,
    bytes: 0,
    socket,
    say: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
  const reader = new FrameReader();
  socket.on('message', async (data, binary) => {
    if (!binary) {
      const message = JSON.parse(data);
      if (message.error) client.errors.push(message);
      if (message.type === 'welcome') client.welcome = message;
      return;
    }
    const buffer = Uint8Array.from(data).buffer;
    if (isHistory(buffer)) {
      client.bytes += data.length;
      client.past.push(await readHistory(buffer));
      return;
    }
    client.say({ type: 'credit' });
    const frame = await inflateFrame(reader.read(buffer));
    if (frame.merged === 1) client.lines.set(frame.line, frame);
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  client.say({ type: 'hello' });
  messages.forEach((message) => client.say(message));
  return client;
}

/** The answer to a request. */
async function ask(client, request) {
  const had = client.past.length;
  client.say(call('get', 'connection/history', request));
  await until('an answer', () => client.past.length > had);
  return client.past.at(-1);
}

const dbOf = (row, column) => row.offsetDb + row.stepDb * row.levels[column];

/** Compares a row with the frame of its line, to the coarser step of both; returns the columns. */
function compare(row, frame, timeNs) {
  assert.equal(row.lines, 1);
  assert.equal(row.timeNs, timeNs);
  assert.equal(row.levels.length, frame.columns);
  assert.ok(Math.abs(row.lowHz - frame.lowHz) < 1e-3 && Math.abs(row.columnHz - frame.columnHz) < 1e-6);
  const step = Math.max(row.stepDb, frame.stepDb) + 0.01;
  for (let i = 0; i < frame.columns; i++)
    assert.ok(
      Math.abs(dbOf(row, i) - dbOf(frame, i)) <= step,
      `line ${row.line}, column ${i}: ${dbOf(row, i)}, ${dbOf(frame, i)}`,
    );
}

for (const [detector, name] of DETECTORS.entries())
  for (const coding of ['plain', 'range'])
    test(`rows of the ${name} are the lines that were sent live, coded as ${coding}`, async (t) => {
      const daemon = await serve(t, SIM);
      const view = { columns: 300, detector: name, low_hz: 99.7e6, high_hz: 100.2e6 };
      const client = await connect(daemon, { type: 'view', id: 1, ...view });
      await until('30 lines', () => client.lines.size >= 30);
      const past = await ask(client, { id: 77, ...view, coding });
      assert.equal(past.id, 77);
      assert.equal(past.detector, detector);
      const both = past.rows.filter((row) => client.lines.has(row.line));
      assert.ok(both.length >= 25, `${both.length} rows`);
      for (const row of both) compare(row, client.lines.get(row.line), client.lines.get(row.line).timeNs);
      past.rows.forEach((row, i) => assert.equal(row.line, past.rows[0].line - i));
      assert.equal(past.oldest, true);
      assert.equal(past.rows.at(-1).line, 0);
    });

test('a range that nobody looked at has its lines, in bins', async (t) => {
  const daemon = await serve(t, [...SIM, '--device', 'scene=tone,level=-20,offset=250e3']);
  const client = await connect(daemon, { type: 'view', id: 1, columns: 10, low_hz: 99.6e6, high_hz: 99.7e6 });
  await until('20 lines', () => client.lines.size >= 20);
  const past = await ask(client, { id: 1, columns: 8192, low_hz: 100.24e6, high_hz: 100.26e6, rows: 10 });
  assert.equal(past.rows.length, 10);
  for (const row of past.rows) {
    assert.ok(row.finest);
    const column = Math.floor((100.25e6 - row.lowHz) / row.columnHz);
    assert.equal(row.levels.indexOf(Math.max(...row.levels)), column);
    assert.ok(Math.abs(dbOf(row, column) + 20) < 0.3, `${dbOf(row, column)} dBFS`);
  }
});

test('a retuned radio leaves older rows with their frequencies and their break', async (t) => {
  const daemon = await serve(t, SIM);
  const client = await connect(daemon, { type: 'view', id: 1, columns: 10 });
  await until('10 lines', () => client.lines.size >= 10);
  client.say(set({ center_hz: 200e6 }));
  await until('a line there', () => [...client.lines.values()].some((f) => f.centerHz === 200e6));
  const { rows } = await ask(client, { id: 1, columns: 10 });
  const centre = (row) => row.lowHz + (row.columnHz * row.levels.length) / 2;
  const first = rows.findIndex((row) => Math.abs(centre(row) - 100e6) < 1e3);
  assert.ok(first > 0);
  rows.forEach((row, i) => {
    assert.ok(Math.abs(centre(row) - (i < first ? 200e6 : 100e6)) < 1e3);
    assert.equal(row.breaks, i === first - 1 ? BREAK.retune : 0);
  });
});

test('answers are limited, one is made at a time, and what cannot be is refused', async (t) => {
  const daemon = await serve(t, SIM);
  const client = await connect(daemon, { type: 'view', id: 1, columns: 10 });
  await until('300 lines', async () => (await daemon.status()).spectrum.lines_total >= 300 || client.lines.size >= 300);
  const { limits } = client.welcome;
  assert.equal(limits.all_history_bytes, 64 << 20);
  const { rows } = await ask(client, { id: 1, columns: 1024, rows: limits.history_rows });
  assert.ok(rows.length <= limits.history_levels / 1024 && rows.length > 200, `${rows.length} rows`);
  assert.equal((await ask(client, { id: 2, columns: 10, rows: 3, before: 100 })).rows[0].line, 99);
  const coarse = await ask(client, { id: 3, columns: 10, lines: 16, before: 256 });
  for (const row of coarse.rows.slice(1, -1)) assert.equal(row.lines, 16);
  for (const [body, why] of [
    [{ columns: 10 }, /^id: is missing$/],
    [{ id: 1 }, /^columns: is missing$/],
    [{ id: 1, columns: 0 }, /^columns: 0 is not/],
    [{ id: 1, columns: 9, detectr: 'max' }, /^"detectr": there is no such key; did you mean detector/],
    [{ id: 1, columns: 9, detector: 'sample' }, /^detector: "sample" is not mean, max or min/],
    [{ id: 1, columns: 9, rows: 5000 }, /^rows: 5000 is not/],
    [{ id: 1, columns: 9, before: 'now' }, /^before: "now" is not/],
    [{ id: 1, columns: 9, low_hz: 2, high_hz: 1 }, /^high_hz: is not above low_hz$/],
    [{ id: 1, columns: 9, coding: 'zip' }, /^coding: /],
  ]) {
    const message = call('get', 'connection/history', body);
    client.say(message);
    const { status, error, key } = await until(String(why), () => client.errors.find(({ id }) => id === message.id));
    assert.match(error, why);
    assert.deepEqual([status, key], [400, why.source.match(/^\^"?(\w+)"?:/)?.[1]]);
  }
  // A client that does not read holds one frame. The calls are answered, too: more than 16 that wait would close it.
  const before = client.past.length;
  client.socket.pause();
  for (let i = 0; i < 15; i++) client.say(call('get', 'connection/history', { id: 100 + i, columns: 1024 }));
  client.socket.resume();
  await until('the last answer', () => client.past.some(({ id }) => id === 114));
  assert.ok(client.past.length - before < 15, 'a newer request replaces one that waits');
});

test('without a history the call is refused, and the limits say so', async (t) => {
  const daemon = await serve(t, [...SIM, '--history', '0']);
  const client = await connect(daemon);
  client.say(call('get', 'connection/history', { id: 1, columns: 10 }));
  const [refusal] = await until('a refusal', () => client.errors.length > 0 && client.errors);
  assert.equal(refusal.status, 404);
  assert.match(refusal.error, /no history/);
  assert.equal(client.welcome.limits.all_history_bytes, 0);
  assert.equal(client.welcome.limits.history_rows, 0);
  assert.equal((await fetch(`${daemon.url}api/v1/history`)).status, 404);
});

test('HTTP gives the same rows as JSON and as a frame', async (t) => {
  const daemon = await serve(t, SIM);
  await until(
    '20 lines',
    async () =>
      (await fetch(`${daemon.url}api/v1/history?before=20`).then((r) => r.ok && r.json()))?.rows?.length === 20,
  );
  const query = 'api/v1/history?before=20&rows=5&columns=64&detector=max&low_hz=99.8M&high_hz=100M';
  const json = await (await fetch(daemon.url + query)).json();
  const frame = await readHistory(await (await fetch(`${daemon.url}${query}&format=binary`)).arrayBuffer());
  assert.equal(json.detector, 'max');
  assert.equal(json.rows.length, 5);
  json.rows.forEach((row, i) => {
    assert.equal(row.line, 19 - i);
    assert.equal(row.line, frame.rows[i].line);
    assert.equal(row.low_hz, frame.rows[i].lowHz);
    row.levels.forEach((db, k) => assert.ok(Math.abs(db - dbOf(frame.rows[i], k)) < 0.0051));
  });
  const time = Date.parse(json.rows[2].time) / 1000;
  const timed = await (await fetch(`${daemon.url}api/v1/history?from=${time - 0.001}&to=${time + 0.002}`)).json();
  assert.deepEqual(
    timed.rows.map(({ line }) => line),
    [17],
  );
  for (const [bad, why] of [
    ['rows=x', /rows: "x" is not a number/],
    ['detector=sample', /sample/],
    ['format=png', /format/],
    ['id=1', /id/],
  ]) {
    const answer = await fetch(`${daemon.url}api/v1/history?${bad}`);
    assert.equal(answer.status, 400);
    assert.match((await answer.json()).error, why);
  }
});

test('before the first line of a run come the rows of the archive, with their times and levels', async (t) => {
  const tone = [
    '--source',
    'sim',
    '--device',
    'scene=tone,level=-10,offset=250k',
    '--rate',
    '1M',
    '--fft-size',
    '1024',
    '--center',
    '100M',
    '--archive',
    scratch(t),
    '--archive-tiers',
    '100ms:1h',
  ];
  const earlier = await serve(t, tone);
  await until('lines', async () => (await earlier.status()).ledger.lines >= 40);
  await earlier.stop();
  const daemon = await serve(t, tone),
    client = await connect(daemon, { type: 'view', id: 1, columns: 512 });
  await until('lines', () => client.lines.size >= 5);
  const stored = await (await fetch(`${daemon.url}api/v1/archive?rows=1000&columns=256`)).json();
  const all = [];
  for (let before, oldest = false; !oldest;) {
    // page by page
    const answer = await ask(client, {
      id: 7,
      columns: 256,
      rows: 11,
      detector: 'max',
      ...(before !== undefined && { before }),
    });
    assert.ok(answer.rows.length <= 11);
    all.push(...answer.rows);
    oldest = answer.oldest;
    before = all.at(-1)?.firstLine;
  }
  const own = all.filter((row) => !row.archived),
    old = all.filter((row) => row.archived);
  assert.ok(own.length >= 5 && old.length >= 18, `${own.length} lines, ${old.length} rows of the archive`);
  assert.equal(own.at(-1).firstLine, 0);
  all.forEach((row, i) => {
    assert.equal(row.archived, row.line < 0);
    assert.ok(i === 0 || (row.line < all[i - 1].firstLine && row.timeNs < all[i - 1].timeNs), `row ${i}`);
    const column = Math.floor((100.25e6 - row.lowHz) / row.columnHz);
    assert.ok(Math.abs(dbOf(row, column) + 10) < 1, `${dbOf(row, column)} dB`); // steps of both
    row.levels.forEach((_, k) => assert.ok(Math.abs(k - column) < 4 || dbOf(row, k) < -40));
  });
  const start = Date.parse(stored.start) * 1e6;
  assert.ok(Math.abs(Number(old.at(-1).timeNs) - start) < 1e8, 'the oldest row is the oldest of the archive');
  const json = await (await fetch(`${daemon.url}api/v1/history?rows=9&before=${all.at(-6).firstLine}`)).json();
  assert.deepEqual(
    json.rows.map((row) => row.first_line),
    all.slice(-5).map((row) => row.firstLine),
  );
  assert.ok(json.oldest && json.rows.every((row) => row.archived));
});
