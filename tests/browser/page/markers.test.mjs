// Markers, peak table and headline peak on the real fftd, whose simulated tones are known to the hertz and to 0.1 dB.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawn, launch, plots, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

// 2.4 MS/s in 4096 bins of 585.94 Hz; in 1200 columns a column has three or four. The first tone is between two bins.
const TONES = [
  [100.1175e6, -20],
  [99.7e6, -32],
  [100.6e6, -47],
];
const BIN = 2.4e6 / 4096;
const WORLD = `scene=world,noise=-60,tones=${TONES.map(([hz, db]) => `${hz / 1e6}M@${db}`).join('/')}`;
const ARGS = ['--source', 'sim', '--rate', '2.4M', '--center', '100M', '--fft-size', '4096', '--device', WORLD];

/** Runs use({ page, sent }) on the page of fftd; sent: the messages of the page. */
function onTones(name, use, options = {}, args = ARGS) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon(args),
      sent = [];
    const listen = (page) =>
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    try {
      await withPage(
        browser,
        daemon.url,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await use({ page, sent, place: (hz) => placeOf(page, hz) });
        },
        { colorScheme: 'dark', before: listen, ...options },
      );
    } finally {
      assert.equal(await daemon.stop(), 0, daemon.stderr());
    }
  });
}

/** "433.920 000 MHz" in Hz. */
function hzIn(text) {
  const [, number, unit] = /(-?[\d. ]+) (k|M|G)?Hz/.exec(text.replace(/^\+/, ''));
  return Number(number.replace(/ /g, '')) * { k: 1e3, M: 1e6, G: 1e9 }[unit ?? ''];
}

/** The page's position of a frequency with the whole span in view, in the lower half of the spectrum. */
async function placeOf(page, hz) {
  const { display, waterfall } = await plots(page);
  return {
    x: waterfall.x + ((hz - (100e6 - 1.2e6 - BIN / 2)) / 2.4e6) * waterfall.width,
    y: display.y + 0.3 * (waterfall.y - display.y),
  };
}

/** The rows of the marker table: name, Hz, level. */
const rows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#marker-rows tr')].map((row) =>
      [...row.cells].slice(0, 4).map((cell) => cell.textContent.replace(/\u202f/g, ' ').replace(/\u2212/g, '-')),
    ),
  );

/** Waits until row i reads this tone: its level to 0.1 dB and its frequency to a part of a bin. */
const untilReads = (page, i, [hz, db]) =>
  until(
    async () => {
      const row = (await rows(page))[i];
      return (
        row && /Hz/.test(row[1]) && Math.abs(hzIn(row[1]) - hz) <= 0.05 * BIN && Math.abs(Number(row[2]) - db) <= 0.11
      );
    },
    `marker ${i + 1} at ${hz} Hz with ${db} dBFS`,
  );

onTones('the_headline_reads_a_tone_between_two_bins', async ({ page }) => {
  const [hz, db] = TONES[0];
  await until(async () => Math.abs(hzIn(await textOf(page, '#peak-hz')) - hz) < 0.05 * BIN, 'the frequency');
  await until(async () => Number(await textOf(page, '#peak-db')) === db, 'the level'); // its bin reads -20.8
});

const SPURS = join(mkdtempSync(join(tmpdir(), 'fftd-spurs-')), 'spurs.txt');
after(() => rmSync(dirname(SPURS), { recursive: true }));
writeFileSync(SPURS, `${TONES[0][0]} 0 clock\n`);
onTones(
  'a_tone_on_the_spur_list_is_no_peak_until_it_is_wanted',
  async ({ page }) => {
    const headlineIs = ([hz]) =>
      until(async () => Math.abs(hzIn(await textOf(page, '#peak-hz')) - hz) < 0.05 * BIN, `a peak at ${hz} Hz`);
    await headlineIs(TONES[1]);
    await untilText(page, '#peak-spurs', /^1 spur left out$/);
    await page.click('#markers-open');
    await until(async () => (await page.locator('#peak-rows tr').count()) === 2, 'two peaks');
    await screenshot(page, 'page_spurs');
    await page.check('#peak-with-spurs');
    await headlineIs(TONES[0]);
    await until(async () => (await page.locator('#peak-rows tr').count()) === 3, 'three peaks');
    await until(async () => !(await page.locator('#peak-spurs').isVisible()), 'no note');
    await page.uncheck('#peak-with-spurs');
    await headlineIs(TONES[1]);
  },
  {},
  [...ARGS, '--spurs', SPURS],
);

onTones('a_marker_reads_a_tone_and_is_moved_by_keys', async ({ page }) => {
  await page.keyboard.press('i');
  await page.keyboard.press('m'); // no cursor: on the peak
  await untilReads(page, 0, TONES[0]);
  await untilText(page, '#marker-line', /^Mkr 1 +100\.117 5\d+ MHz +-20\.0 dBFS$/);
  await untilText(page, '#peak-rows', /99\.7.*-32\.0/s);
  await page.keyboard.press('['); // the next to the left
  await untilReads(page, 0, TONES[1]);
  await page.keyboard.press(']');
  await untilReads(page, 0, TONES[0]);
  await page.keyboard.press('n');
  await untilReads(page, 0, TONES[1]);
  await page.keyboard.press('n');
  await untilReads(page, 0, TONES[2]);
  await page.keyboard.press('Shift+N');
  await untilReads(page, 0, TONES[1]);
  await page.keyboard.press('p');
  await untilReads(page, 0, TONES[0]);
  await page.keyboard.press('Shift+ArrowRight');
  const width = (await plots(page)).waterfall.width;
  await until(
    async () =>
      Math.abs(hzIn((await rows(page))[0][1]) - TONES[0][0] - (10 * 2.4e6) / Math.floor(width)) < 2.4e6 / width,
    'ten columns further up',
  );
  assert.ok(Number((await rows(page))[0][2]) < -80, 'noise');
  await page.keyboard.press('Delete');
  assert.equal((await rows(page)).length, 0);
  assert.equal(await page.locator('#marker-line').isVisible(), false);
});

onTones('a_delta_marker_reads_the_difference', async ({ page }) => {
  await page.keyboard.press('i');
  await page.keyboard.press('m');
  await untilReads(page, 0, TONES[0]);
  await page.keyboard.press('Shift+M');
  await untilText(page, '#peak-rows', /99\.7/);
  await page.keyboard.press('[');
  const [hz, db] = [TONES[1][0] - TONES[0][0], TONES[1][1] - TONES[0][1]];
  await until(async () => {
    const [, row] = await rows(page);
    return (
      row?.[0] === '2\u03941'
      && /Hz/.test(row[1])
      && Math.abs(hzIn(row[1]) - hz) < 0.1 * BIN
      && Math.abs(Number(row[2]) - db) < 0.11
    );
  }, 'the difference of two tones');
  await screenshot(page, 'page_markers');
});

onTones('a_marker_is_placed_with_a_click_and_dragged', async ({ page, place, sent }) => {
  await page.click('#markers-open');
  const from = await place(100.3e6);
  await page.mouse.click(from.x, from.y); // not in the mode: nothing
  assert.equal((await rows(page)).length, 0);
  await page.mouse.move(from.x, from.y);
  await page.keyboard.press('m');
  await until(async () => (await rows(page)).length === 1, 'a marker at the cursor');
  assert.ok(Math.abs(hzIn((await rows(page))[0][1]) - 100.3e6) < 12000); // three pixels
  const views = sent.filter(({ type }) => type === 'view').length;
  const { display, waterfall } = await plots(page);
  await until(async () => {
    // again, if a line moved the marker away from the pointer
    for (let y = waterfall.y - 30; y > display.y; y -= 6) {
      // finds the marker from below
      await page.mouse.move(from.x, y);
      if (await page.evaluate(() => document.getElementById('display').dataset.grip === 'yes')) break;
    }
    await page.mouse.down();
    await page.mouse.move((await place(TONES[2][0])).x, from.y, { steps: 8 });
    await page.mouse.up();
    return Math.abs(hzIn((await rows(page))[0][1]) - TONES[2][0]) < 12000;
  }, 'a marker that was dragged');
  await untilReads(page, 0, TONES[2]);
  assert.equal(sent.filter(({ type }) => type === 'view').length, views, 'the view stays');
});

onTones('a_row_of_the_peak_table_puts_a_marker', async ({ page }) => {
  await page.click('#markers-open');
  await page.fill('#peak-threshold', '-40');
  await page.keyboard.press('Enter');
  await until(async () => (await page.locator('#peak-rows tr').count()) === 2, 'two tones above -40 dBFS');
  await page.locator('#peak-rows button').nth(1).click();
  await untilReads(page, 0, TONES[1]);
  await page.selectOption('#peak-order', 'frequency');
  await untilText(page, '#peak-rows tr:first-child', /^99\.7/);
  await page.fill('#peak-excursion', '0');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#peak-excursion').evaluate((input) => input.validity.valid), false);
});

// Noise of -60 dBFS in 2.4 MHz.
onTones('a_noise_marker_reads_the_density', async ({ page, place }) => {
  await page.click('#markers-open');
  const { x, y } = await place(99.2e6);
  await page.mouse.move(x, y);
  await page.keyboard.press('m');
  await page.locator('#marker-rows input').first().check();
  const density = -60 - 10 * Math.log10(2.4e6);
  await until(async () => {
    // 17 bins of 47 spectra: 0.16 dB rms
    const [row] = await rows(page);
    return row[3] === 'dBFS/Hz' && Math.abs(Number(row[2]) - density) < 1;
  }, `${density} dBFS/Hz`);
});

onTones('while_paused_peak_marker_clock_and_picture_stay_with_one_line', async ({ page }) => {
  await page.keyboard.press('i');
  await page.keyboard.press('m');
  await page.keyboard.press('k'); // follows the peak
  await untilReads(page, 0, TONES[0]);
  await page.keyboard.press(' ');
  await page.locator('#paused').waitFor({ state: 'visible' });
  const texts = async () => [
    await textOf(page, '#peak-hz'),
    await textOf(page, '#peak-db'),
    await textOf(page, '#ledger-clock'),
    ...(await rows(page))[0],
  ];
  await drawn(page, 20);
  const before = await texts();
  assert.equal(before[0], before[4]);
  assert.equal(before[1], before[5]);
  await drawn(page, 90); // lines go on
  assert.deepEqual(await texts(), before);
});

onTones('a_paused_headline_without_markers_is_of_a_line_that_the_server_has_read', async ({ page, sent }) => {
  const [hz, db] = TONES[0],
    headline = async () => [
      await textOf(page, '#peak-hz'),
      await textOf(page, '#peak-db'),
      await textOf(page, '#ledger-clock'),
    ];
  await until(async () => Math.abs(hzIn(await textOf(page, '#peak-hz')) - hz) < 0.05 * BIN, 'the frequency');
  assert.equal(sent.findLast(({ put }) => put === '/api/v1/connection/markers').body.per_second, 3);
  await page.keyboard.press(' ');
  await page.locator('#paused').waitFor({ state: 'visible' });
  let before = await headline();
  await until(async () => {
    // lines until one was read: then the clock, which shows seconds, stands
    const earlier = before;
    await page.waitForTimeout(1500);
    before = await headline();
    return String(before) === String(earlier);
  }, 'the held picture');
  assert.ok(Math.abs(hzIn(before[0]) - hz) < 0.05 * BIN, before[0]); // its column is read 0.3 columns away from it
  assert.ok(Math.abs(Number(before[1].replace('\u2212', '-')) - db) < 0.11, before[1]);
  await drawn(page, 90); // lines go on
  assert.deepEqual(await headline(), before);
});

onTones('the_centre_key_moves_a_zoomed_view_and_tunes_the_whole_one', async ({ page, sent }) => {
  await page.keyboard.press('i');
  await page.keyboard.press('m');
  await untilReads(page, 0, TONES[0]); // the first lines come without readings: until one does, a marker is on a bin
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await until(async () => {
    await page.keyboard.press('Shift+G'); // again: the first lines of the new view come without readings, too
    return sent.some(
      ({ type, low_hz, high_hz }) => type === 'view' && Math.abs((low_hz + high_hz) / 2 - TONES[0][0]) < 0.05 * BIN,
    );
  }, 'a view around it');
  assert.ok(!sent.some(({ put }) => put === '/api/v1/settings'));
  await page.keyboard.press('0');
  await untilText(page, '#view-span', /^2\.4 MHz$/);
  await untilReads(page, 0, TONES[0]);
  await page.keyboard.press('Shift+G');
  await until(
    () =>
      sent.some(({ put, body }) => put === '/api/v1/settings' && Math.abs(body.center_hz - TONES[0][0]) < 0.05 * BIN),
    'the radio is tuned',
  );
});

onTones(
  'a_marker_of_a_phone_is_placed_by_a_tap',
  async ({ page, place }) => {
    await page.tap('#menu-open');
    await page
      .locator('#menu')
      .getByRole('button', { name: /place a marker/i })
      .tap();
    const { x, y } = await place(TONES[1][0]);
    await page.touchscreen.tap(x, y);
    await untilText(page, '#marker-line', /^Mkr 1 .*-32\.0 dBFS$/);
    await screenshot(page, 'page_phone_marker');
    await page.tap('#menu-open');
    await page
      .locator('#menu')
      .getByRole('button', { name: /peak table/i })
      .tap();
    await untilText(page, '#peak-rows', /-47\.0/);
    await screenshot(page, 'page_phone_markers');
  },
  { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
);

const calibrationFolder = mkdtempSync(join(tmpdir(), 'fftd-calibration-')),
  calibrationFile = join(calibrationFolder, 'radio.cal');
// -10 dB for each MHz from 99 MHz on
writeFileSync(calibrationFile, 'serial = -\ndate = -\nuncertainty = -\n99M - - -10\n101M - - -30\n');
after(() => rmSync(calibrationFolder, { recursive: true }));

onTones(
  'markers_and_peaks_are_in_the_unit_of_levels',
  async ({ page }) => {
    const dbm = ([hz, db]) => db - 10 - (hz - 99e6) / 1e5; // the offset of each tone's own frequency
    const numberIn = async (selector) => parseFloat(await textOf(page, selector));
    const near = (selector, expected, tolerance) =>
      until(async () => Math.abs((await numberIn(selector)) - expected) <= tolerance, `${selector}: ${expected}`);
    await page.keyboard.press('i');
    await page.keyboard.press('m');
    await page.selectOption('#unit', 'dBm');
    await near('#marker-rows tr td:nth-child(3)', dbm(TONES[0]), 0.11);
    assert.match(await textOf(page, '#marker-line'), /dBm$/);
    assert.equal(await textOf(page, '#peak-unit-name'), 'dBm');
    // a peak is at a bin: half of one away a tone is lower
    await near('#peak-rows tr:nth-child(2) td:nth-child(2)', dbm(TONES[1]), 0.5);
    // -41 dBFS at the centre; -61 dBFS would be below the third tone
    await page.fill('#peak-threshold', String(dbm(TONES[1]) - 12));
    await page.press('#peak-threshold', 'Enter');
    await until(async () => (await page.locator('#peak-rows tr').count()) === 2, 'two peaks above the threshold');
    await page.getByRole('button', { name: 'To centre' }).focus();
    await page.keyboard.press('Shift+M');
    await page.keyboard.press('n'); // the next lower: the second tone
    await near('#marker-rows tr:nth-child(2) td:nth-child(3)', dbm(TONES[1]) - dbm(TONES[0]), 0.11);
    await page.selectOption('#unit', 'dBm/Hz');
    await page.getByLabel('Marker 1: noise density').check();
    await untilText(page, '#marker-rows tr:first-child .unit', /^dBm\/Hz$/);
    // A density has the offset, whatever the RBW is.
    const inDbmHz = await until(() => numberIn('#marker-rows tr:first-child td:nth-child(3)'), 'a density');
    await page.selectOption('#unit', 'dB\u00b5V');
    await untilText(page, '#marker-rows tr:first-child .unit', /^dB\u00b5V\/Hz$/);
    await near('#marker-rows tr:first-child td:nth-child(3)', inDbmHz + 106.99, 0.5);
    await screenshot(page, 'markers_unit');
  },
  {},
  [...ARGS, '--calibration', calibrationFile],
);

onTones('a_control_of_a_marker_keeps_the_focus', async ({ page }) => {
  await page.keyboard.press('i');
  for (let i = 0; i < 3; i++) await page.keyboard.press('m');
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel);
  for (const name of ['Marker 2: noise density', 'Marker 2: follows the peak']) {
    await page.getByLabel(name).focus();
    await page.keyboard.press(' ');
    assert.equal(await page.getByLabel(name).isChecked(), true);
    assert.equal(await focused(), name);
  }
  await page.getByLabel('Remove marker 2').focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'Remove marker 3', 'that of the next row');
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'Remove marker 1', 'that of the row before, as there is no next one');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'tab-markers', 'no row is left');
});
