// Bookmarks as the CSV of gqrx: tags with colours, an empty line, and rows of five fields. Pure functions.

import { parseQuantity } from '../../util/quantity.js';

/**
 * @typedef {object} Bookmark
 * @property {string} name
 * @property {number} hz
 * @property {number | null} widthHz
 * @property {string} mode  "Narrow FM"; may be empty
 * @property {string} tags  separated by commas; may be empty
 * @property {string} color  "#rrggbb" or a name of CSS; may be empty
 */

const TAG = 'fftd'; // of bookmarks without one: gqrx wants one
const NAME_MAX = 95,
  HZ_MAX = 1e12; // as in daemon/format/band_plan.h

/** A field has neither the separator nor line ends. @param {string} text */
const field = (text) => text.replace(/[;\r\n\t]+/g, ' ').trim();

/** A name as it is kept: one line, and no longer than the server takes. @param {string} text */
export function cleanName(text) {
  let name = field(text);
  while (new TextEncoder().encode(name).length > NAME_MAX) name = name.slice(0, -1);
  return name;
}

/** @param {readonly Bookmark[]} bookmarks */
export function formatBookmarks(bookmarks) {
  const rows = [...bookmarks]
    .sort((a, b) => a.hz - b.hz)
    .map(({ hz, name, mode, widthHz, tags }) =>
      [
        String(Math.round(hz)).padStart(12),
        field(name).padEnd(25),
        field(mode).padEnd(20),
        String(Math.round(widthHz ?? 0)).padStart(10),
        field(tags) || TAG,
      ].join('; '),
    );
  const tags = new Map(
    bookmarks.map(({ tags: names, color }) => [
      field(names.split(',')[0]) || TAG,
      /^#[0-9a-f]{6}$/i.test(color) ? color : '#c0c0c0',
    ]),
  );
  return [
    '# Tag name          ;  color',
    ...[...tags].map(([name, color]) => `${name.padEnd(20)}; ${color}`),
    '',
    '# Frequency ; Name                     ; Modulation          ;  Bandwidth; Tags',
    ...rows,
    '',
  ].join('\n');
}

/** Qt writes the opacity first. @param {string} text */
const colorOf = (text) =>
  /^#[0-9a-f]{8}$/i.test(text) ? `#${text.slice(3)}` : /^(#[0-9a-f]{6}|[a-z]{1,23})$/i.test(text) ? text : '';

/**
 * Reads what formatBookmarks or gqrx wrote.
 * @param {string} text
 * @returns {{ bookmarks: Bookmark[], error: string }}  error: the first mistake, with its line; "": none
 */
export function parseBookmarks(text) {
  /** @type {Map<string, string>} */
  const colors = new Map();
  /** @type {Bookmark[]} */
  const bookmarks = [];
  const lines = text.replace(/^\ufeff/, '').split('\n');
  for (const [index, line] of lines.entries()) {
    const fields = line.split(';').map((each) => each.trim());
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    if (fields.length === 2) {
      colors.set(fields[0], colorOf(fields[1]));
      continue;
    }
    const [frequency, name, mode, width, tags] = fields,
      hz = parseQuantity(frequency, 'hz');
    const place = `Line ${index + 1}: `;
    if (fields.length !== 5)
      return { bookmarks: [], error: `${place}a row is: frequency ; name ; modulation ; bandwidth ; tags` };
    if (!(hz >= 0 && hz <= HZ_MAX))
      return { bookmarks: [], error: `${place}\u201c${frequency}\u201d is not a frequency.` };
    if (!name) return { bookmarks: [], error: `${place}the name is empty.` };
    const widthHz = width ? parseQuantity(width, 'hz') : 0;
    if (!(widthHz >= 0)) return { bookmarks: [], error: `${place}\u201c${width}\u201d is not a bandwidth.` };
    const color =
      tags
        .split(',')
        .map((tag) => colors.get(tag.trim()))
        .find(Boolean) ?? '';
    bookmarks.push({ name: cleanName(name), hz, widthHz: widthHz || null, mode, tags, color });
  }
  return { bookmarks, error: '' };
}
