// disk_rate.test.mjs - 61.44 MS/s of cs16 into the disk ring: every sample is on the disk, or is counted and reported as lost.
//
// A short run at a low rate is part of every test run. With FFTD_FULL, ten minutes at 61.44 MS/s write 147 GB into a ring of 4 GB;
// what the disk and the machine do not take is printed, not refused.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lostSamples, scratch, serve, until } from '../support/fftd.mjs';

const reader = join(dirname(fileURLToPath(import.meta.url)), '../support/record/check_recording.py');
const full = Boolean(process.env.FFTD_FULL);
const RATE = full ? 61.44e6 : 1e6,
  SECONDS = full ? Number(process.env.FFTD_DISK_SECONDS ?? 600) : 2,
  BYTES = full ? '4G' : '64M';

test(
  `${SECONDS} s at ${RATE / 1e6} MS/s are on the disk or counted`,
  { timeout: (SECONDS + 240) * 1000 },
  async (t) => {
    const folder = scratch(t),
      daemon = await serve(t, [
        '--source',
        'sim',
        '--device',
        'scene=counter',
        '--format',
        'cs16',
        '--rate',
        `${RATE}`,
        '--center',
        '433.92M',
        '--fft-size',
        '4096',
        '--overlap',
        '0',
        '--line-rate',
        '20',
        '--record',
        folder,
        '--iq-history',
        BYTES,
      ]);
    const end = Date.now() + SECONDS * 1000;
    let state;
    do {
      await new Promise((done) => {
        setTimeout(done, 200);
      });
      const status = await daemon.status();
      state = { ...status.iq_history, ledger: status.ledger };
      // what is between the source and the ring is at most a second of samples, in the IQ ring
      const missing = state.ledger.produced - lostSamples(state.ledger) - state.written - state.overrun - state.failed;
      assert.ok(missing > -RATE && missing < 2 * RATE, `${missing} samples are nowhere: ${JSON.stringify(state)}`);
    } while (Date.now() < end || state.written < RATE);
    const lost = state.overrun + state.failed + lostSamples(state.ledger);
    t.diagnostic(
      `${((4 * state.written) / 1e6 / SECONDS).toFixed(0)} MB/s to the disk; lost ${lost} of ${state.ledger.produced} samples`,
    );
    assert.equal(state.overrun > 0, /disk ring|iq-history/.test(daemon.stderr.replace(/serving.*/, '')), daemon.stderr);
    // Samples carry their number: those of the ring are in order, and gaps are captures of their own.
    const answer = await (
      await fetch(`${daemon.url}api/v1/recordings?pre=0.5&duration=0.1`, { method: 'POST' })
    ).json();
    const { id } = answer;
    const info = await until('its end', async () => {
      const now = await (await fetch(`${daemon.url}api/v1/recordings/${id}`)).json();
      return now.state !== 'running' && now;
    });
    const found = JSON.parse(
      execFileSync('python3', [reader, join(folder, info.name), '--counter'], { encoding: 'utf8' }),
    );
    assert.equal(found.samples, info.samples);
    assert.ok(info.samples > 0);
  },
);
