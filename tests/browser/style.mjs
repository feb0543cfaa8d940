// Checks the JavaScript of the page and of the tests with ESLint, and the layout of all JavaScript with Prettier; exits
// 77 (skipped) if they are not installed.
//
//     node tests/browser/style.mjs            checks
//     node tests/browser/style.mjs --write    brings all JavaScript into the layout of web/.prettierrc.json
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WIDTH = 120;
const LAYOUT = ['--config', 'web/.prettierrc.json', '--log-level', 'warn'];
const ALL = ['web/**/*.js', 'tests/**/*.mjs', 'script/**/*.mjs', 'studies/**/*.mjs', 'tools/**/*.mjs'];
const write = process.argv.includes('--write');
const root = fileURLToPath(new URL('../../', import.meta.url));
const tools = {
  eslint: ['eslint/bin/eslint.js', '--config', 'web/eslint.config.js', 'web', 'tests'],
  prettier: ['prettier/bin/prettier.cjs', ...LAYOUT, write ? '--write' : '--check', ...ALL],
};
if (write) delete tools.eslint;
const failed = [];

for (const [name, [path, ...args]] of Object.entries(tools)) {
  const program = `${root}tests/node_modules/${path}`;
  if (!existsSync(program)) {
    console.log(`skipped: ${name} is missing (npm ci in tests/)`);
    process.exit(77);
  }
  if (spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' }).status !== 0) failed.push(name);
}
if (write) process.exit(failed.length > 0 ? 1 : 0);

for (const folder of ['web', 'tests/browser'])
  for (const name of readdirSync(root + folder, { recursive: true })) {
    if (!/\.(m?js|css|html)$/.test(name)) continue;
    readFileSync(`${root}${folder}/${name}`, 'utf8')
      .split('\n')
      .forEach((line, i) => {
        const problem =
          [...line].length > WIDTH
            ? `more than ${WIDTH} columns`
            : /\btest\(\s*['`][a-z0-9]+_[a-z0-9]+_/.test(line)
              ? 'the name of a test is a sentence with blanks'
              : '';
        if (!problem) return;
        console.log(`${folder}/${name}:${i + 1}: ${problem}`);
        failed.push(problem);
      });
  }

process.exit(failed.length > 0 ? 1 : 0);
