// The page of a hub in a browser, with a mock of the hub: radios that come, go and come back, the time axis, the
// panorama.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { MockHub, radio } from '../mock_hub.mjs';

const options = { timeout: 240000 };
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
});

const SOUTH = radio('roof.south', 100e6),
  NORTH = radio('barn.north', 101.5e6);

/** Opens the page of a mock hub with these radios. */
async function withHub(radios, use, { hash = '', ...more } = {}) {
  const hub = await new MockHub(radios).start();
  try {
    await withPage(browser, hub.url + hash, (page) => use(page, hub), { colorScheme: 'dark', ...more });
  } finally {
    await hub.stop();
  }
}

const card = (name) => `.card[aria-label="${name}"]`;
const shownCards = (page) =>
  page.locator('.card').evaluateAll((cards) => cards.map((each) => each.getAttribute('aria-label')));
const isLive = (page, name) => untilText(page, `${card(name)} .reading`, /^Peak .* dBFS$/);

/**
 * The row of pixels from the top of a card's waterfall where the colour at a frequency (0 .. 1 of the width) meets a
 * test; -1: none.
 */
const rowWhere = (page, name, x, test) =>
  page.evaluate(
    ([selector, at, source]) => {
      const canvas = document.querySelector(selector),
        copy = document.createElement('canvas');
      Object.assign(copy, { width: 1, height: canvas.height });
      const context = copy.getContext('2d');
      context.drawImage(canvas, Math.floor(at * canvas.width), 0, 1, canvas.height, 0, 0, 1, canvas.height);
      const { data } = context.getImageData(0, 0, 1, canvas.height);
      // eslint-disable-next-line no-new-func -- the page gets the text of a test
      const is = new Function(`return ${source}`)();
      return Array.from({ length: canvas.height }, (_, y) => [...data.slice(4 * y, 4 * y + 3)]).findIndex(is);
    },
    [`${card(name)} .waterfall`, x, String(test)],
  );
const isFault = ([r, g, b]) => r === 255 && g === 82 && b === 82;
const isStrong = ([r, g]) => g > 150 && r < 255; // of the palette viridis, not that of a fault

test('two radios stand side by side and in one panorama', options, () =>
  withHub([SOUTH, NORTH], async (page) => {
    await isLive(page, 'roof.south');
    await isLive(page, 'barn.north');
    assert.deepEqual(await shownCards(page), ['barn.north', 'roof.south']);
    assert.equal(await textOf(page, `${card('roof.south')} .reading`), 'Peak 100.3000 MHz -20.0 dBFS');
    assert.equal(await textOf(page, '#link-text'), 'Live');
    // 2.4 MHz each, of which 0.9 overlap.
    assert.equal(await textOf(page, '#panorama-about'), '2 radios, 3.9 MHz between 98.8 MHz and 102.7 MHz');
    assert.ok(await page.locator('#map').isHidden(), 'no radio has a position');
    assert.ok(await page.locator('#filter-row').isHidden(), 'two need no filter');
    await screenshot(page, 'hub_two');
  }),
);

test('the panorama reads frequency level and radio by mouse and by keyboard', options, () =>
  withHub([SOUTH, NORTH], async (page) => {
    await untilText(page, '#panorama-about', /^2 radios/);
    const { x, y, width } = await page.locator('#panorama-plot').boundingBox(),
      gutter = 62,
      plot = Math.floor(width - gutter - 8);
    const low = 100e6 - 1.2e6 - 2.4e6 / 8192,
      span = 3.9e6,
      pixelOf = (hz) => x + gutter + ((hz - low) / span) * plot;
    await page.mouse.move(pixelOf(100.3e6 + 2000), y + 60);
    await untilText(page, '#panorama-reading', /^100\.30\d* MHz -20\.0 dBFS, roof\.south$/);
    await page.mouse.move(pixelOf(101.8e6 + 2000), y + 60);
    await untilText(page, '#panorama-reading', /^101\.80\d* MHz -20\.0 dBFS, barn\.north$/);
    await page.mouse.move(0, 0);
    await untilText(page, '#panorama-reading', /^$/);
    await page.locator('#panorama-plot').focus();
    await page.keyboard.press('ArrowRight');
    await untilText(page, '#panorama-reading', /^98\.80\d* MHz .* dBFS, roof\.south$/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('PageUp');
    await untilText(page, '#panorama-reading', /^98\.8\d* MHz .* dBFS, roof\.south$/);
  }),
);

for (const renderer of ['2d', 'gl'])
  test(`a signal of one moment is in the same row of all waterfalls in ${renderer}`, options, () =>
    withHub(
      [SOUTH, NORTH],
      async (page, hub) => {
        await isLive(page, 'roof.south');
        await isLive(page, 'barn.north');
        const at = 0.25;
        const burst = (db) => {
          for (const each of hub.radios) each.tone = { hz: each.centerHz - 1.2e6 + at * 2.4e6, db };
        };
        burst(-20);
        const rows = await until(async () => {
          const found = await Promise.all(
            ['roof.south', 'barn.north'].map((name) => rowWhere(page, name, at, isStrong)),
          );
          return found.every((row) => row >= 0) && found;
        }, 'the signal in both');
        burst(-100);
        // It moves down at one speed: where it ends, its top edge is in one row, or two where a line began 0.2 s later.
        await page.waitForFunction((wait) => {
          window.since ??= performance.now();
          return performance.now() - window.since > wait;
        }, 3000);
        const ends = await Promise.all(['roof.south', 'barn.north'].map((name) => rowWhere(page, name, at, isStrong)));
        assert.ok(ends[0] > rows[0] && Math.abs(ends[0] - ends[1]) <= 6, `rows ${ends}`);
      },
      { hash: `#renderer=${renderer}` },
    ),
  );

for (const renderer of ['2d', 'gl'])
  test(`lines that come 3 s late stand at their time in ${renderer}`, options, () => {
    const at = 0.25,
      tone = { hz: 100e6 - 1.2e6 + at * 2.4e6, db: -20 };
    return withHub(
      [radio('roof.south', 100e6, { clockMs: -3000, tone })],
      async (page, hub) => {
        await isLive(page, 'roof.south');
        const first = hub.of('roof.south').line;
        await until(() => hub.of('roof.south').line > first + 15, 'lines of 3 s, for which no row is new');
        const row = await until(async () => {
          const found = await rowWhere(page, 'roof.south', at, isStrong);
          return found >= 0 && found;
        }, 'the signal');
        const height = await page.locator(`${card('roof.south')} .waterfall`).evaluate((canvas) => canvas.height);
        const seconds = (row / height) * 30; // of the time axis; its top is 0.4 s back, and a row has some 0.2 s
        assert.ok(seconds > 2 && seconds < 4, `${seconds} s below the top`);
      },
      { hash: `#renderer=${renderer}` },
    );
  });

for (const renderer of ['2d', 'gl'])
  test(`a radio that goes is shown as gone and what was missed as missing in ${renderer}`, options, () =>
    withHub(
      [SOUTH, NORTH],
      async (page, hub) => {
        await isLive(page, 'barn.north');
        await until(() => hub.of('barn.north').line > 8, 'some lines');
        hub.kill('barn.north');
        await untilText(page, `${card('barn.north')} .state`, /^Gone since .*\d\d:\d\d:\d\d UTC, /);
        assert.match(await textOf(page, '#summary'), /^2 radios, 1 gone$/);
        await untilText(page, `${card('barn.north')} .reading`, /^Last spectrum: Peak 101\.8/);
        const line = hub.of('roof.south').line;
        await until(() => hub.of('roof.south').line > line + 6, 'lines of the other');
        await screenshot(page, 'hub_gone');
        hub.revive('barn.north', 15);
        await untilText(page, `${card('barn.north')} .state`, /^Running$/);
        await untilText(page, `${card('barn.north')} .figures`, /^missing 15 of /);
        assert.ok(
          await until(async () => (await rowWhere(page, 'barn.north', 0.0015, isFault)) >= 0, 'a mark of the loss'),
        );
        assert.equal(await rowWhere(page, 'roof.south', 0.0015, isFault), -1, 'the other lost nothing');
        await screenshot(page, `hub_back_${renderer}`);
      },
      { hash: `#renderer=${renderer}` },
    ),
  );

test('a radio that appears while the page is open needs no reload', options, () =>
  withHub([SOUTH, { ...NORTH, state: 'unheard' }], async (page, hub) => {
    await isLive(page, 'roof.south');
    assert.deepEqual(await shownCards(page), ['roof.south']);
    hub.of('barn.north').state = 'running';
    await isLive(page, 'barn.north');
  }),
);

test('a hub without radios says how to start one', options, () =>
  withHub([], async (page) => {
    await untilText(page, '#no-radios', /No radio announces itself at this broker yet\./);
    await page.locator('#no-radios').waitFor();
    assert.match(await textOf(page, '#no-radios'), /fftd .*--nats nats:\/\/HOST/);
    assert.ok(await page.locator('#panorama').isHidden());
  }),
);

test('the address keeps the choice and a link opens the same', options, () =>
  withHub([SOUTH, NORTH, radio('mast.west', 433.92e6)], async (page, hub) => {
    await until(async () => (await shownCards(page)).length === 3, 'all three at first');
    await page.getByRole('button', { name: 'Only mast.west' }).click();
    await until(async () => (await shownCards(page)).join() === 'mast.west', 'one');
    await page.getByRole('checkbox', { name: 'roof.south' }).check();
    assert.deepEqual(await shownCards(page), ['mast.west', 'roof.south']);
    await page.locator('#time').selectOption('120');
    await page.locator('#panorama-of').selectOption('all');
    await untilText(page, '#panorama-about', /^3 radios/);
    assert.equal(new URL(page.url()).hash, '#radios=mast.west,roof.south&panorama=all&time=120');
    assert.deepEqual(hub.wants.at(-1).toSorted(), [1, 2, 3], 'the panorama wants all three');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await until(async () => (await shownCards(other)).join() === 'mast.west,roof.south', 'the same choice');
    await untilText(other, '#panorama-about', /^3 radios/);
    await page.getByRole('button', { name: 'Hide roof.south' }).click();
    assert.deepEqual(await shownCards(page), ['mast.west']);
  }),
);

test('keys show and hide radios and change time and panorama', options, () =>
  withHub([SOUTH, NORTH], async (page) => {
    await isLive(page, 'roof.south');
    await page.keyboard.press('1');
    assert.deepEqual(await shownCards(page), ['roof.south']);
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    assert.deepEqual(await shownCards(page), ['barn.north']);
    await page.keyboard.press('2');
    await page.keyboard.press('t');
    assert.match(page.url(), /time=60/);
    for (const hidden of [false, true]) {
      await page.keyboard.press('p');
      assert.equal(await page.locator('#panorama').isHidden(), hidden);
    }
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.type), 'checkbox');
  }),
);

test('many radios have a filter and six are shown at most', options, () => {
  const many = Array.from({ length: 20 }, (_, i) =>
    radio(`site${String(i).padStart(2, '0')}.radio`, 100e6 + 3e6 * i, { lineRate: 1 }),
  );
  return withHub(many, async (page, hub) => {
    await page.locator('#filter-row').waitFor();
    assert.equal((await shownCards(page)).length, 4, 'the first ones');
    await page.keyboard.press('/');
    await page.keyboard.type('site1');
    await until(async () => (await page.locator('#radios li:visible').count()) === 10, 'those that are found');
    await page.keyboard.type('x');
    await page.locator('#none-found').waitFor();
    await page.locator('#filter').fill('');
    for (const name of ['site04.radio', 'site05.radio']) await page.getByRole('checkbox', { name }).check();
    assert.ok(await page.getByRole('checkbox', { name: 'site06.radio' }).isDisabled());
    await page.locator('#panorama-of').selectOption('all');
    await until(() => hub.wants.at(-1).length === 16, 'as many as a hub sends');
    await screenshot(page, 'hub_many');
  });
});

test('positions are points in a frame of latitude and longitude', options, () =>
  withHub(
    [
      radio('roof.south', 100e6, { latitude: 48.1, longitude: 11.5 }),
      radio('barn.north', 101.5e6, { latitude: 48.4, longitude: 11.9 }),
      radio('mast.west', 433.92e6),
    ],
    async (page) => {
      await page.locator('#map').waitFor();
      const places = await page
        .locator('#map circle')
        .evaluateAll((all) => all.map((each) => ({ x: each.cx.baseVal.value, y: each.cy.baseVal.value })));
      assert.equal(places.length, 2);
      const [north, south] = places; // by name
      assert.ok(north.y < south.y && north.x > south.x, 'north is at the top, east is to the right');
      assert.match(await page.locator('#map').getAttribute('aria-label'), /^Positions of barn\.north, roof\.south$/);
    },
  ),
);

for (const [what, radios, id] of [
  ['the_same_ids', [SOUTH], 1],
  ['other_ids', [NORTH, SOUTH], 2],
])
  test(`a lost hub is said and one with ${what} found again`, options, () =>
    withHub(
      [SOUTH],
      async (page, hub) => {
        await isLive(page, 'roof.south');
        const { port } = hub;
        await hub.stop();
        await untilText(page, '#problem', /^Reconnecting: .*\(again in \d+ s\)$/);
        const back = await new MockHub(radios).start(port);
        try {
          await untilText(page, '#link-text', /^Live$/);
          await until(() => back.wants.length > 0, 'the request, again');
          assert.deepEqual(back.wants, [[id]]);
          const line = await textOf(page, '#list li:last-child .figures');
          await until(async () => (await textOf(page, '#list li:last-child .figures')) !== line, 'new figures');
          assert.ok(await page.locator('#problem').isHidden());
        } finally {
          await back.stop();
        }
      },
      {
        hash: '#radios=roof.south',
        allow: /WebSocket connection|ERR_CONNECTION|Failed to load resource|fetching the script/,
      },
    ),
  );

test('a refusal is said with its reason', options, async () => {
  const hub = await new MockHub([SOUTH]).start();
  await withPage(
    browser,
    hub.url,
    async (page) => {
      await isLive(page, 'roof.south');
      hub.refuseHttp = 'too many clients';
      for (const { ws } of hub.clients) ws.terminate();
      await untilText(page, '#problem', /^Refused: HTTP 403 too many clients/);
    },
    { allow: /WebSocket connection|Failed to load resource/ },
  ).finally(() => hub.stop());
});

test('a hub of another version is named as such', options, () =>
  withHub([], async (page, hub) => {
    hub.message = () => JSON.stringify({ type: 'radios' });
    hub.tell();
    await untilText(page, '#problem', /^Refused: cannot read the server: it sends no list of radios/);
  }),
);

test('a hub that lost its broker and a connection that is too slow are said', options, () =>
  withHub([SOUTH], async (page, hub) => {
    await isLive(page, 'roof.south');
    hub.connected = false;
    hub.tell();
    await untilText(page, '#link-text', /^The hub has no connection to its broker$/);
    assert.equal(await page.locator('#link').getAttribute('data-kind'), 'waiting');
    hub.connected = true;
    hub.sendRaw(JSON.stringify({ type: 'dropped', frames: 1234 }));
    await untilText(page, '#message-text', /^This connection is too slow: the hub left out 1 234 lines so far\.$/);
    await untilText(page, '#link-text', /^Live$/);
  }),
);

test('an unreadable line is said at its radio and the others go on', options, () =>
  withHub([SOUTH, NORTH], async (page, hub) => {
    await isLive(page, 'roof.south');
    await isLive(page, 'barn.north');
    Object.assign(hub.of('barn.north'), { state: 'waiting' });
    hub.sendRaw(Buffer.from([2, 0, 0, 0, 1, 2, 3]));
    await untilText(page, `${card('barn.north')} .remark`, /^A line cannot be read: not a line of version 1$/);
    assert.equal(await textOf(page, '#link-text'), 'Live');
    Object.assign(hub.of('barn.north'), { state: 'running' });
    await until(() => page.locator(`${card('barn.north')} .remark`).isHidden(), 'it is readable again');
    hub.sendRaw(JSON.stringify({ type: 'error', message: 'no such radio' }));
    await untilText(page, '#message-text', /^no such radio$/);
  }),
);

test('on a phone the list opens over the cards and nothing is wider than the screen', options, () =>
  withHub(
    [SOUTH, NORTH],
    async (page) => {
      await isLive(page, 'roof.south');
      assert.ok(await page.locator('#list').isHidden());
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      await screenshot(page, 'hub_phone');
      await page.locator('#list-open').tap();
      await page.locator('#list').waitFor();
      await page.getByRole('checkbox', { name: 'barn.north' }).tap();
      await screenshot(page, 'hub_phone_list');
      await page.locator('#list-open').tap();
      assert.ok(await page.locator('#list').isHidden());
      assert.deepEqual(await shownCards(page), ['roof.south']);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ),
);

test('on a tablet the reading of a card stays in its picture', options, () =>
  withHub(
    [SOUTH, NORTH, radio('mast.west', 433.92e6)],
    async (page) => {
      for (const name of ['roof.south', 'barn.north', 'mast.west']) {
        await isLive(page, name);
        const { scrollWidth, clientWidth } = await page
          .locator(`${card(name)} .reading`)
          .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
        assert.ok(scrollWidth <= clientWidth, `${name}: ${scrollWidth} of ${clientWidth}`);
      }
      await screenshot(page, 'hub_tablet');
    },
    { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true },
  ),
);

for (const colorScheme of ['dark', 'light']) {
  test(`axe finds nothing in ${colorScheme}`, options, () =>
    withHub(
      [SOUTH, { ...NORTH, state: 'gone', goneMs: 1 }, radio('mast.west', 433.92e6, { latitude: 48, longitude: 11 })],
      async (page) => {
        await isLive(page, 'roof.south');
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
          [],
        );
      },
      { colorScheme },
    ),
  );
}

test('each control and each picture has a name', options, () =>
  withHub(
    [SOUTH, NORTH],
    async (page) => {
      await isLive(page, 'roof.south');
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, select, [tabindex], [role=img], article, section, aside')]
          .filter(
            (each) => each.checkVisibility() && !(each.ariaLabel || each.textContent.trim() || each.labels?.length),
          )
          .map((each) => each.outerHTML),
      );
      assert.deepEqual(nameless, []);
      assert.equal(await page.getByRole('checkbox', { name: 'roof.south' }).count(), 1);
      await screenshot(page, 'hub_light');
    },
    { colorScheme: 'light' },
  ),
);
