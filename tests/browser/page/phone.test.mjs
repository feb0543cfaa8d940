// The page on phones: nothing is cut or outside of the screen, and the spectrum is high enough to read.
import assert from 'node:assert/strict';
import { drawn, plots, screenshot, until } from '../browser.mjs';
import { formatTick } from '../../../web/util/time.js';
import { scene } from './scene.mjs';

const PHONES = {
  portrait_390: [390, 844],
  portrait_360: [360, 740],
  landscape_844: [844, 390],
  landscape_667: [667, 375],
};
const phone = ([width, height]) => ({
  viewport: { width, height },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
});
/** Figures as long as they get in a day or two of operation. */
const BUSY = {
  simulated: true,
  lost: { overflow: 123456, overrun: 0, gap: 7890, retune: 0, tail: 0 },
  clipped: 12345678,
  merged: 3,
};

/** What of the visible texts and controls in `selector` is cut, or not within the screen; one line each. */
const faults = (page, selector) =>
  page.evaluate((wanted) => {
    const bad = [];
    for (const element of document.querySelectorAll(wanted)) {
      const box = element.getBoundingClientRect(),
        id = element.id || element.dataset.figure || element.tagName,
        name = `${id} "${element.textContent.trim().slice(0, 40)}"`;
      if (box.width === 0 || element.closest('.visually-hidden') || getComputedStyle(element).visibility === 'hidden')
        continue;
      const parent = element.closest('#ledger')?.getBoundingClientRect();
      if (parent && box.top >= parent.bottom - 0.5) continue; // a whole line that there is no room for
      if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        bad.push(`${name} is cut: ${element.scrollWidth} > ${element.clientWidth}`);
      if (box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
        bad.push(`${name} is not on the screen`);
      if (parent && (box.bottom > parent.bottom + 0.5 || box.right > parent.right + 0.5))
        bad.push(`${name} leaves the footer`);
    }
    if (document.documentElement.scrollWidth > innerWidth) bad.push('the page scrolls sideways');
    return bad;
  }, selector);

for (const [name, size] of Object.entries(PHONES))
  scene(`nothing is cut on a phone ${name}`, { server: BUSY, page: phone(size) }, async ({ page, server }) => {
    await until(() => server.line > 60, 'rows');
    await drawn(page, 10);
    await screenshot(page, `phone_${name}`);
    assert.deepEqual(
      await faults(page, '#peak *, #simulated, #tools button, #tools select, #ledger div, #ledger dd'),
      [],
    );
    for (const figure of ['lost', 'clipped']) assert.ok(await page.locator(`#ledger-${figure}`).isVisible(), figure);
    // The strip scrolls sideways: each of its figures comes whole into view.
    const parts = await page.locator('#strip b:visible').all();
    assert.ok(parts.length >= 4, `${parts.length} figures`);
    for (const part of parts) {
      await part.evaluate((element) => element.scrollIntoView({ inline: 'center' }));
      const { x, y, width, height } = await part.boundingBox();
      assert.ok(x >= 0 && x + width <= size[0] && y + height <= size[1], await part.evaluate(({ id }) => id));
    }
    assert.ok(await page.locator('#view-rbw').isVisible());
  });

scene(
  'the times beside the waterfall fit into their margin',
  { page: phone(PHONES.portrait_360) },
  async ({ page }) => {
    const { display, waterfall } = await plots(page),
      capacity = waterfall.x - display.x - 7; // 7: the distance to the waterfall
    for (const text of [
      formatTick(Date.UTC(2026, 1, 3, 22, 58, 58)),
      formatTick(Date.UTC(2026, 1, 3, 22, 58, 58, 500)),
    ]) {
      const width = await page.evaluate((shown) => {
        const context = document.createElement('canvas').getContext('2d');
        context.font = `11px ${getComputedStyle(document.documentElement).getPropertyValue('--font')}`;
        return context.measureText(shown).width;
      }, text);
      assert.ok(width <= capacity, `${text}: ${width} of ${capacity}`);
    }
  },
);

/** The controls on screen. */
const controls = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, a, [role=spinbutton]')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
      .map((element) => {
        const { x, y, width, height, right, bottom } = element.getBoundingClientRect();
        return {
          name: element.id || element.textContent,
          size: Math.min(width, height),
          inside: x >= 0 && y >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5,
        };
      }),
  );

for (const [name, size] of Object.entries(PHONES))
  scene(
    `a phone has few controls, large ones, and leaves the plots two thirds ${name}`,
    { page: phone(size) },
    async ({ page }) => {
      const small = (found) => found.filter((one) => one.size < 43.9 || !one.inside).map((one) => one.name);
      const shown = await controls(page);
      assert.ok(shown.length >= 6 && shown.length <= 9, shown.map((one) => one.name).join());
      assert.deepEqual(small(shown), []);
      const { display } = await plots(page),
        share = (display.width * display.height) / (size[0] * size[1]);
      assert.ok(share >= 2 / 3, `${share}`);
      for (const sheet of ['tools-View', 'tools-Analyse', 'tools-Capture', 'tools-Radio', 'tune']) {
        await page.tap(`[popovertarget=${sheet}]`);
        await page.locator(`#${sheet}`).waitFor({ state: 'visible' });
        assert.deepEqual(small(await controls(page)), [], sheet);
        await screenshot(page, `phone_${name}_${sheet}`);
        await page.keyboard.press('Escape');
        await page.locator(`#${sheet}`).waitFor({ state: 'hidden' });
      }
      await page.tap('[popovertarget=tools-View]');
      await page.tap('[popovertarget=settings]');
      assert.deepEqual(small(await controls(page)), [], 'settings');
      await page.selectOption('#palette', 'gray');
      await until(() => /palette=gray/.test(page.url()), 'other colours');
      await page.keyboard.press('Escape');
      await page.tap('[popovertarget=tools-Analyse]');
      await page.tap('#markers-open');
      await page.locator('#markers').waitFor({ state: 'visible' });
      assert.equal(await page.locator('#tools-Analyse').isVisible(), false, 'the group closes behind the panel');
    },
  );

for (const [name, size] of Object.entries(PHONES))
  scene(`the keys and gestures are two taps away ${name}`, { page: phone(size) }, async ({ page }) => {
    await page.tap('#menu-open');
    await page.getByRole('button', { name: 'keys and gestures' }).tap();
    await page.locator('#help').waitFor({ state: 'visible' });
    await page.tap('#help-close');
    await page.locator('#help').waitFor({ state: 'hidden' });
  });

scene(
  'in landscape the spectrum has a third of the screen',
  { page: phone(PHONES.landscape_844) },
  async ({ page }) => {
    const { display, waterfall } = await plots(page),
      AXIS = 26;
    const spectrum = waterfall.y - display.y - AXIS;
    assert.ok(spectrum >= 390 / 3, `${spectrum} of 390`);
    assert.ok(waterfall.height >= 100, `waterfall ${waterfall.height}`);
  },
);

scene('the cross hair goes with the finger', { page: phone(PHONES.portrait_390) }, async ({ page }) => {
  const { waterfall } = await plots(page),
    session = await page.context().newCDPSession(page);
  const at = { x: waterfall.x + waterfall.width / 2, y: waterfall.y + 60 };
  const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [at]);
  await page.locator('#hover').waitFor({ state: 'visible' });
  await touch('touchEnd', []);
  await page.locator('#hover').waitFor({ state: 'hidden' });
});

for (const [name, size] of Object.entries({ desktop: [1280, 720], portrait_390: PHONES.portrait_390 }))
  scene(
    `a message covers no close button ${name}`,
    { page: { viewport: { width: size[0], height: size[1] } } },
    async ({ page, server }) => {
      await page.keyboard.press('c');
      await page.locator('#dock-close').waitFor({ state: 'visible' });
      server.sendRaw(JSON.stringify({ type: 'error', message: `a view needs a detector, ${'and more '.repeat(20)}` }));
      await page.locator('#message').waitFor({ state: 'visible' });
      const isFree = (id) =>
        page.evaluate((wanted) => {
          const { x, y, width, height } = document.getElementById(wanted).getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button')?.id === wanted;
        }, id);
      assert.ok(await isFree('dock-close'));
      assert.ok(await isFree('message-close'));
      await screenshot(page, `message_${name}`);
    },
  );
