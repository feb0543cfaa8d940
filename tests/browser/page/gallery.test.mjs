// The components of the page in each theme (web/gallery.html): axe finds nothing, texts have contrast, states differ,
// and boxes neither cut their texts nor cover each other. Screenshots are kept; fonts differ too much to compare
// pixels.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, screenshot, withPage } from '../browser.mjs';
import { MockServer } from '../mock_server.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const THEMES = {
  dark: { colorScheme: 'dark' },
  light: { colorScheme: 'light' },
  dark_contrast: { colorScheme: 'dark', contrast: 'more' },
  light_contrast: { colorScheme: 'light', contrast: 'more' },
  forced: { forcedColors: 'active' },
};
const SCREENS = { desktop: { width: 1280, height: 1000 }, phone: { width: 390, height: 844 } };
let browser, server;
before(async () => {
  browser = await launch();
  server = await new MockServer().start();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What a state looks like, by its name. */
const looks = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('[data-state]')].map((element) => {
        const { color, backgroundColor, borderLeftColor, opacity } = getComputedStyle(element);
        return [element.dataset.state, [color, backgroundColor, borderLeftColor, opacity].join(' ')];
      }),
    ),
  );

/** Controls whose text is cut, or that another one covers. */
const faults = (page) =>
  page.evaluate(() => {
    const all = [
      ...document.querySelectorAll('#dock .buttons button, #dock label > *, #dock-head button, #tools button'),
    ].filter((element) => element.checkVisibility());
    const placeOf = (element) => element.closest('[role=tabpanel], nav, #dock-head'); // a panel scrolls
    const boxes = all.map((element) => element.getBoundingClientRect());
    return all.flatMap((element, i) => [
      ...(element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
        ? [`${element.textContent} is cut`]
        : []),
      ...boxes
        .slice(i + 1)
        .flatMap((box, j) =>
          placeOf(element) === placeOf(all[i + 1 + j])
          && box.left < boxes[i].right - 1
          && box.right > boxes[i].left + 1
          && box.top < boxes[i].bottom - 1
          && box.bottom > boxes[i].top + 1
            ? [`${element.textContent} and ${all[i + 1 + j].textContent}`]
            : [],
        ),
    ]);
  });

/** The least contrast of the texts, by WCAG's formula, of those whose backgrounds are colours; and its text. */
const leastContrast = (page) =>
  page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const over = (layers) => {
      // from the page up to the text
      canvas.clearRect(0, 0, 1, 1);
      for (const layer of layers) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (rgb) =>
      rgb
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const found = [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          element.checkVisibility()
          && !element.disabled
          && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()),
      )
      .flatMap((element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
          const { backgroundColor, backgroundImage } = getComputedStyle(at);
          if (backgroundImage !== 'none') return [];
          layers.unshift(backgroundColor);
        }
        const back = light(over(layers)),
          front = light(over([...layers, getComputedStyle(element).color]));
        return [[(Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05), element.textContent.trim()]];
      });
    return { count: found.length, least: found.sort(([a], [b]) => a - b)[0] };
  });

for (const [theme, options] of Object.entries(THEMES))
  for (const [screen, viewport] of Object.entries(SCREENS))
    test(`the components are whole and legible: ${theme}, ${screen}`, { timeout: 120000 }, () =>
      withPage(
        browser,
        `${server.url}gallery.html`,
        async (page) => {
          await screenshot(page, `gallery_${theme}_${screen}`);
          assert.deepEqual(await faults(page), []);
          const {
            count,
            least: [ratio, text],
          } = await leastContrast(page);
          assert.ok(count > 40, `${count} texts`);
          assert.ok(ratio >= (/contrast|forced/.test(theme) ? 7 : 4.5), `${ratio} of ${text}`);
          const { plain, on, primary, disabled, tool, invalid, ...tools } = await looks(page);
          assert.equal(tools['tool on'], tools['tool open'], 'on and open look the same');
          assert.equal(
            new Set([plain, on, disabled, primary].concat(theme === 'forced' ? [] : invalid)).size,
            theme === 'forced' ? 3 : 5,
            'plain, on, primary, disabled and invalid differ',
          );
          assert.notEqual(tool, tools['tool on']);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${id} ${nodes[0].target}`),
            [],
          );
        },
        { viewport, ...options },
      ),
    );
