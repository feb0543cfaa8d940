// The past in the page of a hub, with a mock of the hub: a full waterfall at once, and the time axis scrolled back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { MockHub, radio } from '../mock_hub.mjs';

const options = { timeout: 240000 };
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
});

const SOUTH = () => radio('roof.south', 100e6),
  NORTH = () => radio('barn.north', 101.5e6);

/** A mock hub that has heard its radios for so many seconds. */
async function withHub(radios, seconds, use, { hash = '', prepare = () => {}, ...more } = {}) {
  const hub = new MockHub(radios).remember(seconds);
  prepare(hub);
  await hub.start();
  try {
    await withPage(browser, hub.url + hash, (page) => use(page, hub), { colorScheme: 'dark', ...more });
  } finally {
    await hub.stop();
  }
}

const card = (name) => `.card[aria-label="${name}"]`;
const isLive = (page, name) => untilText(page, `${card(name)} .reading`, /^Peak .* dBFS$/);

/**
 * Of the rows of pixels of a card's waterfall, how many (0 .. 1) have a strong signal at a frequency (0 .. 1 of the
 * width); from, to: of the height.
 */
const strongShare = (page, name, x, from = 0, to = 1) =>
  page.evaluate(
    ([selector, at, low, high]) => {
      const canvas = document.querySelector(selector),
        copy = document.createElement('canvas');
      Object.assign(copy, { width: 1, height: canvas.height });
      const context = copy.getContext('2d');
      context.drawImage(canvas, Math.floor(at * canvas.width), 0, 1, canvas.height, 0, 0, 1, canvas.height);
      const { data } = context.getImageData(0, 0, 1, canvas.height),
        first = Math.floor(low * canvas.height),
        last = Math.floor(high * canvas.height);
      let strong = 0;
      for (let y = first; y < last; y++) strong += Number(data[4 * y + 1] > 150);
      return strong / (last - first);
    },
    [`${card(name)} .waterfall`, x, from, to],
  );
const TONE = (1.2e6 + 3e5) / 2.4e6 + 0.001; // of the width

for (const renderer of ['2d', 'gl'])
  test(`the page opens with a full waterfall in ${renderer}`, options, () =>
    withHub(
      [SOUTH(), NORTH()],
      60,
      async (page, hub) => {
        await isLive(page, 'roof.south');
        for (const name of ['roof.south', 'barn.north'])
          await until(async () => (await strongShare(page, name, TONE, 0.1)) > 0.97, `a full waterfall of ${name}`);
        assert.equal(hub.pasts[0], 32, 'as much as the axis shows');
        await page.locator('#time').selectOption('60');
        await until(() => hub.pasts.at(-1) >= 60, 'more, for a longer axis');
        await until(async () => (await strongShare(page, 'roof.south', TONE, 0.1, 0.9)) > 0.97, 'full again');
        await screenshot(page, `hub_full_${renderer}`);
      },
      { hash: `#renderer=${renderer}` },
    ),
  );

for (const renderer of ['2d', 'gl'])
  test(`all cards scroll back together by keys wheel and drag in ${renderer}`, options, () => {
    const south = SOUTH(),
      north = NORTH();
    return withHub(
      [south, north],
      120,
      async (page, hub) => {
        await isLive(page, 'roof.south');
        for (const each of hub.radios) each.tone = { ...each.tone, db: -100 }; // it ends now
        assert.ok(await page.locator('#go-live').isHidden());
        for (let i = 0; i < 2; i++) await page.keyboard.press('PageDown');
        await page.locator('#go-live').waitFor();
        for (const name of ['roof.south', 'barn.north'])
          await until(async () => (await strongShare(page, name, TONE, 0, 0.9)) > 0.95, `the past of ${name}`);
        await untilText(page, '#go-live', /^(20\d\d-\d\d-\d\d )?\d\d:\d\d:\d\d UTC \u2014 back to live$/);
        await untilText(page, '#time-announcement', /^The waterfalls begin at .*\d\d:\d\d:\d\d UTC$/);
        const [, at] = /at=([^&]+)/.exec(page.url());
        assert.ok(Math.abs(Date.now() - 48e3 - Date.parse(at)) < 20e3, at);
        assert.equal(
          await textOf(page, `${card('roof.south')} .reading`),
          'Peak 100.3000 MHz -20.0 dBFS',
          'the spectrum is that of the past, too',
        );
        await screenshot(page, `hub_past_${renderer}`);

        const other = await page.context().newPage();
        await other.goto(page.url());
        await untilText(other, '#go-live', new RegExp(`${at.slice(11, 19)} UTC`));
        await until(async () => (await strongShare(other, 'roof.south', TONE, 0, 0.9)) > 0.95, 'a link opens the same');
        await other.close();

        await page.keyboard.press('End');
        await until(async () => (await page.locator('#go-live').isHidden()) && !/at=/.test(page.url()), 'live again');
        await until(
          async () => (await strongShare(page, 'roof.south', TONE, 0, 0.05)) === 0,
          'without the tone at its top',
        );
        const { x, y, width, height } = await page.locator(`${card('roof.south')} .plots`).boundingBox();
        await page.mouse.move(x + width / 2, y + height * 0.6);
        await page.mouse.wheel(0, 100);
        assert.ok(await page.locator('#go-live').isHidden(), "the wheel alone is the page's");
        await page.keyboard.down('Shift');
        await page.mouse.wheel(0, 300);
        await page.keyboard.up('Shift');
        await page.locator('#go-live').waitFor();
        await page.locator('#go-live').click();
        await page.mouse.move(x + width / 2, y + height * 0.9);
        await page.mouse.down();
        await page.mouse.move(x + width / 2, y + height * 0.6, { steps: 4 });
        await page.mouse.up();
        await page.locator('#go-live').waitFor();
        await page.mouse.move(x + width / 2, y + height * 0.8); // not held any more
        const text = await textOf(page, '#go-live');
        await page.mouse.move(x + width / 2, y + height * 0.5);
        assert.equal(await textOf(page, '#go-live'), text);
      },
      { hash: `#renderer=${renderer}` },
    );
  });

test('what neither the page nor the hub remembers comes from the archive', options, () => {
  const south = radio('roof.south', 100e6, { archive: { fromMs: Date.now() - 3600e3, hz: 90e6 } });
  return withHub(
    [south, NORTH()],
    30,
    async (page, hub) => {
      await until(() => hub.pictures.length > 0, 'a request');
      const [{ from, to, rows, detector, format, ...rest }] = hub.pictures;
      assert.deepEqual([detector, format, Object.keys(rest).join()], ['max', 'binary', 'columns']);
      assert.ok(Number(to) - Number(from) > 80 && Number(rows) <= 1024, 'with some time before and after');
      await untilText(page, `${card('roof.south')} .reading`, /^Peak 90\.0\d* MHz -30\.0 dBFS$/);
      await until(async () => (await strongShare(page, 'roof.south', 0.505)) > 0.97, 'rows of the archive');
      await untilText(page, `${card('barn.north')} .notice`, /^No line of this time$/);
      await until(() => page.locator(`${card('barn.north')} .notice`).isVisible(), 'where there is no archive');
      await screenshot(page, 'hub_archive');
      const count = hub.pictures.length;
      await page.keyboard.press('PageDown');
      await until(async () => (await strongShare(page, 'roof.south', 0.505)) > 0.97, 'rows that are there already');
      for (let i = 0; i < 4; i++) await page.keyboard.press('PageDown');
      await until(() => hub.pictures.length > count, 'another picture');
      await page.locator('#go-live').click();
      await untilText(page, `${card('roof.south')} .reading`, /^Peak 100\.3000 MHz -20\.0 dBFS$/);
    },
    { hash: `#at=${new Date(Date.now() - 1800e3).toISOString()}` },
  );
});

test('an archive that does not answer is said at its radio', options, () => {
  const south = radio('roof.south', 100e6, { archive: { fromMs: Date.now() - 3600e3, hz: 90e6 } });
  return withHub(
    [south],
    5,
    async (page, hub) => {
      await untilText(
        page,
        `${card('roof.south')} .remark`,
        /^The archive cannot be read: HTTP 503 too many requests$/,
      );
      hub.refuseArchive = null;
      await untilText(page, `${card('roof.south')} .reading`, /^Peak 90\.0\d* MHz/);
      await until(() => page.locator(`${card('roof.south')} .remark`).isHidden(), 'it is read');
    },
    {
      hash: `#at=${new Date(Date.now() - 1800e3).toISOString()}`,
      prepare: (hub) => {
        hub.refuseArchive = 'too many requests';
      },
      allow: /Failed to load resource/,
    },
  );
});

test('on a phone a finger on the times scrolls back', options, () =>
  withHub(
    [SOUTH()],
    120,
    async (page) => {
      await isLive(page, 'roof.south');
      const { x, y, height } = await page.locator(`${card('roof.south')} .plots`).boundingBox();
      const drag = (at) =>
        page.locator(`${card('roof.south')} .plots`).evaluate(
          (plots, [left, top, by]) => {
            const fire = (type, clientY) =>
              (document.elementFromPoint(left, top) ?? plots).dispatchEvent(
                new PointerEvent(type, {
                  bubbles: true,
                  pointerId: 7,
                  pointerType: 'touch',
                  button: 0,
                  clientX: left,
                  clientY,
                }),
              );
            plots.setPointerCapture = () => {}; // a finger that is made up cannot be captured
            fire('pointerdown', top);
            fire('pointermove', top + by);
            fire('pointerup', top + by);
          },
          [at, y + height * 0.7, -60],
        );
      await drag(x + 200);
      assert.ok(await page.locator('#go-live').isHidden(), 'on the picture it scrolls the page');
      await drag(x + 20);
      await page.locator('#go-live').waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await screenshot(page, 'hub_past_phone');
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ),
);
