// band_plan.test.mjs - band plans and bookmarks: files of several programs in one answer, reloads, mistakes.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

const SIM = ['--source', 'sim', '--center', '100M'];

const FM = JSON.stringify({
  name: 'Here',
  country_code: 'XX',
  bands: [{ name: 'FM radio', type: 'broadcast', start: 87.5e6, end: 108e6 }],
});
const GQRX = '# a band of gqrx\n99000000,101000000,WFM,100,#90009470,Test band,1,UK,Amateur\n';
const BOOKMARKS = 'Marine ; #00ffff\n\n 100300000; Carrier; AM; 10000; Marine\n 99.5M; "quoted" <b>; ; ; \n';

const put = (folder, name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const get = async ({ url }) => {
  const answer = await fetch(`${url}api/v1/band-plan`);
  assert.equal(answer.status, 200);
  return answer.json();
};

/** The "welcome" of a new websocket. */
const welcome = ({ url }) =>
  new Promise((done, failed) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3');
    socket.onopen = () => socket.send('{"type":"hello"}');
    socket.onerror = failed;
    socket.onmessage = ({ data }) => {
      socket.close();
      done(JSON.parse(data));
    };
  });

test('one answer has the rows of all files, and welcome says that there are any', async (t) => {
  const folder = scratch(t);
  const files = [
    put(folder, 'fm.json', FM),
    put(folder, 'gqrx.csv', GQRX),
    put(folder, 'bookmarks.csv', BOOKMARKS),
  ].join(',');
  const daemon = await serve(t, [...SIM, '--band-plan', files]);
  assert.deepEqual(await get(daemon), {
    bands: [
      { name: 'FM radio', kind: 'broadcast', low_hz: 87.5e6, high_hz: 108e6, color: null },
      { name: 'Test band', kind: 'Amateur', low_hz: 99e6, high_hz: 101e6, color: '#009470' },
    ],
    bookmarks: [
      { name: 'Carrier', hz: 100.3e6, width_hz: 10e3, mode: 'AM', tags: 'Marine', color: '#00ffff' },
      { name: '"quoted" <b>', hz: 99.5e6, width_hz: null, mode: null, tags: null, color: null },
    ],
  });
  assert.equal((await welcome(daemon)).band_plan, true);
  assert.equal((await fetch(`${daemon.url}api/v1/band-plan?x=1`)).status, 400);
  assert.equal(await daemon.stop(), 0);
});

test('a reload reads the files again; a mistake keeps the old plan', async (t) => {
  const folder = scratch(t),
    file = put(folder, 'plan.csv', BOOKMARKS);
  const daemon = await serve(t, [...SIM, '--band-plan', file]);
  await until('a line', async () => (await daemon.status()).ledger.lines > 0); // by then it hears signals
  writeFileSync(file, GQRX);
  daemon.child.kill('SIGHUP');
  await until('the new plan', async () => (await get(daemon)).bands.length === 1);
  assert.equal((await get(daemon)).bookmarks.length, 0);
  writeFileSync(file, `${GQRX}nonsense\n`);
  daemon.child.kill('SIGHUP');
  await until('the error', () => /reload: --band-plan: .*plan\.csv:3: a row is: /.test(daemon.stderr));
  assert.equal((await get(daemon)).bands.length, 1);
  assert.equal(await daemon.stop(), 0);
});

test('without files there is an empty plan', async (t) => {
  const daemon = await serve(t, SIM);
  assert.deepEqual(await get(daemon), { bands: [], bookmarks: [] });
  assert.equal((await welcome(daemon)).band_plan, false);
  assert.equal(await daemon.stop(), 0);
});

test('a file that cannot be read is one line, and ends fftd', async (t) => {
  const folder = scratch(t),
    good = put(folder, 'fm.json', FM);
  const refused = async (files) => {
    const { code, stderr } = await run([...SIM, '--fast', '--lines', '1', '--band-plan', files]);
    assert.equal(code, 1);
    return stderr;
  };
  assert.match(
    await refused(`${good},/nonexistent`),
    /^fftd: .*--band-plan: \/nonexistent: No such file or directory\n$/,
  );
  assert.match(await refused(`${good},`), /^fftd: .*--band-plan: '.*fm\.json,': a file name is empty\n$/);
  assert.match(
    await refused(put(folder, 'bad.json', '{"bands": 1}')),
    /^fftd: .*bad\.json: not a band plan: "bands" is not a list\n$/,
  );
});

test('a row without a meaning is left out with a warning', async (t) => {
  const file = put(scratch(t), 'gqrx.csv', `3750000,3600000,USB,10,yellow,backwards,1,UK,Amateur\n${GQRX}`);
  const daemon = await serve(t, [...SIM, '--band-plan', file]);
  assert.match(daemon.stderr, /band-plan: .*gqrx\.csv:1: the band ends below its start: left out\n/);
  assert.equal((await get(daemon)).bands.length, 1);
  assert.equal(await daemon.stop(), 0);
});
