// Plays what the page listens to: one request at a time, its samples to the sound card. Loaded when it is first used.

import { S16Reader, Sound } from './sound.js';

/**
 * @typedef {object} Report  once a second, and at the end
 * @property {import('./listen.js').Facts | null} facts  null: it has ended
 * @property {string} failed  why; '': it has not
 *
 * @typedef {{ volume: number, muted: boolean }} Loudness
 */

const AGAIN_MS = 2000; // after a lost connection
const FADE_S = 0.02; // a volume that steps clicks

export class Player {
  #url = '';
  /** @type {AbortController | null}  of the request that runs */
  #running = null;
  /** @type {Sound | null} */
  #sound = null;
  #underruns = 0; // of earlier sounds
  #droppedS = 0;
  #hidden = false;
  /** @type {Loudness} */
  #loudness = { volume: 0, muted: true };

  /** In a handler of a click: browsers let no other start sound. @param {(report: Report) => void} onReport */
  constructor(onReport) {
    this.onReport = onReport;
    this.context = new AudioContext({ latencyHint: 'interactive' });
    this.gain = this.context.createGain();
    this.gain.gain.value = 0;
    this.gain.connect(this.context.destination);
    this.timer = setInterval(() => this.#report(), 1000);
    document.addEventListener('visibilitychange', this.#onVisible);
  }

  /** A phone that is locked is silent; a tab behind others of a desktop is not. */
  #onVisible = () => {
    this.#hidden = document.hidden && matchMedia('(pointer: coarse)').matches;
    this.#applyLoudness();
    if (!document.hidden) this.context.resume().catch(() => {});
  };

  /** Also while it plays. @param {string} url */
  play(url) {
    if (url === this.#url) return;
    this.#url = url;
    this.context.resume().catch(() => {});
    this.#request();
  }

  /** @param {Loudness} loudness */
  setLoudness(loudness) {
    this.#loudness = loudness;
    this.#applyLoudness();
  }

  #applyLoudness() {
    const { volume, muted } = this.#loudness;
    const gain = muted || this.#hidden ? 0 : volume ** 2; // as loudness is heard
    this.gain.gain.setTargetAtTime(gain, this.context.currentTime, FADE_S);
  }

  stop() {
    this.#url = '';
    this.#running?.abort();
    clearInterval(this.timer);
    document.removeEventListener('visibilitychange', this.#onVisible);
    this.context.close().catch(() => {});
  }

  async #request() {
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    while (!running.signal.aborted) {
      const failed = await this.#listen(running.signal).catch((error) =>
        error instanceof TypeError ? '' : String(error.message),
      );
      if (running.signal.aborted) return;
      if (failed) return this.onReport({ facts: null, failed });
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  /** @param {AbortSignal} signal @returns {Promise<string>}  why the server refuses; '': the stream has ended */
  async #listen(signal) {
    const answer = await fetch(this.#url, { cache: 'no-store', signal });
    if (!answer.ok) {
      const fault = await answer.json().catch(() => null);
      return String(fault?.error ?? fault?.detail ?? `The server answers ${answer.status}.`);
    }
    const channels = Number(answer.headers.get('x-fftd-audio-channels')) || 1,
      rateHz = Number(answer.headers.get('x-fftd-audio-rate-hz'));
    if (!(rateHz > 0)) return 'The server does not say the rate of the sound.';
    this.#take(rateHz, channels);
    const reader = answer.body?.getReader(),
      samples = new S16Reader(channels);
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || signal.aborted) return '';
      if (value) this.#sound?.push(samples.read(value));
    }
  }

  /**
   * The sound goes on without a break if only its source is another one.
   * @param {number} rateHz
   * @param {number} channels
   */
  #take(rateHz, channels) {
    if (this.#sound?.rateHz === rateHz && this.#sound.channels === channels) return;
    this.#underruns += this.#sound?.underruns ?? 0;
    this.#droppedS += this.#sound?.droppedS ?? 0;
    this.#sound = new Sound(this.context, this.gain, rateHz, channels);
  }

  #report() {
    const sound = this.#sound;
    if (!sound) return;
    const facts = {
      levelDb: sound.takeLevelDb(),
      aheadMs: 1000 * sound.aheadS,
      underruns: this.#underruns + sound.underruns,
      droppedMs: 1000 * (this.#droppedS + sound.droppedS),
    };
    this.onReport({ facts, failed: '' });
  }
}
