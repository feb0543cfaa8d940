// The waterfall's own range of levels: colours that follow from it alone, whatever the range of the spectrum is.
import assert from 'node:assert/strict';
import { drawn, until, waterfallColumn } from '../browser.mjs';
import { scene } from './scene.mjs';

// The mock's noise is -100 .. -95 dBFS; the tone is elsewhere.
const colour = async (page) => (await waterfallColumn(page, 0.2))[20].slice(0, 3);
const isGray = ([r, g, b], from, to) => r === g && g === b && r >= from && r <= to;
const shows = (page, what, check) => until(async () => check(await colour(page)), what);
const OVER = '255,64,208';

for (const renderer of ['2d', 'gl'])
  scene(
    `the waterfall has a range of its own ${renderer}`,
    { hash: `#palette=gray&renderer=${renderer}&bottom=-200&top=0` },
    async ({ page }) => {
      const address = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('waterfall'));
      const type = async (id, text) => {
        await page.fill(id, text);
        await page.press(id, 'Tab');
      };
      await shows(page, 'the range of the spectrum: half gray', (rgb) => isGray(rgb, 122, 140));
      assert.equal(await page.locator('#waterfall-top').isVisible(), false);

      await page.selectOption('#waterfall-mode', 'own');
      assert.equal(await page.inputValue('#waterfall-bottom'), '\u2212200');
      await type('#waterfall-top', '-60');
      await type('#waterfall-bottom', '-120'); // 20 to 25 of 60 dB
      await shows(page, 'a third to two fifths of the range', (rgb) => isGray(rgb, 80, 112));
      await until(async () => (await address()) === '-120:-60', 'the address');
      await type('#waterfall-top', '-110');
      await shows(page, 'levels over the range', (rgb) => rgb.join() === OVER);
      await type('#waterfall-top', '-119'); // less than 5 dB: refused
      assert.notEqual(await page.getAttribute('#waterfall-top', 'aria-invalid'), null);
      await until(async () => (await address()) === '-120:-110', 'the address with the last good one');
      await type('#waterfall-top', '-20');
      await type('#waterfall-bottom', '-90');
      await shows(page, 'levels below the range', (rgb) => isGray(rgb, 0, 0));
      assert.equal(await page.inputValue('#ref'), '0', 'the spectrum keeps its own');

      await page.selectOption('#waterfall-mode', 'auto');
      await shows(page, 'a dark gray: the floor is just above the bottom', (rgb) => isGray(rgb, 5, 60));
      await until(async () => (await address()) === 'auto', 'the address');
      await page.selectOption('#waterfall-mode', 'spectrum');
      await shows(page, 'half gray again', (rgb) => isGray(rgb, 122, 140));
    },
  );

scene(
  'a link brings the range of the waterfall',
  { hash: '#palette=gray&waterfall=-120:-60&bottom=-200&top=0' },
  async ({ page }) => {
    await drawn(page, 3);
    await shows(page, 'its colours', (rgb) => isGray(rgb, 80, 112));
    assert.deepEqual(
      [await page.inputValue('#waterfall-bottom'), await page.inputValue('#waterfall-mode')],
      ['\u2212120', 'own'],
    );
  },
);
