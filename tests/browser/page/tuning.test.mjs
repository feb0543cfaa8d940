// Tuning: the frequency field, the digits, steps, click-to-tune and RBW against the mock server and against fftd, whose
// simulated
// radio receives a world of tones at known frequencies.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawn, launch, plots, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { makeRecording, startDaemon } from '../daemon.mjs';
import { scene } from './scene.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const enter = async (page, text) => {
  await page.fill('#entry', text);
  await page.press('#entry', 'Enter');
};
const centreHz = async (page) => Number(await page.getAttribute('#digits', 'aria-valuenow'));
const isPending = (page) => page.locator('#digits').evaluate((element) => element.classList.contains('pending'));
const centreIs = (page, hz) =>
  until(async () => (await centreHz(page)) === hz && !(await isPending(page)), `a centre of ${hz}`);
const setsOf = (server) => server.sets.map(({ type: _, ...fields }) => fields);

scene(
  'a number without a unit is in MHz, and what is understood is shown while it is typed',
  { server: { control: true } },
  async ({ page, server }) => {
    const understood = page.locator('#entry-form .understood');
    await page.focus('#entry');
    assert.equal(await understood.isVisible(), false, 'nothing is typed');
    for (const [text, shown] of [
      ['145.5', '145.500 MHz'],
      ['145,5', '145.500 MHz'],
      ['145 500 kHz', '145.500 MHz'],
      ['144-146', '144.000 MHz \u2013 146.000 MHz'],
      ['868,3', '868.300 MHz'],
    ]) {
      await page.fill('#entry', text);
      assert.equal((await understood.textContent()).replaceAll('\u202f', ' '), shown, text);
    }
    await page.fill('#entry', '868,3x');
    assert.equal(await understood.isVisible(), false, 'not a frequency');
    await enter(page, '868,3');
    await centreIs(page, 868.3e6);
    assert.deepEqual(setsOf(server), [{ center_hz: 868.3e6 }]);
    assert.equal(await understood.isVisible(), false, 'it is sent');
  },
);

for (const [answer, sets] of [
  ['Tune', [{ center_hz: 145e6 }]],
  ['Stay', []],
])
  scene(
    `a link to another band asks whether to tune: ${answer}`,
    { server: { control: true }, hash: '#low=144M&high=146M' },
    async ({ page, server }) => {
      const question = page.locator('#link-question');
      await untilText(page, '#link-question span', /^This link shows 144\.00 \u2013 146\.00.MHz\.$/);
      await screenshot(page, `link_${answer}`);
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'hidden' });
      if (answer === 'Tune') await centreIs(page, 145e6);
      assert.deepEqual(setsOf(server), sets);
    },
  );

scene(
  'a link that is received asks nothing; a viewer is told why it cannot tune',
  { hash: '#low=433.9M&high=434M' },
  async ({ page }) => {
    assert.equal(await page.locator('#link-question').isVisible(), false);
    await page.evaluate(() => {
      location.hash = '#low=144M&high=146M';
    });
    await untilText(page, '#link-question span', /This link shows .*needs the control token/);
    assert.equal(await page.locator('#link-tune').isVisible(), false);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#link-question').isVisible(), false);
  },
);

scene(
  'a field of the radio reads a number in the unit that it shows',
  { server: { control: true } },
  async ({ page, server }) => {
    await page.click('#controls-open');
    await until(async () => (await page.inputValue('[name=center_hz]')) === '433.92M', 'the form');
    await page.fill('[name=center_hz]', '145,5');
    await untilText(page, '#note-center_hz', /^145\.500.MHz$/);
    await page.press('[name=center_hz]', 'Enter');
    await until(() => server.sets.length > 0, 'a request');
    assert.deepEqual(setsOf(server), [{ center_hz: 145.5e6 }]);
  },
);

// 2.4 MS/s at 433.92 MHz.
scene(
  'a centre within the span of a zoomed view moves the view',
  { server: { control: true }, hash: '#low=433800000&high=434000000' },
  async ({ page, server }) => {
    await enter(page, '434.1M');
    await centreIs(page, 434.1e6);
    await until(() => server.views.at(-1).low_hz === 434e6 && server.views.at(-1).high_hz === 434.2e6, 'the view');
    await enter(page, '-50k');
    await centreIs(page, 434.05e6);
    await enter(page, '434M/500k');
    await until(
      () => server.views.at(-1).low_hz === 433.75e6 && server.views.at(-1).high_hz === 434.25e6,
      'centre and span',
    );
    await enter(page, '434.1-434.4 MHz');
    await until(
      () => server.views.at(-1).low_hz === 434.1e6 && server.views.at(-1).high_hz === 434.4e6,
      'start and stop',
    );
    assert.deepEqual(server.sets, []);
    assert.equal(await page.locator('#entry').inputValue(), '');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'display', 'the keys work again');
  },
);

scene(
  'a frequency beyond the span retunes and keeps the width',
  { server: { control: true }, hash: '#low=433800000&high=434000000' },
  async ({ page, server }) => {
    await enter(page, '868.3M');
    await centreIs(page, 868.3e6);
    assert.deepEqual(setsOf(server), [{ center_hz: 868.3e6 }]);
    await until(() => server.views.at(-1).low_hz === 868.2e6 && server.views.at(-1).high_hz === 868.4e6, 'the view');
  },
);

scene('a span wider than the radio asks for a sweep', { server: { control: true } }, async ({ page, server }) => {
  await enter(page, '88M..108M');
  await until(() => server.sets.length > 0, 'a request');
  assert.deepEqual(setsOf(server), [{ span: '88M:108M' }]);
});

scene('a viewer is told what the radio receives', {}, async ({ page, server }) => {
  await enter(page, '868.3M');
  await untilText(page, '#tune-note', /^Viewing only: .*It receives 432\.720 MHz to 435\.120 MHz\.$/);
  assert.equal(await page.locator('#entry').inputValue(), '868.3M');
  assert.equal(await page.locator('#rbw').isDisabled(), true);
  await enter(page, '434.7M'); // received: as much as there is around it
  await centreIs(page, 434.7e6);
  await enter(page, 'high');
  await untilText(page, '#tune-note', /^\u201chigh\u201d is not a frequency/);
  await page.fill('#entry', 'h');
  await page.locator('#tune-note').waitFor({ state: 'hidden' });
  assert.deepEqual(server.sets, []);
});

scene(
  'a refused frequency is told once beside its field',
  { server: { control: true, setError: 'center_hz: the tuner ends at 1.7 GHz' } },
  async ({ page }) => {
    await enter(page, '2.4G');
    await untilText(page, '#tune-note', /^The tuner ends at 1\.7 GHz\.$/);
    assert.equal(await page.locator('#message').isVisible(), false);
    assert.equal(await centreHz(page), 433.92e6);
    assert.equal(await textOf(page, '#set-result'), '');
  },
);

scene('wheel and keys step a digit by its weight', { server: { control: true } }, async ({ page, server }) => {
  await centreIs(page, 433.92e6);
  await page.locator('#digits [data-power="6"]').hover();
  await page.mouse.wheel(0, -100);
  await centreIs(page, 434.92e6);
  await page.locator('#digits [data-power="4"]').hover();
  await page.mouse.wheel(0, 100);
  await centreIs(page, 434.91e6);
  await page.locator('#digits [data-power="3"]').click();
  await page.keyboard.press('ArrowUp');
  await centreIs(page, 434.911e6);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await centreIs(page, 434.811e6);
  await page.keyboard.press('PageUp'); // ten times as far
  await centreIs(page, 435.811e6);
  assert.equal(await textOf(page, '#digits'), '0435811000MHz');
  assert.equal(server.sets.length, 5);
});

scene('many turns of the wheel end at their sum', { server: { control: true } }, async ({ page, server }) => {
  await centreIs(page, 433.92e6);
  await page.locator('#digits [data-power="5"]').hover();
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, -100);
  await centreIs(page, 435.92e6);
  assert.equal(server.sets.at(-1).center_hz, 435.92e6);
  assert.ok(server.sets.length <= 20);
});

scene('the step is that of the channels', { server: { control: true } }, async ({ page, server }) => {
  await page.selectOption('#step', '12500');
  await page.click('#step-up');
  await centreIs(page, 433.9325e6);
  await page.locator('#display').focus();
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  await centreIs(page, 433.9075e6);
  assert.ok(setsOf(server).every((fields) => Object.keys(fields).join() === 'center_hz'));
});

scene(
  'a click tunes in its mode only and meets the raster',
  { server: { control: true } },
  async ({ page, server }) => {
    const { waterfall } = await plots(page),
      y = waterfall.y + 40;
    await page.mouse.click(waterfall.x + 0.75 * waterfall.width, y);
    await drawn(page, 3);
    assert.deepEqual(server.sets, []);
    await page.selectOption('#step', '25000');
    await page.click('#tune-click');
    await page.mouse.click(waterfall.x + 0.75 * waterfall.width, y); // 434.5197 MHz: half a bin below 434.52
    await centreIs(page, 434.525e6);
    assert.deepEqual(setsOf(server), [{ center_hz: 434.525e6 }]);
    await page.mouse.move(waterfall.x + 0.5 * waterfall.width, y); // a drag moves, it does not tune
    await page.mouse.down();
    await page.mouse.move(waterfall.x + 0.6 * waterfall.width, y, { steps: 4 });
    await page.mouse.up();
    await drawn(page, 3);
    assert.equal(server.sets.length, 1);
  },
);

const RECORDING = { format: 'cs16', centerHz: 433.92e6, rateHz: 1.024e6, toneHz: 100e3, db: -20 };

/** Runs fftd, then use({ page }) on its page. */
function withDaemon(name, args, use) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon(args());
    try {
      await withPage(
        browser,
        daemon.url,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await use(page);
        },
        { colorScheme: 'dark' },
      );
    } finally {
      assert.equal(await daemon.stop(), 0, daemon.stderr());
    }
  });
}

const peakMhz = async (page) => parseFloat((await textOf(page, '#peak-hz')).replace(/ /g, ''));
const peakNear = (page, mhz, toleranceMhz) =>
  until(async () => Math.abs((await peakMhz(page)) - mhz) < toleranceMhz, `a peak at ${mhz} MHz`);

// Tones of the world are at absolute frequencies: only a radio that is really tuned receives them.
withDaemon(
  'a retuned radio receives the tone that is there',
  () => [
    '--source',
    'sim',
    '--rate',
    '2.4M',
    '--center',
    '100M',
    '--device',
    'scene=world,tones=100.3M@-20/145.2M@-30/152.9M@-25',
  ],
  async (page) => {
    await peakNear(page, 100.3, 0.001);
    await enter(page, '145 MHz');
    await peakNear(page, 145.2, 0.001);
    await centreIs(page, 145e6);
    await enter(page, '145.2M/100k'); // the tone in the middle of a zoomed view
    await untilText(page, '#view-span', /^100(\.\d+)? kHz$/);
    await peakNear(page, 145.2, 0.001);
    // 0.01 of the width is 1 kHz: the tone is drawn in the middle.
    const { waterfall } = await plots(page);
    await page.mouse.move(waterfall.x + 0.5 * waterfall.width, waterfall.y - 60);
    await untilText(page, '#hover', /^145\.(199|200)/);
    await screenshot(page, 'tuning_retuned');
    await enter(page, '140M-155M'); // wider than 2.4 MS/s: a sweep
    await peakNear(page, 152.9, 0.002);
    await untilText(page, '#view-span', /^15(\.\d+)? MHz$/);
    await screenshot(page, 'tuning_sweep');
    await enter(page, '100.3M/1M'); // ends it
    await peakNear(page, 100.3, 0.001);
    await untilText(page, '#view-span', /^1(\.000)? MHz$|^1.0\d* MHz$/);
  },
);

// A Hann window has a noise bandwidth of 1.5 bins, and 1.44 bins between its -3 dB points.
withDaemon(
  'the rbw chosen is the rbw of the spectra',
  () => ['--source', 'sim', '--rate', '2.048M', '--window', 'hann'],
  async (page) => {
    await until(async () => (await page.locator('#rbw option').count()) === 17, 'an RBW for each FFT size');
    await page.selectOption('#rbw', '16384'); // 1.5 x 2.048 MHz / 16384
    await untilText(page, '#view-rbw', /^188 Hz$/);
    await untilText(page, '#rbw-3db', /^180 Hz$/); // 1.44 bins of 125 Hz
    await page.click('#controls-open');
    await until(async () => (await page.locator('[name=rbw_hz]').inputValue()) === '187.5', 'the setting');
  },
);

// 20 MHz are 34133.3 bins: the last one ends beyond the span.
withDaemon(
  'a sweep is centred and stepped by the span that was asked for',
  () => ['--source', 'sim', '--span', '88M:108M', '--rate', '2.4M'],
  async (page) => {
    const centred = (hz) =>
      until(async () => (await page.locator('#digits').getAttribute('aria-valuenow')) === String(hz), `${hz} Hz`);
    const wanted = async () => (await (await fetch(`${page.url().split('#')[0]}api/v1/status`)).json()).wanted.span;
    await centred(98e6);
    for (const [span, hz] of [
      ['93M:113M', 103e6],
      ['98M:118M', 108e6],
    ]) {
      // a tenth of its whole bins is a little more than 2 MHz: steps of 5 MHz
      await page.keyboard.press('.');
      await until(async () => (await wanted()) === span, span);
      await centred(hz);
      await until(
        () => page.evaluate(() => !document.getElementById('digits').classList.contains('pending')),
        'the radio there',
      );
    }
  },
);

/** A calibration table in a file of its own. */
function calibration(rows) {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-page-')),
    file = join(folder, 'radio.cal');
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(file, `serial = -\ndate = -\nuncertainty = -\n${rows}`);
  return file;
}

// A tone of -10 dBFS at 100.25 MHz in the middle of a bin. The offset falls from -10 dB at 99 MHz to -30 dB at 101 MHz,
// so that it is
// -22.5 dB at the tone and -20 dB at the centre.
withDaemon(
  'levels in dbm have the offset of their own frequency',
  () => [
    '--source',
    'sim',
    '--device',
    'scene=tone,level=-10,offset=250k',
    '--rate',
    '2.048M',
    '--center',
    '100M',
    '--calibration',
    calibration('99M - - -10\n101M - - -30\n'),
  ],
  async (page) => {
    const level = async (unit, expected) => {
      await page.selectOption('#unit', unit);
      await until(
        async () =>
          (await textOf(page, '#peak-unit')) === unit
          && Math.abs(parseFloat(await textOf(page, '#peak-db')) - expected) <= 0.1,
        `${expected} ${unit}`,
      );
    };
    await untilText(page, '#peak-unit', /^dBm$/); // before anybody chose it
    assert.equal(await page.inputValue('#unit'), 'dBm');
    await level('dBFS', -10);
    await until(() => page.evaluate(() => /unit=dBFS/.test(location.hash)), 'the choice in the address');
    await level('dBm', -32.5);
    await level('dBm/Hz', -32.5 - 10 * Math.log10((2.0043530941 * 2.048e6) / 4096)); // Blackman-Harris
    await level('dB\u00b5V', -32.5 + 106.99);
    assert.equal(await page.locator('#uncal').isVisible(), false);
    await until(() => page.evaluate(() => /unit=dB/.test(location.hash)), 'the unit in the address');
    await level('dBm', -32.5);
    // The trace is drawn at the height that the axis gives -32.5 dBm: 2.5 divisions of 10 dB below a reference of -7.5
    // dBm.
    await page.fill('#ref', '-7.5');
    await page.press('#ref', 'Enter');
    await page.selectOption('#db-div', '10');
    await drawn(page, 10);
    const top = await page.evaluate(() => {
      const canvas = document.getElementById('chart'),
        ratio = canvas.width / canvas.clientWidth,
        layoutTop = 4;
      const height = Math.round((document.getElementById('display').clientHeight - 26) * 0.42),
        x = 62 + (canvas.clientWidth - 70) * (0.5 + 0.25 / 2.048);
      const { data } = canvas
        .getContext('2d')
        .getImageData(Math.round((x - 3) * ratio), 0, Math.round(6 * ratio), canvas.height);
      const width = Math.round(6 * ratio);
      for (let y = Math.round(24 * ratio); y < canvas.height; y++)
        // below the mark of the peak
        for (let i = 0; i < width; i++) {
          const [r, g, b] = data.slice(4 * (y * width + i), 4 * (y * width + i) + 3);
          if (r > 200 && g > 170 && b < 130) return (y / ratio - layoutTop) / height;
        }
      return NaN;
    });
    assert.ok(Math.abs(100 * top - 25) < 1.2, `${100 * top} dB below the reference`);
    await screenshot(page, 'levels_dbm');
  },
);

withDaemon(
  'without a calibration another unit is uncal',
  () => ['--source', 'sim', '--device', 'scene=tone,level=-10,offset=250k'],
  async (page) => {
    await page.selectOption('#unit', 'dBm');
    await page.locator('#uncal').waitFor({ state: 'visible' });
    await untilText(page, '#peak-unit', /^dBFS uncal$/);
    assert.ok(Math.abs(parseFloat(await textOf(page, '#peak-db')) + 10) < 1);
  },
);

const toneOf = (db) => () => ['--source', 'sim', '--device', `scene=tone,level=${db},noise=-80`];
withDaemon('the headroom of the converter is the distance of a tone from full scale', toneOf(-20), async (page) => {
  await until(async () => Math.abs(parseFloat(await textOf(page, '#headroom')) - 20) <= 0.11, '20.0 dB');
  assert.equal(await page.getAttribute('#headroom', 'class'), '');
});
withDaemon('beside the level scale clipping is shown', toneOf(1), async (page) => {
  await untilText(page, '#headroom', /^clipping$/);
  assert.equal(await page.getAttribute('#headroom', 'class'), 'bad');
  await screenshot(page, 'clipping');
});

withDaemon(
  'a recording says that it has its frequencies only',
  () => {
    const recording = makeRecording(RECORDING);
    after(() => recording.remove());
    return ['--replay', recording.file, '--realtime', '--loop'];
  },
  async (page) => {
    await untilText(page, '#link-text', /^REPLAY/);
    await enter(page, '868M');
    await untilText(page, '#tune-note', /^The recording has 433\.408 MHz to 434\.432 MHz only\.$/);
  },
);
