// The daemon at real rates, with a browser's connection: no sample may be lost. `full` runs last a
// minute at 20 and 61.44 MS/s and tell what they cost; the short one belongs to every test run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, lostSamples, serve } from '../lib/fftd.mjs';

const { WebSocket } = await import('ws').catch(() => {
    console.log('skipped: node_modules is missing (npm ci in tests/)');
    process.exit(77);
});

/** A browser that draws every frame at once. */
async function watch(url) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'fftd.1');
    const seen = { frames: 0, lines: 0, close: () => socket.close() };
    socket.on('message', (data, binary) => {
        if (!binary) return;
        seen.frames++;
        seen.lines += data.readUInt32LE(24);
        socket.send('{"type":"credit","count":1}');
    });
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    socket.send('{"type":"view","id":1,"columns":1024,"trace":"max"}');
    return seen;
}

async function atRate(t, rate, seconds) {
    const daemon = await serve(t, ['--source', 'sim', '--rate', `${rate}`, '--fft-size', '4096',
        '--overlap', '50', '--line-rate', '20']);
    while ((await daemon.status()).ledger.lines < 5) await sleep(100);
    const browser = await watch(daemon.url);
    const cpu = cpuSeconds(daemon.pid), begin = await daemon.status(), from = browser.lines;
    await sleep(seconds * 1000);
    const used = cpuSeconds(daemon.pid) - cpu, { ledger, seconds: end } = await daemon.status();
    const lines = browser.lines - from, lasted = end - begin.seconds;
    browser.close();
    t.diagnostic(`${rate / 1e6} MS/s for ${lasted.toFixed(1)} s: ${lostSamples(ledger)} lost, `
        + `${(100 * used / lasted).toFixed(0)} % of a core, ${(lines / lasted).toFixed(1)} lines/s, `
        + `${browser.frames} frames`);
    assert.equal(lostSamples(ledger), 0);
    const made = ledger.produced - begin.ledger.produced;
    assert.ok(Math.abs(made / (rate * lasted) - 1) < 0.05, `${made} samples in ${lasted} s`);
    // The browser got every line, single or folded.
    assert.ok(lines > 19 * lasted - 5, `${lines} lines in ${lasted} s`);
}

const full = Boolean(process.env.FFTD_FULL);
const skip = full ? false : 'long: script/test --full';

test('2.4 MS/s for five seconds', { skip: full && 'short' }, (t) => atRate(t, 2.4e6, 5));
test('20 MS/s for a minute', { skip }, (t) => atRate(t, 20e6, 60));
test('61.44 MS/s for a minute', { skip }, (t) => atRate(t, 61.44e6, 60));
