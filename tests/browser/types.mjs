// Checks the page's JSDoc types with tsc; exits 77 (skipped) if typescript is not installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
if (!existsSync(tsc)) {
  console.log('skipped: typescript is missing (npm ci in tests/)');
  process.exit(77);
}
const project = fileURLToPath(new URL('../../web/tsconfig.json', import.meta.url));
process.exit(spawnSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' }).status ?? 1);
