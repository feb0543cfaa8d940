// The panel of the receiver: what is listened to, how loud, and how it comes.

import { followListening, startListening, toggleListening, tune, tunedOf, tuneTo } from './actions.js';
import { channelContents, followChannels, kindOf } from './channels.js';
import { modeOf, MODES, readListenHz, widthOf, withMode } from './listen.js';
import { understoodBeside } from '../../ui/understood.js';
import { byId, make, onChoice, setText, setValue } from '../../util/dom.js';
import { entryText } from '../../util/entry.js';
import { exactHz, formatDb, formatSi } from '../../util/format.js';

/**
 * @typedef {import('../../app/store.js').Store} Store
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

const SQUELCHES = [0, 3, 6, 10, 15, 20];

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (byId(id));

const contents = () => [
  make('form', { id: 'listen-form', autocomplete: 'off', noValidate: true }, [
    make('label', {}, [
      'Frequency ',
      make('input', { id: 'listen-hz', spellcheck: false, maxLength: 40, title: 'In MHz without a unit' }),
    ]),
    make('label', {}, [
      'Mode ',
      make('select', { id: 'listen-mode', title: 'Demodulator' }, [
        new Option('', 'auto'),
        ...Object.entries(MODES).map(([mode, { word }]) => new Option(word, mode)),
      ]),
    ]),
    make('label', {}, [
      'Squelch ',
      make(
        'select',
        { id: 'listen-squelch', title: 'Silence while the signal is less than this above the noise' },
        SQUELCHES.map((db) => new Option(db ? `${db} dB` : 'off', String(db))),
      ),
    ]),
    make('label', {}, [
      'Volume ',
      make('input', { id: 'listen-volume', type: 'range', min: '0', max: '1', step: '0.01' }),
    ]),
    make('p', { className: 'buttons' }, [
      make('button', { id: 'listen-play', type: 'button', className: 'primary' }, 'Listen'),
      make('button', { id: 'listen-mute', 'aria-pressed': 'false' }, 'Mute'),
      make('button', { id: 'listen-peak', title: 'To the strongest signal in view' }, 'Strongest'),
    ]),
  ]),
  make('p', { id: 'listen-note', role: 'status' }),
  make('dl', { id: 'listen-facts' }, [
    make('dt', {}, 'Pass band'),
    make('dd', { id: 'listen-width' }, '--'),
    make('dt', {}, 'Signal'),
    make('dd', { id: 'listen-snr' }, '--'),
    make('dt', {}, 'Audio'),
    make('dd', { id: 'listen-level' }, '--'),
    make('dt', { title: 'Times that there was nothing to play' }, 'Under-runs'),
    make('dd', { id: 'listen-underruns' }, '--'),
  ]),
  make('p', { className: 'hint' }, 'Drag the band over the spectrum, or its edges.'),
  ...channelContents(),
];

/** @param {Store} store */
function bindForm(store) {
  byId('listen-hz').after(understoodBeside(input('listen-hz'), entryText));
  const typed = () => {
    const hz = readListenHz(input('listen-hz').value);
    input('listen-hz').toggleAttribute('aria-invalid', Number.isNaN(hz));
    if (!Number.isNaN(hz)) tuneTo(store, hz);
    else store.update({ listenNote: { kind: 'failed', text: 'Write a frequency, as 145.5 (MHz) or 7100 kHz.' } });
  };
  input('listen-hz').onchange = typed;
  byId('listen-form').onsubmit = (event) => {
    event.preventDefault();
    typed();
    if (!store.state.listening && !input('listen-hz').hasAttribute('aria-invalid')) startListening(store);
  };
  onChoice(/** @type {any} */ (byId('listen-mode')), (mode) => tune(store, withMode(tunedOf(store), mode)));
  onChoice(/** @type {any} */ (byId('listen-squelch')), (db) => tune(store, { squelchDb: Number(db) }));
  input('listen-volume').oninput = ({ target }) =>
    store.update({ loudness: { volume: Number(/** @type {any} */ (target).value), muted: false } });
  byId('listen-play').onclick = () => toggleListening(store);
  byId('listen-mute').onclick = () => {
    const { volume, muted } = store.state.loudness;
    store.update({ loudness: { volume, muted: !muted } });
  };
  byId('listen-peak').onclick = () => {
    const { headline } = store.state;
    if (headline) tuneTo(store, Math.round(headline.hz / 1e3) * 1e3);
  };
}

/** @param {Store} store */
function showTuned(store) {
  const tuned = tunedOf(store);
  setValue(input('listen-hz'), exactHz(tuned.hz));
  const mode = /** @type {HTMLSelectElement} */ (byId('listen-mode'));
  mode.value = tuned.mode;
  setText(mode.options[0], `Auto: ${MODES[modeOf({ ...tuned, mode: 'auto' })].word}`);
  const squelch = /** @type {HTMLSelectElement} */ (byId('listen-squelch'));
  squelch.value = String(tuned.squelchDb);
  setText(byId('listen-width'), formatSi(widthOf(tuned), 'Hz', 4));
}

/** @param {State} state */
function showSound({ listening, listenNote, loudness, sound }) {
  setText(byId('listen-play'), listening ? 'Stop' : 'Listen');
  byId('listen-mute').setAttribute('aria-pressed', String(loudness.muted));
  setValue(input('listen-volume'), String(loudness.volume));
  const waits = listening && !sound ? 'Waiting for sound \u2026' : '';
  setText(byId('listen-note'), listenNote.text || waits);
  byId('listen-note').classList.toggle('failed', listenNote.kind === 'failed');
  const level = sound ? (sound.levelDb > -100 ? `${formatDb(sound.levelDb)} dBFS` : 'silence') : '--';
  setText(byId('listen-level'), level);
  setText(byId('listen-underruns'), sound ? String(sound.underruns) : '--');
  byId('listen-open').dataset.running = String(listening);
}

/** @param {import('../list.js').Page} page @param {HTMLElement} panel */
export function fillListen({ store }, panel) {
  panel.replaceChildren(...contents());
  followListening(store);
  bindForm(store);
  store.subscribe(['tuned'], () => showTuned(store));
  store.subscribe(['listening', 'listenNote', 'loudness', 'sound'], showSound);
  store.update({ tuned: tunedOf(store) });
  followChannels(store, (channel) => {
    tuneTo(store, channel.center_hz);
    tune(store, kindOf(channel));
    startListening(store);
  });
}
