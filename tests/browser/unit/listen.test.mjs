// The sound of the page: levels, frequencies and gaps against formulas, with a sound card whose clock is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as listen from '../../../web/features/listen/listen.js';
import { Resampler, S16Reader, Sound } from '../../../web/features/listen/sound.js';

const RATE = 24000,
  SLOW = 4000;

/** A sound card: what was scheduled, on a clock of its own. */
class Card {
  constructor(sampleRate) {
    Object.assign(this, { sampleRate, currentTime: 0, played: [] });
  }

  createBuffer(channels, frames) {
    const data = Array.from({ length: channels }, () => new Float32Array(frames));
    return { getChannelData: (i) => data[i], length: frames, data };
  }

  createBufferSource() {
    const source = { buffer: null, connect() {}, start: (at) => this.played.push({ at, data: source.buffer.data }) };
    return source;
  }

  /** Frames that are missing between buffers, and those that lie over each other; [] if each begins at the last end. */
  get breaks() {
    const found = [];
    let end = null;
    for (const { at, data } of this.played) {
      const frame = at * this.sampleRate;
      if (end !== null && Math.abs(frame - end) > 1e-3) found.push(Math.round(frame - end));
      end = frame + data[0].length;
    }
    return found;
  }

  get samples() {
    return Float32Array.from(this.played.flatMap(({ data }) => [...data[0]]));
  }
}

const tone = (hz, amplitude, from, count, rate = RATE) =>
  Float32Array.from({ length: count }, (_, i) => amplitude * Math.sin((2 * Math.PI * hz * (from + i)) / rate));

/** Of a tone at hz: { amplitude, rest: the power of all else, dB against the tone }. Least squares. */
function fit(samples, hz, rate) {
  let [ss, cc, sc, xs, xc, xx] = [0, 0, 0, 0, 0, 0];
  samples.forEach((x, i) => {
    const s = Math.sin((2 * Math.PI * hz * i) / rate),
      c = Math.cos((2 * Math.PI * hz * i) / rate);
    ss += s * s;
    cc += c * c;
    sc += s * c;
    xs += x * s;
    xc += x * c;
    xx += x * x;
  });
  const det = ss * cc - sc * sc,
    a = (xs * cc - xc * sc) / det,
    b = (xc * ss - xs * sc) / det;
  const power = a * xs + b * xc;
  return { amplitude: Math.hypot(a, b), restDb: 10 * Math.log10(Math.max(1e-15, (xx - power) / power)) };
}

for (const [to, hz] of [
  [48000, 1000],
  [44100, 1000],
  [48000, 5000],
  [44100, 8000],
])
  test(`a tone of ${hz} Hz at 24 kS/s is the same tone at ${to} S/s in pieces of any size`, () => {
    const resampler = new Resampler(1, to / RATE),
      out = [];
    for (let from = 0, count = 1; from < 12000; from += count, count = ((count * 7) % 480) + 1)
      out.push(...resampler.run(tone(hz, 0.5, from, count), to / RATE)[0]);
    assert.ok(Math.abs(out.length - (12000 * to) / RATE) < 0.05 * to, String(out.length));
    const { amplitude, restDb } = fit(out.slice(2000), hz, to);
    assert.ok(Math.abs(20 * Math.log10(amplitude / 0.5)) < (hz > 6000 ? 0.5 : 0.05), String(amplitude));
    assert.ok(restDb < -60, `${restDb} dB beside the tone`);
  });

test('two channels stay apart', () => {
  const resampler = new Resampler(2, 2),
    frames = new Float32Array(4800);
  const left = tone(700, 0.5, 0, 2400);
  for (let i = 0; i < 2400; i++) frames[2 * i] = left[i];
  const [a, b] = resampler.run(frames, 2);
  assert.ok(fit(a.slice(100), 700, 48000).restDb < -60);
  assert.equal(Math.max(...b.map(Math.abs)), 0);
});

/** Ten minutes of a radio whose clock is `ppm` faster than the card's, in pieces that come `lateS` late at most. */
function play(ppm, seconds, lateS = 0) {
  const card = new Card(2 * SLOW),
    sound = new Sound(card, null, SLOW, 1),
    piece = 80;
  let random = 1;
  for (let from = 0; from < seconds * SLOW; from += piece) {
    random = (random * 48271) % 2147483647;
    const now = ((from + piece) / SLOW) * (1 - ppm * 1e-6) + (lateS * random) / 2147483647;
    card.currentTime = Math.max(card.currentTime, now);
    sound.push(tone(500, 0.5, from, piece, SLOW));
    if (card.played.length > 3000) card.played.splice(0, 1000);
  }
  return { card, sound };
}

for (const ppm of [150, -150, 0])
  test(`a clock that is ${ppm} ppm off makes no break in ten minutes`, () => {
    const { card, sound } = play(ppm, 600, 0.04);
    assert.equal(sound.underruns, 0);
    assert.equal(sound.droppedS, 0);
    assert.deepEqual(card.breaks, []);
    assert.ok(sound.aheadS > 0.08 && sound.aheadS < 0.22, `${sound.aheadS} s ahead`);
    const { samples } = card,
      steps = samples.slice(1).map((x, i) => Math.abs(x - samples[i]));
    const steepest = 0.5 * 2 * Math.sin((Math.PI * 500) / (2 * SLOW)); // of the tone, from frame to frame
    assert.ok(steps.reduce((a, b) => Math.max(a, b)) < 1.01 * steepest, 'no click');
  });

test('a pause of the network is one under-run and what comes too much is left out', () => {
  const card = new Card(48000),
    sound = new Sound(card, null, RATE, 1);
  const push = (count) => {
    for (let i = 0; i < count; i++) sound.push(tone(1000, 0.5, 480 * i, 480));
  };
  push(10);
  card.currentTime = 2;
  push(1);
  assert.equal(sound.underruns, 1);
  assert.equal(card.breaks.length, 1);
  push(100); // two seconds at once
  assert.ok(Math.abs(sound.aheadS - 0.6) < 0.05, `${sound.aheadS} s ahead`);
  assert.ok(Math.abs(sound.droppedS - 1.55) < 0.1, `${sound.droppedS} s left out`);
  assert.ok(Math.abs(sound.takeLevelDb() - 20 * Math.log10(0.5 / Math.SQRT2)) < 0.05);
  assert.equal(sound.takeLevelDb(), -Infinity);
});

test('samples of 16 bits are read across pieces of any size', () => {
  const reader = new S16Reader(2),
    bytes = new Uint8Array(Int16Array.from([1, -32768, 32767, 16384, -1, 0]).buffer);
  const got = [];
  for (const [from, to] of [
    [0, 3],
    [3, 3],
    [3, 4],
    [4, 11],
    [11, 12],
  ])
    got.push(...reader.read(bytes.slice(from, to)));
  assert.deepEqual(
    got,
    [1, -32768, 32767, 16384, -1, 0].map((x) => x / 32768),
  );
});

const tuned = (hz, mode = 'auto', widthHz = 0, squelchDb = 0) => ({ hz, mode, widthHz, squelchDb });

test('the usual mode is that of the band plan', () => {
  const modes = [
    [198e3, 'am'],
    [3.7e6, 'lsb'],
    [14.2e6, 'usb'],
    [9.5e6, 'am'],
    [98.5e6, 'wfm'],
    [121.5e6, 'am'],
    [145.5e6, 'nfm'],
    [446.00625e6, 'nfm'],
    [10.12e6, 'cw'],
  ];
  for (const [hz, mode] of modes) assert.equal(listen.usualMode(hz), mode, String(hz));
});

test('a pass band lies around its carrier or beside it and a drag changes one thing', () => {
  assert.deepEqual(listen.passBand(tuned(145.5e6)), { lowHz: 145.5e6 - 8e3, highHz: 145.5e6 + 8e3 });
  assert.deepEqual(listen.passBand(tuned(14.2e6)), { lowHz: 14.2e6 + 300, highHz: 14.2e6 + 2700 });
  assert.deepEqual(listen.passBand(tuned(3.7e6)), { lowHz: 3.7e6 - 2700, highHz: 3.7e6 - 300 });
  assert.equal(listen.dragged(tuned(145.5e6), 'middle', 12345, 1000).hz, 145.512e6);
  assert.equal(listen.dragged(tuned(145.5e6), 'high', 1000, 100).widthHz, 18e3);
  assert.equal(listen.dragged(tuned(145.5e6), 'low', 1000, 100).widthHz, 14e3);
  assert.equal(listen.dragged(tuned(14.2e6), 'high', 500, 100).widthHz, 2900);
  assert.equal(listen.dragged(tuned(14.2e6), 'low', 500, 100).hz, 14.2005e6, 'the carrier side moves it');
  assert.equal(listen.dragged(tuned(145.5e6), 'high', 1e6, 100).widthHz, 40e3, 'no wider than the mode takes');
  assert.equal(listen.withHz(tuned(145.5e6, 'auto', 9000), 98.5e6).widthHz, 0, 'another mode has its own width');
});

test('the address of the page keeps what is listened to', () => {
  for (const each of [tuned(145.5e6), tuned(14.2e6, 'cw', 250), tuned(98.5e6, 'wfm', 0, 6), tuned(-5e3, 'am')])
    assert.deepEqual(listen.readTuned(listen.tunedText(each)), each, listen.tunedText(each));
  for (const bad of ['', ':', 'x', '1:nonsense', '145500000:nfm:1', '145500000:nfm:1e9', '1:nfm::99', '1e99'])
    assert.equal(listen.readTuned(bad), undefined, bad);
});

test('the request for sound names mode and squelch', () => {
  const query = (one, rate) => Object.fromEntries(new URL(listen.soundUrl(one, rate), 'http://x').searchParams);
  assert.deepEqual(query(tuned(145.5e6, 'auto', 0, 6), 24000), {
    center_hz: '145.5M',
    mode: 'nfm',
    format: 's16',
    audio_rate_hz: '24000',
    squelch: '6',
  });
  assert.equal(query(tuned(98.5e6, 'wfm', 180e3), 48000).width_hz, '180000');
});

test('how far a channel is above the noise is that of the signal alone', async () => {
  const { carrierOf, snrOf, stateText } = await import('../../../web/features/listen/channels.js');
  const at = (level, noise) => snrOf({ level_dbfs: level, noise_dbfs: noise });
  assert.ok(Math.abs(at(-70, -80) - 9.542) < 0.01, 'ten parts of power, one of them noise');
  assert.ok(Math.abs(at(-80 + 3.0103, -80)) < 0.01, 'as much signal as noise');
  assert.ok(Number.isNaN(at(-70, null)) && Number.isNaN(at(null, null)));
  const channels = [{ name: 'tower', center_hz: 145.5e6 }, { center_hz: 145.6e6 }, { center_hz: 145.5e6 }];
  assert.equal(carrierOf(channels, tuned(145.5e6)), channels[2], 'its own, not the one with a name');
  assert.equal(carrierOf(channels, tuned(433e6)), undefined);
  assert.equal(stateText({ state: 'outside', squelch_open: false }), 'outside the band');
});
