// The page offers what the server offers: values of the selects, bounds of the numbers.
import assert from 'node:assert/strict';
import { drawn, screenshot, textOf, until, untilText } from '../browser.mjs';
import { CHOICES } from '../choices.mjs';
import { MockServer } from '../mock_server.mjs';
import { scene } from './scene.mjs';

const optionsOf = (page, selector) => page.locator(`${selector} option`).allTextContents();
const isSet = (page) => until(async () => (await page.locator('[name=center_hz]').inputValue()) === '433.92M',
  'the current values');
const tagOf = (page, name) => page.locator(`[name=${name}]`).evaluate((element) => element.tagName);

scene('the_selects_hold_the_values_of_the_server', {}, async ({ page }) => {
  await isSet(page);
  for (const [selector, field] of [['[name=fft_size]', 'fft_size'], ['[name=window]', 'window'], ['#detector', 'detector']])
    assert.deepEqual(await optionsOf(page, selector), CHOICES[field].values.map(String), field);
  assert.equal(await page.locator('[name=window]').inputValue(), 'hann');
  assert.equal(await page.locator('#detector').inputValue(), 'mean');
});

const OTHER = { ...CHOICES,
  fft_size: { expected: 'x', values: [512, 4096] }, window: { expected: 'x', values: ['hann', 'tukey'] },
  detector: { expected: 'x', values: ['mean', 'min'] }, line_rate: { expected: 'at most 3', min: 0.5, max: 3 } };
// The browser itself reports connections that fail.
const LOST = /WebSocket connection|Failed to load resource|ERR_CONNECTION/;

scene('another_server_offers_other_values_and_bounds', { server: { control: true, choices: OTHER } }, async ({ page, server }) => {
  await page.click('#controls-open');
  await isSet(page);
  assert.deepEqual(await optionsOf(page, '[name=fft_size]'), ['512', '4096']);
  assert.deepEqual(await optionsOf(page, '[name=window]'), ['hann', 'tukey']);
  assert.deepEqual(await optionsOf(page, '#detector'), ['mean', 'min']);
  await page.fill('[name=line_rate]', '3.1');
  await page.click('#radio [type=submit]');
  assert.match(await page.locator('[name=line_rate]').evaluate((input) => input.validationMessage), /at most 3/);
  assert.deepEqual(server.sets, []);
  await page.fill('[name=line_rate]', '3');
  await page.click('#radio [type=submit]');
  await untilText(page, '#set-result', /^Done\.$/);
  assert.deepEqual(server.sets, [{ type: 'set', line_rate: 3, average: 0 }]);
});

scene('the_key_of_the_detector_steps_through_those_of_the_server', { server: { choices: OTHER } }, async ({ page, server }) => {
  for (const detector of ['min', 'mean']) {
    await page.keyboard.press('t');
    await until(() => server.views.at(-1).detector === detector, detector);
    assert.equal(await page.locator('#detector').inputValue(), detector);
  }
});

scene('a_window_with_another_parameter_is_offered_too', { server: { wantedWindow: 'kaiser(5)' } }, async ({ page }) => {
  await isSet(page);
  assert.equal(await page.locator('[name=window]').inputValue(), 'kaiser(5)');
  assert.deepEqual(await optionsOf(page, '[name=window]'), [...CHOICES.window.values, 'kaiser(5)']);
});

scene('an_excluded_bound_is_not_sent', { server: { control: true } }, async ({ page, server }) => {
  await page.click('#controls-open');
  await isSet(page);
  await page.fill('[name=overlap]', '100');
  await page.click('#radio [type=submit]');
  assert.match(await page.locator('[name=overlap]').evaluate((input) => input.validationMessage), /less than 100/);
  assert.deepEqual(server.sets, []);
});

scene('an_older_server_gets_text_fields_and_no_choice_of_detectors', { server: { control: true, choices: undefined } },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await isSet(page);
    assert.equal(await page.locator('#detector').isVisible(), false);
    assert.deepEqual([await tagOf(page, 'fft_size'), await tagOf(page, 'window')], ['INPUT', 'INPUT']);
    assert.equal(await page.locator('[name=fft_size]').inputValue(), '4096');
    await page.fill('[name=fft_size]', '8192');
    await page.fill('[name=window]', 'kaiser(5)');
    await page.fill('[name=overlap]', '100'); // the server refuses it, not the page
    await page.click('#radio [type=submit]');
    await untilText(page, '#set-result', /^Done\.$/);
    assert.deepEqual(server.sets, [{ type: 'set', fft_size: 8192, window: 'kaiser(5)', overlap: 100 }]);
    await screenshot(page, 'page_older_server');
  });

scene('choices_that_change_with_a_reconnect_keep_what_was_typed',
  { server: { control: true, choices: undefined }, allow: LOST },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await isSet(page);
    await page.fill('[name=fft_size]', '512');
    await server.stop();
    const again = await new MockServer({ control: true, choices: OTHER }).start(server.port);
    try {
      await until(async () => (await tagOf(page, 'fft_size')) === 'SELECT', 'a select');
      assert.equal(await page.locator('[name=fft_size]').inputValue(), '512');
      await until(() => again.credits > 30, 'a status message');
      assert.equal(await page.locator('[name=fft_size]').inputValue(), '512');
      await untilText(page, '#control-reason', /^You have control\.$/);
      await page.click('#radio [type=submit]');
      await until(() => again.sets.length > 0, 'a set message');
      assert.deepEqual(again.sets, [{ type: 'set', fft_size: 512 }]);
    } finally {
      await again.stop();
      server.stop = async () => {}; // already stopped
    }
  });

const ODD = { fft_size: { values: 'many' }, window: null, gain: 7, detector: { values: [] }, overlap: { min: 'low', max: null } };
scene('odd_choices_are_ignored', { server: { choices: ODD } }, async ({ page }) => {
  await untilText(page, '#link-text', /^Live$/);
  assert.deepEqual([await tagOf(page, 'fft_size'), await tagOf(page, 'window')], ['INPUT', 'INPUT']);
  assert.equal(await page.locator('#detector').isVisible(), false);
  const detector = await textOf(page, '#view-detector');
  await page.keyboard.press('t');
  await drawn(page, 10);
  assert.equal(await textOf(page, '#view-detector'), detector);
});
