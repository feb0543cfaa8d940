// restart.test.mjs - a hub that is killed and started again by a supervisor: viewers that reconnect have frames soon, and every
// line that the hub did not get is counted.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { binary, serve, slowness, until } from '../support/fftd.mjs';
import { hub, viewer } from '../support/hub.mjs';
import { broker, freePort, missing } from '../support/nats.mjs';
import { SENSOR } from '../support/sensor.mjs';

const options = { skip: missing() };
const sleep = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** A hub on a port of its own that a loop starts again, at once, whenever it ends. */
async function supervised(t, nats) {
  const port = await freePort();
  const held = { url: `http://127.0.0.1:${port}/`, child: null, starts: 0, stopped: false };
  const loop = async () => {
    while (!held.stopped) {
      held.starts++;
      held.child = spawn(binary, ['--hub', nats, '--listen', `127.0.0.1:${port}`], { stdio: 'ignore' });
      await once(held.child, 'close');
    }
  };
  held.ended = loop();
  t.after(() => {
    held.stopped = true;
    held.child.kill();
    return held.ended;
  });
  held.radio = async (name) => {
    const list = await fetch(`${held.url}api/v1/radios`)
      .then((answer) => answer.json())
      .catch(() => ({ radios: [] }));
    return list.radios.find(({ radio }) => radio === name);
  };
  return held;
}

/** As a browser does that lost its hub: tries until it has the radio, and wants it. Ends with the socket. */
async function watch(t, { url }, seen) {
  const page = await viewer(t, { url }).catch(() => null);
  const id = page && (await until('the radio', () => page.id('r1') ?? (page.socket.readyState > 1 && -1)));
  if (!(id > 0)) return;
  page.say({ type: 'want', radios: [id] });
  page.socket.on('message', (data, binary) => {
    if (binary) seen.push(Date.now());
  });
  await new Promise((resolve) => {
    page.socket.on('close', resolve);
  });
}

/** Watches again whenever the connection ends; the times of frames grow. */
function keepWatching(t, held) {
  const seen = [];
  const loop = async () => {
    while (!held.stopped) {
      await watch(t, held, seen);
      await sleep(50);
    }
  };
  loop();
  return seen;
}

test(
  'viewers of a hub that was killed have frames again in less than 2 s, and missing lines are counted',
  options,
  async (t) => {
    const { url } = await broker(t);
    const held = await supervised(t, url);
    const source = await serve(t, [...SENSOR, '--nats', url]);
    const viewers = Array.from({ length: 20 }, () => keepWatching(t, held));
    await until('frames for all', () => viewers.every((seen) => seen.length >= 5));
    const killed = Date.now();
    held.child.kill('SIGKILL');
    const back = await Promise.all(
      viewers.map((seen) => until('frames again', () => seen.find((time) => time > killed + 20))),
    ); // not those on the way
    const lasted = Math.max(...back) - killed;
    assert.equal(held.starts, 2);
    assert.ok(lasted < 2000 * slowness, `back after ${lasted} ms`);
    t.diagnostic(`frames for all ${lasted} ms after the kill`);
    const { lines } = await held.radio('r1');
    await until('more lines', async () => (await held.radio('r1')).lines > lines + 10);
    assert.equal(await source.stop(), 0);
    const gone = await until('the last announcement', async () => {
      const radio = await held.radio('r1');
      return radio.state === 'gone' && radio;
    });
    assert.ok(gone.before > 0, 'the lines before the hub was back');
    assert.equal(gone.before + gone.lines + gone.missing, gone.announce.lines + gone.announce.missed);
  },
);

// With the address sanitizer it also leaves no memory behind.
test('a hub that ends while its broker does ends well', options, async (t) => {
  const { url, start, kill } = await broker(t);
  for (let round = 0; round < 8; round++) {
    const daemon = await hub(t, url);
    const ended = daemon.stop();
    await sleep(8 * round);
    await kill();
    const code = await ended;
    assert.equal(code, 0, daemon.stderr);
    await start();
  }
});
