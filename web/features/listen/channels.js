// The channels that the server has: their lights, and how strong what is listened to is. Loaded with the panel.

import { MODES, passBand } from './listen.js';
import { keepRows } from '../../ui/kept_rows.js';
import { byId, make, setText } from '../../util/dom.js';
import { exactHz, formatCount, formatDb } from '../../util/format.js';

/**
 * @typedef {object} Channel  docs/channel-reference.md
 * @property {number} id
 * @property {string | null} [name]
 * @property {string} state
 * @property {string} message
 * @property {number} center_hz
 * @property {number | null} level_dbfs
 * @property {number | null} noise_dbfs
 * @property {boolean} squelch_open
 * @property {number} [transmissions]
 * @property {string | null} [mode]  that it was given
 * @property {number} [passband_hz]  of it; 0: the mode's
 */

const EVERY_MS = 1000;

/** How far a channel is above the noise, dB; NaN: not known. @param {Channel} channel */
export const snrOf = ({ level_dbfs: level, noise_dbfs: noise }) =>
  level === null || noise === null ? NaN : 10 * Math.log10(Math.max(1e-3, 10 ** ((level - noise) / 10) - 1));

/**
 * The channel that carries what is listened to.
 * @param {Channel[]} channels @param {import('./listen.js').Tuned} tuned
 */
export function carrierOf(channels, tuned) {
  const { lowHz, highHz } = passBand(tuned);
  const inside = channels.filter(({ name, center_hz: hz }) => !name && hz >= lowHz - 1 && hz <= highHz + 1);
  return inside.sort((a, b) => Math.abs(a.center_hz - tuned.hz) - Math.abs(b.center_hz - tuned.hz))[0];
}

/** "armed", "open", ... as words. @param {Channel} channel */
export const stateText = ({ state, squelch_open: open }) =>
  state === 'outside' ? 'outside the band' : state === 'open' && !open ? 'silent' : state;

/**
 * The demodulator that a channel was given, if the page has it.
 * @param {Channel} channel @returns {Partial<import('./listen.js').Tuned>}
 */
export const kindOf = ({ mode, passband_hz: widthHz = 0 }) => (mode && mode in MODES ? { mode, widthHz } : {});

/** "145.200 MHz, armed, 3 transmissions" @param {Channel} channel */
function aboutText(channel) {
  const count = channel.transmissions ?? 0,
    said = count > 0 ? [`${formatCount(count)} transmission${count === 1 ? '' : 's'}`] : [];
  return [exactHz(channel.center_hz), stateText(channel), ...said].join(', ');
}

/** Of what is listened to. @param {Channel | undefined} channel */
function signalText(channel) {
  const db = channel ? snrOf(channel) : NaN;
  if (channel?.state === 'outside') return 'outside the band that the radio receives';
  if (Number.isNaN(db)) return '--';
  return db > 0 ? `${formatDb(db, 0)} dB above the noise` : 'noise alone';
}

/** What the panel gets. */
export const channelContents = () => [
  make('h2', { id: 'listen-channels-title', hidden: true }, 'Channels'),
  make('table', { id: 'listen-channels', 'aria-labelledby': 'listen-channels-title' }, [
    make('tbody', { id: 'listen-channel-rows' }),
  ]),
];

/** @param {Channel} channel */
function makeRow({ name }) {
  return make('tr', {}, [
    make('td', {}, [make('i')]),
    make('td', {}, [make('button', { title: 'Listen to it' }, name ?? ''), make('small')]),
    make('td', { className: 'number', title: 'Above the noise' }),
  ]);
}

/** @param {(channel: Channel) => void} listen @param {HTMLElement} row @param {Channel} channel */
function fillRow(listen, row, channel) {
  const [light, name, snr] = /** @type {HTMLElement[]} */ ([...row.children]),
    db = snrOf(channel);
  /** @type {HTMLElement} */ (light.firstChild).dataset.state = channel.squelch_open ? 'open' : channel.state;
  /** @type {HTMLElement} */ (light.firstChild).title = channel.message || stateText(channel);
  /** @type {HTMLElement} */ (name.firstChild).onclick = () => listen(channel); // it may have moved
  setText(/** @type {HTMLElement} */ (name.lastChild), aboutText(channel));
  setText(snr, db > 0 ? `${formatDb(db, 0)} dB` : '');
}

/** @returns {Promise<Channel[]>}  of a server without channels: none */
async function fetchChannels() {
  try {
    const answer = await fetch('api/v1/channels', { cache: 'no-store' });
    return answer.ok ? ((await answer.json()).channels ?? []) : [];
  } catch {
    return [];
  }
}

/**
 * Shows them while the panel is open.
 * @param {import('../../app/store.js').Store} store @param {(channel: Channel) => void} listen
 */
export function followChannels(store, listen) {
  const show = async () => {
    if (!store.state.listenOpen || document.hidden) return;
    const channels = await fetchChannels(),
      { tuned } = store.state,
      named = channels.filter(({ name }) => name),
      own = tuned && store.state.listening ? carrierOf(channels, tuned) : undefined;
    setText(byId('listen-snr'), signalText(own));
    byId('listen-channels').hidden = byId('listen-channels-title').hidden = named.length === 0;
    keepRows(byId('listen-channel-rows'), named, {
      keyOf: ({ name }) => String(name),
      create: makeRow,
      fill: (row, channel) => fillRow(listen, row, channel),
    });
  };
  store.subscribe(['listenOpen'], show);
  setInterval(show, EVERY_MS);
}
