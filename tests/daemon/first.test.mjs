// first.test.mjs - what everybody types first: a recording without a word about itself, wrong names, Ctrl-C, a terminal.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, parseCsv, run, scratch, serve, until } from '../support/fftd.mjs';
import { encode, random, sum, tone } from '../support/signal.mjs';

/** Noise of a radio with a tone at an eighth of the rate, the same on every machine. */
function capture(samples, format) {
  const next = random(1),
    part = () => 0.1 * (next() + next() + next() - 1.5);
  return encode(
    format,
    samples,
    sum(tone(0.2, 1 / 8), () => [part(), part()]),
  );
}

/** Runs a line in a shell, with fftd in PATH. */
function shell(line, cwd) {
  const child = spawn('sh', ['-c', line], {
    cwd,
    env: { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}` },
  });
  const result = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    result.stdout += data;
  });
  child.stderr.on('data', (data) => {
    result.stderr += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...result, code })));
}

const commandLine = (stderr) =>
  /fftd --replay .*/.exec(stderr.split('\n').find((line) => line.includes('fftd --replay')))[0];

test('the first command runs, in fractions of the rate, and prints the line that sets both', async (t) => {
  const folder = scratch(t);
  for (const name of ['capture.iq', 'it\'s a $(capture) of "mine"', 'x.raw']) {
    writeFileSync(join(folder, name), capture(100000, 'cs16'));
    const quoted = `'${name.replace(/'/g, "'\\''")}'`;
    const first = await shell(`fftd --replay ${quoted} --csv - --fft-size 64`, folder);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /WARNING: .*guessed from the data: cs16 \(confidence \w+.*the sample rate is not known/);
    const [row] = parseCsv(first.stdout);
    assert.deepEqual([row.low, row.high, row.step], [-0.5, 0.5, 1 / 64]);
    assert.equal(row.levels.indexOf(Math.max(...row.levels)), 32 + 8); // an eighth of the rate

    const line = commandLine(first.stderr);
    assert.match(line, / --format cs16 --rate 2\.4M$/);
    const second = await shell(`${line} --csv - --fft-size 64`, folder);
    assert.equal(second.code, 0, second.stderr);
    assert.doesNotMatch(second.stderr, /WARNING/);
    const [known] = parseCsv(second.stdout);
    assert.equal(known.high - known.low, 2.4e6);
  }
});

test('a pipe is guessed and loses nothing', async () => {
  const input = capture(300000, 'cu8');
  const { code, stdout, stderr } = await run(['--replay', '-', '--stats', '-'], { input });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /standard input: .*guessed from the data: cu8 \(confidence high\)/);
  const stats = JSON.parse(stdout);
  assert.equal(stats.samples, 300000);
  assert.equal(stats.rate_assumed, true);
});

test('data that could be several formats are a question, with lines that answer it', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'silence.iq'), Buffer.alloc(80000));
  const { code, stdout, stderr } = await shell('fftd --replay silence.iq --csv -', folder);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.match(
    stderr,
    /silence\.iq: unknown sample format, perhaps cu8 or cs8 or cs16 or cf32: try fftd --replay silence\.iq --format cu8 or/,
  );
  const [line] = commandLine(stderr).split(' or ');
  assert.equal((await shell(`${line} --csv -`, folder)).code, 0);
});

test('text and archives without recordings are refused by what they are', async (t) => {
  const folder = scratch(t);
  writeFileSync(
    join(folder, 'notes.raw'),
    readFileSync(new URL(import.meta.url))
      .toString()
      .repeat(4),
  );
  execFileSync('sh', ['-c', 'tar cf - -C /usr/bin . 2>/dev/null | head -c 3000000 | gzip > archive.data.bin'], {
    cwd: folder,
  });
  for (const [name, why] of [
    ['notes.raw', 'it is text'],
    ['archive.data.bin', 'no .sigmf-meta in the archive'],
  ]) {
    const { code, stderr } = await run(['--replay', join(folder, name)]);
    assert.equal(code, 1, stderr);
    assert.ok(stderr.includes(`${name}: ${why}`), stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});

test('a name that contradicts the data is believed, with a warning', async (t) => {
  const path = join(scratch(t), 'x_1000k.cs16');
  writeFileSync(path, capture(100000, 'cu8'));
  const wrong = await run(['--replay', path]);
  assert.equal(wrong.code, 0);
  assert.match(wrong.stderr, /WARNING: .*its name says cs16, but the data look like cu8 \(confidence high\)/);
  assert.match(wrong.stderr, /x_1000k\.cs16 \(cs16\)/);
  writeFileSync(path, capture(100000, 'cs16'));
  const right = await run(['--replay', path]);
  assert.doesNotMatch(right.stderr, /WARNING/);
});

/** Noise of 100,000 samples, 0.1 rms. */
function writeFloats(path) {
  const bytes = Buffer.alloc(800000);
  let random = 1;
  const uniform = () => (random = (random * 48271) % 2147483647) / 2147483647 + 1e-12;
  for (let i = 0; i < 200000; i += 2) {
    const size = 0.1 * Math.sqrt(-2 * Math.log(uniform())),
      angle = 2 * Math.PI * uniform();
    bytes.writeFloatLE(size * Math.cos(angle), 4 * i);
    bytes.writeFloatLE(size * Math.sin(angle), 4 * i + 4);
  }
  writeFileSync(path, bytes);
}

test('floats that are named as integers are noticed, whatever the integer', async (t) => {
  for (const named of ['cu8', 'cs8', 'cs16']) {
    const path = join(scratch(t), `x_1000k.${named}`);
    writeFloats(path);
    const { stderr } = await run(['--replay', path]);
    assert.match(stderr, new RegExp(`its name says ${named}, but the data look like cf32`));
    assert.match(stderr, /fftd --replay .* --format cf32/);
  }
});

test('data of SigMF without metadata say how they are read', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'x.sigmf-data'), Buffer.alloc(80000, 1));
  const { code, stderr } = await shell('fftd --replay x.sigmf-data', folder);
  assert.equal(code, 1);
  assert.match(stderr, /^fftd: x\.sigmf-data: its metadata, x\.sigmf-meta, are missing: give the format .*\n$/);
  assert.equal((await shell(/fftd --replay cf32:x\.sigmf-data --rate 1M/.exec(stderr)[0], folder)).code, 0);
});

test('an assumed rate is named wherever a rate would be', async (t) => {
  const path = join(scratch(t), 'capture.cs16');
  writeFileSync(path, capture(1000000, 'cs16'));
  const daemon = await serve(t, ['--replay', path, '--realtime', '--loop', '--fft-size', '64']);
  const get = async (what) => (await fetch(`${daemon.url}${what}`)).text();
  const status = await until('the first line', async () => {
    const got = await daemon.status();
    return got.ledger.lines > 0 && got;
  });
  assert.equal(status.source.rate_assumed, true);
  assert.equal(status.source.tuning.rate_hz, null);
  assert.equal(status.spectrum.rbw_hz, null);
  const spectrum = JSON.parse(await get('api/v1/spectrum'));
  assert.equal(spectrum.rate_assumed, true);
  for (const key of ['rate_hz', 'low_hz', 'peak_hz', 'rbw_hz']) assert.equal(spectrum[key], null, key);
  const row = (await get('api/v1/spectrum?format=csv')).split(', ');
  assert.deepEqual(row.slice(2, 5).map(Number), [-0.5, 0.5, 1 / 64]);
  assert.match(await get('metrics'), /\nfftd_sample_rate_hertz NaN\n/);
  assert.equal(await daemon.stop(), 0, daemon.stderr); // a loop has no end
  assert.match(daemon.stderr, /WARNING: the sample rate is not known: .*give --rate\n$/);
});

test('a spectrum of frequencies that are not received is refused with 416, and a part is clipped', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M', '--center', '100M', '--fft-size', '1024']);
  await until('the first line', async () => (await daemon.status()).ledger.lines > 0);
  const get = (query) => fetch(`${daemon.url}api/v1/spectrum?${query}`);
  for (const query of ['low_hz=101M&high_hz=102M', 'low_hz=98M&high_hz=99M', 'low_hz=200M', 'high_hz=1M']) {
    const answer = await get(query);
    assert.equal(answer.status, 416, query);
    const { title, error } = await answer.json();
    assert.equal(title, 'Range Not Satisfiable');
    assert.match(error, /not within the span of 99500000 Hz to 100500000 Hz/);
  }
  const { low_hz: low, high_hz: high } = await (await get('low_hz=100M&high_hz=102M')).json();
  assert.ok(low <= 100e6 && low > 99.99e6 && high > 100.49e6 && high < 100.51e6, `${low} to ${high}`);
  assert.equal(await daemon.stop(), 0, daemon.stderr);
});

test('a word without an option is the recording', async (t) => {
  const folder = scratch(t);
  writeFileSync(join(folder, 'my capture.iq'), capture(30000, 'cu8'));
  const { code, stderr } = await shell("fftd 'my capture.iq' --rate 1M", folder);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /guessed from the data: cu8 .*To set it: fftd --replay 'my capture\.iq' --format cu8\n/);
});

test('what is no recording gets one line', async (t) => {
  const folder = scratch(t);
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'capture.iq'), capture(30000, 'cu8'));
  writeFileSync(join(folder, 'empty.iq'), '');
  writeFileSync(join(folder, 'empty.cu8'), '');
  writeFileSync(join(folder, 'few.iq'), Buffer.alloc(100));
  for (const [line, expected] of [
    ['fftd --replay missing.iq', /^fftd: missing\.iq: No such file or directory\n$/],
    [
      'fftd 433.92M',
      /^fftd: 433\.92M: No such file or directory \(to tune a radio: fftd -f 433\.92M, its rate: -s 433\.92M\)\n$/,
    ],
    ['fftd --replay folder', /^fftd: folder: Is a directory\n$/],
    ['fftd --replay empty.iq', /^fftd: empty\.iq: empty, no samples\n$/],
    ['fftd --replay empty.cu8', /^fftd: empty\.cu8: empty, no samples\n$/],
    [
      'fftd --replay few.iq',
      /^fftd: few\.iq: unknown sample format: 100 bytes are too few to guess it: give --format .*\n$/,
    ],
  ]) {
    const { code, stdout, stderr } = await shell(line, folder);
    assert.equal(code, 1, line);
    assert.equal(stdout, '');
    assert.match(stderr, expected);
  }
});

test('a recording shorter than one transform says so', async (t) => {
  const path = join(scratch(t), 'x_1000k.cu8');
  for (const [samples, short] of [
    [4095, true],
    [4096, false],
  ]) {
    writeFileSync(path, capture(samples, 'cu8'));
    const { code, stderr } = await run(['--replay', path]);
    assert.equal(code, 0);
    assert.equal(
      /the recording is shorter than one transform of 4096 points: 4095 samples/.test(stderr),
      short,
      stderr,
    );
  }
});

/** A replay that does not end: the test holds the pipe open. */
function startPipe(args = []) {
  const child = spawn(binary, ['--replay', '-', '--format', 'cu8', '--rate', '1M', ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.log = '';
  child.stderr.on('data', (data) => {
    child.log += data;
  });
  child.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  return child;
}

test('a signal before the end of a recording is the status', async () => {
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    const child = startPipe();
    child.stdin.write(capture(100000, 'cu8'));
    await until('the replay', () => child.log.includes('source file'));
    child.kill(signal);
    assert.equal(await child.ended, status, child.log);
    assert.match(child.log, /stopped before the end of the recording/);
  }
});

test('a signal stops a radio with status 0', async () => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    const child = spawn(binary, ['--source', 'sim', '--listen', '127.0.0.1:0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise((resolve) => child.stderr.once('data', resolve));
    const ended = new Promise((resolve) => child.on('exit', (code, by) => resolve(code ?? by)));
    child.kill(signal);
    assert.equal(await ended, 0);
  }
});

/** Runs fftd on a terminal of its own. more: variables of the environment. */
function onTerminal(args, more = {}, before = '') {
  const words = before + [binary, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', words, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, SHELL: '/bin/sh', ...more },
  });
  const terminal = { text: '', type: (keys) => child.stdin.write(keys) };
  child.stdout.on('data', (data) => {
    terminal.text += data;
  });
  terminal.ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
  return terminal;
}

const hasTerminal = { skip: existsSync('/usr/bin/script') ? false : 'script (util-linux) is missing' };

/** What a terminal shows at the end: a carriage return goes to the start of the line. */
function screen(text) {
  return text.split('\n').map((line) =>
    line
      .split('\r')
      .reduce((shown, part) => part + shown.slice(part.length), '')
      .trimEnd(),
  );
}

test(
  'a terminal shows progress, the time left, and whole messages; Ctrl-C ends it with 130',
  hasTerminal,
  async (t) => {
    const path = join(scratch(t), 'x_1000k.cs16');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 42); // sparse, and never read to its end
    const terminal = onTerminal(['--replay', path, '--fft-size', '65536']);
    await until(
      'progress',
      () =>
        (terminal.text.match(/\r\d+ %, [\d.]+ [kMG]?S of 1\.1 TS, [\d.]+ [kMG]?S\/s, [\d:]+ (s|min|h) left/g) ?? [])
          .length > 1,
    );
    terminal.type('\x03');
    assert.equal(await terminal.ended, 130, terminal.text);
    const lines = screen(terminal.text);
    assert.deepEqual(
      lines.filter((line) => / left/.test(line)),
      [],
      terminal.text,
    );
    assert.ok(
      lines.some((line) => /^fftd: \d+ samples in /.test(line)),
      terminal.text,
    );
  },
);

test('progress is cut to a narrow terminal', hasTerminal, async (t) => {
  const path = join(scratch(t), 'x_1000k.cs16');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 42);
  const terminal = onTerminal(['--replay', path, '--fft-size', '65536'], {}, 'stty cols 20; ');
  await until('progress', () => (terminal.text.match(/\r\d+ %, /g) ?? []).length > 1);
  terminal.type('\x03');
  assert.equal(await terminal.ended, 130, terminal.text);
  for (const part of terminal.text.replace('^C', '').split(/[\r\n]+/))
    if (part.includes(' %, ')) assert.ok(part.length <= 19, part);
});

test('a pipe and the journal get no progress', hasTerminal, async (t) => {
  const path = join(scratch(t), 'x_1000k.cs16');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 42);
  const child = spawn(binary, ['--replay', path, '--duration', '100'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (data) => {
    log += data;
  });
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0, log);
  assert.doesNotMatch(log, /\r|left/);
  const terminal = onTerminal(['--replay', path], { JOURNAL_STREAM: '1:2' });
  await until('a second of it', () => terminal.text.includes('source file'));
  await sleep(1000); // four updates
  terminal.type('\x03');
  assert.equal(await terminal.ended, 130, terminal.text);
  assert.doesNotMatch(terminal.text, / left/);
});
