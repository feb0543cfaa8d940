// Everything the page says in words and numbers: connection, peak, hover, view and the ledger.

import { formatClock, formatCount, formatDb, formatHz, formatSi, formatTime, fixed } from '../util/format.js';
import { widthHz } from '../plot/view.js';
import { LOSS_CAUSES, overlapPercent, poiSeconds, rbwHz, spectraPerSecond, timeMs, TRACES } from '../net/wire.js';

/**
 * @typedef {import('../net/wire.js').Frame} Frame
 * @typedef {{ drawn: number, bytes: number, merged: number }} Pace  frames and bytes a second, most lines in one frame, here
 * @typedef {{ text: string, level?: 'bad' | 'warn' | '' }} Entry
 */

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Only touches the page when something has changed. @param {HTMLElement} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Samples that are gone although they came; the others are the price of a retune or a file's end.
const TROUBLE = ['overflow', 'overrun', 'gap'];

/** @param {import('../net/wire.js').Ledger} ledger @returns {Entry} */
export function lossEntry({ lost }) {
  const causes = LOSS_CAUSES.filter((cause) => lost[cause] > 0);
  if (causes.length === 0) return { text: 'none', level: '' };
  const sum = causes.reduce((total, cause) => total + lost[cause], 0);
  const parts = causes.map((cause) => `${cause} ${formatCount(lost[cause])}`);
  const level = causes.some((cause) => TROUBLE.includes(cause)) ? 'bad' : 'warn';
  return { text: `${formatCount(sum)} (${parts.join(', ')})`, level };
}

/** @param {Frame} f @param {Pace} pace */
const linesText = (f, pace) => {
  const merged = pace.merged > 1 ? `, up to ${formatCount(pace.merged)} merged` : '';
  return `${formatSi(f.lineRateHz, '/s')}, shown ${formatSi(pace.drawn, '/s', 2)}${merged}`;
};

/** @param {Frame} f */
function fftText(f) {
  const overlap = overlapPercent(f);
  return `${formatCount(f.n)} ${f.window} ${fixed(overlap, overlap % 1 ? 1 : 0)} %`;
}

/** The ledger line. @type {[string, string, string, (f: Frame, pace: Pace) => Entry][]} */
const LEDGER = [
  ['lost', 'Lost', 'Samples that are in no spectrum, since the start, by cause', (f) => lossEntry(f.ledger)],
  ['clipped', 'Clipped', 'Samples at a rail of the converter, since the start',
    (f) => ({ text: formatCount(f.ledger.clipped), level: f.ledger.clipped > 0 ? 'warn' : '' })],
  ['rate', 'Rate', 'Samples a second', (f) => ({ text: formatSi(f.rateHz, 'S/s', 6) })],
  ['rbw', 'RBW', 'Noise bandwidth of a bin', (f) => ({ text: formatSi(rbwHz(f), 'Hz') })],
  ['spectra', 'Spectra', 'Transforms a second', (f) => ({ text: formatSi(spectraPerSecond(f), '/s') })],
  ['poi', 'POI', 'An event of this length or longer is always caught at its full level',
    (f) => ({ text: `100 % \u2265 ${formatSi(poiSeconds(f), 's')}` })],
  ['lines', 'Lines', 'Lines made, frames drawn here, lines folded into one frame',
    (f, pace) => ({ text: linesText(f, pace) })],
  ['fft', 'FFT', 'Size, window, overlap', (f) => ({ text: fftText(f) })],
  ['engine', 'Engine', 'Who computes', (f) => ({ text: f.engine })],
  ['gain', 'Gain', 'Of the radio',
    (f) => ({ text: Number.isFinite(f.gainDb) ? `${formatDb(f.gainDb)} dB` : 'auto' })],
  ['clock', 'UTC', 'Time of the newest line; "hw": the radio\'s own clock',
    (f) => ({ text: formatClock(timeMs(f), 0) + (f.hardwareTime ? ' hw' : '') })],
  ['pace', 'Link', 'Received here', (_, pace) => ({ text: formatSi(pace.bytes, 'B/s') })],
];

export class Readouts {
  constructor() {
    this.shownAt = -Infinity;
    this.saidAt = -Infinity;
    this.messageTimer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    for (const [id, label, about] of LEDGER) {
      const entry = document.createElement('div');
      entry.title = about;
      const name = entry.appendChild(document.createElement('dt'));
      const value = entry.appendChild(document.createElement('dd'));
      name.textContent = label;
      value.id = `ledger-${id}`;
      value.textContent = '--';
      byId('ledger').append(entry);
    }
    byId('message-close').onclick = () => { byId('message').hidden = true; };
  }

  /**
   * Figures change eight times a second: fast enough to follow, slow enough to read.
   * @param {Frame} frame
   * @param {import('../plot/view.js').View} view
   * @param {Pace} pace
   */
  show(frame, view, pace) {
    const now = performance.now();
    if (now - this.shownAt < 125) return;
    this.shownAt = now;
    for (const [id, , , entryOf] of LEDGER) {
      const entry = entryOf(frame, pace), element = byId(`ledger-${id}`);
      setText(element, entry.text);
      element.className = entry.level ?? '';
    }
    this.#peak(frame, now);
    this.#view(frame, view);
    byId('simulated').hidden = !frame.simulated;
    const title = `${frame.simulated ? 'SIMULATED ' : ''}${formatHz(frame.centerHz, 1e3)} - fftd`;
    if (document.title !== title) document.title = title;
  }

  /** @param {Frame} frame @param {import('../plot/view.js').View} view */
  #view(frame, view) {
    // The bins of the whole span lie half a bin off the radio's centre: nobody wants to read that.
    const middle = (view.lowHz + view.highHz) / 2, binHz = frame.rateHz / frame.n;
    const centreHz = Math.abs(middle - frame.centerHz) < binHz ? frame.centerHz : middle;
    setText(byId('view-centre'), formatHz(centreHz, Math.max(1, widthHz(view) / 1e4)));
    setText(byId('view-span'), formatSi(widthHz(view), 'Hz', 5));
    setText(byId('view-rbw'), formatSi(rbwHz(frame), 'Hz'));
    setText(byId('view-trace'), TRACES[frame.trace]);
  }

  /** @param {Frame} frame @param {number} now */
  #peak(frame, now) {
    const known = Number.isFinite(frame.peakDb);
    const hz = known ? formatHz(frame.peakHz, Math.min(100, frame.rateHz / frame.n)) : '--';
    setText(byId('peak-hz'), hz);
    setText(byId('peak-db'), known ? formatDb(frame.peakDb, 2) : '--');
    // A reader that speaks is told seldom, or it would never stop.
    if (!known || now - this.saidAt < 5000) return;
    this.saidAt = now;
    setText(byId('peak-said'), `Peak ${hz}, ${formatDb(frame.peakDb, 1)} dBFS`);
  }

  /** @param {{ x: number, y: number, right: number, bottom: number } | null} at @param {string[]} lines */
  hover(at, lines) {
    const box = byId('hover');
    box.hidden = at === null;
    if (!at) return;
    setText(box, lines.join('\n'));
    const { offsetWidth, offsetHeight } = box;
    const x = at.x + 16 + offsetWidth > at.right ? at.x - 16 - offsetWidth : at.x + 16;
    const y = at.y + 16 + offsetHeight > at.bottom ? at.y - 16 - offsetHeight : at.y + 16;
    box.style.transform = `translate(${Math.max(0, Math.round(x))}px, ${Math.max(0, Math.round(y))}px)`;
  }

  /**
   * @param {import('../net/connection.js').State} state
   * @param {Record<string, any> | null} status  the server's, if any
   */
  link(state, status) {
    const left = Math.max(0, Math.ceil((state.retryAt - performance.now()) / 1000));
    const again = state.retryAt > 0 ? ` (again in ${left} s)` : '';
    const texts = {
      connecting: 'Connecting', live: 'Live',
      waiting: `Waiting: ${status?.message || status?.state || 'no spectrum yet'}`,
      reconnecting: `Reconnecting: ${state.reason}${again}`,
      refused: `Refused: ${state.reason}${again}`,
    };
    const stopped = state.kind === 'live' && status && !['running', 'starting'].includes(status.state);
    const why = status?.message ? `: ${status.message}` : '';
    const live = (stopped ? capital(String(status.state)) : texts.live) + why;
    const text = state.kind === 'live' ? live : texts[state.kind];
    setText(byId('link-text'), text);
    setText(byId('link-said'), text.replace(again, '')); // a countdown is not for ears
    this.#trouble(state.kind === 'reconnecting' || state.kind === 'refused' ? text : '');
    byId('link').dataset.kind = state.kind === 'live' && live !== texts.live ? 'waiting' : state.kind;
    byId('link').title = text;
    document.body.dataset.link = state.kind;
  }

  /** The whole reason, across a picture that is old by now. @param {string} text  "": none */
  #trouble(text) {
    byId('trouble').hidden = text === '';
    setText(byId('trouble'), text);
    if (text) byId('notice').hidden = true;
  }

  /** @param {Record<string, any>} status */
  source(status) {
    const about = status.source?.about || status.source?.name || '';
    setText(byId('source'), String(about));
    const more = [about, status.engine?.name, status.engine?.note, `fftd ${status.version ?? ''}`];
    byId('source').title = more.filter(Boolean).join('\n');
  }

  /** A line for people, until it is old or closed. @param {string} text @param {number} [forMs] */
  message(text, forMs = 12000) {
    setText(byId('message-text'), text.slice(0, 400));
    byId('message').hidden = false;
    clearTimeout(this.messageTimer);
    this.messageTimer = setTimeout(() => { byId('message').hidden = true; }, forMs);
  }
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * What the cursor says.
 * @param {number} hz
 * @param {number} resolutionHz
 * @param {number} db
 * @param {import('../plot/history.js').Row | null} row  of the waterfall
 */
export function hoverLines(hz, resolutionHz, db, row) {
  const level = row?.gap ? 'samples are missing here' : Number.isNaN(db) ? 'not measured' : `${formatDb(db)} dBFS`;
  const lines = [formatHz(hz, resolutionHz), level];
  if (row) lines.push(`${formatTime(row.timeMs)} UTC`);
  if (row && row.merged > 1) lines.push(`${formatCount(row.merged)} lines merged`);
  return lines;
}
