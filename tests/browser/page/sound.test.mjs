// What Chromium makes of the audio of the real daemon: an <audio> element plays it, and Ogg/Opus has the tone that was
// sent.
import assert from 'node:assert/strict';
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { encode } from '../../support/signal.mjs';
import { launch, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';

const RATE = 240e3,
  TONE = 1000,
  DEVIATION = 3000;
const RATED_DB = -3 + 20 * Math.log10(DEVIATION / 5000); // 5 kHz are -3 dBFS

let browser, folder;
before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), 'fftd-sound-'));
  writeFileSync(
    join(folder, 'station.cs16'),
    encode('cs16', RATE, (i) => {
      const t = i / RATE,
        angle = 2 * Math.PI * ((25e3 * t) % 1) + (DEVIATION / TONE) * Math.sin(2 * Math.PI * TONE * t);
      return [0.25 * Math.cos(angle), 0.25 * Math.sin(angle)];
    }),
  );
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Runs use(page) on the page of an fftd that repeats a second of a station at 145.525 MHz. */
function withStation(name, use) {
  test(name, { timeout: 120000 }, async () => {
    const replay = ['--replay', join(folder, 'station.cs16'), '--rate', `${RATE}`, '--center', '145.5M', '--loop'];
    const daemon = await startDaemon(replay);
    try {
      await withPage(browser, daemon.url, use, {});
    } finally {
      await daemon.stop();
    }
  });
}

const PATH = 'api/v1/channel-stream?center_hz=145.525M&mode=nfm';

for (const format of ['wav', 'ogg'])
  withStation(`an audio element plays ${format} while it comes`, async (page) => {
    const played = await page.evaluate(async (path) => {
      const audio = new Audio(path);
      audio.muted = true; // as a page may start one without a click
      await audio.play();
      while (audio.currentTime < 1)
        await new Promise((done) => {
          setTimeout(done, 50);
        });
      const { currentTime, ended, error } = audio;
      audio.src = '';
      return { currentTime, ended, error };
    }, `${PATH}&format=${format}`);
    assert.ok(played.currentTime >= 1 && !played.ended && !played.error, JSON.stringify(played));
  });

for (const rate of [24e3, 48e3])
  withStation(`the opus of ogg at ${rate / 1e3} kHz is the tone, at its level and without a gap`, async (page) => {
    const { hz, rms, lowest, seconds, frames } = await page.evaluate(async (path) => {
      const reader = (await fetch(path)).body.getReader(),
        parts = [];
      for (let have = 0; have < 12000;) {
        const { value } = await reader.read();
        parts.push(value);
        have += value.length;
      }
      reader.cancel();
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      let packets = -2; // without the two heads
      const textAt = (i) => String.fromCharCode(...bytes.subarray(i, i + 4));
      for (let i = 0; i + 4 <= bytes.length; i++) packets += textAt(i) === 'OggS' ? 1 : 0;
      const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes.buffer);
      const x = sound.getChannelData(0).subarray(24000),
        up = [];
      for (let i = 1; i < x.length; i++) if (x[i - 1] < 0 && x[i] >= 0) up.push(i - x[i] / (x[i] - x[i - 1]));
      const power = (from, to) => x.subarray(from, to).reduce((sum, value) => sum + value * value, 0) / (to - from);
      let low = Infinity;
      for (let from = 0; from + 480 <= x.length; from += 480) low = Math.min(low, power(from, from + 480));
      return {
        hz: (48000 * (up.length - 1)) / (up.at(-1) - up[0]),
        rms: Math.sqrt(power(0, x.length)),
        lowest: Math.sqrt(low),
        seconds: sound.duration,
        frames: packets,
      };
    }, `${PATH}&format=ogg&audio_rate_hz=${rate}`);
    assert.ok(Math.abs(hz - TONE) < 0.1, `${hz} Hz`);
    const levelDb = 20 * Math.log10(rms * Math.SQRT2);
    assert.ok(Math.abs(levelDb - RATED_DB) < 0.2, `${levelDb} dBFS`);
    assert.ok(lowest > 0.9 * rms, 'no 10 ms are quieter');
    const least = frames / 50 - 0.08 - 0.041; // less 80 ms, and the last two pages
    assert.ok(seconds <= frames / 50 - 0.08 + 1e-9 && seconds > least, `${frames} pages, ${seconds} s`);
  });
