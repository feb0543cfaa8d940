// The connection: live or not, why not, and when the next attempt comes; also across the old picture.

import { byId, setText } from '../util/dom.js';

/**
 * @typedef {import('../app/state.js').State} State
 */

const COUNTDOWN_EVERY_MS = 500;

/** @param {string} text */
const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The state of the source, if the server is there. @param {State['status']} status */
function liveText(status) {
  const stopped = status && !['running', 'starting'].includes(status.state);
  const why = status?.message ? `: ${status.message}` : '';
  return (stopped ? capitalise(String(status.state)) : 'Live') + why;
}

/** @param {State['link']} link @param {State['status']} status @returns {string}  without the countdown */
function linkText({ kind, reason }, status) {
  const texts = {
    connecting: 'Connecting',
    live: liveText(status),
    waiting: `Waiting: ${status?.message || status?.state || 'no spectrum yet'}`,
    reconnecting: `Reconnecting: ${reason}`,
    refused: `Refused: ${reason}`,
  };
  return texts[kind];
}

/** @param {State['link']} link  " (again in 3 s)", or "" */
function countdown({ kind, retryAt }) {
  const left = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
  return retryAt > 0 && (kind === 'reconnecting' || kind === 'refused') ? ` (again in ${left} s)` : '';
}

/** @param {Readonly<State>} state */
function show({ link, status }) {
  const announced = linkText(link, status); // no countdown for screen readers
  const text = announced + countdown(link);
  const lost = link.kind === 'reconnecting' || link.kind === 'refused';
  setText(byId('link-text'), text);
  setText(byId('link-announcement'), announced);
  byId('link').title = text;
  byId('link').dataset.kind = link.kind === 'live' && announced !== 'Live' ? 'waiting' : link.kind;
  document.body.dataset.link = link.kind;
  byId('trouble').hidden = !lost;
  setText(byId('trouble'), lost ? text : '');
  if (lost) hideNotice();
}

/** There is something better to read than "waiting for the first spectrum". */
const hideNotice = () => { byId('notice').hidden = true; };

export const link = {
  id: 'link',

  /** @param {import('../app/state.js').Store} store */
  mount(store) {
    store.subscribe(['link', 'status'], show);
    store.subscribe(['figures'], ({ figures }) => { if (figures) hideNotice(); });
    setInterval(() => show(store.state), COUNTDOWN_EVERY_MS);
  },
};
