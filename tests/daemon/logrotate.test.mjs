// logrotate.test.mjs - the configuration of logrotate in docs/install.md: it loses no row, and takes no file that is no output.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { scratch, serve, until } from '../support/fftd.mjs';

const program = '/usr/sbin/logrotate';
if (spawnSync(program, ['--version']).error) {
  console.log('skipped: logrotate is missing');
  process.exit(77);
}

const text = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8');
const documented = text.split('### logrotate')[1].match(/(?: {4}.*\n)+/)[0];
const content = (path) => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString();

test('the documented configuration rotates without a loss, and leaves presets alone', async (t) => {
  const folder = scratch(),
    other = scratch(),
    configuration = join(other, 'conf');
  const path = (name) => join(folder, name);
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '1M',
    '--fft-size',
    '256',
    '--line-rate',
    '10',
    '--state-dir',
    folder,
    '--csv',
    path('lines.csv'),
    '--json',
    path('lines.json'),
  ]);
  assert.equal((await fetch(`${daemon.url}api/v1/presets/Air`, { method: 'PUT' })).status, 201);
  const presets = content(path('presets.json'));
  const here = documented
    .replaceAll('/var/lib/fftd', folder)
    .replace('systemctl try-reload-or-restart fftd', `kill -HUP ${daemon.pid}`)
    .replace(/ *su root root\n/, process.getuid() === 0 ? '$&' : '');
  assert.match(here, /kill -HUP/);
  writeFileSync(configuration, here, { mode: 0o600 });
  const reloads = () => daemon.stderr.match(/reload: changed nothing; outputs open their files again\n/g)?.length ?? 0;
  const many = (name) =>
    until(`rows of ${name}`, () => {
      try {
        return content(path(name)).split('\n').length > 4;
      } catch {
        return false;
      }
    });
  for (let round = 1; round <= 3; round++) {
    await many('lines.csv');
    await many('lines.json');
    const { status, stderr } = spawnSync(program, ['--force', '--state', join(other, 'state'), configuration], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    await until('the reload', () => reloads() >= round);
  }
  await many('lines.csv');
  await daemon.stop();
  assert.equal(reloads(), 3, daemon.stderr);
  const names = readdirSync(folder);
  assert.deepEqual(
    names.filter((name) => name.startsWith('lines')).sort(),
    ['csv', 'json'].flatMap((kind) => ['', '.1', '.2.gz', '.3.gz'].map((end) => `lines.${kind}${end}`)),
  );
  assert.deepEqual(
    names.filter((name) => name.startsWith('presets')),
    ['presets.json'],
  );
  assert.equal(content(path('presets.json')), presets);
  const rows = (kind) =>
    names
      .filter((name) => name.startsWith(`lines.${kind}`))
      .flatMap((name) => content(path(name)).split('\n').slice(0, -1));
  const lines = rows('json')
    .map((row) => JSON.parse(row).line)
    .sort((a, b) => a - b);
  assert.deepEqual(
    lines,
    lines.map((_, i) => lines[0] + i),
  );
  assert.ok(rows('csv').every((row) => row.split(', ').length === 6 + 256));
});
