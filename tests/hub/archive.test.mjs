// archive.test.mjs - a hub copies the archives of its sensors, block by block, and serves them.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NatsClient } from '../../tools/nats-reader/client.mjs';
import { blocks, count, sensor, untilCopied } from '../support/archives.mjs';
import { run, scratch, until } from '../support/fftd.mjs';
import { hub } from '../support/hub.mjs';
import { broker, missing, proxy } from '../support/nats.mjs';

const options = { skip: missing() };

/** An archive of the last so many seconds, from a recording of noise: what a sensor has before it meets a hub. */
async function past(folder, seconds) {
  const rate = 20000,
    path = join(scratch(), 'noise.sigmf-meta'),
    start = new Date(Date.now() - (seconds + 5) * 1000).toISOString();
  writeFileSync(
    path,
    JSON.stringify({
      global: { 'core:datatype': 'cu8', 'core:sample_rate': rate, 'core:version': '1.0.0' },
      captures: [{ 'core:sample_start': 0, 'core:frequency': 1e8, 'core:datetime': start }],
      annotations: [],
    }),
  );
  writeFileSync(path.replace('-meta', '-data'), randomBytes(2 * rate * seconds));
  const { code, stderr } = await run([
    '--replay',
    path,
    '--fft-size',
    '256',
    '--line-rate',
    '20',
    '--listen',
    'none',
    '--csv',
    '/dev/null',
    '--archive',
    folder,
    '--archive-tiers',
    '100ms:1h,1s:1d',
    '--archive-columns',
    '64',
  ]);
  assert.equal(code, 0, stderr);
}

const folders = () => {
  const at = scratch();
  return { at, hub: join(at, 'hub'), one: join(at, 'one'), two: join(at, 'two') };
};

test('a hub gets the past of two sensors, byte for byte, and what they add', options, async (t) => {
  const { url } = await broker(t);
  const at = folders();
  await past(at.one, 60);
  await past(at.two, 30);
  await sensor(t, url, 'one', at.one, ['--nats-archive-rate', '1M']);
  await sensor(t, url, 'two', at.two, ['--nats-archive-rate', '1M']);
  await sensor(t, url, 'none', null);
  const daemon = await hub(t, url, ['--archive', at.hub]);
  const [one, two] = ['one', 'two'].map((name) => join(at.hub, `lab.${name}`));
  await until('the past of both', () => count(one) >= 9 && count(two) >= 5);
  const had = count(at.one);
  await until('one goes on', () => count(at.one) > had);
  await untilCopied(at.one, one);
  await untilCopied(at.two, two);
  assert.deepEqual(
    readdirSync(at.hub)
      .filter((name) => !name.startsWith('.'))
      .sort(),
    ['lab.one', 'lab.two'],
    'a sensor without an archive has no folder',
  );
  const row = await until('the row has it', async () => {
    const radio = await daemon.radio('one');
    return radio.archive?.bytes > 0 && radio;
  });
  assert.ok(row.archive.oldest_ns > 1e18 && row.archive.newest_ns > row.archive.oldest_ns);
  assert.ok(row.announce.archive.some(({ period_s }) => period_s === 0.1));
  assert.equal((await daemon.radio('none')).archive, undefined);
  const { archive } = await daemon.list();
  assert.deepEqual(
    [archive.radios, archive.duplicates, archive.gaps, archive.failed, archive.without_place, archive.failure],
    [2, 0, 0, 0, 0, ''],
  );
  assert.deepEqual(Object.values(archive.malformed), Array(7).fill(0));
});

test(
  'a hub answers for each archive as the sensor does, and its folder can be replayed and surveyed',
  options,
  async (t) => {
    const { url } = await broker(t);
    const at = folders();
    await past(at.one, 60);
    const source = await sensor(t, url, 'one', at.one, ['--nats-archive-rate', '1M']);
    const daemon = await hub(t, url, ['--archive', at.hub]);
    const copy = join(at.hub, 'lab.one');
    await until('the past', () => (blocks(copy).get(0.1)?.length ?? 0) >= 10);
    await source.stop();
    const { oldest_ns: oldest } = await until('the row', async () => (await daemon.radio('one')).archive);
    const ask = (base, query) => fetch(`${base}${query}`);
    const [from, to] = [10, 40].map((seconds) => new Date((Math.round(oldest / 1e9) + seconds) * 1000).toISOString());
    const second = await sensor(t, url, 'one', at.one, ['--nats-archive-rate', '1M']);
    for (const query of [
      `archive?from=${from}&to=${to}&rows=30&columns=16`,
      `archive?from=${from}&to=${to}&format=csv`,
      `survey?from=${from}&to=${to}&width=50k`,
    ]) {
      const there = await ask(`${second.url}api/v1/`, query),
        here = await ask(`${daemon.url}api/v1/radios/lab.one/`, query);
      assert.equal(here.status, 200, `${query}: ${here.status === 200 ? '' : await here.clone().text()}`);
      assert.equal(here.headers.get('content-type'), there.headers.get('content-type'));
      assert.equal(await here.text(), await there.text(), query);
    }
    for (const [query, status] of [
      ['lab.one/archive?rows=0', 400],
      ['lab.one/archive?nonsense=1', 400],
      ['lab.one/survey?rows=1', 400],
      ['lab.one?rows=1', 400],
      ['lab.two/archive', 404],
      ['lab.one/else', 404],
      ['..%2f..%2fetc/archive', 404],
      ['lab/archive', 404],
      [`${'x'.repeat(300)}.y/archive`, 404],
    ])
      assert.equal((await ask(`${daemon.url}api/v1/radios/`, query)).status, status, query);
    await second.stop();
    await daemon.stop();
    const csv = await run(['--replay-spectra', copy, '--csv', '-', '--detector', 'max']);
    assert.equal(csv.code, 0, csv.stderr);
    assert.ok(csv.stdout.toString().trim().split('\n').length > 500);
    const survey = await run(['--survey', `${copy},width=50k`]);
    assert.equal(survey.code, 0, survey.stderr);
  },
);

test('a hub that is killed in the middle goes on where it was: complete, and no block twice', options, async (t) => {
  const { url } = await broker(t);
  const at = folders();
  await past(at.one, 240);
  await sensor(t, url, 'one', at.one, ['--nats-archive-rate', '40k']);
  const copy = join(at.hub, 'lab.one'),
    had = [];
  for (let kill = 0; kill < 3; kill++) {
    const daemon = await hub(t, url, ['--archive', at.hub]);
    const before = count(copy);
    await until('some more blocks', () => count(copy) > before + 2);
    const killed = new Promise((resolve) => {
      daemon.child.on('close', resolve);
    });
    daemon.child.kill('SIGKILL');
    await killed;
    had.push(count(copy));
  }
  assert.ok(had[0] < count(at.one), 'it was killed before it had all');
  const daemon = await hub(t, url, ['--archive', at.hub]);
  await untilCopied(at.one, copy);
  assert.equal((await daemon.list()).archive.gaps, 0);
});

test('a link that is cut loses nothing', options, async (t) => {
  const { port, url } = await broker(t);
  const link = await proxy(t, port);
  const at = folders();
  await past(at.one, 120);
  await sensor(t, link.url, 'one', at.one, ['--nats-archive-rate', '40k']);
  const daemon = await hub(t, url, ['--archive', at.hub]);
  const copy = join(at.hub, 'lab.one');
  await until('the first blocks', () => count(copy) > 1);
  link.cut();
  const cut = count(copy),
    had = count(at.one);
  await until('the sensor has more', () => count(at.one) > had);
  assert.ok(count(copy) <= cut + 1);
  link.mend();
  await untilCopied(at.one, copy);
  assert.deepEqual(Object.values((await daemon.list()).archive.malformed), Array(7).fill(0));
});

test('malformed replies of a hostile sensor are counted by their cause and never written', options, async (t) => {
  const { port, url } = await broker(t);
  const at = folders();
  await past(at.one, 20);
  const [block] = blocks(at.one).get(0.1);
  const bytes = Buffer.from(block, 'latin1');
  /** A reply with a head of its own, as docs/sensor-messages.md has it. */
  const reply = (data, { period = 100000000n, size = data.length, offset = 0, count: n = data.length } = {}) => {
    const head = Buffer.alloc(56);
    head.write('FFTA', 0, 'latin1');
    head[4] = 1;
    head.writeBigUInt64LE(period, 8);
    if (data.length >= 72) data.copy(head, 16, 24, 32);
    if (data.length >= 72) data.copy(head, 40, 4, 8);
    head.writeUInt32LE(size, 44);
    head.writeUInt32LE(offset, 48);
    return Buffer.concat([head, data.subarray(0, n)]);
  };
  const damaged = Buffer.from(bytes);
  damaged[200] ^= 1;
  const cases = [
    [Buffer.from('malformed'), 'reply'],
    [reply(bytes, { offset: 1 }), 'reply'],
    [reply(bytes, { period: 1n }), 'reply'],
    [reply(damaged), 'block'],
    [reply(Buffer.alloc(100, 0xff)), 'block'],
  ];
  assert.ok(bytes.length < 8192);
  let next = 0;
  const hostile = (radio) => {
    const client = new NatsClient({
      port,
      subjects: [`fftd.lab.${radio}.archive`],
      message: ({ reply: to, data }) => {
        const ask = JSON.parse(data);
        client.publish(
          to,
          next < cases.length ? cases[next++][0] : reply(Buffer.alloc(0), { period: BigInt(ask.period_ns) }),
        );
        client.publish(`${to.split('.').slice(0, -1).join('.')}.999999`, 'unasked');
      },
    });
    t.after(() => client.end());
    return client;
  };
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const clients = names.map((radio) => hostile(radio));
  await until('all are there', () => clients.every(({ links }) => links > 0));
  const daemon = await hub(t, url, ['--archive', at.hub]);
  const announce = (radio, archive) =>
    JSON.stringify({ protocol: 1, site: 'lab', radio, state: 'running', interval_s: 60, run: 1, sent_ns: 1, archive });
  clients.forEach((client, i) =>
    client.publish(
      `fftd.lab.${names[i]}.announce`,
      announce(names[i], [{ period_s: 0.1, newest_ns: 1700000000000000000 }]),
    ),
  );
  for (const [radio, archive] of [
    ['x', '../../etc'],
    ['y', [{ period_s: -1 }]],
    ['z', { period_s: 1, newest_ns: 1 }],
  ])
    clients[0].publish(`fftd.lab.${radio}.announce`, announce(radio, archive));
  const { archive } = await until('all are counted', async () => {
    const list = await daemon.list();
    const { malformed } = list.archive;
    return malformed.reply >= 3 && malformed.block >= 2 && malformed.unasked >= cases.length && list;
  });
  assert.equal(archive.malformed.reply, 3);
  assert.equal(archive.malformed.block, 2);
  assert.equal(archive.blocks, 0);
  for (const name of names) assert.equal(count(join(at.hub, `lab.${name}`)), 0);
  for (const name of ['x', 'y', 'z']) assert.ok(!existsSync(join(at.hub, `lab.${name}`)));
  const text = await (await fetch(`${daemon.url}metrics`)).text();
  assert.match(text, /^fftd_hub_archive_malformed_total\{cause="block"\} 2$/m);
  assert.equal((await daemon.radio('a')).archive, undefined);
});

test('a hub keeps what its own options say, and what is older on the sensor is not fetched', options, async (t) => {
  const { url } = await broker(t);
  const at = folders();
  await past(at.one, 300);
  await sensor(t, url, 'one', at.one, ['--nats-archive-rate', '4M']);
  await hub(t, url, ['--archive', at.hub, '--archive-tiers', '1s:100s']);
  const copy = join(at.hub, 'lab.one');
  await until('rows of a second', () => (blocks(copy).get(1)?.length ?? 0) > 0);
  await until('all of them that are young enough', () => blocks(copy).get(1)?.at(-1) === blocks(at.one).get(1).at(-1));
  assert.equal(blocks(copy).get(0.1), undefined, 'finer tiers are not copied');
  assert.ok(blocks(copy).get(1).length < blocks(at.one).get(1).length);
});

test(
  'the rights of the documentation are enough for sensor and hub, and keep others from asking',
  options,
  async (t) => {
    const docs = readFileSync(new URL('../../docs/many-radios.md', import.meta.url), 'utf8');
    const { port, url } = await broker(t, {
      config: docs.match(/^ {4}authorization \{ users = \[\n[^]*?\n {4}\] \}\n/m)[0],
    });
    const at = folders(),
      login = (user) => {
        const path = join(at.at, `${user}.login`);
        writeFileSync(path, `${user}:...\n`);
        return ['--nats-credentials', path];
      };
    await past(at.one, 30);
    const source = await sensor(t, url, 'one', at.one, [
      '--nats-site',
      'roof',
      '--nats-archive-rate',
      '1M',
      ...login('roof'),
    ]);
    const daemon = await hub(t, url, ['--archive', at.hub, ...login('hub')]);
    await until('the past', () => count(join(at.hub, 'roof.one')) >= 5);
    assert.doesNotMatch(source.stderr + daemon.stderr, /ermission/);
    const other = new NatsClient({ port, user: 'operator', password: '...', subjects: [], message: () => {} });
    t.after(() => other.end());
    await until('the operator is there', () => other.links > 0);
    other.publish('fftd.roof.one.archive', '{}', '_INBOX.x');
    await until('it is refused', () => other.error);
    assert.match(other.error, /Permissions Violation for Publish/i);
  },
);

test('a sensor that may not be asked offers nothing', options, async (t) => {
  const { url } = await broker(t);
  const at = folders();
  await sensor(t, url, 'one', at.one, ['--nats-archive-rate', '0']);
  const daemon = await hub(t, url, ['--archive', at.hub]);
  await daemon.untilState('one', 'running');
  await until('a block', () => count(at.one) > 0);
  const { announce, archive } = await daemon.radio('one');
  assert.deepEqual([announce.archive, archive], [undefined, undefined]);
  assert.equal((await fetch(`${daemon.url}api/v1/radios/lab.one/archive`)).status, 404);
});

test('without --archive a hub asks nobody, and says what is missing', options, async (t) => {
  const { url } = await broker(t);
  const daemon = await hub(t, url);
  const answer = await fetch(`${daemon.url}api/v1/radios/lab.one/archive`);
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /start the hub with --archive DIR/);
  assert.equal((await daemon.list()).archive, undefined);
});

test('a folder that cannot be used is one line that names it', options, async () => {
  const { code, stderr } = await run([
    '--hub',
    'nats://127.0.0.1:1',
    '--listen',
    '127.0.0.1:0',
    '--archive',
    '/proc/nothing/here',
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /\/proc\/nothing\/here: No such file or directory/);
});
