// radio.mjs - runs the daemon on the test radio (siggen.cpp) and changes the faults of the radio.
// SIGGEN_MODULES is the directory of the module.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, scratch } from '../fftd.mjs';

const PATIENCE_MS = 60000; // only a broken daemon takes this long

function fetchJson(socketPath, path) {
  return new Promise((resolve, reject) => {
    const ask = request({ socketPath, path, headers: { host: 'localhost' } }, (answer) => {
      let text = '';
      answer.on('data', (data) => {
        text += data;
      });
      answer.on('end', () => {
        try {
          resolve(JSON.parse(text));
        } catch {
          reject(new Error(text));
        }
      });
    });
    ask.on('error', reject);
    ask.end();
  });
}

/** A directory with the fault file, and the environment with which SoapySDR finds the radio. */
export function testRadio(t) {
  const folder = scratch(t),
    control = join(folder, 'faults');
  const faults = (text) => {
    // as siggen.hpp; replaced in one step
    writeFileSync(`${control}.new`, text);
    renameSync(`${control}.new`, control);
  };
  faults('');
  const env = { ...process.env, SOAPY_SDR_PLUGIN_PATH: process.env.SIGGEN_MODULES, FFTDTEST_CONTROL: control };
  return { folder, faults, env };
}

/** The daemon, running. */
export class Daemon {
  constructor(t, radio, args) {
    this.socket = join(radio.folder, 'http');
    this.statsFile = join(radio.folder, 'stats');
    this.stderr = '';
    this.child = spawn(binary, ['--listen', `unix:${this.socket}`, '--stats', this.statsFile, ...args], {
      env: radio.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr.on('data', (data) => {
      this.stderr += data;
    });
    this.closed = once(this.child, 'close');
    t.after(() => this.child.kill('SIGKILL'));
  }

  get running() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits for a status that matches. */
  async until(what, pleases) {
    const end = Date.now() + PATIENCE_MS;
    let status = null;
    while (Date.now() < end && this.running) {
      status = await fetchJson(this.socket, '/api/v1/status').catch(() => status);
      if (status && pleases(status)) return status;
      await sleep(50);
    }
    throw new Error(`never ${what}: ${JSON.stringify(status)}\n${this.stderr}`);
  }

  /** Waits until it has seen this many more samples. */
  async sees(samples) {
    const { ledger } = await this.until('running', (s) => s.state === 'running');
    return this.until('fed', (s) => s.ledger.seen >= ledger.seen + samples);
  }

  /** Its exit status. */
  async exit() {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE_MS);
    const [code, signal] = await this.closed;
    clearTimeout(timer);
    return code ?? signal;
  }

  /** Stops it as systemd does. Returns the ledger of its --stats. */
  async stop() {
    this.child.kill('SIGTERM');
    const code = await this.exit();
    if (code !== 0) throw new Error(`ended with ${code}\n${this.stderr}`);
    return this.stats();
  }

  stats() {
    return JSON.parse(readFileSync(this.statsFile, 'utf8'));
  }
}

/** Samples lost, all causes. */
export const lostOf = (ledger) => Object.values(ledger.lost).reduce((sum, lost) => sum + lost, 0);
