// demo.test.mjs - script/demo_hub: it ends by itself, with status 0 if every line is accounted for.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, until } from '../support/fftd.mjs';
import { viewer } from '../support/hub.mjs';
import { missing } from '../support/nats.mjs';

const options = { skip: missing() };
const script = fileURLToPath(new URL('../../script/demo_hub', import.meta.url));

function start(t, args) {
  const child = spawn(script, [binary, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const demo = { child, out: '', error: '' };
  child.stdout.on('data', (data) => {
    demo.out += data;
  });
  child.stderr.on('data', (data) => {
    demo.error += data;
  });
  demo.ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  t.after(() => child.kill());
  return demo;
}

test('with a duration it ends with the account of three radios', options, async (t) => {
  const demo = start(t, ['--duration', '2']);
  assert.equal(await demo.ended, 0, demo.error);
  const rows = [...demo.out.matchAll(/^(\w+): (\d+) lines, (\d+) at the hub, (\d+) missing$/gm)].map(
    ([, name, ...counts]) => [name, ...counts.map(Number)],
  );
  assert.deepEqual(rows.map(([name]) => name).sort(), ['east', 'north', 'south']);
  for (const [name, made, came, lost] of rows) assert.ok(came > 0 && made === came + lost, name);
});

test('it shows the radios at its address until it is stopped, and leaves nothing behind', options, async (t) => {
  const demo = start(t, []);
  const [, url, token] = await until('the address', () => demo.out.match(/(http:\S+); their control token: (\S+)/));
  const { radios } = await until('three radios run', async () => {
    const list = await (await fetch(`${url}api/v1/radios`)).json();
    return list.radios.filter(({ state, lines }) => state === 'running' && lines > 0).length === 3 && list;
  });
  const spans = radios
    .map(({ announce: { center_hz: center, rate_hz: rate } }) => [center - rate / 2, center + rate / 2])
    .sort((a, b) => a[0] - b[0]);
  for (let i = 1; i < spans.length; i++) assert.ok(spans[i][0] < spans[i - 1][1], 'together they are one span');
  assert.ok(radios.every(({ latitude, longitude }) => latitude > 48 && longitude > 16));
  const page = await viewer(t, { url });
  await until('a list', () => page.id('east'));
  const { site } = radios.find(({ radio }) => radio === 'east');
  page.say({ id: 1, put: `/api/v1/radios/${site}.east/settings`, token, body: { center_hz: 102e6 } });
  await until('the radio is changed', () => page.answers[0]?.status === 200);
  demo.child.kill('SIGTERM');
  assert.equal(await demo.ended, 143);
  await assert.rejects(fetch(url));
});

test('a bad duration and a program that does not start are refused', options, async (t) => {
  const demo = start(t, ['--duration', 'long']);
  assert.equal(await demo.ended, 1);
  assert.match(demo.error, /--duration: bad value 'long'/);
  const other = start(t, ['--token-file', '/nonexistent']);
  assert.equal(await other.ended, 1);
  assert.match(other.error, /\/nonexistent.*\n.*the hub does not start/);
});
