// The manual of the page: it names the key of every command.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { keyText } from '../../../web/app/commands.js';
import { COMMANDS } from '../../../web/app/features.js';

test('the manual has the key of every command', () => {
  const manual = readFileSync(new URL('../../../docs/page.md', import.meta.url), 'utf8');
  const keys = manual.slice(manual.indexOf('\n## Keys'), manual.indexOf('\n## Markers'));
  const words = new Set(
    keys
      .split(/[|\n]/)
      .flatMap((cell) => [cell.trim(), ...cell.split(','), ...cell.split(' ')])
      .map((word) => word.trim().replace(/^\*\*|\*\*$/g, '')),
  );
  words.add(/\| , \. \|/.test(keys) ? ',' : '');
  const missing = COMMANDS.filter(({ keys: [key] }) => key && !words.has(keyText(key))).map(
    ({ id, keys: [key] }) => `${id}: ${keyText(key)}`,
  );
  assert.deepEqual(missing, []);
});

test('the manual says which way a pair of keys goes', () => {
  const manual = readFileSync(new URL('../../../docs/page.md', import.meta.url), 'utf8');
  const [, first, second] = manual.match(/\| Page ↑, Page ↓, End \| (\w+) and (\w+) lines, live \|/) ?? [];
  const idOf = (key) => COMMANDS.find(({ keys }) => keys.includes(key)).id;
  const words = { earlier: 'older', later: 'newer' };
  assert.deepEqual([first, second], [words[idOf('PageUp')], words[idOf('PageDown')]]);
});
