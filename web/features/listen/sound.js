// Sound from samples that come over the network: converted to the rate of the sound card, whose clock is not the
// radio's, and scheduled a moment ahead. Works without a secure context.

/**
 * @typedef {object} Context  what is used of an AudioContext
 * @property {number} sampleRate
 * @property {number} currentTime
 * @property {(channels: number, frames: number, rate: number) => AudioBuffer} createBuffer
 * @property {() => AudioBufferSourceNode} createBufferSource
 */

const TAPS = 16,
  PHASES = 64,
  BETA = 7.9; // of Kaiser's window: 80 dB
const AHEAD_S = 0.15, // that is scheduled
  MOST_S = 0.6, // beyond it, samples are left out
  PULL_MAX = 0.003, // share of the rate by which a wrong clock is followed; 5 cents
  PULL = 0.02; // of the rate, for each second too much

/** Bessel's I0. @param {number} x */
function bessel(x) {
  let sum = 1,
    term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) sum += term *= (x / 2 / k) ** 2;
  return sum;
}

/** Windowed sinc, a row for each phase and one more. @param {number} cut  of the lower rate, against the input's */
export function filterTable(cut) {
  const table = new Float32Array((PHASES + 1) * TAPS);
  for (let phase = 0; phase <= PHASES; phase++) {
    const row = table.subarray(phase * TAPS, (phase + 1) * TAPS);
    for (let tap = 0; tap < TAPS; tap++) {
      const t = tap - TAPS / 2 + 1 - phase / PHASES,
        inside = 1 - (t / (TAPS / 2)) ** 2,
        x = Math.PI * t * cut;
      row[tap] = inside > 0 ? ((x === 0 ? 1 : Math.sin(x) / x) * bessel(BETA * Math.sqrt(inside))) / bessel(BETA) : 0;
    }
    const sum = row.reduce((all, each) => all + each, 0);
    for (let tap = 0; tap < TAPS; tap++) row[tap] /= sum; // 0 Hz stays as it is, at every phase
  }
  return table;
}

/** Converts from one rate to another, which may change from call to call. */
export class Resampler {
  #position = 0; // of the next output, in input frames from the first kept one

  /** @param {number} channels @param {number} ratio  of the output's rate to the input's */
  constructor(channels, ratio) {
    this.channels = channels;
    this.table = filterTable(Math.min(1, ratio) * 0.96);
    this.kept = new Float32Array(channels * (TAPS - 1));
  }

  /** @param {Float32Array} frames  interleaved @param {number} ratio @returns {Float32Array[]}  of each channel */
  run(frames, ratio) {
    const { channels, table } = this,
      all = new Float32Array(this.kept.length + frames.length);
    all.set(this.kept);
    all.set(frames, this.kept.length);
    const last = all.length / channels - TAPS, // where a full row of taps begins
      step = 1 / ratio,
      count = Math.max(0, Math.floor((last - this.#position) / step) + 1);
    const out = Array.from({ length: channels }, () => new Float32Array(count));
    for (let i = 0; i < count; i++) {
      const at = this.#position + i * step,
        from = Math.floor(at),
        phase = (at - from) * PHASES,
        row = Math.floor(phase) * TAPS,
        part = phase - Math.floor(phase);
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let tap = 0; tap < TAPS; tap++) {
          const weight = table[row + tap] + part * (table[row + TAPS + tap] - table[row + tap]);
          sum += weight * all[(from + tap) * channels + channel];
        }
        out[channel][i] = sum;
      }
    }
    this.#position += count * step;
    const used = Math.min(Math.floor(this.#position), all.length / channels);
    this.kept = all.slice(used * channels);
    this.#position -= used;
    return out;
  }
}

export class Sound {
  #frame = 0; // of the context, where the next buffer begins
  #started = false;
  #excess = 0; // seconds scheduled beyond AHEAD_S, smoothed

  underruns = 0;
  droppedS = 0;
  /** @type {{ power: number, frames: number }} */
  #heard = { power: 0, frames: 0 };

  /**
   * @param {Context} context
   * @param {AudioNode} into
   * @param {number} rateHz  of the samples that come
   * @param {number} channels
   */
  constructor(context, into, rateHz, channels) {
    this.context = context;
    this.into = into;
    this.rateHz = rateHz;
    this.channels = channels;
    this.ratio = context.sampleRate / rateHz;
    this.resampler = new Resampler(channels, this.ratio);
  }

  /** Seconds that are scheduled and not heard yet. */
  get aheadS() {
    return this.#started ? Math.max(0, this.#frame / this.context.sampleRate - this.context.currentTime) : 0;
  }

  /** The mean power since the last call, in dB of full scale. */
  takeLevelDb() {
    const { power, frames } = this.#heard;
    this.#heard = { power: 0, frames: 0 };
    return frames > 0 ? 10 * Math.log10(power / frames) : -Infinity;
  }

  /** @param {Float32Array} frames  interleaved */
  push(frames) {
    for (const sample of frames) this.#heard.power += sample * sample;
    this.#heard.frames += frames.length;
    const ahead = this.aheadS;
    if (this.#started && ahead > MOST_S) {
      this.droppedS += frames.length / this.channels / this.rateHz;
      return;
    }
    if (this.#started && ahead === 0) {
      this.underruns += 1;
      this.#started = false;
    }
    if (!this.#started) this.#begin();
    else this.#excess += 0.05 * (ahead - AHEAD_S - this.#excess);
    const pull = Math.max(-PULL_MAX, Math.min(PULL_MAX, -PULL * this.#excess));
    this.#schedule(this.resampler.run(frames, this.ratio * (1 + pull)));
  }

  #begin() {
    const { currentTime, sampleRate } = this.context;
    this.#frame = Math.ceil((currentTime + AHEAD_S) * sampleRate);
    this.#excess = 0;
    this.#started = true;
  }

  /** Each buffer begins where the last one ends, to the frame. @param {Float32Array[]} channels */
  #schedule(channels) {
    const frames = channels[0].length;
    if (frames === 0) return;
    const { context } = this,
      buffer = context.createBuffer(channels.length, frames, context.sampleRate);
    channels.forEach((samples, i) => buffer.getChannelData(i).set(samples));
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.into);
    source.start(this.#frame / context.sampleRate);
    this.#frame += frames;
  }
}

/** Bytes of 16-bit samples as numbers. An odd byte waits for the next piece. */
export class S16Reader {
  /** @type {Uint8Array} */
  #rest = new Uint8Array(0);

  /** @param {number} channels */
  constructor(channels) {
    this.frameBytes = 2 * channels;
  }

  /** @param {Uint8Array} bytes @returns {Float32Array} */
  read(bytes) {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const whole = all.length - (all.length % this.frameBytes),
      view = new DataView(all.buffer, 0, whole),
      samples = new Float32Array(whole / 2);
    for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(2 * i, true) / 32768;
    this.#rest = all.slice(whole);
    return samples;
  }
}
