// The panel of recordings against a real fftd: start with the past, stop, download; a viewer can only download.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, plots, screenshot, textOf, until, untilText, withPage, useTool } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const LOOK = { colorScheme: 'dark', allow: /fftd|willReadFrequently/, acceptDownloads: true };
const PHONE = { ...LOOK, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SIM = ['--source', 'sim', '--rate', '1M', '--format', 'cs16', '--ring-size', '16M'];

/** use({ page, folder, daemon }) on a page of an fftd that records into a folder. */
function withRecorder(name, args, look, use) {
  test(name, { timeout: 180000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fftd-page-'));
    const daemon = await startDaemon([...SIM, '--record', folder, ...args]);
    try {
      await withPage(
        browser,
        daemon.url,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await use({ page, folder, daemon });
        },
        look,
      );
    } finally {
      await daemon.stop();
      rmSync(folder, { recursive: true });
    }
  });
}

const listOf = async (daemon) => (await (await fetch(`${daemon.url}api/v1/recordings`)).json()).recordings;
const somePast = (daemon) =>
  until(async () => (await (await fetch(`${daemon.url}api/v1/status`)).json()).ledger.produced > 1e6, 'some past');
const isRunning = (page) => page.locator('#record-open').getAttribute('data-running');

/** Downloads the samples of the first row; returns their number of bytes. */
async function download(page) {
  const [got] = await Promise.all([page.waitForEvent('download'), page.locator('#record-rows a').first().click()]);
  const path = await got.path();
  return { name: got.suggestedFilename(), bytes: statSync(path).size, content: readFileSync(path) };
}

withRecorder('a recording with past is started stopped and downloaded', [], LOOK, async ({ page, folder, daemon }) => {
  await somePast(daemon);
  await page.keyboard.press('Shift+R');
  await page.locator('#record-form').waitFor();
  await untilText(page, '#no-recordings', /No recording yet/);
  assert.equal(await isRunning(page), 'false');
  await page.fill('#record-pre', '0,5');
  await page.fill('#record-label', 'a burst');
  await page.click('#record-start');
  await page.locator('#record-running li').waitFor();
  assert.equal(await isRunning(page), 'true');
  await untilText(page, '#record-running .length', /^0:0[1-9]\.\d$/); // half a second of the past, and more
  await untilText(page, '#record-running .size', /^[1-9][\d.]*\sMB$/);
  assert.equal(await page.locator('#no-recordings').isVisible(), false);
  await screenshot(page, 'record-running');
  await page.click('#record-running button');
  await page.locator('#record-rows tr').waitFor();
  await until(async () => (await isRunning(page)) === 'false', 'the end');
  assert.equal(await page.locator('#record-running li').count(), 0);
  const [{ name, samples, missing, bytes, label }] = await listOf(daemon);
  assert.deepEqual([label, missing], ['a burst', 0]);
  assert.ok(samples > 500000);
  assert.equal((await textOf(page, '#record-rows .name')).trim(), 'a burst');
  const got = await download(page);
  assert.deepEqual([got.name, got.bytes], [`${name}.sigmf-data`, bytes]);
  assert.ok(got.content.equals(readFileSync(join(folder, `${name}.sigmf-data`))));
  await screenshot(page, 'record');
});

withRecorder('past and duration are what was entered', [], LOOK, async ({ page, daemon }) => {
  await somePast(daemon);
  await page.click('#record-open');
  await page.fill('#record-pre', '0.3');
  await page.fill('#record-duration', '0.2');
  await page.press('#record-duration', 'Enter');
  await untilText(page, '#record-rows td.number >> nth=0', /^0:00\.5$/);
  assert.equal((await listOf(daemon))[0].samples, 500000);
});

withRecorder('what is no time is said and nothing starts', [], LOOK, async ({ page, folder }) => {
  await page.click('#record-open');
  await page.fill('#record-pre', 'x');
  await page.click('#record-start');
  await untilText(page, '#record-note', /are seconds/);
  assert.equal(await page.locator('#record-pre[aria-invalid]').count(), 1);
  assert.deepEqual(readdirSync(folder), []);
});

withRecorder(
  'a viewer sees recordings and downloads them but starts none',
  ['--token', 'correct horse battery'],
  LOOK,
  async ({ page, daemon }) => {
    const headers = { Authorization: 'Bearer correct horse battery' };
    await fetch(`${daemon.url}api/v1/recordings?duration=0.1`, { method: 'POST', headers });
    await page.click('#record-open');
    await page.locator('#record-rows tr').waitFor();
    assert.equal(await page.locator('#record-start').isDisabled(), true);
    assert.match((await page.locator('#record-start').getAttribute('title')) ?? '', /token/);
    await untilText(page, '#record-note', /token/);
    await fetch(`${daemon.url}api/v1/recordings`, { method: 'POST', headers });
    await page.locator('#record-running li').waitFor();
    assert.equal(await page.locator('#record-running button').isDisabled(), true);
    assert.equal((await download(page)).bytes, 400000);
  },
);

withRecorder('files of earlier runs are listed', [], LOOK, async ({ page, folder, daemon }) => {
  await fetch(`${daemon.url}api/v1/recordings?duration=0.1`, { method: 'POST' });
  await until(() => readdirSync(folder).some((name) => name.endsWith('.sigmf-meta')), 'a file');
  const again = await startDaemon([...SIM, '--record', folder]);
  try {
    await page.goto(again.url);
    await untilText(page, '#peak-hz', /Hz/);
    await until(
      async () => (await (await fetch(`${again.url}api/v1/recordings`)).json()).files.length === 1,
      'the list',
    );
    await page.click('#record-open');
    await page.locator('#record-rows tr').waitFor();
    assert.equal((await download(page)).bytes, 400000);
  } finally {
    await again.stop();
  }
});

test('without record there is no button and no key', { timeout: 180000 }, async () => {
  const daemon = await startDaemon(SIM);
  try {
    await withPage(
      browser,
      daemon.url,
      async (page) => {
        await untilText(page, '#peak-hz', /Hz/);
        await page.keyboard.press('Shift+R');
        assert.equal(await page.locator('#record-open').isVisible(), false);
        assert.equal(await page.locator('#record').isVisible(), false);
      },
      LOOK,
    );
  } finally {
    await daemon.stop();
  }
});

// A tone 10 kHz above the centre of 250 kHz; the ring has 16 s of it.
const TONE = [
  '--rate',
  '250k',
  '--center',
  '100M',
  '--fft-size',
  '512',
  '--device',
  'scene=world,noise=-60,tones=100.01M@-20',
];

/** Level in dBFS of a frequency of samples in cf32. */
function levelAt(content, cyclesPerSample) {
  let re = 0,
    im = 0;
  const count = content.length / 8;
  for (let i = 0; i < count; i++) {
    const angle = -2 * Math.PI * cyclesPerSample * i,
      a = content.readFloatLE(8 * i),
      b = content.readFloatLE(8 * i + 4);
    re += a * Math.cos(angle) - b * Math.sin(angle);
    im += a * Math.sin(angle) + b * Math.cos(angle);
  }
  return 20 * Math.log10(Math.hypot(re, im) / count);
}

withRecorder(
  'a box of the waterfall is recorded with its band and its time',
  TONE,
  LOOK,
  async ({ page, folder, daemon }) => {
    await until(
      async () =>
        (await (await fetch(`${daemon.url}api/v1/history?rows=1&columns=1`)).json().catch(() => null))?.rows?.[0]?.line
        > 80,
      'some lines',
    );
    const { waterfall } = await plots(page),
      x = (share) => waterfall.x + share * waterfall.width;
    await page.keyboard.down('Shift');
    await page.mouse.move(x(0.5), waterfall.y + 60);
    await page.mouse.down();
    await page.mouse.move(x(0.6), waterfall.y + 100, { steps: 4 }); // 25 kHz
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.locator('#box-bar').waitFor();
    const text = await textOf(page, '#box-bar output');
    const found = /^([\d. ]+) MHz \S ([\d. ]+) MHz\s+\S\s+([\d.]+) kHz\s+\S\s+\S+\s+\S\s+([\d.]+) (m?)s$/.exec(text);
    assert.ok(found, text);
    const [low, high, width, length] = found.slice(1, 5).map((part) => Number(part.replaceAll(' ', ''))),
      seconds = found[5] ? length / 1000 : length;
    assert.ok(
      Math.abs(low - 100) < 0.001
        && Math.abs(high - 100.025) < 0.001
        && Math.abs(width - 25) < 1
        && seconds > 0.39 // 40 rows of 10 ms or more
        && seconds < 4,
      text,
    );
    assert.equal(await page.locator('#box-bar .short').isVisible(), false, 'the ring holds all of it');
    await screenshot(page, 'box');
    await page.locator('#box-bar').getByRole('button', { name: 'Record' }).click();
    await until(async () => (await listOf(daemon))[0]?.state === 'done', 'a recording');
    const name = readdirSync(folder).find((file) => file.endsWith('.sigmf-meta')),
      meta = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const { 'core:sample_rate': rate, 'core:datatype': type } = meta.global,
      { 'core:frequency': centre } = meta.captures[0];
    assert.equal(type, 'cf32_le');
    assert.ok(Math.abs(centre - ((low + high) / 2) * 1e6) < 100, `${centre}`);
    assert.ok(rate >= 25e3 && rate <= 50e3, `${rate}`);
    const content = readFileSync(join(folder, name.replace('-meta', '-data')));
    assert.ok(
      Math.abs(content.length / 8 / rate - seconds) < 0.02 * seconds + 0.01,
      `${content.length / 8 / rate} s of ${seconds}`,
    );
    assert.ok(Math.abs(levelAt(content, (100.01e6 - centre) / rate) + 20) < 0.5, 'the tone');
    await page.locator('#record-rows tr').waitFor();
    await page.locator('#box-bar').getByRole('button', { name: 'Zoom' }).click();
    await untilText(page, '#view-span', /^2[45]\.?\d* kHz$/);
    await page.locator('#go-live').waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#box-bar').isVisible(), false);
  },
);

withRecorder('a box older than the ring says so and its end is marked', [], LOOK, async ({ page, daemon }) => {
  const { ring_bytes, ring_seconds } = await (await fetch(`${daemon.url}api/v1/status`)).json();
  assert.equal(ring_seconds, ring_bytes / 4 / 1e6, 'cs16 at 1 MS/s');
  await page.evaluate(
    (seconds) =>
      new Promise((passed) => {
        setTimeout(passed, 1000 * seconds);
      }),
    ring_seconds,
  );
  const { waterfall } = await plots(page),
    mark = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement).getPropertyValue('--mark').trim();
      return [1, 3, 5].map((at) => parseInt(style.slice(at, at + 2), 16)).join();
    });
  /** CSS pixels of the bar beside the waterfall. */
  const depth = () =>
    page.evaluate((wanted) => {
      const canvas = document.getElementById('times'),
        scale = canvas.height / canvas.clientHeight;
      const { data } = canvas.getContext('2d').getImageData(canvas.width - Math.ceil(scale), 0, 1, canvas.height);
      let rows = 0;
      for (let at = 0; at < data.length; at += 4) rows += data.slice(at, at + 3).join() === wanted;
      return rows / scale;
    }, mark);
  const whole = await until(async () => {
    const found = await depth();
    return found > 20 && found;
  }, 'the mark');
  await page.locator('#speed').selectOption('1'); // of 2
  await until(async () => (await depth()) < 0.7 * whole, 'as many seconds in fewer pixels');
  await page.keyboard.down('Shift');
  await page.mouse.move(waterfall.x + 200, waterfall.y + waterfall.height - 40);
  await page.mouse.down();
  await page.mouse.move(waterfall.x + 300, waterfall.y + waterfall.height - 20, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await untilText(page, '#box-bar .short', /^the ring holds the last 4\.\d\ss$/u);
  await screenshot(page, 'box_short');
});

withRecorder('a box is drawn with a finger', [], PHONE, async ({ page }) => {
  await page.tap('#menu-open');
  await page
    .locator('#menu')
    .getByRole('button', { name: /box of time/i })
    .tap();
  await until(async () => (await page.locator('#box-mode').getAttribute('aria-pressed')) === 'true', 'the mode');
  const { waterfall } = await plots(page),
    session = await page.context().newCDPSession(page);
  const touch = (type, x, y) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x: waterfall.x + x * waterfall.width, y: waterfall.y + y }],
    });
  await touch('touchStart', 0.3, 40); // clear of the divider
  for (let i = 1; i <= 4; i++) await touch('touchMove', 0.3 + 0.1 * i, 40 + 10 * i);
  await touch('touchEnd');
  await page.locator('#box-bar').waitFor();
  assert.match(await textOf(page, '#box-bar output'), /(400|39\d|40\d)(\.\d+)? kHz/); // 0.4 of 1 MHz
  await screenshot(page, 'box_phone');
  const span = await textOf(page, '#view-span');
  assert.match(span, /^1 MHz|^1\.0/, 'the view stays');
});

for (const [device, look] of [
  ['desktop', LOOK],
  ['light', { ...LOOK, colorScheme: 'light' }],
  ['phone', PHONE],
])
  withRecorder(`axe finds nothing in recordings ${device}`, [], look, async ({ page, daemon }) => {
    await fetch(`${daemon.url}api/v1/recordings?duration=0.1&label=burst`, { method: 'POST' });
    await until(async () => (await listOf(daemon))[0].state === 'done', 'a recording');
    await fetch(`${daemon.url}api/v1/recordings`, { method: 'POST' });
    await useTool(page, 'record-open');
    await page.locator('#record-running li').waitFor();
    await page.locator('#record-rows tr').waitFor();
    await screenshot(page, `record-${device}`);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ include: [['#middle'], ['#tools']] }));
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      [],
    );
  });
