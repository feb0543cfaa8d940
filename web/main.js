// Wires the page: the store, the server, the picture, the user's input, and the panels.

import { Actions } from './app/actions.js';
import { followAddress } from './app/address.js';
import { Drawing } from './app/drawing.js';
import { listenKeys } from './app/keys.js';
import { receiveLink, receiveMessage, requestViews } from './app/server.js';
import { initialState, Store } from './app/state.js';
import { Connection, socketUrl } from './net/connection.js';
import { controls } from './panels/controls.js';
import { help } from './panels/help.js';
import { hover } from './panels/hover.js';
import { ledger } from './panels/ledger.js';
import { link } from './panels/link.js';
import { message } from './panels/message.js';
import { peak } from './panels/peak.js';
import { source } from './panels/source.js';
import { tools } from './panels/tools.js';
import { viewLine } from './panels/view_line.js';
import { Display } from './plot/display.js';
import { listenPointer } from './plot/pointer.js';
import { byId } from './util/dom.js';
import { parseHash } from './util/hash.js';

/**
 * @typedef {object} Panel  one part of the page, in a module of its own
 * @property {string} id  of its element in index.html
 * @property {(store: Store, actions: Actions) => void} mount  called once
 */

/** @type {Panel[]} */
const PANELS = [source, link, peak, tools, message, viewLine, hover, controls, ledger, help];

const store = new Store(initialState(parseHash(location.hash)));
const connection = new Connection(socketUrl(document.baseURI), {
  onState: (state) => receiveLink(store, state),
  onMessage: (received) => receiveMessage(store, received),
  onFrame: (frame) => drawing.add(frame),
});
const actions = new Actions(store, connection);
const drawing = new Drawing(store, actions, connection);
const display = new Display(byId('display'), {
  renderer: store.state.renderer,
  onResize: (columns) => store.update({ columns }),
  needDraw: () => drawing.schedule(),
});

drawing.start(display);
for (const panel of PANELS) panel.mount(store, actions);
listenPointer(byId('display'), () => display.layout, actions);
listenKeys(actions);
followAddress(store, actions);
requestViews(store, connection);
connection.open();
