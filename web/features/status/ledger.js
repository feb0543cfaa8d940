// The footer: samples lost and clipped, and the figures of the spectra on screen.

import { LOSS_CAUSES, overlapPercent, poiSeconds, spectraPerSecond, timeMs } from '../../net/wire.js';
import { FAULTS } from '../../plot/breaks.js';
import { byId, make, setText } from '../../util/dom.js';
import { fixed, formatCount, formatDb, formatSi } from '../../util/format.js';
import { formatClock, zoneText } from '../../util/time.js';

/**
 * @typedef {import('../../net/wire.js').Frame} Frame
 * @typedef {import('../../app/state.js').Pace} Pace
 * @typedef {{ text: string, level?: 'bad' | 'warn' | '' }} Entry
 */

const RECENT_MS = 10000;

/** Tells whether a count grew within the last ten seconds: a colour says that something is wrong now. */
export class Growth {
  #count = NaN;
  #at = -Infinity;

  /** @param {number} count @param {number} now  ms */
  isRecent(count, now) {
    if (count > this.#count) this.#at = now;
    this.#count = count; // a restarted server counts from 0
    return now - this.#at < RECENT_MS;
  }
}

/** @param {import('../../net/wire.js').Ledger} ledger */
const faultsOf = ({ lost }) => FAULTS.reduce((sum, cause) => sum + lost[/** @type {keyof typeof lost} */ (cause)], 0);

/** @param {import('../../net/wire.js').Ledger} ledger @returns {Entry} */
export function lossEntry({ lost }) {
  const causes = LOSS_CAUSES.filter((cause) => lost[cause] > 0);
  if (causes.length === 0) return { text: 'none' };
  const sum = causes.reduce((total, cause) => total + lost[cause], 0);
  const parts = causes.map((cause) => `${cause} ${formatCount(lost[cause])}`);
  return { text: `${formatCount(sum)} (${parts.join(', ')})` };
}

/** @param {Frame} f @param {Pace} pace */
function linesText(f, pace) {
  const merged = pace.merged > 1 ? `, up to ${formatCount(pace.merged)} merged` : '';
  const made = f.rateAssumed ? '' : `${formatSi(f.lineRateHz, '/s')}, `;
  return `${made}shown ${formatSi(pace.drawn, '/s', 2)}${merged}`;
}

/** @param {Frame} f */
function fftText(f) {
  const overlap = overlapPercent(f);
  return `${formatCount(f.n)} ${f.window} ${fixed(overlap, overlap % 1 ? 1 : 0)} %`;
}

/** @param {Frame} f */
const poiText = (f) => (f.rateAssumed ? `${formatCount(f.n + f.hop - 1)} S` : formatSi(poiSeconds(f), 's'));

/** Of a recording its own time, if that is known. @param {Frame} f */
const clockText = (f) =>
  f.replay ? formatClock(f.replay.recordedMs, 0) : formatClock(timeMs(f), 0) + (f.hardwareTime ? ' hw' : '');

/**
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} label
 * @property {string} title
 * @property {(f: Frame, pace: Pace, shown: Frame) => Entry} entry  shown: the line on screen
 * @property {(f: Frame) => number} [grown]  what is wrong while it grows
 * @property {'bad' | 'warn'} [level]  then
 */

/** @type {Figure[]} */
const FIGURES = [
  {
    id: 'lost',
    label: 'Lost',
    title: 'Samples that are in no spectrum, since the start, by cause',
    entry: (f) => lossEntry(f.ledger),
    grown: (f) => faultsOf(f.ledger),
    level: 'bad',
  },
  {
    id: 'clipped',
    label: 'Clipped',
    title: 'Samples at a limit of the converter, since the start',
    entry: (f) => ({ text: formatCount(f.ledger.clipped) }),
    grown: (f) => f.ledger.clipped,
    level: 'warn',
  },
  {
    id: 'rate',
    label: 'Rate',
    title: 'Samples per second',
    entry: (f) => (f.rateAssumed ? { text: 'unknown', level: 'warn' } : { text: formatSi(f.rateHz, 'S/s', 6) }),
  },
  {
    id: 'spectra',
    label: 'Spectra',
    title: 'Transforms per second',
    entry: (f) => ({ text: f.rateAssumed ? '--' : formatSi(spectraPerSecond(f), '/s') }),
  },
  {
    id: 'poi',
    label: 'POI',
    title: 'Probability of intercept: an event of this length or longer is always caught at its full level',
    entry: (f) => ({ text: `100 % \u2265 ${poiText(f)}` }),
  },
  {
    id: 'lines',
    label: 'Lines',
    title: 'Lines made, frames drawn here, most lines merged into one frame',
    entry: (f, pace) => ({ text: linesText(f, pace) }),
  },
  { id: 'fft', label: 'FFT', title: 'Size, window, overlap', entry: (f) => ({ text: fftText(f) }) },
  { id: 'engine', label: 'Engine', title: 'The engine that computes the spectra', entry: (f) => ({ text: f.engine }) },
  {
    id: 'gain',
    label: 'Gain',
    title: 'Gain of the radio',
    entry: (f) => ({ text: Number.isFinite(f.gainDb) ? `${formatDb(f.gainDb)} dB` : 'auto' }),
  },
  {
    id: 'clock',
    label: 'UTC',
    title: 'Time of the line on screen; "hw": from the radio\'s own clock',
    entry: (_f, _pace, shown) => ({ text: shown.rateAssumed ? '--' : clockText(shown) }),
  },
  {
    id: 'pace',
    label: 'Link',
    title: 'Data rate received here',
    entry: (_, pace) => ({ text: formatSi(pace.bytes, 'B/s') }),
  },
];

/**
 * In a sweep, frames have the figures of a radio that would receive the whole span at once. The status has those of the
 * radio.
 * @type {Record<string, (status: Record<string, any>, f: Frame) => string>}
 */
const OF_SWEEP = {
  rate: ({ source }) => formatSi(source.tuning.rate_hz, 'S/s', 6),
  poi: ({ spectrum }) => (spectrum.poi_seconds === null ? '--' : `100 % \u2265 ${formatSi(spectrum.poi_seconds, 's')}`),
  fft: ({ spectrum }, f) => fftText({ ...f, n: spectrum.fft_size, hop: spectrum.hop }),
};

/** The style sheet leaves some out on a phone. @param {Figure} figure */
const makeFigure = ({ id, label, title }) =>
  make('div', { title, 'data-figure': id }, [make('dt', {}, label), make('dd', { id: `ledger-${id}` }, '--')]);

/** Who scrolls with keys has to reach it. */
function markScrolling() {
  for (const element of [byId('ledger'), byId('strip')]) {
    const { overflowX, overflowY } = getComputedStyle(element);
    const scrolls =
      (element.scrollHeight > element.clientHeight + 1 && overflowY === 'auto')
      || (element.scrollWidth > element.clientWidth + 1 && overflowX === 'auto');
    if (scrolls) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  }
}

export const ledger = {
  id: 'ledger',

  /** @param {import('../list.js').Page} page */
  mount({ store }) {
    byId('ledger').append(...FIGURES.map(makeFigure));
    const clipped = /** @type {HTMLElement} */ (byId('ledger-clipped').parentElement),
      meaning = clipped.title;
    const growth = Object.fromEntries(FIGURES.map(({ id }) => [id, new Growth()]));
    addEventListener('resize', markScrolling);
    store.subscribe(['status'], ({ status }) => {
      markScrolling();
      clipped.title = status?.advice ? `${meaning}: ${status.advice}` : meaning;
    });
    store.subscribe(['localTime'], () => {
      const [label] = /** @type {HTMLElement} */ (byId('ledger-clock').parentElement).children;
      setText(/** @type {HTMLElement} */ (label), zoneText(Date.now()));
    });
    let first = true; // the strip gets wide with its first figures, before the next status
    store.subscribe(['figures'], ({ figures, status }) => {
      if (!figures) return;
      if (first) queueMicrotask(markScrolling);
      first = false;
      for (const { id, entry, grown, level: grownLevel } of FIGURES) {
        const { text, level } = entry(figures.frame, figures.pace, figures.shown),
          element = byId(`ledger-${id}`);
        const ofSweep = status?.spectrum?.sweep ? OF_SWEEP[id] : undefined;
        setText(element, ofSweep ? ofSweep(/** @type {any} */ (status), figures.frame) : text);
        const isWrong = grown && growth[id].isRecent(grown(figures.frame), performance.now());
        element.className = (isWrong ? grownLevel : level) ?? '';
      }
    });
  },
};
