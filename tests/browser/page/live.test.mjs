// What the page shows while a radio runs.
import assert from 'node:assert/strict';
import {
  drawn,
  isFaultVisible,
  isSeamVisible,
  plots,
  screenshot,
  stillWaterfall,
  textOf,
  until,
  untilText,
  waterfallColumn,
  waterfallHash,
} from '../browser.mjs';
import { scene } from './scene.mjs';

const SPAN = { low: 433.92e6 - 1.2e6, width: 2.4e6 };
const TONE = (434.1e6 - SPAN.low) / SPAN.width; // 0 .. 1 of the plot
const pixel = async (page, x) => (await waterfallColumn(page, x))[20];
const warm = ([red, , blue]) => red > blue + 60;

scene('peak readout names the tone and the waterfall moves', {}, async ({ page, server }) => {
  assert.equal(await textOf(page, '#peak-hz'), '434.1000 MHz');
  assert.equal(await textOf(page, '#peak-db'), '-20.0');
  await untilText(page, '#link-text', /^Live$/);
  const first = await waterfallHash(page);
  await until(async () => (await waterfallHash(page)) !== first, 'the waterfall moves');
  assert.equal(server.views[0].columns, await page.evaluate(() => document.getElementById('waterfall').width));
  assert.equal(server.views[0].low_hz, undefined); // the whole span
  await until(() => server.line > 60, 'two seconds of lines');
  await screenshot(page, 'page_live');
});

scene(
  'a time line that is opened before the first status gets its slider with it',
  { server: { withoutStatus: true, archive: { start: '1970-01-01T00:00:00Z', row_s: 1 } } },
  async ({ page, server }) => {
    await page.keyboard.press('z');
    await page.locator('#time-wanted').waitFor();
    assert.equal(await page.locator('#time-slider').isVisible(), false);
    server.state.withoutStatus = false;
    await page.locator('#time-slider').waitFor();
  },
);

scene('credit comes back for every frame that was drawn', {}, async ({ page, server }) => {
  await until(() => server.credits > 20, 'credits');
  assert.ok(server.maxInFlight <= 2);
  assert.ok(server.credits <= server.line);
  await untilText(page, '#ledger-lines', /^25\/s, shown \d+/);
});

scene('ledger line shows the figures of the spectra', {}, async ({ page }) => {
  for (const [id, text] of Object.entries({
    lost: 'none',
    clipped: '0',
    rate: '2.4 MS/s',
    spectra: '1.17 k/s',
    poi: '100 % \u2265 2.56 ms',
    fft: '4 096 hann 50 %',
    engine: 'cpu',
    gain: 'auto',
  }))
    assert.equal(await textOf(page, `#ledger-${id}`), text, id);
  assert.equal(await page.locator('#ledger-lost').getAttribute('class'), '');
  assert.match(await textOf(page, '#view-line'), /Centre 433\.9200 MHz.*Span 2\.4 MHz.*RBW 879 Hz.*Detector mean/);
});

scene('lost samples are red and named by cause', {}, async ({ page, server }) => {
  Object.assign(server.state.lost, { overflow: 12345, retune: 100 });
  await untilText(page, '#ledger-lost', /^12 445 \(overflow 12 345, retune 100\)$/);
  assert.equal(await page.locator('#ledger-lost').getAttribute('class'), 'bad');
  const colour = await page.locator('#ledger-lost').evaluate((e) => getComputedStyle(e).backgroundColor);
  const [red, green, blue] = colour.match(/\d+/g).map(Number);
  assert.ok(red > 180 && green < 130 && blue < 130, colour);
  await screenshot(page, 'page_lost');
});

scene('clipped samples come with the advice of the server and with no other', {}, async ({ page, server }) => {
  const title = () => page.locator('div:has(> #ledger-clipped)').getAttribute('title');
  server.state.clipped = 3;
  await untilText(page, '#ledger-clipped', /^3$/);
  assert.doesNotMatch(await title(), /gain/); // the server says where there is one
  server.state.advice = 'samples are clipped: turn the gain down';
  await until(
    async () => /since the start: samples are clipped: turn the gain down$/.test(await title()),
    'the advice',
  );
});

scene(
  'samples lost to a retune are counted, and nothing is wrong',
  { server: { lost: { overflow: 0, overrun: 0, gap: 0, retune: 5, tail: 2 } } },
  async ({ page }) => {
    await untilText(page, '#ledger-lost', /^7 \(retune 5, tail 2\)$/);
    assert.equal(await page.locator('#ledger-lost').getAttribute('class'), '');
  },
);

for (const [renderer, name] of [
  ['gl', 'WebGL2'],
  ['2d', 'Canvas2D'],
])
  scene(
    `a break is a dashed line red if samples were lost ${name}`,
    { hash: `#speed=8&renderer=${renderer}` },
    async ({ page, server }) => {
      const { waterfall } = await plots(page);
      const breakNow = async () => {
        server.state.gapNext = true;
        await until(() => !server.state.gapNext, 'a frame with it');
      };
      /** What the box at the cursor says of the newest break. */
      const reason = async () => {
        for (let y = 2; y < waterfall.height; y += 4) {
          await page.mouse.move(waterfall.x + 200, waterfall.y + y);
          await drawn(page, 2);
          const text = (await textOf(page, '#hover')).split('\n')[1];
          if (/here/.test(text)) return text;
        }
        return 'no break';
      };
      await until(() => server.line > 30, 'some rows');
      await breakNow();
      await until(() => isSeamVisible(page), 'the end of a loop');
      assert.equal(await isFaultVisible(page), false);
      server.state.lost.overflow += 1234;
      await breakNow();
      server.state.silent = true; // so that it stays visible
      await until(() => isFaultVisible(page), 'a row in the colour of faults');
      await stillWaterfall(page);
      assert.equal(await reason(), 'samples lost here: overflow 1 234');
    },
  );

scene('merged lines are counted', { server: { merged: 7 } }, async ({ page }) => {
  await untilText(page, '#ledger-lines', /, up to 7 merged$/);
});

scene('simulation is marked and a radio is not', {}, async ({ page, server }) => {
  assert.equal(await page.locator('#simulated').isVisible(), false);
  server.state.simulated = true;
  await page.locator('#simulated').waitFor({ state: 'visible' });
  assert.equal(await textOf(page, '#simulated'), 'SIMULATED');
  assert.match(await page.title(), /^SIMULATED /);
  server.state.simulated = false;
  await page.locator('#simulated').waitFor({ state: 'hidden' });
});

scene('hover reads frequency level and in the waterfall time', {}, async ({ page, server }) => {
  await until(() => server.line > 50, 'rows');
  const { display, waterfall } = await plots(page);
  const x = waterfall.x + TONE * waterfall.width;
  await page.mouse.move(x, display.y + 120);
  await untilText(page, '#hover', /^434\.1\d\d MHz/);
  const [frequency, level] = (await textOf(page, '#hover')).split('\n');
  assert.ok(Math.abs(parseFloat(frequency.replace(/ /g, '')) - 434.1) < 0.004, frequency);
  assert.match(level, /^-\d+\.\d dBFS$/);
  await page.mouse.move(x, waterfall.y + 40);
  await untilText(page, '#hover', /^434\.\d+ MHz\n-?[\d.]+ dBFS\n2026-02-03 12:00:\d\d\.\d{3} UTC$/);
  await page.mouse.move(5, 5);
  await page.locator('#hover').waitFor({ state: 'hidden' });
});

scene(
  'the range follows the spectrum until the user chooses one',
  { server: { noiseDb: -80 } },
  async ({ page, server }) => {
    const bottom = () => page.evaluate(() => Number(/bottom=(-?\d+)/.exec(location.hash)?.[1]));
    const pressed = () => page.locator('#auto').getAttribute('aria-pressed');
    assert.equal(await pressed(), 'true');
    server.state.noiseDb = -130; // as after a larger FFT
    const line = server.line;
    await until(() => server.line > line + 10, 'frames with the lower floor');
    await page.keyboard.press('ArrowDown'); // 5 dB higher: the user's from now on
    await until(async () => (await bottom()) < -120, 'a range around the lower floor');
    assert.equal(await pressed(), 'false');
    const chosen = await bottom();
    server.state.noiseDb = -60;
    await until(() => server.line > line + 60, 'frames with a higher floor');
    assert.equal(await bottom(), chosen);
    await page.keyboard.press('a');
    await until(async () => (await pressed()) === 'true', 'following again');
  },
);

for (const [renderer, name] of [
  ['gl', 'WebGL2'],
  ['2d', 'Canvas2D'],
])
  scene(
    `a level above the range has a colour of its own ${name}`,
    { hash: `#renderer=${renderer}&bottom=-120&top=-30` },
    async ({ page, server }) => {
      await until(() => server.line > 50, 'rows');
      const width = await page.evaluate(() => document.getElementById('waterfall').width);
      const over = async (x) => (await pixel(page, x)).slice(0, 3).join() === '255,64,208';
      const near = [-1, 0, 1].map((step) => TONE + step / width);
      await until(
        async () => (await Promise.all(near.map(over))).some(Boolean),
        'the tone at -20 dBFS above the range',
      );
      assert.equal(await over(TONE - 0.2), false);
    },
  );

for (const [renderer, name] of [
  ['gl', 'WebGL2'],
  ['2d', 'Canvas2D'],
])
  scene(
    `waterfall is warm at the tone and cold beside it ${name}`,
    { hash: `#renderer=${renderer}` },
    async ({ page, server }) => {
      assert.equal(await page.evaluate(() => document.body.dataset.renderer), name);
      await until(() => server.line > 50, 'rows');
      const width = await page.evaluate(() => document.getElementById('waterfall').width);
      const near = [-1, 0, 1].map((pixel) => TONE + pixel / width);
      await until(async () => (await Promise.all(near.map((x) => pixel(page, x)))).some(warm), 'a warm tone');
      assert.ok(!warm(await pixel(page, TONE - 0.2)));
    },
  );

scene('deflated frames are drawn like plain ones', { server: { deflate: true } }, async ({ page, server }) => {
  assert.equal(await textOf(page, '#peak-hz'), '434.1000 MHz');
  await until(() => server.credits > 10, 'credits');
});

scene(
  'the page asks for range coded frames and draws them like plain ones',
  { server: { coded: true } },
  async ({ page, server }) => {
    await untilText(page, '#peak-hz', /^434.1000 MHz$/);
    await until(() => server.credits > 10, 'credits');
    assert.equal(server.views.at(-1).coding, 'range');
    const width = await page.evaluate(() => document.getElementById('waterfall').width);
    const near = [-1, 0, 1].map((pixel) => TONE + pixel / width);
    await until(async () => (await Promise.all(near.map((x) => pixel(page, x)))).some(warm), 'a warm tone');
    assert.ok(!warm(await pixel(page, TONE - 0.2)));
  },
);

scene(
  'pause freezes the picture but not the ledger',
  { hash: '#speed=8', server: { linesPerSecond: 10 } },
  async ({ page, server }) => {
    await until(() => server.line > 20, 'rows');
    await page.keyboard.press(' ');
    await page.locator('#paused').waitFor({ state: 'visible' });
    const frozen = await stillWaterfall(page); // all rows have scrolled in
    server.state.lost.overrun = 4711;
    await untilText(page, '#ledger-lost', /overrun 4 711/);
    assert.equal(await waterfallHash(page), frozen);
    await page.keyboard.press(' ');
    await until(async () => (await waterfallHash(page)) !== frozen, 'the waterfall moves again');
    server.state.silent = true; // so that it stays visible
    await until(() => isFaultVisible(page), 'a mark of what was lost meanwhile');
  },
);

scene(
  'a missing radio is shown with the reason',
  { server: { state: 'waiting', message: 'no SoapySDR device' } },
  async ({ page }) => {
    await untilText(page, '#link-text', /^Waiting: no SoapySDR device$/);
  },
);

scene(
  'the message of a running radio is shown',
  { server: { message: 'sdr: cannot tune: too high' } },
  async ({ page }) => {
    await untilText(page, '#link-text', /^Live: sdr: cannot tune: too high$/);
    assert.equal(await page.locator('#link').getAttribute('data-kind'), 'waiting');
  },
);

scene('works below a path of a proxy', { path: 'below/' }, async ({ page }) => {
  await untilText(page, '#link-text', /^Live$/);
});

scene('a light colour scheme gives a light page', { page: { colorScheme: 'light' } }, async ({ page }) => {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.ok(
    colour.match(/\d+/g).every((part) => Number(part) > 200),
    colour,
  );
  await screenshot(page, 'page_light');
});

scene('times are local ones on request and stay so', { page: { timezoneId: 'Asia/Tokyo' } }, async ({ page }) => {
  const label = 'div[data-figure=clock] dt';
  const hour = async () => (await textOf(page, '#ledger-clock')).slice(0, 2);
  await untilText(page, '#ledger-clock', /^1[2-9]:/); // the mock's day begins at 12:00 UTC
  assert.equal(await textOf(page, label), 'UTC');
  await page.keyboard.press('Shift+Z');
  await untilText(page, label, /^UTC\+0900$/);
  await until(async () => (await hour()) === '21', 'nine hours later');
  await page.reload();
  await untilText(page, label, /^UTC\+0900$/);
  await untilText(page, '#ledger-clock', /^21:/);
  await page.keyboard.press('Shift+Z');
  await untilText(page, label, /^UTC$/);
  await untilText(page, '#ledger-clock', /^12:/);
});
