// sanitizer.mjs - puts the report of a sanitizer into one line: what it found, and the innermost frames of each stack.
//
//     node sanitizer.mjs STEP REPORT...
//
// Prints "failed<TAB>STEP: sanitizer report NAME: WHAT: FRAME < FRAME < FRAME; FRAME < ..." for each file that
// is not empty.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const FRAMES = 3,
  STACKS = 3;

/** The innermost frames that name our own or another program's function, without addresses. @param {string[]} lines */
const stackText = (lines) =>
  lines
    .map((line) => line.match(/^\s*#\d+ (?:0x[0-9a-f]+ (?:in )?)?(.*)$/)?.[1] ?? '')
    .filter((frame) => frame && !/libsanitizer/.test(frame))
    .slice(0, FRAMES)
    .map((frame) =>
      frame
        .replace(/\s*\(BuildId: .*\)/, '')
        .replace(/(?:\.\.\/)+/, '')
        .replace('<null> <null> ', ''),
    )
    .join(' < ');

/** @param {string} text  of one report */
function describe(text) {
  const what =
    text.match(/(?:WARNING|ERROR): \w+: (.*)/)?.[1]
    ?? text.match(/.*runtime error: .*/)?.[0]
    ?? text.split('\n').find((line) => line.trim())
    ?? '';
  const stacks = text
    .split(/\n\s*\n/)
    .map((part) => stackText(part.split('\n').filter((line) => /^\s*#\d+ /.test(line))))
    .filter(Boolean);
  return [what.slice(0, 120), stacks.slice(0, STACKS).join('; ')].filter(Boolean).join(': ');
}

const [step, ...files] = process.argv.slice(2);
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  if (text.trim()) console.log(`failed\t${step}: sanitizer report ${basename(file)}: ${describe(text)}`);
}
