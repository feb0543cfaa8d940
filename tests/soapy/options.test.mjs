// options.test.mjs - what the test radio (siggen_radio.hpp) can be set to: offered to clients, set live, and read back.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { answerTo, set } from '../support/calls.mjs';
import { binary } from '../support/fftd.mjs';
import { Daemon, testRadio } from '../support/soapy/radio.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});
const RADIO = ['--source', 'soapy', '--device', 'driver=fftdtest', '--center', '100M', '--rate', '1M'];

/** A client on the daemon's Unix socket. */
async function connect(daemon) {
  await daemon.until('running', (s) => s.state === 'running');
  const socket = new WebSocket(`ws+unix:${daemon.socket}:/ws`, 'fftd.3', { headers: { host: 'localhost' } });
  const client = { texts: [], choices: null };
  socket.on('message', (data, binaryData) => {
    if (binaryData) return;
    client.texts.push(JSON.parse(data));
    client.choices = client.texts.at(-1).choices ?? client.choices;
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  client.ask = async (message) => {
    const before = client.texts.length;
    socket.send(JSON.stringify(message));
    for (;;) {
      const answer = answerTo(message, client.texts.slice(before));
      if (answer) return answer;
      await daemon.until('here', () => true);
    }
  };
  socket.send(JSON.stringify({ type: 'hello' }));
  await daemon.until('the choices of the radio', () => client.choices?.['gain.LNA']);
  return client;
}

test('the choices have the gain elements, antennas, filters and settings of the radio', async (t) => {
  const daemon = new Daemon(t, testRadio(t), RADIO),
    { choices } = await connect(daemon);
  const { label, group, unit, min, max, step } = choices['gain.LNA'];
  assert.deepEqual([label, group, unit, min, max, step], ['LNA', 'radio', 'dB', 0, 40, 0.5]);
  assert.deepEqual([choices['gain.TIA'].max, 'step' in choices['gain.TIA']], [12, false]);
  assert.deepEqual(choices.antenna.values, ['', 'RX1', 'RX2']);
  assert.deepEqual([choices.bandwidth_hz.proposals, choices.bandwidth_hz.unit], [[1.5e6, 5e6], 'Hz']);
  assert.deepEqual(
    [choices['setting.biastee'].values, choices['setting.biastee'].group],
    [['false', 'true'], 'driver'],
  );
  assert.deepEqual(choices['setting.direct'].values, ['0', '1', '2']);
  assert.deepEqual([choices['setting.agc_setpoint'].min, choices['setting.agc_setpoint'].max], [-60, 0]);
  assert.ok('setting.notch' in choices); // of the channel
  await daemon.stop();
});

test('gain elements and settings change one at a time, and the status has what the radio reports', async (t) => {
  const daemon = new Daemon(t, testRadio(t), [...RADIO, '--gain', 'LNA=5,TIA=2', '--settings', 'direct=2']);
  const client = await connect(daemon);
  const tuningIs = (what) =>
    daemon.until(JSON.stringify(what), ({ source: { tuning } }) =>
      Object.entries(what).every(([name, value]) => tuning[name] === value),
    );
  await tuningIs({ 'gain.LNA': 5, 'gain.TIA': 2, 'setting.direct': '2' });

  assert.equal((await client.ask(set({ 'gain.LNA': 21.3 }))).type, 'done');
  const { wanted } = await tuningIs({ 'gain.LNA': 21, 'gain.TIA': 2 }); // whole dB
  assert.deepEqual([wanted.gain, wanted['gain.LNA']], ['LNA=21.3,TIA=2', 21.3]);
  assert.equal(
    (await client.ask(set({ 'setting.biastee': 'true', 'setting.notch': true, antenna: 'RX2' }))).type,
    'done',
  );
  await tuningIs({ 'setting.biastee': 'true', 'setting.direct': '2', antenna: 'RX2' });

  // A total gain is shared out by the radio; one element then changes what that gave.
  assert.equal((await client.ask(set({ gain: '30' }))).type, 'done');
  const before = await daemon.until('30 dB', ({ source }) => source.gain_db === 30);
  assert.equal((await client.ask(set({ 'gain.TIA': 3 }))).type, 'done');
  const lna = before.source.tuning['gain.LNA'];
  assert.equal((await tuningIs({ 'gain.TIA': 3, 'gain.LNA': lna })).wanted.gain, `LNA=${lna},TIA=3`);

  for (const [fields, reason] of [
    [{ 'gain.VGA': 1 }, /^gain\.VGA: the radio has no such option$/],
    [{ 'gain.LNA': 41 }, /^gain\.LNA: 41 is not a number from 0 to 40$/],
    [{ 'gain.LNA': '5dB' }, /5dB is not a number/],
    [{ 'setting.direct': '3' }, /^setting\.direct: 3 is not one of 0, 1, 2$/],
    [{ 'setting.direct': '1,x=2' }, /without commas/],
    [{ 'setting.direct': null }, /null is not a text of one line, a number, true or false/],
  ]) {
    const { type, message } = await client.ask(set({ ppm: 5, ...fields }));
    assert.equal(type, 'error');
    assert.match(message, reason);
  }
  assert.equal((await daemon.until('a status', () => true)).wanted.ppm, 0, 'a refused message changes nothing');
  await daemon.stop();
});

test('the command line takes elements and settings, and refuses those that the radio has not', (t) => {
  const { env } = testRadio(t);
  const fftd = (...args) => spawnSync(binary, [...RADIO, '--duration', '0.1', ...args], { env, encoding: 'utf8' });
  assert.equal(fftd('--gain', 'LNA=20,TIA=12', '--settings', 'biastee=true,agc_setpoint=-30').status, 0);
  for (const [args, reason] of [
    [['--gain', 'LNA=20,VGA=12'], /gain element VGA: .* has LNA, TIA/],
    [['--settings', 'biast=true'], /setting biast: .* has biastee, direct, agc_setpoint, notch/],
  ]) {
    const { status, stderr } = fftd(...args);
    assert.equal(status, 1);
    assert.match(stderr, reason);
  }
});
