// own_files.test.mjs - a start with hostile, damaged or endless files in fftd's own folders, and as files that the user names.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, run, scratch, serve, until } from '../support/fftd.mjs';

const SIM = ['--source', 'sim', '--rate', '1M', '--realtime'];
const NAME = 'fftd_20261121T101500Z_433.92M_1000k';
const fifo = (path) => execFileSync('mkfifo', [path]);

/** Puts a link to a file that must stay as it is. */
function plant(folder, name, target) {
  writeFileSync(target, 'precious');
  symlinkSync(target, join(folder, name));
}

test('links, FIFOs, folders and damage in the state directory do not stop the start, and nothing is followed', async (t) => {
  const outside = scratch(t);
  for (const kind of ['link', 'fifo', 'folder', 'damage']) {
    const state = scratch(t);
    mkdirSync(join(state, 'references'));
    for (const name of ['spurs.txt', 'presets.json', 'events.sqlite', 'references/a.ref', 'references/a.tmp'])
      if (kind === 'link') plant(state, name, join(outside, `${name.replace('/', '-')}`));
      else if (kind === 'fifo') fifo(join(state, name));
      else if (kind === 'folder') mkdirSync(join(state, name));
      else writeFileSync(join(state, name), Buffer.from([0xff, 0, 1, 2, 10, 0x1b]));
    const daemon = await serve(t, [...SIM, '--state-dir', state, '--trigger', 'external,name=now']);
    for (const name of ['spurs.txt', 'presets.json', 'events.sqlite', 'a.ref'])
      assert.equal(
        daemon.stderr.split('\n').filter((line) => line.includes(name)).length,
        1,
        `${kind} ${name}: ${daemon.stderr}`,
      );
    assert.equal((await fetch(`${daemon.url}api/v1/events`)).status, 200);
    if (kind === 'link')
      for (const name of ['spurs.txt', 'presets.json', 'events.sqlite', 'references-a.ref', 'references-a.tmp'])
        assert.equal(readFileSync(join(outside, name), 'utf8'), 'precious');
  }
});

test('the disk ring follows no link', async (t) => {
  const folder = scratch(t),
    target = join(scratch(t), 'target');
  plant(folder, 'fftd.iq-history', target);
  const { code, stderr } = await run([...SIM, '--lines', '1', '--record', folder, '--iq-history', '64M']);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^fftd: iq-history: .*fftd\.iq-history: a symbolic link, and fftd follows none here; link the folder instead\n$/,
  );
  assert.equal(readFileSync(target, 'utf8'), 'precious');
});

test('folders that are links work as before', async (t) => {
  const disk = scratch(t),
    folder = scratch(t);
  for (const name of ['state', 'rec', 'archive']) {
    mkdirSync(join(disk, name));
    symlinkSync(join(disk, name), join(folder, name));
  }
  const { code, stderr } = await run([
    '--source',
    'sim',
    '--rate',
    '1M',
    '--lines',
    '20',
    '--state-dir',
    join(folder, 'state'),
    '--record',
    join(folder, 'rec'),
    '--record-all',
    '--archive',
    join(folder, 'archive'),
    '--trigger',
    'external,name=now',
  ]);
  assert.equal(code, 0, stderr);
  assert.ok(existsSync(join(disk, 'archive', 'index.sqlite')));
  assert.ok(lstatSync(join(folder, 'rec')).isSymbolicLink());
});

function interruptedRecording(t, bytes) {
  const folder = scratch(t);
  writeFileSync(
    join(folder, `${NAME}.sigmf-part`),
    '{"global":{"core:datatype":"cu8"}}\n' + '{"capture":{"core:sample_start":0,"core:global_index":0,"position":0}}\n',
  );
  writeFileSync(join(folder, `${NAME}.sigmf-data`), '');
  truncateSync(join(folder, `${NAME}.sigmf-data`), bytes);
  return folder;
}

test('an interrupted recording of 1 TB does not hold up the start', async (t) => {
  const folder = interruptedRecording(t, 2 ** 40);
  const { stderr } = await serve(t, [...SIM, '--record', folder]);
  assert.match(stderr, /repaired: 549755813888 samples, without core:sha512/);
  assert.ok(existsSync(join(folder, `${NAME}.sigmf-meta`)));
  assert.equal(lstatSync(join(folder, `${NAME}.sigmf-data`)).size, 2 ** 40);
});

test('SIGTERM ends a start that repairs a recording', async (t) => {
  const folder = interruptedRecording(t, 2 ** 30);
  const child = spawn(process.env.FFTD, [...SIM, '--record', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const ended = new Promise((resolve) => {
    child.on('exit', (code) => resolve(code));
  });
  const reads = () =>
    existsSync(`/proc/${child.pid}/io`)
    && Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))[1]) > 1e7;
  await until('the repair', reads);
  child.kill('SIGTERM');
  assert.equal(await ended, 0, stderr);
  assert.match(stderr, /signal 15: stopping/);
  assert.equal(lstatSync(join(folder, `${NAME}.sigmf-data`)).size, 2 ** 30);
});

test('a file that the user names and that never ends is one line', async (t) => {
  const folder = scratch(t),
    pipe = join(folder, 'pipe');
  fifo(pipe);
  for (const file of [pipe, '/dev/zero', '/dev/tty'])
    for (const option of ['--config', '--token-file', '--calibration', '--spurs', '--band-plan']) {
      const { code, stderr } = await run([...SIM, '--lines', '1', '--listen', '127.0.0.1:0', option, file]);
      assert.equal(code, 1, `${option} ${file}`);
      assert.equal(stderr.split('\n').length, 2, stderr);
      assert.ok(stderr.includes(file), stderr);
    }
});

// The shell's <(command), /dev/stdin and a FIFO. The command prints the text.
const PIPES = (text) => [
  { wrap: ['bash', '-c', `exec "$0" "$@" <(printf '${text}')`], file: [] },
  { wrap: ['bash', '-c', `exec "$0" "$@" < <(sleep 0.3; printf '${text}')`], file: ['/dev/stdin'] },
  { wrap: ['bash', '-c', `mkfifo "$FIFO"; printf '${text}' > "$FIFO" & exec "$0" "$@"`], file: ['FIFO'] },
];

test('the configuration and the token may come from a pipe', async (t) => {
  const size = ({ stdout }) => JSON.parse(stdout).fft_size;
  const args = ['--source', 'sim', '--lines', '1', '--fast', '--stats', '-'];
  for (const { wrap, file } of PIPES('[spectrum]\\nfft-size = 128\\n')) {
    const pipe = join(scratch(t), 'pipe'),
      env = { ...process.env, FIFO: pipe };
    const result = await run([...args, '-c', ...file.map((name) => (name === 'FIFO' ? pipe : name))], { wrap, env });
    assert.equal(result.code, 0, result.stderr);
    assert.equal(size(result), 128);
  }
  const none = await run([...args, '-c', '/dev/null']);
  assert.deepEqual([none.code, size(none)], [0, 4096]);
  const ended = await run([...args, '-c'], { wrap: ['bash', '-c', 'exec "$0" "$@" <(true)'] });
  assert.deepEqual([ended.code, size(ended)], [0, 4096]);
  const endless = await run([...args, '-c'], { wrap: ['bash', '-c', 'exec "$0" "$@" <(yes "#")'] });
  assert.deepEqual(
    [endless.code, /^fftd: \/dev\/fd\/\d+: cannot open: File too large\n$/.test(endless.stderr)],
    [1, true],
    endless.stderr,
  );

  const daemon = await serve(t, SIM, {
    wrap: [
      'bash',
      '-c',
      'exec "$0" "$@" --token-file <(echo 0123456789abcdef0) -c <(printf "[spectrum]\\nfft-size = 256\\n")',
    ],
  });
  const change = async (token) =>
    (
      await fetch(`${daemon.url}api/v1/triggers/a?level=20`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}` },
      })
    ).status;
  assert.equal(await change('0123456789abcdef1'), 401);
  assert.equal(await change('0123456789abcdef0'), 201);
  daemon.child.kill('SIGHUP');
  await until('a pipe is not read twice', () =>
    /reload: \/dev\/fd\/\d+: a pipe is read once, at the start: the settings stay/.test(daemon.stderr),
  );
  assert.match(await (await fetch(`${daemon.url}api/v1/status`)).text(), /"fft_size": 256\b/);
});

test('SIGTERM ends a start that waits for the writer of a pipe', async (t) => {
  const hub = ['hub', 'nats://127.0.0.1:1', '--listen', '127.0.0.1:0'];
  for (const args of [
    [...SIM, '-c'],
    [...SIM, '--listen', '127.0.0.1:0', '--token-file'],
    [...hub, '--token-file'],
  ]) {
    const pipe = join(scratch(t), 'pipe');
    fifo(pipe);
    const writer = openSync(pipe, 'r+'); // a writer that stays and says nothing
    const child = spawn(binary, [...args, pipe], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    await until('it has opened the pipe', () =>
      readdirSync(`/proc/${child.pid}/fd`).some((fd) => {
        try {
          return readlinkSync(`/proc/${child.pid}/fd/${fd}`) === pipe;
        } catch {
          return false;
        }
      }),
    );
    child.kill('SIGTERM');
    const how = await ended;
    assert.ok(
      args.includes('-c') ? how === 'SIGTERM' : how === 0 && /signal 15: stopping/.test(stderr),
      `${how} ${stderr}`,
    );
    closeSync(writer);
  }
});

test('many files of others in the folder of references cost a few lines, and names cannot forge any', async (t) => {
  const state = scratch(t),
    folder = join(state, 'references');
  mkdirSync(folder);
  for (let i = 0; i < 300; i++) writeFileSync(join(folder, `${String(i).padStart(200, 'x')}.ref`), 'no reference');
  const many = await serve(t, [...SIM, '--state-dir', state]);
  assert.ok(many.stderr.split('\n').filter((line) => line.includes('references')).length < 10, many.stderr);
  const other = scratch(t);
  mkdirSync(join(other, 'references'));
  writeFileSync(join(other, 'references', '\x1b[2J\nfftd: all is well\n.ref'), 'no reference');
  const daemon = await serve(t, [...SIM, '--state-dir', other]);
  assert.ok(!daemon.stderr.includes('\x1b'));
  assert.ok(!/^fftd: all is well/m.test(daemon.stderr), daemon.stderr);
  assert.match(daemon.stderr, /\?\[2J\?fftd: all is well\?\.ref/);
});
