// hub.test.mjs - a hub: its list of radios, frames for viewers, accounts of lines, malformed messages, and who is refused.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { LineReader } from '../../tools/nats-reader/lines.mjs';
import { run, scratch, serve, until } from '../support/fftd.mjs';
import { hub, viewer } from '../support/hub.mjs';
import { broker, missing } from '../support/nats.mjs';

const options = { skip: missing() };
const sensor = (t, url, radio, args = []) =>
  serve(t, [
    '--source',
    'sim',
    '--rate',
    '250k',
    '--fft-size',
    '1024',
    '--nats',
    url,
    '--nats-site',
    'lab',
    '--nats-radio',
    radio,
    ...args,
  ]);

/** The messages of the subject as the broker passes them on. */
async function listen(t, port, subject) {
  const got = [];
  const client = new NatsClient({ port, subjects: [subject], message: ({ data }) => got.push(data) });
  t.after(() => client.end());
  await until('the subscription', () => client.links > 0);
  return Object.assign(got, { client });
}

test('sensors are listed with their state and position, without configuration', options, async (t) => {
  const { url } = await broker(t);
  const daemon = await hub(t, url);
  const page = await viewer(t, daemon);
  await until('a list on connection', () => page.lists.length > 0);
  assert.deepEqual(page.lists[0].radios, []);
  await sensor(t, url, 'north', ['--geolocation', '48.25,-16.5']);
  const south = await sensor(t, url, 'south');
  await until(
    'both run',
    () => page.lists.at(-1).radios.filter(({ state, lines }) => state === 'running' && lines > 0).length === 2,
  );
  const [north] = page.lists.at(-1).radios.filter(({ radio }) => radio === 'north');
  assert.deepEqual(
    [north.site, north.latitude, north.longitude, north.missing, north.malformed],
    ['lab', 48.25, -16.5, 0, 0],
  );
  assert.deepEqual([north.announce.source, north.announce.rate_hz, north.announce.protocol], ['sim', 250e3, 1]);
  assert.ok(Math.abs(north.skew_ms) < 60000 && north.last_line_ns > 1e18);
  assert.equal((await daemon.radio('south')).latitude, undefined);
  assert.equal(await south.stop(), 0);
  const gone = await daemon.untilState('south', 'gone');
  assert.ok(gone.gone_since_ns > 1e18);
  assert.equal(gone.before + gone.lines + gone.missing, gone.announce.lines + gone.announce.missed);
  await until('the page knows', () =>
    page.lists.at(-1).radios.some(({ radio, state }) => radio === 'south' && state === 'gone'),
  );
  const one = await (await fetch(`${daemon.url}api/v1/radios/lab.north`)).json();
  assert.equal(typeof one.ledger.lost.overrun, 'number');
  assert.equal(one.status.nats.subject, 'fftd.lab.north');
  assert.equal((await fetch(`${daemon.url}api/v1/radios/lab.nobody`)).status, 404);
});

test(
  'a viewer gets the frames of the radios that it wants, byte for byte, from a complete one on',
  options,
  async (t) => {
    const { port, url } = await broker(t);
    const daemon = await hub(t, url);
    const published = await listen(t, port, 'fftd.lab.one.lines');
    await sensor(t, url, 'one');
    await sensor(t, url, 'two');
    const page = await viewer(t, daemon);
    await until(
      'both are listed with lines',
      () => page.lists.at(-1)?.radios.filter(({ lines }) => lines > 0).length === 2,
    );
    page.say({ type: 'want', radios: [page.id('one')] });
    await until('frames', () => page.frames.length >= 20);
    page.say({ type: 'want', radios: [page.id('two')] });
    await until('frames of the other', () => page.frames.some(({ id }) => id === page.id('two')));
    const got = page.frames.filter(({ id }) => id === page.id('one')).map(({ message }) => message);
    const from = published.findIndex((data) => data.equals(got[0]));
    assert.equal(got[0].toString('latin1', 32, 36), 'FFTD', 'it begins with a complete frame');
    assert.ok(from >= 0);
    got.forEach((data, i) => assert.ok(data.equals(published[from + i]), `frame ${i}`));
    const reader = new LineReader();
    got.forEach((data) => assert.ok(reader.read(data), 'the page can decode it'));
    const second = new LineReader();
    page.frames.filter(({ id }) => id === page.id('two')).forEach(({ message }) => assert.ok(second.read(message)));
    assert.deepEqual([reader.missing, reader.undecoded, page.dropped, page.errors.length], [0, 0, 0, 0]);
    assert.ok(page.welcome.limits.radios >= 16);
  },
);

test(
  'a viewer that wants the past gets the frames of that time before live ones, each once, as others do',
  options,
  async (t) => {
    const { port, url } = await broker(t);
    const daemon = await hub(t, url);
    const published = await listen(t, port, 'fftd.lab.one.lines');
    await sensor(t, url, 'one', ['--nats-rate', '20']);
    const early = await viewer(t, daemon);
    await until('a list', () => early.id('one'));
    early.say({ type: 'want', radios: [early.id('one')] });
    await until('8 s of frames', () => published.length >= 160 && early.frames.length > 0);
    const pages = await Promise.all(
      [3600, 3, 0].map(async (past_s) => {
        const page = await viewer(t, daemon);
        await until('a list', () => page.id('one'));
        page.say({ type: 'want', radios: [page.id('one')], past_s });
        await until('frames', () => page.frames.length > 2);
        return page;
      }),
    );
    const count = published.length;
    await until('live frames', () => published.length > count + 20);
    const newest = published.at(-1);
    const starts = await Promise.all(
      [...pages, early].map(async (page) => {
        await until('the newest', () => page.frames.some(({ message }) => message.equals(newest)));
        const got = page.frames.map(({ message }) => message),
          from = published.findIndex((data) => data.equals(got[0]));
        assert.equal(got[0].toString('latin1', 32, 36), 'FFTD', 'it begins with a complete frame');
        got
          .slice(0, published.length - from)
          .forEach((data, i) => assert.ok(data.equals(published[from + i]), `frame ${i}`));
        return from;
      }),
    );
    assert.equal(starts[0], 0, 'all that the hub has');
    assert.ok(starts[1] > 0 && starts[1] < starts[2], `three seconds, ${starts}`);
    assert.deepEqual(
      [...pages, early].map(({ dropped }) => dropped),
      [0, 0, 0, 0],
    );
    const [, , page] = pages;
    page.say({ type: 'want', radios: [page.id('one')], past_s: 3600, again: true, serial: 7 });
    const { frames } = await until('a sign that it begins anew', () => page.wanted.find(({ serial }) => serial === 7));
    await until('a frame after it', () => page.frames.length > frames);
    assert.ok(page.frames[frames].message.equals(published[0]), 'with the oldest');
  },
);

test(
  'a viewer gets the whole list once, then what changed, and the rows of the radios that it wants',
  options,
  async (t) => {
    const { url } = await broker(t);
    const daemon = await hub(t, url);
    await sensor(t, url, 'one');
    await sensor(t, url, 'two');
    await until(
      'both have lines',
      async () =>
        (await daemon.list()).radios.filter(({ lines, state }) => lines > 0 && state === 'running').length === 2,
    );
    const page = await viewer(t, daemon);
    await until('a list', () => page.whole === 1);
    const [one, two] = ['one', 'two'].map(page.id);
    page.say({ type: 'want', radios: [one] });
    const rowsOf = (id) => page.changes.flatMap(({ radios }) => radios.filter((row) => row.id === id));
    await until('rows of the wanted one', () => rowsOf(one).length >= 4);
    const lines = rowsOf(one).map((row) => row.lines);
    assert.ok(
      lines.every((count, i) => i === 0 || count > lines[i - 1]),
      `${lines}`,
    );
    assert.ok(rowsOf(two).length <= rowsOf(one).length / 2, 'little happened to the other one');
    assert.ok(
      page.changes.some(
        ({ broker, malformed, sent_ns }) => broker?.connected && malformed.json === 0 && sent_ns > 1e18,
      ),
    );
    page.say({ type: 'want', radios: [two] });
    await until(
      'rows of the other one, and the last of the first',
      () => rowsOf(two).length >= 3 && rowsOf(one).at(-1).lines > lines.at(-1),
    );
    assert.equal(page.whole, 1);
  },
);

test('a viewer that does not read misses frames, which are counted, and delays nobody', options, async (t) => {
  const { port, url } = await broker(t);
  const daemon = await hub(t, url);
  const published = await listen(t, port, 'fftd.lab.fast.lines');
  const source = await sensor(t, url, 'fast');
  const complete = await until('a complete frame', () =>
    published.find((data) => data.toString('latin1', 32, 36) === 'FFTD'),
  );
  const slow = await viewer(t, daemon),
    quick = await viewer(t, daemon);
  await until('lists', () => slow.id('fast') && quick.id('fast'));
  await source.stop();
  await daemon.untilState('fast', 'gone');
  /** The same spectrum, with bytes after it, as many lines later as no run is long. */
  let count = 0;
  const publish = () => {
    const data = Buffer.concat([complete, Buffer.alloc(15 << 10)]);
    data.writeUInt32LE(complete.readUInt32LE(12) + 1000 + count, 12);
    data.writeBigUInt64LE(complete.readBigUInt64LE(32 + 16) + 100000n + BigInt(count++), 32 + 16);
    published.client.publish('fftd.lab.fast.lines', data);
  };
  const hasNewest = (page) =>
    page.frames.at(-1)?.message.readUInt32LE(12) === complete.readUInt32LE(12) + 1000 + count - 1;
  publish();
  for (const page of [slow, quick]) page.say({ type: 'want', radios: [page.id('fast')] });
  await until('the first frame, perhaps after one of the sensor', () => hasNewest(slow) && hasNewest(quick));
  slow.socket._socket.pause();
  const before = [slow.frames.length, quick.frames.length];
  for (let sent = 0; sent < 2000; sent += 50) {
    for (let i = 0; i < 50; i++) publish();
    await until('the quick one has the newest', () => hasNewest(quick));
  }
  slow.socket._socket.resume();
  await until(
    'every frame is there or counted',
    () => slow.frames.length - before[0] + slow.dropped === 2000 && slow.dropped > 0,
  );
  await until('the same of the quick one', () => quick.frames.length - before[1] + quick.dropped === 2000);
  const text = await (await fetch(`${daemon.url}metrics`)).text();
  assert.equal(Number(text.match(/^fftd_hub_dropped_frames_total (\d+)$/m)[1]), slow.dropped + quick.dropped);
});

test('what a killed sensor did not send is missing, and it is gone since its last announcement', options, async (t) => {
  const { port, url } = await broker(t);
  const daemon = await hub(t, url);
  const published = await listen(t, port, 'fftd.lab.one.lines');
  const first = await sensor(t, url, 'one');
  await until('lines', async () => (await daemon.radio('one'))?.lines > 5);
  const killed = new Promise((resolve) => {
    first.child.on('close', resolve);
  });
  first.child.kill('SIGKILL');
  await killed;
  const gone = await daemon.untilState('one', 'gone');
  assert.ok(Math.abs(gone.gone_since_ns - gone.announce.sent_ns) < 5e9);
  const second = await sensor(t, url, 'one');
  await daemon.untilState('one', 'running');
  await until('lines of the second run', async () => (await daemon.radio('one')).runs === 2);
  assert.equal(await second.stop(), 0);
  const last = await daemon.untilState('one', 'gone');
  const runs = new Map(); // the same account, by another program
  for (const data of published) {
    const id = data.readUInt32LE(8);
    if (!runs.has(id)) runs.set(id, new LineReader());
    runs.get(id).read(data);
  }
  const [one, two] = [...runs.values()];
  assert.equal(runs.size, 2);
  assert.deepEqual(
    [last.before, last.lines, last.missing],
    [one.before, one.lines + two.lines, one.missing + two.before + two.missing],
  );
  assert.equal(two.before + two.lines + two.missing, last.announce.lines + last.announce.missed);
});

test(
  'a broker that was killed and is back has the hub and the sensor again, with every line accounted for',
  options,
  async (t) => {
    const server = await broker(t);
    const daemon = await hub(t, server.url);
    const page = await viewer(t, daemon);
    const source = await sensor(t, server.url, 'one');
    await until('lines', async () => (await daemon.radio('one'))?.lines > 5);
    page.say({ type: 'want', radios: [page.id('one')] });
    await server.kill();
    await until('the hub says so', async () => !(await daemon.list()).broker.connected);
    assert.equal((await fetch(`${daemon.url}healthz`)).status, 503);
    await until('the page knows', () => page.lists.at(-1).broker.connected === false);
    await server.start();
    await until('the hub is back', async () => (await daemon.list()).broker.links === 2);
    assert.equal((await fetch(`${daemon.url}healthz`)).status, 200);
    const { lines } = await daemon.radio('one');
    await until('lines', async () => (await daemon.radio('one')).lines > lines + 10);
    assert.equal(await source.stop(), 0);
    const last = await daemon.untilState('one', 'gone');
    assert.equal(last.before + last.lines + last.missing, last.announce.lines + last.announce.missed);
    assert.equal(last.runs, 1);
  },
);

test('malformed messages are counted by their cause and dropped', options, async (t) => {
  const { port, url } = await broker(t);
  const daemon = await hub(t, url);
  const published = await listen(t, port, 'fftd.lab.one.lines');
  await sensor(t, url, 'one');
  await until('lines', async () => (await daemon.radio('one'))?.lines > 0);
  await daemon.untilState('one', 'running');
  const announce = { protocol: 1, site: 'lab', radio: 'x', state: 'running', interval_s: 2, run: 1, sent_ns: 1 };
  const cases = [
    ['fftd.lab.a b.lines'.replace(' ', '*'), '', 'subject'],
    [`fftd.lab.${'x'.repeat(80)}.lines`, '', 'subject'],
    ['fftd.lab.one.announce', 'x'.repeat(5000), 'size'],
    ['fftd.lab.one.announce', '{"state":', 'json'],
    ['fftd.lab.one.ledger', '[]', 'json'],
    ['fftd.lab.one.status', '{}', 'json'],
    ['fftd.lab.one.announce', JSON.stringify(announce), 'json'], // of another radio
    ['fftd.lab.x.announce', JSON.stringify({ ...announce, latitude: 91, longitude: 0 }), 'json'],
    ['fftd.lab.x.announce', JSON.stringify({ ...announce, state: 'fine' }), 'json'],
    ['fftd.lab.one.lines', 'FFTN', 'line'],
    ['fftd.lab.x.lines', published[0].subarray(0, 100), 'line'],
    ['fftd.lab.one.lines', Buffer.alloc(400, 0xff), 'line'],
  ];
  const expected = { subject: 0, size: 0, json: 0, line: 0, radios: 0, memory: 0 };
  for (const [subject, data, cause] of cases) {
    published.client.publish(subject, data);
    expected[cause]++;
  }
  await until(
    'all are counted',
    async () => Object.values((await daemon.list()).malformed).reduce((a, b) => a + b) === cases.length,
  );
  const { malformed, radios } = await daemon.list();
  assert.deepEqual(malformed, expected);
  assert.deepEqual(
    radios.map(({ radio }) => radio),
    ['one'],
    'a malformed message makes no radio',
  );
  assert.equal(radios[0].malformed, cases.filter(([subject]) => subject.startsWith('fftd.lab.one.')).length);
  const text = await (await fetch(`${daemon.url}metrics`)).text();
  for (const [cause, count] of Object.entries(expected))
    assert.match(text, new RegExp(`^fftd_hub_malformed_total\\{cause="${cause}"\\} ${count}$`, 'm'));
  assert.match(text, /^fftd_hub_radios\{state="running"\} 1$/m);
  const open = await (
    await fetch(`${daemon.url}metrics`, { headers: { Accept: 'application/openmetrics-text' } })
  ).text();
  assert.match(open, /^# TYPE fftd_hub_malformed counter$/m);
  assert.match(open, /\n# EOF\n$/);
  const { lines } = radios[0];
  await until('the radio goes on', async () => (await daemon.radio('one')).lines > lines + 2);
});

test('a foreign page, a wrong token and a malformed request are refused', options, async (t) => {
  const { url } = await broker(t);
  const daemon = await hub(t, url, ['--token', 'correct horse battery']);
  await assert.rejects(viewer(t, daemon, { origin: 'http://evil.example' }), /403/);
  const page = await viewer(t, daemon);
  page.say({ type: 'hello', token: 'wrong' });
  await until('an answer', () => page.welcome);
  assert.equal(page.welcome.control, false);
  assert.equal(page.errors.length, 1);
  const cases = [
    [{ type: 'want', radios: [7] }, 'want: there is no radio 7'],
    [{ type: 'want', radios: Array(17).fill(1) }, 'want: radios must be an array of at most 16 ids'],
    [{ type: 'want', radios: [0] }, 'want: 0 is not the id of a radio'],
    [{ type: 'want' }, 'want: radios must be an array of at most 16 ids'],
    [{ type: 'hello' }, 'hello must be the first message'],
    [{ type: 'view' }, 'type: "view": expected hello or want, or a call: get, put, patch, post or delete'],
    [[], 'the message is not a JSON object'],
  ];
  for (const [message] of cases) page.say(message);
  await until('an error for each', () => page.errors.length > cases.length);
  assert.deepEqual(
    page.errors.slice(1),
    cases.map(([, error]) => error),
  );
  assert.equal((await fetch(`${daemon.url}api/v1/settings`, { method: 'PUT' })).status, 404);
  assert.equal((await fetch(`${daemon.url}api/v1/status`)).status, 404);
  const second = await viewer(t, daemon);
  second.say({ type: 'hello', token: 'correct horse battery' });
  await until('an answer', () => second.welcome);
  assert.equal(second.welcome.control, true);
});

test('a hub serves its page, and files of the same build', options, async (t) => {
  const daemon = await hub(t, 'nats://127.0.0.1:1'.replace(':1', `:${(await broker(t)).port}`));
  const page = await (await fetch(daemon.url)).text();
  assert.match(page, /<title>fftd hub/);
  for (const [, address] of page.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg))"/g)) {
    const answer = await fetch(daemon.url + address);
    assert.equal(answer.status, 200, address);
    assert.match(answer.headers.get('cache-control'), /immutable/);
  }
});

test('a recording is where its metadata say', options, async (t) => {
  const { url } = await broker(t);
  const daemon = await hub(t, url);
  const path = join(scratch(t), 'place');
  const meta = {
    global: {
      'core:datatype': 'cu8',
      'core:sample_rate': 250e3,
      'core:version': '1.2.0',
      'core:geolocation': { type: 'Point', coordinates: [16.37, 48.21, 180] },
    },
    captures: [{ 'core:sample_start': 0 }],
    annotations: [],
  };
  writeFileSync(`${path}.sigmf-meta`, JSON.stringify(meta));
  writeFileSync(`${path}.sigmf-data`, Buffer.alloc(500e3, 128));
  await serve(t, [
    '--replay',
    `${path}.sigmf-meta`,
    '--loop',
    '--nats',
    url,
    '--nats-site',
    'lab',
    '--nats-radio',
    'past',
  ]);
  await until('it tells where it is', async () => (await daemon.radio('past'))?.latitude !== undefined);
  const { latitude, longitude, announce } = await daemon.radio('past');
  assert.deepEqual([latitude, longitude, announce.altitude_m], [48.21, 16.37, 180]);
});

test('an option that a hub would ignore is refused with one line', options, async () => {
  const cases = [
    [['--source', 'sim'], /--source: a hub has no radio/],
    [['--csv', '-'], /--csv: a hub has no radio/],
    [['--nats', 'nats://127.0.0.1'], /--nats: a hub has no radio/],
    [['--geolocation', '1,2'], /--geolocation: a hub has no radio/],
    [
      ['--archive', '/nonexistent/archive', '--archive-step', '1'],
      /--archive-step: a hub has no radio: leave --archive-step out/,
    ],
    [['--nats-archive-rate', '1M'], /--nats-archive-rate: a hub has no radio: leave --nats-archive-rate out/],
    [['--listen', 'none'], /--hub: it serves a page/],
    [['--nats-credentials', '/nonexistent'], /\/nonexistent: No such file/],
  ];
  for (const [args, message] of cases)
    for (const how of [[], ['--check-config']]) {
      const { code, stderr } = await run(['--hub', 'nats://127.0.0.1:1', '--listen', '127.0.0.1:0', ...how, ...args]);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, message);
    }
  for (const position of ['91,0', '0,181', '1', '1,2,3,4', 'a,b', 'nan,0', '1,inf']) {
    const { code, stderr } = await run(['--source', 'sim', '--nats', 'nats://127.0.0.1', '--geolocation', position]);
    assert.equal(code, 1);
    assert.match(stderr, /--geolocation: bad value/);
  }
});
