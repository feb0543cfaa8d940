// control.test.mjs - changes the radio through a websocket of the daemon and by SIGHUP. The frames
// show the change, and every sample is accounted for.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { set } from '../support/calls.mjs';
import { readStats, scratch, serve, until } from '../support/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
  console.log('skipped: node_modules is missing (npm ci in tests/)');
  process.exit(77);
});

/** A browser that keeps the header of the newest frame and every text message. */
async function browse(url, token) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.3');
  const page = {
    frame: null,
    texts: [],
    close: () => socket.close(),
    say: (message) => socket.send(JSON.stringify(message)),
  };
  socket.on('message', (data, binary) => {
    if (!binary) return page.texts.push(JSON.parse(data));
    page.frame = {
      n: data.readUInt32LE(120),
      hop: data.readUInt32LE(124),
      center: data.readDoubleLE(56),
      rate: data.readDoubleLE(64),
      window: data.toString('latin1', 224, 240).replace(/\0.*/, ''),
      lineRate: data.readDoubleLE(136),
    };
    return page.say({ type: 'credit', count: 1 });
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  page.say({ type: 'hello', ...(token && { token }) });
  page.say({ type: 'view', id: 1, columns: 256 });
  return page;
}

test('a refused value in any alphabet is reported with its reason', async (t) => {
  const daemon = await serve(t, ['--source', 'sim', '--rate', '1M']);
  const page = await browse(daemon.url);
  for (const value of [
    '\u00e4'.repeat(40),
    `-${'\u00e4'.repeat(40)}`,
    '\u{1f4e1}'.repeat(20),
    `-${'\u{1f4e1}'.repeat(20)}`,
  ]) {
    page.texts.length = 0;
    page.say(set({ fft_size: value }));
    const { error: message } = await until('an answer', () => page.texts.find(({ error }) => error));
    assert.match(message, /^fft_size: .*\.\.\..*(number|power)/);
  }
  page.close();
});

/** Changes every setting, and returns when the last change is visible. */
async function changeEverything(daemon) {
  const page = await browse(daemon.url);
  const changed = async (fields, expected) => {
    page.say(set(fields));
    await until(JSON.stringify(expected), () =>
      Object.entries(expected).every(([key, value]) =>
        typeof value === 'number' ? Math.abs(page.frame?.[key] - value) <= 0.03 * value : page.frame?.[key] === value,
      ),
    );
  };
  await until('a frame', () => page.frame);
  await changed({ center_hz: 433.92e6 }, { center: 433.92e6 });
  await changed({ fft_size: 8192, overlap: 75 }, { n: 8192, hop: 2048 });
  await changed({ window: 'flat-top' }, { window: 'flat-top' });
  await changed({ line_rate: 50 }, { lineRate: 50 });
  await changed({ rate_hz: 1e6 }, { rate: 1e6, n: 8192, center: 433.92e6 });
  await changed({ fft_size: 524288, overlap: 0, line_rate: 20 }, { n: 524288 });
  await changed({ fft_size: 64 }, { n: 64 });
  // The default window's noise bandwidth is 2.0044 bins, the flat-top's 3.7702: 3770 Hz at 1024 points.
  await changed({ rbw_hz: 4000 }, { n: 1024 });
  await changed({ rate_hz: 500e3 }, { rate: 500e3, n: 512 });
  await changed({ window: 'blackman-harris' }, { n: 256 });
  const { wanted, spectrum } = await daemon.status();
  assert.deepEqual([wanted.fft_size, wanted.rbw_hz], [256, 4000]);
  assert.ok(Math.abs(spectrum.rbw_hz - (2.0044 * 500e3) / 256) < 1);
  assert.ok(Math.abs(spectrum.rbw_3db_hz - (1.899 * 500e3) / 256) < 2);
  await changed({ vbw_hz: 50 }, { lineRate: 100 });
  assert.ok(Math.abs((await daemon.status()).spectrum.vbw_hz - 500e3 / (2 * 20 * 256)) < 0.1); // 20 frames: 48.8 Hz
  await changed({ line_rate: 20 }, { lineRate: 20 });
  assert.equal((await daemon.status()).wanted.vbw_hz, 0);
  await changed({ fft_size: 64 }, { n: 64 });
  assert.equal((await daemon.status()).wanted.rbw_hz, 0);
  assert.equal((await daemon.status()).wanted.fft_size, 64);
  assert.deepEqual(
    page.texts.filter(({ type, error }) => type === 'error' || error),
    [],
  );
  page.close();
}

// A simulation that is not realtime waits for slow readers. With realtime, the ring holds more than
// the delay of a slow machine.
for (const pace of [['--fast'], ['--realtime', '--ring-size', '128M']])
  test(`all that may change does while it runs ${pace[0]}, and costs nothing but a retuning`, async (t) => {
    const stats = join(scratch(t), 'stats');
    const daemon = await serve(t, [
      '--source',
      'sim',
      '--rate',
      '500k',
      '--fft-size',
      '2048',
      '--stats',
      stats,
      ...pace,
    ]);
    await changeEverything(daemon);
    assert.equal(await daemon.stop(), 0, daemon.stderr);
    const { lost, events, lines } = readStats(stats);
    assert.ok(lines > 0);
    assert.equal(events.retune, 3); // frequency, and the rate twice
    assert.deepEqual([lost.overflow, lost.overrun, lost.gap], [0, 0, 0]);
  });

test('invalid settings are refused with a reason and change nothing', async (t) => {
  const daemon = await serve(t, ['--source', 'sim']);
  const page = await browse(daemon.url);
  for (const fields of [
    { fft_size: 1000 },
    { overlap: 100 },
    { window: 'hamm' },
    { rate_hz: -1 },
    { center_hz: 'high' },
    { rbw_hz: -1 },
    { fft_size: 2 ** 32 },
  ]) {
    const before = page.texts.length,
      [key] = Object.keys(fields);
    page.say(set(fields));
    await until(`an error about ${key}`, () => page.texts.slice(before).some(({ error }) => error?.includes(key)));
  }
  assert.equal((await daemon.status()).wanted.fft_size, 4096);
  page.close();
});

test('with a configured token, only a client that sends it may change the radio', async (t) => {
  const file = join(scratch(t), 'token');
  writeFileSync(file, 'correct horse\n');
  const daemon = await serve(t, ['--source', 'sim', '--token-file', file]);
  const viewer = await browse(daemon.url),
    guesser = await browse(daemon.url, 'correct hors'),
    owner = await browse(daemon.url, 'correct horse');
  const control = (page) => page.texts.find((text) => text.type === 'welcome')?.control;
  await until('three welcomes', () => [viewer, guesser, owner].every((page) => control(page) !== undefined));
  assert.deepEqual([control(viewer), control(guesser), control(owner)], [false, false, true]);
  assert.equal(viewer.texts.find(({ type }) => type === 'welcome').token, true, 'a token would help');
  viewer.say(set({ fft_size: 64 }));
  await until('a refusal', () => viewer.texts.some(({ status }) => status === 401));
  assert.equal((await daemon.status()).wanted.fft_size, 4096);
  owner.say(set({ fft_size: 64 }));
  await until('a change', async () => (await daemon.status()).spectrum.fft_size === 64);
  [viewer, guesser, owner].forEach((page) => page.close());
});

test('a recording cannot be tuned, but its analysis can change', async (t) => {
  const path = join(scratch(t), 'x_10M_1000k.cs16');
  writeFileSync(path, Buffer.alloc(4000000, 17));
  const daemon = await serve(t, ['--replay', path, '--loop']);
  const page = await browse(daemon.url);
  page.say(set({ center_hz: 1e6 }));
  await until(
    'a refusal',
    async () => page.texts.some(({ error }) => error) || (await daemon.status()).message.includes('tune'),
  );
  page.say(set({ fft_size: 512 }));
  await until('a change', () => page.frame?.n === 512);
  assert.equal(page.frame.center, 10e6);
  page.close();
});

test('SIGHUP applies live settings, tells who subscribed, and names those that need a restart', async (t) => {
  const file = join(scratch(t), 'fftd.conf');
  writeFileSync(file, '[source]\nsource = sim\n[spectrum]\nfft-size = 1024\n');
  const daemon = await serve(t, ['-c', file]);
  await until('the start', async () => (await daemon.status()).spectrum.fft_size === 1024);
  const page = await browse(daemon.url),
    states = () => page.texts.filter(({ type }) => type === 'state');
  page.say({ id: 'a', subscribe: 'settings' });
  await until('the state', () => states().at(-1)?.state.settings.fft_size === 1024);
  writeFileSync(file, '[source]\nsource = sim\n[spectrum]\nfft-size = 256\n' + '[engine]\nthreads = 1\n');
  daemon.child.kill('SIGHUP');
  await until('the change', async () => (await daemon.status()).spectrum.fft_size === 256);
  await until('the topic', () => states().at(-1).state.settings.fft_size === 256);
  page.close();
  await until('the log', () => /reload: changed fft-size; needs a restart: threads/.test(daemon.stderr));
  writeFileSync(file, '[spectrum]\nfft-size = 17\n');
  daemon.child.kill('SIGHUP');
  await until('the error', () => /reload: .*fft-size.*17/.test(daemon.stderr));
  assert.equal((await daemon.status()).spectrum.fft_size, 256);
});
