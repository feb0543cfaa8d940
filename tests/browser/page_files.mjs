// The files of the page for the mocks: as the program has them, joined by esbuild, if the build did that ($FFTD_PAGE),
// or else those of web/.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const SOURCE = new URL('../../web/', import.meta.url);
const FOLDERS = [...(process.env.FFTD_PAGE ? [pathToFileURL(`${process.env.FFTD_PAGE}/`)] : []), SOURCE];
// Files of web/ in place of joined ones that moved would test a page that nobody has.
if (process.env.FFTD_PAGE && !existsSync(`${process.env.FFTD_PAGE}/main.js`))
  throw new Error(`${process.env.FFTD_PAGE}: the joined page is not there`);
const TYPES = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};

/** Options of a test that needs the joined page. */
export const JOINED = { timeout: 120000, skip: !process.env.FFTD_PAGE && 'the build had no esbuild' };

/**
 * { body, type } of a file, whose address may start with a version; rejects if there is none.
 * @param {string} address  without the first "/"
 */
export async function pageFile(address) {
  const path = address.replace(/^[0-9a-f]{16}\//, '');
  const type = TYPES[path.split('.').at(-1)] ?? 'text/plain';
  const bodies = await Promise.allSettled(FOLDERS.map((folder) => readFile(new URL(path, folder))));
  const found = bodies.find(({ status }) => status === 'fulfilled');
  if (!found) throw new Error(`${path}: no such file`);
  return { body: found.value, type };
}
