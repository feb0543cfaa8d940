// traces.test.mjs - what a viewer may do with traces: references, arithmetic, percentiles, video bandwidth.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { outcome, scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const RATE = 1e6,
  N = 1024,
  TONE = { db: -20, bin: 700 };
const ARGS = [
  '--source',
  'sim',
  '--rate',
  '1M',
  '--center',
  '100M',
  '--fft-size',
  `${N}`,
  '--window',
  'hann',
  '--ring-size',
  '128M',
  '--device',
  `scene=tone,level=${TONE.db},offset=${((TONE.bin - N / 2) * RATE) / N},noise=-60`,
];

const api = (daemon, path) => `${daemon.url}api/v1/${path}`;
async function ask(daemon, path, method = 'GET', headers = {}) {
  const answer = await fetch(api(daemon, path), { method, headers });
  const text = await answer.text();
  return [answer.status, method === 'GET' && answer.ok ? text : outcome(answer.status, text)];
}
const put = (daemon, path, headers) => ask(daemon, path, 'PUT', headers);
const list = async (daemon) => (await fetch(api(daemon, 'references'))).json();
const spectrum = async (daemon, query = '') => {
  const [status, text] = await ask(daemon, `spectrum?${query}`);
  assert.equal(status, 200, `${query}: ${text}`);
  return JSON.parse(text);
};
const stored = (daemon, name) =>
  until(`the reference ${name}`, async () =>
    (await list(daemon)).references.find((each) => each.name === name && each.stored),
  );
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
const meanDb = (levels) => 10 * Math.log10(mean(levels.map((db) => 10 ** (db / 10))));

/** A websocket with a view, the newest message of each type, and the newest frame. */
async function viewer(t, daemon, view) {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3');
  const seen = { texts: {}, frames: 0 };
  socket.on('message', (data, isBinary) => {
    if (!isBinary) {
      const message = JSON.parse(data);
      seen.texts[message.type] = message;
      return;
    }
    if (data[5] !== 1) return;
    const raw = data.subarray(data.readUInt32LE(8)),
      levels = data[6] & 1 ? inflateSync(raw) : raw;
    seen.levels = [...levels].map((level) => data.readFloatLE(96) + data.readFloatLE(100) * level);
    seen.detector = data[7];
    seen.frames++;
    socket.send('{"type":"credit"}');
  });
  t.after(() => socket.terminate());
  await new Promise((done, failed) => {
    socket.on('open', done).on('error', failed);
  });
  seen.ask = (message) => socket.send(JSON.stringify({ type: 'view', id: 5, columns: N, ...message }));
  seen.close = () => socket.terminate();
  if (view) seen.ask(view);
  return seen;
}

test('references are made of lines and measurements, and survive a restart', async (t) => {
  const folder = scratch(t),
    args = [...ARGS, '--state-dir', folder, '--measure', 'channel-power,name=held,detector=max,trace=max-hold'];
  const daemon = await serve(t, args);
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  assert.deepEqual(await list(daemon), { references: [], taking: [] });
  assert.deepEqual(await put(daemon, 'references/now'), [201, 'done']);
  assert.equal((await put(daemon, 'references/quiet?trace=average&count=20'))[0], 202);
  assert.equal((await put(daemon, 'references/held?measure=held'))[0], 202);
  const quiet = await stored(daemon, 'quiet'),
    held = await stored(daemon, 'held');
  await stored(daemon, 'now');
  assert.deepEqual(
    [quiet.detector, quiet.trace, quiet.lines, quiet.fft_size, quiet.center_hz, quiet.window],
    ['mean', 'average', 20, N, 100e6, 'hann'],
  );
  assert.deepEqual([held.detector, held.trace], ['max', 'max-hold']);
  assert.deepEqual((await list(daemon)).taking, []);

  // The file, as docs/api.md describes it: a line of JSON, then powers.
  const bytes = Buffer.from(await (await fetch(api(daemon, 'references/quiet'))).arrayBuffer()),
    end = bytes.indexOf(10);
  const head = JSON.parse(bytes.subarray(0, end)),
    power = [];
  for (let at = end + 1; at < bytes.length; at += 4) power.push(bytes.readFloatLE(at));
  assert.deepEqual([head.format, head.version, head.name, power.length], ['fftd-reference', 1, 'quiet', N]);
  assert.ok(Math.abs(10 * Math.log10(power[TONE.bin]) - TONE.db) < 0.1);

  assert.deepEqual(await ask(daemon, 'references/now', 'DELETE'), [200, 'done']);
  assert.deepEqual(await ask(daemon, 'references/now', 'DELETE'), [404, 'there is no such reference']);
  await until('the file to go', () => !existsSync(join(folder, 'references/now.ref')));
  daemon.child.kill('SIGKILL'); // what was stored is on the disk
  await until('the end', () => daemon.child.exitCode !== null || daemon.child.signalCode !== null);
  const again = await serve(t, args);
  const { references } = await list(again);
  assert.deepEqual(
    references.map(({ name, stored: on }) => [name, on]),
    [
      ['held', true],
      ['quiet', true],
    ],
  );
  const bytesAgain = Buffer.from(await (await fetch(api(again, 'references/quiet'))).arrayBuffer());
  assert.ok(bytesAgain.equals(bytes));
  assert.deepEqual(readdirSync(join(folder, 'references')).sort(), ['held.ref', 'quiet.ref']);
  await until('a line', async () => (await ask(again, 'spectrum'))[0] === 200);
  await spectrum(again, 'math=relative&reference=quiet');
});

test('without a directory references end with fftd, and the list says so', async (t) => {
  const daemon = await serve(t, ARGS);
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  assert.deepEqual(await put(daemon, 'references/now'), [201, 'done']);
  assert.deepEqual(
    (await list(daemon)).references.map(({ stored: on, error }) => [on, error]),
    [[false, null]],
  );
});

test('the state directory of the service keeps references', async (t) => {
  const folder = scratch(t);
  const daemon = await serve(t, ARGS, { wrap: ['env', `STATE_DIRECTORY=${folder}:/nowhere`] });
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  await put(daemon, 'references/now');
  await stored(daemon, 'now');
  assert.ok(existsSync(join(folder, 'references/now.ref')));
});

test('a spectrum minus or relative to its background shows what is new', async (t) => {
  const daemon = await serve(t, ARGS);
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  await put(daemon, 'references/back?trace=average&count=50');
  await until('the reference', async () => (await list(daemon)).references.length === 1);
  const plain = await spectrum(daemon);
  assert.equal(plain.math, 'none');
  const relative = await spectrum(daemon, 'math=relative&reference=back');
  assert.deepEqual(
    [relative.math, relative.reference, relative.unit, relative.offset_db],
    ['relative', 'back', 'dB', null],
  );
  assert.ok(Math.abs(relative.levels[TONE.bin]) < 0.1, 'the same tone: 0 dB');
  assert.ok(Math.abs(meanDb(relative.levels.slice(0, 500))) < 0.3, 'the same noise: 0 dB');
  const minus = await spectrum(daemon, 'math=minus&reference=back');
  assert.equal(minus.unit, 'dBFS');
  assert.ok(minus.levels[TONE.bin] < TONE.db - 20, 'the tone is not new');
  for (const [query, status, why] of [
    ['math=minus', 400, 'math and reference belong together'],
    ['reference=back', 400, 'math and reference belong together'],
    ['math=plus&reference=back', 400, 'math: "plus" is not none, minus, relative'],
    ['math=minus&reference=nobody', 409, 'there is no reference nobody'],
    ['detector=p0', 400, 'detector: "p0" is not mean, max, min, sample, median, or a percentile as p90'],
    ['detector=p101', 400, 'detector: "p101"'],
  ]) {
    const [got, text] = await ask(daemon, `spectrum?${query}`);
    assert.equal(got, status, query);
    assert.ok(text.startsWith(why), `${query}: ${text}`);
  }
  // Another RBW cannot be compared.
  await put(daemon, 'settings?fft_size=2048');
  await until('the plan', async () => JSON.parse((await ask(daemon, 'spectrum'))[1]).fft_size === 2048);
  const [status, why] = await ask(daemon, 'spectrum?math=minus&reference=back');
  assert.deepEqual([status, why], [409, 'the reference back has an RBW of 1464.84 Hz, the spectrum one of 732.422 Hz']);
});

test('a removed reference is not used again, nor what was computed with it', async (t) => {
  const daemon = await serve(t, [...ARGS, '--line-rate', '1']); // the requests see the same line
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  assert.deepEqual(await put(daemon, 'references/a'), [201, 'done']);
  await spectrum(daemon, 'math=relative&reference=a');
  assert.deepEqual(await ask(daemon, 'references/a', 'DELETE'), [200, 'done']);
  assert.deepEqual(await ask(daemon, 'spectrum?math=relative&reference=a'), [409, 'there is no reference a']);
});

test('a bad request for a reference names its fault', async (t) => {
  const daemon = await serve(t, ARGS);
  for (const [path, status, why] of [
    ['references/a?measure=nobody', 404, 'there is no measurement nobody'],
    ['references/a?trace=average', 400, 'trace: a count of lines belongs to it'],
    ['references/a?trace=mean&count=3', 400, 'trace: "mean" is not one of clear-write, '],
    [
      'references/a?detector=peak',
      400,
      'detector: "peak" is not one of mean, max, min, sample, median, or a percentile as p90',
    ],
    ['references/a?count=0', 400, 'count: "0" is not a whole number from 1 to 1M'],
    ['references/a?colour=red', 400, '"colour": there is no such key (known: measure, detector, trace, count, slot)'],
    ['references/a%2fb', 400, 'name: expected '],
    [`references/${'x'.repeat(41)}`, 400, 'name: expected '],
  ]) {
    const [got, text] = await put(daemon, path);
    assert.equal(got, status, `${path}: ${text}`);
    assert.ok(text.startsWith(why), `${path}: ${text}`);
  }
  for (let i = 0; i < 4; i++) assert.equal((await put(daemon, `references/slow${i}?trace=average&count=1M`))[0], 202);
  assert.deepEqual(await put(daemon, 'references/slow4?trace=average&count=1M'), [
    503,
    '4 references are being made: ask again',
  ]);
  assert.equal((await list(daemon)).taking.length, 4);
  assert.equal((await ask(daemon, 'references/slow1'))[0], 404);
});

test('with a token, only those who have it change references', async (t) => {
  const token = 'a token of enough letters';
  const daemon = await serve(t, [...ARGS, '--token', token]);
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  assert.equal((await put(daemon, 'references/a'))[0], 401);
  assert.equal((await put(daemon, 'references/a', { Authorization: `Bearer ${token}` }))[0], 201);
  assert.equal((await ask(daemon, 'references/a', 'DELETE'))[0], 401);
  assert.equal((await list(daemon)).references.length, 1);
});

test('percentiles of noise follow the exponential distribution, in views and over HTTP', async (t) => {
  // Powers of complex Gaussian noise: p is not exceeded up to -ln(1 - p) of the mean: -1.59 dB for the median, 3.62 dB for 90 %.
  const daemon = await serve(t, [
    ...ARGS,
    '--density-columns',
    `${N}`,
    '--density-step',
    '0.25',
    '--density-levels',
    '512',
    '--average',
    '500',
  ]);
  const laws = { median: -1.592, p90: 3.622, p99: 6.633 };
  await until('a line', async () => (await ask(daemon, 'spectrum'))[0] === 200);
  assert.equal((await ask(daemon, 'spectrum?detector=median'))[0], 200); // waits for a line with density
  const noise = (levels) => levels.slice(0, 500),
    floor = meanDb(noise((await spectrum(daemon)).levels));
  for (const [detector, law] of Object.entries(laws)) {
    const got = await spectrum(daemon, `detector=${detector}`);
    assert.equal(got.detector, detector);
    assert.ok(
      Math.abs(mean(noise(got.levels)) - floor - law) < 0.25,
      `${detector}: ${mean(noise(got.levels)) - floor}`,
    );
    assert.ok(Math.abs(got.levels[TONE.bin] - TONE.db) < 0.3, 'a steady tone has one level');
  }
  const page = await viewer(t, daemon, { detector: 'p90' });
  await until('a frame', () => page.frames > 1);
  assert.equal(page.detector, 4);
  assert.ok(Math.abs(mean(noise(page.levels)) - floor - laws.p90) < 0.35);
  assert.deepEqual(page.texts.view, {
    type: 'view',
    id: 5,
    detector: 'p90',
    trace: 'clear-write',
    vbw_hz: null,
    math: 'none',
    reference: null,
    unit: 'dBFS',
    reason: null,
  });
});

test('a view of percentiles alone has the density counted, and as long as it exists', async (t) => {
  const daemon = await serve(t, ARGS);
  const page = await viewer(t, daemon, { detector: 'median' });
  await until('a frame', () => page.frames > 0);
  assert.ok((await daemon.status()).spectrum.density);
  page.ask({ detector: 'max' });
  await until('the plan without density', async () => (await daemon.status()).spectrum.density === null);
});

test('a view says its video bandwidth, and why it shows nothing', async (t) => {
  // Lines of 50 ms have 10 Hz.
  const daemon = await serve(t, ARGS);
  const page = await viewer(t, daemon, { vbw_hz: 2 });
  await until('frames', () => page.frames > 1 && page.texts.view?.vbw_hz !== null);
  assert.deepEqual(
    [page.texts.view.trace, page.texts.view.unit, page.texts.view.reason],
    ['exponential', 'dBFS', null],
  );
  assert.ok(Math.abs(page.texts.view.vbw_hz - 2) < 1e-9);
  page.ask({ vbw_hz: 500, trace: 'log-average' });
  await until(
    'the VBW of a line',
    () => page.texts.view.trace === 'log-average' && Math.abs(page.texts.view.vbw_hz - 10) < 0.5,
  );
  page.ask({ math: 'relative', reference: 'later' });
  await until('a reason', () => page.texts.view.reason === 'there is no reference later');
  const { frames } = page;
  await put(daemon, 'references/later');
  await until('a picture', () => page.frames > frames + 1 && page.texts.view.reason === null);
  assert.equal(page.texts.view.unit, 'dB');
  assert.ok(Math.abs(page.levels[TONE.bin]) < 0.6);
  // The other viewer's page knows nothing of it.
  const other = await viewer(t, daemon, { detector: 'mean' });
  await until('frames', () => other.frames > 1);
  assert.ok(Math.abs(other.levels[TONE.bin] - TONE.db) < 0.6);
  assert.equal(other.texts.view, undefined); // it asked for nothing new
  for (const [view, why] of [
    [{ vbw_hz: 1, trace: 'max-hold' }, 'vbw_hz: the trace max-hold does not average'],
    [{ vbw_hz: 1, trace: 'average', count: 3 }, 'count and vbw_hz: one follows from the other'],
    [{ vbw_hz: -1 }, 'vbw_hz: -1 is not a number from 0 to 1000000000'],
    [{ math: 'minus' }, 'math and reference belong together'],
    [{ reference: 'later' }, 'math and reference belong together'],
    [{ math: 'minus', reference: '../x' }, 'reference: "../x" is not the name of a reference'],
    [{ detector: 'p' }, 'detector: "p" is not mean, max, min, sample, median, or a percentile as p90'],
  ]) {
    page.ask(view);
    await until(why, () => page.texts.error?.message === why);
  }
});

test('a measurement is computed against a reference, or says why it is not', async (t) => {
  const tone = 'marker,frequency=100.183594M';
  const daemon = await serve(t, [
    ...ARGS,
    '--measure',
    `${tone},name=above,math=relative,math-reference=back`,
    '--measure',
    `${tone},name=left,math=minus,math-reference=back`,
    '--measure',
    `${tone},name=plain`,
    '--measure',
    'delta-marker,name=delta,frequency=100.183594M,reference=100.1M,math=relative,math-reference=back',
    '--measure',
    'mask,name=mask,upper=100.18M:3,100.19M:3,reference=absolute,math=relative,math-reference=back',
  ]);
  const result = async (name) => (await fetch(api(daemon, `measurements/${name}`))).json();
  await until('a reason', async () => (await result('above')).reason === 'there is no reference back');
  assert.deepEqual((await result('above')).values, {});
  assert.equal((await put(daemon, 'references/back?trace=average&count=20'))[0], 202);
  const { values } = await until('a value', async () => {
    const now = await result('above');
    return now.reason === null && now;
  });
  assert.ok(Math.abs(values.level_db) < 0.1, JSON.stringify(values)); // the tone against itself
  assert.ok((await result('left')).values.level_dbfs < TONE.db - 20);
  assert.ok(Math.abs((await result('plain')).values.level_dbfs - TONE.db) < 0.2);
  // A delta marker and a mask have a reference of their own, beside that of the trace. The tone is
  // 39 dB above the noise, but both are 0 dB against themselves.
  const delta = (await result('delta')).values;
  assert.ok(Math.abs(delta.delta_db) < 3 && Math.abs(delta.delta_frequency_hz - 83594) < 1000, JSON.stringify(delta));
  const mask = await result('mask');
  assert.ok(mask.verdict === 'pass' && Math.abs(mask.values.level_db) < 3, JSON.stringify(mask));
});
