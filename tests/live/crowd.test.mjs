// One stalled and 100 fast websocket clients on the real daemon: no sample is lost, every fast client
// receives every line, and memory does not grow.
//
// The daemon gets the samples of one line at a time, and the next ones after every fast client has
// received that line. So the result does not depend on the speed of the machine. FFTD_FULL: real time.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import {
  clientFrame,
  connectPlain,
  httpText,
  residentBytes,
  runDaemon,
  sleep,
  until,
  upgradeHeaders,
} from '../support/server/harness.mjs';

const full = Boolean(process.env.FFTD_FULL);
const quickClients = 100;
const view = { type: 'view', id: 1, columns: 1200, detector: 'max' };

/** Counts frames and the lines in them, and gives credit at once. */
function quick(daemon, columns) {
  return connectPlain(
    daemon,
    (bytes, client) => {
      const merged = bytes.readUInt32LE(24),
        line = Number(bytes.readBigUInt64LE(16));
      client.frames++;
      client.lines += merged;
      client.first ??= line - merged; // the number of the line before the first
      client.last = line;
      client.socket.send('{"type":"credit","count":1}');
      client.seen?.();
    },
    { ...view, columns },
  );
}

/** A client that sets a view, gives credit when asked to, and never reads. */
function stall(daemon) {
  const socket = createConnection(daemon.port, '127.0.0.1').on('error', () => {});
  socket.write(httpText('/ws', upgradeHeaders(daemon)));
  return new Promise((resolve) =>
    socket.once('data', () => {
      socket.pause();
      socket.write(clientFrame(1, JSON.stringify({ ...view, columns: 8192 })));
      resolve({
        destroy: () => socket.destroy(),
        draw: () => socket.write(clientFrame(1, '{"type":"credit","count":2}')),
      });
    }),
  );
}

const status = async (daemon) => (await fetch(`${daemon.url}api/v1/status`)).json();

/** What must hold for all of them at the end. */
async function assertServed(daemon, clients) {
  const { server } = await status(daemon);
  assert.equal(server.clients, quickClients + 1);
  assert.equal(server.views, 5); // four of the fast clients, one of the stalled
  assert.equal(server.lines_missed, 0);
  for (const client of clients)
    // every client got every line, in a frame of its own or merged
    assert.equal(client.last - client.first, client.lines);
}

const lineSamples = 16384,
  lineBytes = 4 * lineSamples;

test('one stalled and a hundred fast clients', { skip: full && 'short' }, async () => {
  const daemon = await runDaemon([
    '--replay',
    '-',
    '--format',
    'cs16',
    '--rate',
    '2.4M',
    '--fft-size',
    '8192',
    '--overlap',
    '0',
    '--average',
    '2',
    '--detector',
    'max',
  ]);
  const clients = await Promise.all(Array.from({ length: quickClients }, (_, i) => quick(daemon, 1200 + (i % 4))));
  const stuck = await stall(daemon);
  let rounds = 0,
    noise = 1;
  const samples = Buffer.alloc(lineBytes);
  const watch = async (lines) => {
    for (const end = rounds + lines; rounds < end; rounds++) {
      for (let i = 0; i < lineBytes; i++) {
        noise = (Math.imul(noise, 1103515245) + 12345) >>> 0;
        samples[i] = noise >>> 16;
      }
      stuck.draw();
      const all = Promise.all(
        clients.map(
          (client) =>
            new Promise((resolve) => {
              client.seen = resolve;
            }),
        ),
      );
      daemon.feed(Buffer.from(samples));
      await all;
      for (const { frames, last } of clients) assert.deepEqual({ frames, last }, { frames: rounds + 1, last: rounds });
    }
  };
  await watch(100); // every block of the line ring is in use
  const bytes = residentBytes(daemon.pid);
  await watch(100);
  const grown = residentBytes(daemon.pid) - bytes;
  console.log(`# ${rounds} lines; memory +${grown >> 10} KiB`);
  await assertServed(daemon, clients);
  const { ledger } = await status(daemon);
  assert.equal(ledger.lines, rounds);
  assert.equal(ledger.folded, 0);
  assert.equal(ledger.produced, rounds * lineSamples);
  assert.equal(ledger.seen, rounds * lineSamples);
  if (!process.env.FFTD_SANITIZED)
    // their allocators keep freed memory
    assert.ok(grown < 4 << 20, `memory grew by ${grown} bytes`);
  stuck.destroy();
  clients.forEach((client) => client.socket.close());
  assert.equal(await daemon.end(), 0, daemon.errors);
});

test('a crowd in real time', { skip: !full && 'long: script/test --full', timeout: 150000 }, async () => {
  const seconds = 10;
  const daemon = await runDaemon(['--source', 'sim', '--rate', '2.4M', '--line-rate', '20']);
  const clients = await Promise.all(Array.from({ length: quickClients }, (_, i) => quick(daemon, 1200 + (i % 4))));
  const stuck = await stall(daemon);
  const drawing = setInterval(() => stuck.draw(), 100);
  await until('every buffer used once', async () => (await status(daemon)).ledger.lines > 80);
  const before = await status(daemon),
    counts = clients.map(({ frames }) => frames);
  await sleep(seconds * 1000);
  const after = await status(daemon);
  clearInterval(drawing);
  const lines = after.ledger.lines - before.ledger.lines;
  const rates = clients.map((client, i) => (client.frames - counts[i]) / lines);
  console.log(
    `# ${lines} lines; rates of the quick clients ${Math.min(...rates).toFixed(3)} .. ${Math.max(...rates).toFixed(3)}`,
  );
  const { overflow, overrun, gap } = after.ledger.lost;
  assert.deepEqual(
    { overflow, overrun, gap, folded: after.ledger.folded },
    { overflow: 0, overrun: 0, gap: 0, folded: 0 },
  );
  await assertServed(daemon, clients);
  assert.ok(lines > seconds * 20 * 0.8, `${lines} lines in ${seconds} s`);
  assert.ok(Math.min(...rates) > 0.8, `a quick client got ${Math.min(...rates)} of the frames`);
  stuck.destroy();
  clients.forEach((client) => client.socket.close());
  assert.equal(await daemon.stop(), 0, daemon.errors);
});
