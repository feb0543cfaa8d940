// What listening does: starts and stops the sound, and follows what was chosen. Loaded when it is first used.

import { modeOf, soundUrl, withHz } from './listen.js';
import { Player } from './player.js';
import { remember, stored } from '../../util/stored.js';

/**
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {import('./listen.js').Tuned} Tuned
 */

const SETTLE_MS = 120; // while a band is dragged
const VOLUME = 'fftd-volume';

/** @type {import('./player.js').Player | null} */
let player = null;
let followed = false;

/** What is strongest in view, unless a marker is selected. @param {Store} store @returns {number} */
function proposedHz({ state }) {
  const marker = state.markers.find(({ id }) => id === state.selected),
    { frame, shownView } = state;
  return marker?.hz ?? state.headline?.hz ?? (frame ? (shownView.lowHz + shownView.highHz) / 2 : 0);
}

/** A signal of a channel lies on the raster: 1 kHz is finer than any of those. @param {number} hz */
const rounded = (hz) => Math.round(hz / 1e3) * 1e3;

/** @param {Store} store @returns {Tuned} */
export const tunedOf = (store) =>
  store.state.tuned ?? { hz: rounded(proposedHz(store)), mode: 'auto', widthHz: 0, squelchDb: 0 };

/** @param {Store} store @param {Partial<Tuned>} change */
export function tune(store, change) {
  const tuned = { ...tunedOf(store), ...change };
  store.update({ tuned, listenNote: { kind: 'none', text: '' } });
}

/** @param {Store} store @param {number} hz */
export function tuneTo(store, hz) {
  store.update({ tuned: withHz(tunedOf(store), hz), listenNote: { kind: 'none', text: '' } });
}

/** Stereo takes the whole band of sound, speech half of it. @param {Tuned} tuned */
const rateOf = (tuned) => (modeOf(tuned) === 'wfm' ? 48000 : 24000);

/** @param {Store} store @param {import('./player.js').Report} report */
function take(store, { facts, failed }) {
  if (failed) stopListening(store);
  store.update({ sound: facts, listenNote: { kind: failed ? 'failed' : 'none', text: failed } });
}

/** In a handler of a click or a key. @param {Store} store */
export function startListening(store) {
  followListening(store);
  const tuned = tunedOf(store);
  store.update({ tuned, listening: true, listenNote: { kind: 'none', text: '' } });
  player ??= new Player((report) => take(store, report));
  player.setLoudness(store.state.loudness);
  player.play(soundUrl(tuned, rateOf(tuned)));
}

/** @param {Store} store */
export function stopListening(store) {
  player?.stop();
  player = null;
  store.update({ listening: false, sound: null });
}

/** @param {Store} store */
export const toggleListening = (store) => (store.state.listening ? stopListening(store) : startListening(store));

/** @param {Store} store */
export function followListening(store) {
  if (followed) return;
  followed = true;
  const volume = Number(stored(VOLUME) || NaN);
  if (volume >= 0 && volume <= 1) store.update({ loudness: { volume, muted: false } });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe(['tuned'], ({ tuned }) => {
    clearTimeout(timer);
    if (tuned) timer = setTimeout(() => player?.play(soundUrl(tuned, rateOf(tuned))), SETTLE_MS);
  });
  store.subscribe(['loudness'], ({ loudness }) => {
    player?.setLoudness(loudness);
    remember(VOLUME, String(loudness.volume));
  });
}
