// Makes the pictures of docs/images/ that show the page: a real fftd on its simulated radio, in headless Chromium.
//
//     FFTD=build/dev/daemon/fftd node tests/browser/screenshots.mjs [FOLDER]
//
// The simulation has its seed, and its clock; noise and times differ from run to run, the layout does not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawn, launch, until, untilText, withPage } from './browser.mjs';
import { startDaemon } from './daemon.mjs';
import { inPalette } from './palette_png.mjs';
import { broker } from '../support/nats.mjs';

const BYTES_MAX = 150e3;
const OUTPUT = process.argv[2] ?? fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Parts of the 2 m band as IARU Region 1 plans it. */
const BANDS = [
  ['2 m amateur band', 144, 146, 'amateur'],
  ['CW', 144, 144.15, 'aviation'],
  ['SSB', 144.15, 144.4, 'broadcast'],
  ['Beacons', 144.4, 144.49, 'military'],
  ['All modes', 144.5, 144.794, 'marine'],
  ['Digital', 144.794, 144.9625, 'satellite'],
  ['Repeater inputs', 144.994, 145.1935, 'broadcast'],
  ['FM simplex', 145.206, 145.5625, 'marine'],
  ['Repeater outputs', 145.594, 145.7935, 'broadcast'],
  ['Satellites', 145.806, 146, 'satellite'],
];
const BOOKMARKS = [
  [144300000, 'SSB calling'],
  [144800000, 'APRS'],
  [145500000, 'FM calling'],
  [145800000, 'ISS'],
];

const PICTURES = [
  {
    name: 'page-desktop-dark',
    scheme: 'dark',
    size: [1280, 720],
    hash:
      '#bottom=-100&top=0&traces=1:max-hold:max,2:average:median'
      + '&markers=1:145400000:selected,2:145650000:noise&panels=markers',
  },
  {
    name: 'page-desktop-light',
    scheme: 'light',
    size: [1280, 720],
    hash: '#bottom=-100&top=0&density=1&panels=measure&plan=bands',
  },
  { name: 'page-phone', scheme: 'dark', size: [390, 844], hash: '#bottom=-100&top=0&plan=bookmarks', phone: true },
];

const MEASURES = [
  'channel-power,center=145.4M,width=25k,name=carrier',
  'occupancy,start=144.7M,stop=145.2M,width=50k,name=channels',
];

/** @param {string} folder @returns {string[]} */
function writePlan(folder) {
  const files = ['plan.json', 'bookmarks.csv'].map((name) => join(folder, name));
  writeFileSync(
    files[0],
    JSON.stringify({
      bands: BANDS.map(([name, low, high, type]) => ({ name, type, start: low * 1e6, end: high * 1e6 })),
    }),
  );
  writeFileSync(files[1], BOOKMARKS.map(([hz, name]) => `${hz};${name};;;\n`).join(''));
  return files;
}

/** Rows of the waterfall that are not empty, as a share. */
const filled = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById('waterfall'),
      copy = document.createElement('canvas');
    Object.assign(copy, { width: 1, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, canvas.width >> 1, 0, 1, canvas.height, 0, 0, 1, canvas.height);
    const { data } = context.getImageData(0, 0, 1, canvas.height),
      empty = data.slice(-4).join();
    let rows = canvas.height;
    while (rows > 0 && data.slice(4 * rows - 4, 4 * rows).join() === empty) rows--;
    return rows / canvas.height;
  });

async function take(browser, url, { name, scheme, size: [width, height], hash, phone }) {
  const options = {
    colorScheme: scheme,
    viewport: { width, height },
    ...(phone ? { hasTouch: true, isMobile: true } : {}),
  };
  await withPage(
    browser,
    url + hash,
    async (page) => {
      await untilText(page, '#peak-hz', /Hz/);
      await untilText(page, '#ledger-pace', /[1-9].*B\/s/);
      // or its last rows look alike
      await until(async () => (await filled(page)) > 0.97, 'a full waterfall', 120000).catch(() => {});
      await drawn(page, 20);
      const path = join(OUTPUT, `${name}.png`),
        picture = await inPalette(browser, await page.screenshot());
      if (picture.length > BYTES_MAX) throw new Error(`${name}: ${picture.length} bytes, more than ${BYTES_MAX}`);
      writeFileSync(path, picture);
      console.log(`${path}: ${picture.length} bytes`);
    },
    options,
  );
}

/** Sensors of the picture of a hub: name, centre, position. */
const SENSORS = [
  ['roof', 'south', '100M', '48.137,11.575'],
  ['barn', 'north', '101.2M', '48.262,11.434'],
  ['mast', 'west', '433.92M', '48.052,11.221'],
];
const TOKEN = 'of the simulated radios';
const HUB_PICTURE = { name: 'page-hub', scheme: 'dark', size: [1280, 720] };

/** The page of a hub with three simulated sensors. */
async function takeHub(browser) {
  const {
      name,
      scheme,
      size: [width, height],
    } = HUB_PICTURE,
    ends = [],
    test = { after: (end) => ends.unshift(end) };
  try {
    const { url } = await broker(test);
    const start = async (args) => {
      const started = await startDaemon(args);
      ends.unshift(() => started.stop());
      return started;
    };
    for (const [site, radio, center, position] of SENSORS)
      await start([
        '--source',
        'sim',
        '--device',
        `seed=${center.length}`,
        '--center',
        center,
        '--rate',
        '2M',
        '--nats',
        url,
        '--nats-site',
        site,
        '--nats-radio',
        radio,
        '--geolocation',
        position,
        '--token',
        TOKEN,
      ]);
    const hub = await start(['--hub', url]);
    await withPage(
      browser,
      hub.url,
      async (page) => {
        await until(
          async () => (await page.locator('.card .reading:has-text("Peak")').count()) === SENSORS.length,
          'all cards',
        );
        await until(async () => await page.evaluate(() => performance.now() > 34000), 'full waterfalls'); // of 30 s
        await page.getByRole('button', { name: 'Control roof.south' }).click();
        await page.getByLabel('Token of the radio').locator('visible=true').fill(TOKEN);
        await page.keyboard.press('Enter');
        await page.getByLabel('Centre, Hz').waitFor();
        const path = join(OUTPUT, `${name}.png`),
          picture = await inPalette(browser, await page.screenshot());
        if (picture.length > BYTES_MAX) throw new Error(`${name}: ${picture.length} bytes, more than ${BYTES_MAX}`);
        writeFileSync(path, picture);
        console.log(`${path}: ${picture.length} bytes`);
      },
      { colorScheme: scheme, viewport: { width, height } },
    );
  } finally {
    for (const end of ends) await end();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'fftd-pictures-')),
  browser = await launch();
const daemon = await startDaemon([
  '--source',
  'sim',
  '--device',
  'seed=1',
  '--center',
  '145.1M',
  '--rate',
  '2.4M',
  '--gain',
  '0',
  '--band-plan',
  writePlan(folder).join(','),
  ...MEASURES.flatMap((measure) => ['--measure', measure]),
]);
try {
  for (const picture of PICTURES) await take(browser, daemon.url, picture);
  await takeHub(browser);
} finally {
  await browser.close();
  await daemon.stop();
  rmSync(folder, { recursive: true });
}
