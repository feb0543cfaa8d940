// Presets in the radio's panel, against a real fftd: stored, recalled, removed; a viewer can only read them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, screenshot, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const LOOK = { colorScheme: 'dark', allow: [/fftd/] };
const TOKEN = 'correct horse battery';

test('a preset is stored recalled and removed', { timeout: 120000 }, async () => {
  const daemon = await startDaemon(['--source', 'sim', '--token', TOKEN]);
  const wanted = async () => (await (await fetch(`${daemon.url}api/v1/status`)).json()).wanted;
  const names = (page) => page.locator('#preset-list .recall span').allTextContents();
  try {
    await withPage(
      browser,
      daemon.url,
      (viewer) =>
        withPage(
          browser,
          daemon.url,
          async (page) => {
            for (const each of [page, viewer]) {
              await untilText(each, '#peak-hz', /Hz/);
              await each.keyboard.press('c');
            }
            assert.equal(await viewer.locator('#presets').isVisible(), false);
            await page.fill('#token', TOKEN);
            await page.press('#token', 'Enter');
            await page.locator('#preset-form').waitFor();
            await page.fill('#preset-name', 'Start');
            await page.press('#preset-name', 'Enter');
            await until(async () => (await names(page)).join() === 'Start', 'the preset');
            assert.match((await page.locator('#preset-list small').textContent()) ?? '', /^100\sMHz$/);
            await until(async () => (await page.locator('#preset-name').inputValue()) === '', 'an empty field');

            await page.fill('#set-gain', '20');
            await page.locator('#set-window').selectOption('flat-top');
            await page.click('#radio [type=submit]');
            await until(async () => (await wanted()).window === 'flat-top', 'other settings');
            await page.fill('#preset-name', 'a/b'); // a preset that is recalled does not empty the field
            await page.click('#preset-list .recall');
            await until(async () => {
              const { window, gain } = await wanted();
              return window === 'blackman-harris' && gain === 'auto';
            }, 'the old ones');
            await screenshot(page, 'presets');

            await until(async () => (await names(viewer)).join() === 'Start', 'the preset on the other page');
            assert.equal(await viewer.locator('#preset-list .recall').isDisabled(), true);
            assert.equal(await viewer.locator('#preset-form').isVisible(), false);
            await page.press('#preset-name', 'Enter');
            await untilText(page, '#preset-result', /no slash, and is not \. or \.\.$/);
            await page.click('#preset-list .remove');
            await until(async () => (await names(viewer)).length === 0, 'an empty list');
          },
          LOOK,
        ),
      LOOK,
    );
  } finally {
    await daemon.stop();
  }
});
