// sensor.test.mjs - what a sensor publishes at a NATS broker: levels, numbers, times, JSON, bytes; and its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, serve, until } from '../support/fftd.mjs';
import { broker, missing, proxy, subscribe } from '../support/nats.mjs';

const options = { skip: missing() };
const names = ['--nats-site', 'lab', '--nats-radio', 'r1'];
const source = ['--source', 'sim', '--rate', '250k', '--fft-size', '1024', '--line-rate', '20', ...names];

test('lines have the level, the numbers and the times of the simulated tone', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await subscribe(t, port);
  const daemon = await serve(t, [
    ...source,
    '-d',
    'scene=tone,level=-20',
    '--nats',
    url,
    '--nats-columns',
    '256',
    '--nats-rate',
    '10',
  ]);
  await until('lines', () => got.lines.length >= 8);
  assert.equal(await daemon.stop(), 0);
  const gone = await until('the last announcement', () => got.all('announce').find(({ state }) => state === 'gone'));
  const { reader, lines } = got;
  assert.equal(reader.undecoded + reader.again, 0);
  assert.equal(reader.lines, gone.lines, 'every line is in a frame, also the last ones');
  assert.equal(reader.before + reader.lines + reader.missing, reader.newest + 1);
  assert.equal(reader.newest + 1, gone.lines + gone.missed);
  for (const [i, line] of lines.entries()) {
    assert.equal(line.subject, 'fftd.lab.r1.lines');
    assert.deepEqual([line.columns, line.rateHz, line.simulated], [256, 250000, true]);
    assert.ok(Math.abs(line.peakDb + 20) < 0.01, `peak ${line.peakDb} dBFS`);
    const at = Math.floor((100e6 + 250e3 / 8 - line.lowHz) / line.columnHz); // the default offset of the tone
    const level = line.offsetDb + line.stepDb * line.levels[at];
    assert.ok(Math.abs(level + 20) <= line.stepDb / 2 + 0.01, `column ${level} dBFS, step ${line.stepDb}`);
    assert.ok(line.hostTimeNs >= line.timeNs, 'a frame is made after its first sample came');
    assert.ok(line.uncertaintyUs === null || line.uncertaintyUs >= 50000, `uncertainty ${line.uncertaintyUs}`);
    if (i === 0) continue;
    const samples = line.firstSample - lines[i - 1].firstSample;
    const seconds = Number(line.timeNs - lines[i - 1].timeNs) / 1e9;
    assert.ok(Math.abs(samples / 250e3 - seconds) < 1e-6, 'the sample clock and the time agree');
  }
  assert.ok(
    lines.some(({ merged }) => merged >= 2),
    '20 lines/s are folded to 10',
  );
});

test('a sensor announces itself, its status, its ledger and its measurements', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await subscribe(t, port);
  const daemon = await serve(t, [
    ...source,
    '--nats',
    url,
    '--measure',
    'channel-power,center=100.01M,width=20k,name=voice',
  ]);
  await until('measurements', () => got.newest('measurements'));
  const up = await until('that it runs', () => got.all('announce').find(({ state }) => state === 'running'));
  const wanted = {
    protocol: 1,
    site: 'lab',
    radio: 'r1',
    interval_s: 2,
    source: 'sim',
    rate_hz: 250e3,
    center_hz: 100e6,
    columns: 1024,
    detector: 'mean',
    line_rate: 5,
    missed: 0,
    dropped_lines: 0,
    dropped_events: 0,
  };
  for (const [key, value] of Object.entries(wanted)) assert.deepEqual(up[key], value, key);
  const ledger = got.newest('ledger'),
    status = got.newest('status');
  assert.equal(typeof ledger.lost.overrun, 'number');
  assert.equal(status.nats.subject, 'fftd.lab.r1');
  assert.deepEqual([status.run, ledger.run, got.reader.run], [up.run, up.run, up.run]);
  assert.equal(got.newest('measurements').name, 'voice');
  const { nats } = await daemon.status();
  assert.deepEqual([nats.connected, nats.links, nats.dropped_events], [true, 1, 0]);
  assert.ok(nats.messages > 3 && nats.bytes > 1000);
  const text = await (await fetch(`${daemon.url}metrics`)).text();
  const metric = (name) => Number(text.match(new RegExp(`^fftd_nats_${name} (\\S+)$`, 'm'))[1]);
  assert.deepEqual([metric('connected'), metric('links_total'), metric('dropped_lines_total')], [1, 1, 0]);
  assert.ok(
    metric('messages_total') >= nats.messages
      && metric('bytes_total') >= nats.bytes
      && metric('lines_total') >= nats.lines,
  );
});

test('each event of a trigger is published, as /api/v1/events has it', options, async (t) => {
  const { port, url } = await broker(t);
  const got = await subscribe(t, port);
  const daemon = await serve(t, [...source, '--nats', url, '--trigger', 'external,name=now']);
  await until('the link', () => got.newest('status')?.state === 'running'); // else events of a slow start push out the first ones
  const ended = () => got.all('events').filter(({ open }) => !open);
  await until('events', () => ended().length >= 3 || (daemon.child.kill('SIGUSR1'), false));
  assert.deepEqual(
    ended()
      .slice(0, 3)
      .map(({ id }) => id),
    [1, 2, 3],
  );
  const { events } = await (await fetch(`${daemon.url}api/v1/events`)).json();
  for (const { run: sensor, sent_ns: sent, ...event } of ended().slice(0, 3)) {
    assert.ok(sensor === got.reader.run && sent > 1e18);
    assert.deepEqual(
      event,
      events.find(({ id }) => id === event.id),
    );
  }
});

for (const detector of ['mean', 'max']) {
  test(`1024 columns of ${detector} at 5 lines/s take less than 3 kB/s of the uplink`, options, async (t) => {
    const { port } = await broker(t);
    const uplink = await proxy(t, port);
    const got = await subscribe(t, port);
    await serve(t, ['--source', 'sim', ...names, '--nats', uplink.url, '--detector', detector]);
    await until('the status and lines', () => got.newest('status')?.state === 'running' && got.lines.length >= 1);
    const bytes = uplink.bytes,
      first = got.lines.at(-1),
      count = got.lines.length;
    // by the clock of the uplink: the radio's own runs slower when a busy machine simulates it
    await until('5 s of lines', () => got.lines.at(-1).hostTimeNs - first.hostTimeNs > 5_000_000_000n);
    const last = got.lines.at(-1),
      seconds = Number(last.hostTimeNs - first.hostTimeNs) / 1e9;
    t.diagnostic(
      `${((uplink.bytes - bytes) / seconds).toFixed(0)} bytes/s, ${((got.lines.length - count) / seconds).toFixed(1)} lines/s`,
    );
    assert.equal(last.columns, 1024);
    assert.ok((uplink.bytes - bytes) / seconds < 3000, `${uplink.bytes - bytes} bytes in ${seconds} s`);
  });
}

test('a bad URL, a missing file and a bad word are refused with one line', options, async () => {
  const cases = [
    [['--nats', 'http://127.0.0.1'], /^fftd: --nats: bad value 'http:\/\/127\.0\.0\.1': expected nats:\/\/HOST/],
    [['--nats', 'nats://user:password@host'], /expected nats:\/\/HOST/],
    [['--nats', 'nats://127.0.0.1', '--nats-site', 'a.b'], /^fftd: --nats-site: bad value 'a\.b': expected letters/],
    [['--nats', 'nats://127.0.0.1', '--nats-credentials', '/nonexistent'], /\/nonexistent: No such file/],
    [['--nats', 'tls://127.0.0.1', '--nats-ca', '/nonexistent'], /\/nonexistent/],
  ];
  for (const [args, message] of cases)
    for (const how of [
      ['--lines', '1'],
      ['--check-config', '--listen', 'none'],
    ]) {
      const { code, stderr } = await run(['--source', 'sim', ...how, ...args]);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    }
});
