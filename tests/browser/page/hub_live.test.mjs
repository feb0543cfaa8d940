// The page of a real hub with a broker and two simulated sensors: a panorama of both, one killed and back, every
// missing line counted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, screenshot, textOf, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';
import { JOINED } from '../page_files.mjs';
import { scratch } from '../../support/fftd.mjs';
import { broker, missing } from '../../support/nats.mjs';

const options = { timeout: 300000, skip: missing() };
const PAGE_BYTES = 45e3; // compressed, of all files
let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
});

const card = (name) => `.card[aria-label="lab.${name}"]`;

/** A simulated sensor that the end of the test stops. Its strongest signal is 300 kHz above the centre. */
async function sensor(t, url, name, center, more = []) {
  const daemon = await startDaemon([
    '--source',
    'sim',
    '--center',
    center,
    '--rate',
    '2M',
    '--fft-size',
    '4096',
    '--nats',
    url,
    '--nats-site',
    'lab',
    '--nats-radio',
    name,
    ...more,
  ]);
  t.after(() => daemon.stop());
  return daemon;
}

async function hubOf(t, url, more = []) {
  const daemon = await startDaemon(['--hub', url, ...more]);
  t.after(() => daemon.stop());
  return daemon;
}

const radioOf = async (hub, name) =>
  (await (await fetch(`${hub.url}api/v1/radios`)).json()).radios.find(({ radio }) => radio === name);
const isLive = (page, name) => untilText(page, `${card(name)} .reading`, /^Peak .* dBFS$/);
const peakHz = async (page, name) =>
  Number(/^Peak (\S+ ?\d*) MHz/.exec(await textOf(page, `${card(name)} .reading`))?.[1].replaceAll(' ', '')) * 1e6;

test('two radios one panorama one killed and back', options, async (t) => {
  const { url } = await broker(t);
  const hub = await hubOf(t, url);
  await withPage(
    browser,
    hub.url,
    async (page) => {
      await page.locator('#no-radios').waitFor(); // it is found without configuration
      await sensor(t, url, 'south', '100M', ['--geolocation', '48.1,11.5']);
      const north = await sensor(t, url, 'north', '101M', ['--geolocation', '48.3,11.8']);
      await isLive(page, 'south');
      await isLive(page, 'north');
      assert.equal(await textOf(page, '#panorama-about'), '2 radios, 3 MHz between 99.0 MHz and 102.0 MHz');
      await until(
        async () => Math.abs((await peakHz(page, 'south')) - (await peakHz(page, 'north')) + 1e6) < 2000,
        'the same signal from two centres',
      );
      await until(async () => (await page.locator('#map circle').count()) === 2, 'both radios on the map');
      await until(async () => (await radioOf(hub, 'north')).lines > 10, 'lines of the hub');

      await north.stop('SIGKILL');
      await untilText(page, `${card('north')} .state`, /^Gone since /);
      await screenshot(page, 'hub_live_gone');
      await sensor(t, url, 'north', '101M');
      await untilText(page, `${card('north')} .state`, /^Running$/);
      await until(async () => {
        const { lines, missing: lost } = await radioOf(hub, 'north');
        const [, shown, all] = /^missing (.*) of ([^,]*)/.exec(await textOf(page, `${card('north')} .figures`)) ?? [];
        const number = (text) => Number(text?.replaceAll(' ', ''));
        return number(shown) === lost && number(all) > 10 && number(all) <= lines + lost;
      }, 'the account of the hub');
      await screenshot(page, 'hub_live_back');
    },
    { colorScheme: 'dark' },
  );
});

test('a lost broker is said and lines come again', options, async (t) => {
  const near = await broker(t),
    hub = await hubOf(t, near.url);
  await sensor(t, near.url, 'south', '100M');
  await withPage(browser, hub.url, async (page) => {
    await isLive(page, 'south');
    await near.kill();
    await untilText(page, '#link-text', /^The hub has no connection to its broker$/);
    await near.start();
    await untilText(page, '#link-text', /^Live$/);
    const before = (await radioOf(hub, 'south')).lines;
    await until(async () => (await radioOf(hub, 'south')).lines > before + 5, 'lines again');
    await untilText(page, `${card('south')} .state`, /^Running$/);
  });
});

test('a radio is changed through the hub and its past is there for a page that opens later', options, async (t) => {
  const { url } = await broker(t),
    hub = await hubOf(t, url);
  const far = await sensor(t, url, 'south', '100M', ['--token', 'correct horse battery']);
  await until(async () => (await radioOf(hub, 'south'))?.lines > 60, 'some time of lines');
  const first = await radioOf(hub, 'south');
  await withPage(
    browser,
    hub.url,
    async (page) => {
      await isLive(page, 'south');
      const waterfall = await page.locator('.plots').boundingBox();
      await page.mouse.move(waterfall.x + 200, waterfall.y + waterfall.height * 0.7); // 10 s ago
      await untilText(page, `${card('south')} .reading`, /dBFS \d\d:\d\d:\d\d\.\d$/);
      await page.mouse.move(0, 0);
      await page.locator(card('south')).getByRole('button', { name: 'Control lab.south' }).click();
      await page.locator(card('south')).getByLabel('Token of the radio').fill('correct horse battery');
      await page.keyboard.press('Enter');
      await page.locator(card('south')).getByLabel('Centre, Hz').fill('101.1 MHz');
      await page.keyboard.press('Enter');
      await untilText(page, `${card('south')} .tuning`, /^101\.100 MHz/);
      await untilText(page, `${card('south')} .writer`, /^Changed by somebody/);
      assert.equal((await (await fetch(`${far.url}api/v1/status`)).json()).wanted.center_hz, 101.1e6);
      await screenshot(page, 'hub_live_control');
    },
    { colorScheme: 'dark' },
  );
  assert.equal((await radioOf(hub, 'south')).missing, first.missing);
});

test('what a hub received before it was started again comes from its archive', options, async (t) => {
  const { url } = await broker(t),
    far = scratch(t),
    copies = ['--archive', scratch(t)];
  const first = await hubOf(t, url, copies);
  await sensor(t, url, 'south', '100M', ['--archive', far, '--device', 'scene=tone,level=-10,offset=250k']);
  const archived = async (/** @type {any} */ hub) => (await radioOf(hub, 'south'))?.archive;
  await until(async () => {
    const archive = await archived(first);
    return archive && archive.newest_ns - archive.oldest_ns > 8e9;
  }, 'some seconds of its archive');
  const { oldest_ns: oldestNs } = await archived(first);
  await first.stop('SIGKILL');
  const again = await hubOf(t, url, copies); // its memory begins now
  await until(async () => await archived(again), 'the copy that it had');
  const at = new Date(oldestNs / 1e6 + 6000).toISOString();
  await withPage(
    browser,
    `${again.url}#at=${at}`,
    async (page) => {
      // to a column, and the step of the archive
      await untilText(page, `${card('south')} .reading`, /^Peak 100\.2(49|50|51)\d MHz -(9\.[5-9]|10\.[0-5]) dBFS$/);
      await untilText(page, '#go-live', new RegExp(`${at.slice(11, 19)} UTC`));
      assert.ok(await page.locator(`${card('south')} .notice`).isHidden());
      await screenshot(page, 'hub_live_archive');
    },
    { colorScheme: 'dark' },
  );
});

test('the joined page is below 45 kB', { ...options, skip: options.skip || JOINED.skip }, async (t) => {
  const { url } = await broker(t),
    hub = await hubOf(t, url);
  const sizes = new Map();
  await withPage(
    browser,
    hub.url,
    async (page) => {
      await page.locator('#no-radios').waitFor();
      await page.waitForLoadState('load');
    },
    {
      before: async (page) => {
        page.on('response', async (answer) => {
          const { pathname } = new URL(answer.url()),
            length = Number(answer.headers()['content-length']);
          if (!/\/(sw\.js|offline\.\w+)$/.test(pathname)) sizes.set(pathname.split('/').at(-1) || 'document', length);
        });
      },
    },
  );
  const sum = [...sizes.values()].reduce((all, size) => all + size, 0);
  t.diagnostic(`${sum} bytes: ${[...sizes].map(([name, size]) => `${name} ${size}`).join(', ')}`);
  assert.ok(sizes.has('main.js') && sizes.has('hub.css') && sizes.has('document'), [...sizes.keys()].join());
  assert.ok(sum > 10e3 && sum < PAGE_BYTES, `${sum} bytes`);
});
