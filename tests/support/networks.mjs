// networks.mjs - a test in a network of its own, and a second one behind a cable that can be pulled.

import { spawn, spawnSync } from 'node:child_process';

const own = 'FFTD_OWN_NETWORK';
export const NEAR = '10.77.0.1',
  FAR = '10.77.0.2';

/** Runs this program again in a new network, or skips it where that is not allowed. Returns only there. */
export function enterOwnNetwork() {
  if (process.env[own]) return;
  const unshare = ['--user', '--map-root-user', '--net'];
  const probe = spawnSync('unshare', [...unshare, 'ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far']);
  if (probe.error || probe.status !== 0) {
    console.log(`skipped: no network of its own: ${probe.error?.message ?? probe.stderr}`);
    process.exit(77);
  }
  const { status } = spawnSync(
    'unshare',
    [...unshare, process.execPath, '--test-reporter=tap', ...process.argv.slice(1)],
    { stdio: 'inherit', env: { ...process.env, [own]: '1' } },
  );
  process.exit(status ?? 1);
}

const tool = (command, ...args) => {
  const { status, stderr, error } = spawnSync(command, args);
  return error?.message ?? (status === 0 ? null : stderr.toString().trim());
};
const must = (...command) => {
  const fault = tool(...command);
  if (fault) throw new Error(`${command.join(' ')}: ${fault}`);
};

/**
 * A second network, NEAR here and FAR there.
 * @param {import('node:test').TestContext} t
 */
export async function cable(t) {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo ready; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => {
    holder.stdout.once('data', resolve);
  });
  const there = ['nsenter', '--target', `${holder.pid}`, '--net'];
  const link = (name, ...args) => must('ip', 'link', 'set', name, ...args);
  must('ip', 'link', 'set', 'lo', 'up');
  must('ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', `${holder.pid}`);
  must('ip', 'address', 'add', `${NEAR}/24`, 'dev', 'near');
  must(...there, 'ip', 'address', 'add', `${FAR}/24`, 'dev', 'far');
  link('near', 'up');
  for (const name of ['lo', 'far']) must(...there, 'ip', 'link', 'set', name, 'up');
  t.after(() => {
    tool('ip', 'link', 'delete', 'near');
    holder.kill('SIGKILL');
  });
  return {
    /** A command before it runs it behind the cable. */
    there,
    /** What is sent vanishes without an error. */
    pull: () => link('near', 'down'),
    plug: () => link('near', 'up'),
    /** Sends what goes from there to here through a queueing discipline of tc. */
    shape: (...args) => must(...there, 'tc', 'qdisc', 'replace', 'dev', 'far', 'root', ...args),
    /** Packets that the discipline has lost. */
    dropped: () =>
      Number(
        spawnSync(there[0], [...there.slice(1), 'tc', '-s', 'qdisc', 'show', 'dev', 'far'])
          .stdout.toString()
          .match(/dropped (\d+)/)[1],
      ),
  };
}
