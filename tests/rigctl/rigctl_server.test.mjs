// rigctl_server.test.mjs - a named channel as a rig: Hamlib's own client, what is heard, and clients that misbehave.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { floats, hears, readerOf, sineHz } from '../support/listening.mjs';

/** A radio with a tone at 100.125 MHz, and its port for rigs. */
async function rig(t, ...more) {
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--center',
    '100M',
    '-d',
    'scene=tone,level=-20,offset=125k',
    '--rigctl',
    '0',
    ...more,
  ]);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  const port = Number(/as a rig at 127\.0\.0\.1:(\d+)/.exec(daemon.stderr)[1]);
  return Object.assign(daemon, { port });
}

/** A connection. `ask` gives the answer of that many lines. */
async function dial(t, port) {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (bytes) => (text += bytes));
  await once(socket, 'connect');
  return {
    socket,
    async ask(line, lines = 1) {
      socket.write(`${line}\n`);
      await until(`an answer to ${line}`, () => text.split('\n').length > lines);
      const parts = text.split('\n');
      text = parts.slice(lines).join('\n');
      return parts.slice(0, lines).join(' ');
    },
  };
}

/** Until it is closed, however. */
const closing = (socket) => new Promise((resolve) => (socket.destroyed ? resolve() : socket.on('close', resolve)));

const named = async ({ url }, name) =>
  (await (await fetch(`${url}api/v1/channels`)).json()).channels.find((c) => c.name === name);

test('the audio follows the frequency that a client sets, without a break', async (t) => {
  const daemon = await rig(t),
    { ask } = await dial(t, daemon.port),
    stop = new AbortController();
  t.after(() => stop.abort());
  assert.equal(await ask('f'), '100000000'); // the radio's, until the channel is open
  assert.equal(await ask('F 145.8'), 'RPRT 0'); // in MHz: accepted, as hertz
  await until('the hint', () => /channel rig: its center is 145\.8 Hz: did you mean 145\.8M\?/.test(daemon.stderr));
  assert.equal(await ask('F 100124000'), 'RPRT 0');
  assert.equal(await ask('M USB 4000'), 'RPRT 0');
  assert.equal(await ask('m', 2), 'USB 4000');
  const answer = await fetch(`${daemon.url}api/v1/channel-stream?id=rig&format=f32&audio_rate_hz=16k`, {
    signal: stop.signal,
  });
  const stream = readerOf(answer),
    hz = (bytes) => sineHz(floats(bytes), 16e3);
  await hears(stream, 1000, 60, 16e3 * 4, hz);
  for (const shift of [1200, 900, 2500]) {
    // as a satellite's Doppler does
    assert.equal(await ask(`F ${100.125e6 - shift}`), 'RPRT 0');
    await hears(stream, shift, 60, 16e3 * 4, hz);
  }
  assert.equal((await daemon.status()).source.tuning.center_hz, 100e6); // the radio stays
});

test('a channel of the configuration keeps its other keys, and the radio is never tuned', async (t) => {
  const config = join(scratch(t), 'fftd.conf');
  writeFileSync(config, '[channel tower]\ncenter = 100.3M\nrate = 48k\nsquelch = 9\nmode = am\n');
  const daemon = await rig(t, '-c', config, '--rigctl-channel', 'tower');
  const { ask } = await dial(t, daemon.port);
  assert.equal(await ask('f'), '100300000');
  assert.equal(await ask('m', 2), 'AM 8000');
  assert.equal(await ask('F 433920000'), 'RPRT 0');
  const tower = await named(daemon, 'tower');
  assert.deepEqual([tower.center_hz, tower.rate_hz, tower.squelch], [433.92e6, 48e3, '9']);
  await until('it is outside', async () => (await named(daemon, 'tower')).state === 'outside');
  assert.equal(await ask('M WFM 5000'), 'RPRT -1');
  assert.equal(await ask('m', 2), 'AM 8000');
  assert.equal((await daemon.status()).source.tuning.center_hz, 100e6);
});

test('rigctl of Hamlib tunes the channel', async (t) => {
  const version = spawnSync('rigctl', ['--version'], { encoding: 'utf8' });
  if (version.error) return t.skip('rigctl is missing (libhamlib-utils)');
  console.log(`# ${version.stdout.trim()}`);
  const daemon = await rig(t);
  const run = spawnSync(
    'rigctl',
    ['-m', '2', '-r', `127.0.0.1:${daemon.port}`, 'F', '145800000', 'f', 'M', 'FM', '12500', 'm'],
    { encoding: 'utf8', timeout: 60e3 },
  );
  assert.equal(run.status, 0, run.stderr);
  assert.deepEqual(run.stdout.trim().split('\n'), ['145800000', 'FM', '12500']);
  const { center_hz, keys } = await (await fetch(`${daemon.url}api/v1/channels/rig`)).json();
  assert.deepEqual([center_hz, keys.mode, Number(keys.passband)], [145.8e6, 'nfm', 12500]);
});

test('lines come in any pieces, and of a browser none is a command', async (t) => {
  const daemon = await rig(t),
    { socket, ask } = await dial(t, daemon.port);
  for (const byte of 'F 100200000') {
    socket.write(byte);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.equal(await ask(''), 'RPRT 0');
  const page = await dial(t, daemon.port),
    ended = closing(page.socket);
  page.socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nF 100900000\n');
  await ended;
  assert.equal(await ask('f'), '100200000');
  const long = await dial(t, daemon.port),
    closed = closing(long.socket);
  long.socket.write(`F ${'0'.repeat(300)}1\n`);
  await closed;
});

test('who reads no answers is closed, and a seventeenth client takes the place of the most silent', async (t) => {
  const daemon = await rig(t),
    { socket, ask } = await dial(t, daemon.port);
  const deaf = await dial(t, daemon.port),
    closed = closing(deaf.socket);
  deaf.socket.pause();
  const lines = '\\dump_state\n'.repeat(1000);
  let sending = true;
  closed.then(() => {
    sending = false;
  });
  while (sending) {
    deaf.socket.write(lines);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  assert.equal(await ask('f'), '100000000');
  const silent = closing(socket),
    others = [];
  for (let i = 0; i < 15; i++) {
    others.push(await dial(t, daemon.port));
    assert.equal(await others.at(-1).ask('t'), '0');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  const late = await dial(t, daemon.port);
  assert.equal(await late.ask('f'), '100000000');
  await silent;
  for (const other of others) assert.equal(await other.ask('t'), '0');
});

test('whatever a client sends, the log has a few lines of it', async (t) => {
  const daemon = await rig(t),
    { ask } = await dial(t, daemon.port);
  for (let i = 1; i <= 200; i++) {
    assert.equal(await ask(`F ${i}`), 'RPRT 0');
    assert.equal(await ask(`M ${i % 2 ? 'AM' : 'USB'} 0`), 'RPRT 0');
    assert.equal(await ask(`M FM ${100000 + i}`), 'RPRT -1');
  }
  const said = daemon.stderr.match(/channel rig: .*/g);
  assert.ok(said.length > 1 && said.length <= 12, said.join('\n'));
  assert.match(said.join('\n'), /channel rig: passband: mode nfm takes 3000 to 40000 Hz/);
});

test('a reload with the same file leaves what a rig has set, and a section that is gone takes the channel with it', async (t) => {
  const config = join(scratch(t), 'fftd.conf');
  writeFileSync(config, '[channel rig]\ncenter = 100.3M\nmode = am\nsquelch = off\n');
  const daemon = await rig(t, '-c', config),
    { ask } = await dial(t, daemon.port);
  assert.equal(await ask('F 100500000'), 'RPRT 0');
  process.kill(daemon.pid, 'SIGHUP');
  await until('the reload', () => /reload: changed nothing/.test(daemon.stderr));
  assert.equal(await ask('f'), '100500000');
  writeFileSync(config, '[channel rig]\ncenter = 100.4M\nmode = am\nsquelch = off\n');
  process.kill(daemon.pid, 'SIGHUP');
  await until('the new centre', async () => (await named(daemon, 'rig')).center_hz === 100.4e6);
  assert.equal(await ask('M USB 0'), 'RPRT 0');
  writeFileSync(config, '');
  process.kill(daemon.pid, 'SIGHUP');
  await until('it is gone', async () => !(await named(daemon, 'rig')));
});
