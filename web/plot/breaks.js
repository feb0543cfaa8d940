// Why rows are missing, or a new grid of frames begins, between two frames of the waterfall. Pure functions.

import { frequencyText } from './frequency.js';
import { formatCount, formatPosition } from '../util/format.js';
import { LOSS_CAUSES } from '../net/wire.js';

/**
 * @typedef {import('../net/wire.js').Frame} Frame
 *
 * @typedef {object} Break
 * @property {string} text  for people
 * @property {boolean} fault  samples were lost that should not have been
 * @property {'paused' | 'reconnected'} [page]  this page, not the stream, lacks the rows
 * @property {BreakKind} kind
 *
 * @typedef {'loss' | 'loop' | 'seek' | 'retune' | 'settings' | 'restart' | 'reconnect' | 'pause'} BreakKind
 *
 * @typedef {object} Missed  why this page, not the stream, lacks rows
 * @property {boolean} paused
 * @property {boolean} reconnected
 */

/** Losses that something went wrong for; the others come with a retune or the end of a recording. */
export const FAULTS = ['overflow', 'overrun', 'gap'];

/**
 * Samples lost by these causes from one frame to the next.
 * @param {Frame} before
 * @param {Frame} frame
 * @param {string[]} causes
 */
function lostBetween(before, frame, causes) {
  return causes
    .map((cause) => ({ cause, count: frame.ledger.lost[cause] - before.ledger.lost[cause] }))
    .filter(({ count }) => count > 0);
}

/** @param {Frame} before @param {Frame} frame */
const isRetuned = (before, frame) => before.centerHz !== frame.centerHz || before.rateHz !== frame.rateHz;

/** @param {Frame} before @param {Frame} frame */
const hasNewPlan = (before, frame) =>
  before.n !== frame.n || before.hop !== frame.hop || before.window !== frame.window;

/** A loop or a seek of a replay; null: neither. @param {Frame} before @param {Frame} frame @returns {Break | null} */
function jumpBetween(before, frame) {
  const anchor = frame.replay?.anchor;
  if (!anchor || anchor === before.replay?.anchor || anchor.jump === 'follows') return null;
  if (anchor.jump === 'loop') return { text: 'the recording starts again here', fault: false, kind: 'loop' };
  return { text: `moved to ${formatPosition(anchor.position)} here`, fault: false, kind: 'seek' };
}

/** @param {Frame} before @param {Frame} frame @returns {Break} */
function whyBroken(before, frame) {
  const jump = jumpBetween(before, frame);
  if (jump) return jump;
  if (isRetuned(before, frame))
    return { text: `tuned to ${frequencyText(frame, frame.centerHz, 1000)} here`, fault: false, kind: 'retune' };
  if (lostBetween(before, frame, ['retune']).length > 0)
    return { text: 'the radio was set here', fault: false, kind: 'retune' };
  if (hasNewPlan(before, frame)) return { text: 'the FFT was set here', fault: false, kind: 'settings' };
  return { text: 'the stream starts again here', fault: false, kind: 'restart' };
}

/**
 * The break before a frame, or null.
 * @param {Frame} before  the frame drawn before
 * @param {Frame} frame
 * @param {Missed} missed
 * @returns {Break | null}
 */
export function breakBetween(before, frame, { paused, reconnected }) {
  if (!frame.gap && !paused && !reconnected) return null;
  const lost = lostBetween(
    before,
    frame,
    LOSS_CAUSES.filter((cause) => FAULTS.includes(cause)),
  );
  if (lost.length > 0)
    return {
      text: `samples lost here: ${lost.map(({ cause, count }) => `${cause} ${formatCount(count)}`).join(', ')}`,
      fault: true,
      kind: 'loss',
    };
  if (reconnected) return { text: 'reconnected here', fault: false, kind: 'reconnect' };
  if (paused) return { text: 'paused here', fault: false, kind: 'pause' };
  return whyBroken(before, frame);
}

/** True for a loop or a seek of a recording. @param {Break} gap */
export const isJump = ({ kind }) => kind === 'loop' || kind === 'seek';
