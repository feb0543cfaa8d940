// Triggers and events on the page against a real fftd, whose simulated tone is known.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, plots, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

// A tone of -20 dBFS in the middle of a bin, 250 kHz around 100 MHz; a column is not wider than a bin.
const RATE = 250e3,
  BIN = RATE / 512,
  TONE_HZ = 100e6 + 40 * BIN;
const SIM = [
  '--source',
  'sim',
  '--rate',
  '250k',
  '--center',
  '100M',
  '--fft-size',
  '512',
  '--device',
  `scene=world,noise=-60,tones=${TONE_HZ}@-20`,
];
const LOOK = { colorScheme: 'dark' };

/** use({ page, get, daemon }) on a page with its panel open; get(path): of the server. */
function withTriggers(name, args, look, use) {
  test(name, { timeout: 180000 }, async () => {
    const daemon = await startDaemon([...SIM, ...args]);
    const get = async (path) => (await fetch(`${daemon.url}api/v1/${path}`)).json();
    try {
      await withPage(
        browser,
        daemon.url,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await page.keyboard.press('w');
          await page.locator('#trigger-add').waitFor();
          await use({ page, get, daemon });
        },
        look,
      );
    } finally {
      await daemon.stop();
    }
  });
}

const rowTexts = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#event-rows tr')].map((row) =>
      [...row.cells].map((cell) => cell.innerText.replace(/\u202f/g, ' ').replace(/\u2212/g, '-')),
    ),
  );

withTriggers(
  'a trigger is armed finds the tone disarms and is armed again',
  [],
  { ...LOOK, allow: /400/ },
  async ({ page, get }) => {
    await untilText(page, '#no-events', /No event yet/);
    await page.click('#trigger-add');
    await page.fill('#triggers [name=level]', '-30');
    await page.click('#triggers summary');
    await page.selectOption('#triggers [name=mode]', 'single');
    await page.click('#triggers form button[type=submit]');
    await until(async () => (await rowTexts(page)).length === 1, 'an event');
    const [[, trigger, , peak]] = await rowTexts(page);
    const [db, hz] = peak.split('\n').map(parseFloat);
    assert.equal(trigger, 'level');
    assert.ok(Math.abs(db + 20) <= 0.2, peak);
    assert.ok(Math.abs(1e6 * hz - TONE_HZ) <= 1000, peak);
    await untilText(page, '#trigger-list', /level\s*1\s*level -30, mode single\s*disarmed after 1 event/);
    assert.equal(await page.locator('#triggers form').isVisible(), false, 'it is done');
    await page.getByRole('button', { name: 'Arm level' }).click();
    await until(async () => (await rowTexts(page)).length === 2, 'another event');
    await page.getByRole('button', { name: 'Change level' }).click();
    assert.equal(await page.inputValue('#triggers [name=level]'), '-30');
    await page.fill('#triggers [name=level]', 'loud');
    await page.click('#triggers form button[type=submit]');
    await untilText(page, '#trigger-note', /level.*loud/);
    await page.getByRole('button', { name: 'Remove level' }).click();
    await until(async () => (await get('triggers')).triggers.length === 0, 'none');
    await until(async () => (await page.locator('#trigger-list li').count()) === 0, 'an empty list');
  },
);

withTriggers(
  'an event leads into the past of the waterfall',
  ['--trigger', 'external,name=hand'],
  LOOK,
  async ({ page, get }) => {
    const linesAfter = (line, count) =>
      until(async () => (await get('history?rows=1&columns=1')).rows?.[0]?.line >= line + count, `${count} lines`);
    await linesAfter(0, 30);
    await page.getByRole('button', { name: 'Fire hand' }).click();
    await until(async () => (await rowTexts(page)).length === 1, 'an event');
    const [{ line, time }] = (await get('events')).events;
    await linesAfter(line, 40);
    await page.locator('#event-rows button').click();
    await page.locator('#go-live').waitFor({ state: 'visible' });
    // Its row, a quarter below the top, is framed in white.
    const box = (await plots(page)).waterfall,
      x = box.x + 0.3 * box.width;
    const framed = () =>
      page.evaluate(() => {
        const canvas = document.getElementById('overlay'),
          ratio = canvas.width / canvas.getBoundingClientRect().width;
        const at = Math.floor(canvas.width * 0.4),
          { data } = canvas.getContext('2d').getImageData(at, 0, 1, canvas.height);
        const rows = Array.from({ length: canvas.height }, (_, y) => y).filter(
          (y) => data[4 * y] > 200 && data[4 * y + 1] > 200 && data[4 * y + 2] > 200 && data[4 * y + 3] > 100,
        );
        return rows.length > 1 ? (rows[0] + rows.at(-1)) / 2 / ratio : null;
      });
    const y = await until(framed, 'a frame');
    const top = (await page.locator('#display').boundingBox()).y;
    await page.mouse.move(x, top + y);
    await page.mouse.move(x + 1, top + y);
    const read = await until(
      async () => /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) UTC/.exec(await textOf(page, '#hover')),
      'a time',
    );
    assert.ok(Math.abs(Date.parse(`${read[1]}T${read[2]}Z`) - 1000 * time) < 200, `${read[0]}, ${time}`);
    await screenshot(page, 'triggers_event');
    await page.keyboard.press('End');
    await page.locator('#go-live').waitFor({ state: 'hidden' });
  },
);

/** Presses the mouse on an element, runs `meanwhile`, and lets go. */
async function pressDuring(page, selector, meanwhile) {
  const { x, y, width, height } = await page.locator(selector).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await meanwhile();
  await page.mouse.up();
}

withTriggers(
  'new events take neither a click nor the focus away',
  ['--trigger', 'external,name=hand'],
  LOOK,
  async ({ page, daemon }) => {
    let fired = 0;
    const fire = async () => {
      assert.ok((await fetch(`${daemon.url}api/v1/triggers/hand`, { method: 'POST' })).ok);
      fired += 1;
      await untilText(page, '#event-count', new RegExp(`^${fired} so far`));
      await untilText(page, '#trigger-list .number', new RegExp(`^${fired}$`));
    };
    const times = async () => (await rowTexts(page)).map(([time]) => time);
    for (let i = 0; i < 3; i++) await fire();
    const [, aimed] = await times();
    await pressDuring(page, '#event-rows tr:nth-child(2) button', fire);
    assert.equal(await textOf(page, '#event-rows [aria-selected=true] button'), aimed);
    await page.mouse.move(5, 5);
    await until(async () => (await times()).length === fired, 'the new event, after the pointer has left');
    await pressDuring(page, '#trigger-list button[aria-label="Change hand"]', fire);
    await page.locator('#triggers form').waitFor({ state: 'visible' });
    for (const name of ['#trigger-list button[aria-label="Remove hand"]', '#event-rows tr:nth-child(2) button']) {
      await page.locator(name).focus();
      const focused = await page.evaluateHandle(() => document.activeElement);
      await fire();
      assert.ok(await focused.evaluate((element) => element === document.activeElement), name);
    }
  },
);

withTriggers('a mask is drawn over the spectrum and armed', [], LOOK, async ({ page, get }) => {
  await page.evaluate(() => {
    location.hash = '#panels=triggers&bottom=-120&top=0';
  }); // the levels stay
  await until(async () => (await page.locator('#auto').getAttribute('aria-pressed')) === 'false', 'levels of the link');
  await page.click('#trigger-add');
  await page.selectOption('#trigger-type', 'mask');
  await page.locator('#triggers [data-side=upper]').click();
  const { display, waterfall } = await plots(page),
    low = 100e6 - RATE / 2 - BIN / 2,
    hzAt = (x) => low + x * RATE;
  const place = (x, y) => [waterfall.x + x * waterfall.width, display.y + y * (waterfall.y - display.y)];
  const drag = async (from, to) => {
    await page.mouse.move(...place(...from));
    await page.mouse.down();
    await page.mouse.move(...place(...to), { steps: 4 });
    await page.mouse.up();
  };
  await drag([0.1, 0.6], [0.2, 0.6]);
  await page.mouse.click(...place(0.5, 0.3));
  await page.mouse.click(...place(0.8, 0.6));
  const points = async () =>
    (await page.inputValue('#triggers [name=upper]')).split(',').map((point) => point.split(':').map(parseFloat));
  let drawn = await points();
  assert.equal(drawn.length, 3);
  [0.2, 0.5, 0.8].forEach((x, i) => assert.ok(Math.abs(1e6 * drawn[i][0] - hzAt(x)) < RATE / 200, `${drawn[i]}`));
  assert.ok(
    Math.abs(drawn[0][1] - drawn[2][1]) < 2 && drawn[1][1] > drawn[0][1] + 20 && drawn[1][1] < 0,
    'levels of the axis',
  );
  await drag([0.5, 0.3], [0.6, 0.5]); // moves the point
  drawn = await points();
  assert.equal(drawn.length, 3);
  assert.ok(Math.abs(1e6 * drawn[1][0] - hzAt(0.6)) < RATE / 200);
  await screenshot(page, 'triggers_draw');
  await drag([0.6, 0.5], [0.6, 1.3]); // out of the spectrum
  assert.equal((await points()).length, 2);
  await page.click('#triggers form button[type=submit]');
  await until(async () => (await get('triggers')).triggers.length === 1, 'a trigger');
  assert.equal(
    (await get('triggers')).triggers[0].keys.upper,
    (await points()).map(([mhz, db]) => `${mhz}M:${db}`).join(','),
  );
});

const maskFolder = mkdtempSync(join(tmpdir(), 'fftd-mask-')),
  maskFile = join(maskFolder, 'mask.txt');
writeFileSync(maskFile, 'frequency = offset\nupper -100k -40\nupper 100k -40\nlower -100k -100\nlower 100k -100\n');
after(() => rmSync(maskFolder, { recursive: true }));

// The hold has the tone's -20 dBFS and its margin of 10 dB.
withTriggers(
  'masks of a file and of hold are drawn over the spectrum',
  ['--trigger', `mask=${maskFile},center=100M,name=file`, '--trigger', 'mask,hold=0.2,margin=10,name=hold'],
  LOOK,
  async ({ page }) => {
    await page.evaluate(() => {
      location.hash = '#panels=triggers&bottom=-120&top=0';
    });
    await until(
      async () => (await page.locator('#auto').getAttribute('aria-pressed')) === 'false',
      'levels of the link',
    );
    /** Whether a line of the overlay is within 2 dB of a level, at a frequency. */
    const isDrawn = (hz, db) =>
      page.evaluate(
        ([x, y]) => {
          const canvas = document.getElementById('overlay'),
            copy = document.createElement('canvas'),
            ratio = devicePixelRatio;
          const display = document.getElementById('display').getBoundingClientRect(),
            waterfall = document.getElementById('waterfall').getBoundingClientRect();
          const top = 4,
            height = waterfall.y - display.y - 26 - top,
            reach = (height * 2) / 120;
          Object.assign(copy, { width: 1, height: Math.round(2 * reach * ratio) });
          const context = copy.getContext('2d');
          context.drawImage(
            canvas,
            Math.round((waterfall.x - display.x + x * waterfall.width) * ratio),
            Math.round((top + y * height - reach) * ratio),
            1,
            copy.height,
            0,
            0,
            1,
            copy.height,
          );
          const { data } = context.getImageData(0, 0, 1, copy.height);
          return data.some((alpha, i) => i % 4 === 3 && alpha > 100);
        },
        [(hz - 100e6 + RATE / 2 + BIN / 2) / RATE, -db / 120],
      );
    await until(() => isDrawn(100.05e6, -40), 'the upper limit of the file');
    await until(() => isDrawn(99.95e6, -100), 'its lower limit');
    await until(() => isDrawn(TONE_HZ, -10), 'the maximum that was held, and its margin');
    assert.equal(await isDrawn(100.11e6, -40), false, 'the file ends at 100 kHz');
    await screenshot(page, 'triggers_limits');
  },
);

withTriggers('a mask above a max hold is passed by a stronger tone alone', [], LOOK, async ({ page, get }) => {
  await page.selectOption('#detector', 'max');
  await page.keyboard.press('h');
  await page
    .locator('#trace-legend')
    .getByText(/max hold/i)
    .waitFor();
  await until(async () => /lines|\d/.test(await textOf(page, '#trace-legend')), 'lines');
  await page.click('#trigger-add');
  await page.selectOption('#trigger-type', 'mask');
  await page.fill('#triggers [name=margin]', '12');
  await page.getByRole('button', { name: 'Fit above' }).click();
  const points = (await page.inputValue('#triggers [name=upper]'))
    .split(',')
    .map((point) => point.split(':').map(parseFloat));
  assert.ok(points.length > 20);
  const around = points.filter(([mhz]) => Math.abs(1e6 * mhz - TONE_HZ) < RATE / 40).map(([, db]) => db);
  assert.ok(Math.max(...around) >= -8.5 && Math.max(...around) <= -7, `${around}`); // the tone and the margin
  await page.click('#triggers form button[type=submit]');
  await until(async () => (await get('triggers')).triggers[0]?.armed, 'armed');
});

withTriggers(
  'a viewer sees triggers and cannot change them',
  ['--trigger', 'external,name=hand', '--token-file', tokenFile()],
  { ...LOOK, allow: /401|403/ },
  async ({ page }) => {
    await page.getByRole('button', { name: 'Fire hand' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Fire hand' }).isDisabled(), true);
    assert.equal(await page.locator('#trigger-add').isDisabled(), true);
    await untilText(page, '#trigger-note', /token/);
    await page.keyboard.press('c');
    await page.fill('#token', 'trigger-test-token');
    await page.click('#token-form button');
    await page.getByRole('tab', { name: 'Triggers' }).click();
    await until(() => page.getByRole('button', { name: 'Fire hand' }).isEnabled(), 'control');
    await page.getByRole('button', { name: 'Fire hand' }).click();
    await until(async () => (await rowTexts(page)).length === 1, 'an event');
  },
);

function tokenFile() {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-triggers-')),
    file = join(folder, 'token');
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(file, 'trigger-test-token\n', { mode: 0o600 });
  return file;
}

const PHONE = { ...LOOK, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
for (const [device, look] of [
  ['dark', LOOK],
  ['light', { colorScheme: 'light' }],
  ['phone', PHONE],
])
  withTriggers(
    `axe finds nothing in triggers ${device}`,
    ['--trigger', 'level=-30,mode=single,name=tone'],
    look,
    async ({ page }) => {
      await until(async () => (await rowTexts(page)).length === 1, 'an event');
      await page.locator('#event-rows button').click();
      await page.locator('#go-live').waitFor({ state: 'visible' });
      if (device === 'phone') {
        await page.locator('#triggers').waitFor({ state: 'hidden' }); // it would cover the waterfall
        await screenshot(page, 'triggers_phone_event');
        await page.keyboard.press('w');
      }
      await page.click('#trigger-add');
      await page.selectOption('#trigger-type', 'mask');
      await screenshot(page, `triggers_${device}`);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run({ include: [['#middle'], ['#tools']] }));
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
    },
  );
