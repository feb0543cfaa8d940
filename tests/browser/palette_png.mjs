// PNG with a palette: a screenshot in 256 colours, at a third of its bytes.
import { deflateSync } from 'node:zlib';

/** Runs in the browser: the pixels as indices into a palette of the most frequent colours. */
async function quantise(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' })),
    { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer),
    count = new Map();
  const coarse = (pixel) => pixel & 0xf8f8f8; // 5 bits a channel: neighbours become one
  for (const pixel of pixels) {
    const group = coarse(pixel),
      known = count.get(group) ?? { pixels: 0, exact: new Map() };
    known.pixels++;
    known.exact.set(pixel, (known.exact.get(pixel) ?? 0) + 1);
    count.set(group, known);
  }
  const groups = [...count].sort((a, b) => b[1].pixels - a[1].pixels).slice(0, 256);
  // its most frequent colour
  const colors = groups.map(([, { exact }]) => [...exact].sort((a, b) => b[1] - a[1])[0][0]);
  const channels = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255],
    palette = colors.map(channels),
    nearest = new Map();
  const find = (pixel) => {
    const [r, g, b] = channels(pixel);
    let best = 0,
      least = Infinity;
    palette.forEach(([pr, pg, pb], i) => {
      const distance = (r - pr) ** 2 + (g - pg) ** 2 + (b - pb) ** 2;
      if (distance < least) [best, least] = [i, distance];
    });
    return best;
  };
  let indices = '';
  for (const pixel of pixels) {
    const group = coarse(pixel);
    if (!nearest.has(group)) nearest.set(group, find(pixel));
    indices += String.fromCharCode(nearest.get(group));
  }
  return { width, height, palette: palette.flat(), indices: btoa(indices) };
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const crcOf = (bytes) => {
  let crc = ~0;
  for (const byte of bytes) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
};

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]),
    head = Buffer.alloc(4),
    tail = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  tail.writeUInt32BE(crcOf(body));
  return Buffer.concat([head, body, tail]);
}

/**
 * A PNG in 256 colours.
 * @param {import('playwright-core').Browser} browser
 * @param {Buffer} png
 * @returns {Promise<Buffer>}
 */
export async function inPalette(browser, png) {
  const page = await browser.newPage();
  const { width, height, palette, indices } = await page.evaluate(quantise, png.toString('base64'));
  await page.close();
  const pixels = Buffer.from(indices, 'base64'),
    rows = Buffer.alloc((width + 1) * height),
    head = Buffer.alloc(13);
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8); // eight bits, a palette
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
