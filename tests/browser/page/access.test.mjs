// Accessibility: what axe-core finds in each state of the page, and the keyboard without a mouse.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { drawn, until, untilText, useTool } from '../browser.mjs';
import { scene } from './scene.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What axe finds, a line each. @param {string[]} [rules] all if not given */
async function findings(page, rules) {
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(runOnly ? { runOnly } : {}), rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id} ${target}: ${any[0]?.message ?? ''}`),
  );
}

const STATES = {
  picture: async () => {},
  controls: (page) => useTool(page, 'controls-open'),
  help: (page) => page.keyboard.press('?'),
  markers: async (page) => {
    await page.keyboard.press('i');
    await page.keyboard.press('m');
    await page.keyboard.press('Shift+M');
  },
  menu: (page) => page.evaluate(() => document.getElementById('menu-open').click()), // also where it is hidden
  message: (page, server) => server.sendRaw(JSON.stringify({ type: 'error', message: 'a view needs a detector' })),
};

for (const [device, options] of [
  ['desktop', {}],
  ['phone', PHONE],
])
  for (const [state, enter] of Object.entries(STATES))
    scene(
      `axe finds nothing ${state} ${device}`,
      { page: { colorScheme: 'dark', ...options } },
      async ({ page, server }) => {
        await page.evaluate(AXE);
        await enter(page, server);
        await drawn(page, 3);
        assert.deepEqual(await findings(page), []);
        await page.emulateMedia({ colorScheme: 'light' }); // colours are all that is different
        await drawn(page, 3);
        assert.deepEqual(await findings(page, ['color-contrast']), []);
      },
    );

for (const [device, options] of [
  ['desktop', { viewport: { width: 1280, height: 720 } }],
  ['phone', PHONE],
])
  scene(`the list of keys is shown from its start ${device}`, { page: options }, async ({ page }) => {
    await page.keyboard.press('?');
    await page.locator('#help').waitFor({ state: 'visible' });
    const inView = (selector) =>
      page.evaluate((wanted) => {
        const box = document.querySelector(wanted).getBoundingClientRect(),
          { top, bottom } = document.getElementById('help').getBoundingClientRect();
        return box.top >= top && box.bottom <= bottom;
      }, selector);
    for (const part of ['#help-title', '#keys dt', '#help-close']) assert.ok(await inView(part), part);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'help-close');
    await page.keyboard.press('Enter');
    await page.locator('#help').waitFor({ state: 'hidden' });
  });

/** The controls that cannot be scrolled into view and clicked. */
const unreachable = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, summary, a[href], [role=spinbutton]')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
      .filter((element) => {
        element.scrollIntoView({ block: 'center', inline: 'center' });
        const { x, y, width, height } = element.getBoundingClientRect(),
          top = document.elementFromPoint(x + width / 2, y + height / 2);
        return !element.contains(top) && !element.closest('label')?.contains(top);
      })
      .map((element) => element.id || element.name || element.textContent),
  );

// WCAG 1.4.10: a window of 1280 x 1024 at 400 % has 320 x 256 CSS pixels.
scene(
  'at 400 % every control can be reached, and the heading stays',
  { server: { control: true, simulated: true }, page: { viewport: { width: 320, height: 256 } } },
  async ({ page }) => {
    assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
    assert.deepEqual(await unreachable(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, 'nothing scrolls two ways');
    for (const sheet of ['tools-View', 'tools-Analyse', 'tools-Capture', 'tools-Radio', 'tune']) {
      await page.locator(`[popovertarget=${sheet}]`).click();
      assert.ok((await page.locator(`#${sheet} :is(button, input):visible`).count()) > 0, sheet);
      const outside = await page.evaluate(
        (id) =>
          [...document.querySelectorAll(`#${id} :is(button, input, select)`)]
            .filter((one) => one.checkVisibility())
            .filter((one) => {
              one.scrollIntoView({ block: 'nearest' });
              const { left, right, top, bottom } = one.getBoundingClientRect();
              return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
            })
            .map((one) => one.id),
        sheet,
      );
      assert.deepEqual(outside, [], sheet);
      await page.keyboard.press('Escape');
    }
    for (const key of ['i', 'o', 'c']) {
      await page.keyboard.press(key);
      await drawn(page, 3);
      assert.deepEqual(await unreachable(page), [], key);
      await page.keyboard.press('Escape');
    }
  },
);

scene('titles of buttons name the key that does the same', { server: { control: true } }, async ({ page, server }) => {
  for (const [id, sign] of [
    ['step-down', -1],
    ['step-up', 1],
  ]) {
    const [, key] = /\((.)\)$/.exec(await page.locator(`#${id}`).getAttribute('title'));
    const { centerHz } = server.state,
      sets = server.sets.length;
    await page.keyboard.press(key);
    await until(() => server.sets.length > sets, `a step by ${key}`);
    assert.equal(Math.sign(server.sets.at(-1).center_hz - centerHz), sign, key);
    await until(
      () => page.evaluate(() => !document.getElementById('digits').classList.contains('pending')),
      'the radio there',
    );
  }
});

scene('escape closes the controls also from a field', { server: { control: true } }, async ({ page }) => {
  for (const focus of ['#dock-close', '#tab-controls', '#radio [name=gain]']) {
    await page.keyboard.press('c');
    await page.locator(focus).focus();
    await page.keyboard.press('Escape');
    await page.locator('#controls').waitFor({ state: 'hidden' });
    assert.equal(
      await page.evaluate(() => document.activeElement?.id),
      'controls-open',
      'the focus goes back to the button',
    );
  }
});

scene('escape leaves every field', { server: { control: true } }, async ({ page }) => {
  const focused = () => page.evaluate(() => document.activeElement?.id);
  for (const id of ['entry', 'ref', 'step', 'palette', 'detector']) {
    await page.focus(`#${id}`);
    await page.keyboard.press('Escape');
    assert.equal(await focused(), 'display', id);
  }
  await page.keyboard.press('o');
  await page.focus('#bookmark-hz');
  await page.keyboard.press('Escape');
  assert.equal(await focused(), 'bookmarks-open', 'the panel closes, and its button has the focus');
});

scene('a token is asked for where the server has one', { server: { token: true } }, async ({ page }) => {
  await page.click('#controls-open');
  await untilText(page, '#control-reason', /needs the control token/);
  assert.equal(await page.locator('#token-form').isVisible(), true);
});

scene('no token is asked for where none would help', { server: { token: false } }, async ({ page }) => {
  await page.click('#controls-open');
  await untilText(page, '#control-reason', /has no control token/);
  assert.equal(await page.locator('#token-form').isVisible(), false);
});

scene('escape closes a message', {}, async ({ page, server }) => {
  server.sendRaw(JSON.stringify({ type: 'error', message: 'a view needs a detector' }));
  await page.locator('#message').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#message').isVisible(), false); // it would go by itself, but later
});

scene('keys work after a choice with the mouse', {}, async ({ page }) => {
  const { x, y } = await page.locator('#palette').boundingBox();
  await page.mouse.click(x + 10, y + 10);
  await page.locator('#palette').selectOption('gray');
  await page.keyboard.press(' ');
  await page.locator('#paused').waitFor({ state: 'visible' });
});

scene('a choice by keyboard keeps the focus', {}, async ({ page }) => {
  await page.locator('#palette').focus();
  await page.keyboard.press('ArrowDown');
  await until(() => page.evaluate(() => /palette=inferno/.test(location.hash)), 'the next palette');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'palette');
});
