// nats.mjs - a NATS broker on loopback, a proxy before it that can cut a link, and what a sensor publishes there.

import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { LineReader } from '../../tools/nats-reader/lines.mjs';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { binary, scratch, until } from './fftd.mjs';

/** Whether this fftd was built with libnats. */
export const isBuilt = () => /^nats: yes$/m.test(spawnSync(binary, ['--version']).stdout?.toString() ?? '');

/** Why the tests of NATS cannot run here; false: they can. */
export function missing() {
  if (spawnSync('nats-server', ['--version']).error) return 'nats-server is not installed';
  return isBuilt() ? false : 'this fftd was built without libnats';
}

/** A port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{config?: string, address?: string}} [options] config: lines of the broker's configuration file; address: where it listens
 */
export async function broker(t, { config = '', address = '127.0.0.1' } = {}) {
  const port = await freePort();
  const file = join(scratch(), 'nats.conf');
  writeFileSync(file, `host: ${address}\nport: ${port}\n${config}`);
  let child = null,
    log = '';
  const start = async () => {
    log = '';
    child = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (data) => {
      log += data;
    });
    await until('the broker serves', () => /Server is ready/.test(log));
  };
  /** As a crash: it says goodbye to nobody. */
  const kill = async () => {
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGKILL');
    await ended;
    child = null;
  };
  t.after(() => child?.kill('SIGKILL'));
  await start();
  return { port, url: `nats://${address}:${port}`, start, kill };
}

/** A proxy to the port: counts what passes towards it, and cuts. */
export async function proxy(t, port) {
  const pairs = new Set(),
    state = { bytes: 0, silent: false, refusing: false };
  const server = createServer((near) => {
    if (state.refusing) return near.destroy();
    const far = connect(port, '127.0.0.1'),
      pair = [near, far];
    const silent = () => pair.silent;
    pairs.add(pair);
    near.on('data', (data) => {
      state.bytes += data.length;
      if (!silent()) far.write(data);
    });
    far.on('data', (data) => {
      if (!silent()) near.write(data);
    });
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        pair.forEach((s) => s.destroy());
      });
    }
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    state.cut();
    server.close();
  });
  /** Ends all connections; `refuse` those that come, too. */
  state.cut = (refuse = true) => {
    state.refusing = refuse;
    for (const pair of pairs) pair.forEach((s) => s.destroy());
  };
  state.mend = () => {
    state.refusing = false;
  };
  /** Loses all that the connections of now carry, and keeps them open, as a network does that is gone. */
  state.swallow = () => {
    for (const pair of pairs) pair.silent = true;
  };
  state.url = `nats://127.0.0.1:${server.address().port}`;
  return state;
}

/** Reads what a sensor publishes, by the last word of the subject. */
export async function subscribe(t, port, login = {}) {
  const got = { reader: new LineReader(), lines: [], frames: 0, at: new Map() };
  const client = new NatsClient({
    port,
    subjects: ['fftd.>'],
    ...login,
    message: ({ subject, data }) => {
      const kind = subject.split('.').at(-1);
      if (kind === 'lines') {
        const line = got.reader.read(data);
        got.frames++;
        if (line) got.lines.push({ ...line, subject, bytes: data.length, receivedMs: Date.now() });
      } else {
        got.at.set(kind, [...(got.at.get(kind) ?? []), data.toString()]);
      }
    },
  });
  /** The JSON messages of a kind. */
  got.all = (kind) => (got.at.get(kind) ?? []).map((text) => JSON.parse(text));
  got.newest = (kind) => got.all(kind).at(-1);
  got.client = client;
  t.after(() => client.end());
  await until('the subscription', () => client.links > 0);
  return got;
}
