// Density, divider and measurements on the page of the real daemon, against the known signals of its simulated radio.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { drawn, launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/**
 * Runs fftd with args on its simulation, then use({ page, sent, heard }); sent, heard: messages of the page and to it.
 */
function withSim(name, args, use, { hash = '', ...options } = {}) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon(['--source', 'sim', ...args]);
    const sent = [],
      heard = [];
    const listen = (page) =>
      page.on('websocket', (socket) => {
        socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload)));
        socket.on('framereceived', ({ payload }) => heard.push(payload));
      });
    try {
      await withPage(
        browser,
        daemon.url + hash,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await use({ page, sent, heard, daemon });
        },
        { colorScheme: 'dark', before: listen, ...options },
      );
    } finally {
      assert.equal(await daemon.stop(), 0, daemon.stderr());
    }
  });
}

const isDensity = (payload) =>
  typeof payload !== 'string' && payload.toString('latin1', 0, 4) === 'FFTD' && payload[5] === 2;

/** The plot of the spectrum on the page: above the waterfall and the axis of 26 pixels, below 4 pixels. */
const spectrumBox = (page) =>
  page.evaluate(() => {
    const { x, y, width } = document.getElementById('waterfall').getBoundingClientRect();
    const top = document.getElementById('display').getBoundingClientRect().y + 4;
    return { x, y: top, width, height: y - 26 - top };
  });

/** Where a frequency and a level are on the page; the address gives the view and the range. */
async function pointAt(page, hz, db) {
  const { low, high, bottom, top } = Object.fromEntries(
    [...new URLSearchParams(new URL(page.url()).hash.slice(1))].map(([name, value]) => [
      name,
      Number(value.replace(/k$/, 'e3').replace(/M$/, 'e6')),
    ]),
  );
  const box = await spectrumBox(page);
  return { x: box.x + ((hz - low) / (high - low)) * box.width, y: box.y + ((top - db) / (top - bottom)) * box.height };
}

/** The two shares that the box at the cursor shows, in per cent: in the row of the level, and above. */
async function sharesAt(page, hz, db) {
  const { x, y } = await pointAt(page, hz, db);
  await page.mouse.move(x, y);
  await drawn(page, 3);
  return [...(await textOf(page, '#hover')).matchAll(/([\d.]+) %/g)].map(([, percent]) => Number(percent));
}

// docs/input.md: bursts of 6.8 ms every 109 ms at +750 kHz, -30 dBFS: 1/16 of the time. A transform of 256 samples
// takes
// 0.1 ms, so that nearly all see a whole burst or none. The steady carrier at +300 kHz has -20 dBFS.
withSim(
  'a density shows the share of time of a burst and of a carrier',
  ['--rate', '2.4M', '--fft-size', '256', '--window', 'flat-top'],
  async ({ page, heard, sent }) => {
    assert.ok(!sent.some(({ subscribe }) => subscribe === 'density'), 'nothing is requested while it is not shown');
    await page.keyboard.press('d');
    await page.locator('#density-bar').waitFor({ state: 'visible' });
    await page.selectOption('#persistence', 'infinite');
    await until(() => heard.filter(isDensity).length > 40, '40 densities'); // some five seconds: 46 bursts
    await page.keyboard.press(' '); // the picture stays
    const burst = await sharesAt(page, 100.75e6, -33);
    assert.ok(Math.abs(burst[1] - 6.25) < 0.7, `share of the burst: ${burst[1]} %`);
    const carrier = await sharesAt(page, 100.3e6, -22);
    assert.ok(carrier[1] > 99.9, `share of the carrier: ${carrier[1]} %`);
    const noise = await sharesAt(page, 100.55e6, -20);
    assert.deepEqual(noise, [0, 0]);
    await screenshot(page, 'density');
  },
  { hash: '#low=100200000&high=100900000&bottom=-100&top=0' },
);

/** Colour of the density at a point of the page. */
const densityPixel = async (page, { x, y }) =>
  page.evaluate(
    (at) => {
      const canvas = document.getElementById('density'),
        copy = document.createElement('canvas');
      copy.width = copy.height = 1;
      const context = copy.getContext('2d');
      context.drawImage(canvas, Math.floor(at.x * canvas.width), Math.floor(at.y * canvas.height), 1, 1, 0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    },
    await spectrumBox(page).then((box) => ({ x: (x - box.x) / box.width, y: (y - box.y) / box.height })),
  );

withSim(
  'the density is where its frequencies and levels are',
  ['--rate', '2.4M', '--fft-size', '1024', '--window', 'flat-top'],
  async ({ page, heard }) => {
    assert.equal(await page.locator('#persistence').inputValue(), '3', 'of the address');
    await until(() => heard.filter(isDensity).length > 5, 'densities');
    // The carrier of -20 dBFS is within half a row of 0.5 dB; nothing is ever 5 dB above or below it.
    await until(async () => (await densityPixel(page, await pointAt(page, 100.3e6, -20.2)))[3] === 255, 'the carrier');
    for (const db of [-15, -25])
      assert.equal((await densityPixel(page, await pointAt(page, 100.3e6, db)))[3], 0, `${db} dBFS`);
    await page.keyboard.press('d');
    await page.locator('#density-bar').waitFor({ state: 'hidden' });
    const before = heard.filter(isDensity).length;
    await drawn(page, 60);
    assert.ok(heard.filter(isDensity).length <= before + 2, 'no more densities than were under way');
    assert.doesNotMatch(new URL(page.url()).hash, /density/);
  },
  { hash: '#low=100290000&high=100310000&bottom=-40&top=0&density=3' },
);

withSim(
  'a sweep offers no density',
  ['--rate', '2.4M', '--fft-size', '1024', '--span', '100M:112M', '--dwell', '2ms'],
  async ({ page, sent }) => {
    await until(async () => !(await page.locator('#density-toggle').isVisible()), 'no button');
    await page.keyboard.press('d');
    assert.equal(await page.locator('#density-bar').isVisible(), false);
    assert.ok(!sent.some(({ subscribe }) => subscribe === 'density'));
  },
);

const figure = async (page, name) =>
  Number((await textOf(page, `[data-name="${name}"] .figure output`)).replace(/ /g, ''));
const partOf = (page, name, part) => textOf(page, `[data-name="${name}"] ${part}`);

async function openPanel(page) {
  await page.keyboard.press('e');
  await page.locator('#measure').waitFor({ state: 'visible' });
}

/** The value of a label in a measurement, with its unit. */
const valueOf = (page, name, label) =>
  until(async () => {
    for (const row of await page.locator(`[data-name="${name}"] dl div`).all()) {
      const [text, ...value] = await row.locator('dt, dd').allTextContents();
      if (text === label)
        return value
          .join(' ')
          .replace(/\u202f/g, ' ')
          .replace(/\u2212/g, '-');
    }
    return null;
  }, `${label} of ${name}`);

/** Adds one with the panel's form. */
async function add(page, type, fields) {
  await page.click('#measure-add');
  await page.selectOption('#measure-type', type);
  for (const [name, value] of Object.entries(fields)) await page.fill(`#measure [name="${name}"]`, value);
  await page.click('#measure [type=submit]');
}

// A tone of -12 dBFS: all its power is in the channel, whatever the RBW. White noise of 0.99 B holds 99 % of its power.
const TONE = ['--rate', '2.4M', '--fft-size', '4096', '--device', 'scene=tone,level=-12,offset=300k,seed=1'];

withSim(
  'a viewer without control measures the channel power of a tone and drags its band',
  [...TONE, '--token', 'x'],
  async ({ page, sent }) => {
    await openPanel(page);
    // without units: MHz, and kHz as the width that was offered
    await page.click('#measure-add');
    await page.fill('#measure [name=center]', '100,3');
    await untilText(page, '#measure label:has([name=center]) .understood', /^100\.300.MHz$/);
    await page.click('#measure [type=submit] + button'); // Cancel
    await add(page, 'channel-power', { center: '100,3', width: '100' });
    await until(async () => Math.abs((await figure(page, 'channel-power')) + 12) < 0.05, 'the power of the tone');
    assert.equal(await partOf(page, 'channel-power', '.figure small'), 'dBFS');
    assert.equal(await valueOf(page, 'channel-power', 'Width'), '100.0 kHz');
    // -12 dBFS - 10 log10(100 kHz)
    assert.match(await valueOf(page, 'channel-power', 'Density'), /^-62\.0\d dBFS\/Hz$/);
    assert.equal(await page.locator('[data-name="channel-power"] .verdict').isVisible(), false, 'it has no limit');

    // The right edge is dragged from 100.35 MHz to 100.40 MHz: 150 kHz wide, with the same power.
    const point = async (hz) =>
      page.evaluate(
        (at) => {
          const box = document.getElementById('waterfall').getBoundingClientRect(),
            chart = document.getElementById('chart').getBoundingClientRect();
          return { x: box.x + at * box.width, y: chart.y + 60 };
        },
        (hz - 98.8e6 + 293) / 2.4e6,
      );
    const [from, to] = [await point(100.35e6), await point(100.4e6)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, from.y);
    await page.mouse.move(to.x, from.y);
    await page.mouse.up();
    await until(
      async () => Math.abs(parseFloat(await valueOf(page, 'channel-power', 'Width')) - 150) < 5,
      'the wider channel',
    );
    assert.ok(Math.abs((await figure(page, 'channel-power')) + 12) < 0.05);
    await screenshot(page, 'measure_band');

    // The bar at the bottom moves the band off the tone: what is left is noise, at least 40 dB weaker.
    const bar = await page.evaluate(() => document.getElementById('waterfall').getBoundingClientRect().y - 26 - 4);
    const middle = await point(100.33e6),
      away = await point(100.7e6);
    await page.mouse.move(middle.x, bar);
    await page.mouse.down();
    await page.mouse.move(away.x, bar);
    await page.mouse.up();
    await until(async () => (await figure(page, 'channel-power')) < -52, 'the power beside the tone');
    assert.ok(
      sent.every(({ put }) => !put?.startsWith('/api/v1/measurements')),
      'only its own',
    );
    assert.equal(await page.evaluate(() => /low=/.test(location.hash)), false, 'the view has not moved');

    // It comes back with the page, whose address names the open panel, and can be removed.
    await page.reload();
    await page.locator('#measure').waitFor({ state: 'visible' });
    await until(async () => (await figure(page, 'channel-power')) < -52, 'the remembered measurement');
    await page.locator('[data-name="channel-power"] button', { hasText: 'Remove' }).click();
    await until(async () => (await page.locator('.measurement').count()) === 0, 'no measurement');
  },
);

withSim(
  'the occupied bandwidth of a signal and a reason in place of a wrong number',
  [
    '--rate',
    '2.4M',
    '--fft-size',
    '4096',
    '--measure',
    'obw,center=99.4M,width=400k,trace=average,name=fm',
    '--measure',
    'channel-power,center=1G,width=20k,name=far',
    '--measure',
    'mask,name=low,upper=100.2M:-10,100.4M:-10',
    '--measure',
    'mask,name=high,upper=100.2M:-30,100.4M:-30',
    '--measure',
    'mask,name=dbm,reference=dbm,upper=100.2M:-30,100.4M:-30',
  ],
  async ({ page, daemon }) => {
    await openPanel(page);
    await until(async () => (await page.locator('.measurement').count()) === 5, 'five measurements');
    const { values } = await (await fetch(`${daemon.url}api/v1/measurements/fm`)).json();
    await until(async () => Math.abs((await figure(page, 'fm')) - values.bandwidth_hz / 1e3) < 1, 'the bandwidth');
    assert.equal(await partOf(page, 'fm', '.figure small'), 'kHz');
    assert.equal(await partOf(page, 'far', '.figure output'), '--');
    assert.match(await partOf(page, 'far', '.reason'), /is not within the span/);
    assert.equal(await partOf(page, 'dbm', '.figure output'), 'uncal');
    // The carrier of -20 dBFS is 10 dB below one limit and 10 dB above the other.
    await until(async () => (await partOf(page, 'low', '.verdict')) === 'PASS', 'a pass');
    assert.equal(await partOf(page, 'high', '.verdict'), 'FAIL');
    assert.ok(Math.abs((await figure(page, 'low')) - 10) < 1 && Math.abs((await figure(page, 'high')) + 10) < 1);
  },
);

withSim(
  'the limits of a mask are fitted, drawn over the spectrum and dragged, and the margins are in sight',
  TONE,
  async ({ page, sent }) => {
    await openPanel(page);
    await page.evaluate(() => {
      location.hash = '#panels=measure&bottom=-120&top=0';
    }); // the levels stay
    await until(async () => (await page.getAttribute('#auto', 'aria-pressed')) === 'false', 'levels of the link');
    await page.click('#measure-add');
    await page.selectOption('#measure-type', 'mask');
    await page.click('#measure [data-side=upper] + button'); // fit above
    const points = (await page.inputValue('#measure [name=upper]')).split(', ').map((each) => each.split(':'));
    const highest = Math.max(...points.map(([, db]) => Number(db)));
    assert.ok(points.length > 20 && Math.abs(highest + 6) < 1, `6 dB above the tone of -12 dBFS: ${highest}`);
    await page.click('#measure [type=submit]');
    await until(async () => (await partOf(page, 'mask', '.verdict')) === 'PASS', 'a pass');
    assert.equal(await page.evaluate(() => document.querySelector('#measure form').hidden), true);

    await page.click('[data-name=mask] .buttons button'); // change
    await page.fill('#measure [name=upper]', '100,2:-5; 100,4:-5');
    await page.click('#measure [type=submit]');
    await until(async () => Math.abs((await figure(page, 'mask')) - 7) < 0.2, 'a margin of 7 dB');
    await untilText(page, '[data-name=mask] .keys', /100\.2 MHz:-5, 100\.4 MHz:-5/);
    const cut = await page.locator('[data-name=mask] .rows').evaluate((rows) => {
      const head = [...rows.querySelectorAll('th')].find(({ textContent }) => textContent === 'Margin, dB');
      return head.getBoundingClientRect().right - rows.getBoundingClientRect().right;
    });
    assert.ok(cut <= 0, 'the column of margins is in sight');

    // Both points go 20 dB down, and the tone is over the limit.
    const place = (hz, db) =>
      page.evaluate(
        ([x, y]) => {
          const box = document.getElementById('waterfall').getBoundingClientRect(),
            display = document.getElementById('display').getBoundingClientRect();
          return { x: box.x + x * box.width, y: display.y + 4 + y * (box.y - display.y - 30) };
        },
        [(hz - 98.8e6 + 293) / 2.4e6, -db / 120],
      );
    for (const hz of [100.2e6, 100.4e6]) {
      const from = await place(hz, -5),
        to = await place(hz, -25);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    }
    await until(async () => (await partOf(page, 'mask', '.verdict')) === 'FAIL', 'a fail');
    await until(async () => Math.abs((await figure(page, 'mask')) + 13) < 2, 'a margin of -13 dB');
    assert.ok(
      sent.some((message) => /100\.\d+M:-2\d/.test(JSON.stringify(message))),
      'the server has the new points',
    );
    await screenshot(page, 'measure_mask');
  },
);

withSim(
  'zero span and ccdf are drawn as graphs',
  [
    '--rate',
    '2.4M',
    '--fft-size',
    '4096',
    '--line-rate',
    '5',
    '--measure',
    'zero-span,center=100.75M,rbw=20k,time=120ms,points=200,name=bursts',
    '--measure',
    'ccdf',
  ],
  async ({ page }) => {
    await openPanel(page);
    // In 120 ms there is always a burst of -30 dBFS (every 109 ms), and a pause.
    await until(
      async () => Math.abs(parseFloat(await valueOf(page, 'bursts', 'Peak')) + 30) < 1,
      'the level of the bursts',
    );
    await page.locator('[data-name="bursts"] svg path.trace').waitFor({ state: 'attached' });
    const texts = await page.locator('[data-name="bursts"] svg text').allTextContents();
    assert.ok(texts.includes('ms') && texts.includes('dBFS') && texts.includes('100'), texts.join());
    assert.equal(await page.locator('[data-name="ccdf"] svg path.reference').count(), 1);
    await screenshot(page, 'measure_graphs');
  },
);

withSim('the server refuses a wrong key with its reason', TONE, async ({ page }) => {
  await openPanel(page);
  await page.locator('#measure-add').waitFor({ state: 'visible' });
  await add(page, 'channel-power', { width: 'wide' });
  await untilText(page, '#measure-result', /width.*wide/);
  assert.equal(await page.locator('#measure form').isVisible(), true, 'the form stays, to be corrected');
  await page.fill('#measure [name=width]', '1M');
  await page.click('#measure [type=submit]');
  await untilText(page, '[data-name="channel-power"] .keys', /Width 1 MHz/);
  await page.locator('#measure form').waitFor({ state: 'hidden' }); // with the first result
});

// A band of 2 kHz needs an RBW of a third of that, and has one of 1.2 kHz.
withSim(
  'measurements are grouped, a refusal is mended with its button, and a card collapses to its figure',
  [
    '--rate',
    '2.4M',
    '--fft-size',
    '4096',
    '--measure',
    'channel-power,center=100.2M,width=2k,name=narrow',
    '--measure',
    'occupancy,start=99M,stop=100M,width=100k',
    '--measure',
    'fm,center=99.4M,bandwidth=200k',
  ],
  async ({ page, daemon }) => {
    await openPanel(page);
    await until(async () => (await page.locator('.measurement').count()) === 3, 'three measurements');
    assert.deepEqual(
      await page
        .locator('#measure-list > *')
        .evaluateAll((all) => all.map((each) => each.querySelector('h4 span')?.textContent ?? each.textContent)),
      ['Power', 'Channel power', 'Modulation', 'Frequency modulation', 'Time', 'Occupancy'],
    );
    const card = page.locator('[data-name=narrow]');
    assert.match(await partOf(page, 'narrow', '.reason'), /RBW of .* too wide for a band of 2000 Hz/);
    await card.getByRole('button', { name: 'Set RBW' }).click();
    await until(async () => Number.isFinite(await figure(page, 'narrow')), 'a figure');
    const { spectrum } = await (await fetch(`${daemon.url}api/v1/status`)).json();
    assert.ok(spectrum.fft_size > 4096, `${spectrum.fft_size}`);
    assert.equal(await card.locator('.mend').isVisible(), false);
    await card.locator('summary').focus();
    await page.keyboard.press('Enter');
    await card.locator('.figure').waitFor({ state: 'hidden' });
    assert.match(await partOf(page, 'narrow', '.brief'), /dBFS$/);
    await screenshot(page, 'measure_groups');
  },
);

/** Until the first figures have found their place: they may take another line above the plots. */
async function untilStill(page, selector) {
  let last = '';
  await until(async () => {
    const before = last;
    last = JSON.stringify(await page.locator(selector).boundingBox());
    await drawn(page, 10);
    return last === before;
  }, `${selector} at one place`);
}

withSim('the divider is dragged and remembered', [], async ({ page }) => {
  await untilText(page, '#ledger-pace', /B\/s/);
  await untilText(page, '#strip', /ADC\s*[\d.]/); // the first status has come: the strip may take another line then
  await untilStill(page, '#divider');
  const heightOf = () => page.evaluate(() => document.getElementById('waterfall').getBoundingClientRect().height);
  const before = await heightOf(),
    { x, y, width, height } = await page.locator('#divider').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2 + 120, { steps: 4 });
  await page.mouse.up();
  await until(async () => Math.abs(before - 120 - (await heightOf())) < 4, 'a lower waterfall');
  const dragged = await heightOf();
  assert.equal(await page.evaluate(() => location.hash.includes('low=')), false, 'the view has not moved');
  await page.reload();
  await until(async () => Math.abs((await heightOf()) - dragged) < 2, 'the remembered height');
  await page.locator('#divider').focus();
  await page.keyboard.press('ArrowUp');
  await until(async () => (await heightOf()) > dragged + 10, 'a higher waterfall');
  await page.locator('#divider').dblclick();
  await until(async () => Math.abs((await heightOf()) - before) < 2, 'the height of the beginning');
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
for (const [device, options] of [
  ['desktop', {}],
  ['phone', PHONE],
])
  withSim(
    `axe finds nothing in density and measurements ${device}`,
    [
      '--measure',
      'peaks',
      '--measure',
      'ccdf',
      '--measure',
      'mask,name=high,upper=100.2M:-30,100.4M:-30',
      '--measure',
      'channel-power,center=1G,width=20k,name=far',
    ],
    async ({ page }) => {
      await page.locator('#density-bar:not([hidden])').waitFor({ state: 'attached' }); // on a phone it is in a sheet
      await page.evaluate(AXE);
      const findNothing = async () => {
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          await drawn(page, 3);
          const { violations } = await page.evaluate(() =>
            globalThis.axe.run({ include: [['#middle'], ['#tools'], ['#strip']] }),
          );
          assert.deepEqual(
            violations.flatMap(({ id, nodes }) =>
              nodes.map(({ target, any }) => `${id} ${target}: ${any[0]?.message ?? ''}`),
            ),
            [],
            colorScheme,
          );
        }
      };
      await findNothing();
      await openPanel(page);
      await until(async () => (await page.locator('.measurement').count()) === 4, 'the measurements');
      await page.locator('#measure-add').click();
      await findNothing();
    },
    { hash: '#density=1', ...options },
  );

// ---- keys, whatever has the focus ---------------------------------------------------------------

const PANELS = { markers: 'i', bookmarks: 'o', traces: 'v', measure: 'e', controls: 'c' };

withSim('escape closes every panel', [], async ({ page }) => {
  for (const [id, key] of Object.entries(PANELS)) {
    await page.keyboard.press(key);
    await page.locator(`#${id}`).waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    await page.locator(`#${id}`).waitFor({ state: 'hidden' });
  }
  for (const key of Object.values(PANELS)) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('aside, [role=tabpanel]')].every(({ hidden }) => hidden),
  );
});

withSim(
  'keys work after a choice with the mouse in any select',
  [],
  async ({ page }) => {
    await page.keyboard.press('d');
    await page.keyboard.press('i');
    await page.locator('#rbw').waitFor({ state: 'visible' });
    const ids = await page.locator('select:visible').evaluateAll((all) => all.map(({ id }) => id));
    for (const wanted of ['detector', 'palette', 'speed', 'step', 'rbw', 'unit', 'db-div', 'persistence', 'peak-order'])
      assert.ok(ids.includes(wanted), wanted);
    for (const id of ids) {
      const select = page.locator(`#${id}`),
        { x, y } = await select.boundingBox();
      await page.mouse.click(x + 6, y + 6);
      const values = await select.locator('option').evaluateAll((all) => all.map(({ value }) => value));
      const now = await select.inputValue();
      await select.selectOption(values.find((value) => value !== now) ?? now);
      assert.notEqual(await page.evaluate(() => document.activeElement?.id), id, id);
    }
  },
  { viewport: { width: 1600, height: 900 } },
);

withSim('keys work after a click on a checkbox', [], async ({ page }) => {
  await page.keyboard.press('o');
  await page.locator('#bookmarks-shown').click();
  await page.keyboard.press('t');
  await until(() => /detector=max/.test(page.url()), 'the next detector');
  await page.keyboard.press(' '); // the checkbox's own
  await until(() => page.locator('#bookmarks-shown').isChecked(), 'the box');
  assert.equal(await page.locator('#paused').isVisible(), false);
});

withSim(
  'a screen reader is not told each figure',
  ['--measure', 'peaks', '--measure', 'channel-power,center=100M,width=25k,name=carrier'],
  async ({ page }) => {
    for (const key of ['e', 'm', 'i']) await page.keyboard.press(key);
    await until(async () => (await page.locator('#measure article').count()) === 2, 'measurements');
    const shown = await page.evaluate(async () => {
      const live = (node) =>
        (node instanceof Element ? node : node.parentElement)?.closest(
          '[aria-live], output, [role=status], [role=alert]',
        );
      const notes = [],
        began = performance.now();
      let figures = 0;
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const region = live(target);
          if (region && region.getAttribute('aria-live') !== 'off')
            notes.push(`${region.id || region.tagName}: ${region.textContent}`);
          else figures += 1;
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      while (figures < 100) await new Promise(requestAnimationFrame); // so many changes of other texts
      return { notes, seconds: (performance.now() - began) / 1000 };
    });
    // the peak, every five seconds
    assert.ok(shown.notes.length <= 1 + shown.seconds / 5, `in ${shown.seconds} s: ${shown.notes}`);
  },
);

withSim(
  'with forced colors what only a colour says is still said',
  ['--trigger', 'external,name=hand', '--trigger', 'level=-200,mode=single,name=once'],
  async ({ page }) => {
    for (const key of ['h', 'y', 'd', 'w']) await page.keyboard.press(key);
    await page.locator('#trigger-list [data-armed=false]').waitFor(); // it has fired at once
    const colors = (selector) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    await until(async () => (await page.locator('#trace-legend .trace-line').count()) === 3, 'three traces');
    const lines = await colors('#trace-legend .trace-line');
    assert.equal(new Set(lines).size, 3, `${lines}`);
    assert.notEqual(
      (await colors('#trigger-list [data-armed=true]'))[0],
      (await colors('#trigger-list [data-armed=false]'))[0],
    );
    const scale = await page.locator('#density-legend i').evaluate((bar) => getComputedStyle(bar).backgroundImage);
    assert.match(scale, /gradient/);
    await screenshot(page, 'forced_colors');
  },
  { forcedColors: 'active' },
);

for (const [name, options] of Object.entries({
  narrow: { viewport: { width: 702, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
  more_contrast: { contrast: 'more' },
  forced_colors: { forcedColors: 'active' },
}))
  withSim(
    `axe finds nothing on the whole page ${name}`,
    [],
    async ({ page }) => {
      await untilText(page, '#ledger-pace', /B\/s/);
      if (name === 'narrow')
        // figures as long as they ever get
        await page.evaluate(() => {
          document.getElementById('ledger').style.letterSpacing = '.2em';
        });
      await drawn(page, 5);
      await screenshot(page, `whole_${name}`);
      const scrolls = await page.evaluate(() => {
        const list = document.getElementById('ledger');
        return list.scrollHeight > list.clientHeight + 1 && getComputedStyle(list).overflowY !== 'hidden';
      });
      if (name === 'narrow') assert.ok(scrolls, 'the figures need more room than there is');
      await until(
        async () => (await page.locator('#ledger').getAttribute('tabindex')) === (scrolls ? '0' : null),
        'the ledger in the order of Tab',
      );
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))]),
        [],
      );
    },
    options,
  );
