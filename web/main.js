// Wires the page: the store, the server, the picture, the user's input, and the features.

import { Actions } from './app/actions.js';
import { firstHash, followAddress } from './app/address.js';
import { bindButtons } from './app/commands.js';
import { Drawing } from './app/drawing.js';
import { COMMANDS, FEATURES } from './app/features.js';
import { parseHash } from './app/hash.js';
import { listenKeys } from './app/keys.js';
import { registerWorker } from './app/offline.js';
import { receiveLink, receiveMessage, requestViews } from './app/server.js';
import { initialState, PANELS } from './app/state.js';
import { Store } from './app/store.js';
import { PastRows } from './features/history/rows.js';
import { Measure } from './features/measure/measure.js';
import { locate } from './features/replay/replay.js';
import { Connection } from './net/connection.js';
import { socketUrl } from './net/socket.js';
import { Display } from './plot/display.js';
import { Layers } from './plot/layers.js';
import { listenPointer } from './plot/pointer.js';
import { byId, putElement } from './util/dom.js';

const store = new Store(initialState(parseHash(firstHash())));
const connection = new Connection(socketUrl(document.baseURI), {
  onState: (state) => receiveLink(store, state),
  onMessage: (received) => {
    if (!measure.receive(received)) receiveMessage(store, received);
  },
  onFrame: (frame) => drawing.add({ ...frame, replay: locate(store.state.anchors, frame) }),
  onDensity: (hits) => page.takeDensity?.(hits),
  onHistory: (answer) => past.receive(answer),
});
connection.open(); // first: the server answers while the page is built
const past = new PastRows(store, connection);
const actions = new Actions(store, connection, past);
const measure = new Measure(store, connection);
const drawing = new Drawing(store, actions, connection, past);

/** @type {Omit<import('./features/list.js').Page, 'display'>} */
const parts = { store, actions, connection, past, measure, commands: COMMANDS, panels: PANELS };
const layers = new Layers(FEATURES.flatMap((feature) => feature.layers?.(parts) ?? []));
const display = new Display(byId('display'), {
  layers,
  renderer: store.state.renderer,
  onResize: (columns) => store.update({ columns }),
  onLayout: (layout) => store.update({ layout }),
  needDraw: () => drawing.schedule(),
});
/** @type {import('./features/list.js').Page} */
const page = { ...parts, display };

drawing.start(display);
store.subscribe(
  FEATURES.flatMap(({ draws }) => draws ?? []),
  () => drawing.schedule(),
);
const all = FEATURES.flatMap((feature) => feature.parts ?? []);
for (const { element, place } of all) if (element && place) putElement(element(parts), place);
listenPointer(byId('display'), display, actions);
for (const { start } of FEATURES) start?.(page);
for (const part of all) part.mount(page);
bindButtons(COMMANDS, actions);
listenKeys(COMMANDS, actions);
followAddress(store);
requestViews(store, connection);
registerWorker();
