// Starts server_harness (the real server, no radio), sends it commands, and reads frames. Without
// the package ws it exits with 77, which skips the test.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { after } from 'node:test';
import { inflateSync } from 'node:zlib';

const ws = await import('ws').catch(() => null);
if (!ws) {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
}
export const WebSocket = ws.WebSocket;

const program = process.env.SERVER_HARNESS;
const HANG_MS = 60000; // only a hang takes as long
const running = new Set();
// A program that a failed test did not stop would keep this process alive.
after(() => {
  setTimeout(() => {
    running.forEach((child) => child.kill('SIGKILL'));
    process.exit(1);
  }, 5000).unref();
});

/** The promise; rejects after HANG_MS. */
function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} came`)), HANG_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `check()` returns a true value, and returns that. */
export async function until(what, check) {
  for (const end = Date.now() + HANG_MS; Date.now() < end; await sleep(20)) {
    const got = await check();
    if (got) return got;
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Reads a stream by lines: `await next()`; null at its end. */
function lineReader(stream) {
  const lines = [],
    waiting = [];
  let rest = '',
    ended = false;
  const give = () => {
    while (waiting.length && (lines.length || ended)) waiting.shift()(lines.shift() ?? null);
  };
  stream
    .setEncoding('utf8')
    .on('data', (text) => {
      rest += text;
      const parts = rest.split('\n');
      rest = parts.pop();
      lines.push(...parts);
      give();
    })
    .on('close', () => {
      ended = true;
      give();
    });
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      give();
    });
}

/** The exit status of a running program, or the signal that ended it. */
const endOf = (child) =>
  new Promise((resolve) =>
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal);
    }),
  );

/**
 * Starts the server and waits until it listens. options: arguments of server_harness; wrapper: a
 * command that runs it.
 * @returns {Promise<{url: string, host: string, port: number, pid: number, errors: string,
 *   say: (command: string) => Promise<string[]>, said: () => Promise<string|null>,
 *   stop: () => Promise<number|null>}>}
 */
export async function start(options = {}, wrapper = []) {
  const args = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  const [command, ...rest] = [...wrapper, program, ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  const nextLine = lineReader(child.stdout);
  const server = { errors: '', pid: child.pid, said: () => within(nextLine(), 'word from the server') };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    server.errors += text;
  });
  child.stdin.on('error', () => {}); // it has ended: stop() returns the status
  const exited = endOf(child);
  server.exited = exited;
  server.stop = () => {
    child.stdin.end();
    return exited;
  };
  server.say = async (text) => {
    const answers = [];
    child.stdin.write(`${text}\n`);
    for (let line; (line = await server.said()) !== 'ok';) {
      if (line === null) throw new Error(`the server ended: ${server.errors}`);
      answers.push(line);
    }
    return answers;
  };
  const first = await server.said();
  if (first === null) {
    server.code = await exited; // with all errors
    return server;
  }
  server.url = first.replace(/^url /, '');
  const address = /^http:\/\/(.*):(\d+)\/$/.exec(server.url);
  if (address) [, server.host, server.port] = [0, address[1], Number(address[2])];
  return server;
}

/**
 * Starts the real daemon (FFTD) on a free port. Exits with 77 (skipped) if it is not built.
 * feed(bytes): writes to its standard input; end(): closes that, and returns its exit status.
 */
export async function runDaemon(args) {
  if (!process.env.FFTD) {
    console.log('skipped: fftd is not built');
    process.exit(77);
  }
  const child = spawn(process.env.FFTD, [...args, '--listen', '127.0.0.1:0'], { stdio: ['pipe', 'ignore', 'pipe'] });
  running.add(child);
  child.stdin.on('error', () => {}); // it has ended: end() returns the status
  const daemon = { errors: '', pid: child.pid, feed: (bytes) => child.stdin.write(bytes) };
  const exited = endOf(child);
  const said = lineReader(child.stderr);
  daemon.stop = () => {
    child.kill('SIGTERM');
    return within(exited, 'end of the daemon');
  };
  daemon.end = () => {
    child.stdin.end();
    return within(exited, 'end of the daemon');
  };
  for (let line; !daemon.url && (line = await said()) !== null;) {
    daemon.errors += `${line}\n`;
    daemon.url = /serving (http:\S+)/.exec(line)?.[1];
  }
  if (!daemon.url) throw new Error(`the daemon ended: ${daemon.errors}`);
  daemon.port = Number(/:(\d+)\/$/.exec(daemon.url)[1]);
  (async () => {
    for (let line; (line = await said()) !== null;) daemon.errors += `${line}\n`;
  })();
  return daemon;
}

/** A client for crowds: keeps no frames, and calls `frame(bytes, client)` for each. */
export function connectPlain(server, frame, view) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, 'fftd.3', { perMessageDeflate: false });
  const client = { socket, frames: 0, lines: 0 };
  socket.on('message', (data, binary) => binary && frame(data, client));
  return new Promise((resolve, reject) => {
    socket.on('error', reject).on('open', () => {
      socket.send(JSON.stringify(view));
      resolve(client);
    });
  });
}

/** Sends bytes on a new connection. Returns all text received until the server closes or `enough` matches. */
export function raw(where, bytes, { enough = /(?!)/ } = {}) {
  return new Promise((resolve) => {
    const target = typeof where === 'string' ? { path: where } : { host: '127.0.0.1', port: where };
    const socket = createConnection(target);
    let text = '';
    const timer = setTimeout(() => {
      text += '\n(still open)';
      socket.destroy();
    }, HANG_MS);
    const done = () => {
      clearTimeout(timer);
      resolve(text);
    };
    socket.on('connect', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
      if (enough.test(text)) socket.destroy();
    });
    socket.on('error', () => {}).on('close', done);
  });
}

/** Sends one request without keep-alive. Returns the whole answer. */
export const request = (server, path, headers = {}, method = 'GET') =>
  raw(server.port, httpText(path, { Host: `127.0.0.1:${server.port}`, Connection: 'close', ...headers }, method));

export const httpText = (path, headers, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\n${Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Sends an upgrade. An accepted one leaves the connection open, so this returns after the headers. */
export const upgraded = (where, headers) =>
  raw(where, httpText('/ws', headers), { enough: /^HTTP\/1.1 101[^]*\r\n\r\n/ });

export const statusOf = (answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

/** The headers of an upgrade that a browser sends from the daemon's page. null removes a header. */
export const upgradeHeaders = (server, changes = {}) => ({
  Host: `127.0.0.1:${server.port}`,
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  Origin: `http://127.0.0.1:${server.port}`,
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol': 'fftd.3',
  ...changes,
});

/** The bytes of a masked websocket frame of a client. */
export function clientFrame(opcode, payload, fin = true) {
  const body = Buffer.from(payload);
  const head = body.length < 126 ? Buffer.from([0, 0x80 | body.length]) : Buffer.alloc(4);
  if (body.length >= 126) {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(body.length, 2);
  }
  head[0] = (fin ? 0x80 : 0) | opcode;
  return Buffer.concat([head, Buffer.alloc(4), body]); // a mask of zeros
}

// ---- a websocket client ---------------------------------------------------------------------

/** Reads one frame: the fields that tests use (table in daemon/wire/wire.h), and levels in dB. */
export function readFrame(bytes) {
  const u64 = (at) => Number(bytes.readBigUInt64LE(at));
  const f = {
    magic: bytes.toString('latin1', 0, 4),
    flags: bytes[6],
    detector: bytes[7],
    view: bytes.readUInt32LE(12),
    line: u64(16),
    merged: bytes.readUInt32LE(24),
    columns: bytes.readUInt32LE(28),
    center_hz: bytes.readDoubleLE(56),
    low_hz: bytes.readDoubleLE(80),
    column_hz: bytes.readDoubleLE(88),
    offset: bytes.readFloatLE(96),
    step: bytes.readFloatLE(100),
    peak_db: bytes.readFloatLE(108),
    peak_hz: bytes.readDoubleLE(112),
    n: bytes.readUInt32LE(120),
    frames: u64(128),
  };
  const payload = bytes.subarray(bytes.readUInt32LE(8));
  const values = f.flags & 1 ? inflateSync(payload) : payload;
  f.levels = [...values].map((value) => f.offset + f.step * value);
  return f;
}

/**
 * Opens a client. Frames and texts are stored in arrays; `await frame()` and `text(type)` remove them.
 * credit: "auto" sends credit for every frame; otherwise the test sends it.
 */
export function connect(server, { credit = 'auto', ...options } = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, options.protocol ?? 'fftd.3', {
    perMessageDeflate: options.deflate ?? false,
    headers: options.headers,
    localAddress: options.localAddress,
  });
  const client = { socket, frames: [], texts: [], count: 0 };
  const waiting = [];
  const check = () => waiting.forEach((retry) => retry());
  socket.on('message', (data, binary) => {
    if (binary) {
      client.count++;
      if (credit === 'auto') socket.send('{"type":"credit","count":1}');
    }
    if (options.forget && binary) return;
    (binary ? client.frames : client.texts).push(binary ? readFrame(data) : JSON.parse(data));
    check();
  });
  /** Waits for an entry of `list` that fits, and removes it. */
  const take = (list, fits, what) =>
    within(
      new Promise((resolve) => {
        const retry = () => {
          const at = list.findIndex(fits);
          if (at < 0) return;
          waiting.splice(waiting.indexOf(retry), 1);
          resolve(list.splice(at, 1)[0]);
        };
        waiting.push(retry);
        retry();
      }),
      what,
    );
  client.frame = (fits = () => true) => take(client.frames, fits, 'frame');
  client.text = (type) => take(client.texts, (text) => text.type === type, `text of type ${type}`);
  client.call = (message) => {
    client.send(message);
    return take(client.texts, (text) => text.id === message.id && text.status, 'answer to a call');
  };
  client.send = (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const closed = new Promise((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: `${reason}` })));
  const refused = new Promise((resolve) =>
    socket.on('unexpected-response', (_, answer) => {
      let body = '';
      answer
        .setEncoding('utf8')
        .on('data', (part) => {
          body += part;
        })
        .on('end', () => resolve({ status: answer.statusCode, body }));
    }),
  );
  client.closed = () => within(closed, 'end of the connection'); // { code, reason }
  client.refused = () => within(refused, 'refusal'); // { status, body }
  client.close = () => {
    socket.close();
    return client.closed();
  };
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('open', () => resolve(client));
    socket.on('unexpected-response', () => resolve(client));
    socket.on('close', () => resolve(client));
  });
}

/** Resident memory of a process, in bytes. */
export const residentBytes = (pid) =>
  1024 * Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
