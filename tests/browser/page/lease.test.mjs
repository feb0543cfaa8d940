// The control lease on two pages of a real fftd: who changes the radio, taking over, and a viewer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const TOKEN = 'correct horse battery';
const LOOK = { colorScheme: 'dark', allow: [/fftd/] };

async function join(page, name, token) {
  await untilText(page, '#peak-hz', /Hz/);
  await page.keyboard.press('c');
  if (token) {
    await page.fill('#token', token);
    await page.press('#token', 'Enter');
    await page.locator('#token-form').waitFor({ state: 'hidden' });
  }
  if (name) {
    await page.fill('#lease-name', name);
    await page.press('#lease-name', 'Tab');
  }
}

async function setGain(page, gain) {
  await page.fill('#set-gain', gain);
  await page.press('#set-gain', 'Enter');
}

test('two holders of the token change the radio one at a time', { timeout: 120000 }, async () => {
  const daemon = await startDaemon(['--source', 'sim', '--token', TOKEN, '--control-lease', '1h']);
  const gainIs = (gain) =>
    until(
      async () => (await (await fetch(`${daemon.url}api/v1/status`)).json()).wanted.gain === gain,
      `a gain of ${gain}`,
    );
  try {
    await withPage(
      browser,
      daemon.url,
      (ann) =>
        withPage(
          browser,
          daemon.url,
          (bob) =>
            withPage(
              browser,
              daemon.url,
              async (viewer) => {
                await join(ann, 'Ann', TOKEN);
                await join(bob, 'Bob', TOKEN);
                await join(viewer);
                assert.match(
                  await textOf(ann, '#lease-text'),
                  /^Nobody controls the radio: your first change takes control\.$/,
                );
                await setGain(ann, '10');
                await gainIs('10');
                await untilText(ann, '#lease-text', /^You control the radio, for 3\d\d\d s after the last change\.$/);
                await untilText(bob, '#lease-text', /^Ann \(127\.0\.0\.1\) controls the radio, for 3\d\d\d s more\.$/);
                assert.equal(await bob.locator('#set-gain').isDisabled(), true);
                await bob.fill('#entry', '433.92M');
                await bob.press('#entry', 'Enter');
                await untilText(bob, '#tune-note', /^Ann \(127\.0\.0\.1\) controls the radio\. It receives /);
                await screenshot(bob, 'lease_held');

                await untilText(viewer, '#lease-text', /^Ann controls the radio, for 3\d\d\d s more\.$/);
                assert.match(
                  await textOf(viewer, '#control-reason'),
                  /^Viewing only: changing the radio needs the control token\.$/,
                );
                assert.equal(await viewer.locator('#lease-take').isVisible(), false);
                assert.equal(await viewer.locator('#set-gain').isDisabled(), true);

                await bob.click('#lease-take');
                await untilText(ann, '#message-text', /^Bob \(127\.0\.0\.1\) took control of the radio\.$/);
                assert.equal(await ann.locator('#set-gain').isDisabled(), true);
                await setGain(bob, '20');
                await gainIs('20');
                await bob.click('#lease-release');
                await untilText(ann, '#lease-text', /^Nobody/);
                await setGain(ann, '30');
                await gainIs('30');
              },
              LOOK,
            ),
          LOOK,
        ),
      LOOK,
    );
  } finally {
    await daemon.stop();
  }
});
