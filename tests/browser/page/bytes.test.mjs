// The bytes that the page of the real daemon costs: counted for each line, so that no clock takes part.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';
import { ECONOMY } from '../../../web/app/economy.js';

const LINES = 100,
  STATUSES = 5,
  LINES_PER_SECOND = 20,
  COLUMNS = 1024,
  MARGINS = 142; // scale and tools
let browser, daemon;
before(async () => {
  browser = await launch();
  daemon = await startDaemon(['--source', 'sim']);
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

const DENSITY = 2,
  HISTORY = 4; // kinds of binary messages; rows of the past come once
/** @param {Uint8Array | string} payload */
const isKind = (payload, kind) =>
  typeof payload !== 'string' && Buffer.from(payload).toString('latin1', 0, 4) === 'FFTD' && payload[5] === kind;

/** Of the texts of a type: the bytes of the median one. */
function median(texts, type) {
  const sizes = texts
    .filter((text) => JSON.parse(text).type === type)
    .map((text) => text.length)
    .sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)];
}

/**
 * Opens the page and counts until LINES frames have come: { frame: bytes of one, sent: messages of the page, texts:
 * those to it }.
 */
async function count(hash) {
  const frames = [],
    sent = [],
    texts = [];
  const listen = (page) =>
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload)));
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload === 'string') texts.push(payload);
        else if (!isKind(payload, HISTORY)) frames.push(payload.length);
      });
    });
  await withPage(
    browser,
    daemon.url + hash,
    async (page) => {
      await untilText(page, '#peak-hz', /Hz/);
      const from = frames.length; // without the base of the coded frames, which comes once
      await until(() => frames.length >= from + LINES, `${LINES} frames`);
      frames.splice(0, from);
      const count = () => texts.filter((text) => JSON.parse(text).type === 'status_changes').length;
      await until(() => count() >= STATUSES && median(texts, 'markers'), 'texts'); // the first ones are of the start
    },
    { before: listen, viewport: { width: COLUMNS + MARGINS, height: 720 } },
  );
  return { frame: frames.reduce((a, b) => a + b, 0) / frames.length, sent, texts };
}

test('1024 columns and 20 lines a second of the simulation cost 8 kB a second', { timeout: 120000 }, async () => {
  const { frame, sent, texts } = await count('#detector=mean');
  assert.equal(sent.findLast(({ type }) => type === 'view').columns, COLUMNS);
  const readings = sent.findLast(({ put }) => put === '/api/v1/connection/markers').body;
  const peaks = median(texts, 'markers') * readings.per_second,
    status = median(texts, 'status_changes'); // one a second
  assert.ok(
    frame * LINES_PER_SECOND + peaks + status <= 8000,
    `${frame} bytes a frame, ${peaks} of peaks, ${status} of the status`,
  );
});

test('an economical page costs 3 kB a second', { timeout: 120000 }, async () => {
  for (const detector of ['mean', 'max']) {
    const { frame, sent } = await count(`#detector=${detector}&economy=on`),
      view = sent.findLast(({ type }) => type === 'view');
    assert.equal(view.step_db, 2);
    assert.equal(view.columns, COLUMNS);
    // CreditPacer lets no more come
    assert.ok(frame * ECONOMY.framesPerSecond <= 3000, `${detector}: ${frame} bytes a frame`);
  }
});

test('the key b and a link that asks for it make the page economical', { timeout: 120000 }, async () => {
  const sent = [];
  const prepare = (page) => {
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    return page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  };
  await withPage(
    browser,
    daemon.url,
    async (page) => {
      await untilText(page, '#peak-hz', /Hz/);
      assert.equal(sent.find(({ type }) => type === 'view').step_db, 2, 'the browser saves data');
      await page.keyboard.press('b');
      await until(() => sent.findLast(({ type }) => type === 'view').step_db < 1, 'fine levels again');
    },
    { before: prepare },
  );
});

test('an economical density has a third of the bytes', { timeout: 120000 }, async () => {
  const sizes = [],
    sent = [],
    MESSAGES = 8;
  const listen = (page) =>
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload)));
      socket.on('framereceived', ({ payload }) => {
        if (isKind(payload, DENSITY)) sizes.push(payload.length);
      });
    });
  const mean = async (what) => {
    sizes.length = 0;
    await until(() => sizes.length >= MESSAGES, what);
    return sizes.reduce((a, b) => a + b, 0) / sizes.length;
  };
  await withPage(
    browser,
    daemon.url + '#density=1',
    async (page) => {
      await untilText(page, '#peak-hz', /Hz/);
      const plain = await mean('densities');
      await page.keyboard.press('b');
      await until(() => sent.findLast(({ subscribe }) => subscribe === 'density').coding === 'range', 'economy on');
      await mean('those that were on their way');
      const economy = await mean('economical densities');
      assert.ok(economy < plain / 3, `${economy} of ${plain} bytes`);
      await page.keyboard.press('b');
      await until(() => sent.findLast(({ subscribe }) => subscribe === 'density').coding === undefined, 'economy off');
    },
    { before: listen },
  );
});
