// Zooming, panning, level range and keys, and the views that the page requests for them.
import assert from 'node:assert/strict';
import {
  drawn,
  plots,
  screenshot,
  stillWaterfall,
  textOf,
  until,
  untilText,
  useTool,
  waterfallColumn,
} from '../browser.mjs';
import { scene } from './scene.mjs';

const lastView = (server) => server.views.at(-1);
const width = (view) => view.high_hz - view.low_hz;
const hoverMhz = async (page) => parseFloat((await textOf(page, '#hover')).split('\n')[0].replace(/ /g, ''));
const hash = (page) => page.evaluate(() => location.hash);

scene('wheel zooms at the cursor and asks for the new view', {}, async ({ page, server }) => {
  const { waterfall } = await plots(page);
  await page.mouse.move(waterfall.x + 0.8 * waterfall.width, waterfall.y + 60);
  await untilText(page, '#hover', /MHz/);
  const before = await hoverMhz(page),
    views = server.views.length;
  for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -240);
  await until(() => server.views.length > views && width(lastView(server)) < 0.3e6, 'a narrow view');
  const view = lastView(server);
  assert.ok(view.id > server.views[0].id);
  assert.ok(Math.abs((view.low_hz + 0.8 * width(view)) / 1e6 - before) < 0.005, 'the frequency under the cursor stays');
  assert.ok(Math.abs((await hoverMhz(page)) - before) < 0.005);
  await untilText(page, '#view-line', /Span \d+(\.\d+)? kHz/);
  await drawn(page, 30);
  await screenshot(page, 'page_zoomed');
});

for (const [renderer, name] of [
  ['gl', 'WebGL2'],
  ['2d', 'Canvas2D'],
])
  scene(
    `the newest line is one row however often the view changes ${name}`,
    { hash: `#speed=8&renderer=${renderer}` },
    async ({ page, server }) => {
      const rows = async () =>
        (await waterfallColumn(page, 0.5)).filter(([red, green, blue]) => red + green + blue > 50).length;
      await until(async () => (await rows()) > 30, 'some rows');
      server.state.silent = true;
      await stillWaterfall(page);
      const zoom = async () => {
        const views = server.views.length;
        await page.keyboard.press('+');
        await until(() => server.views.length > views, 'a new view');
        await drawn(page, 10);
      };
      await zoom(); // now the newest line has been sent, even if there was no credit for it
      await stillWaterfall(page);
      const before = await rows();
      for (let i = 0; i < 5; i++) await zoom();
      assert.equal(await rows(), before);
    },
  );

scene(
  'drag pans and double click shows the whole span',
  { hash: '#low=433900000&high=434300000' },
  async ({ page, server }) => {
    assert.equal(lastView(server).low_hz, 433.9e6);
    const { waterfall } = await plots(page);
    const y = waterfall.y + 100;
    await page.mouse.move(waterfall.x + 0.5 * waterfall.width, y);
    await page.mouse.down();
    await page.mouse.move(waterfall.x + 0.25 * waterfall.width, y, { steps: 5 });
    await page.mouse.up();
    await until(() => Math.abs(lastView(server).low_hz - 434.0e6) < 1000, 'a quarter of the view further up');
    assert.ok(Math.abs(width(lastView(server)) - 0.4e6) < 1);
    await page.mouse.dblclick(waterfall.x + 300, y);
    await until(() => lastView(server).low_hz === undefined, 'the whole span');
  },
);

scene('shift and wheel pans', { hash: '#low=433900000&high=434300000' }, async ({ page, server }) => {
  const { waterfall } = await plots(page);
  await page.mouse.move(waterfall.x + 300, waterfall.y + 50);
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 500);
  await page.keyboard.up('Shift');
  await until(() => Math.abs(lastView(server).low_hz - 434.1e6) < 1000, 'half a view further up');
});

scene(
  'wheel over the levels changes the range and no view',
  { hash: '#bottom=-120&top=0' },
  async ({ page, server }) => {
    const { display } = await plots(page);
    const views = server.views.length;
    await page.mouse.move(display.x + 20, display.y + 100);
    await page.mouse.wheel(0, -300);
    await until(async () => !/bottom=-120&top=0/.test(await hash(page)), 'a new range in the address');
    const [, bottom, top] = /bottom=(-?[\d.]+)&top=(-?[\d.]+)/.exec(await hash(page)).map(Number);
    assert.ok(top - bottom < 100 && bottom > -120 && top < 0, `${bottom} .. ${top}`);
    assert.equal(server.views.length, views);
  },
);

scene('wheel over the times changes the speed', {}, async ({ page }) => {
  const { display, waterfall } = await plots(page);
  await page.mouse.move(display.x + 20, waterfall.y + 100);
  await page.mouse.wheel(0, -100);
  await until(async () => /speed=3/.test(await hash(page)), 'speed=3');
});

scene('a drag belongs to the scale on which it begins', { hash: '#bottom=-120&top=0' }, async ({ page, server }) => {
  const { display, waterfall } = await plots(page),
    x = display.x + 20,
    lines = server.line;
  await until(() => server.line > lines + 60, 'rows to scroll');
  const dragFromTo = async (from, to) => {
    await page.mouse.move(x, from);
    await page.mouse.down();
    await page.mouse.move(x, to, { steps: 10 });
    await page.mouse.up();
  };
  await dragFromTo(waterfall.y + 30, display.y + 60); // from the times up over the levels
  await page.keyboard.press('t'); // the address follows later
  await until(async () => /detector=max/.test(await hash(page)), 'a newer address');
  assert.match(await hash(page), /bottom=-120&top=0/);
  await dragFromTo(display.y + 60, waterfall.y + 60); // from the levels down over the times
  // 100 dBFS is the highest top
  const expected = Math.min(100, (120 * (waterfall.y - display.y)) / (waterfall.y - display.y - 30));
  await until(async () => {
    const [, bottom, top] = /bottom=(-?[\d.]+)&top=(-?[\d.]+)/.exec(await hash(page)).map(Number);
    return Math.abs(top - bottom - 120) < 0.01 && Math.abs(top - expected) < 1;
  }, `levels up to ${expected}`);
});

scene('keys pan zoom and step the detector', { hash: '#low=433900000&high=434300000' }, async ({ page, server }) => {
  await page.keyboard.press('ArrowRight');
  await until(() => Math.abs(lastView(server).low_hz - 433.94e6) < 1, 'a tenth up');
  await page.keyboard.press('ArrowLeft');
  await until(() => Math.abs(lastView(server).low_hz - 433.9e6) < 1, 'and back');
  await page.keyboard.press('+');
  await until(() => Math.abs(width(lastView(server)) - 0.4e6 / 1.5) < 1, 'zoomed in');
  await page.keyboard.press('-');
  await until(() => Math.abs(width(lastView(server)) - 0.4e6) < 1, 'zoomed out');
  await page.keyboard.press('0');
  await until(() => lastView(server).low_hz === undefined, 'the whole span');
  await page.keyboard.press('t');
  await until(() => lastView(server).detector === 'max', 'the next detector');
  await page.keyboard.press('?');
  await page.locator('#help').waitFor({ state: 'visible' });
  assert.match(await textOf(page, '#keys'), /pause and resume/);
  await page.keyboard.press('Escape');
  await page.locator('#help').waitFor({ state: 'hidden' });
});

scene(
  'a click that shakes a little moves nothing',
  { hash: '#low=433900000&high=434300000' },
  async ({ page, server }) => {
    const { waterfall } = await plots(page),
      views = server.views.length;
    await page.mouse.move(waterfall.x + 300, waterfall.y + 100);
    await page.mouse.down();
    await page.mouse.move(waterfall.x + 302, waterfall.y + 101);
    await page.mouse.up();
    await drawn(page, 30);
    assert.equal(server.views.length, views);
  },
);

scene(
  'the menu of a phone runs the commands',
  { page: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  async ({ page, server }) => {
    await page.tap('#menu-open');
    const menu = page.locator('#menu');
    await menu.waitFor({ state: 'visible' });
    await screenshot(page, 'page_phone_menu');
    await menu.getByRole('button', { name: /zoom in/i }).tap();
    await menu.waitFor({ state: 'hidden' });
    await until(() => lastView(server).low_hz !== undefined, 'a narrower view');
    await page.tap('#menu-open');
    await menu.getByRole('button', { name: /keys and gestures/i }).tap();
    await page.locator('#help').waitFor({ state: 'visible' });
  },
);

scene('a button says its command and key', {}, async ({ page }) => {
  assert.equal(await page.locator('#pause').getAttribute('title'), 'Pause and resume (Space)');
  assert.equal(await page.locator('#menu-open').isVisible(), false, 'a keyboard and a mouse need no menu');
  await page.click('#help-open');
  await page.locator('#help').waitFor({ state: 'visible' });
});

scene('an input with the focus gets the keys', {}, async ({ page, server }) => {
  await page.click('#controls-open');
  await page.click('#token');
  const views = server.views.length;
  await page.keyboard.type('a+-t ?0');
  await page.keyboard.press('ArrowLeft');
  await drawn(page, 20);
  assert.equal(await page.locator('#token').inputValue(), 'a+-t ?0');
  assert.equal(await page.locator('#paused').isVisible(), false);
  assert.equal(await page.locator('#help').isVisible(), false);
  assert.equal(server.views.filter((view) => view.detector !== 'mean').length, 0);
  assert.ok(server.views.length <= views + 1); // one for the width that the controls leave
});

scene('up and down shift the levels and a fits them', { hash: '#bottom=-60&top=0' }, async ({ page }) => {
  await page.keyboard.press('ArrowUp');
  await until(async () => /bottom=-65&top=-5/.test(await hash(page)), '5 dB');
  await page.keyboard.press('ArrowDown');
  await until(async () => /bottom=-60&top=0/.test(await hash(page)), 'and back');
  await page.keyboard.press('a');
  await until(async () => !/bottom/.test(await hash(page)), 'an automatic range is not kept in the address');
});

scene(
  'two fingers zoom and keep their frequencies',
  { page: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  async ({ page, server }) => {
    const { waterfall } = await plots(page);
    const touch = await page.context().newCDPSession(page);
    const at = (fraction, id) => ({ x: waterfall.x + fraction * waterfall.width, y: waterfall.y + 80, id });
    const send = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await send('touchStart', [at(0.4, 1)]);
    await send('touchStart', [at(0.4, 1), at(0.6, 2)]);
    for (let i = 1; i <= 8; i++) await send('touchMove', [at(0.4 - 0.025 * i, 1), at(0.6 + 0.025 * i, 2)]);
    await send('touchEnd', []);
    await until(() => Math.abs(width(lastView(server)) - 0.8e6) < 20e3, 'a third of the span');
    const view = lastView(server);
    assert.ok(Math.abs(view.low_hz + 0.2 * width(view) - (432.72e6 + 0.4 * 2.4e6)) < 10e3);
  },
);

scene(
  'a link restores what was shown',
  { hash: '#low=434&high=434.2M&detector=max&palette=viridis&speed=4' },
  async ({ page, server }) => {
    assert.deepEqual(
      [lastView(server).low_hz, lastView(server).high_hz, lastView(server).detector],
      [434e6, 434.2e6, 'max'],
    );
    assert.equal(await page.locator('#palette').inputValue(), 'viridis');
    await page.selectOption('#detector', 'min');
    await until(() => lastView(server).detector === 'min', 'min');
    await until(
      async () => (await hash(page)) === '#low=434M&high=434.2M&detector=min&palette=viridis&speed=4',
      'the address follows',
    );
  },
);

scene(
  'a view outside of a retuned span becomes the whole span',
  { hash: '#low=433900000&high=434000000' },
  async ({ page, server }) => {
    server.state.centerHz = 868.3e6;
    await until(() => lastView(server).low_hz === undefined, 'the whole span');
    await untilText(page, '#view-line', /Centre 868\.3000 MHz/);
  },
);

scene(
  'the phone shows everything without scrolling sideways',
  {
    server: { simulated: true },
    page: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  },
  async ({ page, server }) => {
    await until(() => server.line > 75, 'rows');
    const { scroll, inner } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      inner: innerWidth,
    }));
    assert.ok(scroll <= inner, `${scroll} > ${inner}`);
    for (const id of ['peak-hz', 'peak-db', 'simulated', 'link', 'tune-open', 'menu-open', 'ledger-lost']) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, id);
    }
    await screenshot(page, 'page_phone');
    await useTool(page, 'controls-open');
    await page.locator('#control-reason').waitFor({ state: 'visible' });
    await screenshot(page, 'page_phone_panel');
  },
);
