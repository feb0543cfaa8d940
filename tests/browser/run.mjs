// Runs test files with node's runner; exits 77 (skipped) if something that they need is not installed.
//
//     node run.mjs [--needs-packages] [--needs-chromium] [--needs-daemon] file...
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CHROMIUM } from './chromium.mjs';

const modules = new URL('../node_modules/', import.meta.url);
const missing = {
  '--needs-packages': () =>
    ['ws', 'playwright-core', 'axe-core'].some((name) => !existsSync(new URL(name, modules)))
    && 'node_modules (npm ci in tests/)',
  '--needs-chromium': () => !existsSync(CHROMIUM) && 'chromium',
  '--needs-daemon': () => !existsSync(process.env.FFTD ?? '') && 'fftd ($FFTD)',
};

const files = process.argv.slice(2).filter((argument) => !(argument in missing));
for (const need of process.argv.slice(2).filter((argument) => argument in missing)) {
  const what = missing[need]();
  if (!what) continue;
  console.log(`skipped: ${what} is missing`);
  process.exit(77);
}
if (files.length === 0) {
  console.error('run.mjs: no test files given');
  process.exit(1);
}
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
