// The receiver of the page: what is heard, measured in the browser, and what the panel and the band over the spectrum
// ask the server for.
import assert from 'node:assert/strict';
import { plots, screenshot, textOf, until, untilText, useTool } from '../browser.mjs';
import { scene } from './scene.mjs';
import { sineHz } from '../../support/listening.mjs';

/** Keeps what is scheduled for the sound card, as [context's frame, samples]. */
const WIRE_TAP = () => {
  window.taps = [];
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function tapped(at) {
    window.rate = this.context.sampleRate;
    window.taps.push([at * window.rate, [...this.buffer.getChannelData(0)]]);
    return start.call(this, at);
  };
};
const OFFERED = { limits: { views: 2, audio_channels: 64 }, sound: { hz: 1000, amplitude: 0.25, ppm: 0 } };
const LOOK = { server: OFFERED, before: (page) => page.addInitScript(WIRE_TAP) };

/** What was scheduled since a moment: { samples, breaks: frames between buffers, rate }. */
async function heardAfter(page, seconds) {
  await page.evaluate(() => {
    window.taps.length = 0;
  });
  const enough = (count) => window.taps.reduce((sum, [, samples]) => sum + samples.length, 0) > count * window.rate;
  await until(() => page.evaluate(enough, seconds), `${seconds} s of sound`);
  const { taps, rate } = await page.evaluate(() => ({ taps: window.taps, rate: window.rate }));
  const breaks = taps.slice(1).map(([at], i) => Math.round(at - taps[i][0] - taps[i][1].length));
  return { samples: taps.flatMap(([, samples]) => samples), breaks: breaks.filter((frames) => frames !== 0), rate };
}

/** Frequency and rms. */
const toneOf = (samples, rate) => ({
  hz: sineHz(samples, rate),
  rms: Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length),
});

const last = (server) => server.heard.at(-1);

scene('the strongest signal is heard after two clicks', LOOK, async ({ page, server }) => {
  await useTool(page, 'listen-open');
  await page.locator('#listen-play').waitFor();
  await untilText(page, '#listen-play', /Listen/);
  assert.match(await page.locator('#listen-hz').inputValue(), /^434\.1/);
  await page.click('#listen-play');
  await untilText(page, '#listen-play', /Stop/);
  await untilText(page, '#listen-level', /dBFS/);
  assert.deepEqual(last(server), { center_hz: '434.1M', mode: 'nfm', format: 's16', audio_rate_hz: '24000' });
  const { samples, breaks, rate } = await heardAfter(page, 1),
    { hz, rms } = toneOf(samples, rate);
  if (breaks.length === 0) assert.ok(Math.abs(hz - 1000) < 3.5, `${hz} Hz: 0.3 % is followed at most`);
  assert.ok(Math.abs(20 * Math.log10((rms * Math.SQRT2) / 0.25)) < 0.2, `rms ${rms}`);
  assert.match(await textOf(page, '#listen-level'), /^-15\.\d dBFS$/);
  await screenshot(page, 'listen');
  await page.click('#listen-play');
  await untilText(page, '#listen-level', /--/);
});

scene('mode squelch frequency and a drag of the band ask anew', LOOK, async ({ page, server }) => {
  await page.keyboard.press('q');
  await page.locator('#listen-play').click();
  await until(() => server.heard.length > 0, 'a request');
  await page.selectOption('#listen-mode', 'am');
  await until(() => last(server).mode === 'am', 'AM');
  await page.selectOption('#listen-squelch', '6');
  await until(() => last(server).squelch === '6', 'a squelch');
  await page.fill('#listen-hz', '433,5');
  await page.keyboard.press('Enter');
  await until(() => last(server).center_hz === '433.5M', 'a frequency');
  const {
    display,
    waterfall: { x, width },
  } = await plots(page);
  const xOf = (hz) => x + (width * (hz - (433.92e6 - 1.2e6))) / 2.4e6;
  await page.mouse.move(xOf(433.5e6), display.y + display.height / 8);
  await page.mouse.down();
  await page.mouse.move(xOf(433.8e6), display.y + display.height / 8, { steps: 5 });
  await page.mouse.up();
  await until(() => Math.abs(parseFloat(last(server).center_hz) - 433.8) < 0.01, 'the band that was dragged');
  assert.equal(last(server).mode, 'am');
  await until(() => /listen=433\.8\d*M:am::6/.test(page.url()), 'the address');
});

scene('a refusal is said and ends the sound', { ...LOOK, allow: /416/ }, async ({ page, server }) => {
  server.state.refuseSound = 'center_hz: 434.1 MHz is not within what the radio receives';
  await page.keyboard.press('q');
  await page.locator('#listen-play').click();
  await untilText(page, '#listen-note', /is not within/);
  await untilText(page, '#listen-play', /Listen/);
  server.state.refuseSound = '';
  await page.locator('#listen-play').click();
  await untilText(page, '#listen-level', /dBFS/);
  await untilText(page, '#listen-note', /^$/);
});

scene('mute and volume are of the page alone', LOOK, async ({ page, server }) => {
  await page.keyboard.press('q');
  await page.locator('#listen-play').click();
  await untilText(page, '#listen-level', /dBFS/);
  const requests = server.heard.length;
  await page.click('#listen-mute');
  assert.equal(await page.locator('#listen-mute').getAttribute('aria-pressed'), 'true');
  await page.locator('#listen-volume').fill('0.3');
  const muted = await page.locator('#listen-mute').getAttribute('aria-pressed');
  assert.equal(muted, 'false', 'who turns it up wants to hear');
  assert.equal(server.heard.length, requests);
  assert.equal(await page.evaluate(() => localStorage.getItem('fftd-volume')), '0.3');
});

scene('a server without sound has no receiver', { server: { limits: { views: 2 } } }, async ({ page }) => {
  assert.equal(await page.locator('#listen-open').isVisible(), false);
  await page.keyboard.press('q');
  assert.equal(await page.locator('#dock').isVisible(), false);
});

scene('channels with names have lights and are heard by a click', LOOK, async ({ page, server }) => {
  const channel = (name, hz, state, open, level) => ({
    id: 1,
    name,
    state,
    message: '',
    center_hz: hz,
    level_dbfs: level,
    noise_dbfs: -80,
    squelch_open: open,
    transmissions: 3,
  });
  server.state.channels = [
    channel('tower', 433.5e6, 'armed', false, -80),
    channel('ground', 433.7e6, 'open', true, -60),
    channel(null, 434.1e6, 'open', true, -70),
  ];
  await page.keyboard.press('q');
  await untilText(page, '#listen-channel-rows tr:nth-child(2)', /ground.*open, 3 transmissions.*20 dB/);
  assert.match(await textOf(page, '#listen-channel-rows tr:first-child'), /tower.*433\.5.*armed/);
  assert.equal(await page.locator('#listen-channel-rows tr').count(), 2, 'named ones');
  await screenshot(page, 'listen-channels');
  await page.locator('#listen-channel-rows button').nth(1).click();
  await until(() => last(server)?.center_hz === '433.7M', 'the request for it');
  server.state.channels.push(channel(null, 433.7e6, 'open', true, -60));
  await untilText(page, '#listen-snr', /^20 dB above the noise$/);
});

scene('a channel with a mode is heard in it, where it is now', LOOK, async ({ page, server }) => {
  const rig = {
    id: 7,
    name: 'rig',
    state: 'open',
    message: '',
    center_hz: 433.9e6,
    level_dbfs: -60,
    noise_dbfs: -90,
    squelch_open: true,
    mode: 'usb',
    passband_hz: 4e3,
  };
  server.state.channels = [rig];
  await page.keyboard.press('q');
  await untilText(page, '#listen-channel-rows tr', /rig.*433\.9/);
  server.state.channels = [{ ...rig, center_hz: 433.95e6 }]; // it follows a satellite
  await untilText(page, '#listen-channel-rows tr', /rig.*433\.95/);
  await page.locator('#listen-channel-rows button').click();
  await until(() => last(server)?.mode === 'usb', 'the request for it');
  assert.deepEqual([last(server).center_hz, last(server).width_hz], ['433.95M', '4000']);
});
