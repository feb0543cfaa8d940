// Headless Chromium for the tests: one page at a time, which must not complain, and screenshots kept.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PATIENCE_MS = 60000; // only a hang takes this long
const ARTIFACTS = process.env.FFTD_ARTIFACTS ?? new URL('../../build/artifacts', import.meta.url).pathname;
// Nothing but the page: without these the browser looks for hosts of its maker.
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--mute-audio'];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: PATIENCE_MS });

/**
 * Opens a page, runs `use(page)` and checks that nothing was complained about in the console.
 * before(page): runs before the page loads. allow: complaints that belong to the test, as when the server is taken away.
 */
export async function withPage(browser, url, use, { allow = null, before = null, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (line) => { if (['error', 'warning'].includes(line.type())) complaints.push(line.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.setDefaultTimeout(PATIENCE_MS);
  try {
    await before?.(page);
    await page.goto(url);
    await use(page);
  } finally {
    await context.close();
  }
  // Reading the picture back slowly is what a test does, not the page.
  const real = complaints.filter((text) => !allow?.test(text) && !/ReadPixels|GPU stall/.test(text));
  assert.deepEqual(real, [], 'the page complained');
}

export async function screenshot(page, name) {
  mkdirSync(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
}

/** Text without typographic spaces and signs. */
export async function textOf(page, selector) {
  const text = await page.locator(selector).textContent();
  return text.replace(/\u202f/g, ' ').replace(/\u2212/g, '-').trim();
}

/** Waits until `check()` gives something true. */
export async function until(check, what, timeoutMs = PATIENCE_MS) {
  for (const end = Date.now() + timeoutMs; Date.now() < end;) {
    const got = await check();
    if (got) return got;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  throw new Error(`waited in vain: ${what}`);
}

/** Waits for a text that matches. */
export const untilText = (page, selector, pattern) =>
  until(async () => pattern.test(await textOf(page, selector)), `${selector} ~ ${pattern}`);

/** One column of the waterfall's picture from top to bottom, RGBA each; x: 0 .. 1. */
export const waterfallColumn = (page, x) => page.evaluate((at) => {
  const canvas = document.getElementById('waterfall'), { width, height } = canvas;
  const copy = document.createElement('canvas');
  copy.width = 1;
  copy.height = height;
  const context = copy.getContext('2d');
  context.drawImage(canvas, Math.floor(at * width), 0, 1, height, 0, 0, 1, height);
  const { data } = context.getImageData(0, 0, 1, height);
  return Array.from({ length: height }, (_, y) => [...data.slice(4 * y, 4 * y + 4)]);
}, x);

/** True when a row in the gap's colour is in sight. */
export async function gapInSight(page) {
  const column = await waterfallColumn(page, 0.0015);
  return column.some(([red, green, blue]) => red === 255 && green === 82 && blue === 82);
}

/** A number that changes with the waterfall's picture. */
export const waterfallHash = (page) => page.evaluate(() => {
  const canvas = document.getElementById('waterfall');
  const copy = document.createElement('canvas');
  copy.width = 320;
  copy.height = 160;
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0, 320, 160);
  return context.getImageData(0, 0, 320, 160).data.reduce((hash, byte) => (hash * 31 + byte) | 0, 7);
});

/** Waits until the page has drawn so often. */
export const drawn = (page, times) => page.evaluate((count) => new Promise((done) => {
  let left = count;
  const step = () => { if (left-- > 0) requestAnimationFrame(step); else done(); };
  step();
}), times);

/** Waits until the picture stands still, and returns its number. */
export const stillWaterfall = (page) => until(async () => {
  const before = await waterfallHash(page);
  await drawn(page, 30);
  return (await waterfallHash(page)) === before && before;
}, 'a picture that stands still');

/** Where the plots lie on the page, in CSS pixels. */
export const plots = (page) => page.evaluate(() => {
  const box = (id) => { const { x, y, width, height } = document.getElementById(id).getBoundingClientRect(); return { x, y, width, height }; };
  return { display: box('display'), waterfall: box('waterfall') };
});
