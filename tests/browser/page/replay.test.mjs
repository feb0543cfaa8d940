// The page on the replay of a recording: badge, position, transport, end. A real fftd replays; each second of the
// recording has a tone of its own frequency.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, screenshot, textOf, until, untilText, waterfallColumn, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const RATE = 102400,
  SECONDS = 8,
  CENTER = 100e6;
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** MHz of the tone in a second. 400 Hz, the bins of 256 points, divide it. */
const toneMhz = (second) => (CENTER - 32000 + 8000 * Math.floor(second)) / 1e6;

let browser, folder, file;
before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'fftd-replay-'));
  file = join(folder, 'gqrx_20240101_120000_100000000_102400_fc.raw'); // 12:00:00 UTC
  const samples = new Float32Array(2 * RATE * SECONDS);
  for (let i = 0; i < RATE * SECONDS; i++) {
    const angle = (2 * Math.PI * ((i * (-32000 + 8000 * Math.floor(i / RATE))) % RATE)) / RATE;
    samples[2 * i] = 0.5 * Math.cos(angle);
    samples[2 * i + 1] = 0.5 * Math.sin(angle);
  }
  writeFileSync(file, samples);
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** prepare(daemon): before the page opens. */
function replayScene(name, args, use, { prepare = null, ...options } = {}) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon(['--replay', file, '--fft-size', '256', ...args]);
    try {
      await prepare?.(daemon);
      await withPage(
        browser,
        daemon.url,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await use({ page, daemon });
        },
        { colorScheme: 'dark', ...options },
      );
    } finally {
      await daemon.stop();
    }
  });
}

/** Seconds that the transport shows. */
async function position(page) {
  const [minutes, seconds] = (await textOf(page, '#transport-position')).split(':');
  return 60 * Number(minutes) + Number(seconds);
}
const mhz = async (page) => parseFloat((await textOf(page, '#peak-hz')).replace(/ /g, ''));
const status = async (daemon) => (await fetch(`${daemon.url}api/v1/status`)).json();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

replayScene(
  'a replay has its badge its position and the time of the recording',
  ['--realtime', '--stay'],
  async ({ page, daemon }) => {
    await untilText(page, '#link-text', /^REPLAY$/);
    await untilText(page, '#transport-recorded', /^2024-01-01 12:00:0\d\.\d\d UTC$/);
    await untilText(page, '#ledger-clock', /^12:00:0\d$/);
    assert.equal(await textOf(page, '#transport-duration'), '/ 0:08.00');
    assert.match(await page.locator('#source').textContent(), /^gqrx_20240101/);
    assert.ok(!(await page.content()).includes(folder));
    await until(async () => (await status(daemon)).replay.ended, 'the end');
    await untilText(page, '#link-text', /^REPLAY, at its end$/);
    await page.locator('#transport-ended').waitFor({ state: 'visible' });
    await page.click('#transport-play');
    await untilText(page, '#link-text', /^REPLAY$/);
    assert.ok((await position(page)) < 8);
  },
);

replayScene('the_transport_pauses_moves_and_sets_the_speed', ['--speed', '0.1', '--stay'], async ({ page, daemon }) => {
  await page.click('#transport-play');
  await until(async () => (await status(daemon)).replay.paused, 'the pause');
  await untilText(page, '#link-text', /^REPLAY, paused$/);
  await page.locator('#transport-slider').fill('5.2');
  await until(async () => Math.abs((await status(daemon)).replay.position - 5.2) < 0.01, 'the position');
  await until(async () => Math.abs((await position(page)) - 5.2) < 0.02, 'the position on the page');
  await page.locator('#display').focus();
  await page.keyboard.press('r');
  await until(async () => Math.abs((await mhz(page)) - toneMhz(5.2)) < 0.0004, `the tone of ${toneMhz(5)} MHz`);
  await until(
    async () => (await waterfallColumn(page, 0.0015)).some((pixel) => pixel.slice(0, 3).join() === '85,193,255'),
    'the row of a seek',
  );
  await page.selectOption('#transport-speed', '2');
  await until(async () => (await status(daemon)).replay.speed === 2, 'the speed');
  await page.locator('#display').focus();
  await page.keyboard.press('r');
  await untilText(page, '#link-text', /paused$/); // the page jumps from the position that it shows
  const before = (await status(daemon)).replay.position;
  await page.keyboard.press('j'); // a twentieth of 8 s, rounded up: 0.5 s
  await until(
    async () => Math.abs((await status(daemon)).replay.position - (before - 0.5)) < 0.02,
    'half a second before',
  );
  await page.click('#transport-loop');
  await until(async () => (await status(daemon)).replay.loop, 'the loop');
  await page.selectOption('#transport-speed', '16');
  await page.keyboard.press('r');
  assert.deepEqual([(await status(daemon)).ledger.lost.gap], [0]);
});

replayScene(
  'a viewer sees the position and has no buttons',
  ['--speed', '0.1', '--stay', '--token', 'a-long-enough-token'],
  async ({ page, daemon }) => {
    await until(async () => (await position(page)) > 0, 'a position');
    assert.equal(await page.locator('#transport button:visible, #transport select:visible').count(), 0);
    assert.ok(await page.locator('#transport-slider').isDisabled());
    await page.locator('#display').focus();
    await page.keyboard.press('r');
    assert.equal((await status(daemon)).replay.paused, false);
  },
);

replayScene(
  'the end of the recording is no lost connection',
  ['--speed', '0.1', '--from', '6'],
  async ({ page, daemon }) => {
    await fetch(`${daemon.url}api/v1/replay?speed=16`, { method: 'PUT' });
    await untilText(page, '#link-text', /^The recording has ended$/);
    await untilText(page, '#problem', /^The recording has ended$/);
    assert.equal(await page.locator('#link').getAttribute('data-kind'), 'ended');
    await screenshot(page, 'replay_ended');
  },
  { allow: /ERR_CONNECTION|WebSocket|Failed to load/ },
);

for (const [name, options] of [
  ['dark', { colorScheme: 'dark' }],
  ['light', { colorScheme: 'light' }],
  ['phone', PHONE],
])
  replayScene(
    `axe finds nothing in a replay ${name}`,
    ['--speed', '0.1', '--stay'],
    async ({ page }) => {
      await page.locator('#transport-play').waitFor({ state: 'visible' });
      await page.click('#transport-play');
      await untilText(page, '#link-text', /paused$/);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run('#top, #transport'));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id} ${nodes[0].target}`),
        [],
      );
      const { width } = page.viewportSize();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await screenshot(page, `replay_${name}`);
    },
    options,
  );

/** The shares of the slider's width at which the overview begins and ends, and how many columns between are empty. */
const overview = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById('transport-overview'),
      copy = document.createElement('canvas'),
      { width, height } = canvas;
    Object.assign(copy, { width, height: 1 });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 1 - height);
    const { data } = context.getImageData(0, 0, width, 1),
      painted = Array.from({ length: width }, (_, x) => data[4 * x + 3] > 0);
    const first = painted.indexOf(true),
      end = painted.lastIndexOf(true) + 1;
    return { from: first / width, to: end / width, holes: painted.slice(first, end).filter((one) => !one).length };
  });

/** Pauses after some time, so that the page has as much time as it needs to show what was played until then. */
async function playAndPause(daemon) {
  await until(async () => (await status(daemon)).replay.position > 0.8, 'some of the recording');
  await fetch(`${daemon.url}api/v1/replay?paused=true`, { method: 'PUT' });
  await until(async () => (await status(daemon)).replay.paused, 'the pause');
}

for (const [name, viewport] of [
  ['desktop', { width: 1280, height: 720 }],
  ['phone', { width: 390, height: 844 }],
])
  replayScene(
    `behind the slider is an overview of what was played ${name}`,
    ['--speed', '0.25', '--stay', '--control-lease', '0'],
    async ({ page, daemon }) => {
      const played = (await status(daemon)).replay.position / SECONDS;
      const early = await until(async () => {
        const now = await overview(page);
        return now.from < 0.02 && Math.abs(now.to - played) < 0.02 && now;
      }, 'what was played');
      assert.equal(early.holes, 0);
      await page.locator('#transport-slider').fill('6');
      await page.click('#transport-play');
      await until(async () => (await overview(page)).to > 6 / SECONDS, 'what follows the jump');
      assert.ok((await overview(page)).holes > 5, 'what was not played is empty');
      await screenshot(page, `overview_${name}`);
    },
    { viewport, prepare: playAndPause },
  );
