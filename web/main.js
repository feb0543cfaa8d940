// Wires the page: the store, the server, the picture, the user's input, and the panels.

import { Actions } from './app/actions.js';
import { firstHash, followAddress } from './app/address.js';
import { Density } from './features/density/density.js';
import { followBandPlan } from './features/bookmarks/band_plan.js';
import { followMarkers } from './features/markers/markers.js';
import { Drawing } from './app/drawing.js';
import { listenKeys } from './app/keys.js';
import { mayChange, Measure } from './features/measure/measure.js';
import { registerWorker } from './app/offline.js';
import { PastRows } from './features/history/rows.js';
import { locate } from './features/replay/replay.js';
import { receiveLink, receiveMessage, requestViews } from './app/server.js';
import { initialState, Store } from './app/state.js';
import { followThrift } from './app/thrift.js';
import { followWaterfall } from './features/waterfall/range.js';
import { requestTraces } from './features/traces/traces.js';
import { markedEvents, showEvent, shownLimits } from './features/triggers/triggers.js';
import { Connection } from './net/connection.js';
import { socketUrl } from './net/socket.js';
import { box } from './features/box/bar.js';
import { bookmarks } from './features/bookmarks/panel.js';
import { controls } from './features/radio/controls.js';
import { densityPanel } from './features/density/panel.js';
import { divider, storedSplit } from './features/spectrum/divider.js';
import { help } from './features/help/help.js';
import { hover } from './features/spectrum/hover.js';
import { ledger } from './features/status/ledger.js';
import { lease } from './features/radio/lease_panel.js';
import { levels } from './features/spectrum/levels.js';
import { link } from './features/status/link.js';
import { menu } from './features/help/menu.js';
import { measurePanel } from './features/measure/panel.js';
import { markers } from './features/markers/panel.js';
import { message } from './features/status/message.js';
import { past as pastPanel } from './features/history/panel.js';
import { peak } from './features/spectrum/peak.js';
import { presets } from './features/radio/presets_panel.js';
import { record } from './features/recording/panel.js';
import { source } from './features/status/source.js';
import { tools } from './features/spectrum/tools.js';
import { traces } from './features/traces/panel.js';
import { traceLegend } from './features/traces/legend.js';
import { transport } from './features/replay/panel.js';
import { triggers } from './features/triggers/panel.js';
import { listenTuneClick, tuning } from './features/tuning/panel.js';
import { waterfallPanel } from './features/waterfall/panel.js';
import { viewLine } from './features/spectrum/view_line.js';
import { BandLayer } from './features/measure/layer.js';
import { BandPlanLayer } from './features/bookmarks/layer.js';
import { BoxLayer } from './features/box/layer.js';
import { crosshair } from './plot/crosshair.js';
import { Display } from './plot/display.js';
import { EventLayer } from './features/triggers/event_layer.js';
import { Layers } from './plot/layers.js';
import { MaskLayer } from './features/triggers/mask_layer.js';
import { markerLayer, peakLayer } from './features/markers/layer.js';
import { listenPointer } from './plot/pointer.js';
import { bindButtons } from './ui/commands.js';
import { byId } from './util/dom.js';
import { parseHash } from './util/hash.js';

/**
 * @typedef {object} Panel  one part of the page, in a module of its own
 * @property {string} id  of its element in index.html
 * @property {(store: Store, actions: Actions, measure: Measure) => void} mount  called once
 */

/** @type {Panel[]} */
const PANELS = [source, link, peak, tools, message, viewLine, traceLegend, traces, hover, controls, ledger, help, menu, densityPanel, measurePanel,
  divider, markers, pastPanel, transport, tuning, levels, bookmarks, lease, presets, waterfallPanel, record, triggers, box];

const store = new Store(initialState(parseHash(firstHash())));
const connection = new Connection(socketUrl(document.baseURI), {
  onState: (state) => receiveLink(store, state),
  onMessage: (received) => { if (!measure.receive(received)) receiveMessage(store, received); },
  onFrame: (frame) => drawing.add({ ...frame, replay: locate(store.state.anchors, frame) }),
  onDensity: (hits) => density.add(hits),
  onHistory: (answer) => past.receive(answer),
});
connection.open(); // first: the server answers while the page is built
const past = new PastRows(store, connection);
const actions = new Actions(store, connection, past);
const measure = new Measure(store, connection);
const drawing = new Drawing(store, actions, connection, past);
const layers = new Layers([crosshair, peakLayer(store), markerLayer(store, actions)]);
const plan = new BandPlanLayer(store, actions);
layers.add(plan);
layers.add(new BandLayer(() => (store.state.measureOpen ? store.state.measurements : []), (measurement) => mayChange(store.state, measurement),
  (measurement, keys) => measure.drag(measurement, keys), () => plan.height));
layers.add(new EventLayer(() => markedEvents(store.state), () => store.state.eventShown, (event) => showEvent(actions, event)));
layers.add(new MaskLayer(() => shownLimits(store.state), () => store.state.maskDraft, (maskDraft) => store.update({ maskDraft })));
layers.add(new BoxLayer(() => store.state, (drawn, done) => store.update({ box: drawn, ...(done && { boxing: false }) })));
const display = new Display(byId('display'), {
  layers,
  renderer: store.state.renderer,
  onResize: (columns) => store.update({ columns }),
  onLayout: (layout) => store.update({ layout }),
  needDraw: () => drawing.schedule(),
});

drawing.start(display);
past.start(display);
actions.traces.use(connection, display);
actions.triggers.use(connection);
store.update({ split: storedSplit() });
store.subscribe(['split'], ({ split }) => display.setSplit(split));
store.subscribe(['measurements', 'measureOpen', 'bands', 'bookmarks', 'ownBookmarks', 'bandsShown', 'bookmarksShown', 'events', 'eventShown', 'triggers', 'triggerLimits', 'triggersOpen', 'maskDraft', 'box'],
  () => drawing.schedule());
const density = new Density(store, display, connection);
for (const panel of PANELS) panel.mount(store, actions, measure);
bindButtons(actions);
listenPointer(byId('display'), display, actions);
listenTuneClick(byId('display'), () => display.layout, actions, (x, y) => plan.bookmarkAt(x, y, 3)?.hz);
listenKeys(actions);
followAddress(store, actions);
requestViews(store, connection);
requestTraces(store, connection);
followThrift(store);
followWaterfall(store);
followMarkers(store, connection);
followBandPlan(store);
registerWorker();
