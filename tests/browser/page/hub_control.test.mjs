// Control of a radio in the page of a hub, with a mock of the hub: its token, its form, and who changed it last.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { MockHub, radio } from '../mock_hub.mjs';

const options = { timeout: 240000 };
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const TOKEN = 'correct horse battery';
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
});

const SOUTH = radio('roof.south', 100e6, { token: TOKEN }),
  NORTH = radio('barn.north', 101.5e6);

async function withHub(use, { token = null, ...more } = {}) {
  const hub = Object.assign(new MockHub([SOUTH, NORTH]), { token });
  await hub.start();
  try {
    await withPage(browser, hub.url, (page) => use(page, hub), { colorScheme: 'dark', ...more });
  } finally {
    await hub.stop();
  }
}

const card = (page, name = 'roof.south') => page.locator(`.card[aria-label="${name}"]`);
const note = (page) => card(page).locator('form:not([hidden]) > .note, form:not([hidden]) .row .note');

/** Opens the control of the radio and enters a token. */
async function enter(page, token = TOKEN, name = 'alice') {
  const own = card(page);
  if (await own.locator('.control').isHidden()) await own.getByRole('button', { name: 'Control roof.south' }).click();
  await own.getByLabel('Your name').fill(name);
  await own.getByLabel('Token of the radio').fill(token);
  await page.keyboard.press('Enter');
}

test('a radio that takes requests is changed from its card and says by whom', options, () =>
  withHub(async (page, hub) => {
    await card(page).getByRole('button', { name: 'Control roof.south' }).waitFor();
    assert.ok(await card(page, 'barn.north').locator('.control-open').isHidden(), 'it takes no requests');
    await enter(page);
    const centre = card(page).getByLabel('Centre, Hz');
    await until(async () => (await centre.inputValue()) === '100M', 'the value in force');
    assert.ok(await centre.evaluate((field) => field === document.activeElement), 'the first field has the focus');
    assert.ok(await card(page).getByLabel('LNA, 0 to 40 dB').isVisible());
    assert.ok(await card(page).getByLabel('Window').isHidden(), 'it is one step away');
    await centre.fill('433.92 MHz');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab'); // what somebody types stays as it is
    await untilText(page, '.card[aria-label="roof.south"] .row .note', /^Done\.$/);
    assert.deepEqual(
      hub.asked.filter(({ put }) => put),
      [{ put: '/api/v1/radios/roof.south/settings', token: TOKEN, name: 'alice', body: { center_hz: 433.92e6 } }],
    );
    await untilText(page, '.card[aria-label="roof.south"] .tuning', /^433\.920 MHz/);
    await untilText(page, '.card[aria-label="roof.south"] .writer', /^Changed by alice, \d\.\d s ago$/);
    await until(
      () => hub.asked.filter(({ get }) => get?.endsWith('/settings')).length >= 2,
      'the form asks what became of it',
    );
    await until(async () => (await centre.inputValue()) === '433.92M', 'the new value');
    assert.ok(!page.url().includes('horse'));
    assert.deepEqual(
      await page.evaluate(() => [localStorage.length, sessionStorage.length]),
      [0, 0],
      'the token is not stored',
    );
    await screenshot(page, 'hub_control');
  }),
);

test('a wrong token and refused values are said in their place', options, () =>
  withHub(async (page, hub) => {
    await enter(page, 'wrong');
    await until(async () => (await note(page).first().textContent()) === 'The control token is wrong.', 'the refusal');
    await enter(page);
    const rate = card(page).getByLabel('Sample rate, S/s');
    await rate.waitFor();
    await rate.fill('fast');
    await page.keyboard.press('Enter');
    await until(
      async () =>
        (await card(page).locator('#t2-note-rate_hz, #t1-note-rate_hz').textContent())
        === 'Expected a number from 1 to 10G.',
      'what is expected',
    );
    assert.equal(await rate.getAttribute('aria-invalid'), 'true');
    assert.ok(!hub.asked.some(({ put }) => put), 'nothing was sent');
    await rate.fill('20M');
    await page.keyboard.press('Enter');
    await until(
      async () =>
        /^20000000 is not a number/.test(await card(page).locator('#t2-note-rate_hz, #t1-note-rate_hz').textContent()),
      'what the radio says',
    );
    await card(page).getByRole('button', { name: 'Undo' }).click();
    assert.equal(await rate.inputValue(), '2.4M');
    assert.equal(await rate.getAttribute('aria-invalid'), null);
  }),
);

test('a hub with a token of its own asks for both', options, () =>
  withHub(
    async (page, hub) => {
      await until(() => hub.wants.length > 0, 'the first request');
      await card(page).getByRole('button', { name: 'Control roof.south' }).click();
      await card(page).getByLabel('Token of the hub').fill('guess');
      await enter(page);
      await until(
        async () => (await note(page).first().textContent()) === 'The token of the hub is wrong.',
        'the refusal',
      );
      await card(page).getByLabel('Token of the hub').fill('of the hub');
      await enter(page);
      await card(page).getByLabel('Centre, Hz').waitFor();
      await untilText(page, '#link-text', /^Live$/);
    },
    { token: 'of the hub' },
  ),
);

test('the keyboard opens and closes it and a radio that goes closes it', options, () =>
  withHub(async (page, hub) => {
    const button = card(page).getByRole('button', { name: 'Control roof.south' });
    await button.waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    assert.ok(
      await card(page)
        .getByLabel('Token of the radio')
        .evaluate((field) => field === document.activeElement),
    );
    await page.keyboard.type('t1'); // no keys of the page
    assert.equal(new URL(page.url()).hash, '');
    await page.keyboard.press('Escape');
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    assert.ok(await button.evaluate((each) => each === document.activeElement));
    await page.keyboard.press('Enter');
    hub.kill('roof.south');
    await until(
      async () => (await button.isHidden()) && (await card(page).locator('.control').isHidden()),
      'a radio that is gone cannot be changed',
    );
  }),
);

for (const [what, more] of [
  ['on_a_phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['in_light', { colorScheme: 'light' }],
])
  test(`the form fits and axe finds nothing ${what}`, options, () =>
    withHub(async (page) => {
      await enter(page);
      await card(page).getByLabel('Centre, Hz').waitFor();
      await card(page).locator('summary').click();
      await card(page).getByLabel('Window').waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await screenshot(page, `hub_control_${what}`);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
        [],
      );
      assert.match(await textOf(page, '.card[aria-label="roof.south"] h2'), /roof\.south/);
    }, more),
  );
