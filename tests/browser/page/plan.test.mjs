// Band plan and bookmarks on a real fftd: strips and labels over the spectrum, the panel, files, and the address.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawn, launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';
import { parseHash } from '../../../web/app/hash.js';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const PLAN = {
  name: 'Test',
  bands: [
    { name: 'Broadcast band', type: 'broadcast', start: 99.2e6, end: 100.9e6 },
    { name: 'Amateur', type: 'amateur', start: 99.6e6, end: 100.1e6 },
    { name: 'Sliver', type: 'marine', start: 100.95e6, end: 100.96e6 },
  ],
};
const MARKS =
  'radio ; #00a0ff\n\n 100300000; Carrier; AM; 10000; radio\n 100310000; Close by; ; ;\n'
  + ' 99700000; A name that is rather long; ; ;\n';

let browser;
let folder;
let files;
before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'fftd-plan-'));
  files = ['plan.json', 'marks.csv'].map((name) => join(folder, name));
  writeFileSync(files[0], JSON.stringify(PLAN));
  writeFileSync(files[1], MARKS);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Runs use(page, { sent, daemon }) on the page of an fftd with a plan, whose radio receives 98.8 to 101.2 MHz. */
function withPlan(name, use, { hash = '', plan = true, prepare, ...options } = {}) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon([
      '--source',
      'sim',
      '--center',
      '100M',
      '--rate',
      '2.4M',
      ...(plan ? ['--band-plan', files.join(',')] : []),
    ]);
    const sent = [];
    const before = (page) => {
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
      return prepare?.(page);
    };
    try {
      await withPage(
        browser,
        daemon.url + hash,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await use(page, { sent, daemon });
        },
        { colorScheme: 'dark', before, ...options },
      );
    } finally {
      assert.equal(await daemon.stop(), 0, daemon.stderr());
    }
  });
}

/** RGBA of the overlay at these points of the display. */
const overlayAt = (page, points) =>
  page.evaluate((all) => {
    const canvas = document.getElementById('overlay'),
      ratio = devicePixelRatio,
      copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return all.map(([x, y]) => [...context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data]);
  }, points);

/** Where a frequency is, and the end of the band plan below the axis, CSS pixels in the display. */
async function placeOf(page, hz, lowHz = 98.8e6 - 293, highHz = 101.2e6 - 293) {
  const { gutter, width, axis } = await page.evaluate(() => {
    const display = document.getElementById('display').getBoundingClientRect(),
      box = document.getElementById('waterfall').getBoundingClientRect();
    return { gutter: box.x - display.x, width: box.width, axis: box.y - display.y };
  });
  return { x: gutter + ((hz - lowHz) / (highHz - lowHz)) * width, axis };
}

/** A click on the label of a bookmark, whose text begins at its frequency; row: of labels, from the axis on. */
async function clickLabel(page, hz, row, strips = 2) {
  const { x, axis } = await placeOf(page, hz),
    display = await page.locator('#display').boundingBox();
  await page.mouse.click(display.x + x + 12, display.y + axis - 15 * (2 + strips) + 15 * row + 8);
}

withPlan('bands are strips below the axis, a narrow one above a wide one, and the key hides them', async (page) => {
  const strip = async () => {
    const { x, axis } = await placeOf(page, 99.3e6),
      inner = await placeOf(page, 99.62e6),
      out = await placeOf(page, 99.1e6);
    const [wide, above, both, outside] = await overlayAt(page, [
      [x, axis - 13.5],
      [x, axis - 28.5],
      [inner.x, axis - 28.5],
      [out.x, axis - 13.5],
    ]);
    return { wide, above, both, outside };
  };
  const found = await until(async () => {
    const now = await strip();
    return now.wide[3] > 80 && now;
  }, 'the strip');
  assert.ok(found.wide[2] > found.wide[0] + 40, `broadcast is blue: ${found.wide}`);
  assert.ok(found.both[1] > found.both[0] + 40, `amateur is green, in the second row: ${found.both}`);
  assert.equal(found.above[3], 0, 'nothing stands above the wide band alone');
  assert.equal(found.outside[3], 0);
  await screenshot(page, 'plan_dark');
  await page.keyboard.press('u');
  await until(async () => (await strip()).wide[3] === 0, 'no strip');
  await until(() => /[#&]plan=off(&|$)/.test(page.url()), 'the address');
  await page.keyboard.press('u');
  await until(async () => (await strip()).wide[3] > 80, 'the strip again');
});

let sendPlan;
const mayArrive = new Promise((resolve) => {
  sendPlan = resolve;
});
withPlan(
  'the key works before the plan has arrived',
  async (page) => {
    await page.keyboard.press('u');
    await until(() => /[#&]plan=off(&|$)/.test(page.url()), 'the address');
    sendPlan();
    await page.keyboard.press('o');
    await page.locator('#bookmark-rows tr').nth(2).waitFor();
    const { x, axis } = await placeOf(page, 99.3e6);
    await drawn(page, 3);
    assert.equal((await overlayAt(page, [[x, axis - 13.5]]))[0][3], 0, 'its bands stay hidden');
  },
  {
    prepare: (page) =>
      page.route('**/api/v1/band-plan', async (route) => {
        await mayArrive;
        await route.continue();
      }),
  },
);

withPlan('a click on a label marks its frequency', async (page) => {
  await until(async () => {
    const { x, axis } = await placeOf(page, 100.3e6);
    return (await overlayAt(page, [[x, axis - 40]]))[0][3] > 100;
  }, 'the line of the carrier');
  await clickLabel(page, 99.7e6, 0);
  await untilText(page, '#marker-line', /Mkr 1 +99\.700/);
  await clickLabel(page, 100.3e6, 1); // above its neighbour, whose line its text would cross
  await untilText(page, '#marker-line', /Mkr 2 +100\.300/);
  await clickLabel(page, 100.3e6, 1); // again: the same marker
  await drawn(page, 3);
  assert.match(await textOf(page, '#marker-line'), /Mkr 2 /);
});

withPlan('in the mode of tuning by clicks a label tunes to its very frequency', async (page, { sent }) => {
  await page.locator('#tune-click').click();
  await clickLabel(page, 99.7e6, 0);
  const set = await until(() => sent.find(({ put }) => put === '/api/v1/settings')?.body, 'a change');
  assert.equal(set.center_hz, 99.7e6, JSON.stringify(sent));
  await untilText(page, '#digits', /99\.?700/);
  assert.equal(sent.filter(({ put }) => put === '/api/v1/settings').length, 1);
});

withPlan('bookmarks of the viewer are kept, found, exported, removed and imported', async (page) => {
  await page.keyboard.press('o');
  await page.locator('#bookmark-rows tr').nth(2).waitFor();
  const rows = (await page.locator('#bookmark-rows tr').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
  [/^99\.70.* MHz A name that is rather long$/, /^100\.30.* MHz Carrier$/, /^100\.31.* MHz Close by$/].forEach(
    (row, i) => assert.match(rows[i], row),
  );
  await page.fill('#bookmark-name', 'My tone');
  await page.fill('#bookmark-hz', '100,75'); // MHz, as the list shows
  await untilText(page, '#bookmark-form .understood', /^100\.750.MHz$/);
  await page.keyboard.press('Enter');
  await page.locator('#bookmark-rows').getByText('My tone').waitFor();
  await page.fill('#bookmark-hz', 'nonsense');
  await page.fill('#bookmark-name', 'x');
  await page.keyboard.press('Enter');
  await untilText(page, '#bookmark-note', /nonsense.* is not a frequency/);
  await until(() => page.url().includes('panels=bookmarks'), 'the panel in the address');
  await page.reload();
  await untilText(page, '#peak-hz', /Hz/);
  await page.locator('#bookmark-rows').getByText('My tone').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#bookmarks-export').click()]);
  const csv = readFileSync(await file.path(), 'utf8');
  assert.match(csv, /^ +100750000; My tone +; +; +0; fftd$/m);
  assert.doesNotMatch(csv, /Carrier/);
  await page.getByLabel('Remove bookmark My tone').click();
  await until(async () => (await page.locator('#bookmark-rows tr').count()) === 3, 'it is gone');
  await page.setInputFiles('#bookmarks-file', {
    name: 'bookmarks.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await untilText(page, '#bookmark-note', /1 of 1 bookmarks were new/);
  await page.setInputFiles('#bookmarks-file', {
    name: 'bookmarks.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('1M;2M'),
  });
  await page.setInputFiles('#bookmarks-file', {
    name: 'bookmarks.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('1M;a;b'),
  });
  await untilText(page, '#bookmark-note', /Line 1: a row is/);
  await screenshot(page, 'bookmarks_dark');
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(
    violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))]),
    [],
  );
  await page.keyboard.press('Escape');
  await page.locator('#bookmarks').waitFor({ state: 'hidden' });
});

withPlan('a removed bookmark passes the focus on', async (page) => {
  await page.keyboard.press('o');
  for (const [name, hz] of [
    ['First', '99.8M'],
    ['Second', '99.9M'],
  ]) {
    await page.fill('#bookmark-name', name);
    await page.fill('#bookmark-hz', hz);
    await page.keyboard.press('Enter');
    await page.locator('#bookmark-rows').getByText(name).waitFor();
  }
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
  await page.getByLabel('Remove bookmark First').focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'Remove bookmark Second');
  await page.keyboard.press('Enter');
  assert.match(await focused(), /100\.30/, 'the next one, which cannot be removed');
  assert.equal(await page.locator('#bookmark-rows tr').count(), 3);
});

withPlan(
  'a bookmark out of view is shown by a click in the list',
  async (page) => {
    await page.keyboard.press('o');
    await page.locator('#bookmark-rows button', { hasText: '99.70' }).first().click();
    await untilText(page, '#marker-line', /Mkr 1 +99\.700/);
    const { low, high } = parseHash(new URL(page.url()).hash);
    await until(() => {
      const at = parseHash(new URL(page.url()).hash);
      return at.low <= 99.7e6 && at.high >= 99.7e6;
    }, `a view with it, from ${low} to ${high}`);
  },
  { hash: '#low=100600000&high=100800000' },
);

withPlan(
  'without a plan there is no switch for bands, and a bookmark of the viewer works',
  async (page) => {
    assert.equal(
      await page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('band-plan')).length,
      ),
      0,
    );
    await page.keyboard.press('o');
    assert.equal(await page.locator('#bands-shown').isVisible(), false);
    await page.fill('#bookmark-name', 'Centre');
    await page.locator('#bookmark-name').press('Enter');
    await page.locator('#bookmark-rows').getByText('Centre').waitFor();
    await clickLabel(page, 100e6, 0, 0);
    await untilText(page, '#marker-line', /Mkr 1 +100\.000/);
  },
  { plan: false },
);

for (const colorScheme of ['light', 'dark'])
  withPlan(
    `on a phone the panel and the labels fit: ${colorScheme}`,
    async (page) => {
      await page.locator('#menu-open').click();
      await page.locator('#menu-list button', { hasText: /^bookmarks$/i }).click();
      await page.locator('#bookmark-rows tr').first().waitFor();
      await screenshot(page, `plan_phone_${colorScheme}`);
      const boxes = await page
        .locator('#bookmarks :is(button, input):visible')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
      for (const { left, right } of boxes) assert.ok(left >= 0 && right <= 390, `${left} .. ${right}`);
      await page.locator('#dock-close').click();
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme },
  );

/** What of the page a link keeps: everything that the user chose, in the words that the page shows. */
const shownIn = (page) =>
  page.evaluate(() => {
    const text = (/** @type {string} */ id) => document.getElementById(id).textContent,
      value = (/** @type {string} */ id) => document.getElementById(id).value;
    return {
      centre: text('view-centre'),
      span: text('view-span'),
      detector: value('detector'),
      palette: value('palette'),
      speed: value('speed'),
      persistence: value('persistence'),
      bands: document.getElementById('bands-shown').checked,
      bookmarks: document.getElementById('bookmarks-shown').checked,
      markers: [...document.querySelectorAll('#marker-rows tr')].map((row) =>
        [
          row.cells[0].textContent,
          row.cells[0].firstChild.getAttribute('aria-pressed'),
          row.cells[3].textContent,
          ...[...row.querySelectorAll('input')].map(({ checked }) => checked),
        ].join(),
      ),
      firstHz: document.querySelector('#marker-rows td.number').textContent,
      legend: [...document.querySelectorAll('#trace-legend li')].map((item) =>
        [item.dataset.traceColor, item.children[1].textContent, item.children[2].textContent.split(' ')[0]].join(),
      ),
      range: [document.getElementById('ref').value, document.getElementById('db-div').value],
      panels: [...document.querySelectorAll('[role=tab], [role=tabpanel]')]
        .filter(({ hidden }) => !hidden)
        .map(({ id }) => id),
    };
  });

withPlan('a link shows the same to somebody else', async (page, { daemon }) => {
  await page.keyboard.press('u');
  await page.keyboard.press('o');
  await page.locator('#bands-shown').check();
  await page.keyboard.press('o');
  await page.selectOption('#detector', 'max');
  await page.selectOption('#palette', 'inferno');
  await page.keyboard.press('d');
  await page.keyboard.press('h');
  for (let i = 0; i < 4; i++) await page.keyboard.press('+');
  await page.keyboard.press('ArrowDown');
  await until(() => /low=/.test(page.url()), 'a zoomed view');
  const box = await page.locator('#waterfall').boundingBox();
  await page.mouse.move(box.x + 0.25 * box.width, box.y - 60);
  await page.keyboard.press('m');
  await page.mouse.move(box.x + 0.75 * box.width, box.y - 60);
  await page.keyboard.press('Shift+M');
  await page.keyboard.press('i');
  await page.locator('#marker-rows tr').nth(1).waitFor();
  await page.getByLabel('Marker 1: noise density').click();
  await untilText(page, '#trace-legend', /Max hold/);
  await page.mouse.move(5, 5);
  await until(
    () =>
      ['markers=1:', ':noise', ':d1', 'panels=markers', 'density=', 'plan=bands', 'traces=1:max-hold:max'].every(
        (part) => page.url().includes(part),
      ),
    'the whole address',
  ).catch(() => assert.fail(page.url()));
  const url = page.url(),
    mine = await until(async () => {
      const now = await shownIn(page);
      return now.legend.length === 2 && now;
    }, 'the legend');
  assert.equal(mine.markers.length, 2);
  await withPage(
    browser,
    url,
    async (other) => {
      await untilText(other, '#peak-hz', /Hz/);
      await untilText(other, '#trace-legend', /Max hold/);
      await untilText(other, '#view-line', /Span/);
      let theirs;
      await until(
        async () => {
          theirs = await shownIn(other);
          return JSON.stringify(theirs) === JSON.stringify(mine);
        },
        'the same',
        15000,
      ).catch(() => assert.deepEqual(theirs, mine));
      await until(() => other.url() === url, 'the same address');
    },
    { colorScheme: 'light' },
  );
  assert.ok(daemon);
});
