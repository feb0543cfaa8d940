// network.test.mjs - a sensor in another network, behind a cable that is pulled, or that delays and loses packets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve, until } from '../support/fftd.mjs';
import { hub } from '../support/hub.mjs';
import { broker, missing, subscribe } from '../support/nats.mjs';
import { cable, enterOwnNetwork, FAR, NEAR } from '../support/networks.mjs';
import { checkAccount, checkReturn, SENSOR } from '../support/sensor.mjs';

enterOwnNetwork();
const options = { skip: missing() };

/** A broker and its subscriber here, a sensor behind the cable. */
async function connect(t, wire, ...args) {
  const { port } = await broker(t, { address: '0.0.0.0' });
  const got = await subscribe(t, port);
  const sensor = await serve(t, [...SENSOR, '--nats', `nats://${NEAR}:${port}`, ...args], {
    wrap: wire.there,
    address: FAR,
  });
  return { port, got, sensor };
}

test(
  'a cable that is pulled: the hub says so, lines are folded meanwhile, and all are there afterwards',
  options,
  async (t) => {
    const wire = await cable(t);
    const { port, got, sensor } = await connect(t, wire);
    const daemon = await hub(t, `nats://127.0.0.1:${port}`);
    await daemon.untilState('r1', 'running');
    await until('lines', () => got.lines.length >= 5);
    wire.pull();
    const frames = got.lines.length;
    await until('that it notices', () => /fftd: nats: .*; fftd tries again/.test(sensor.stderr));
    await daemon.untilState('r1', 'gone');
    wire.plug();
    await checkReturn(got, Date.now());
    const folded = await until('the folded lines', () => got.lines.slice(frames).find(({ afterLoss }) => afterLoss));
    assert.ok(folded.merged >= 10 && Math.abs(folded.peakDb + 20) < 0.01, `${folded.merged} lines in one frame`);
    await daemon.untilState('r1', 'running');
    assert.equal(await checkAccount(sensor, got), 0);
    const { missing: lost, lines } = await daemon.untilState('r1', 'gone');
    assert.equal(lost, 0);
    assert.ok(lines > 0);
  },
);

test('a narrow link that delays and loses packets: every line arrives, or is counted', options, async (t) => {
  const wire = await cable(t);
  const { got, sensor } = await connect(t, wire);
  await until('lines', () => got.lines.length >= 5);
  wire.shape('tbf', 'rate', '8kbit', 'burst', '1600', 'limit', '3000'); // half of what the lines take
  await until('lost packets', () => wire.dropped() > 3);
  wire.shape('pfifo');
  const frames = got.lines.length;
  await until('lines without delay', () => got.lines.slice(frames).filter(({ merged }) => merged === 1).length > 20);
  assert.ok(got.lines.every(({ peakDb }) => Math.abs(peakDb + 20) < 0.01));
  assert.equal(await checkAccount(sensor, got), 0);
});
