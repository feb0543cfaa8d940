// The replay of a recording: where its frames come from, and what the user may do with it.

import { timeMs } from '../../net/wire.js';
import { clockStep } from '../../plot/axis.js';
import { decimals } from '../../util/format.js';

/**
 * @typedef {import('../../net/wire.js').Frame} Frame
 * @typedef {import('../../app/state.js').State} State
 * @typedef {import('../../app/actions.js').Actions} Actions
 *
 * @typedef {object} Anchor  of the message "replay": frames from `line` on follow it
 * @property {number} line
 * @property {number} first_sample
 * @property {number} position  seconds
 * @property {number | null} time  Unix seconds when it was recorded
 * @property {'follows' | 'seek' | 'loop'} jump
 *
 * @typedef {object} Located  where in its recording a frame is
 * @property {number} seconds  from the start of the recording
 * @property {number} recordedMs  Unix time of the recording; NaN: not known
 * @property {Anchor} anchor
 */

const ANCHORS = 256; // the newest; a frame needs one of the last few

/** @param {Anchor[]} anchors @param {Anchor[]} more @returns {Anchor[]} */
export const addAnchors = (anchors, more) => [...anchors, ...more].slice(-ANCHORS);

/** Null: not the frame of a recording. @param {Anchor[]} anchors @param {Frame} frame @returns {Located | null} */
export function locate(anchors, frame) {
  const oldest = frame.line - frame.merged + 1;
  const anchor = anchors.filter(({ line }) => line <= oldest).at(-1) ?? anchors[0];
  if (!anchor) return null;
  const since = (frame.firstSample - anchor.first_sample) / frame.rateHz;
  return {
    seconds: anchor.position + since,
    recordedMs: anchor.time === null ? NaN : 1000 * (anchor.time + since),
    anchor,
  };
}

/**
 * Gives a row of the server's history its place in the recording. Without an anchor for it the row keeps the clock's
 * time.
 * @param {Anchor[]} anchors
 * @param {Frame} frame  a frame of the same stream
 * @param {import('../../plot/history.js').Row} row
 */
export function locateRow(anchors, frame, row) {
  const anchor = anchors.filter(({ line }) => line <= row.firstLine).at(-1);
  if (!anchor) return;
  const samples = frame.firstSample + ((row.timeMs - timeMs(frame)) / 1000) * frame.rateHz - anchor.first_sample;
  const since = samples / frame.rateHz;
  row.positionMs = 1000 * (anchor.position + since);
  row.recordedMs = anchor.time === null ? NaN : 1000 * (anchor.time + since);
}

/** @param {State['status']} status @returns {Record<string, any> | null}  null: the source is no recording */
export const replayOf = (status) => status?.replay ?? null;

/** Whether this client may control the replay. @param {Readonly<State>} state */
export const mayControl = ({ status, control }) => control.allowed && replayOf(status)?.controllable === true;

/** Whether it can go to a position. @param {Readonly<State>} state */
export const maySeek = (state) => mayControl(state) && replayOf(state.status)?.seekable === true;

/**
 * Digits of a second that times of a recording need: a five hundredth of its length, at most 3.
 * @param {Record<string, any>} replay
 */
export const timeDigits = ({ from, to }) => (to > from ? Math.min(3, decimals((to - from) / 500)) : 2);

/** Seconds of a jump back or forward: a twentieth of the part, rounded. @param {Record<string, any>} replay */
export const jumpSeconds = ({ from, to }) => (to === null ? 10 : clockStep((to - from) / 20));

/** At the end of the part, it starts again. @param {Actions} actions */
export function toggleReplay({ store, server }) {
  const replay = replayOf(store.state.status);
  if (!replay) return;
  if (replay.ended) server.replay({ position: replay.from, paused: false });
  else server.replay({ paused: !replay.paused });
}

/** @param {Actions} actions @param {number} seconds */
export function seekReplay({ store, server }, seconds) {
  const replay = replayOf(store.state.status);
  if (!replay) return;
  const last = replay.to === null ? Infinity : Math.max(replay.from, replay.to - 1e-3);
  server.replay({ position: Math.min(last, Math.max(replay.from, seconds)) });
}

/** @param {Actions} actions @param {number} steps  of jumpSeconds; below 0: back */
export function jumpReplay(actions, steps) {
  const replay = replayOf(actions.store.state.status);
  if (replay) seekReplay(actions, shownSeconds(actions.store.state) + steps * jumpSeconds(replay));
}

/** The position to show: of the newest frame, or while none come, that of the source. @param {Readonly<State>} state */
export function shownSeconds({ status, figures }) {
  const replay = replayOf(status);
  const of = replay?.paused || replay?.ended ? null : figures?.frame.replay;
  return of?.seconds ?? replay?.position ?? 0;
}
