// The layer of the markers: the peak of the view, and the user's markers, which can be dragged.

import { addMarker, changeMarker, selectMarker } from './actions.js';
import { drawnLevel, hzOf, isInView, readingOf, shownFrame, strongestNear, trianglePlace } from './markers.js';
import { bendOf, yOf } from '../../plot/level_axis.js';
import { widthHz, xAt } from '../../plot/view.js';

/**
 * @typedef {import('./markers.js').Marker} Marker
 * @typedef {import('../../plot/display.js').Scene} Scene
 * @typedef {CanvasRenderingContext2D} Context
 * @typedef {Readonly<import('../../app/state.js').State>} State
 */

const HEIGHT = 10,
  LABEL_HEIGHT = 14; // CSS pixels

/** @param {Marker} marker */
export const labelOf = ({ id, deltaOf }) => (deltaOf === null ? `${id}` : `${id}\u0394${deltaOf}`);

/**
 * The tip of a marker: above the level there, inside of the spectrum.
 * @param {Scene} scene
 * @param {number} hz
 * @param {number} db
 */
function tipOf(scene, hz, db) {
  const { layout } = scene,
    { top, spectrumHeight } = layout;
  const y = Number.isFinite(db) ? yOf(scene, layout, db + bendOf(scene)(hz)) - 3 : top + spectrumHeight;
  return {
    x: layout.gutter + xAt(scene.view, hz) * layout.plotWidth,
    y: Math.min(top + spectrumHeight, Math.max(top + HEIGHT + LABEL_HEIGHT, y)),
  };
}

/** @param {Context} context @param {{ x: number, y: number }} tip @param {number} half  of its width */
function triangle(context, { x, y }, half) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - half, y - HEIGHT);
  context.lineTo(x + half, y - HEIGHT);
  context.closePath();
}

/** @param {Context} context @param {Scene} scene @param {State} state */
function drawPeak(context, scene, state) {
  const frame = shownFrame(state),
    hz = frame ? trianglePlace(state, frame) : undefined;
  if (!frame || hz === undefined) return;
  context.fillStyle = scene.theme.mark;
  triangle(context, tipOf(scene, hz, drawnLevel(frame, hz)), 5);
  context.fill();
}

/** @param {Context} context @param {Scene} scene */
function clipToPlots(context, { layout }) {
  context.beginPath();
  context.rect(layout.gutter, layout.top, layout.plotWidth, layout.height - layout.top);
  context.clip();
}

/**
 * The peak of the view.
 * @param {import('../../app/store.js').Store} store
 * @returns {import('../../plot/layers.js').Layer}
 */
export const peakLayer = (store) => ({
  z: 50,
  onChart: true,

  draw(context, scene) {
    clipToPlots(context, scene);
    drawPeak(context, scene, store.state);
  },
});

/** @param {Context} context @param {Scene} scene @param {State} state @param {Marker} marker */
function drawMarker(context, scene, state, marker) {
  const { layout, theme } = scene,
    selected = marker.id === state.selected;
  const tip = tipOf(scene, hzOf(state, marker), readingOf(state, marker)?.db ?? NaN);
  context.fillStyle = selected ? theme.text : theme.plot;
  context.strokeStyle = theme.text;
  context.lineWidth = 1.25;
  if (selected) {
    context.globalAlpha = 0.35;
    context.fillRect(Math.round(tip.x), layout.top, 1, layout.spectrumHeight);
    context.fillRect(Math.round(tip.x), layout.waterfallTop, 1, layout.waterfallHeight);
    context.globalAlpha = 1;
  }
  triangle(context, tip, 6);
  context.fill();
  context.stroke();
  context.font = `${selected ? 700 : 500} 11px ${theme.font}`;
  context.textAlign = 'center';
  context.lineWidth = 3;
  context.strokeStyle = theme.plot;
  context.fillStyle = theme.text;
  const y = tip.y - HEIGHT - 4,
    half = context.measureText(labelOf(marker)).width / 2 + 2;
  const x = Math.min(layout.gutter + layout.plotWidth - half, Math.max(layout.gutter + half, tip.x));
  context.strokeText(labelOf(marker), x, y);
  context.fillText(labelOf(marker), x, y);
}

/**
 * What a pointer means: the strongest column that it may mean, within the view.
 * @param {State} state @param {import('../../plot/layers.js').Point} point
 */
function hzNear(state, { hz, nearHz }) {
  const { shownView } = state,
    frame = shownFrame(state);
  const inside = widthHz(shownView) * 1e-9;
  const clipped = (/** @type {number} */ wanted) =>
    Math.min(shownView.highHz - inside, Math.max(shownView.lowHz + inside, wanted));
  return frame ? (strongestNear(frame, clipped(hz - nearHz), clipped(hz + nearHz)) ?? clipped(hz)) : clipped(hz);
}

/**
 * @param {import('../../app/store.js').Store} store
 * @param {import('../../app/actions.js').Actions} actions
 * @returns {import('../../plot/layers.js').Layer}
 */
export const markerLayer = (store, actions) => ({
  z: 50,
  moves: 'lines',

  shown: () => store.state.markers.length > 0,

  draw(context, scene) {
    const { state } = store;
    clipToPlots(context, scene);
    for (const marker of state.markers) if (isInView(state, marker)) drawMarker(context, scene, state, marker);
  },

  /** @returns {number | null}  the id of the nearest marker, whose triangle or label is there */
  hit(x, y, scene, reach) {
    const { state } = store;
    const near = state.markers
      .filter((marker) => isInView(state, marker))
      .map((marker) => {
        const tip = tipOf(scene, hzOf(state, marker), readingOf(state, marker)?.db ?? NaN);
        return { id: marker.id, x: Math.abs(x - tip.x), y: Math.max(tip.y - HEIGHT - LABEL_HEIGHT - y, y - tip.y) };
      })
      .filter((distance) => distance.x <= reach && distance.y <= reach);
    near.sort((a, b) => a.x - b.x);
    return near[0]?.id ?? null;
  },

  drag(id, point, phase) {
    if (phase === 'start') selectMarker(store, id);
    if (phase === 'move') changeMarker(store, id, { hz: hzNear(store.state, point), track: false });
  },

  tap(point) {
    if (!store.state.placing) return false;
    addMarker(actions, hzNear(store.state, point));
    return true;
  },
});
