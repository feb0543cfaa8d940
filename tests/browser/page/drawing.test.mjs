// What of the picture is drawn when: a canvas that stays as it is costs nothing.
import assert from 'node:assert/strict';
import { drawn, plots, until } from '../browser.mjs';
import { scene } from './scene.mjs';

/** Runs in the page before its scripts: window.pictures has how often each canvas was begun anew. */
function countPictures() {
  const pictures = (window.pictures = {}),
    { setTransform, drawImage } = CanvasRenderingContext2D.prototype;
  const count = ({ canvas: { id } }) => {
    pictures[id] = (pictures[id] ?? 0) + 1;
  };
  CanvasRenderingContext2D.prototype.setTransform = function counted(...to) {
    if (to[0] !== 1 || devicePixelRatio === 1) count(this);
    return setTransform.apply(this, to);
  };
  CanvasRenderingContext2D.prototype.drawImage = function counted(...what) {
    if (this.canvas.id === 'waterfall' && what[2] !== 0) count(this); // the piece with the newest row
    return drawImage.apply(this, what);
  };
}

/** Pictures of each canvas, and lines drawn, while so many lines come. */
async function during(page, server, lines) {
  const read = async () => ({ ...(await page.evaluate(() => ({ ...window.pictures }))), lines: server.credits });
  const before = await read();
  await until(() => server.credits >= before.lines + lines, 'lines');
  const after = await read();
  return (name) => (after[name] ?? 0) - (before[name] ?? 0);
}

const counted = (name, options, use) =>
  scene(name, { ...options, page: { deviceScaleFactor: 2 }, before: (page) => page.addInitScript(countPictures) }, use);

counted('the_overlay_is_drawn_for_what_is_on_it_not_for_lines', {}, async ({ page, server }) => {
  const visible = () =>
    page.evaluate(() => getComputedStyle(document.getElementById('overlay')).visibility === 'visible');
  let pictures = await during(page, server, 20);
  assert.equal(pictures('overlay'), 0);
  assert.ok(pictures('chart') >= 10, `${pictures('chart')} charts`);
  assert.equal(await visible(), false);
  const { display } = await plots(page);
  await page.mouse.move(display.x + 300, display.y + 100);
  await until(visible, 'the cross-hair');
  await drawn(page, 2);
  pictures = await during(page, server, 20);
  assert.equal(pictures('overlay'), 0, 'a cross-hair that stays');
  await page.keyboard.press('m'); // a marker is at the level of each line
  pictures = await during(page, server, 20);
  assert.ok(pictures('overlay') >= 10, `${pictures('overlay')} overlays`);
});

counted('the_peak_is_marked_above_the_trace', { hash: '#bottom=-110&top=0' }, async ({ page }) => {
  const [red, blue] = [0xff, 0x3d]; // --mark
  const marked = () =>
    page.evaluate(
      ([r, b]) => {
        const chart = document.getElementById('chart'),
          copy = document.createElement('canvas');
        Object.assign(copy, { width: chart.width, height: chart.height });
        const context = copy.getContext('2d');
        context.drawImage(chart, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height),
          rows = [],
          columns = [];
        for (let i = 0; i < data.length; i += 4)
          if (data[i] === r && data[i + 2] === b) {
            rows.push(Math.floor(i / 4 / copy.width));
            columns.push((i / 4) % copy.width);
          }
        return (
          rows.length && {
            top: Math.min(...rows),
            end: Math.max(...rows),
            x: (Math.min(...columns) + Math.max(...columns)) / 2,
          }
        );
      },
      [red, blue],
    );
  const { top, end, x } = await until(marked, 'pixels in its colour'),
    { display, waterfall } = await plots(page);
  const tone = waterfall.x - display.x + ((434.1e6 - 433.92e6 + 1.2e6) / 2.4e6) * waterfall.width;
  assert.ok(Math.abs(x / 2 - tone) < 2, `${x / 2} and ${tone}: at the tone`);
  assert.ok(end - top >= 14 && end - top <= 20, `${top} to ${end}: 10 CSS pixels high`);
});

counted(
  'rows that come as often as pictures do not slide',
  { hash: '#renderer=2d', server: { linesPerSecond: 30 } },
  async ({ page, server }) => {
    await during(page, server, 10);
    const pictures = await during(page, server, 30);
    assert.ok(
      pictures('waterfall') <= pictures('lines') + 2,
      `${pictures('waterfall')} pictures of ${pictures('lines')} lines`,
    );
  },
);

counted(
  'rows that come slowly slide',
  { hash: '#renderer=2d&speed=8', server: { linesPerSecond: 10 } },
  async ({ page, server }) => {
    await until(
      async () => (await page.evaluate(() => window.pictures.waterfall)) > server.credits + 20,
      'more pictures than lines',
    );
  },
);

scene('on another screen the picture has the pixels of that screen', {}, async ({ page }) => {
  const session = await page.context().newCDPSession(page),
    { width, height } = page.viewportSize();
  const pixels = () =>
    page.evaluate(() =>
      ['chart', 'waterfall', 'overlay'].map((id) => {
        const canvas = document.getElementById(id);
        return canvas.width / canvas.getBoundingClientRect().width;
      }),
    );
  for (const deviceScaleFactor of [2, 1.5, 3, 1]) {
    await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false });
    // The emulation of a screen tells no media query; that of another feature tells all of them.
    await page.emulateMedia({ reducedMotion: deviceScaleFactor > 1.6 ? 'reduce' : 'no-preference' });
    await until(
      async () => (await pixels()).every((ratio) => Math.abs(ratio - deviceScaleFactor) < 0.01),
      `${deviceScaleFactor} pixels`,
    );
  }
});
