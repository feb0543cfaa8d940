// commit_msg.test.mjs - script/commit-msg holds the rules that CONTRIBUTING.md has for messages of commits.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { documents, root } from './documents.mjs';

if (spawnSync('git', ['--version']).error) {
  console.log('SKIPPED: git is missing');
  process.exit(77);
}

const script = join(root, 'script/commit-msg');
const folder = mkdtempSync(join(tmpdir(), 'fftd-commit-msg-'));
after(() => rmSync(folder, { recursive: true }));

const env = {
  ...process.env,
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
};
for (const name of Object.keys(env)) if (/^GIT_(DIR|WORK_TREE|INDEX_FILE)$/.test(name)) delete env[name];
const git = (...words) => execFileSync('git', words, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).trim();
git('init', '--quiet', '--initial-branch=main');

/** The faults that the script prints; [] if it takes the message. */
function faultsOf(message) {
  writeFileSync(join(folder, 'message'), message);
  const { status, stdout, stderr } = spawnSync(script, ['message'], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(stderr, '');
  const lines = stdout.split('\n').filter((line) => line.startsWith('commit message: '));
  assert.equal(status, lines.length > 0 ? 1 : 0, stdout);
  return lines.map((line) => line.slice('commit message: '.length));
}

const taken = 'iq_ring: count skipped samples by reader\n\nA slow reader was blamed for a fast one.\n';

test('a message of the form is taken', () => {
  assert.deepEqual(faultsOf(taken), []);
  assert.deepEqual(faultsOf('archive: keep ages'), []);
  assert.deepEqual(faultsOf('Name the radio\n'), []);
});

test('a line has at most 72 columns, counted in characters', () => {
  assert.deepEqual(faultsOf(`${'a'.repeat(72)}\n\n${'\u00e4'.repeat(72)}\n`), []);
  assert.deepEqual(faultsOf(`${'a'.repeat(73)}\n`), ['line 1 has 73 columns, more than 72']);
  assert.deepEqual(faultsOf(`${taken}${'\u00e4'.repeat(73)}\n`), ['line 4 has 73 columns, more than 72']);
});

test('a blank line follows the subject', () => {
  assert.deepEqual(faultsOf('ring: count\nThe reason.\n'), ['the second line is not blank']);
});

test('the subject begins with an imperative and has no full stop', () => {
  for (const word of ['counts', 'counted', 'counting', 'rows', 'Counts'])
    assert.deepEqual(faultsOf(`ring: ${word} x\n`), [`the subject does not begin with an imperative: "${word}"`]);
  for (const word of ['need', 'feed', 'exceed', 'bring', 'pass', 'compress', 'string', 'focus'])
    assert.deepEqual(faultsOf(`ring: ${word} x\n`), [], word);
  assert.deepEqual(faultsOf('ring: count x.\n'), ['the subject ends with a full stop']);
});

test('comments and what follows the scissors do not count', () => {
  const scissors = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;
  assert.deepEqual(faultsOf(`${taken}# ${'x'.repeat(100)}\n${scissors}\ndiff ${'x'.repeat(100)}\n`), []);
  assert.deepEqual(faultsOf('# a comment\n'), ['there is no subject']);
});

test('as a hook it keeps a commit back, and lets one of the form through', () => {
  assert.ok(documents.get('CONTRIBUTING.md').text.includes('"$(git rev-parse --git-path hooks)/commit-msg"'));
  symlinkSync(script, join(folder, git('rev-parse', '--git-path', 'hooks'), 'commit-msg'));
  const commit = (message) =>
    spawnSync('git', ['commit', '--quiet', '--allow-empty', '-m', message], { cwd: folder, env });
  assert.notEqual(commit('counted').status, 0);
  assert.equal(commit('count').status, 0);
  assert.equal(git('log', '--format=%s'), 'count');
});

test('a range names each commit with a fault, and merges', () => {
  git('commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'ring: counted\n\nWhy.');
  const bad = git('rev-parse', 'HEAD').slice(0, 12);
  git('switch', '--quiet', '--create', 'side', 'HEAD~1');
  git('commit', '--quiet', '--allow-empty', '-m', 'ring: count more\n\nWhy.');
  const check = (range) => spawnSync(script, [range], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(check('main~1..side').status, 0);
  assert.equal(check('main~1..side').stdout, '');
  git('merge', '--quiet', '--no-verify', '-m', 'ring: join the sides', 'main');
  const merge = git('rev-parse', 'HEAD').slice(0, 12);
  const { status, stdout } = check('main~1..side');
  assert.equal(status, 1);
  assert.deepEqual(stdout.trim().split('\n'), [
    `${bad}: the subject does not begin with an imperative: "counted"`,
    `${merge}: a merge commit: rebase instead`,
  ]);
  assert.equal(check('nosuch..side').status, 2);
});

test('the hook refuses to conclude a merge', () => {
  git('switch', '--quiet', '--create', 'third', 'main~1');
  git('commit', '--quiet', '--allow-empty', '-m', 'ring: count less');
  const merge = spawnSync('git', ['merge', '-m', 'ring: join the sides', 'main'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  assert.notEqual(merge.status, 0);
  assert.match(merge.stdout + merge.stderr, /a merge commit: rebase instead/);
});

test('the newest commits of this tree keep to it', (t) => {
  const here = (...words) => spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' });
  const first = here('log', '--diff-filter=A', '--format=%H', '--', 'script/commit-msg')
    .stdout?.trim()
    .split('\n')
    .at(-1);
  const commits = first ? here('rev-list', '--max-count=100', `${first}..HEAD`).stdout.trim().split('\n') : [];
  if (!commits.at(-1)) return t.skip('no git, or too little of its history');
  const { status, stdout } = spawnSync(script, [`${commits.at(-1)}~1..HEAD`], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
