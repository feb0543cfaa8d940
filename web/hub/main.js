// Wires the page of a hub: the connection, the list of radios, their cards, the panorama, and the address.

import { CHOSEN_MAX, formatShown, PANORAMAS, parseShown, SECONDS } from './address.js';
import { Feed, WANTED_MAX } from './feed.js';
import { RadioList } from './list.js';
import { drawMap } from './map.js';
import { judgeClocks } from './radios.js';
import { Stage, tickMs } from './stage.js';
import { TimeAxis } from './time_axis.js';
import { KEPT_MS } from './track.js';
import { registerWorker } from '../app/offline.js';
import { socketUrl } from '../net/socket.js';
import { byId, make, onChoice, selectById, setText } from '../util/dom.js';
import { countdown, isLost, linkWords } from '../util/link_text.js';

/** @typedef {import('./radios.js').Radio} Radio */

const FIRST_SHOWN = 4; // without a choice in the address
const COUNTDOWN_EVERY_MS = 500;
const SHOWN_MS = 12000; // a message

let shown = parseShown(location.hash);
/** @type {Radio[] | null}  null: the hub has not sent them yet */
let radios = null;
let connected = true; // the hub to its broker
/** @type {string[]} */
let first = [];
let clockMs = 0; // the hub's clock against that of this machine
/** @type {Map<string, { lastMs: number, skews: number[] }>} */
const skews = new Map();
/** @type {Map<number, string>} */
let names = new Map();
/** @type {import('../net/socket.js').LinkState} */
let link = { kind: 'connecting', reason: '', retryAt: 0 };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let messageTimer;

const now = () => Date.now() + clockMs;

/** Names of the radios that are shown: the chosen ones that are there, or the first ones. */
function chosenNames() {
  const there = radios ?? [],
    all = there.map(({ name }) => name);
  if (shown.radios) return shown.radios.filter((name) => all.includes(name));
  return first.filter((name) => all.includes(name));
}

/** Without a choice, the first radios that come are shown. They stay when they are gone. @param {Radio[]} there */
function chooseFirst(there) {
  const present = there.filter(({ name, state }) => state !== 'gone' && !first.includes(name)).map(({ name }) => name);
  first = [...first.filter((name) => there.some((radio) => radio.name === name)), ...present].slice(0, FIRST_SHOWN);
  if (first.length === 0) first = there.slice(0, FIRST_SHOWN).map(({ name }) => name);
}

/** @param {Partial<import('./address.js').Shown>} changes */
function change(changes) {
  shown = { ...shown, ...changes };
  history.replaceState(null, '', formatShown(shown) || location.pathname + location.search);
  show();
}

/** @param {string} name @param {boolean} isChosen */
function choose(name, isChosen) {
  const others = chosenNames().filter((other) => other !== name);
  if (isChosen && others.length >= CHOSEN_MAX) return showMessage(`${CHOSEN_MAX} radios at most are shown at once.`);
  change({ radios: isChosen ? [...others, name] : others });
}

/** @param {string} text */
function showMessage(text) {
  setText(byId('message-text'), text);
  byId('message').hidden = false;
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => {
    byId('message').hidden = true;
  }, SHOWN_MS);
}

/** Seconds of the past that the lines of wanted radios begin with. */
let pastS = 0;

/** From now to the bottom of the waterfalls, as far as this page keeps lines. */
const secondsBack = () =>
  Math.min(KEPT_MS / 1000, Math.ceil((now() - (shown.atMs ?? now())) / 1000) + shown.seconds + 2);

/** What the axis shows comes from the memory of this page, then of the hub, then from the archive of the hub. */
function lookBack() {
  const neededS = secondsBack();
  if (neededS > pastS && !stage.reaches(now() - 1000 * neededS)) {
    pastS = Math.min(KEPT_MS / 1000, Math.max(neededS, shown.atMs === null ? 0 : 2 * pastS));
    if (feed.wantAgain(pastS)) stage.refill();
  }
  stage.lookBack();
}

const axis = new TimeAxis({
  now,
  axisMs: () => stage.axisMs,
  onMove: (atMs) => stage.moveTo(atMs),
  onSettle: (atMs) => {
    change({ atMs });
    lookBack();
  },
});

const stage = new Stage({
  now,
  onCard: (plots, layout) => axis.listen(plots, layout),
  renderer: shown.renderer,
  onClose: (name) => choose(name, false),
  asker: {
    call: (...call) => feed.call(...call),
    needsToken: () => !feed.allowed,
    login: (token) => feed.login(token),
  },
});
const list = new RadioList({ onChoose: choose, onOnly: (name) => change({ radios: [name] }) });

/** Everything but the pictures. */
function show() {
  const there = radios ?? [],
    chosen = chosenNames(),
    byName = new Map(there.map((radio) => [radio.name, radio]));
  const all = shown.panorama === 'all' ? [...new Set([...chosen, ...byName.keys()])].slice(0, WANTED_MAX) : chosen;
  pastS ||= secondsBack();
  feed.want(
    all.map((name) => /** @type {Radio} */ (byName.get(name)).id),
    pastS,
  );
  byId('panorama').hidden = shown.panorama === 'off' || all.length < 2; // one has its card
  stage.setSeconds(shown.seconds);
  stage.show(chosen, all, byName);
  list.show(
    there,
    new Map([...stage.cards].map(([name, { color }]) => [name, color])),
    chosen.length >= CHOSEN_MAX,
    now(),
  );
  drawMap(/** @type {any} */ (byId('map')), there, (name) => choose(name, !chosenNames().includes(name)));
  selectById('time').value = String(shown.seconds);
  selectById('panorama-of').value = shown.panorama;
  showEmpty(chosen);
}

/** What stands in place of the cards where there are none. @param {string[]} chosen */
function showEmpty(chosen) {
  byId('no-radios').hidden = radios === null || radios.length > 0 || !connected;
  byId('none-chosen').hidden = radios === null || radios.length === 0 || chosen.length > 0;
  const missing = (shown.radios ?? []).filter((name) => radios !== null && !chosen.includes(name));
  byId('not-there').hidden = missing.length === 0 || radios?.length === 0;
  setText(byId('not-there'), `The address names ${missing.join(', ')}: no such radio announces itself here.`);
}

function showLink() {
  const live = connected ? 'Live' : 'The hub has no connection to its broker';
  const words = linkWords(link, { live, waiting: 'the hub has not sent its list of radios yet' }),
    text = words + countdown(link, performance.now());
  setText(byId('link-text'), text);
  setText(byId('link-announcement'), words);
  byId('link').title = text;
  byId('link').dataset.kind = link.kind === 'live' && !connected ? 'waiting' : link.kind;
  document.body.dataset.link = link.kind;
  byId('problem').hidden = !isLost(link);
  setText(byId('problem'), isLost(link) ? text : '');
}

const feed = new Feed(socketUrl(document.baseURI), {
  onState: (state) => {
    if (link.kind === 'live' && state.kind !== 'live') {
      stage.pause();
      pastS = 0; // what this page has need not come again
    }
    link = state;
    showLink();
  },
  onRadios: (received) => {
    ({ radios, connected } = received);
    judgeClocks(received.radios, skews);
    showLink();
    chooseFirst(received.radios);
    names = new Map(received.radios.map(({ id, name }) => [id, name]));
    if (Number.isFinite(received.sentMs)) clockMs = received.sentMs - Date.now();
    show();
    stage.lookBack();
  },
  onLine: (id, line) => {
    const name = names.get(id);
    if (name !== undefined) stage.add(name, line);
  },
  onUnreadable: (id, reason) => stage.cards.get(names.get(id) ?? '')?.fault(reason),
  onNote: showMessage,
});

// ---- input --------------------------------------------------------------------------------------

/** @param {string} key @returns {boolean}  true: it is a command */
function command(key) {
  if (key === '/') byId('filter-row').hidden ? byId('radios').querySelector('input')?.focus() : byId('filter').focus();
  else if (key === 'p') change({ panorama: PANORAMAS[(PANORAMAS.indexOf(shown.panorama) + 1) % PANORAMAS.length] });
  else if (key === 't') {
    change({ seconds: SECONDS[(SECONDS.indexOf(shown.seconds) + 1) % SECONDS.length] });
    lookBack();
  } else if (/^[1-9]$/.test(key) && radios?.[Number(key) - 1])
    choose(radios[Number(key) - 1].name, !chosenNames().includes(radios[Number(key) - 1].name));
  else return false;
  return true;
}

addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target),
    typing = target.matches('input:not([type=checkbox]), select');
  if (event.key === 'Escape' && typing) target.blur();
  if (typing || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  if (axis.command(event.key) || command(event.key.toLowerCase())) event.preventDefault();
});
addEventListener('hashchange', ({ newURL }) => {
  shown = parseShown(new URL(newURL).hash);
  show();
  axis.moveTo(shown.atMs);
});
byId('message-close').onclick = () => {
  byId('message').hidden = true;
};
byId('list-open').onclick = () =>
  byId('list-open').setAttribute('aria-expanded', String(document.body.classList.toggle('list-shown')));
for (const seconds of SECONDS)
  selectById('time').append(
    make('option', { value: String(seconds), textContent: seconds < 120 ? `${seconds} s` : `${seconds / 60} min` }),
  );
onChoice(selectById('time'), (value) => {
  change({ seconds: Number(value) });
  lookBack();
});
onChoice(selectById('panorama-of'), (value) =>
  change({ panorama: PANORAMAS.find((each) => each === value) ?? 'chosen' }),
);

if (shown.atMs !== null) axis.moveTo(shown.atMs);

/** Ages and countdowns go on while nothing comes. */
setInterval(() => {
  showLink();
  if (radios) show();
}, COUNTDOWN_EVERY_MS);
const tick = () => {
  stage.tick();
  setTimeout(tick, tickMs(stage.axis));
};
tick();
feed.open();
registerWorker();
