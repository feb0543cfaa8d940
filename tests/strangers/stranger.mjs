// stranger.mjs - runs programs of other people on what fftd sends, without a change of either.

import { spawn, spawnSync } from 'node:child_process';
import { binary, slowness } from '../support/fftd.mjs';

/**
 * Options of a test that needs these programs: skipped where one is missing, with the package's name.
 * @param {Record<string, [string, string[]]>} programs by name: its Debian package, and arguments that print its version
 */
export function needs(programs) {
  const missing = Object.entries(programs).filter(
    ([name]) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  for (const [name, [, version]] of Object.entries(programs).filter(
    ([name]) => !missing.some(([other]) => other === name),
  )) {
    const { stdout, stderr } = spawnSync(name, version, { encoding: 'utf8', timeout: 20000 });
    console.log(
      `# ${name}: ${
        `${stdout}\n${stderr}`
          .split('\n')
          .find((line) => /\d\.\d/.test(line))
          ?.trim() ?? 'of an unknown version'
      }`,
    );
  }
  return missing.length > 0
    ? { skip: `not here: ${missing.map(([name, [pkg]]) => `${name} (${pkg})`).join(', ')}` }
    : {};
}

/** multimon-ng loses its place once a read ends in the middle of a sample, where curl may end a piece. */
export const MULTIMON = 'dd bs=4k iflag=fullblock status=none | multimon-ng -t raw -a AFSK1200 -';

/**
 * Runs a shell command, in which "$FFTD" is fftd, until it ends or `enough` of its output is there.
 * @param {string} command
 * @param {(text: string) => boolean} [enough]
 * @returns {Promise<string>} its standard output
 */
export function shell(command, enough = () => false) {
  const child = spawn('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, FFTD: binary },
  });
  let text = '';
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch {
      /* it has ended */
    }
  };
  const timer = setTimeout(stop, 120000 * slowness);
  return new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      text += data;
      if (enough(text)) stop();
    });
    child.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
