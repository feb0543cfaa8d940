// ending.test.mjs - runs that end by their reader, by a signal, or with a short recording, and their
// statistics. Repeated runs of a recording give the same bytes.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, lostSamples, readStats, run, scratch, serve, until } from '../support/fftd.mjs';

/** Noise that is the same on every machine. */
function noise(samples) {
  const bytes = Buffer.alloc(samples * 2);
  for (let i = 0, x = 1; i < bytes.length; i++) {
    x = (Math.imul(x, 1103515245) + 12345) >>> 0;
    bytes[i] = x >>> 16;
  }
  return bytes;
}

function start(args) {
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.log = '';
  child.stderr.on('data', (data) => {
    child.log += data;
  });
  child.ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  return child;
}

test('a reader that leaves after one row ends the run with status 0', async () => {
  for (const pace of ['--fast', '--realtime']) {
    const child = start(['--source', 'sim', pace, '--listen', 'none', '--csv', '-']);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    assert.equal(await child.ended, 0, child.log);
  }
});

/** Closes what `redirection` names before fftd starts. */
const closing = (redirection) => ['sh', '-c', `exec "$0" "$@" ${redirection}`];

test('a standard file that is closed is an error where it is used, and no other file gets its number', async (t) => {
  const folder = scratch(t),
    samples = join(folder, 'x.cu8'),
    plain = join(folder, 'plain.csv');
  writeFileSync(samples, noise(20000));
  const replay = ['--replay', samples, '--rate', '1M', '--csv'];
  assert.equal((await run([...replay, plain])).code, 0);
  for (const redirection of ['<&-', '>&-', '2>&-', '<&- >&- 2>&-']) {
    const csv = join(folder, `closed${redirection.replace(/\W/g, (c) => c.charCodeAt(0))}.csv`);
    const { code, stderr } = await run([...replay, csv], { wrap: closing(redirection) });
    assert.equal(code, 0, redirection + stderr);
    assert.deepEqual(readFileSync(csv), readFileSync(plain), redirection);
  }
  const output = await run([...replay, '-'], { wrap: closing('>&-') });
  assert.equal(output.code, 1, output.stderr);
  assert.match(output.stderr, /^fftd: -: Bad file descriptor\n$/);
  const input = await run(['--replay', '-', '--format', 'cu8'], { wrap: closing('<&-') });
  assert.equal(input.code, 1, input.stderr);
  assert.match(input.stderr, /^fftd: standard input: Bad file descriptor\n$/);
});

test('SIGTERM ends a run whose reader stalls, and the statistics add up', async (t) => {
  for (const pace of ['--fast', '--realtime']) {
    const stats = join(scratch(t), 'stats');
    const child = start([
      '--source',
      'sim',
      '--rate',
      '200k',
      pace,
      '--ring-size',
      '64M',
      '--listen',
      'none',
      '--csv',
      '-',
      '--stats',
      stats,
    ]);
    await new Promise((resolve) => child.stderr.once('data', resolve));
    await sleep(500); // without a reader the pipe is full
    child.kill('SIGTERM');
    assert.equal(await child.ended, 0, child.log);
    assert.equal(readStats(stats).lost.overrun, 0);
    child.stdout.destroy();
  }
});

/**
 * The samples that rows of CSV cover without a gap. The number of rows says nothing: a slow machine
 * folds several lines into one row.
 */
function coveredSamples(csv, rate) {
  const rows = csv
    .trim()
    .split('\n')
    .map((line) => line.split(', '));
  const seconds = ([date, time]) => Date.parse(`${date}T${time.slice(0, 8)}Z`) / 1000 + Number(time.slice(8));
  const origin = seconds(rows[0]);
  return rows.reduce((end, row) => {
    const start = Math.round((seconds(row) - origin) * rate);
    assert.ok(start <= end, `a gap before sample ${start}`);
    return start + Number(row[5]);
  }, 0);
}

test('a FIFO without a reader does not disturb a radio', async (t) => {
  const folder = scratch(t),
    fifo = join(folder, 'fifo'),
    stats = join(folder, 'stats');
  execFileSync('mkfifo', [fifo]);
  const daemon = await serve(t, [
    '--source',
    'sim',
    '--rate',
    '200k',
    '--json',
    fifo,
    '--stats',
    stats,
    '--duration',
    '1',
    '--csv',
    join(folder, 'csv'),
  ]);
  await until('the end of the second', async () => (await daemon.status()).state === 'ended');
  assert.equal(await daemon.stop(), 0, daemon.stderr); // the last row waited for a reader
  const { produced, seen, ...rest } = readStats(stats);
  assert.equal(produced, 200000);
  assert.equal(lostSamples(rest), 0);
  assert.equal(coveredSamples(readFileSync(join(folder, 'csv'), 'latin1'), 200e3), seen);
});

test('the reader of a statistics FIFO may open it at any time', async (t) => {
  const folder = scratch(t),
    fifo = join(folder, 'fifo'),
    path = join(folder, 'x_1000k.cu8');
  execFileSync('mkfifo', [fifo]);
  writeFileSync(path, noise(4096 * 10));
  const args = ['--replay', path, '--stats', fifo];
  const cat = () => {
    const reader = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'inherit'] });
    reader.text = new Promise((resolve) => {
      let text = '';
      reader.stdout
        .on('data', (data) => {
          text += data;
        })
        .on('close', () => resolve(text));
    });
    return reader;
  };
  const before = cat();
  assert.equal((await run(args)).code, 0);
  assert.equal(JSON.parse(await before.text).samples, 40960);

  const daemon = await serve(t, args); // starts without one
  const ended = new Promise((resolve) => daemon.child.on('close', resolve)),
    later = cat();
  assert.equal(JSON.parse(await later.text).samples, 40960);
  assert.equal(await ended, 0, daemon.stderr);

  const { code, stderr } = await run(args);
  assert.equal(code, 1);
  assert.match(stderr, /fifo: nobody reads this FIFO: the statistics are not written/);
});

test('a recording shorter than a frame is all tail', async (t) => {
  const folder = scratch(t),
    path = join(folder, 'x_1000k.cu8'),
    stats = join(folder, 'stats');
  writeFileSync(path, noise(4095));
  const { code, stdout } = await run(['--replay', path, '--csv', '-', '--stats', stats]);
  assert.equal(code, 0);
  assert.equal(stdout.length, 0);
  const { produced, seen, lost } = readStats(stats);
  assert.deepEqual([produced, seen, lost.tail], [4095, 0, 4095]);
});

test('a ring of any size gives the same bytes, and one that is too small is refused', async (t) => {
  const path = join(scratch(t), 'x_1000k.cu8');
  writeFileSync(path, noise(3e6));
  for (const settings of [
    ['--fft-size', '1024', '--overlap', '75'],
    ['--fft-size', '65536', '--line-rate', '2'],
  ]) {
    const args = ['--replay', path, '--detector', 'mean', ...settings];
    const small = await run([...args, '--ring-size', '64k', '--csv', '-']);
    assert.equal(small.code, 1);
    const needed = small.stderr.match(/ring-size: 65536 bytes are too few, .* needs (\d+)$/m)?.[1];
    assert.ok(needed, small.stderr);
    for (const output of ['--csv', '--json']) {
      let first;
      for (const ring of ['0', needed, '4M', '64M']) {
        const { stdout, stderr } = await run([...args, '--ring-size', ring, output, '-']);
        first ??= stdout;
        assert.ok(first.length > 100000, stderr);
        assert.ok(stdout.equals(first), `--ring-size ${ring}, ${output}`);
      }
    }
  }
});

test('every number of threads gives the same bytes', async (t) => {
  const path = join(scratch(t), 'x_1000k.cu8');
  writeFileSync(path, noise(3e6));
  for (const output of ['--csv', '--json']) {
    let first;
    for (const threads of ['1', '2', '3', '2', '3']) {
      const { stdout, stderr } = await run([
        '--replay',
        path,
        '--threads',
        threads,
        '--fft-size',
        '4096',
        '--line-rate',
        '20',
        output,
        '-',
      ]);
      first ??= stdout;
      assert.ok(first.length > 100000, stderr);
      assert.ok(stdout.equals(first), `${threads} threads, ${output}`);
    }
  }
});

/** Runs fftd under a limit of the shell's `ulimit -f`, in blocks of 512 bytes. The IQ ring needs 2 MB. */
const limited = (blocks, args) =>
  spawnSync('sh', ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', binary, ...args], { encoding: 'utf8' });

test('a limit of the file size ends a replay with a status and whole rows', (t) => {
  const folder = scratch(t),
    path = join(folder, 'x_1000k.cu8'),
    rows = join(folder, 'rows');
  writeFileSync(path, noise(1e6));
  const { status, signal, stderr } = limited(8192, [
    '--replay',
    path,
    '--fft-size',
    '1024',
    '--average',
    '1',
    '--csv',
    rows,
  ]);
  assert.deepEqual([status, signal], [1, null]);
  assert.match(stderr, /rows: File too large/);
  const text = readFileSync(rows, 'latin1');
  assert.ok(text.length <= 4194304 && text.length > 4100000 && text.endsWith('\n'), text.slice(-20));
  for (const row of text.trimEnd().split('\n')) assert.equal(row.split(', ').length, 6 + 1024);
});

test('an output that cannot be written is in the status, the metrics and the log', async (t) => {
  const folder = scratch(t),
    rows = join(folder, 'rows');
  const daemon = await serve(t, ['--source', 'sim', '--rate', '200k', '--csv', '/dev/full', '--json', rows]);
  const { outputs } = await until('lines are dropped', async () => {
    const status = await daemon.status();
    return status.outputs.csv.dropped > 5 && status;
  });
  assert.equal(outputs.csv.state, 'retrying');
  assert.equal(outputs.csv.error, 'No space left on device');
  assert.deepEqual([outputs.json.state, outputs.json.error, outputs.json.dropped], ['ok', null, 0]);
  const metrics = await (await fetch(`${daemon.url}metrics`)).text();
  assert.match(metrics, /^fftd_output_failing\{output="csv"\} 1$/m);
  assert.match(metrics, /^fftd_output_failing\{output="json"\} 0$/m);
  assert.match(metrics, /^fftd_output_dropped_lines_total\{output="csv"\} [1-9]/m);
  assert.match(metrics, /^fftd_output_dropped_lines_total\{output="json"\} 0$/m);
  assert.equal(daemon.stderr.match(/\/dev\/full/g).length, 1, daemon.stderr);
  assert.equal(await daemon.stop(), 1, daemon.stderr);
});
