// The waterfall's past, from a real fftd: a new page has it, zooming keeps it, a pause sharpens, and it scrolls back.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, plots, screenshot, textOf, until, untilText, waterfallColumn, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

// The scene of the simulation has a tone in the middle of a bin. A column of the whole span has some 14 bins.
const TONE_HZ = 100.3e6,
  TONE_DB = -20;
const ARGS = ['--source', 'sim', '--rate', '2.4M', '--fft-size', '16384'];

let browser, daemon;
before(async () => {
  browser = await launch();
  daemon = await startDaemon(ARGS);
  await linesBefore(400);
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

/** Waits until the server has so many lines before now. */
const linesBefore = (count) => until(async () => (await newestLine()) >= count, `${count} lines`);

// WebGL without a GPU is slow: a small picture.
const scene = (name, hash, use) =>
  test(name, { timeout: 240000 }, () =>
    withPage(
      browser,
      daemon.url + hash,
      async (page) => {
        await untilText(page, '#peak-hz', /Hz/);
        await use(page);
      },
      { colorScheme: 'dark', ...(hash.includes('gl') ? { viewport: { width: 720, height: 480 } } : {}) },
    ),
  );

/** Number of the newest line that the server has stored. */
const newestLine = async () =>
  (await (await fetch(`${daemon.url}api/v1/history?rows=1&columns=1`)).json().catch(() => null))?.rows?.[0]?.line;

/** Share of a column of the waterfall that nothing is drawn in. */
async function emptiness(page, x) {
  const column = await waterfallColumn(page, x),
    background = await page.evaluate(() => {
      const hex = getComputedStyle(document.documentElement).getPropertyValue('--void').trim();
      return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join();
    });
  return column.filter((pixel) => pixel.slice(0, 3).join() === background).length / column.length;
}

const untilFull = (page, x) => until(async () => (await emptiness(page, x)) < 0.01, `a full waterfall at ${x}`);

/** What the box at the cursor says. y: 0 .. 1 of the waterfall; below 0: in the spectrum. */
async function readAt(page, x, y) {
  const { waterfall } = await plots(page);
  await page.mouse.move(waterfall.x + x * waterfall.width - 1, waterfall.y + y * waterfall.height);
  await page.mouse.move(waterfall.x + x * waterfall.width, waterfall.y + y * waterfall.height);
  await page.evaluate(
    () =>
      new Promise((drawn) => {
        requestAnimationFrame(() => requestAnimationFrame(drawn));
      }),
  );
  await until(() => page.locator('#hover').isVisible(), 'a reading');
  const text = await textOf(page, '#hover');
  const time = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) UTC/.exec(text);
  return {
    text,
    db: parseFloat(/(-?[\d.]+) dBFS/.exec(text)?.[1]),
    timeMs: time ? Date.parse(`${time[1]}T${time[2]}Z`) : NaN,
  };
}

for (const renderer of ['2d', 'gl']) {
  scene(`a new page has a full waterfall with its times ${renderer}`, `#renderer=${renderer}`, async (page) => {
    const opened = Date.now();
    await page.keyboard.press(' '); // the past still comes
    await untilFull(page, 0.05);
    const bottom = await readAt(page, 0.5, 0.98);
    assert.ok(bottom.timeMs < opened, `${bottom.text} before ${new Date(opened).toISOString()}`);
    // The tone in a row from before the page: its level and its frequency.
    const x = (TONE_HZ - 98.8e6) / 2.4e6;
    const tone = await readAt(page, x, 0.9);
    assert.ok(Math.abs(tone.db - TONE_DB) <= 0.5, tone.text);
    assert.ok((await readAt(page, 0.1, 0.9)).db < -60);
    await screenshot(page, `history_open_${renderer}`);
  });

  scene(`the whole span has its past after a zoom ${renderer}`, `#renderer=${renderer}`, async (page) => {
    await untilFull(page, 0.05);
    const { waterfall } = await plots(page);
    await page.mouse.move(waterfall.x + 0.6 * waterfall.width, waterfall.y + 50);
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -240);
    await untilText(page, '#view-span', /^[1-9]\d{0,2}\.?\d* kHz$/);
    await linesBefore((await newestLine()) + 40);
    await untilFull(page, 0.05);
    await page.keyboard.press(' '); // live lines do not fill it
    await page.keyboard.press('0');
    await untilText(page, '#view-span', /^2\.4 MHz$/);
    for (const x of [0.05, 0.3, 0.95]) await untilFull(page, x);
    await screenshot(page, `history_whole_${renderer}`);
  });
}

scene('zooming while paused sharpens waterfall and spectrum', '', async (page) => {
  await untilFull(page, 0.05);
  await page.keyboard.press(' ');
  await page.locator('#paused').waitFor({ state: 'visible' });
  await page.evaluate(
    ([low, high]) => {
      location.hash = `#low=${low}&high=${high}`;
    },
    [TONE_HZ - 5000, TONE_HZ + 5000],
  );
  await untilText(page, '#view-span', /^10(\.0*)? kHz$/);
  // On both sides of the tone, 6 bins from it, is noise. One of them was in the tone's column of the whole span.
  for (const y of [0.1, 0.9, -0.5]) {
    for (const side of [-900, 900])
      await until(
        async () => (await readAt(page, 0.5 + side / 10000, y)).db < -60,
        `noise ${side} Hz from the tone at ${y}`,
      );
    const { db, text } = await readAt(page, 0.5, y);
    assert.ok(Math.abs(db - TONE_DB) <= 0.5, text);
  }
  await screenshot(page, 'history_paused');
});

scene('a pause leaves no hole', '#renderer=2d', async (page) => {
  await untilFull(page, 0.05);
  await page.keyboard.press(' ');
  await linesBefore((await newestLine()) + 100); // 5 s of lines
  const resumed = Date.now();
  await page.keyboard.press(' ');
  await until(async () => {
    await page.keyboard.press(' ');
    const times = [];
    for (let y = 0.02; y < 0.98; y += 0.06) times.push((await readAt(page, 0.5, y)).timeMs);
    await page.keyboard.press(' ');
    const apart = times.map((time, i) => (i ? times[i - 1] - time : 0));
    return times[0] > resumed && times.at(-1) < resumed && apart.every((ms) => ms >= 0 && ms < 4000);
  }, 'rows without a hole');
});

scene('the waterfall scrolls back and returns to live', '', async (page) => {
  await untilFull(page, 0.05);
  const live = page.locator('#go-live');
  assert.equal(await live.isVisible(), false);
  const first = (await readAt(page, 0.5, 0.9)).timeMs;
  for (let i = 0; i < 2; i++) await page.keyboard.press('PageDown');
  await live.waitFor({ state: 'visible' });
  await until(async () => (await readAt(page, 0.5, 0.9)).timeMs < first, 'earlier lines at the bottom');
  await untilFull(page, 0.05);
  const still = await readAt(page, 0.5, 0.02);
  await new Promise((done) => {
    setTimeout(done, 300);
  });
  assert.equal((await readAt(page, 0.5, 0.02)).timeMs, still.timeMs, 'it stays where it was scrolled to');
  await screenshot(page, 'history_back');
  await live.click();
  await live.waitFor({ state: 'hidden' });
  await until(async () => (await readAt(page, 0.5, 0.02)).timeMs > still.timeMs, 'live lines at the top');
  // The time scale: a drag upwards, and the wheel with Shift.
  const { waterfall } = await plots(page);
  await page.mouse.move(waterfall.x - 20, waterfall.y + 200);
  await page.mouse.down();
  await page.mouse.move(waterfall.x - 20, waterfall.y + 60, { steps: 5 });
  await page.mouse.up();
  await live.waitFor({ state: 'visible' });
  await page.keyboard.press('End');
  await live.waitFor({ state: 'hidden' });
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 120);
  await page.keyboard.up('Shift');
  await live.waitFor({ state: 'visible' });
});

scene('the speed is a control', '#renderer=2d', async (page) => {
  /** Rows of a full waterfall, counted where its noise changes, and the time from the oldest to the newest. */
  const shown = async () => {
    await page.keyboard.press(' ');
    await untilFull(page, 0.05);
    const rows = Math.max(
      ...(await Promise.all(
        [0.1, 0.2, 0.3].map(async (x) => {
          const column = await waterfallColumn(page, x);
          return column.filter((pixel, y) => y === 0 || pixel.join() !== column[y - 1].join()).length;
        }),
      )),
    );
    const seconds = ((await readAt(page, 0.1, 0.01)).timeMs - (await readAt(page, 0.1, 0.99)).timeMs) / 1000;
    await page.keyboard.press(' ');
    return { rows, seconds };
  };
  const pixels = (await waterfallColumn(page, 0.1)).length;
  const period = 1 / parseFloat(await textOf(page, '#ledger-lines')); // under load a row has more than one line
  for (const height of [8, 1]) {
    await page.locator('#speed').selectOption(String(height));
    const most = pixels / height + 1,
      least = height === 1 ? 0.7 * most : 0.9 * most - 2; // equal rows count as one
    await until(async () => {
      const { rows, seconds } = await shown();
      return rows <= most && rows >= least && seconds >= 0.9 * (pixels / height - 2) * period;
    }, `rows of ${height} pixels`);
  }
  await until(() => /speed=1/.test(page.url()), 'the address keeps it');
});

test('the past goes on in the archive of an earlier run', { timeout: 240000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-page-')),
    args = [...ARGS, '--archive', folder, '--archive-tiers', '100ms:1h', '--archive-columns', '16384'];
  const earlier = await startDaemon(args);
  await until(async () => (await (await fetch(`${earlier.url}api/v1/status`)).json()).ledger.lines >= 80, 'lines');
  await earlier.stop();
  const started = Date.now(),
    again = await startDaemon(args);
  try {
    await withPage(
      browser,
      `${again.url}#renderer=2d`,
      async (page) => {
        await untilText(page, '#peak-hz', /Hz/);
        await page.keyboard.press(' ');
        const x = (TONE_HZ - 98.8e6) / 2.4e6;
        const old = await until(async () => {
          // the rows of the run before, wherever they are now
          for (let y = 0.02; y < 1; y += 0.02) {
            const at = await readAt(page, x, y).catch(() => null);
            if (at?.timeMs < started - 200 && Number.isFinite(at.db)) return at;
          }
          await page.keyboard.press('PageDown');
          return null;
        }, 'a row of the archive');
        assert.ok(Math.abs(old.db - TONE_DB) <= 1, old.text);
        assert.match(old.text, /archive, 1 row (every [\d.]+\s?m?s|a second)/);
        // the time line: from the start of the archive to now, and a time to go to
        await page.keyboard.press('End');
        await page.locator('#go-live').waitFor({ state: 'hidden' });
        await page.keyboard.press('z');
        await page.locator('#time-slider').waitFor();
        await page.fill('#time-wanted', new Date(old.timeMs + 1000).toISOString().slice(0, 19).replace(/:00$/, ':01'));
        await page.press('#time-wanted', 'Enter');
        await untilText(page, '#go-live', /^\d\d:\d\d:\d\d \S .*back to live$/);
        await until(async () => {
          // the time is a quarter below the top, or lower while there is not that much after it
          for (let y = 0.2; y < 0.9; y += 0.1) {
            const there = await readAt(page, x, y).catch(() => null);
            if (Math.abs(there?.timeMs - old.timeMs) < 3000) return true;
          }
          return false;
        }, `the picture at ${old.text}`);
        await screenshot(page, 'history_time');
        await page.locator('#time-slider').focus();
        await page.keyboard.press('End');
        await page.locator('#go-live').waitFor({ state: 'hidden' });
        await page.locator('#time-slider').focus();
        await page.keyboard.press('Home');
        await page.locator('#go-live').waitFor({ state: 'visible' });
      },
      { colorScheme: 'dark' },
    );
  } finally {
    await again.stop();
    rmSync(folder, { recursive: true });
  }
});
