// Tests the addresses on which the server listens, and its errors.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as netConnect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  connect,
  httpText,
  raw,
  request,
  start,
  statusOf,
  until,
  upgraded,
  upgradeHeaders,
} from '../support/server/harness.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fftd-listen-'));
after(() => rmSync(folder, { recursive: true }));
const health = httpText('/healthz', { Host: 'localhost', Connection: 'close' });

/** Asserts that the server does not start: exit status 1 and one line that contains every part. */
async function assertFails(options, ...parts) {
  const server = await start(options);
  assert.equal(server.code, 1, `${JSON.stringify(options)}: ${server.url} ${server.errors}`);
  assert.equal(server.errors.trim().split('\n').length, 1, server.errors);
  for (const part of parts) assert.ok(server.errors.includes(part), `${server.errors} lacks ${part}`);
}

test('port 0 means any free port, and the URL has it', async () => {
  const server = await start({ listen: '127.0.0.1:0' });
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  assert.ok(server.port > 0);
  assert.equal(statusOf(await request(server, '/healthz')), 200);
  assert.equal(await server.stop(), 0);
});

test('a busy port is an error that names it, and no handle stays open', async () => {
  const first = await start();
  await assertFails({ listen: `127.0.0.1:${first.port}` }, `127.0.0.1:${first.port}`, 'Address already in use');
  assert.equal(statusOf(await request(first, '/healthz')), 200);
  assert.equal(await first.stop(), 0);
});

test('a port is free immediately after the server ends', async () => {
  let again = null,
    port = 0;
  for (let tries = 0; tries < 3 && (!again || again.port !== port); tries++) {
    // another program may have bound it
    const first = await start();
    port = first.port;
    const client = await connect(first);
    client.send({ type: 'hello' });
    await client.text('welcome');
    assert.equal(await first.stop(), 0); // the server closes first: its port is in TIME_WAIT
    again = await start({ listen: `127.0.0.1:${port}` });
  }
  assert.equal(again.port, port, again.errors);
  assert.equal(await again.stop(), 0);
});

test('a malformed address is refused and named', async () => {
  for (const listen of [
    '',
    'example.org:8010',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:x',
    '[::1]',
    '[::1:8010',
    '::1:8010',
    '300.1.1.1:80',
    '[127.0.0.1]:1',
    '127.0.0.1:-1',
    'unix:relative',
    'unix:',
    `unix:/${'x'.repeat(120)}`,
    'systemd',
  ])
    await assertFails({ listen }, 'listen', listen);
});

test('a port alone is a port of 127.0.0.1', async () => {
  for (const listen of ['0', ':0', 'localhost:0']) {
    const server = await start({ listen });
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/, listen);
    assert.equal(statusOf(await request(server, '/healthz')), 200);
    assert.equal(await server.stop(), 0);
  }
});

// 198.51.100.0/24 is for documentation (RFC 5737): no machine has it.
test('an address that the machine does not have yet is opened, and the log says so', async () => {
  const server = await start({ listen: '198.51.100.77:0' });
  assert.match(server.url, /^http:\/\/198\.51\.100\.77:\d+\/$/, server.errors);
  await until('the log', () => /198\.51\.100\.77:0: this machine does not have that address yet/.test(server.errors));
  assert.equal(await server.stop(), 0);
});

const canAddAddress = (() => {
  try {
    execFileSync('ip', ['address', 'add', '198.51.100.78/32', 'dev', 'lo'], { stdio: 'ignore' });
    execFileSync('ip', ['address', 'del', '198.51.100.78/32', 'dev', 'lo'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test(
  'such a server serves once the machine has the address',
  { skip: !canAddAddress && 'needs root and ip' },
  async () => {
    const server = await start({ listen: '198.51.100.79:0' });
    execFileSync('ip', ['address', 'add', '198.51.100.79/32', 'dev', 'lo']);
    try {
      const { port, hostname } = new URL(server.url);
      assert.equal((await fetch(`http://${hostname}:${port}/healthz`)).status, 200);
    } finally {
      execFileSync('ip', ['address', 'del', '198.51.100.79/32', 'dev', 'lo']);
    }
    assert.equal(await server.stop(), 0);
  },
);

const hasIPv6 =
  existsSync('/proc/net/if_inet6')
  && (await new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(false));
    probe.listen(0, '::1', () => probe.close(() => resolve(true)));
  }));

test('an IPv6 address is in brackets', { skip: !hasIPv6 && 'no IPv6 here' }, async () => {
  const server = await start({ listen: '[::1]:0' });
  assert.match(server.url, /^http:\/\/\[::1\]:\d+\/$/);
  const answer = await new Promise((resolve) => {
    const socket = netConnect(server.port, '::1');
    let text = '';
    socket.write(httpText('/healthz', { Host: `[::1]:${server.port}`, Connection: 'close' }));
    socket
      .on('data', (part) => {
        text += part;
      })
      .on('close', () => resolve(text));
  });
  assert.equal(statusOf(answer), 200);
  assert.equal(await server.stop(), 0);
});

test('[::] serves IPv4 too', { skip: !hasIPv6 && 'no IPv6 here' }, async () => {
  for (const listen of ['[::]:0', '*:0']) {
    const server = await start({ listen });
    assert.match(server.url, /^http:\/\/\[::\]:\d+\/$/);
    for (const host of ['127.0.0.1', '[::1]'])
      assert.equal((await fetch(`http://${host}:${server.port}/healthz`)).status, 200, `${listen} ${host}`);
    assert.equal(await server.stop(), 0);
  }
});

test('the log says which addresses a wildcard serves', { skip: !hasIPv6 && 'no IPv6 here' }, () => {
  for (const [listen, note] of [
    ['[::]:0', ' (every IPv6 and IPv4 address)'],
    ['0.0.0.0:0', ' (every IPv4 address)'],
    ['127.0.0.1:0', ''],
    ['[::1]:0', ''],
  ]) {
    const { stderr } = spawnSync(process.env.FFTD, ['--source', 'sim', '--lines', '1', '--listen', listen], {
      encoding: 'utf8',
    });
    assert.equal(stderr.match(/serving http:\/\/\S+(.*)/)?.[1], note, stderr);
  }
});

// ---- Unix sockets ---------------------------------------------------------------------------

test('a Unix socket has mode 0660, serves HTTP and websockets, and is removed at the end', async () => {
  const path = join(folder, 'a.sock');
  const server = await start({ listen: `unix:${path}` });
  assert.equal(server.url, `unix:${path}`);
  assert.equal(statSync(path).mode & 0o777, 0o660);
  assert.equal(statusOf(await raw(path, health)), 200);
  const headers = upgradeHeaders(server, { Host: 'localhost', Origin: 'http://localhost' });
  assert.equal(statusOf(await upgraded(path, headers)), 101);
  assert.equal(await server.stop(), 0);
  assert.ok(!existsSync(path));
});

test('a stale Unix socket is replaced, a live one is not', async () => {
  const path = join(folder, 'b.sock');
  const killed = await start({ listen: `unix:${path}` });
  process.kill(killed.pid, 'SIGKILL');
  await killed.exited;
  assert.ok(existsSync(path));
  const server = await start({ listen: `unix:${path}` });
  assert.equal(statusOf(await raw(path, health)), 200);
  await assertFails({ listen: `unix:${path}` }, path, 'Address already in use');
  assert.equal(statusOf(await raw(path, health)), 200);
  assert.equal(await server.stop(), 0);
});

test('a file that is not a socket is not replaced', async () => {
  const path = join(folder, 'precious');
  writeFileSync(path, 'data');
  await assertFails({ listen: `unix:${path}` }, path, 'no socket');
  assert.equal(statSync(path).size, 4);
  await assertFails({ listen: `unix:${folder}/none/x.sock` }, 'No such file');
});

test('a server does not remove the socket of its successor', async () => {
  const path = join(folder, 'c.sock');
  const old = await start({ listen: `unix:${path}` });
  rmSync(path);
  const next = await start({ listen: `unix:${path}` });
  assert.equal(await old.stop(), 0);
  assert.equal(statusOf(await raw(path, health)), 200);
  assert.equal(await next.stop(), 0);
});

/** Connects to a Unix socket as another user. Prints the status of the answer, or the error. */
const CLIENT = `const socket = require('node:net').connect(process.argv[1], () => socket.write(process.argv[2]));
  socket.on('data', (part) => console.log(String(part).split(' ')[1])).on('error', (error) => console.log(error.code))`;

/** @param {string[]} groups */
function asNobody(path, ...groups) {
  return execFileSync(
    'setpriv',
    [
      '--reuid=65534',
      '--regid=65534',
      ...(groups.length ? [`--groups=${groups}`] : ['--clear-groups']),
      process.execPath,
      '-e',
      CLIENT,
      path,
      health,
    ],
    { encoding: 'utf8' },
  ).trim();
}

const canChangeUser = (() => {
  try {
    return (
      execFileSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'echo', 'yes'], { encoding: 'utf8' })
      === 'yes\n'
    );
  } catch {
    return false;
  }
})();
const groupId = (name) =>
  readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')[2];
const group = groupId('www-data') ? 'www-data' : 'daemon';

test(
  'socket-group and socket-mode admit other users',
  { skip: !canChangeUser && 'needs root and setpriv' },
  async () => {
    chmodSync(folder, 0o755);
    const path = join(folder, 'e.sock');
    for (const [options, outside, inside] of [
      [{}, 'EACCES', 'EACCES'],
      [{ socket_group: group }, 'EACCES', '200'],
      [{ socket_mode: '0666' }, '200', '200'],
      [{ socket_group: group, socket_mode: '0600' }, 'EACCES', 'EACCES'],
    ]) {
      const server = await start({ listen: `unix:${path}`, ...options });
      assert.equal(asNobody(path), outside, JSON.stringify(options));
      assert.equal(asNobody(path, groupId(group)), inside, JSON.stringify(options));
      assert.equal(await server.stop(), 0);
    }
  },
);

test('a group that does not exist is named', async () => {
  const path = join(folder, 'f.sock');
  await assertFails({ listen: `unix:${path}`, socket_group: 'nosuch' }, 'socket-group nosuch', 'no such group');
  assert.ok(!existsSync(path));
});

test('a group of others is named', { skip: !canChangeUser && 'needs root and setpriv' }, async () => {
  chmodSync(folder, 0o777);
  const server = await start({ listen: `unix:${join(folder, 'g.sock')}`, socket_group: group }, [
    'setpriv',
    '--reuid=65534',
    '--regid=65534',
    '--clear-groups',
  ]);
  assert.equal(server.code, 1);
  assert.match(server.errors, new RegExp(`socket-group ${group}: Operation not permitted: fftd must be a member`));
});

// ---- systemd --------------------------------------------------------------------------------

const activate = ['systemd-socket-activate'];
const hasActivate = (() => {
  try {
    execFileSync('systemd-socket-activate', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test('a socket of systemd is used', { skip: !hasActivate && 'systemd-socket-activate is missing' }, async () => {
  const path = join(folder, 'd.sock');
  const starting = start({ listen: 'systemd' }, [...activate, '-l', path]);
  // The first connection starts the server. The socket's path exists before a process listens on it.
  const answer = await until('an answer', () => raw(path, health));
  const server = await starting;
  assert.equal(statusOf(answer), 200);
  assert.equal(statusOf(await raw(path, health)), 200);
  assert.equal(server.url, `unix:${path}`);
  assert.equal(await server.stop(), 0);
  assert.ok(existsSync(path)); // belongs to systemd, so the server must not remove it
});

test(
  'a socket of systemd overrides the address',
  { skip: !hasActivate && 'systemd-socket-activate is missing' },
  async () => {
    const probe = createServer();
    const port = await new Promise((resolve) => probe.listen(0, '127.0.0.1', () => resolve(probe.address().port)));
    await new Promise((resolve) => probe.close(resolve));
    const starting = start({ listen: '127.0.0.1:1' }, [...activate, '-l', `127.0.0.1:${port}`]);
    await until('an answer', () => raw(port, health));
    const server = await starting;
    assert.equal(server.port, port);
    const client = await connect(server);
    client.send({ type: 'hello' });
    assert.equal((await client.text('welcome')).control, true); // it is loopback, although systemd opened it
    await client.close();
    assert.equal(await server.stop(), 0);
  },
);

// ---- other errors at start ------------------------------------------------------------------

test('a bad token file or web root is named', async () => {
  writeFileSync(join(folder, 'empty'), '\n');
  await assertFails({ token_file: join(folder, 'empty') }, join(folder, 'empty'), 'empty');
  await assertFails({ token_file: join(folder, 'missing') }, join(folder, 'missing'), 'No such file');
  await assertFails({ token_file: folder }, folder, 'directory');
  await assertFails({ web_root: join(folder, 'missing') }, join(folder, 'missing'), 'No such file');
  await assertFails({ web_root: join(folder, 'empty') }, join(folder, 'empty'), 'Not a directory');
});

test('more clients than open files allow is an error that states the limit', async () => {
  const server = await start({ max_clients: 5000 }, ['sh', '-c', 'ulimit -n 300; exec "$@"', 'sh']);
  assert.equal(server.code, 1);
  assert.match(server.errors, /max-clients 5000 needs 5192 open files, the limit is 300/);
});
