// One stalled and 100 quick websocket clients on the real daemon: no sample is lost, every quick
// client sees every line, and memory stays flat.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { clientFrame, connectPlain, httpText, residentBytes, runDaemon, sleep, upgradeHeaders } from './harness.mjs';

const sanitized = Boolean(process.env.FFTD_SANITIZED);
const quickClients = 100, seconds = 10;
const view = { type: 'view', id: 1, columns: 1200, trace: 'max' };

/** Counts frames and the lines in them; draws at once. */
function quick(daemon, columns) {
  return connectPlain(daemon, (bytes, client) => {
    const merged = bytes.readUInt32LE(24), line = Number(bytes.readBigUInt64LE(16));
    client.frames++;
    client.lines += merged;
    client.first ??= line - merged; // the line before the first one
    client.last = line;
    client.socket.send('{"type":"credit","count":1}');
  }, { ...view, columns });
}

/** Opens, asks for a view, gives credit for ever and never reads again. */
function stall(daemon) {
  const socket = createConnection(daemon.port, '127.0.0.1').on('error', () => {});
  socket.write(httpText('/ws', upgradeHeaders(daemon)));
  return new Promise((resolve) => socket.once('data', () => {
    socket.pause();
    socket.write(clientFrame(1, JSON.stringify({ ...view, columns: 8192 })));
    socket.timer = setInterval(() => socket.write(clientFrame(1, '{"type":"credit","count":2}')), 100);
    resolve(socket);
  }));
}

const status = async (daemon) => (await fetch(`${daemon.url}api/status`)).json();

test('one stalled and a hundred quick clients', { timeout: 150000 }, async () => {
  const daemon = await runDaemon(['--source', 'sim', '--rate', sanitized ? '250k' : '2.4M', '--line-rate', '20']);
  const clients = await Promise.all(Array.from({ length: quickClients }, (_, i) => quick(daemon, 1200 + (i % 4))));
  const stuck = await stall(daemon);
  await sleep(4000); // until every buffer was used once
  const bytes = residentBytes(daemon.pid);
  const before = await status(daemon), counts = clients.map((client) => ({ ...client }));
  await sleep(seconds * 1000);
  const after = await status(daemon);
  const grown = residentBytes(daemon.pid) - bytes;
  clearInterval(stuck.timer);
  stuck.destroy();
  const lines = after.ledger.lines - before.ledger.lines;
  const rates = clients.map((client, i) => (client.frames - counts[i].frames) / lines);
  console.log(`# ${lines} lines; rates of the quick clients ${Math.min(...rates).toFixed(3)} .. ${Math.max(...rates).toFixed(3)}; memory +${grown >> 10} KiB`);

  const { overflow, overrun, gap } = after.ledger.lost;
  assert.deepEqual({ overflow, overrun, gap, folded: after.ledger.folded }, { overflow: 0, overrun: 0, gap: 0, folded: 0 });
  assert.equal(after.server.clients, quickClients + 1);
  assert.equal(after.server.views, 5); // four of the quick ones, one of the stalled
  assert.equal(after.server.lines_missed, 0);
  for (const client of clients) // every line reached every client, alone or merged into a frame
    assert.equal(client.last - client.first, client.lines);
  assert.ok(lines > seconds * 20 * 0.8, `${lines} lines in ${seconds} s`);
  assert.ok(Math.min(...rates) > (sanitized ? 0.3 : 0.8), `a quick client got ${Math.min(...rates)} of the frames`);
  if (!sanitized) // their allocators keep what was freed
    assert.ok(grown < 4 << 20, `memory grew by ${grown} bytes`);
  clients.forEach((client) => client.socket.close());
  assert.equal(await daemon.stop(), 0, daemon.errors);
});
