// Traces beside the live one, on a real fftd: what they show of a known signal, the panel, the address, and saved
// files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { drawn, launch, plots, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
// A tone in the centre of a bin, over noise: 1 MS/s in 1024 bins.
const RATE = 1e6,
  N = 1024,
  TONE = { hz: 100e6 + (200 * RATE) / N, db: -20 },
  NOISE_DB = -60;
const ARGS = [
  '--source',
  'sim',
  '--rate',
  '1M',
  '--center',
  '100M',
  '--fft-size',
  `${N}`,
  '--window',
  'hann',
  '--device',
  `scene=tone,level=${TONE.db},offset=${TONE.hz - 100e6},noise=${NOISE_DB}`,
];
const FLOOR_DB = NOISE_DB - 10 * Math.log10(N / 1.5); // of a bin: Hann has an ENBW of 1.5

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Runs use(page, { sent, daemon }) on the page of an fftd; sent: the messages of the page. */
function withTraces(name, use, { hash = '', args = [], options = {} } = {}) {
  test(name, { timeout: 120000 }, async () => {
    const daemon = await startDaemon([...ARGS, ...args]),
      sent = [];
    const listen = (page) =>
      page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    try {
      await withPage(
        browser,
        daemon.url + hash,
        async (page) => {
          await untilText(page, '#peak-hz', /Hz/);
          await page.locator('#traces-open:not([hidden])').waitFor({ state: 'attached' });
          await use(page, { sent, daemon });
        },
        { colorScheme: 'dark', before: listen, ...options },
      );
    } finally {
      assert.equal(await daemon.stop(), 0, daemon.stderr());
    }
  });
}

const legend = (page) => textOf(page, '#trace-legend');

/** Saves by a button; returns the file's name and contents. */
async function save(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator(button).click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** A saved table: notes, names of the columns, and rows of numbers. */
function parseCsv(bytes) {
  const lines = bytes.toString().trimEnd().split('\n'),
    notes = lines.filter((line) => line.startsWith('# '));
  const [head, ...rows] = lines.slice(notes.length).map((line) => line.split(','));
  return { notes, head, rows: rows.map((row) => row.map(Number)) };
}
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

withTraces('one key each holds and averages and the table has the known levels', async (page, { sent }) => {
  await page.keyboard.press('h');
  await page.keyboard.press('y');
  await page.keyboard.press('v');
  await page.getByLabel('Trace 3', { exact: true }).locator('select').first().selectOption('min-hold');
  await untilText(page, '#trace-legend', /1 Max hold.* lines2 Average.*100\/100 lines3 Min hold.* lines/);
  await screenshot(page, 'traces_dark');
  const { name, bytes } = await save(page, '#save-csv');
  assert.match(name, /^fftd_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.csv$/);
  const { notes, head, rows } = parseCsv(bytes);
  assert.deepEqual(head, ['frequency_hz', 'live_dbfs', '1_max_hold_dbfs', '2_average_dbfs', '3_min_hold_dbfs']);
  const times = notes.filter((note) => / step /.test(note)).map((note) => note.split('; ')[2]);
  assert.equal(times.length, 4);
  assert.ok(notes.some((note) => note === `# fft_size: ${N}`) && notes.some((note) => /# rbw_hz: 1464\.84/.test(note)));
  for (const [hz, live, high, average, low] of rows) {
    assert.ok(high >= average - 0.5 && average >= low - 0.5, `${hz}: ${high} ${average} ${low}`);
    assert.ok(high >= live - 0.5, `${hz}`);
  }
  const tone = rows.reduce((best, row) => (row[3] > best[3] ? row : best));
  assert.ok(Math.abs(tone[0] - TONE.hz) <= RATE / N, `the tone is at ${tone[0]}`);
  for (const level of tone.slice(1)) assert.ok(Math.abs(level - TONE.db) < 0.6, `the tone reads ${tone}`);
  const noise = rows.filter(([hz]) => Math.abs(hz - TONE.hz) > 50e3).map((row) => row[3]);
  // A column shows the highest of one or two bins, of an average of 100 lines: hardly above the mean.
  assert.ok(Math.abs(mean(noise) - FLOOR_DB) < 0.5, `noise reads ${mean(noise)}, not ${FLOOR_DB}`);

  await page.keyboard.press('h');
  await until(() => sent.some(({ type, slot, off }) => type === 'view' && slot === 1 && off), 'the removal');
  await untilText(page, '#trace-legend', /^Livemean2 Average.*3 Min hold/);
});

withTraces(
  'the cursor names the level of each trace',
  async (page) => {
    const { display } = await plots(page);
    await untilText(page, '#trace-legend', /\d lines/);
    const x = 62 + (display.width - 70) * (0.5 + (TONE.hz - 100e6) / RATE);
    await page.mouse.move(display.x + x, display.y + 60);
    await untilText(page, '#hover', /Live {2}-\d.*1 Max hold {2}-(19|20)\.\d dBFS/s);
    await page.mouse.move(display.x + x - 200, display.y + 60);
    await untilText(page, '#hover', /1 Max hold {2}-[6-8]\d\.\d dBFS/);
  },
  { hash: '#traces=1:max-hold:max' },
);

withTraces(
  'a trace is frozen hidden cleared and the address says so',
  async (page, { sent }) => {
    await page.keyboard.press('v');
    const lines = async () => Number(/(\d+) lines/.exec(await legend(page))?.[1]);
    await until(async () => (await lines()) > 10, 'some lines');
    await page.getByRole('button', { name: 'View, trace 1' }).click();
    await untilText(page, '#trace-legend', /frozen/);
    const before = /UTC\S*/.exec(await textOf(page, '#ledger'))[0];
    const frozen = parseCsv((await save(page, '#save-csv')).bytes),
      held = await lines();
    await until(() => page.evaluate(() => location.hash.includes('1:max-hold:max:view')), 'the address');
    await until(async () => !(await textOf(page, '#ledger')).includes(before), 'later figures');
    const again = parseCsv((await save(page, '#save-csv')).bytes);
    assert.deepEqual(
      again.rows.map((row) => row[2]),
      frozen.rows.map((row) => row[2]),
    );
    await page.getByRole('button', { name: 'View, trace 1' }).click();
    await until(async () => (await lines()) > held, 'it goes on, with the lines of meanwhile');
    await page.getByRole('button', { name: 'Blank, trace 1' }).click();
    await until(async () => (await legend(page)) === '', 'no legend');
    assert.deepEqual(parseCsv((await save(page, '#save-csv')).bytes).head, ['frequency_hz', 'live_dbfs']);
    const from = sent.length;
    await page.getByRole('button', { name: 'Clear, trace 1' }).click();
    await until(() => sent.slice(from).some(({ slot, restart }) => slot === 1 && restart === true), 'a restart');
    await untilText(page, '#trace-legend', /\d lines/);
    await page.keyboard.press('Escape');
    await page.locator('#traces').waitFor({ state: 'hidden' });
  },
  { hash: '#traces=1:max-hold:max' },
);

// The power of a bin of complex noise has an exponential distribution: its median is ln 2 of the mean, 90 % are below
// ln 10 of it. The density rounds to steps, and a column of it has its strongest bin.
withTraces(
  'percentiles of noise have their place below and above its mean',
  async (page, { sent }) => {
    await page.keyboard.press('v');
    const trace = (slot) => page.getByLabel(`Trace ${slot}`, { exact: true });
    const choose = async (slot, percent) => {
      await trace(slot).locator('select').first().selectOption('average');
      await trace(slot).getByLabel('Detector').selectOption('percentile');
      await trace(slot).getByLabel('Per cent').fill(percent);
      await trace(slot).getByLabel('Per cent').press('Tab');
    };
    await choose(1, '50');
    await choose(2, '90');
    await trace(3).locator('select').first().selectOption('average');
    await untilText(page, '#trace-legend', /1 Averagemedian .* 100\/100 lines2 Averagep90 .* 100\/100 lines3 Average/);
    await until(
      () => page.evaluate(() => location.hash.includes('1:average:median,2:average:p90,3:average:mean')),
      'the address',
    );
    assert.ok(sent.some(({ slot, detector }) => slot === 2 && detector === 'p90'));
    const { head, rows } = parseCsv((await save(page, '#save-csv')).bytes);
    assert.deepEqual(head.slice(2), ['1_average_dbfs', '2_average_dbfs', '3_average_dbfs']);
    const noise = rows.filter(([hz]) => Math.abs(hz - TONE.hz) > 20e3);
    const [median, p90, average] = [2, 3, 4].map((column) => mean(noise.map((row) => row[column])));
    assert.ok(Math.abs(average - FLOOR_DB) < 0.5, `average ${average}`);
    assert.ok(
      Math.abs(median - average - 10 * Math.log10(Math.LN2)) < 1,
      `median ${median - average} dB from the mean`,
    );
    assert.ok(Math.abs(p90 - average - 10 * Math.log10(Math.LN10)) < 1, `p90 ${p90 - average} dB from the mean`);
    await screenshot(page, 'percentiles');
  },
  { args: ['--density-columns', `${N}`, '--line-rate', '10'] },
);

withTraces(
  'a video bandwidth takes the place of the lines and the legend has what it settles at',
  async (page, { sent }) => {
    await page.keyboard.press('v');
    const trace = page.getByLabel('Trace 1', { exact: true });
    await trace.locator('select').first().selectOption('exponential');
    await trace.getByLabel('VBW, Hz').fill('1.5');
    await trace.getByLabel('VBW, Hz').press('Enter');
    await untilText(page, '#trace-legend', /1 Exponentialmean . VBW 1\.5 Hz . \d+ lines/);
    const view = sent.findLast(({ slot }) => slot === 1);
    assert.equal(view.vbw_hz, 1.5);
    assert.equal('count' in view, false);
    await trace.getByLabel('VBW, Hz').fill('1M'); // wider than that of a line
    await trace.getByLabel('VBW, Hz').press('Enter');
    const { spectrum } = await (await fetch(new URL('api/v1/status', page.url()))).json();
    await untilText(page, '#trace-legend', /VBW [\d.]+ Hz/);
    const shown = await until(async () => {
      const hz = Number(/VBW ([\d.]+) Hz/.exec(await legend(page))?.[1]);
      return hz > 2 && hz;
    }, 'the VBW of a line');
    const frame = 1 / spectrum.frames_per_line; // which a line has more or less than the mean
    assert.ok(Math.abs(shown / spectrum.vbw_hz - 1) < frame + 0.01, `${shown} Hz, ${spectrum.vbw_hz} Hz of the status`);
    await trace.getByLabel('VBW, Hz').fill('wide');
    await trace.getByLabel('VBW, Hz').press('Enter');
    assert.equal(await trace.getByLabel('VBW, Hz').inputValue(), '1000000');
    await trace.getByLabel('Lines').fill('9');
    await trace.getByLabel('Lines').press('Enter');
    await until(() => sent.findLast(({ slot }) => slot === 1).count === 9, 'lines again');
    assert.equal(await trace.getByLabel('VBW, Hz').inputValue(), '');
  },
  {},
);

let answer; // sends the page a message, as if from the server
const relay = (page) =>
  page.routeWebSocket('**', (socket) => {
    socket.connectToServer();
    answer = (message) => socket.send(JSON.stringify(message));
  });
withTraces(
  'what is being typed stays when the server answers',
  async (page) => {
    await page.keyboard.press('v');
    const lines = page.getByLabel('Trace 1', { exact: true }).getByLabel('Lines');
    await lines.fill('7');
    answer({ type: 'view', slot: 1, first_line: null, unit: 'dBFS', reason: 'an answer' });
    await untilText(page, '#traces', /an answer/);
    assert.equal(await lines.inputValue(), '7');
  },
  { hash: '#traces=1:average:mean', options: { before: relay } },
);

withTraces(
  'a stored trace is a reference and the tone against it is 0 dB',
  async (page, { daemon }) => {
    await page.keyboard.press('v');
    const trace = page.getByLabel('Trace 1', { exact: true });
    await untilText(page, '#trace-legend', /\d+\/20 lines/);
    await trace.getByLabel('Store as reference').fill('quiet');
    await trace.getByRole('button', { name: 'Store, trace 1' }).click();
    await trace
      .locator('label', { hasText: /^Reference/ })
      .locator('select')
      .selectOption('relative');
    const { references } = await (await fetch(`${daemon.url}api/v1/references`)).json();
    assert.deepEqual(
      references.map(({ name, trace: how }) => [name, how]),
      [['quiet', 'average']],
    );
    await untilText(page, '#trace-legend', /1 Average \/ quiet/);
    await untilText(page, '#trace-legend', /\d+\/20 lines/);
    const { head, rows } = parseCsv((await save(page, '#save-csv')).bytes);
    assert.equal(head[2], '1_average_quiet_db');
    const tone = rows.reduce((best, row) => (row[1] > best[1] ? row : best));
    assert.ok(Math.abs(tone[2]) < 0.6, `${tone}`);
    await until(() => page.evaluate(() => location.hash.includes('relative=quiet')), 'the address');
    await page.reload(); // a shared link shows the same
    await untilText(page, '#trace-legend', /1 Average \/ quiet/);
  },
  { hash: '#traces=1:average:mean:n20' },
);

withTraces(
  'a reference that does not exist is named at its trace',
  async (page) => {
    await page.keyboard.press('v');
    await untilText(page, '#trace-legend', /there is no reference gone/);
    await untilText(page, '#traces .trace-reason >> nth=0', /^there is no reference gone$/);
  },
  { hash: '#traces=1:max-hold:max:minus=gone' },
);

withTraces(
  'a saved picture has the plots and the trace colours',
  async (page) => {
    await page.keyboard.press('v');
    await untilText(page, '#trace-legend', /\d lines/);
    const { name, bytes } = await save(page, '#save-png');
    assert.match(name, /\.png$/);
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    const { display } = await plots(page);
    assert.equal(bytes.readUInt32BE(16), Math.round(display.width));
    assert.ok(bytes.readUInt32BE(20) > display.height);
    const seen = await page.evaluate((data) => {
      const raw = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
      return createImageBitmap(new Blob([raw], { type: 'image/png' })).then((bitmap) => {
        const canvas = document.createElement('canvas');
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
        const colors = new Map();
        for (let i = 0; i < pixels.length; i += 4) {
          const color = pixels.slice(i, i + 3).join();
          colors.set(color, (colors.get(color) ?? 0) + 1);
        }
        return { trace: colors.get('232,133,26') ?? 0, different: colors.size };
      });
    }, bytes.toString('base64'));
    assert.ok(seen.trace > 50, `${seen.trace} pixels of the trace's colour`);
    assert.ok(seen.different > 100, 'a waterfall');
  },
  { hash: '#traces=2:max-hold:max' },
);

for (const [device, viewport] of [
  ['desktop', { width: 1280, height: 720 }],
  ['phone', { width: 390, height: 844 }],
])
  withTraces(
    `axe finds nothing in the traces on a ${device}`,
    async (page) => {
      await page.keyboard.press('v');
      await untilText(page, '#trace-legend', /\d lines/);
      await page.evaluate(AXE);
      for (const colorScheme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme });
        await drawn(page, 3);
        const { violations } = await page.evaluate(() =>
          globalThis.axe.run({ include: [['#traces'], ['#trace-legend'], ['#tools']] }),
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id} ${nodes[0].target}`),
          [],
          colorScheme,
        );
        await screenshot(page, `traces_${device}_${colorScheme}`);
      }
      const right = await page.evaluate(
        () => document.querySelector('#tools').lastElementChild.previousElementSibling.getBoundingClientRect().right,
      );
      assert.ok(right <= viewport.width, 'the buttons fit');
    },
    { hash: '#traces=1:max-hold:max,2:average:mean', options: { viewport } },
  );
