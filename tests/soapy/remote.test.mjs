// remote.test.mjs - the daemon on a radio of a SoapySDRServer on loopback, which is killed and
// restarted.
// Run by with_mdns.sh.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { until } from '../support/fftd.mjs';
import { Daemon, lostOf, testRadio } from '../support/soapy/radio.mjs';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  const yes = await new Promise((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  });
  socket.destroy();
  return yes;
}

class Server {
  constructor(t, radio, port) {
    Object.assign(this, { radio, port });
    t.after(() => this.kill());
  }

  async start() {
    this.child = spawn('SoapySDRServer', [`--bind=tcp://127.0.0.1:${this.port}`], {
      env: this.radio.env,
      stdio: 'ignore',
    });
    await until('SoapySDRServer listens', () => listens(this.port));
  }

  async kill() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'close');
  }
}

async function remote(t) {
  const radio = testRadio(t),
    port = await freePort(),
    server = new Server(t, radio, port);
  await server.start();
  return {
    radio,
    server,
    args: [
      '--source',
      'soapy',
      '--center',
      '100M',
      '--device',
      `driver=remote,remote=tcp://127.0.0.1:${port},remote:driver=fftdtest`,
    ],
  };
}

function assertConserved(ledger) {
  assert.equal(ledger.produced, ledger.seen + lostOf(ledger), JSON.stringify(ledger));
}

for (const [protocol, rate] of [
  ['udp', '2.4M'],
  ['udp', '20M'],
  ['udp', '61.44M'],
  ['tcp', '20M'],
]) {
  test(`a remote radio is read over ${protocol} at ${rate}S/s`, async (t) => {
    const { radio, args } = await remote(t);
    const daemon = new Daemon(t, radio, [
      ...args,
      '--rate',
      rate,
      '--duration',
      '2',
      '--stream-args',
      `remote:prot=${protocol}`,
    ]);
    assert.equal(await daemon.exit(), 0, daemon.stderr);
    const ledger = daemon.stats();
    t.diagnostic(`${protocol} ${rate}S/s: ${ledger.seen} seen, ${JSON.stringify(ledger.lost)}`);
    assertConserved(ledger);
    assert.ok(ledger.seen > 0);
  });
}

for (const protocol of ['udp', 'tcp']) {
  test(`a server that is killed is survived over ${protocol}`, async (t) => {
    const { radio, server, args } = await remote(t);
    const daemon = new Daemon(t, radio, [...args, '--rate', '2.4M', '--stream-args', `remote:prot=${protocol}`]);
    await daemon.sees(100000);
    await server.kill();
    await daemon.until('missing it', (s) => s.state !== 'running');
    await server.start();
    const back = await Promise.race([daemon.sees(100000), daemon.exit()]);
    if (protocol === 'tcp' && back === 1) {
      // see daemon/source/soapy/soapy_device.h: systemd restarts it
      assert.match(daemon.stderr, /still held by a stuck reader/);
      t.diagnostic('the driver kept the dead connection, and the daemon ended for a new start');
      return;
    }
    assert.equal(typeof back, 'object', `ended with ${back}\n${daemon.stderr}`);
    assert.ok(back.source.reopened + back.source.abandoned >= 1);
    assertConserved(await daemon.stop());
  });
}
