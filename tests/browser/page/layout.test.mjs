// The page on screens of all sizes, with every panel that a server can offer: nothing is cut, covered or off the
// screen.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawn, launch, screenshot, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fftd-layout-'));
let browser, daemon;
before(async () => {
  browser = await launch();
  daemon = await startDaemon([
    '--source',
    'sim',
    '--device',
    'seed=1',
    '--center',
    '145.1M',
    '--rate',
    '2.4M',
    '--gain',
    '0',
    '--record',
    folder,
    '--trigger',
    'external,name=hand',
    '--measure',
    'channel-power,center=145.4M,width=25k,name=carrier',
  ]);
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
  rmSync(folder, { recursive: true });
});

/** Width and height in CSS pixels. A desktop of 1440 x 900 has 720 x 450 at a zoom of 200 %. */
const SIZES = {
  full_hd: [1920, 1080],
  hd: [1600, 900],
  desktop: [1440, 900],
  laptop: [1280, 720],
  small: [1024, 768],
  tablet: [820, 1180],
  zoomed: [720, 450],
  landscape: [844, 390],
  portrait: [390, 844],
};
const TOUCH = ['tablet', 'landscape', 'portrait'];

/**
 * What of the visible controls and figures of the bars is cut, covered or off the screen, a line each. The text of a
 * select or
 * a placeholder is measured: its element does not tell that it is cut.
 */
const faults = (page, selector) =>
  page.evaluate(
    ([wanted, { width: screenWidth, height: screenHeight }]) => {
      const bad = [],
        context = document.createElement('canvas').getContext('2d');
      const textWidth = (element, text) => {
        context.font = getComputedStyle(element).font;
        return context.measureText(text).width;
      };
      const roomOf = (element) => {
        const { paddingLeft, paddingRight } = getComputedStyle(element);
        return (
          element.clientWidth
          - parseFloat(paddingLeft)
          - parseFloat(paddingRight)
          - (element.tagName === 'SELECT' ? 16 : 0)
        ); // the arrow
      };
      for (const element of document.querySelectorAll(wanted)) {
        const box = element.getBoundingClientRect(),
          name = `${element.id || element.name || element.tagName} "${element.textContent.trim().slice(0, 30)}"`;
        if (box.width === 0 || element.closest('.visually-hidden')) continue;
        const text =
          element.tagName === 'SELECT'
            ? element.selectedOptions[0]?.textContent
            : element.tagName === 'INPUT'
              ? element.value || element.placeholder
              : '';
        if (text && textWidth(element, text) > roomOf(element) + 1) bad.push(`${name} is cut: "${text}"`);
        if (element.closest('aside')) continue; // a panel scrolls
        if (box.left < 0 || box.right > screenWidth + 0.5 || box.bottom > screenHeight + 0.5)
          bad.push(`${name} is off the screen`);
        else if (/BUTTON|SELECT|INPUT/.test(element.tagName)) {
          const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          if (!element.contains(top) && !element.closest('label')?.contains(top))
            bad.push(`${name} is covered by ${top?.id || top?.tagName}`);
        }
      }
      return bad;
    },
    [selector, page.viewportSize()],
  ); // a page that is too wide makes the window of a phone wider

/** Pairs of texts over the spectrum that cover each other. */
const overlaps = (page) =>
  page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll(
        '#view-line span, #levels > *, #waterfall-range, #density-bar, #marker-line, #trace-legend li',
      ),
    ]
      .map((element) => ({ name: element.id || element.textContent.trim(), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    return parts.flatMap((a, i) =>
      parts
        .slice(i + 1)
        .filter(
          ({ box }) =>
            box.left < a.box.right - 1
            && box.right > a.box.left + 1
            && box.top < a.box.bottom - 1
            && box.bottom > a.box.top + 1,
        )
        .map((b) => `${a.name} and ${b.name}`),
    );
  });

/** Visible elements over the plots, besides those that are handles. */
const overPlots = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#display > *')]
      .filter((element) => element.tagName !== 'CANVAS' && element.id !== 'divider' && element.offsetWidth > 0)
      .map(({ id }) => id),
  );

const STATES = {
  picture: async () => {},
  markers: async (page) => {
    for (const key of ['m', 'Shift+M', 'i']) await page.keyboard.press(key);
  },
  radio: (page) => page.keyboard.press('c'),
};

for (const [name, [width, height]] of Object.entries(SIZES))
  test(`nothing is cut or covered ${name}`, { timeout: 120000 }, async () => {
    const touch = TOUCH.includes(name) ? { hasTouch: true, isMobile: true } : {};
    await withPage(
      browser,
      daemon.url,
      async (page) => {
        await untilText(page, '#peak-hz', /Hz/);
        await untilText(page, '#ledger-pace', /B\/s/);
        await page.locator('#record-open').waitFor({ state: 'attached' });
        for (const [state, enter] of Object.entries(STATES)) {
          await enter(page);
          await drawn(page, 3);
          await screenshot(page, `layout_${name}_${state}`);
          assert.deepEqual(
            await faults(page, '#top button, #top select, #tuning button, #tuning select, #entry, #radio select'),
            [],
            state,
          );
          assert.deepEqual(await overlaps(page), [], state);
          assert.deepEqual(await overPlots(page), [], state);
          for (let i = 0; i < 2; i++) await page.keyboard.press('Escape');
        }
      },
      { colorScheme: 'dark', viewport: { width, height }, ...touch },
    );
  });
