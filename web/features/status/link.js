// The connection and the source: live or not, why not, and when the next attempt comes; also across the old picture.

import { byId, setText } from '../../util/dom.js';
import { countdown, isLost, linkWords } from '../../util/link_text.js';

/**
 * @typedef {import('../../app/state.js').State} State
 */

const COUNTDOWN_EVERY_MS = 500;

/** @param {string} text */
const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Record<string, any>} replay  of the status */
const replayWord = ({ paused, ended }) => (ended ? ', at its end' : paused ? ', paused' : '');

/** The state of the source, if the server is there. @param {State['status']} status */
function liveText(status) {
  const stopped = status && !['running', 'starting'].includes(status.state);
  const why = status?.message ? `: ${status.message}` : '';
  if (status?.replay && !stopped) return `REPLAY${replayWord(status.replay)}${why}`;
  return (stopped ? capitalise(String(status.state)) : 'Live') + why;
}

/**
 * @param {State['link']} link
 * @param {State['status']} status
 * @param {boolean} ended
 * @returns {string}  without the countdown
 */
function linkText({ kind, reason }, status, ended) {
  if (ended && kind !== 'live' && kind !== 'waiting') return 'The recording has ended';
  return linkWords(
    { kind, reason, retryAt: 0 },
    { live: liveText(status), waiting: status?.message || status?.state || 'no spectrum yet' },
  );
}

/** What the style sheet shows it as. @param {State['link']} link @param {string} announced @param {boolean} ended */
function kindOf({ kind }, announced, ended) {
  if (ended) return 'ended';
  if (kind !== 'live' || announced === 'Live') return kind;
  return announced.startsWith('REPLAY') ? 'replay' : 'waiting';
}

/** True if the server has no samples of its source. @param {State['status']} status */
const isAway = (status) => ['waiting', 'stalled', 'failed'].includes(status?.state);

/** @param {Readonly<State>} state */
function show({ link, status, ended, scrolledTo }) {
  const announced = linkText(link, status, ended); // no countdown for screen readers
  const text = announced + (ended ? '' : countdown(link, performance.now()));
  const lost = isLost(link);
  setText(byId('link-text'), text);
  setText(byId('link-announcement'), announced);
  byId('link').title = text;
  byId('link').dataset.kind = kindOf(link, announced, ended);
  document.body.dataset.link = link.kind;
  const old = lost || (!ended && isAway(status));
  document.body.toggleAttribute('data-old', lost || (old && scrolledTo === null)); // the past can be read meanwhile
  byId('problem').hidden = !old;
  setText(byId('problem'), old ? text : '');
  if (old) hideNotice();
}

/** There is something better to read than "waiting for the first spectrum". */
const hideNotice = () => {
  byId('notice').hidden = true;
};

export const link = {
  id: 'link',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    store.subscribe(['link', 'status', 'ended', 'scrolledTo'], show);
    store.subscribe(['figures'], ({ figures }) => {
      if (figures) hideNotice();
    });
    setInterval(() => show(store.state), COUNTDOWN_EVERY_MS);
  },
};
