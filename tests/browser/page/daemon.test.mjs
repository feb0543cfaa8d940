// The page served by the real daemon: its files, its choices, and recordings whose tone is known.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import WebSocket from 'ws';
import { launch, plots, screenshot, textOf, until, untilText, waterfallHash, withPage } from '../browser.mjs';
import { CHOICES } from '../choices.mjs';
import { makeRecording, startDaemon } from '../daemon.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Runs fftd with args(), then use({ page, daemon, sent }) on its page; sent: the messages of the page. */
function withDaemon(name, args, use, { allow } = {}) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon(args());
    const sent = [];
    const listen = (page) =>
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    try {
      await withPage(
        browser,
        daemon.url,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz|fs/);
          await use({ page, daemon, sent });
        },
        { colorScheme: 'dark', before: listen, allow },
      );
    } finally {
      assert.equal(await daemon.stop(), 0, daemon.stderr());
    }
  });
}

/** Waits until so many more spectra were drawn. */
async function drawnLines(sent, lines) {
  const count = () => sent.filter(({ type }) => type === 'credit').length,
    from = count();
  await until(() => count() >= from + lines, `${lines} lines`);
}

const recordings = [];
const replay = (what) => () => {
  recordings.push(makeRecording(what));
  return ['--replay', recordings.at(-1).file, '--realtime', '--loop', '--fft-size', '4096'];
};
after(() => recordings.forEach((recording) => recording.remove()));

const mhz = async (page) => parseFloat((await textOf(page, '#peak-hz')).replace(/ /g, ''));
const db = async (page) => parseFloat(await textOf(page, '#peak-db'));

// 1.024 MS/s in 4096 bins of 250 Hz: both tones are at the centre of a bin and have their full level.
for (const [format, toneHz, level, expected] of [
  ['cf32', 250e3, -12, 434.17],
  ['cs16', -100e3, -20, 433.82],
])
  withDaemon(
    `peak readout names the tone of a ${format} recording and zooming asks for a view`,
    replay({ format, centerHz: 433.92e6, rateHz: 1.024e6, toneHz, db: level }),
    async ({ page, sent }) => {
      assert.ok(Math.abs((await mhz(page)) - expected) < 0.00025, await textOf(page, '#peak-hz'));
      assert.ok(Math.abs((await db(page)) - level) <= 0.05, await textOf(page, '#peak-db'));
      await untilText(page, '#link-text', /^REPLAY$/);
      assert.equal(await page.locator('#simulated').isVisible(), false);
      const first = await waterfallHash(page);
      await until(async () => (await waterfallHash(page)) !== first, 'the waterfall moves');
      await drawnLines(sent, 40);
      await screenshot(page, `daemon_${format}`);

      // Zoomed in, the tone is still the peak; the page requests views around it.
      const { waterfall } = await plots(page);
      const x = waterfall.x + (0.5 + toneHz / 1.024e6) * waterfall.width;
      await page.mouse.move(x, waterfall.y + 50);
      for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -240);
      const isAround = (hz) => (m) =>
        m.type === 'view' && m.high_hz - m.low_hz < 0.1e6 && m.low_hz < hz && m.high_hz > hz;
      await until(() => sent.some(isAround(expected * 1e6)), 'a view around the tone');
      await untilText(page, '#view-span', /^\d+(\.\d+)? kHz$/);
      assert.ok(Math.abs((await mhz(page)) - expected) < 0.00025);
      await drawnLines(sent, 20);
      await screenshot(page, `daemon_${format}_zoomed`);

      // Next to the tone the server reports another, much weaker peak: that of the view.
      for (let i = 0; i < 15; i++) await page.keyboard.press('ArrowRight');
      await until(async () => (await db(page)) < level - 40, 'the peak of the new view');
    },
  );

// A world with one carrier: 12 times the rate, in bins that are no power of two.
withDaemon(
  'a sweep shows its span and the figures of the radio',
  () => [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--fft-size',
    '1024',
    '--span',
    '100M:112M',
    '--dwell',
    '2ms',
    '--device',
    'tones=107.3M@-12',
  ],
  async ({ page, sent }) => {
    await untilText(page, '#peak-hz', /107/);
    assert.ok(Math.abs((await mhz(page)) - 107.3) < 0.0013, await textOf(page, '#peak-hz'));
    // Blackman-Harris between two bins: -0.83 dB
    assert.ok(Math.abs((await db(page)) + 12) < 0.9, await textOf(page, '#peak-db'));
    await untilText(page, '#ledger-rate', /^2\.4.MS\/s$/);
    await untilText(page, '#ledger-fft', /^1.?024 blackman-harris 50 %$/);
    await untilText(page, '#ledger-poi', /ms$/); // a revisit takes 9 dwells of 2 ms; a frame lasts 0.4 ms
    await untilText(page, '#view-span', /^12(\.\d+)?.MHz$/);
    await drawnLines(sent, 20);
  },
);

const textsOf = async (page) => (await page.locator('body').innerText()).replace(/\u202f/g, ' ');

// 130 / 1024 of a rate that nobody gives.
withDaemon(
  'a recording of unknown rate has an axis in fractions of it',
  replay({ format: 'cs16', centerHz: 0, rateHz: 1.024e6, toneHz: 130e3, db: -12, name: 'capture.iq' }),
  async ({ page, sent }) => {
    await page.locator('#rate-unknown').waitFor({ state: 'visible' });
    await untilText(page, '#peak-hz', /^0\.126 95\d* fs$/); // 130 / 1024 = 0.126953
    assert.ok(Math.abs((await db(page)) + 12) <= 0.05);
    assert.equal(await textOf(page, '#view-centre'), '0.0000 fs');
    assert.equal(await textOf(page, '#view-span'), '1 fs');
    assert.equal(await textOf(page, '#ledger-rate'), 'unknown');
    assert.match(await textOf(page, '#ledger-poi'), /^100 % \u2265 6 143 S$/);
    assert.match(await page.title(), /rate unknown/);
    await page.click('#controls-open');
    assert.equal(await page.locator('[name=rate_hz]').inputValue(), '');
    await page.click('#dock-close');
    await until(async () => {
      // the plots may still grow into the room of the controls
      const { waterfall } = await plots(page);
      await page.mouse.move(waterfall.x + 0.75 * waterfall.width, waterfall.y + 50);
      return /^0\.2(49|50)[ \d]* fs/.test(await textOf(page, '#hover'));
    }, 'the frequency at the cursor');
    assert.doesNotMatch(await textsOf(page), /\d (k|M|G)?Hz|MS\/s/);
    await drawnLines(sent, 30);
    await screenshot(page, 'daemon_rate_unknown');
    await page.mouse.wheel(0, -2000);
    await untilText(page, '#view-span', /^0\.\d+ fs$/);
    await screenshot(page, 'daemon_rate_unknown_zoomed');
  },
);

withDaemon(
  'simulation is marked and its numbers are on the ledger line',
  () => ['--source', 'sim', '--rate', '2.4M', '--fft-size', '2048', '--window', 'hann'],
  async ({ page, sent }) => {
    await page.locator('#simulated').waitFor({ state: 'visible' });
    assert.equal(await textOf(page, '#ledger-rate'), '2.4 MS/s');
    assert.equal(await textOf(page, '#ledger-fft'), '2 048 hann 50 %');
    assert.equal(await textOf(page, '#view-rbw'), '1.76 kHz');
    assert.equal(await textOf(page, '#ledger-poi'), '100 % \u2265 1.28 ms');
    await drawnLines(sent, 60);
    await screenshot(page, 'daemon_simulation');
  },
);

withDaemon(
  'the token gives control and a change reaches the radio',
  () => ['--source', 'sim', '--token', 'open sesame'],
  async ({ page }) => {
    await page.click('#controls-open');
    await untilText(page, '#control-reason', /^Viewing only/);
    await page.fill('#token', 'wrong');
    await page.keyboard.press('Enter');
    await untilText(page, '#control-reason', /not accepted/);
    await page.fill('#token', 'open sesame');
    await page.keyboard.press('Enter');
    await untilText(page, '#control-reason', /^You have control\.$/);
    await until(async () => (await page.locator('[name=fft_size]').inputValue()) === '4096', 'the current settings');
    await page.selectOption('[name=fft_size]', '8192');
    await page.selectOption('[name=window]', 'flat-top');
    await page.click('#radio [type=submit]');
    await untilText(page, '#set-result', /^Done\.$/);
    await untilText(page, '#ledger-fft', /^8 192 flat-top 50 %$/);
    assert.equal(await page.locator('[name=window]').inputValue(), 'flat-top');
    await page.fill('[name=gain]', 'x'.repeat(200));
    await page.click('#radio [type=submit]');
    await untilText(page, '#note-gain', /^"?x/i);
    await screenshot(page, 'daemon_control');
  },
);

test('a daemon that dies and comes back is shown again', { timeout: 120000 }, async () => {
  const first = await startDaemon(['--source', 'sim']);
  let second;
  try {
    await withPage(
      browser,
      first.url,
      async (page) => {
        await untilText(page, '#link-text', /^Live$/);
        await first.stop('SIGKILL');
        await untilText(page, '#link-text', /^Reconnecting: /);
        second = await startDaemon(['--source', 'sim', '--listen', new URL(first.url).host]);
        await untilText(page, '#link-text', /^Live$/);
      },
      { allow: /WebSocket connection|Failed to load resource/ },
    );
  } finally {
    await second?.stop();
  }
});

/** Choices without the text for people. */
const bare = (choices) =>
  Object.fromEntries(
    Object.entries(choices).map(([name, { expected, help, ...rest }]) => {
      assert.equal(typeof expected, 'string', name);
      return [name, rest];
    }),
  );

test('the mock server offers the choices of the daemon', { timeout: 120000 }, async () => {
  const daemon = await startDaemon(['--source', 'sim']);
  const socket = new WebSocket(new URL('ws', daemon.url.replace('http', 'ws')), 'fftd.3');
  try {
    const welcome = await new Promise((found, failed) => {
      socket.on('error', failed);
      socket.on('open', () => socket.send('{"type":"hello"}'));
      socket.on('message', (data) => {
        const message = JSON.parse(data);
        if (message.type === 'welcome') found(message);
      });
    });
    assert.deepEqual(bare(CHOICES), bare(welcome.choices));
  } finally {
    socket.terminate();
    await daemon.stop();
  }
});
