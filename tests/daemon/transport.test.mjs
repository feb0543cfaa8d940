// transport.test.mjs - parts, seeks, pauses and speeds of a replay. Each second of the recording has a tone of its own
// frequency, so the spectra prove where in the recording they come from.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, set } from '../support/calls.mjs';
import { offsetOf, parseCsv, run, scratch, serve, strongest, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const RATE = 100e3,
  SECONDS = 6,
  CENTER = 7e6;
/** Hz from the centre in a second of the recording. */
const toneOf = (second) => -30e3 + 10e3 * Math.floor(second);

/** cs16, with a tone of half scale. @param {import('node:test').TestContext} t */
function recordTones(t) {
  const samples = new Int16Array(2 * RATE * SECONDS);
  for (let i = 0; i < RATE * SECONDS; i++) {
    const angle = 2 * Math.PI * toneOf(i / RATE) * (i / RATE);
    samples[2 * i] = 16384 * Math.cos(angle);
    samples[2 * i + 1] = 16384 * Math.sin(angle);
  }
  const path = join(scratch(t), 'tones_7M_100k.cs16');
  writeFileSync(path, samples);
  return path;
}

/** A browser that keeps each frame's position, by the anchors, and each text. */
async function watch(url, token) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3');
  const page = {
    frames: [],
    texts: [],
    anchors: [],
    closed: false,
    say: (message) => socket.send(JSON.stringify(message)),
    seconds: () => page.frames.at(-1)?.position,
  };
  const receive = (data) => {
    const [line, first] = [16, 32].map((at) => Number(data.readBigUInt64LE(at)));
    const oldest = line - data.readUInt32LE(24) + 1;
    const anchorOf = (number) => page.anchors.findLast((each) => each.line <= number);
    const anchor = anchorOf(oldest);
    page.frames.push({
      line,
      flags: data[6],
      tone: data.readDoubleLE(112) - CENTER,
      anchor,
      jumps: anchorOf(line) !== anchor,
      samples: Number(data.readBigUInt64LE(40)),
      position: anchor.position + (first - anchor.first_sample) / RATE,
    });
    page.say({ type: 'credit', count: 1 });
  };
  socket.on('message', (data, binary) => {
    if (binary) return receive(data);
    page.texts.push(JSON.parse(data));
    if (page.texts.at(-1).type === 'replay') page.anchors.push(...page.texts.at(-1).anchors);
  });
  socket.on('close', () => {
    page.closed = true;
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  page.say({ type: 'hello', ...(token && { token }) });
  page.say({ type: 'view', id: 1, columns: 512 });
  await until('a frame', () => page.frames.length > 0);
  return page;
}

/**
 * Every frame within one second of the recording shows its tone. RBW 196 Hz, so a bin of 98 Hz decides.
 * A slow viewer gets frames of several lines, and some of them lie on both sides of a jump.
 */
function checkTones(frames) {
  const within = frames.filter(
    ({ position, samples, jumps }) => !jumps && Math.floor(position) === Math.floor(position + samples / RATE),
  );
  assert.ok(within.length > 0);
  for (const { position, tone } of within)
    assert.ok(Math.abs(tone - toneOf(position)) <= 98, `${tone} Hz at ${position} s`);
}

/** 117 whole lines: the frames of an unfinished one would wait for more samples. */
const SPECTRUM = ['--fft-size', '1024', '--average', '10'];

test('--from and --to give the seconds between them, and count the others as left out', async (t) => {
  const { code, stdout, stderr } = await run([
    '--replay',
    recordTones(t),
    '--from',
    '1s',
    '--to',
    '3500ms',
    '--csv',
    '-',
    '--line-rate',
    '2',
    '--fft-size',
    '1024',
  ]);
  assert.equal(code, 0, stderr);
  const rows = parseCsv(stdout),
    tones = rows.map((row) => Math.round(offsetOf(row, strongest(row)) / 1e3) * 1e3);
  assert.deepEqual(tones, [1, 1.5, 2, 2.5, 3].map(toneOf));
  assert.equal(rows[0].time, '1970-01-01T00:00:01.000000Z');
  assert.match(stderr, /^fftd: 250000 samples .* lost 0, .* left out 350000/m);
});

test('bad parts are refused with one line', async (t) => {
  const path = recordTones(t);
  for (const [args, why] of [
    [['--from', '7'], /from is 7 s, but the recording lasts 6 s/],
    [['--from', '3', '--to', '2'], /--to: 2 s is not after from, 3 s/],
    [['--speed', '20'], /--speed: bad value '20'/],
    [['--speed', '2', '--fast'], /--speed: only a replay in real time/],
  ]) {
    const { code, stderr } = await run(['--replay', path, ...args, '--csv', '-']);
    assert.equal(code, 1, stderr);
    assert.match(stderr, why);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
  const { code, stderr } = await run(['--source', 'sim', '--from', '1']);
  assert.equal(code, 1);
  assert.match(stderr, /--from: only a recording has it/);
});

test('a seek shows the spectra of its position, and loses nothing', async (t) => {
  const daemon = await serve(t, ['--replay', recordTones(t), '--realtime', '--stay', ...SPECTRUM]);
  const page = await watch(daemon.url);
  for (const position of [4.2, 1.1, 2.3]) {
    const { length } = page.frames;
    page.say(call('put', 'replay', { position }));
    await until(`a frame after ${position} s`, () => page.frames.at(-1).anchor.position === position);
    const after = page.frames.slice(length).find(({ anchor }) => anchor.position === position);
    assert.equal(after.anchor.jump, 'seek');
    assert.ok(after.flags & 8, 'a gap');
    assert.ok(after.position >= position && after.position < position + 5, `${after.position}`);
  }
  await until('some frames', () => page.seconds() > 2.5);
  checkTones(page.frames);
  const { ledger, state, replay } = await daemon.status();
  const { overflow, overrun, gap, retune, tail } = ledger.lost;
  assert.deepEqual({ overflow, gap, retune }, { overflow: 0, gap: 0, retune: 0 });
  assert.deepEqual(ledger.events.gap, 0);
  assert.ok(ledger.produced >= ledger.seen + overrun + tail);
  assert.equal(state, 'running');
  assert.equal(replay.paused, false);
});

test('a paused replay is healthy, and goes on with the next sample', async (t) => {
  const daemon = await serve(t, ['--replay', recordTones(t), '--realtime', '--stay', ...SPECTRUM]);
  const page = await watch(daemon.url);
  page.say(call('put', 'replay', { paused: true }));
  const before = await until('the pause', async () => {
    const { replay } = await daemon.status();
    return replay.paused && replay;
  });
  await sleep(6000); // a thread without a step for 5 s is stuck
  const status = await daemon.status();
  assert.equal(status.replay.position, before.position);
  assert.equal(status.state, 'running');
  assert.equal(status.source.abandoned + status.source.timeouts, 0);
  assert.equal((await fetch(`${daemon.url}healthz`)).status, 200);
  const {
    anchors,
    frames: { length },
  } = page;
  page.say(call('put', 'replay', { paused: false }));
  await until('the end', () => page.texts.some(({ type, replay }) => type === 'status' && replay.ended));
  assert.equal(anchors.length, 1); // no mark: not a sample is missing
  assert.ok(page.frames.length > length);
  checkTones(page.frames);
  const { ledger, replay } = await daemon.status();
  assert.equal(replay.position, SECONDS);
  assert.equal(ledger.lost.gap + ledger.lost.overflow, 0);
  page.say(call('put', 'replay', { position: 0.5 })); // it stays at the end, and goes back
  await until('the start again', () => page.frames.at(-1).anchor.position === 0.5);
});

test('a speed changes the pace, not the spectra, and the readers set the highest one', async (t) => {
  const daemon = await serve(t, ['--replay', recordTones(t), '--speed', '0.1', '--stay', ...SPECTRUM]);
  const page = await watch(daemon.url),
    began = performance.now();
  assert.ok((await daemon.status()).replay.position < 6);
  assert.ok((await (await fetch(`${daemon.url}api/v1/replay`)).json()).speed === 0.1);
  const early = await daemon.status();
  assert.ok(early.replay.position <= 0.1 * early.seconds + 0.01, `${early.replay.position} s in ${early.seconds} s`);
  assert.equal((await fetch(`${daemon.url}api/v1/replay?speed=0`, { method: 'PUT' })).status, 200);
  await until('the end', async () => (await daemon.status()).replay.ended);
  t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s`);
  const { ledger } = await until('the last frame', async () => {
    const status = await daemon.status(),
      { produced, seen } = status.ledger;
    return produced - seen < 1024 && status; // less than a frame waits for what follows
  });
  assert.equal(ledger.lost.overrun, 0); // the writer waited
  assert.equal(ledger.produced, RATE * SECONDS);
  checkTones(page.frames);
});

test('a loop is no loss, and its anchors tell the position', async (t) => {
  const daemon = await serve(t, [
    '--replay',
    recordTones(t),
    '--loop',
    '--from',
    '2.5',
    '--to',
    '3.5',
    '--speed',
    '4',
    ...SPECTRUM,
  ]);
  const page = await watch(daemon.url);
  await until('three rounds', () => page.anchors.filter(({ jump }) => jump === 'loop').length >= 3);
  assert.ok(page.anchors.every(({ position }) => position === 2.5));
  const { ledger } = await daemon.status();
  assert.deepEqual([ledger.lost.gap, ledger.events.gap], [0, 0]);
  checkTones(page.frames);
  page.say(call('put', 'replay', { loop: false }));
  await until('the end', () => page.closed);
});

test('the end of a recording is announced before the connection closes', async (t) => {
  const daemon = await serve(t, ['--replay', recordTones(t), '--realtime', '--from', '5', ...SPECTRUM]);
  const page = await watch(daemon.url);
  await until('the end', () => page.closed);
  const last = page.texts.findLast(({ type }) => type === 'status');
  assert.equal(last.state, 'ended');
  assert.equal(last.replay.ended, true);
  assert.equal(last.replay.position, SECONDS);
});

test('viewers see the position and no folder, and change nothing', async (t) => {
  const path = recordTones(t),
    token = 'a-long-enough-token';
  const daemon = await serve(t, ['--replay', path, '--realtime', '--stay', '--token', token, ...SPECTRUM]);
  const page = await watch(daemon.url);
  page.say(call('put', 'replay', { paused: true }));
  await until('the refusal', () => page.texts.some(({ status }) => status === 401));
  page.say(set({ center_hz: 1e6 }));
  assert.equal((await fetch(`${daemon.url}api/v1/replay?paused=true`, { method: 'PUT' })).status, 401);
  const keeper = await watch(daemon.url, token);
  keeper.say(set({ center_hz: 1e6 })); // its refusal is a message of the state
  await until('the refusal', async () => (await daemon.status()).message.includes('cannot be tuned'));
  const bodies = await Promise.all(
    ['api/v1/status', 'metrics', 'healthz', 'api/v1/replay'].map(async (each) =>
      (await fetch(daemon.url + each)).text(),
    ),
  );
  for (const text of [...bodies, ...page.texts.map((each) => JSON.stringify(each))])
    assert.ok(!text.includes(path.replace(/[^/]+$/, '')), text);
  const { replay, source } = await daemon.status();
  assert.equal(replay.paused, false);
  assert.equal(source.about, 'tones_7M_100k.cs16 (cs16)');
});

test('a seek of a pipe, and of a replay that is not in real time, is refused', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  assert.equal(await (await fetch(`${daemon.url}api/v1/replay`)).json(), null);
  const answer = await fetch(`${daemon.url}api/v1/replay?position=1`, { method: 'PUT' });
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /replays no recording/);
  const fast = await serve(t, ['--replay', recordTones(t), '--fast', '--loop']);
  const refused = await fetch(`${fast.url}api/v1/replay?paused=true`, { method: 'PUT' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /as fast as the readers accept/);
});
