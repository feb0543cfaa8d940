// triggers.test.mjs - triggers of the daemon as a whole: the command line, the file, HTTP, commands.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerTo, call, subscribe } from '../support/calls.mjs';
import { change, run, scratch, serve, until } from '../support/fftd.mjs';
import { encode, noise as noiseOf, sum } from '../support/signal.mjs';

const { WebSocket } = await import('ws').catch(() => ({}));

const RATE = 1e6,
  CENTER = 100e6,
  N = 1024;

/** Samples of a tone of amplitude 1 at `offset` Hz in each burst [from, length]. */
const bursts = (list, offset) => (i) =>
  list.some(([from, length]) => i >= from && i < from + length)
    ? [Math.cos((2 * Math.PI * offset * i) / RATE) * 0.5, Math.sin((2 * Math.PI * offset * i) / RATE) * 0.5]
    : [0, 0];

/** A recording of one second with noise of -60 dBFS in all and bursts of -6 dBFS at +200 kHz. */
function recording(t, list) {
  const path = join(scratch(t), `x_${CENTER / 1e6}M_${RATE / 1e3}k.cf32`);
  writeFileSync(path, encode('cf32', 1e6, sum(bursts(list, 200e3), noiseOf(1e-6, 7))));
  return path;
}

/** The events that the summary names: [trigger, begin, duration] in seconds. */
const eventsOf = (stderr) =>
  [...stderr.matchAll(/^fftd: {3}(\S+) at ([\d.]+) s for ([\d.]+) s/gm)].map(([, trigger, at, duration]) => [
    trigger,
    Number(at),
    Number(duration),
  ]);

const replay = (path, args) => run(['--replay', path, '--fft-size', String(N), '--overlap', '75', ...args]);

test('a replay says what its triggers found, and the same every time', async (t) => {
  const list = [
    [100000, 5000],
    [400123, 5000],
    [700777, 5000],
  ];
  const path = recording(t, list);
  const first = await replay(path, ['--trigger', 'level=-20', '--trigger', 'power=100.1M:100.3M>-20,name=band']);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /^fftd: trigger level: 3 events$/m);
  assert.match(first.stderr, /^fftd: trigger band: 3 events$/m);
  const events = eventsOf(first.stderr);
  assert.equal(events.length, 6);
  for (const [trigger, at, duration] of events.filter(([name]) => name === 'level')) {
    const [from, length] = list.find(([start]) => Math.abs(at - start / RATE) < 0.01),
      name = `${trigger} at ${at} s`;
    // The first frame has the burst's first sample, the last one its last sample.
    assert.ok(at > (from - N) / RATE && at <= from / RATE, name);
    const end = at + duration;
    assert.ok(end >= (from + length) / RATE && end < (from + length + N) / RATE, name);
  }
  for (let i = 0; i < 2; i++)
    assert.deepEqual(
      eventsOf(
        (
          await replay(path, [
            '--trigger',
            'level=-20',
            '--trigger',
            'power=100.1M:100.3M>-20,name=band',
            '--ring-size',
            '1M',
          ])
        ).stderr,
      ),
      events,
    );
});

/** Expects these lines about triggers that cannot fire, and no others, of --check-config and of a run. */
async function cannotFire(args, lines) {
  for (const more of [['--check-config'], ['--duration', '0.1']]) {
    const { code, stderr } = await run([...args, ...more]);
    assert.equal(code, 0, stderr);
    const named = [...stderr.matchAll(/trigger (\S+) cannot fire: (.*)/g)].map(([, name, why]) => `${name}: ${why}`);
    assert.deepEqual(named.sort(), lines);
  }
}

test('a trigger that cannot fire is named at the start, and by --check-config', async (t) => {
  const args = [
    '--replay',
    recording(t, []),
    '--trigger',
    'level=-20,band=101M:102M,name=beside',
    '--trigger',
    'level=10,name=loud',
    '--trigger',
    'power=100M:100.1M>20,name=strong',
    '--trigger',
    'level=-20,band=99.5M:100.5M,name=whole',
    '--trigger',
    'level=10,when=outside,name=quiet',
  ];
  await cannotFire(args, [
    'beside: 101000000 to 102000000 Hz is not within the span',
    'loud: 10 dBFS is above full scale, which only floats exceed',
    'strong: 20 dBFS is above full scale, which only floats exceed',
  ]);
});

test('a trigger on a measurement that there is not is named at the start, and by --check-config', async (t) => {
  const args = [
    '--replay',
    recording(t, []),
    '--measure',
    'obw,name=wide',
    '--trigger',
    'measure=wide.bandwidth>25k,name=right',
    '--trigger',
    'measure=wid.bandwidth>25k,name=typo',
    '--trigger',
    'measure=adjacent,name=none,when=outside',
  ];
  await cannotFire(args, [
    'none: there is no measurement adjacent: add --measure TYPE,name=adjacent',
    'typo: there is no measurement wid (did you mean wide?)',
  ]);
});

test('a trigger on a value that its measurement has not is named at the start, and by --check-config', async (t) => {
  const args = [
    '--replay',
    recording(t, []),
    '--measure',
    'channel-power,name=voice',
    '--measure',
    'occupancy,start=99.9M,stop=100.1M,width=25k,name=use',
    '--measure',
    'ccdf,name=crest',
  ];
  const right = [
    'voice.power',
    'voice.power_dbfs',
    'voice.power_dbm',
    'voice.power_db',
    'voice.width_hz',
    'use.in_use',
    'crest.level_0_1_db',
  ];
  for (const [i, value] of right.entries()) args.push('--trigger', `measure=${value}>-40,name=right${i}`);
  const wrong = {
    typo: 'voice.powr>-40',
    other: 'voice.nonsense>-40',
    unit: 'voice.power_hz<1',
    cell: 'use.limit>1',
    verdict: 'voice',
  };
  for (const [name, value] of Object.entries(wrong)) args.push('--trigger', `measure=${value},name=${name}`);
  await cannotFire(args, [
    'cell: the measurement use has no value limit: it has fbo, sro, channels, in_use, threshold, observed',
    'other: the measurement voice has no value nonsense: it has power, density, width',
    'typo: the measurement voice has no value powr (did you mean power?)',
    'unit: the measurement voice has no value power_hz (did you mean power?)',
    'verdict: the measurement voice (channel-power) has no limit',
  ]);
});

test('a trigger on what a measurement gives in another set-up alone is named', async (t) => {
  const acpr = 'acpr,center=100M,width=25k',
    mask = 'mask,upper=99.9M:-20,100.1M:-20';
  const measures = [
    `${acpr},offsets=50k,name=bare`,
    `${acpr},offsets=50k:25k:-30,name=limited`,
    'snr,name=floor',
    'snr,center=100M,width=25k,name=voice',
    `${mask},name=line`,
    `${mask},reference=channel,center=100M,width=25k,name=channel`,
    'channel-power,detector=max,name=peak',
    'channel-power,trace=max-hold,name=hold',
    'marker,frequency=100M,detector=max,name=marker',
  ];
  const args = ['--replay', recording(t, []), ...measures.flatMap((text) => ['--measure', text])];
  const triggers = [
    'measure=bare,name=bare',
    'measure=limited,name=limited',
    'measure=bare.worst>0,name=worst',
    'measure=floor.snr>10,name=snr',
    'measure=floor.density>-100,name=density',
    'measure=voice.snr_db>10,name=right',
    'measure=line,name=line',
    'measure=line.reference>-30,name=reference',
    'measure=channel.reference>-30,name=known',
    'measure=peak.power>-20,name=peak',
    'measure=hold.power>-20,name=hold',
    'measure=marker.level>-20,name=marker',
  ];
  await cannotFire(
    [...args, ...triggers.flatMap((text) => ['--trigger', text])],
    [
      'bare: the measurement bare (acpr) has no limit',
      'hold: the measurement hold needs a trace of mean power; max-hold is biased on noise',
      'peak: the measurement peak needs the detector mean or sample; max is biased on noise',
      'reference: the measurement line has no value reference: it has margin, frequency, level, limit',
      'snr: the measurement floor has no value snr: it has floor, density',
    ],
  );
});

test('--events writes each event as a row of CSV, with the time of its first sample', async (t) => {
  const path = recording(t, [
      [100000, 5000],
      [400123, 5000],
      [995000, 5000],
    ]),
    folder = scratch(t); // the last one lasts at the end
  const args = ['--trigger', 'level=-20', '--trigger', 'external,name=never', '--json', join(folder, 'rows.json')];
  const done = await replay(path, [...args, '--events', join(folder, 'events.csv')]);
  assert.equal(done.code, 0, done.stderr);
  const read = () =>
    readFileSync(join(folder, 'events.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => row.split(', '));
  const [head, ...rows] = read();
  const expected = readFileSync(join(folder, 'rows.json'), 'utf8')
    .trim()
    .split('\n')
    .flatMap((row) => JSON.parse(row).events ?? []);
  assert.equal(rows.length, 3);
  rows.forEach((row, i) => {
    const of = Object.fromEntries(head.map((name, k) => [name, row[k]])),
      first = [100000, 400123, 995000][i];
    assert.equal(row.length, head.length);
    assert.equal(of.date, '1970-01-01');
    const at = Date.parse(`1970-01-01T${of.time}Z`) / 1000;
    assert.ok(at > (first - N) / RATE - 1e-3 && at <= first / RATE, `${of.time}`);
    assert.ok(Math.abs(Number(of.duration_s) * RATE - 5000) < 2 * N, of.duration_s);
    assert.deepEqual([of.trigger, of.type, of.ends], ['level', 'level', 'exact']);
    assert.ok(Math.abs(Number(of.peak_hz) - (CENTER + 200e3)) <= RATE / N, of.peak_hz);
    assert.ok(Math.abs(Number(of.peak_dbfs) + 6.02) < 0.5, of.peak_dbfs);
    for (const name of ['id', 'low_hz', 'high_hz', 'first_sample'])
      assert.equal(Number(of[name]), expected[i][name], name);
  });
  await replay(path, [...args, '--events', join(folder, 'events.csv'), '--csv-time', 'seconds', '--overwrite']);
  assert.deepEqual(
    read()
      .slice(1)
      .map((row) => row[1]),
    ['00:00:00', '00:00:00', '00:00:00'],
  );
  const none = await replay(path, ['--trigger', 'level=0', '--events', '-']);
  assert.equal(none.stdout.toString(), `${head.join(', ')}\n`);
  const full = await replay(path, ['--trigger', 'level=-20', '--events', '/dev/full']);
  assert.equal(full.code, 1);
  assert.match(full.stderr, /\/dev\/full: No space left/);
  const twice = await replay(path, ['--trigger', 'level=-20', '--events', '/tmp/x', '--csv', '/tmp/x']);
  assert.match(twice.stderr, /are both '\/tmp\/x'/);
});

test('triggers come from the file, and the command line replaces one of the same name', async (t) => {
  const path = recording(t, [
      [100000, 5000],
      [400000, 50000],
    ]),
    file = join(scratch(t), 'fftd.conf');
  writeFileSync(file, '[trigger a]\nlevel = -20\n[trigger b]\ntype = level\nlevel = -20\nfor = 20ms\n');
  const { stderr } = await replay(path, ['-c', file, '--trigger', 'level=0,name=a']);
  assert.match(stderr, /^fftd: trigger a: 0 events$/m);
  assert.match(stderr, /^fftd: trigger b: 1 event$/m);
  const printed = await run(['-c', file, '--print-config']);
  assert.match(printed.stdout.toString(), /\n\[trigger b\]\ntype = level\nlevel = -20\nfor = 20ms\n/);
});

test('a mistake in a trigger is one line that names it', async (t) => {
  const file = join(scratch(t), 'fftd.conf');
  for (const [text, message] of [
    [
      'levle=-20',
      '--trigger levle: no key names a condition: one of calendar, density, external, level, mask, measure, power (did you mean level?)',
    ],
    ['level=-20,gab=1', "--trigger level: unknown key 'gab' of level: did you mean gap?"],
    ['level=loud', "--trigger level: level: bad value 'loud': expected a number from -300 to 300"],
    [
      'level=-20,for=11',
      "--trigger level: for: bad value '11': expected a time from 0 to 10 s; units are ms, s, min, h and d",
    ],
    [
      'level=-20,when=leaving',
      "--trigger level: when: unknown when 'leaving': one of inside, outside, enter, leave, enter-leave",
    ],
    ['power=433M:434M', "--trigger power: power: bad value '433M:434M': expected LOW:HIGH>LEVEL as in 433M:434M>-40"],
    ['mask=/nonexistent/mask', '--trigger mask: /nonexistent/mask: No such file or directory'],
    ['mask,side=upper', '--trigger mask: a mask has a file, or upper and lower points, or hold'],
    [
      'calendar=24:00',
      "--trigger calendar: calendar: bad value '24:00': expected a time of day in UTC as in 06:30 or 23:59:30",
    ],
    ['calendar=6:30', "--trigger calendar: calendar: bad value '6:30'"],
    ['calendar,every=1h', '--trigger calendar: calendar: is missing: a time of day in UTC as in 06:30'],
    ['calendar=06:30,every=7h', '--trigger calendar: every: 25200 s do not divide a day'],
    ['calendar=06:30,every=1h,duration=1h', '--trigger calendar: duration: expected less than every, which is 3600 s'],
    ['density=-60,share=101%', "--trigger density: share: bad value '101%': expected a number from 0.001 to 100"],
    ['measure,when=enter', '--trigger measure: measure: is missing: NAME.VALUE>LIMIT as in voice.power>-40'],
    [
      'measure=voice.power>loud',
      "--trigger measure: measure: bad value 'voice.power>loud': expected NAME.VALUE>LIMIT, NAME.VALUE<LIMIT or NAME",
    ],
    ['measure=voice>3', "--trigger measure: measure: bad value 'voice>3'"],
    ['external,for=1ms', '--trigger external: when, for: external has no frames that meet a condition'],
    ['level=-20,name=a b', "--trigger: name: bad value 'a b': expected 1 to 40 letters, digits, '-', '_' and '.'"],
  ]) {
    const { code, stderr } = await run(['--source', 'sim', '--trigger', text]);
    assert.equal(code, 1, text);
    assert.ok(stderr.startsWith(`fftd: ${message}`) && stderr.trimEnd().split('\n').length === 1, stderr);
  }
  writeFileSync(file, '[trigger a]\nlevel = -20\nlevel = -30\n');
  assert.match((await run(['-c', file])).stderr, /fftd\.conf:3: level: is already set in line 2/);
});

test('a trigger of the density has it counted, in a replay and live', async (t) => {
  // A tenth of a second has the burst in 30 % of the time, the next in 60 %.
  const path = recording(t, [
    [300000, 30000],
    [500000, 60000],
  ]);
  const { stderr } = await replay(path, [
    '--line-rate',
    '10',
    '--trigger',
    'density=-20,share=50%,band=100.19M:100.21M',
    '--trigger',
    'density=-20,share=20%,name=more,gap=0',
    '--trigger',
    'density=-20,share=70%,name=none',
  ]);
  assert.match(stderr, /^fftd: trigger density: 1 event$/m);
  assert.match(stderr, /^fftd: trigger more: 2 events$/m);
  assert.match(stderr, /^fftd: trigger none: 0 events$/m);
  const [[, at, duration]] = eventsOf(stderr).filter(([name]) => name === 'density');
  assert.ok(Math.abs(at - 0.5) < 0.1 && duration < 0.11, `${at} ${duration}`);
  const daemon = await serve(t, ['--source', 'sim']);
  assert.equal((await fetch(`${daemon.url}api/v1/triggers/d?density=-95&share=50%25`, { method: 'PUT' })).status, 201);
  await until('an event', async () => (await (await fetch(`${daemon.url}api/v1/events`)).json()).events.length > 0);
});

test('a value or the verdict of a measurement is a condition, the same in every replay', async (t) => {
  // 20 lines a second: lines 4 to 7 and 12 to 13 have the burst, -6 dBFS at 100.2 MHz.
  const path = recording(t, [
    [200000, 200000],
    [600000, 100000],
  ]);
  const args = [
    '--measure',
    'channel-power,center=100.2M,width=20k,name=a.b',
    '--measure',
    'mask,upper=100.1M:-30,100.3M:-30,name=m',
    '--trigger',
    'measure=a.b.power>-20,gap=0,name=high',
    '--trigger',
    'measure=a.b.power_dbfs<-20,gap=0,name=low',
    '--trigger',
    'measure=m,gap=0,name=fails',
    '--trigger',
    'measure=a.b.power_dbm>0,name=uncal',
    '--trigger',
    'measure=c.power>0,name=nobody',
  ];
  const first = await replay(path, args),
    events = eventsOf(first.stderr);
  const of = (trigger) => events.filter(([name]) => name === trigger).map(([, at, duration]) => [at, at + duration]);
  for (const [trigger, truth] of [
    [
      'high',
      [
        [0.2, 0.4],
        [0.6, 0.7],
      ],
    ],
    [
      'fails',
      [
        [0.2, 0.4],
        [0.6, 0.7],
      ],
    ],
    [
      'low',
      [
        [0, 0.2],
        [0.4, 0.6],
        [0.7, 1],
      ],
    ],
  ]) {
    assert.equal(of(trigger).length, truth.length, first.stderr);
    // Lines are 50 ms; one that has a part of the burst is above as well.
    of(trigger).forEach((edges, i) =>
      edges.forEach((edge, k) => assert.ok(Math.abs(edge - truth[i][k]) < 0.06, `${trigger} ${edges}`)),
    );
  }
  assert.match(first.stderr, /^fftd: trigger uncal: 0 events; the measurement a\.b has no value power_dbm$/m);
  assert.match(first.stderr, /^fftd: trigger nobody: 0 events; there is no measurement c$/m);
  for (let i = 0; i < 2; i++) assert.deepEqual(eventsOf((await replay(path, args)).stderr), events);
});

test('a measurement that comes later decides, also without any at the start', async (t) => {
  const path = recording(t, [[200000, 200000]]);
  assert.match(
    (await replay(path, ['--trigger', 'measure=a.power>-20'])).stderr,
    /^fftd: trigger measure: 0 events; there is no measurement a$/m,
  );
  const daemon = await serve(t, ['--source', 'sim', '--trigger', 'measure=a.power>-300']);
  const events = async () => (await (await fetch(`${daemon.url}api/v1/events`)).json()).events;
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  assert.deepEqual(await events(), []);
  assert.equal((await fetch(`${daemon.url}api/v1/measurements/a?type=channel-power`, { method: 'PUT' })).status, 201);
  const [event] = await until('an event', async () => (await events()).length > 0 && events());
  assert.deepEqual([event.trigger, event.type, event.open, event.exact], ['measure', 'measure', true, false]);
  assert.ok(event.duration_s > 0);
});

test('a signal fires the triggers of the type external', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--trigger', 'external,name=now', '--trigger', 'level=20']);
  await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
  process.kill(daemon.pid, 'SIGUSR1');
  const names = async () =>
    (await (await fetch(`${daemon.url}api/v1/events`)).json()).events.map(({ trigger }) => trigger);
  await until('an event', async () => (await names()).length > 0);
  assert.deepEqual(await names(), ['now']);
});

test('commands within one line are as many events, in their order', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--line-rate', '1', '--trigger', 'external,name=a']);
  const events = async () => (await (await fetch(`${daemon.url}api/v1/events`)).json()).events;
  const fire = async () => (await fetch(`${daemon.url}api/v1/triggers/a`, { method: 'POST' })).ok;
  await until('samples', fire);
  for (let i = 0; i < 3; i++) assert.ok(await fire());
  await until('four events', async () => (await events()).length === 4);
  const numbers = (await events()).map(({ first_sample: number }) => number);
  assert.deepEqual(
    numbers,
    numbers.toSorted((x, y) => x - y),
  );
});

test('PUT, DELETE and POST change triggers with the token only', async (t) => {
  const token = 'a token of enough letters',
    bearer = { Authorization: `Bearer ${token}` };
  const daemon = await serve(t, ['--source', 'sim', '--token', token]);
  const ask = (method, name, headers = bearer) => change(daemon, `triggers/${name}`, { method, headers });
  const list = async () => (await (await fetch(`${daemon.url}api/v1/triggers`)).json()).triggers;
  assert.equal((await ask('PUT', 'a?level=20', {}))[0], 401);
  assert.equal((await ask('POST', 'a', {}))[0], 401);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await ask('PUT', 'a?level=20&count=2'), [201, 'done']);
  assert.deepEqual(await list(), [
    {
      name: 'a',
      type: 'level',
      armed: true,
      reason: null,
      events: 0,
      keys: { level: '20', count: '2' },
      limits_number: 0,
    },
  ]);
  for (const [name, message] of [
    ['b?levle=-20', /^no key names a condition: one of .* \(did you mean level\?\)$/],
    ['b?mask=/etc/passwd', /^mask: only the configuration may name a file$/],
    ['b?level=-20&gap=x', /^gap: bad value 'x': expected a time from 0 to 10 s; units are ms, s, min, h and d$/],
    ['b%20c?level=-20', /^name: expected 1 to 40 letters/],
  ]) {
    const [status, text] = await ask('PUT', name);
    assert.equal(status, 400, name);
    assert.match(text, message);
  }
  const events = async (query = '') => (await (await fetch(`${daemon.url}api/v1/events${query}`)).json()).events;
  for (let i = 1; i <= 2; i++) {
    await until('samples', async () => (await ask('POST', 'a'))[0] === 200);
    await until('the event', async () => (await events()).length === i);
  }
  await until('the state', async () => !(await list())[0].armed);
  assert.equal((await list())[0].reason, 'disarmed after 2 events');
  assert.deepEqual(await ask('POST', 'a'), [409, 'it is disarmed after its last event']);
  assert.deepEqual(
    (await events('?after=1')).map(({ id, trigger, open }) => [id, trigger, open]),
    [[2, 'a', false]],
  );
  assert.deepEqual(
    (await events('?limit=1')).map(({ id }) => id),
    [2],
  );
  assert.deepEqual(await events('?trigger=b'), []);
  assert.equal((await fetch(`${daemon.url}api/v1/events?limit=0`)).status, 400);
  assert.deepEqual(await ask('POST', 'b'), [404, 'there is no such trigger']);
  assert.deepEqual(await ask('DELETE', 'a'), [200, 'done']);
  assert.deepEqual(await list(), []);
});

// The bursts of the scene (daemon/source/sim/scene.h): 8 a block of 2097152 samples, at P/16 + j P/8, 16384 samples each.
test(
  'a websocket gets the events of a radio as they come',
  { skip: !WebSocket && 'node_modules is missing' },
  async (t) => {
    const daemon = await serve(t, [
      '--source',
      'sim',
      '--rate',
      '2.4M',
      '--center',
      '100M',
      '--fft-size',
      '1024',
      '--trigger',
      'level=-40,band=100.74M:100.76M,gap=0',
    ]);
    const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
      got = new Map();
    t.after(() => socket.terminate());
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? {} : JSON.parse(data);
      for (const event of message.type === 'event' ? message.events : []) got.set(event.id, event);
    });
    await new Promise((resolve, reject) => {
      socket.on('open', resolve).on('error', reject);
    });
    socket.send(JSON.stringify({ type: 'hello' }));
    socket.send(JSON.stringify(subscribe('events')));
    const ended = () => [...got.values()].filter(({ open, exact }) => !open && exact);
    await until('five events', () => ended().length >= 5);
    for (const { first_sample: first, duration_s: seconds, peak_hz: peak, trigger, type } of ended()) {
      const phase = (first - 131072 + 2097152) % 262144,
        name = `${phase} ${seconds}`;
      // It begins with the frame before the burst's first sample at the earliest; the edges of a burst are soft.
      assert.ok(phase > 262144 - 1024 || phase < 512, name);
      assert.ok(Math.abs(seconds * 2.4e6 - 16384) < 2048, name);
      assert.ok(Math.abs(peak - 100.75e6) < 2400, `${peak}`);
      assert.deepEqual([trigger, type], ['level', 'level']);
    }
  },
);

test(
  'a client with the token fires a trigger over the websocket',
  { skip: !WebSocket && 'node_modules is missing' },
  async (t) => {
    const token = 'a token of enough letters';
    const daemon = await serve(t, ['--source', 'sim', '--token', token, '--trigger', 'external,name=now']);
    const ask = async (hello, name) => {
      const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}ws`, 'fftd.3'),
        got = [];
      t.after(() => socket.terminate());
      socket.on('message', (data, isBinary) => {
        if (!isBinary) got.push(JSON.parse(data));
      });
      await new Promise((resolve, reject) => {
        socket.on('open', resolve).on('error', reject);
      });
      socket.send(JSON.stringify({ type: 'hello', ...hello }));
      const fire = call('post', `triggers/${name}`);
      socket.send(JSON.stringify(fire));
      const { type, message } = await until('an answer', () => answerTo(fire, got));
      return message ?? type;
    };
    const events = async () => (await (await fetch(`${daemon.url}api/v1/events`)).json()).events;
    await until('a line', async () => (await fetch(`${daemon.url}api/v1/spectrum`)).status === 200);
    assert.match(await ask({}, 'now'), /token/);
    assert.equal(await ask({ token }, 'then'), 'there is no such trigger');
    assert.deepEqual(await events(), []);
    assert.equal(await ask({ token }, 'now'), 'done');
    await until('the event', async () => (await events()).length === 1);
  },
);

test('each event of a replay leaves a recording, with the time before and after it', async (t) => {
  const list = [
    [100000, 5000],
    [400123, 5000],
    [700777, 5000],
  ];
  const path = recording(t, list),
    folder = scratch(t),
    samples = readFileSync(path);
  const { code, stderr } = await replay(path, [
    '--trigger',
    'level=-20',
    '--record',
    folder,
    '--pre',
    '10ms',
    '--post',
    '20ms',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^fftd: trigger level: 3 events, 3 recordings$/m);
  const events = eventsOf(stderr),
    metas = readdirSync(folder)
      .filter((name) => name.endsWith('.sigmf-meta'))
      .sort();
  assert.equal(metas.length, 3);
  for (const name of metas) {
    const meta = JSON.parse(readFileSync(join(folder, name))),
      data = readFileSync(join(folder, name.replace('meta', 'data')));
    // The same bytes as the recording has there: the noise makes each place unique.
    const at = samples.indexOf(data) / 8,
      count = data.length / 8;
    const event = events.findIndex(([, begin]) => Math.abs(begin - at / RATE - 0.01) < 1e-5);
    assert.ok(event >= 0, `${name} at ${at}`);
    const [, begin, duration] = events[event];
    assert.ok(Math.abs(at + 10000 - begin * RATE) < 2, `${at} ${begin}`);
    assert.ok(Math.abs(count - 10000 - 20000 - duration * RATE) < 4, `${count} ${duration}`);
    const [{ 'core:sample_start': start, 'core:sample_count': length, 'core:label': label }] = meta.annotations;
    assert.deepEqual([start, label], [10000, 'level']);
    assert.ok(Math.abs(length - duration * RATE) < 2, `${length}`);
    events.splice(event, 1);
  }
});

test('an event that outlasts the ring is recorded while it lasts', async (t) => {
  const path = recording(t, [[200000, 500000]]),
    folder = scratch(t);
  const { stderr } = await replay(path, [
    '--trigger',
    'level=-20',
    '--record',
    folder,
    '--ring-size',
    '2M',
    '--line-rate',
    '100',
  ]);
  assert.match(stderr, /^fftd: trigger level: 1 event, 1 recording$/m);
  const [[, begin, duration]] = eventsOf(stderr),
    [name] = readdirSync(folder).filter((file) => file.endsWith('.sigmf-data'));
  const data = readFileSync(join(folder, name)),
    at = readFileSync(path).indexOf(data) / 8;
  assert.ok(Math.abs(at + 10000 - begin * RATE) < 2, `${at} ${begin}`);
  assert.ok(data.length / 8 >= 10000 + duration * RATE + 50000 - 2, `${data.length / 8}`);
  assert.ok(duration > 0.5);
});

test('rows of JSON have the events that are complete, the same in every replay', async (t) => {
  const path = recording(t, [
    [100000, 5000],
    [400123, 5000],
    [700777, 150000],
    [980000, 20000],
  ]); // the last one ends with the recording
  const args = [
    '--line-rate',
    '20',
    '--json',
    '-',
    '--trigger',
    'level=-20',
    '--trigger',
    'power=100.1M:100.3M>-20,name=burst,when=enter-leave',
  ];
  const rows = (stdout) =>
    stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
  const first = await replay(path, args),
    all = rows(first.stdout);
  const reported = all.flatMap(({ events = [] }) => events),
    named = eventsOf(first.stderr);
  assert.deepEqual(
    reported.map(({ trigger, first_sample: at }) => [trigger, at]).toSorted(),
    named.map(([trigger, at]) => [trigger, Math.round(at * RATE)]).toSorted(),
  );
  assert.equal(reported.length, 8);
  assert.ok(reported.every(({ open }) => !open));
  for (const { events = [], first_sample: from, samples, line } of all)
    for (const { first_sample: start, duration_s: seconds } of events) {
      const end = start + seconds * RATE; // known after the gap of 10 ms, at the latest with the line after that
      assert.ok(line === all.length - 1 || (end > from - 20000 && end <= from + samples + N), `${line}: ${end}`);
    }
  assert.ok(all.some((row) => !('events' in row)));
  for (let i = 0; i < 3; i++) {
    const again = rows((await replay(path, args)).stdout);
    assert.deepEqual(
      again.map(({ events }) => events?.map(({ first_sample: at }) => at)),
      all.map(({ events }) => events?.map(({ first_sample: at }) => at)),
    );
  }
});

test('a trigger that stops ends fftd after the recording of its event', async (t) => {
  const folder = scratch(t);
  const { code, stderr } = await run([
    '--source',
    'sim',
    '--rate',
    '240k',
    '--center',
    '100M',
    '--fft-size',
    '1024',
    '--record',
    folder,
    '--post',
    '1s',
    '--trigger',
    'level=-40,band=100.074M:100.076M,gap=0,count=1,then=stop',
    '--listen',
    '127.0.0.1:0',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^fftd: trigger level: stopping after event 1$/m);
  const [meta] = readdirSync(folder)
    .filter((name) => name.endsWith('.sigmf-meta'))
    .map((name) => JSON.parse(readFileSync(join(folder, name))));
  const bytes = readFileSync(
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.sigmf-data')),
    ),
  ).length;
  const [{ 'core:sample_start': start, 'core:sample_count': count }] = meta.annotations;
  assert.ok(Math.abs(bytes / 4 - start - count - 240000) <= 2, 'it has all of --post'); // cs16
  const refused = await serve(t, ['--source', 'sim']);
  const answer = await fetch(`${refused.url}api/v1/triggers/a?level=0&then=stop`, { method: 'PUT' });
  assert.deepEqual([answer.status, (await answer.json()).error], [400, 'then: only the configuration may stop fftd']);
});

test('a trigger that holds pauses a replay at each event', async (t) => {
  const path = recording(t, [
    [100000, 5000],
    [600000, 5000],
  ]);
  const daemon = await serve(t, [
    '--replay',
    path,
    '--realtime',
    '--stay',
    '--speed',
    '0.25',
    '--fft-size',
    '1024',
    '--trigger',
    'level=-20,then=hold',
  ]);
  const now = async () => (await fetch(`${daemon.url}api/v1/replay`)).json();
  const events = async () => (await (await fetch(`${daemon.url}api/v1/events`)).json()).events;
  for (const [i, at] of [0.1, 0.6].entries()) {
    await until('a pause', async () => (await events()).length === i + 1 && (await now()).paused);
    const last = (await events()).at(-1);
    assert.ok((await now()).position >= at);
    assert.ok(Math.abs(last.start / RATE - at) < 0.01, `${last.start}`);
    assert.equal((await fetch(`${daemon.url}api/v1/replay?paused=false`, { method: 'PUT' })).status, 200);
  }
});

test('a trigger with record=no leaves none', async (t) => {
  const path = recording(t, [[100000, 5000]]),
    folder = scratch(t);
  const { stderr } = await replay(path, ['--trigger', 'level=-20,record=no', '--record', folder]);
  assert.match(stderr, /^fftd: trigger level: 1 event$/m);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /sigmf-(data|meta)$/.test(name)),
    [],
  );
});

// At this threshold an hour of noise passes it with a probability of 10^-13 (docs/triggers.md).
test('noise fires no trigger that is 16 dB above it', async () => {
  // The simulated noise repeats after 0.87 s, so each second has noise of its own.
  const seconds = Number(process.env.FFTD_NOISE_SECONDS ?? (process.env.FFTD_TEST_SPARSE ? 2 : 10));
  for (let seed = 1; seed <= seconds; seed++) {
    // -40 dBFS in all is -70.1 dBFS in each of 1024 bins, and 1.76 dB more in those of a Hann window.
    const { code, stderr } = await run([
      '--source',
      'sim',
      '--device',
      `scene=noise,level=-40,seed=${seed}`,
      '--fast',
      '--duration',
      '1',
      '--rate',
      '2.4M',
      '--window',
      'hann',
      '--fft-size',
      String(N),
      '--overlap',
      '75',
      '--trigger',
      'level=-52.3,gap=0',
      '--trigger',
      'level=-62,gap=0,count=1,name=low',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^fftd: trigger level: 0 events$/m);
    assert.match(stderr, /^fftd: trigger low: 1 event; disarmed after 1 event$/m); // 6 dB up: in most frames
  }
});
