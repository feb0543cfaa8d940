// The real fftd for the tests: starts it, reads its address, and makes recordings of a known tone.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Starts fftd on a free port (or the one in args) and waits until it serves. With stdin = 'pipe' the caller feeds
 * `stdin`.
 */
export function startDaemon(args, stdin = 'ignore', program = process.env.FFTD) {
  const listen = args.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  const child = spawn(program, [...args, ...listen], { stdio: [stdin, 'ignore', 'pipe'] });
  let stderr = '';
  const ended = new Promise((done) => {
    child.on('exit', (code, signal) => done(code ?? signal));
  });
  const url = new Promise((found, failed) => {
    child.stderr.on('data', (text) => {
      stderr += text;
      const match = /serving (http:\/\/\S+)/.exec(stderr);
      if (match) found(match[1]);
    });
    child.on('error', failed);
    ended.then((code) => failed(new Error(`fftd ended with ${code}: ${stderr}`)));
  });
  const stop = async (signal = 'SIGINT') => {
    child.kill(signal);
    return ended;
  };
  return url.then((address) => ({ url: address, stop, stderr: () => stderr, stdin: child.stdin }));
}

/** Writes a value of -1 .. 1 as a part of a sample; full scale as in the daemon's formats. */
const WRITE = {
  cf32: { bytes: 4, put: (buffer, value, at) => buffer.writeFloatLE(value, at) },
  cs16: { bytes: 2, put: (buffer, value, at) => buffer.writeInt16LE(Math.round(value * 32768), at) },
};

/**
 * A second of a complex tone over faint noise. The file's name has rate and centre, in the style of rtl_433, unless
 * `name` is given.
 * @param {{ format: 'cf32' | 'cs16', centerHz: number, rateHz: number, toneHz: number, db: number, name?: string }}
 *   what  toneHz: from the centre
 */
export function makeRecording({ format, centerHz, rateHz, toneHz, db, name }) {
  const folder = mkdtempSync(join(tmpdir(), 'fftd-page-'));
  const file = join(folder, name ?? `tone_${centerHz / 1e6}M_${rateHz / 1e3}k.${format}`);
  const { bytes, put } = WRITE[format];
  const buffer = Buffer.alloc(rateHz * 2 * bytes);
  const amplitude = 10 ** (db / 20);
  let noise = 1;
  const next = () => {
    noise = (noise * 1664525 + 1013904223) >>> 0;
    return (noise / 2 ** 32 - 0.5) * 1e-3;
  };
  for (let i = 0; i < rateHz; i++) {
    const angle = (2 * Math.PI * ((i * toneHz) % rateHz)) / rateHz;
    put(buffer, amplitude * Math.cos(angle) + next(), 2 * i * bytes);
    put(buffer, amplitude * Math.sin(angle) + next(), (2 * i + 1) * bytes);
  }
  writeFileSync(file, buffer);
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
