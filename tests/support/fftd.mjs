// fftd.mjs - runs the daemon in tests. FFTD is the path of the binary, FFTD_IQ_DIR the folder of recordings.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const binary = process.env.FFTD ?? 'build/dev/daemon/fftd';

/**
 * How many times slower fftd is here than its dev build on an idle desktop. script/test measures the machine;
 * the presets of the sanitizers say how much slower these are (CMakePresets.json).
 */
export const slowness = Number(process.env.FFTD_TIMEOUT_SCALE ?? 1) * Number(process.env.FFTD_TEST_SLOWER ?? 1);

/** Path of a recording, or null if it is missing. */
export function recording(name) {
  const path = process.env.FFTD_IQ_DIR && join(process.env.FFTD_IQ_DIR, name);
  return path && existsSync(path) ? path : null;
}

const folders = [];
process.on('exit', () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** A directory that is removed when all tests have ended: a daemon of the test may write to it until then. */
export function scratch() {
  const path = mkdtempSync(join(tmpdir(), 'fftd-test-'));
  folders.push(path);
  return path;
}

/**
 * Runs fftd until it exits.
 * @param {string[]} args
 * @param {{input?: Buffer, timeout?: number, wrap?: string[], env?: NodeJS.ProcessEnv}} [options] timeout in ms; wrap: a command that runs it
 * @returns {Promise<{code: number, stdout: Buffer, stderr: string}>}
 */
export function run(args, options = {}) {
  const [command, ...all] = [...(options.wrap ?? []), binary, ...args];
  const child = spawn(command, all, { stdio: ['pipe', 'pipe', 'pipe'], env: options.env });
  const out = [];
  let stderr = '';
  child.stdout.on('data', (data) => out.push(data));
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  child.stdin.on('error', () => {}); // fftd may close it early
  child.stdin.end(options.input);
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeout ?? 120000 * slowness);
  return new Promise((resolve) =>
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? `killed by ${signal}`, stdout: Buffer.concat(out), stderr });
    }),
  );
}

/** Date.parse has a resolution of milliseconds only. */
function secondsOf(day, time) {
  const [whole, fraction] = time.split('.');
  return Date.parse(`${day}T${whole}Z`) / 1000 + Number(`0.${fraction}`);
}

/**
 * Parses CSV rows.
 * @returns {{time: string, seconds: number, low: number, high: number, step: number,
 *            samples: number, levels: Float64Array}[]}
 */
export function parseCsv(bytes) {
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [day, time, ...rest] = row.split(', ');
      const [low, high, step, samples, ...levels] = rest.map(Number);
      return {
        time: `${day}T${time}Z`,
        seconds: secondsOf(day, time),
        low,
        high,
        step,
        samples,
        levels: Float64Array.from(levels),
      };
    });
}

/** Frequency of a bin, Hz from the centre. */
export const offsetOf = (row, bin) => row.low + bin * row.step - (row.low + row.high) / 2;

/** The bin with the highest level in [from, to) Hz from the centre. */
export function strongest(row, levels = row.levels, from = -Infinity, to = Infinity) {
  let best = -1;
  levels.forEach((level, bin) => {
    const offset = offsetOf(row, bin);
    if (offset >= from && offset < to && (best < 0 || level > levels[best])) best = bin;
  });
  return best;
}

/** The mean power of each bin over all rows, in dB. */
export function meanLevels(rows) {
  const sum = new Float64Array(rows[0].levels.length);
  for (const row of rows)
    row.levels.forEach((level, k) => {
      sum[k] += 10 ** (level / 10);
    });
  return sum.map((power) => 10 * Math.log10(power / rows.length));
}

/** Waits until `condition()` is true and returns its value. Fails after a limit that only a hang reaches. */
export async function until(what, condition) {
  for (const end = Date.now() + 60000 * slowness; Date.now() < end;) {
    const got = await condition();
    if (got) return got;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  throw new Error(`never: ${what}`);
}

const plainFetch = globalThis.fetch,
  answered = new Map();

/**
 * fetch, but fftd closes a connection that is idle for 5 s, and a test that stood still for as long learns it by the failure of
 * its next request on it alone: that one is made again, once.
 */
globalThis.fetch = async (resource, init) => {
  const { origin } = new URL(resource.url ?? resource),
    idle = performance.now() - answered.get(origin); // NaN: no connection is kept
  try {
    return await plainFetch(resource, init);
  } catch (error) {
    if (!(idle > 4000) || error.cause?.code !== 'UND_ERR_SOCKET') throw error;
    return await plainFetch(resource, init);
  } finally {
    answered.set(origin, performance.now());
  }
};

/** What an answer to a change says: "done", or why not. @param {number} status @param {string} text */
export const outcome = (status, text) => (status < 400 ? 'done' : JSON.parse(text).error);

/**
 * Changes something with PUT, or another method: the status, and what the answer says.
 * @param {{url: string}} daemon @param {string} path  below /api/v1/ @param {RequestInit} [init]
 * @returns {Promise<[number, string]>}
 */
export async function change({ url }, path, init) {
  const answer = await fetch(`${url}api/v1/${path}`, { method: 'PUT', ...init });
  return [answer.status, outcome(answer.status, await answer.text())];
}

/** The --stats of a run, after a check that every sample is seen or lost. */
export function readStats(path) {
  const stats = JSON.parse(readFileSync(path, 'utf8'));
  const lost = Object.values(stats.lost).reduce((sum, samples) => sum + samples, 0);
  if (stats.produced !== stats.seen + lost) throw new Error(`not conserved: ${JSON.stringify(stats)}`);
  return stats;
}

/**
 * Starts fftd with a server on a free port and waits until it serves. The end of the test stops it.
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 * @param {{wrap?: string[], address?: string}} [options] wrap: as for run; address: where it listens
 */
export async function serve(t, args, { wrap = [], address = '127.0.0.1' } = {}) {
  const [command, ...all] = [...wrap, binary, ...args, '--listen', `${address}:0`];
  const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  const daemon = { pid: child.pid, stderr: '', url: '', child };
  const exited = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      daemon.stderr += data;
      daemon.url = daemon.stderr.match(/serving (https?:\/\/[^\s,]+)/)?.[1] ?? '';
      if (daemon.url) resolve();
    });
    child.on('close', () => reject(new Error(`fftd ended: ${daemon.stderr}`)));
  });
  /** Stops it as systemd does. Returns the exit status. */
  daemon.stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  daemon.status = async () => (await fetch(`${daemon.url}api/v1/status`)).json();
  t.after(daemon.stop);
  return daemon;
}

/** CPU time that a process has used, in seconds. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory of a process, in bytes. */
export const residentBytes = (pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;

/** Samples lost, without the tail at the end. */
export const lostSamples = ({ lost }) =>
  Object.entries(lost).reduce((sum, [cause, n]) => sum + (cause === 'tail' ? 0 : n), 0);
