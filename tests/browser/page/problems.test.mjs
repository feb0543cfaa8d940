// The page with a server that is gone, refuses, sends invalid data or is hostile; and control of the radio.
import assert from 'node:assert/strict';
import {
  isSeamVisible,
  screenshot,
  stillWaterfall,
  textOf,
  until,
  untilText,
  waterfallColumn,
  waterfallHash,
} from '../browser.mjs';
import { CHOICES } from '../choices.mjs';
import { MockServer } from '../mock_server.mjs';
import { scene } from './scene.mjs';

// The browser itself reports connections that fail.
const LOST = /WebSocket connection|Failed to load resource|ERR_CONNECTION/;

scene(
  'reconnects by itself and requests its view again',
  { hash: '#low=433900000&high=434300000&speed=8', allow: LOST },
  async ({ page, server }) => {
    await until(() => server.line > 10, 'rows');
    assert.equal(await isSeamVisible(page), false);
    await server.stop();
    await untilText(page, '#link-text', /^Reconnecting: .* \(again in \d+ s\)$/);
    assert.equal(await isSeamVisible(page), false); // only the next row marks it
    const again = await new MockServer({ linesPerSecond: 5 }).start(server.port); // the mark scrolls away slowly
    try {
      await untilText(page, '#link-text', /^Live$/);
      assert.equal(again.views[0].low_hz, 433.9e6);
      await until(() => again.credits > 0, 'a line');
      again.state.silent = true; // so that it stays visible
      await until(() => isSeamVisible(page), 'a mark of the gap');
      again.state.silent = false;
      const before = await waterfallHash(page);
      await until(async () => (await waterfallHash(page)) !== before, 'the waterfall moves again');
    } finally {
      await again.stop();
      server.stop = async () => {}; // already stopped
    }
  },
);

scene('a refused websocket shows the answer over http', { live: false, allow: LOST }, async ({ page, server }) => {
  await untilText(page, '#link-text', /^Live$/);
  server.state.refuseHttp = 'host "evil.example" is not allowed\nmore';
  for (const client of server.clients) client.ws.terminate();
  await untilText(page, '#link-text', /^Refused: HTTP 403 host "evil\.example" is not allowed \(again in \d+ s\)$/);
  assert.match(await textOf(page, '#problem'), /^Refused: HTTP 403/);
  assert.equal(await textOf(page, '#link-announcement'), 'Refused: HTTP 403 host "evil.example" is not allowed');
  await screenshot(page, 'page_refused');
  server.state.refuseHttp = null;
  await untilText(page, '#link-text', /^Live$/);
  assert.equal(await page.locator('#problem').isVisible(), false);
});

scene('a refused origin is told as such', { live: false, allow: LOST }, async ({ page, server }) => {
  await untilText(page, '#link-text', /^Live$/);
  server.state.refuseOrigin = 'this Origin is not allowed (see allow-origin)';
  for (const client of server.clients) client.ws.terminate();
  await untilText(page, '#link-text', /^Refused: this Origin is not allowed \(see allow-origin\) \(again in \d+ s\)$/);
  server.state.refuseOrigin = null;
  await untilText(page, '#link-text', /^Live$/);
});

scene(
  'a close with a reason is a refusal with that reason',
  { live: false, server: { closeWith: [1013, 'too many clients'] } },
  async ({ page }) => {
    await untilText(page, '#link-text', /^Refused: too many clients \(again in \d+ s\)$/);
  },
);

for (const [what, data, message] of [
  ['a_frame_of_another_version', Buffer.concat([Buffer.from('FFTD\x02\x01'), Buffer.alloc(300)]), /unknown version 2/],
  ['half_a_frame', Buffer.from('FFTD'), /4 bytes is too short/],
  ['text_that_is_no_json', '{"type":', /JSON/],
  ['a_message_without_a_type', '[]', /without a type/],
])
  scene(`${what} is refused by name`, {}, async ({ page, server }) => {
    server.sendRaw(data);
    await untilText(page, '#link-text', /^Refused: cannot read the server/);
    assert.match(await textOf(page, '#link-text'), message);
  });

const AWAY = 'no SoapySDR device matches driver=rtlsdr,serial=00000001';
const isDimmed = (page) =>
  page.evaluate(() => Number(getComputedStyle(document.getElementById('chart')).opacity) < 0.5);

scene('a radio that is away is said across the old picture', {}, async ({ page, server }) => {
  Object.assign(server.state, { state: 'waiting', message: AWAY, silent: true });
  server.sendStatus();
  await untilText(page, '#problem', new RegExp(`^Waiting: ${AWAY}$`));
  assert.ok(await page.locator('#problem').isVisible());
  assert.ok(await isDimmed(page), 'old levels look old');
  Object.assign(server.state, { state: 'running', message: '', silent: false });
  server.sendStatus();
  await page.locator('#problem').waitFor({ state: 'hidden' });
  assert.equal(await isDimmed(page), false);
});

scene(
  'a radio that never came is named in full',
  {
    live: false,
    server: { state: 'waiting', message: AWAY, silent: true },
    page: { viewport: { width: 390, height: 844 } },
  },
  async ({ page }) => {
    await untilText(page, '#problem', new RegExp(`^Waiting: ${AWAY}$`));
    assert.equal(await page.locator('#notice').isVisible(), false);
    assert.equal(await page.locator('#step option').first().textContent(), 'Auto', 'no step of nothing');
    const { x, width } = await page.locator('#problem').boundingBox();
    assert.ok(x >= 0 && x + width <= 390);
  },
);

scene('an unknown message is ignored', {}, async ({ page, server }) => {
  server.sendRaw('{"type":"constructor"}');
  server.sendRaw('{"type":"news"}');
  const credits = server.credits;
  await until(() => server.credits > credits + 5, 'frames go on');
  await untilText(page, '#link-text', /^Live$/);
});

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
scene(
  'text from the server stays text',
  { server: { source: HOSTILE, message: HOSTILE, state: 'stalled', engine: '<b>x</b>', window: '<i>y</i>' } },
  async ({ page, server }) => {
    server.sendRaw(JSON.stringify({ type: 'error', message: HOSTILE }));
    await untilText(page, '#message-text', /<img/);
    await untilText(page, '#link-text', /^Stalled: <img/);
    assert.equal(await textOf(page, '#source'), HOSTILE);
    assert.match(await textOf(page, '#ledger-fft'), /<i>y<\/i>/);
    assert.equal(await textOf(page, '#ledger-engine'), '<b>x</b>');
    assert.equal(await page.locator('img, b:has-text("x"), i:has-text("y")').count(), 0);
    assert.equal(await page.locator('script').count(), 1);
  },
);

/** Fakes the WebGL2 of a browser. "no": missing; "slow": reported as slow; otherwise the name of the GPU. */
const withWebgl = (what) => (page) =>
  page.addInitScript((kind) => {
    const { getContext } = HTMLCanvasElement.prototype,
      { getParameter } = WebGL2RenderingContext.prototype;
    HTMLCanvasElement.prototype.getContext = function get(name, options) {
      const refused = name === 'webgl2' && (kind === 'no' || (kind === 'slow' && options.failIfMajorPerformanceCaveat));
      return refused ? null : getContext.call(this, name, options);
    };
    WebGL2RenderingContext.prototype.getParameter = function get(name) {
      return name === 0x9246 ? `ANGLE (${kind})` : getParameter.call(this, name); // UNMASKED_RENDERER_WEBGL
    };
  }, what);

const rendererOf = (page) => page.evaluate(() => document.body.dataset.renderer);

for (const [what, renderer, expected] of [
  ['GPU', '', 'WebGL2'],
  ['GPU', '2d', 'Canvas2D'],
  ['no', '', 'Canvas2D'],
  ['no', 'gl', 'Canvas2D'],
  ['slow', '', 'Canvas2D'],
  ['slow', 'gl', 'WebGL2'],
  ['SwiftShader', '', 'Canvas2D'],
  ['SwiftShader', 'gl', 'WebGL2'],
])
  scene(
    `${what} webgl and ${renderer ? `renderer_${renderer}` : 'no_renderer'}_is_drawn_with_${expected}`,
    { hash: renderer && `#renderer=${renderer}`, before: withWebgl(what) },
    async ({ page }) => {
      assert.equal(await rendererOf(page), expected);
      const first = await waterfallHash(page);
      await until(async () => (await waterfallHash(page)) !== first, 'it moves');
    },
  );

scene(
  'a lost webgl context falls back to 2d with the rows kept',
  { hash: '#renderer=gl', allow: /CONTEXT_LOST|context lost/i },
  async ({ page, server }) => {
    // Row 40 has a level, the last one nothing yet.
    const hasRows = async () => {
      const rows = (await waterfallColumn(page, 0.3)).map((pixel) => pixel.join());
      return rows[40] !== rows.at(-1);
    };
    await until(hasRows, 'rows');
    server.state.silent = true;
    await stillWaterfall(page);
    const places = [0.01, 0.3, 0.575, 0.99],
      picture = () => Promise.all(places.map((x) => waterfallColumn(page, x)));
    const before = await picture();
    const lose = () =>
      document.getElementById('waterfall').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();
    await page.evaluate(lose);
    await until(async () => (await rendererOf(page)) === 'Canvas2D', 'the 2D renderer');
    await until(hasRows, 'the old rows, drawn again without a new one');
    (await picture()).forEach((column, at) =>
      column.forEach((pixel, y) =>
        pixel.forEach((value, channel) =>
          assert.ok(
            Math.abs(value - before[at][y][channel]) <= 2,
            `both renderers draw the same: column ${places[at]}, row ${y}: ${pixel}, before ${before[at][y]}`,
          ),
        ),
      ),
    );
    server.state.silent = false;
    const first = await waterfallHash(page);
    await until(async () => (await waterfallHash(page)) !== first, 'it moves');
  },
);

scene('a viewer sees why the controls are disabled', {}, async ({ page }) => {
  await page.click('#controls-open');
  await untilText(page, '#control-reason', /^Viewing only: .* control token/);
  assert.equal(await page.locator('[name=center_hz]').isDisabled(), true);
  await until(async () => (await page.locator('[name=center_hz]').inputValue()) === '433.92M', 'the current settings');
  assert.equal(await page.locator('[name=fft_size]').inputValue(), '4096');
  await screenshot(page, 'page_panel');
});

scene(
  'control stays while the first spectrum is awaited',
  { live: false, server: { control: true, silent: true } },
  async ({ page }) => {
    await page.click('#controls-open');
    await untilText(page, '#link-text', /^Waiting/);
    assert.equal(await textOf(page, '#control-reason'), 'You have control.');
    assert.equal(await page.locator('[name=center_hz]').isDisabled(), false);
  },
);

scene('the token goes into a message and nowhere else', {}, async ({ page, server }) => {
  await page.click('#controls-open');
  await page.fill('#token', 'wrong');
  await page.keyboard.press('Enter');
  await untilText(page, '#control-reason', /^The token was not accepted/);
  await page.fill('#token', 'secret');
  await page.keyboard.press('Enter');
  await untilText(page, '#control-reason', /^You have control\.$/);
  assert.deepEqual(
    server.hellos.map((hello) => hello.token),
    ['wrong', 'secret'],
  );
  assert.equal(server.connections, 1, 'the connection stays');
  assert.equal(await page.locator('#token').inputValue(), '');
  const kept = await page.evaluate(
    () => location.href + JSON.stringify([localStorage, sessionStorage]) + document.cookie,
  );
  assert.ok(!kept.includes('secret'));
});

scene('with control only the changed fields are set', { server: { control: true } }, async ({ page, server }) => {
  await page.click('#controls-open');
  await untilText(page, '#control-reason', /^You have control\.$/);
  await until(async () => (await page.locator('[name=center_hz]').inputValue()) === '433.92M', 'the current settings');
  await page.fill('[name=center_hz]', '434.1 MHz');
  await page.fill('[name=line_rate]', '40');
  await page.selectOption('[name=window]', 'flat-top');
  await page.click('#radio [type=submit]');
  await untilText(page, '#set-result', /^Done\.$/);
  assert.deepEqual(server.sets, [{ center_hz: 434.1e6, window: 'flat-top', line_rate: 40 }]);
  await untilText(page, '#view-line', /Centre 434\.1000 MHz/);
});

scene(
  'an invalid value is not sent and a refusal is shown',
  { server: { control: true, setError: 'rate_hz: this file has 2.4 MS/s' } },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await untilText(page, '#control-reason', /^You have control\.$/);
    await page.fill('[name=center_hz]', 'high');
    await page.click('#radio [type=submit]');
    assert.equal(await textOf(page, '#note-center_hz'), `Expected ${CHOICES.center_hz.expected}.`);
    assert.deepEqual(server.sets, []);
    await page.click('#radio [type=reset]');
    await page.fill('[name=rate_hz]', '3M');
    await page.click('#radio [type=submit]');
    await untilText(page, '#note-rate_hz', /^This file has 2\.4 MS\/s\.$/);
    // Once, with the words of the field: nothing covers the button that closes the panel.
    assert.equal(await textOf(page, '#set-result'), '');
    assert.equal(await page.locator('#message').isVisible(), false);
    assert.equal((await page.locator('body').innerText()).split('This file has').length, 2);
    await page.click('#dock-close');
  },
);
