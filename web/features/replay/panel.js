// The transport of a replay: position, pause, jumps, speed, loop. Who has no control sees the position.

import {
  jumpReplay,
  jumpSeconds,
  mayControl,
  maySeek,
  replayOf,
  seekReplay,
  shownSeconds,
  timeDigits,
  toggleReplay,
} from './replay.js';
import { Overview } from '../../plot/overview.js';
import { byId, make, onChoice, setText } from '../../util/dom.js';
import { fixed, formatPosition } from '../../util/format.js';
import { formatTime, zoneText } from '../../util/time.js';
import { node } from '../../util/svg.js';

/** @typedef {Readonly<import('../../app/state.js').State>} State */

/** @type {[number, string][]} */
const SPEEDS = [
  [0.1, '0.1\u00d7'],
  [0.25, '0.25\u00d7'],
  [0.5, '0.5\u00d7'],
  [1, '1\u00d7'],
  [2, '2\u00d7'],
  [4, '4\u00d7'],
  [8, '8\u00d7'],
  [16, '16\u00d7'],
  [0, 'Max'],
];

/** What the part consists of. */
const contents = () => [
  make('div', { className: 'buttons' }, [
    make('button', { id: 'transport-back' }, [
      node('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, [node('path', { d: 'M8 3v10L1 8zM15 3v10L8 8z' })]),
    ]),
    make('button', { id: 'transport-play' }, [
      node('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, [
        node('path', { class: 'play', d: 'M3 2l11 6-11 6z' }),
        node('path', { class: 'pause', d: 'M3 2h4v12H3zM9 2h4v12H9z' }),
      ]),
    ]),
    make('button', { id: 'transport-forward' }, [
      node('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, [node('path', { d: 'M1 3l7 5-7 5zM8 3l7 5-7 5z' })]),
    ]),
  ]),
  make('span', { id: 'transport-line' }, [
    make('canvas', { id: 'transport-overview' }),
    make('input', { id: 'transport-slider', type: 'range', 'aria-label': 'Position in the recording' }),
  ]),
  make('p', { id: 'transport-time' }, [
    make('output', { id: 'transport-position', 'aria-live': 'off' }, '--'),
    ' ',
    make('span', { id: 'transport-duration' }),
  ]),
  make('p', { id: 'transport-recorded' }),
  make('strong', { id: 'transport-ended', hidden: true }, 'END'),
  make('label', { id: 'transport-speed-label' }, ['Speed ', make('select', { id: 'transport-speed' })]),
  make('button', { id: 'transport-loop', 'aria-pressed': 'false', title: 'At the end, start again' }, 'Loop'),
];

/** A position, or while the rate is not known its share. @param {State} state @param {number} seconds */
function positionText({ status, frame }, seconds) {
  const replay = replayOf(status);
  if (frame?.rateAssumed && replay?.duration) return `${fixed((100 * seconds) / replay.duration, 1)} %`;
  return formatPosition(seconds, replay ? timeDigits(replay) : 2);
}

class Transport {
  #dragging = false;
  #overview = new Overview();

  /** @param {import('../../app/actions.js').Actions} actions */
  constructor(actions) {
    this.actions = actions;
    byId('transport').append(...contents());
    this.slider = /** @type {HTMLInputElement} */ (byId('transport-slider'));
    this.speed = /** @type {HTMLSelectElement} */ (byId('transport-speed'));
    for (const [value, text] of SPEEDS) this.speed.add(new Option(text, String(value)));
    byId('transport-play').onclick = () => toggleReplay(actions);
    byId('transport-back').onclick = () => jumpReplay(actions, -1);
    byId('transport-forward').onclick = () => jumpReplay(actions, 1);
    byId('transport-loop').onclick = () => actions.server.replay({ loop: !replayOf(actions.store.state.status)?.loop });
    onChoice(this.speed, (speed) => actions.server.replay({ speed: Number(speed) }));
    this.slider.oninput = () => {
      this.#dragging = true;
      this.#showTime(Number(this.slider.value));
    };
    this.slider.onchange = () => {
      this.#dragging = false;
      seekReplay(actions, Number(this.slider.value));
    };
  }

  /** @param {number} seconds */
  #showTime(seconds) {
    const { state } = this.actions.store,
      text = positionText(state, seconds);
    setText(byId('transport-position'), text);
    this.slider.setAttribute('aria-valuetext', text);
  }

  /** The position. @param {State} state */
  follow(state) {
    if (!replayOf(state.status) || this.#dragging) return;
    const seconds = shownSeconds(state),
      recorded = state.figures?.frame.replay?.recordedMs ?? NaN,
      digits = timeDigits(replayOf(state.status) ?? {});
    this.slider.value = String(seconds);
    this.#showTime(seconds);
    setText(
      byId('transport-recorded'),
      Number.isNaN(recorded)
        ? ''
        : `${formatTime(recorded).slice(0, 19 + (digits && digits + 1))} ${zoneText(recorded)}`,
    );
  }

  /** All but the position. @param {State} state */
  show(state) {
    const replay = replayOf(state.status),
      controls = mayControl(state),
      seeks = maySeek(state);
    byId('transport').hidden = !replay;
    if (!replay) return;
    const step = positionText(state, jumpSeconds(replay));
    byId('transport-play').hidden = byId('transport-speed-label').hidden = !controls;
    for (const id of ['back', 'forward', 'loop']) byId(`transport-${id}`).hidden = !seeks;
    byId('transport').dataset.playing = String(!replay.paused && !replay.ended);
    this.#name('play', replay.ended ? 'Play again (R)' : replay.paused ? 'Play (R)' : 'Pause the recording (R)');
    this.#name('back', `Back by ${step} (J)`);
    this.#name('forward', `Forward by ${step} (L)`);
    byId('transport-loop').setAttribute('aria-pressed', String(replay.loop));
    byId('transport-ended').hidden = !replay.ended;
    this.speed.value = String(SPEEDS.find(([speed]) => speed === replay.speed)?.[0] ?? '');
    this.#showSlider(replay, seeks);
    setText(byId('transport-duration'), replay.duration === null ? '' : `/ ${positionText(state, replay.duration)}`);
    this.follow(state);
  }

  /** @param {string} id @param {string} name */
  #name(id, name) {
    byId(`transport-${id}`).title = name;
    byId(`transport-${id}`).setAttribute('aria-label', name);
  }

  /** @param {Record<string, any>} replay @param {boolean} seeks */
  #showSlider(replay, seeks) {
    byId('transport-line').hidden = replay.to === null;
    if (replay.to === null) return;
    this.slider.min = String(replay.from);
    this.slider.max = String(replay.to);
    this.slider.step = String(Math.max(1e-3, (replay.to - replay.from) / 1000));
    this.slider.disabled = !seeks;
  }

  /** Draws what was played since the last time. @param {State} state */
  showOverview({ status, frame }) {
    const replay = replayOf(status);
    if (!replay || replay.to === null || !frame) return;
    this.#overview.cover(replay.from, replay.to);
    if (this.#overview.add(this.actions.past?.liveRows ?? [], frame.lineRateHz))
      this.#overview.draw(/** @type {HTMLCanvasElement} */ (byId('transport-overview')));
  }
}

export const transport = {
  id: 'transport',

  /** @param {import('../list.js').Page} page */
  mount({ store, actions }) {
    const panel = new Transport(actions);
    store.subscribe(['status', 'control'], (state) => panel.show(state));
    store.subscribe(['figures'], (state) => {
      panel.follow(state);
      panel.showOverview(state);
    });
  },
};
