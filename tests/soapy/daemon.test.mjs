// daemon.test.mjs - the daemon on a radio that overflows, hangs, vanishes and returns. The ledger
// counts every event. Only a radio that hangs three times ends the daemon.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, parseCsv, run } from '../support/fftd.mjs';
import { Daemon, lostOf, testRadio } from '../support/soapy/radio.mjs';

const RADIO = ['--source', 'soapy', '--device', 'driver=fftdtest', '--center', '100M'];
const SECONDS = Number(process.env.SOAPY_SECONDS ?? 3);
const SLOW = [...RADIO, '--rate', '2.4M', '--fft-size', '1024'];

function assertConserved(ledger) {
  assert.equal(ledger.produced, ledger.seen + lostOf(ledger), JSON.stringify(ledger));
}

for (const rate of ['2.4M', '20M', '61.44M']) {
  test(`every sample of a radio at ${rate}S/s is seen or counted as lost`, async (t) => {
    const daemon = new Daemon(t, testRadio(t), [...RADIO, '--rate', rate, '--duration', String(SECONDS)]);
    assert.equal(await daemon.exit(), 0, daemon.stderr);
    const ledger = daemon.stats();
    t.diagnostic(`${rate}S/s: ${ledger.seen} seen, lost ${JSON.stringify(ledger.lost)}`);
    assertConserved(ledger);
    assert.ok(ledger.produced >= SECONDS * parseFloat(rate) * 1e6 - 1);
    assert.ok(ledger.seen > 0);
  });
}

test('the ppm that a known tone gave puts it at its frequency', async (t) => {
  const radio = testRadio(t),
    table = join(radio.folder, 'table');
  const device = [
    '--source',
    'soapy',
    '--device',
    'driver=fftdtest,crystal=20,paced=0',
    '--center',
    '100M',
    '--rate',
    '2.4M',
  ];
  const fftd = (...args) => {
    const { status, stdout, stderr } = spawnSync(
      binary,
      [...device, '--duration', '0.3', '--calibration', table, ...args],
      { env: radio.env, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    return stdout;
  };
  // The radio's tone is at 100.25 MHz; with a fast crystal it reads 2 kHz too low.
  const ppm = fftd('--calibrate-ppm', '--calibrate-at', '100.25M');
  assert.ok(Math.abs(Number(ppm.match(/^ppm = (.*)\n$/)?.[1]) - 20) < 0.02, ppm);
  assert.match(readFileSync(table, 'utf8'), /^serial = T1$/m);
  const rows = fftd('--listen', 'none', '--measure', 'frequency-counter', '--measure-json', '-').split('\n');
  const { values } = JSON.parse(rows[1]);
  assert.ok(Math.abs(values.frequency_hz - 100.25e6) < 3, `${values.frequency_hz}`);
  assert.match(fftd('--calibrate-ppm', '--calibrate-at', '100.25M'), /^ppm = (20\.0|19\.9)/); // it stays
});

test('overflows are counted with their lost samples', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('overflow-every 500000 7000');
  await daemon.until('overflowing', (s) => s.ledger.events.overflow >= 3);
  radio.faults('');
  await daemon.sees(100000);
  const ledger = await daemon.stop();
  assertConserved(ledger);
  assert.ok(ledger.lost.overflow >= 3 * 7000);
});

test('an unreported gap in the time stamps is counted', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('gap 12345');
  const { ledger } = await daemon.until('gap', (s) => s.ledger.events.gap === 1);
  assert.equal(ledger.lost.gap, 12345);
  assertConserved(await daemon.stop());
});

test('the daemon waits for an unplugged radio and counts its absence', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('unplug');
  const waiting = await daemon.until(
    'waiting',
    (s) => s.state === 'waiting' && s.message.includes('no SoapySDR device matches'),
  );
  assert.match(waiting.message, /driver=fftdtest/);
  radio.faults('');
  const back = await daemon.sees(100000);
  assert.ok(back.source.reopened >= 1);
  const ledger = await daemon.stop();
  assert.ok(ledger.lost.gap > 0 && ledger.events.gap >= 1);
  assertConserved(ledger);
});

// 20 ms after each tuning and all that was queued are discarded. The radio rounds no centre.
test('a radio sweeps a span, and every sample that settles is counted', async (t) => {
  const radio = testRadio(t),
    csv = join(radio.folder, 'csv'),
    rate = 2.4e6,
    lines = 3;
  const daemon = new Daemon(t, radio, [
    '--source',
    'soapy',
    '--device',
    'driver=fftdtest,tone=103.3e6',
    '--rate',
    '2.4M',
    '--fft-size',
    '1024',
    '--window',
    'flat-top',
    '--span',
    '100M:106M',
    '--dwell',
    '5ms',
    '--lines',
    `${lines}`,
    '--csv',
    csv,
  ]);
  assert.equal(await daemon.exit(), 0, daemon.stderr);
  const ledger = daemon.stats(),
    [row] = parseCsv(readFileSync(csv)),
    dwells = 5,
    frames = 22;
  assertConserved(ledger);
  assert.ok(ledger.lost.retune >= (lines * dwells - 1) * 0.02 * rate, JSON.stringify(ledger));
  if (lostOf(ledger) === ledger.lost.retune + ledger.lost.tail)
    // a busy machine may overrun
    assert.ok(ledger.frames >= lines * dwells * frames && ledger.frames < (lines * dwells + 1) * frames);
  assert.ok(Math.abs(row.low - 100e6) < 1 && Math.abs(row.high - 106e6) < 5000);
  assert.ok(Math.abs(row.levels[Math.round((103.3e6 - row.low) / row.step)] + 6.02) < 0.1); // the radio's amplitude is 1/2
});

test('a span that the radio does not reach ends with one line', async (t) => {
  for (const [span, center] of [
    ['1M:100M', /1\./],
    ['1G:7G', /7\.\d*G|6\.\d*G/],
  ]) {
    const daemon = new Daemon(t, testRadio(t), [
      '--source',
      'soapy',
      '--device',
      'driver=fftdtest',
      '--rate',
      '2.4M',
      '--span',
      span,
    ]);
    assert.equal(await daemon.exit(), 1);
    assert.match(daemon.stderr, /span: center .*: Test generator T1 takes 24M to 1.8G\n$/);
    assert.match(daemon.stderr, center);
  }
});

test('the centre of a radio is on the spur list unless --dc-spur says no', async (t) => {
  const spike = [
    '--device',
    'driver=fftdtest,tone=100e6,level=0.1',
    '--center',
    '100M',
    '--rate',
    '2.4M',
    '--lines',
    '5',
    '--listen',
    'none',
    '--measure',
    'marker',
    '--measure-json',
    '-',
  ];
  const strongest = async (args) => {
    const { code, stdout, stderr } = await run([...spike, ...args], { env: testRadio(t).env });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout.toString().trimEnd().split('\n').at(-1)).values;
  };
  const found = await strongest([]),
    asked = await strongest(['--dc-spur', 'no']);
  assert.ok(found.level_dbfs < -60, `${found.level_dbfs} at ${found.frequency_hz}`);
  assert.equal(asked.frequency_hz, 100e6);
  assert.ok(Math.abs(asked.level_dbfs + 20) < 0.1, `${asked.level_dbfs}`);
});

test('a run with a limit ends if the radio is missing for too long', async () => {
  const { code, stderr } = await run([
    '--device',
    'driver=nosuchradio',
    '--duration',
    '1',
    '--wait-device',
    '700ms',
    '--listen',
    'none',
    '--csv',
    '/dev/null',
  ]);
  assert.equal(code, 1, stderr);
  assert.match(stderr, /waiting for it at most 0\.7 s \(--wait-device\)/);
  assert.match(stderr, /waited 0\.7 s for the device: no SoapySDR device matches driver=nosuchradio\n$/);
});

test('a radio that is unplugged for too long ends the run, and its samples are counted', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, [...SLOW, '--wait-device', '1']);
  await daemon.sees(100000);
  radio.faults('unplug');
  assert.equal(await daemon.exit(), 1, daemon.stderr);
  assert.match(daemon.stderr, /waited 1 s for the device/);
  const ledger = daemon.stats();
  assertConserved(ledger);
  assert.ok(ledger.seen >= 100000);
});

test('the daemon waits for a radio that is not plugged in yet', async (t) => {
  const radio = testRadio(t);
  radio.faults('unplug');
  const daemon = new Daemon(t, radio, SLOW);
  await daemon.until('waiting', (s) => s.state === 'waiting');
  radio.faults('');
  await daemon.sees(100000);
  assertConserved(await daemon.stop());
});

test('a radio whose driver throws is reopened', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('throw');
  await daemon.until('reopened', (s) => s.source.reopened >= 1);
  radio.faults(''); // each new radio reads its faults again
  await daemon.sees(100000);
  assertConserved(await daemon.stop());
  assert.match(daemon.stderr, /siggen was set to throw/);
});

test('a silent radio is shown as stalled and recovers', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('mute');
  await daemon.until('stalled', (s) => s.state === 'stalled');
  radio.faults('');
  await daemon.sees(100000);
  const ledger = await daemon.stop();
  assert.ok(lostOf(ledger) > 0);
  assertConserved(ledger);
});

test('a read that hangs is abandoned and the radio reopened', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('hang-once');
  await daemon.until('abandoned', (s) => s.source.abandoned === 1);
  const again = await daemon.sees(100000);
  assert.equal(again.source.abandoned, 1);
  assertConserved(await daemon.stop());
});

test('a radio that hangs every time ends the daemon, so that systemd restarts it', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, SLOW);
  await daemon.sees(100000);
  radio.faults('hang');
  const code = await daemon.exit();
  assert.equal(code, 1, daemon.stderr);
  assert.match(daemon.stderr, /hung 3 times/);
});

test('a radio kept open by a stuck reader ends the daemon, too', async (t) => {
  const radio = testRadio(t),
    daemon = new Daemon(t, radio, [...SLOW, '--device', 'driver=fftdtest,streams=1']);
  await daemon.sees(100000);
  radio.faults('hang-once');
  const code = await daemon.exit();
  assert.equal(code, 1, daemon.stderr);
  assert.match(daemon.stderr, /Test generator T1 is still held by a stuck reader/);
});

test('values that the radio does not accept are refused at the start, in one line', async (t) => {
  const cases = [
    [['--gain', 'LNA=20,VGA=3'], /gain element VGA: Test generator T1 has LNA, TIA/],
    [['--antenna', 'RX9'], /antenna RX9: Test generator T1 has RX1, RX2/],
    [['--center', '9G'], /center 9G: Test generator T1 takes 24M to 1.8G/],
    [['--settings', 'dirct=1'], /setting dirct: Test generator T1 has/],
  ];
  for (const [args, words] of cases) {
    const daemon = new Daemon(t, testRadio(t), [...SLOW, ...args]);
    assert.notEqual(await daemon.exit(), 0);
    assert.match(daemon.stderr, words);
  }
});

test('a new centre on reload retunes the radio and counts the settling loss', async (t) => {
  const radio = testRadio(t),
    file = join(radio.folder, 'fftd.conf');
  const write = (center) =>
    writeFileSync(
      file,
      `[source]\nsource = soapy\ndevice = driver=fftdtest
[radio]\nrate = 2.4M\ncenter = ${center}\n`,
    );
  write('100M');
  const daemon = new Daemon(t, radio, ['-c', file]);
  await daemon.sees(100000);
  write('200M');
  daemon.child.kill('SIGHUP');
  const tuned = await daemon.until('tuned', (s) => s.ledger.events.retune === 1);
  assert.equal(tuned.source.tuning.center_hz, 200e6);
  assert.ok(tuned.ledger.lost.retune >= 48000); // 20 ms
  assertConserved(await daemon.stop());
});
