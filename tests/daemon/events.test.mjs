// events.test.mjs - the database of events: it survives a kill, and is asked over HTTP.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const source = [
  '--source',
  'sim',
  '--rate',
  '250k',
  '--fft-size',
  '256',
  '--trigger',
  'external,name=now',
  '--trigger',
  'external,name=then',
];

/** A daemon that can be asked for its events. */
async function start(t, folder, ...args) {
  const daemon = await serve(t, [...source, '--state-dir', folder, ...args]);
  const events = async (query = '') => (await (await fetch(`${daemon.url}api/v1/events${query}`)).json()).events;
  const metric = async (name) =>
    Number((await (await fetch(`${daemon.url}metrics`)).text()).match(new RegExp(`^${name} (\\d+)`, 'm'))?.[1]);
  const fire = async (name) =>
    until(`${name} fires`, async () => (await fetch(`${daemon.url}api/v1/triggers/${name}`, { method: 'POST' })).ok);
  const kill = () =>
    new Promise((resolve) => {
      daemon.child.on('close', resolve).kill('SIGKILL');
    });
  return { ...daemon, events, metric, fire, kill };
}

test('stored events survive kill -9, and ids go on', async (t) => {
  const folder = scratch(t);
  let known = 0;
  for (let round = 0; round < 3; round++) {
    const daemon = await start(t, folder);
    assert.deepEqual(
      (await daemon.events('?after=0&limit=1000')).slice(0, known).map(({ id }) => id),
      Array.from({ length: known }, (_, i) => i + 1),
    );
    for (const name of ['now', 'then', 'now']) await daemon.fire(name);
    await until('three events', async () => (await daemon.metric('fftd_events_stored_total')) >= 3);
    await daemon.fire('then'); // it may or may not be stored before the kill
    await daemon.kill();
    known += 3;
    const left = await start(t, folder);
    const ids = (await left.events('?after=0&limit=1000')).map(({ id }) => id);
    assert.ok(ids.length >= known && ids.length <= known + 1, `${ids}`);
    assert.deepEqual(
      ids,
      ids.map((_, i) => i + 1),
    );
    known = ids.length;
    await left.kill();
  }
});

test('events are found by time and by trigger, those of earlier runs too', async (t) => {
  const folder = scratch(t);
  for (let i = 0; i < 2; i++) {
    const daemon = await start(t, folder);
    for (const name of ['now', 'then']) {
      await daemon.fire(name);
      await until('it is reported', async () => (await daemon.events(`?trigger=${name}`)).length === i + 1);
    }
    await until('they are stored', async () => (await daemon.metric('fftd_events_stored_total')) === 2);
    await daemon.kill();
  }
  const daemon = await start(t, folder),
    all = await daemon.events();
  assert.deepEqual(
    all.map(({ id, trigger, recording }) => [id, trigger, recording]),
    [
      [1, 'now', null],
      [2, 'then', null],
      [3, 'now', null],
      [4, 'then', null],
    ],
  );
  assert.ok(all.every(({ time }, i) => i === 0 || time > all[i - 1].time));
  const middle = (all[1].time + all[2].time) / 2;
  assert.deepEqual(
    (await daemon.events(`?from=${middle}`)).map(({ id }) => id),
    [3, 4],
  );
  assert.deepEqual(
    (await daemon.events(`?from=${new Date(1000 * middle).toISOString()}`)).map(({ id }) => id),
    [3, 4],
  );
  assert.deepEqual(
    (await daemon.events(`?to=${middle}&limit=1`)).map(({ id }) => id),
    [2],
  );
  assert.deepEqual(
    (await daemon.events('?trigger=now&after=1')).map(({ id }) => id),
    [3],
  );
  for (const query of ['from=yesterday', 'to=1e10', 'from=', 'before=3'])
    assert.equal((await fetch(`${daemon.url}api/v1/events?${query}`)).status, 400, query);
});

test('a damaged database is renamed with one line, and a new one is made', async (t) => {
  const folder = scratch(t),
    file = join(folder, 'events.sqlite');
  writeFileSync(file, 'these are the minutes of a meeting, and no database at all');
  const daemon = await start(t, folder);
  assert.equal(daemon.stderr.split('\n').filter((line) => line.includes('events.sqlite')).length, 1);
  assert.match(daemon.stderr, new RegExp(`${file}: file is not a database: it is renamed to ${file}\\.damaged-1\n`));
  assert.ok(existsSync(file));
  await daemon.fire('now');
  await until('the event', async () => (await daemon.events()).length === 1);
});

test('the options of the database are checked, and --check-config makes none', async (t) => {
  const folder = scratch(t);
  assert.match(
    (await run(['--events-max', '-1'])).stderr,
    /^fftd: --events-max: bad value '-1': expected a whole number from 0 to 1G/,
  );
  assert.equal(
    (
      await run([
        '--source',
        'sim',
        '--check-config',
        '--listen',
        '127.0.0.1:0',
        '--state-dir',
        folder,
        '--events-max-age',
        '30d',
      ])
    ).code,
    0,
  );
  assert.ok(!existsSync(join(folder, 'events.sqlite')));
});
