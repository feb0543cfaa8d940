// options.test.mjs - every option that a document or a man page names exists.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { documents, root } from './documents.mjs';

const optionsIn = (text) => [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name]) => name);
const helpOf = (program) => new Set(optionsIn(execFileSync(program, ['--help'], { encoding: 'utf8' })));

const known = {
  fftd: helpOf(process.env.FFTD),
  'fft-bench': helpOf(process.env.FFT_BENCH),
  'fft-image': helpOf(process.env.FFT_IMAGE),
  'fft-study': helpOf(process.env.FFT_STUDY),
};
for (const options of Object.values(known)) options.add('help');
/** The commands of fftd, and the options that each of them stands for. */
const commands = execFileSync(process.env.FFTD, ['help'], { encoding: 'utf8' })
  .split('\n\n')
  .find((part) => part.startsWith('Commands'))
  .match(/^ {2}[a-z][a-z-]*/gm)
  .map((name) => name.trim());
for (const name of commands)
  for (const option of optionsIn(execFileSync(process.env.FFTD, ['help', name], { encoding: 'utf8' })))
    known.fftd.add(option);

/** Programs with options of their own. */
const others =
  /^([A-Z_\d]+=\S+ )*(sudo |until |\w+\(\) \{ )?(compute-sanitizer|curl|git|ln|node tests|cmake|ctest|systemctl|cc|udevadm|npm|dump1090-mutability|script\/test|script\/bench|script\/package|script\/release|apt|pkg-config|(\S*\/)?(test_config_docs|test_choices|test_measure_docs|qpu-asm))\b/;

/** The options that a piece of code may use. */
function allowedIn(code) {
  const command = code.trim().split(/\s/)[0].split('/').pop();
  if (command === 'fftd') return known.fftd;
  if (command === 'server') return new Set([...known.fftd, 'demo-hub']);
  if (command === 'fft-bench' && / -- /.test(code)) return new Set([...known[command], ...known.fftd]);
  if (command in known) return known[command];
  return new Set(Object.values(known).flatMap((options) => [...options]));
}

/** A shell's commands, one each: lines that go on are joined, pipes and lists taken apart. */
const commandsOf = (code) =>
  code
    .replace(/\\\n/g, ' ')
    .split(/\n|\||&&|;/)
    .map((part) => part.trim());

function unknownIn(code) {
  return commandsOf(code)
    .filter((command) => !others.test(command))
    .flatMap((command) => optionsIn(command).filter((name) => !allowedIn(command).has(name)));
}

test('the programs name their options', () => {
  assert.deepEqual(commands.filter((name) => /^(cut|repair|survey|hub|list)$/.test(name)).length, 5);
  assert.ok(known.fftd.has('cut') && known.fftd.has('list-devices'));
  assert.ok(known.fftd.has('replay') && known.fftd.has('check-config'));
  assert.ok(known['fft-bench'].has('explain') && known['fft-bench'].has('vs'));
});

for (const [name, document] of documents) {
  test(`every option in ${name} exists`, () => {
    const pieces = [...document.spans, ...document.fences.filter(({ language }) => /^(sh)?$/.test(language))];
    const unknown = pieces.flatMap(({ code, line }) => unknownIn(code).map((option) => [line, option]));
    assert.deepEqual(unknown, []);
  });
}

test('an option that does not exist is found', () => {
  assert.deepEqual(unknownIn('fftd --nosuch'), ['nosuch']);
  assert.deepEqual(unknownIn('fft-bench --replay x'), ['replay']);
  assert.deepEqual(unknownIn('fft-bench daemon --n 1K -- --replay x --nosuch'), ['nosuch']);
  assert.deepEqual(unknownIn('fft-study gpu-fft --center 1M'), ['center']);
  assert.deepEqual(unknownIn('`--raet`'), ['raet']);
  assert.deepEqual(unknownIn('cmake --install build'), []);
});

test('fftd(1) names the options that may be repeated, and no other', () => {
  const text = readFileSync(join(root, 'man/fftd.1.scd.in'), 'utf8').replace(/\s+/g, ' ');
  const [, list] = text.match(/switches it off\. ([^.]*) may be repeated/) ?? [];
  const help = execFileSync(process.env.FFTD, ['--help'], { encoding: 'utf8' }).split(/\n(?= {2}(?:-|    --))/);
  const repeated = help.filter((row) => /may be\s+repeated/.test(row)).map((row) => row.match(/--[a-z-]+/)[0]);
  assert.deepEqual([...list.matchAll(/\*(-[-a-z]+)\*/g)].map(([, name]) => name).sort(), [...repeated, '-o'].sort());
});

for (const [page, program] of [
  ['fftd.1', 'fftd'],
  ['fftd.conf.5', 'fftd'],
  ['fft-bench.1', 'fft-bench'],
]) {
  test(`every option in the man page ${page} exists`, () => {
    const text = readFileSync(join(root, 'man', `${page}.scd.in`), 'utf8');
    const named = [
      ...text
        .split('\n')
        .filter((line) => !line.includes('fftd --list-engines'))
        .join('\n')
        .matchAll(/\*--([a-z][a-z-]*)/g),
    ].map(([, name]) => name);
    const unknown = named.filter((name) => !known[program].has(name));
    assert.deepEqual(unknown, []);
    const examples = text.split('```').filter((_, i) => i % 2 === 1);
    assert.deepEqual(examples.flatMap(unknownIn), []);
  });
}
