// Tests pacing: each client gets frames at its own rate, and no client delays another.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { after, before, test } from 'node:test';
import { call } from '../support/calls.mjs';
import {
  clientFrame,
  connect,
  httpText,
  readFrame,
  request,
  residentBytes,
  start,
  until,
  upgradeHeaders,
} from '../support/server/harness.mjs';

let server;
before(async () => {
  server = await start({ max_clients: 64, max_views: 8 });
});
after(async () => assert.equal(await server.stop(), 0, server.errors));

const view = { type: 'view', id: 1, columns: 1024, detector: 'max' };

/** Waits until all frames for this client have arrived. Several answers, because one may overtake frames. */
async function flushed(client) {
  for (let i = 0; i < 3; i++) {
    client.send('?');
    await client.text('error');
  }
}

test('a frame shows the line to the bin and to the level', async () => {
  const client = await connect(server);
  await server.say('lines 5');
  client.send(view); // the newest line is sent at once
  const first = await client.frame();
  assert.equal(first.magic, 'FFTD');
  assert.equal(first.view, 1);
  assert.equal(first.n, 1024);
  const bin = first.line % 1024,
    step = 2.4e6 / 1024;
  assert.equal(first.peak_hz, 100e6 + (bin - 512) * step);
  assert.equal(first.peak_db, 0);
  assert.ok(Math.abs(first.levels[bin]) < 0.2);
  assert.ok(Math.abs(first.levels[(bin + 5) % 1024] + 90) < 0.2);
  client.send({ ...view, id: 2, columns: 100, low_hz: first.peak_hz - 10 * step, high_hz: first.peak_hz + 10 * step });
  const zoomed = await client.frame((f) => f.view === 2);
  assert.ok(zoomed.columns <= 22 && zoomed.column_hz === step);
  const at = Math.floor((first.peak_hz - zoomed.low_hz) / zoomed.column_hz);
  assert.ok(Math.abs(zoomed.levels[at]) < 0.2);
  await client.close();
});

test('the readings of markers come before the frame that they are of', async () => {
  const client = await connect(server, { credit: 'by hand' });
  const step = 2.4e6 / 1024,
    order = [];
  client.socket.on('message', (data, isBinary) => order.push(isBinary ? 'frame' : JSON.parse(data).type));
  const wanted = {
    id: 5,
    markers: [
      { hz: 1, width_hz: 0 },
      { hz: 100e6, width_hz: 2.4e6 },
    ],
    peaks: { count: 3 },
  };
  client.send(call('put', 'connection/markers', wanted));
  await server.say('lines 3');
  client.send(view);
  for (let i = 0; i < 4; i++) {
    const readings = await client.text('markers'),
      frame = await client.frame();
    assert.equal(readings.line, frame.line);
    assert.equal(readings.view, 1);
    assert.equal(readings.id, 5);
    assert.deepEqual(order.filter((type) => /markers|frame/.test(type)).slice(-2), ['markers', 'frame']);
    assert.equal(readings.markers[0], null, 'outside of the span');
    for (const { db, hz } of [readings.peak, readings.markers[1]]) {
      // one bin alone: a tone at its centre
      assert.ok(Math.abs(db) < 0.01, `${db}`);
      assert.ok(Math.abs(hz - frame.peak_hz) < 0.01 * step, `${hz}`);
    }
    client.send({ type: 'credit', count: 1 });
    await server.say('lines 1');
  }
  client.send(call('delete', 'connection/markers'));
  await flushed(client);
  order.length = 0;
  client.send({ type: 'credit', count: 2 });
  await server.say('lines 1');
  await flushed(client);
  assert.ok(!order.includes('markers'));
  await client.close();
});

test('a wrong request of readings is answered with its id and key', async () => {
  const client = await connect(server),
    wrong = [
      [{ peak: {} }, 'peak', /did you mean peaks\?/],
      [{ spurs: 1 }, 'spurs', /^spurs: 1 is not/],
      [{ markers: [1] }, 'markers', /a marker is an object with hz/],
    ];
  for (const [body, key, sentence] of wrong) {
    const answer = await client.call(call('put', 'connection/markers', body));
    assert.deepEqual([answer.status, answer.key], [400, key]);
    assert.match(answer.error, sentence);
  }
  await client.close();
});

test('readings come as rarely as the client wants them, and frames as before', async () => {
  const client = await connect(server, { credit: 'by hand' }),
    lines = [];
  client.socket.on('message', (data, isBinary) => {
    if (!isBinary && JSON.parse(data).type === 'markers') lines.push(JSON.parse(data).line);
  });
  const since = performance.now(),
    frames = [];
  await server.say('lines 1');
  client.send(call('put', 'connection/markers', { per_second: 1 }));
  client.send(view);
  frames.push((await client.frame()).line);
  for (let i = 0; i < 12; i++) {
    // a line comes when the frame before it has: each is in a frame of its own
    client.send({ type: 'credit', count: 1 });
    await server.say('lines 1');
    frames.push((await client.frame()).line);
  }
  await flushed(client);
  const most = 1 + (performance.now() - since) / 1000;
  assert.ok(lines.length >= 1 && lines.length <= most, `${lines.length} messages, ${most} at most`);
  assert.ok(lines.every((line) => frames.includes(line)));
  assert.equal(new Set(frames).size, 13);
  await client.close();
});

test('without credit two frames are sent, and then all missed lines in one', async () => {
  const client = await connect(server, { credit: 'by hand' });
  client.send(view);
  await client.frame(); // the newest line
  await server.say('lines 1');
  const second = await client.frame();
  await server.say('lines 17');
  await flushed(client);
  assert.equal(client.frames.length, 0);
  client.send({ type: 'credit', count: 1 });
  const merged = await client.frame();
  assert.equal(merged.merged, 17);
  assert.equal(merged.line, second.line + 17);
  const lit = merged.levels.filter((level) => level > -1).length;
  assert.equal(lit, 17); // the tone of every line is present
  await client.close();
});

test('excess credit has no effect', async () => {
  const client = await connect(server, { credit: 'by hand' });
  client.send(view);
  await client.frame(); // the newest line: uses one of the first two credits
  for (let i = 0; i < 100; i++) client.send({ type: 'credit', count: 2 });
  client.send({ type: 'credit', count: 1000000 });
  assert.match((await client.text('error')).message, /count/);
  const had = client.count;
  for (let i = 0; i < 10; i++) {
    await server.say('lines 1');
    await flushed(client);
  }
  assert.equal(client.count - had, 2);
  await client.close();
});

test('a client that draws every frame at once gets any number of frames', async () => {
  const client = await connect(server);
  client.send(view);
  await client.frame();
  for (let i = 0; i < 2500; i++) {
    await server.say('lines 1');
    await client.frame();
  }
  assert.equal(client.socket.readyState, 1);
  await client.close();
});

test('after a retune no frame mixes two centres', async () => {
  const client = await connect(server, { credit: 'by hand' });
  client.send(view);
  await client.frame();
  await server.say('lines 1');
  await client.frame();
  await server.say('lines 10');
  await server.say('tune 200e6');
  await server.say('lines 3');
  client.send({ type: 'credit' });
  const frame = await client.frame();
  assert.equal(frame.center_hz, 200e6);
  assert.equal(frame.merged, 3);
  await server.say('tune 100e6');
  await client.close();
});

test('a detector that is not computed is refused with a reason', async () => {
  const meanOnly = await start({ detectors: 1 });
  await meanOnly.say('lines 1');
  const client = await connect(meanOnly);
  client.send(view);
  assert.match((await client.text('error')).message, /detector/);
  client.send({ ...view, detector: 'mean' });
  await client.frame();
  await client.close();
  assert.equal(await meanOnly.stop(), 0);
});

/** A client that sets a view, gives credit when asked to, and never reads a byte. */
function stalled(where) {
  return new Promise((resolve) => {
    const socket = createConnection(where.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(httpText('/ws', upgradeHeaders(where)));
    socket.once('data', () => {
      socket.pause();
      socket.write(clientFrame(1, JSON.stringify({ ...view, columns: 8192 })));
      resolve({
        destroy: () => socket.destroy(),
        draw: () => socket.write(clientFrame(1, '{"type":"credit","count":2}')),
      });
    });
  });
}

test('stalled clients do not delay fast ones, and memory does not grow', async () => {
  const big = await start({ max_clients: 64, n: 8192, detectors: 2, noise: 1 });
  const quick = await Promise.all(Array.from({ length: 10 }, () => connect(big)));
  const stuck = await Promise.all(Array.from({ length: 4 }, () => stalled(big)));
  const asleep = await connect(big, { credit: 'by hand', forget: true }); // reads, but gives no credit
  quick.forEach((client, i) => client.send({ ...view, columns: 8000 + (i % 2) }));
  asleep.send(view);
  let rounds = 0;
  const framesOfStuck = async () => {
    const status = JSON.parse((await request(big, '/api/v1/status')).split('\r\n\r\n')[1]);
    return status.server.frames_total - quick.length * rounds - asleep.count;
  };
  // The next line is made after every fast client has received this one in a frame of its own.
  const watch = async (lines) => {
    for (let i = 0; i < lines; i++, rounds++) {
      stuck.forEach((client) => client.draw());
      await big.say('lines 1');
      const frames = await Promise.all(quick.map((client) => client.frame()));
      for (const { line, merged } of frames) assert.deepEqual({ line, merged }, { line: rounds, merged: 1 });
    }
  };
  const stall = async () => {
    // until the network buffers are full
    const before = await framesOfStuck();
    await watch(50);
    return (await framesOfStuck()) === before;
  };
  await until('the stuck ones to be stuck, and every block used', stall);
  const before = residentBytes(big.pid);
  await watch(300);
  const grown = residentBytes(big.pid) - before;
  console.log(`# ${rounds} lines; the stuck got ${await framesOfStuck()} frames; memory +${grown >> 10} KiB`);
  if (!process.env.FFTD_SANITIZED)
    // their allocators keep freed memory
    assert.ok(grown < 2 << 20, `memory grew by ${grown} bytes`);
  await flushed(asleep);
  assert.equal(asleep.count, 2);
  stuck.forEach((client) => client.destroy());
  await Promise.all([...quick, asleep].map((client) => client.close()));
  assert.equal(await big.stop(), 0, big.errors);
});

test('the server reads the last line, and keeps it for new views', async () => {
  const short = await start();
  await short.say('lines 3');
  assert.deepEqual(await short.say('drained'), ['drained 0']);
  await short.say('close');
  await until('the end of the lines', async () => (await short.say('drained'))[0] === 'drained 1');
  const client = await connect(short);
  client.send(view);
  assert.equal((await client.frame()).line, 2);
  await client.close();
  assert.equal(await short.stop(), 0);
});

test('the reader of these tests agrees with the golden frames', async () => {
  const { readFileSync } = await import('node:fs');
  for (const name of ['wire_spectrum', 'wire_deflated']) {
    const at = (end) => new URL(`../golden/${name}.${end}`, import.meta.url);
    const frame = readFrame(readFileSync(at('bin')));
    const want = JSON.parse(readFileSync(at('json'), 'utf8'));
    for (const field of ['view', 'merged', 'columns', 'peak_db', 'peak_hz', 'low_hz', 'column_hz', 'n'])
      assert.equal(frame[field], want[field], field);
    assert.deepEqual(
      frame.levels,
      want.levels.map((v) => want.level_offset_db + want.level_step_db * v),
    );
  }
});
