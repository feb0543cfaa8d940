// Headless Chromium for the tests: opens pages, fails on console errors, waits, and keeps screenshots.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM } from './chromium.mjs';

const TIMEOUT_MS = 60000; // only a hang takes this long
const ARTIFACTS = process.env.FFTD_ARTIFACTS ?? new URL('../../build/artifacts', import.meta.url).pathname;
// Without these the browser contacts hosts of its vendor.
const QUIET = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--mute-audio',
];
// Chromium loads pages of its own for the pop-up below its address bar with each window: two processes and 300 files,
// more work than the page under test.
const UNUSED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];
// Chromium takes the last such list: that of playwright, as far as it matters here, is in it.
const PLAYWRIGHTS = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BoundaryEventDispatchTracksNodeRemoval',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
  'RenderDocument',
  'OptimizationHints',
];
const FLAGS = [...QUIET, `--disable-features=${[...PLAYWRIGHTS, ...UNUSED].join()}`];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: TIMEOUT_MS });

/**
 * Opens a page, runs `use(page)` and fails on errors and warnings in the console.
 * before(page): runs before the page loads. allow: pattern of expected errors, such as those of a stopped server.
 */
export async function withPage(browser, url, use, { allow = null, before = null, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) problems.push(line.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.setDefaultTimeout(TIMEOUT_MS);
  try {
    await before?.(page);
    await page.goto(url);
    await use(page);
  } finally {
    await context.close();
  }
  // The tests cause these warnings when they read the canvases back.
  const unexpected = problems.filter((text) => !allow?.test(text) && !/ReadPixels|GPU stall/.test(text));
  assert.deepEqual(unexpected, [], 'errors in the console');
}

export async function screenshot(page, name) {
  mkdirSync(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
}

/** Text without typographic spaces and signs. */
export async function textOf(page, selector) {
  const text = await page.locator(selector).textContent();
  return text
    .replace(/\u202f/g, ' ')
    .replace(/\u2212/g, '-')
    .trim();
}

/** Waits until `check()` returns something true, and returns that. */
export async function until(check, what, timeoutMs = TIMEOUT_MS) {
  for (const end = Date.now() + timeoutMs; Date.now() < end;) {
    const got = await check();
    if (got) return got;
    await new Promise((done) => {
      setTimeout(done, 50);
    });
  }
  throw new Error(`timed out waiting for: ${what}`);
}

/** Waits for a text that matches. */
export const untilText = (page, selector, pattern) =>
  until(async () => pattern.test(await textOf(page, selector)), `${selector} ~ ${pattern}`);

/** One column of the waterfall's picture from top to bottom, RGBA each; x: 0 .. 1. */
export const waterfallColumn = (page, x) =>
  page.evaluate((at) => {
    const canvas = document.getElementById('waterfall'),
      { width, height } = canvas;
    const copy = document.createElement('canvas');
    copy.width = 1;
    copy.height = height;
    const context = copy.getContext('2d');
    context.drawImage(canvas, Math.floor(at * width), 0, 1, height, 0, 0, 1, height);
    const { data } = context.getImageData(0, 0, 1, height);
    return Array.from({ length: height }, (_, y) => [...data.slice(4 * y, 4 * y + 4)]);
  }, x);

/** True if a row of this colour is visible at the left edge, where breaks have a dash. */
async function hasRow(page, color) {
  const column = await waterfallColumn(page, 0.0015);
  return column.some((pixel) => pixel.slice(0, 3).join() === color);
}

/** A break that lost samples. */
export const isFaultVisible = (page) => hasRow(page, '255,82,82');
/** A break without a fault: a retune, a pause, a lost connection, the end of a loop. */
export const isSeamVisible = (page) => hasRow(page, '140,155,171');

/** A hash of the waterfall's picture. */
export const waterfallHash = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById('waterfall');
    const copy = document.createElement('canvas');
    copy.width = 320;
    copy.height = 160;
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0, 320, 160);
    return context.getImageData(0, 0, 320, 160).data.reduce((hash, byte) => (hash * 31 + byte) | 0, 7);
  });

/** Waits for so many animation frames of the page. */
export const drawn = (page, times) =>
  page.evaluate(
    (count) =>
      new Promise((done) => {
        let left = count;
        const step = () => {
          if (left-- > 0) requestAnimationFrame(step);
          else done();
        };
        step();
      }),
    times,
  );

/** Waits until the waterfall no longer moves, and returns its hash. */
export const stillWaterfall = (page) =>
  until(async () => {
    const before = await waterfallHash(page);
    await drawn(page, 30);
    return (await waterfallHash(page)) === before && before;
  }, 'a waterfall that no longer moves');

/** Clicks a tool; where its group is closed, the group first. */
export async function useTool(page, id) {
  const tool = page.locator(`#${id}`);
  if (!(await tool.isVisible())) {
    const group = await tool.evaluate((element) => element.closest('.tools').id);
    await page.locator(`[popovertarget=${group}]`).click();
  }
  await tool.click();
}

/** Position and size of the plots on the page, in CSS pixels. */
export const plots = (page) =>
  page.evaluate(() => {
    const box = (id) => {
      const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
      return { x, y, width, height };
    };
    return { display: box('display'), waterfall: box('waterfall') };
  });
