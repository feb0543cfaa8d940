// The dock on the page of the real daemon: tabs, its edge, the room that it leaves to the plots, and rows that stay.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drawn, launch, plots, screenshot, until, untilText, waterfallColumn, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

// docs/input.md: bursts of 6.8 ms every 109 ms at +750 kHz, -30 dBFS: a row in five is bright there.
const ARGS = [
  '--source',
  'sim',
  '--rate',
  '2.4M',
  '--fft-size',
  '1024',
  '--line-rate',
  '50',
  '--trigger',
  'external,name=hand',
];
const PHONES = { portrait: [390, 844], sideways: [844, 390] };
const phone = ([width, height]) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });

let browser, daemon;
before(async () => {
  browser = await launch();
  daemon = await startDaemon(ARGS);
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

function withDock(name, use, { hash = '', ...options } = {}) {
  test(name, { timeout: 120000 }, () =>
    withPage(
      browser,
      daemon.url + hash,
      async (page) => {
        await untilText(page, '#peak-hz', /Hz/);
        await page.locator('#measure-toggle').waitFor({ state: 'attached' });
        await use(page);
      },
      { colorScheme: 'dark', ...options },
    ),
  );
}

const FOUR = { markers: 'i', traces: 'v', measure: 'e', bookmarks: 'o' };
const boxOf = (page, id) =>
  page.evaluate((wanted) => {
    const { x, y, width, height, right, bottom } = document.getElementById(wanted).getBoundingClientRect();
    return { x, y, width, height, right, bottom };
  }, id);
const focused = (page) => page.evaluate(() => document.activeElement?.id);
const shown = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=tabpanel]')]
      .filter(({ hidden }) => !hidden)
      .map(({ id }) => id)
      .join(),
  );
const tabs = (page) => page.locator('[role=tab]:visible').allTextContents();
async function openFour(page) {
  for (const [id, key] of Object.entries(FOUR)) {
    await page.keyboard.press(key);
    await page.locator(`#${id}`).waitFor({ state: 'visible' });
  }
}

withDock('panels share one place and each has a tab', async (page) => {
  await openFour(page);
  assert.deepEqual(await tabs(page), ['Measure', 'Traces', 'Bookmarks', 'Markers']);
  assert.equal(await shown(page), 'bookmarks', 'one at a time');
  await page.getByRole('tab', { name: 'Traces' }).click();
  assert.equal(await shown(page), 'traces');
  assert.equal(await page.getAttribute('#traces-open', 'aria-expanded'), 'true');
  assert.equal(await page.getAttribute('#bookmarks-open', 'aria-expanded'), 'false', 'its panel is behind');
  await until(() => /panels=measure,bookmarks,markers,traces/.test(page.url()), 'the one in front last');
  await page.click('#markers-open');
  assert.equal(await shown(page), 'markers', 'a button brings its panel to the front');
  await page.click('#markers-open');
  assert.deepEqual(await tabs(page), ['Measure', 'Traces', 'Bookmarks'], 'and closes it there');
  await page.locator('#dock-close').click();
  assert.deepEqual(await tabs(page), ['Measure', 'Traces']);
  await page.reload();
  await until(async () => (await shown(page)) === 'traces', 'the panel that was in front');
  assert.deepEqual(await tabs(page), ['Measure', 'Traces']);
});

withDock('the tabs have the keys of tabs', async (page) => {
  await openFour(page);
  await page.getByRole('tab', { name: 'Bookmarks' }).focus();
  for (const [key, id] of Object.entries({
    ArrowRight: 'markers',
    Home: 'measure',
    ArrowLeft: 'markers',
    End: 'markers',
    Delete: 'bookmarks',
  })) {
    await page.keyboard.press(key);
    assert.deepEqual([await shown(page), await focused(page)], [id, `tab-${id}`], key);
  }
  assert.equal(await page.evaluate(() => /low=/.test(location.hash)), false, 'the view has not moved');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'dock-close', 'the tabs are one stop');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'bookmarks');
  for (let i = 0; i < 3; i++) await page.locator('#dock-close').click();
  assert.equal(await focused(page), 'measure-toggle', 'the button of the last one');
});

for (const [width, height] of [
  [1024, 768],
  [1280, 720],
  [1920, 1080],
])
  withDock(
    `four panels leave the plots three fifths of ${width} pixels and all of the height`,
    async (page) => {
      const before = (await plots(page)).waterfall;
      await openFour(page);
      await until(async () => (await boxOf(page, 'display')).width < width, 'narrower plots');
      const display = await boxOf(page, 'display'),
        { waterfall } = await plots(page);
      assert.ok(display.width >= 0.6 * width, `${display.width}`);
      assert.deepEqual([waterfall.y, waterfall.height], [before.y, before.height]);
      await page.locator('#dock-edge').focus();
      await page.keyboard.press('End'); // as wide as it gets
      const widest = (await boxOf(page, 'display')).width;
      assert.ok(widest >= 0.6 * width && widest < display.width, `${widest}`);
      await screenshot(page, `dock_${width}`);
    },
    { viewport: { width, height } },
  );

withDock('the edge is dragged, moved with keys and remembered', async (page) => {
  await page.keyboard.press('i');
  const widthOf = async () => (await boxOf(page, 'dock')).width,
    first = await widthOf();
  const drag = async (by) => {
    const { x, y, width, height } = await boxOf(page, 'dock-edge');
    await page.mouse.move(x + width / 2, y + height / 3);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + by, y + height / 3, { steps: 4 });
    await page.mouse.up();
  };
  await drag(-70);
  assert.ok(Math.abs((await widthOf()) - first - 70) < 5, `${await widthOf()}`);
  await page.locator('#dock-edge').focus();
  await page.keyboard.press('ArrowRight');
  const dragged = await widthOf();
  assert.ok(dragged < first + 60);
  assert.equal(await page.getAttribute('#dock-edge', 'aria-valuenow'), String(Math.round((100 * dragged) / 1280)));
  assert.equal(await page.evaluate(() => /low=/.test(location.hash)), false, 'the view has not moved');
  await until(() => /panels=markers/.test(page.url()), 'the address');
  await page.reload();
  await until(async () => Math.abs((await widthOf()) - dragged) < 1.5, 'the remembered width');
  await drag(900);
  assert.ok((await widthOf()) >= 260, 'the least');
  await page.locator('#dock-edge').dblclick();
  assert.equal(await widthOf(), first);
});

for (const [name, size] of Object.entries(PHONES))
  withDock(
    `on a phone every panel is a sheet of at most half of the screen: ${name}`,
    async (page) => {
      const [width, height] = size,
        keys = { ...FOUR, controls: 'c', triggers: 'w' };
      for (const [id, key] of Object.entries(keys)) {
        await page.keyboard.press(key);
        await page.locator(`#${id}`).waitFor({ state: 'visible' });
        const { x, width: wide, height: high } = await boxOf(page, 'dock');
        assert.ok(wide * high <= 0.5 * width * height + 1, `${id}: ${wide} x ${high}`);
        if (name === 'portrait') assert.deepEqual([x, wide], [0, width]);
      }
      const { y, bottom } = await boxOf(page, 'dock'),
        display = await boxOf(page, 'display');
      assert.ok(name === 'sideways' || display.bottom <= y + 1, 'it covers no plot');
      assert.ok(bottom <= height);
      await screenshot(page, `dock_phone_${name}`);
      if (name === 'sideways') return;
      // A finger on the edge.
      const touch = await page.context().newCDPSession(page),
        before = await boxOf(page, 'dock');
      const send = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
      await send('touchStart', [{ x: 195, y: before.y + 4 }]);
      for (let i = 1; i <= 5; i++) await send('touchMove', [{ x: 195, y: before.y + 4 + 12 * i }]);
      await send('touchEnd', []);
      await until(async () => Math.abs((await boxOf(page, 'dock')).height - before.height + 60) < 8, 'a lower sheet');
    },
    phone(size),
  );

withDock(
  'rows of the waterfall keep their height when panels open and close',
  async (page) => {
    // The level of a burst in each row: bright or dark.
    const rows = async () => {
      const { waterfall } = await plots(page),
        column = await waterfallColumn(page, 1.95 / 2.4);
      return { y: waterfall.y, height: waterfall.height, rows: column.map(([red]) => (red > 90 ? '#' : '.')).join('') };
    };
    await until(async () => /#/.test((await rows()).rows.slice(-60)), 'a full waterfall');
    await page.keyboard.press(' ');
    await page.locator('#paused').waitFor({ state: 'visible' });
    await drawn(page, 30);
    const before = await rows();
    assert.match(before.rows, /#\.+#+\.+#/, 'rows that differ');
    const same = async (what) => {
      await drawn(page, 30);
      const now = await rows();
      assert.deepEqual([now.y, now.height], [before.y, before.height], what);
      const differ = [...now.rows].filter((row, i) => row !== before.rows[i]).length;
      assert.ok(differ <= 0.02 * before.rows.length, `${what}: ${differ} of ${before.rows.length} pixels`);
    };
    await openFour(page);
    await same('four panels');
    await page.locator('#dock-edge').focus();
    await page.keyboard.press('End');
    await same('a wider dock');
    await page.keyboard.press('Escape');
    await same('none again');
  },
  { hash: '#palette=gray&waterfall=-90:-20&renderer=2d' },
);
