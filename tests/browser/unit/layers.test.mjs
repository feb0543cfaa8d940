// Layers over the plots: the order of drawing, and which layer takes a pointer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Layers } from '../../../web/plot/layers.js';

const CONTEXT = /** @type {any} */ ({ save() {}, restore() {} });
const SCENE = /** @type {any} */ ({});
const POINT = { x: 3, y: 4, hz: 100e6, db: -20, inSpectrum: true, nearHz: 0 };

/**
 * A layer that notes what it is asked.
 * @param {string} name
 * @param {number} z
 * @param {object} hooks
 * @param {string[]} notes
 */
const layer = (name, z, hooks, notes) => ({
  z,
  draw: () => {
    notes.push(name);
  },
  ...hooks,
});

test('layers are drawn from the lowest to the highest', () => {
  /** @type {string[]} */
  const notes = [];
  const layers = new Layers([layer('crosshair', 100, {}, notes), layer('bands', 10, {}, notes)]);
  layers.add(layer('markers', 50, {}, notes));
  layers.draw(CONTEXT, SCENE);
  assert.deepEqual(notes, ['bands', 'markers', 'crosshair']);
});

test('the highest layer with a handle at a place takes the drag', () => {
  /** @type {string[]} */
  const notes = [];
  const grips = (/** @type {string} */ name, /** @type {number} */ at) => ({
    hit: (/** @type {number} */ x, /** @type {number} */ _y, /** @type {any} */ _scene, /** @type {number} */ reach) =>
      Math.abs(x - at) <= reach ? 0 : null,
    drag: (/** @type {number} */ handle, /** @type {any} */ _point, /** @type {string} */ phase) => {
      notes.push(`${name} ${handle} ${phase}`);
    },
  });
  const layers = new Layers([layer('low', 1, grips('low', 100), notes), layer('high', 2, grips('high', 120), notes)]);
  layers.grip(110, 0, SCENE, 10)?.(POINT, 'move'); // handle 0 of both
  layers.grip(100, 0, SCENE, 10)?.(POINT, 'end');
  assert.deepEqual(notes, ['high 0 move', 'low 0 end']);
  assert.equal(layers.grip(200, 0, SCENE, 10), null);
});

test('the highest layer that wants a click gets it alone', () => {
  /** @type {string[]} */
  const notes = [];
  const taps = (/** @type {string} */ name, /** @type {boolean} */ wants) => ({
    tap: () => {
      notes.push(name);
      return wants;
    },
  });
  const layers = new Layers([
    layer('a', 1, taps('a', true), notes),
    layer('b', 2, taps('b', true), notes),
    layer('c', 3, taps('c', false), notes),
  ]);
  assert.equal(layers.tap(POINT), true);
  assert.deepEqual(notes, ['c', 'b']);
  assert.equal(new Layers([layer('c', 3, taps('c', false), notes)]).tap(POINT), false);
});

test('layers are empty only if each one that draws says so', () => {
  /** @type {string[]} */
  const notes = [];
  const cursor = layer('crosshair', 100, { shown: (/** @type {any} */ scene) => Boolean(scene.cursor) }, notes),
    grip = { z: 1, hit: () => null };
  const empty = (/** @type {any[]} */ ...list) => new Layers(list).shown(SCENE).length === 0;
  assert.equal(empty(cursor, grip), true);
  assert.equal(empty(cursor, layer('markers', 50, {}, notes)), false);
  assert.equal(new Layers([cursor]).shown(/** @type {any} */ ({ cursor: { x: 1, y: 1 } })).length, 1);
});

test('a layer is drawn on the chart or on the overlay', () => {
  /** @type {string[]} */
  const notes = [];
  const layers = new Layers([layer('peak', 50, { onChart: true }, notes), layer('markers', 50, {}, notes)]);
  layers.draw(CONTEXT, SCENE, true);
  assert.deepEqual(notes, ['peak']);
  layers.draw(CONTEXT, SCENE);
  assert.deepEqual(notes, ['peak', 'markers']);
  assert.equal(layers.shown(SCENE).length, 1);
});
