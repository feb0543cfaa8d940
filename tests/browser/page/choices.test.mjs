// The page offers what the server offers: a field for each setting, values of the selects, bounds of the numbers.
import assert from 'node:assert/strict';
import { drawn, screenshot, textOf, until, untilText } from '../browser.mjs';
import { CHOICES } from '../choices.mjs';
import { MockServer } from '../mock_server.mjs';
import { scene } from './scene.mjs';

const optionsOf = (page, selector) => page.locator(`${selector} option`).allTextContents();
const isSet = (page) =>
  until(async () => (await page.locator('[name=center_hz]').inputValue()) === '433.92M', 'the current values');
const tagOf = (page, name) => page.locator(`[name=${name}]`).evaluate((element) => element.tagName);

scene('the selects hold the values of the server', {}, async ({ page }) => {
  await isSet(page);
  for (const [selector, field] of [
    ['[name=fft_size]', 'fft_size'],
    ['[name=window]', 'window'],
    ['#detector', 'detector'],
  ])
    assert.deepEqual(await optionsOf(page, selector), CHOICES[field].values.map(String), field);
  assert.equal(await page.locator('[name=window]').inputValue(), 'hann');
  assert.equal(await page.locator('#detector').inputValue(), 'mean');
});

const OTHER = {
  ...CHOICES,
  fft_size: { expected: 'x', values: [512, 4096] },
  window: { expected: 'x', values: ['hann', 'tukey'] },
  detector: { expected: 'x', values: ['mean', 'min'] },
  line_rate: { expected: 'at most 3', min: 0.5, max: 3 },
};
// The browser itself reports connections that fail.
const LOST = /WebSocket connection|Failed to load resource|ERR_CONNECTION/;

scene(
  'another server offers other values and bounds',
  { server: { control: true, choices: OTHER } },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await isSet(page);
    assert.deepEqual(await optionsOf(page, '[name=fft_size]'), ['512', '4096']);
    assert.deepEqual(await optionsOf(page, '[name=window]'), ['hann', 'tukey']);
    assert.deepEqual(await optionsOf(page, '#detector'), ['mean', 'min']);
    await page.fill('[name=line_rate]', '3.1');
    await page.click('#radio [type=submit]');
    assert.equal(await textOf(page, '#note-line_rate'), 'Expected at most 3.');
    assert.equal(await page.locator('[name=line_rate]').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(server.sets, []);
    await page.fill('[name=line_rate]', '3');
    await page.click('#radio [type=submit]');
    await untilText(page, '#set-result', /^Done\.$/);
    assert.deepEqual(server.sets, [{ line_rate: 3 }]);
  },
);

scene(
  'the key of the detector steps through those of the server',
  { server: { choices: OTHER } },
  async ({ page, server }) => {
    for (const detector of ['min', 'mean']) {
      await page.keyboard.press('t');
      await until(() => server.views.at(-1).detector === detector, detector);
      assert.equal(await page.locator('#detector').inputValue(), detector);
    }
  },
);

scene('a window with another parameter is offered too', { server: { wantedWindow: 'kaiser(5)' } }, async ({ page }) => {
  await isSet(page);
  assert.equal(await page.locator('[name=window]').inputValue(), 'kaiser(5)');
  assert.deepEqual(await optionsOf(page, '[name=window]'), [...CHOICES.window.values, 'kaiser(5)']);
});

const NEW = {
  ...CHOICES,
  bias_tee: { label: 'Bias tee', group: 'radio', help: 'Power for an amplifier', values: ['off', 'on'] },
  lo_drive: { label: 'LO drive', group: 'radio', unit: 'dB', expected: 'a number from -5 to 5', min: -5, max: 5 },
  note: { label: 'Note', group: 'other', expected: 'some text' },
};

scene(
  'a setting that the page does not know has its field',
  { server: { control: true, choices: NEW } },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await isSet(page);
    await page.selectOption('[name=bias_tee]', 'on');
    await page.fill('[name=lo_drive]', '-3 dB');
    await page.fill('[name=note]', 'roof');
    assert.equal(await page.getByLabel('LO drive, dB').inputValue(), '-3 dB');
    assert.match(await textOf(page, '#radio-list section:last-child h3'), /^Other$/);
    await page.click('#radio [type=submit]');
    await untilText(page, '#set-result', /^Done\.$/);
    assert.deepEqual(server.sets, [{ bias_tee: 'on', lo_drive: -3, note: 'roof' }]);
  },
);

scene(
  'a value in force other than asked for is told',
  { server: { control: true, gainInForce: '49.6' } },
  async ({ page }) => {
    await page.click('#controls-open');
    await isSet(page);
    await page.fill('[name=gain]', '9999');
    await page.click('#radio [type=submit]');
    await untilText(page, '#set-result', /^Gain is 49\.6 dB, not 9999\.$/);
    assert.equal(await textOf(page, '#note-gain'), 'in force: 49.6 dB');
    await screenshot(page, 'page_in_force');
  },
);

scene('an excluded bound is not sent', { server: { control: true } }, async ({ page, server }) => {
  await page.click('#controls-open');
  await isSet(page);
  await page.fill('[name=overlap]', '100');
  await page.click('#radio [type=submit]');
  assert.match(await textOf(page, '#note-overlap'), /less than 100/);
  assert.deepEqual(server.sets, []);
});

scene(
  'an older server gets text fields and no choice of detectors',
  { server: { control: true, choices: undefined } },
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
    assert.deepEqual(server.sets, [{ fft_size: 8192, window: 'kaiser(5)', overlap: 100 }]);
    await screenshot(page, 'page_older_server');
  },
);

scene(
  'choices that change with a reconnect keep what was typed',
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
      assert.deepEqual(again.sets, [{ fft_size: 512 }]);
    } finally {
      await again.stop();
      server.stop = async () => {}; // already stopped
    }
  },
);

const ODD = {
  fft_size: { values: 'many' },
  window: null,
  gain: 7,
  detector: { values: [] },
  overlap: { min: 'low', max: null },
};
scene('odd choices are ignored', { server: { choices: ODD } }, async ({ page }) => {
  await untilText(page, '#link-text', /^Live$/);
  assert.equal(await tagOf(page, 'fft_size'), 'INPUT');
  assert.equal(await page.locator('[name=window]').count(), 0); // not offered
  assert.equal(await page.locator('#detector').isVisible(), false);
  const detector = await textOf(page, '#view-detector');
  await page.keyboard.press('t');
  await drawn(page, 10);
  assert.equal(await textOf(page, '#view-detector'), detector);
});

const RADIO = {
  ...NEW,
  'gain.LNA': {
    label: 'LNA',
    group: 'radio',
    unit: 'dB',
    expected: 'a number from 0 to 40',
    min: 0,
    max: 40,
    step: 0.5,
  },
  'setting.biastee': { label: 'Bias tee', group: 'driver', values: ['false', 'true'] },
  bandwidth_hz: { label: 'Bandwidth', group: 'radio', unit: 'Hz', proposals: [1.5e6, 5e6] },
};

scene(
  'the options of a radio that is opened later appear as controls',
  { server: { control: true } },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await isSet(page);
    assert.equal(await page.locator('[name="gain.LNA"]').count(), 0);
    server.sendRaw(JSON.stringify({ type: 'choices', choices: RADIO }));
    const lna = page.locator('[name="gain.LNA"]');
    await lna.waitFor();
    assert.match(await page.locator('label:has([name="gain.LNA"])').innerText(), /^LNA, 0 to 40 dB/);
    // the mock says no value: none is chosen
    assert.deepEqual((await optionsOf(page, '[name="setting.biastee"]')).slice(0, 2), ['false', 'true']);
    assert.deepEqual(
      await page.locator('#offer-bandwidth_hz option').evaluateAll((all) => all.map(({ value }) => value)),
      ['1.5M', '5M'],
    );

    await lna.fill('39.5');
    for (const [key, value] of [
      ['ArrowUp', '40'],
      ['ArrowUp', '40'],
      ['ArrowDown', '39.5'],
    ]) {
      // and no further
      await lna.press(key);
      assert.equal(await lna.inputValue(), value);
    }
    await page.locator('[name="setting.biastee"]').selectOption('true');
    server.state.setError = 'setting.biastee: the fuse has blown';
    await page.click('#radio [type=submit]');
    await untilText(page, '[id="note-setting.biastee"]', /^The fuse has blown\.$/);
    assert.deepEqual(server.sets.at(-1), { 'gain.LNA': 39.5, 'setting.biastee': 'true' });
  },
);
