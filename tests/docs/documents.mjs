// documents.mjs - the project's Markdown files, taken apart: links, headings, code.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Names of the Markdown files below a folder, from the project's root. Build trees are left out. */
function markdownBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(\..*|build|node_modules)$/.test(entry.name) ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [relative(root, path)] : [];
  });
}

/**
 * @typedef {object} Fence  a block of code
 * @property {string} language  "sh", "" for an indented block
 * @property {string[]} words  what follows the language: "test", "status=1"
 * @property {number} line  of its first line of code, from 1
 * @property {string} code
 */

/** @param {string[]} lines @returns {{fences: Fence[], prose: string[]}}  prose: a line of code is "" there */
function takeApart(lines) {
  const fences = [],
    prose = [];
  let open = null;
  lines.forEach((text, i) => {
    const mark = text.match(/^\s*```(\w*)\s*(.*)$/);
    if (mark && open) {
      fences.push(open);
      open = null;
    } else if (mark) {
      open = { language: mark[1], words: mark[2].split(/\s+/).filter(Boolean), line: i + 2, code: '' };
    } else if (open) {
      open.code += `${text}\n`;
    } else if (/^ {4}\S/.test(text)) {
      fences.push({ language: '', words: [], line: i + 1, code: `${text.trim()}\n` });
    } else if (/^ {5}\S/.test(text) && lines[i - 1].startsWith('    {')) {
      // the second line of a message
      fences.at(-1).code += text;
    }
    prose.push(mark || open || /^ {4,5}\S/.test(text) ? '' : text);
  });
  return { fences, prose };
}

/** The anchor that GitHub and GitLab give to a heading. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/`/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** @param {string} text  of a document */
export function parse(text) {
  const lines = text.split('\n');
  const { fences, prose } = takeApart(lines);
  const anchors = new Set();
  prose.forEach((line) => {
    const heading = line.match(/^#+\s+(.*?)\s*$/);
    if (!heading) return;
    const slug = slugOf(heading[1]);
    let name = slug;
    for (let i = 1; anchors.has(name); i++) name = `${slug}-${i}`;
    anchors.add(name);
  });
  const links = prose.flatMap((line, i) =>
    [...line.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({ target, line: i + 1 })),
  );
  const spans = prose.flatMap((line, i) => [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => ({ code, line: i + 1 })));
  return { text, lines, fences, anchors, links, spans };
}

/** @type {Map<string, ReturnType<typeof parse>>} by name */
export const documents = new Map(
  markdownBelow(root)
    .sort()
    .map((name) => [name, parse(readFileSync(join(root, name), 'utf8'))]),
);

/** The rows of the first table below a heading of a document, as arrays of cells. */
export function tableBelow(document, heading) {
  const from = document.lines.indexOf(heading);
  if (from < 0) throw new Error(`no heading "${heading}"`);
  const begin = document.lines.findIndex((line, i) => i > from && line.startsWith('|'));
  const end = document.lines.findIndex((line, i) => i > begin && !line.startsWith('|'));
  return document.lines.slice(begin + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** The names in a cell: `a`, `b`. */
export const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
