// Puts the page together: what is shown, what a frame, a message or a gesture changes, and when to draw.

import { Connection, socketUrl } from './net/connection.js';
import { Display } from './plot/display.js';
import { formatHash, parseHash } from './util/hash.js';
import { rowLevel } from './plot/history.js';
import { listen, listenKeys } from './plot/pointer.js';
import { autoRange, DEFAULT_RANGE, shiftRange, zoomRange } from './plot/levels.js';
import { PALETTES } from './plot/palette.js';
import { Panel } from './panels/controls.js';
import { byId, hoverLines, Readouts } from './panels/readouts.js';
import { hzAtX } from './plot/spectrum.js';
import { clip, hzAt, isWhole, narrowest, overlaps, panBy, pinch, spanOf, widthHz, zoomAt } from './plot/view.js';
import { levelAt, TRACES } from './net/wire.js';

/**
 * @typedef {import('./net/wire.js').Frame} Frame
 * @typedef {import('./plot/view.js').View} View
 */

/** @param {import('./util/hash.js').Shown} from @returns {View | null} */
function viewOf({ low, high }) {
  return low === undefined || high === undefined ? null : { lowHz: low, highHz: high };
}

/** @param {import('./util/hash.js').Shown} from @returns {import('./plot/levels.js').Range | null} */
function rangeOf({ bottom, top }) {
  return bottom === undefined || top === undefined ? null : { bottomDb: bottom, topDb: top };
}

const shown = parseHash(location.hash);
const readouts = new Readouts();
const app = {
  view: viewOf(shown), // null: the whole span
  rangeBy: rangeOf(shown) ? 'user' : '', // '': the first spectrum chooses
  trace: shown.trace ?? 'mean',
  paused: false,
  afterPause: false, // rows were not drawn: the next one follows a gap
  afterBreak: false, // the connection was away: the next frame to arrive follows a gap
  tokenSent: false,
  /** @type {Frame | null} */ frame: null,
  /** @type {Frame[]} */ waiting: [],
  /** @type {Record<string, any> | null} */ status: null,
  /** @type {{ x: number, y: number } | null} */ cursor: null,
};

// ---- drawing ------------------------------------------------------------------------------

let scheduled = false;
function needDraw() {
  if (!scheduled) requestAnimationFrame(draw);
  scheduled = true;
}

const pace = { drawn: 0, bytes: 0, merged: 1 };
let counted = { at: performance.now(), frames: 0, bytes: 0, merged: 1 };
function measurePace() {
  const now = performance.now(), seconds = (now - counted.at) / 1000;
  if (seconds < 1) return;
  pace.drawn = counted.frames / seconds;
  pace.bytes = (connection.bytes - counted.bytes) / seconds;
  pace.merged = counted.merged;
  counted = { at: now, frames: 0, bytes: connection.bytes, merged: 1 };
}

/** @param {Frame} frame */
function take(frame) {
  followSpan(frame);
  app.frame = frame;
  if (app.paused) {
    app.afterPause = true;
    return;
  }
  if (!app.rangeBy) autoLevel(frame);
  display.add(frame, frame.gap || app.afterPause);
  app.afterPause = false;
}

/** @param {number} now */
function draw(now) {
  scheduled = false;
  const frames = app.waiting.splice(0);
  frames.forEach(take);
  counted.frames += frames.length;
  counted.merged = Math.max(counted.merged, ...frames.map((frame) => frame.merged));
  measurePace();
  const moving = display.draw(now);
  connection.credit(frames.length); // only now: what is not drawn yet is still in flight
  if (app.frame) {
    byId('notice').hidden = true;
    readouts.show(app.frame, display.scene.view, pace);
  }
  showHover();
  if (moving) needDraw();
}

// ---- what is shown --------------------------------------------------------------------------

/** A retuned radio may have left what was on screen. @param {Frame} frame */
function followSpan(frame) {
  const span = spanOf(frame);
  if (app.view && !overlaps(app.view, span)) changeView(null);
  display.scene.view = app.view ? clip(app.view, span, narrowest(frame)) : span;
}

function requestView() {
  const edges = app.view ? { low_hz: app.view.lowHz, high_hz: app.view.highHz } : {};
  connection.requestView({ ...edges, columns: Math.min(8192, Math.max(1, display.columns)), trace: app.trace });
}

/** @param {View | null} view */
function changeView(view) {
  app.view = view;
  if (view) display.scene.view = view;
  else if (app.frame) display.scene.view = spanOf(app.frame);
  display.touch();
  requestView();
  keepHash();
}

/** @param {(view: View, span: View, minHz: number) => View} change */
function moveView(change) {
  if (!app.frame) return;
  const span = spanOf(app.frame);
  const view = change(display.scene.view, span, narrowest(app.frame));
  changeView(isWhole(view, span) ? null : view);
}

/**
 * @param {import('./plot/levels.js').Range} range
 * @param {'user' | 'auto'} [by]  only what a person chose is kept in the address
 */
function changeRange(range, by = 'user') {
  app.rangeBy = by;
  display.scene.range = range;
  display.touch();
  keepHash();
}

/** @param {Frame | null} frame */
function autoLevel(frame) {
  if (frame) changeRange(autoRange(frame), 'auto');
}

/** @param {string} trace */
function changeTrace(trace) {
  app.trace = trace;
  /** @type {HTMLSelectElement} */ (byId('trace')).value = trace;
  requestView();
  keepHash();
}

/** @param {string} palette */
function changePalette(palette) {
  display.scene.palette = palette;
  /** @type {HTMLSelectElement} */ (byId('palette')).value = palette;
  display.touch();
  keepHash();
}

/** @param {number} pixels */
function changeSpeed(pixels) {
  display.setSpeed(Math.min(8, Math.max(1, pixels)));
  keepHash();
}

/** @param {number} fraction  of the view's width */
function panPart(fraction) {
  moveView((view, span) => panBy(view, span, fraction));
}

function togglePause() {
  app.paused = !app.paused;
  byId('pause').setAttribute('aria-pressed', String(app.paused));
  byId('paused').hidden = !app.paused;
}

function toggleFullscreen() {
  const refused = () => readouts.message('This browser refuses full screen.');
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(refused);
  else refused();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hashTimer;
function keepHash() {
  clearTimeout(hashTimer);
  hashTimer = setTimeout(() => {
    const { range, palette } = display.scene;
    const levels = app.rangeBy === 'user' ? { bottom: range.bottomDb, top: range.topDb } : {};
    const hash = formatHash({ low: app.view?.lowHz, high: app.view?.highHz, ...levels, trace: app.trace, palette,
      speed: display.speed, renderer: shown.renderer });
    if (hash !== location.hash) history.replaceState(null, '', hash);
  }, 400);
}

/** Somebody typed an address or followed a link. */
function followHash() {
  const wanted = parseHash(location.hash);
  if (wanted.trace) changeTrace(wanted.trace);
  if (wanted.palette) changePalette(wanted.palette);
  if (wanted.speed) changeSpeed(wanted.speed);
  const range = rangeOf(wanted);
  if (range) changeRange(range);
  changeView(viewOf(wanted));
}

// ---- under the cursor -----------------------------------------------------------------------

function showHover() {
  const { cursor, frame } = app, { scene, layout } = display;
  if (!cursor || !frame) return readouts.hover(null, []);
  const hz = hzAtX(scene, layout, cursor.x);
  const inWaterfall = cursor.y >= layout.waterfallTop;
  const row = inWaterfall ? scene.history.at(display.ageAt(cursor.y)) ?? null : null;
  const db = inWaterfall ? (row ? rowLevel(row, hz) : NaN) : scene.frame ? levelAt(scene.frame, hz) : NaN;
  const resolution = Math.max(widthHz(scene.view) / layout.plotWidth, 1e-3);
  const at = { ...cursor, right: layout.width, bottom: layout.height };
  readouts.hover(at, hoverLines(hz, resolution, db, row));
}

// ---- the server -----------------------------------------------------------------------------

/** @type {Record<string, (message: Record<string, any>) => void>} */
const MESSAGES = {
  welcome(message) {
    panel.allow(message.control === true, app.tokenSent ? 'The token was not accepted: viewing only.'
      : 'Viewing only: changing the radio takes the control token.');
  },
  status(message) {
    app.status = message;
    readouts.source(message);
    readouts.link(connection.state, message);
    panel.show(message);
  },
  error(message) {
    readouts.message(`Refused: ${String(message.message)}`);
    panel.failed(String(message.message));
  },
  done() { panel.done(); },
};

const connection = new Connection(socketUrl(document.baseURI), {
  onState(state) {
    if (state.kind !== 'live') {
      app.afterBreak = app.frame !== null;
      app.status = null;
      panel.allow(false, 'Not connected.');
    }
    readouts.link(state, app.status);
  },
  onFrame(frame) {
    // Known only here: frames from before the break may still wait to be drawn.
    app.waiting.push(app.afterBreak ? { ...frame, gap: true } : frame);
    app.afterBreak = false;
    needDraw();
  },
  onMessage: (message) => { if (Object.hasOwn(MESSAGES, message.type)) MESSAGES[message.type](message); },
});

const panel = new Panel({
  set: (fields) => { if (!connection.set(fields)) panel.failed('Not connected.'); },
  takeControl(token) {
    app.tokenSent = true;
    connection.open(token);
  },
});

const display = new Display(byId('display'), { renderer: shown.renderer, onResize: requestViewSoon, needDraw });

/** The display calls this while it is being made, too. */
function requestViewSoon() {
  queueMicrotask(() => { if (app.frame || connection.view) requestView(); });
}

// ---- people -----------------------------------------------------------------------------------

listen(byId('display'), {
  layout: () => display.layout,
  hzAt: (x) => hzAt(display.scene.view, x),
  hold: (hz, x) => moveView((view, span, minHz) => (hz.length > 1
    ? pinch(span, minHz, [hz[0], hz[1]], [x[0], x[1]])
    : panBy(view, span, (hz[0] - hzAt(view, x[0])) / widthHz(view)))),
  zoom: (factor, x) => moveView((view, span, minHz) => zoomAt(view, span, minHz, factor, x)),
  pan: panPart,
  zoomLevels: (factor, y) => changeRange(zoomRange(display.scene.range, factor, y)),
  shiftLevels(fraction) {
    const { range } = display.scene;
    changeRange(shiftRange(range, fraction * (range.topDb - range.bottomDb)));
  },
  speed: (steps) => changeSpeed(display.speed + steps),
  reset: () => changeView(null),
  hover(at) {
    app.cursor = display.cross = at;
    needDraw();
  },
});

/** @param {number} db */
const shiftDb = (db) => changeRange(shiftRange(display.scene.range, db));
const nextTrace = () => changeTrace(TRACES[(TRACES.indexOf(app.trace) + 1) % TRACES.length]);
/** @param {number} factor */
const zoomMiddle = (factor) => moveView((view, span, minHz) => zoomAt(view, span, minHz, factor, 0.5));
const help = /** @type {HTMLDialogElement} */ (byId('help'));

const KEYS = [
  { keys: ['ArrowLeft'], shown: '\u2190', about: 'lower frequencies', run: () => panPart(-0.1) },
  { keys: ['ArrowRight'], shown: '\u2192', about: 'higher frequencies', run: () => panPart(0.1) },
  { keys: ['ArrowUp'], shown: '\u2191', about: 'show weaker levels: everything 5 dB up', run: () => shiftDb(-5) },
  { keys: ['ArrowDown'], shown: '\u2193', about: 'show stronger levels: everything 5 dB down', run: () => shiftDb(5) },
  { keys: ['+', '='], shown: '+', about: 'zoom in', run: () => zoomMiddle(1.5) },
  { keys: ['-', '_'], shown: '\u2212', about: 'zoom out', run: () => zoomMiddle(1 / 1.5) },
  { keys: ['0', 'Home'], shown: '0', about: 'the whole span', run: () => changeView(null) },
  { keys: [' '], shown: 'Space', about: 'pause and go on', run: togglePause },
  { keys: ['a'], shown: 'A', about: 'level range from what is on screen', run: () => autoLevel(app.frame) },
  { keys: ['t'], shown: 'T', about: 'next trace: mean, max, min, sample', run: nextTrace },
  { keys: ['c'], shown: 'C', about: 'the radio\'s controls', run: () => panel.toggle() },
  { keys: ['f'], shown: 'F', about: 'full screen', run: toggleFullscreen },
  { keys: ['?'], shown: '?', about: 'this list', run: () => help.showModal() },
];

function fillHelp() {
  for (const { shown: key, about } of KEYS) {
    byId('keys').appendChild(document.createElement('dt')).textContent = key;
    byId('keys').appendChild(document.createElement('dd')).textContent = about;
  }
}

function start() {
  fillHelp();
  listenKeys(KEYS);
  for (const name of Object.keys(PALETTES)) {
    const option = byId('palette').appendChild(document.createElement('option'));
    option.value = option.textContent = name;
  }
  byId('trace').onchange = (event) => changeTrace(/** @type {HTMLSelectElement} */ (event.target).value);
  byId('palette').onchange = (event) => changePalette(/** @type {HTMLSelectElement} */ (event.target).value);
  byId('auto').onclick = () => autoLevel(app.frame);
  byId('pause').onclick = togglePause;
  byId('help-open').onclick = () => help.showModal();
  byId('help-close').onclick = () => help.close();
  display.scene.range = rangeOf(shown) ?? DEFAULT_RANGE;
  changeSpeed(shown.speed ?? 2);
  changePalette(shown.palette ?? 'turbo');
  changeTrace(shown.trace ?? 'mean');
  addEventListener('hashchange', followHash);
  setInterval(() => readouts.link(connection.state, app.status), 500);
  connection.open();
}

start();
