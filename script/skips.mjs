// skips.mjs - reads the output of count.mjs and prints one line for each program and skip reason.
//
//     node skips.mjs RESULTS
//
// A program without its device skips every case for the same reason.

import { readFileSync } from 'node:fs';

const CASE = /^skipped\t([^:]+: [^:\s]+): .*?( \([^()]*(?:\([^()]*\)[^()]*)*\))?$/;

const groups = new Map();
for (const line of readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((l) => l.startsWith('skipped\t'))) {
  const [, program = line, why = ''] = line.match(CASE) ?? [];
  const key = `${program}\t${why}`;
  groups.set(key, [...(groups.get(key) ?? []), line.slice('skipped\t'.length)]);
}
for (const [key, lines] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [program, why] = key.split('\t');
  console.log(`skipped ${lines.length === 1 ? lines[0] : `${program}: ${lines.length} cases${why}`}`);
}
