// The picture as one image: the canvases as they are, over a head with settings and a line for each trace.

import { rbwHz, timeMs } from '../net/wire.js';
import { frequencyText, widthText } from './frequency.js';
import { centreHz, widthHz } from './view.js';
import { formatTime, zoneText } from '../util/time.js';
import { make } from '../util/dom.js';

const HEAD = 26,
  ROW = 18,
  PAD = 10; // CSS pixels

/**
 * @param {import('./display.js').Display} display
 * @param {import('../net/wire.js').Frame} frame
 * @param {string} detector
 */
function settingsText({ scene: { view } }, frame, detector) {
  const centre = frequencyText(frame, centreHz(frame, view), Math.max(1, widthHz(view) / 1e4));
  return [
    `${formatTime(timeMs(frame))} ${zoneText(timeMs(frame))}`,
    `Centre ${centre}`,
    `Span ${widthText(frame, widthHz(view), 5)}`,
    `RBW ${widthText(frame, rbwHz(frame))}`,
    `Detector ${detector}`,
    ...(frame.simulated ? ['SIMULATED'] : []),
  ].join('   ');
}

/**
 * @param {import('./display.js').Display} display
 * @param {import('../net/wire.js').Frame} frame  the newest
 * @param {{ detector: string, traces: { color: string, text: string }[] }} captions  traces: CSS colours and words
 * @returns {Promise<Blob>}  PNG
 */
export function pictureOf(display, frame, { detector, traces }) {
  const {
      ratio,
      layout,
      scene: { theme },
    } = display,
    style = getComputedStyle(document.documentElement);
  const top = HEAD + traces.length * ROW,
    canvas = make('canvas');
  canvas.width = Math.round(layout.width * ratio);
  canvas.height = Math.round((layout.height + top) * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.fillStyle = style.getPropertyValue('--page').trim();
  context.fillRect(0, 0, canvas.width, canvas.height);
  display.dirty = true; // WebGL keeps no picture: it is drawn and copied in one go
  display.draw(performance.now());
  const y = Math.round(top * ratio);
  context.drawImage(display.chart, 0, y);
  context.drawImage(display.waterfall, Math.round(layout.gutter * ratio), y + Math.round(layout.waterfallTop * ratio));
  context.drawImage(display.overlay, 0, y);
  context.scale(ratio, ratio);
  context.font = `12px ${theme.font}`;
  context.textBaseline = 'middle';
  context.fillStyle = theme.text;
  context.fillText(settingsText(display, frame, detector), PAD, HEAD / 2, layout.width - 2 * PAD);
  traces.forEach(({ color, text }, i) => {
    const middle = HEAD + (i + 0.5) * ROW;
    context.fillStyle = color;
    context.fillRect(PAD, middle - 1.5, 18, 3);
    context.fillStyle = theme.text;
    context.fillText(text, PAD + 26, middle, layout.width - 2 * PAD - 26);
  });
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'),
  );
}
