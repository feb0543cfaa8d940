// The waterfall's range of levels: its text in the address, its modes, and the one that follows the spectra.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeMode,
  followWaterfall,
  formatWaterfall,
  parseWaterfall,
  waterfallRange,
} from '../../../web/features/waterfall/range.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';
import { parseHash } from '../../../web/app/hash.js';

const SPECTRUM = { bottomDb: -120, topDb: 0 };

test('the address has the range, and a bad one is that of the spectrum', () => {
  for (const text of ['auto', '-110:-30', '-90.5:10']) assert.equal(formatWaterfall(parseWaterfall(text)), text);
  for (const text of ['', 'own', '-30:-110', '-30:-28', '-300:0', '0:101', '1:2:3', 'a:b'])
    assert.deepEqual(parseWaterfall(text), { mode: 'spectrum', range: null });
  assert.equal(parseHash('#waterfall=-110:-30').waterfall, '-110:-30');
  assert.equal(parseHash('#waterfall=blue').waterfall, undefined);
});

test('a mode begins with what is on screen', () => {
  const own = { mode: 'own', range: { bottomDb: -100, topDb: -40 } };
  assert.equal(waterfallRange({ mode: 'spectrum', range: null }, SPECTRUM), SPECTRUM);
  assert.equal(waterfallRange({ mode: 'auto', range: null }, SPECTRUM), SPECTRUM); // until the next spectrum
  assert.equal(waterfallRange(own, SPECTRUM), own.range);
  assert.deepEqual(changeMode({ mode: 'spectrum', range: null }, 'own', SPECTRUM).range, SPECTRUM);
  assert.deepEqual(changeMode(own, 'spectrum', SPECTRUM), { mode: 'spectrum', range: null });
});

/** A spectrum of this floor and peak, dBFS. */
const frame = (floorDb, peakDb) => ({
  levels: new Uint8Array(64).fill(2 * (floorDb + 140)).fill(2 * (peakDb + 140), 0, 1),
  offsetDb: -140,
  stepDb: 0.5,
  peakDb,
});

test('auto follows the spectra, whatever the range of the spectrum is, and not while paused', () => {
  const store = new Store(initialState({ bottom: -10, top: 0, waterfall: 'auto' }));
  let now = 0;
  followWaterfall(store, () => now);
  store.update({ frame: frame(-90, -20) });
  const { range } = store.state.waterfall;
  assert.ok(
    range.bottomDb > -100 && range.bottomDb <= -90 && range.topDb >= -20 && range.topDb < -5,
    JSON.stringify(range),
  );
  store.update({ frame: frame(-110, -20) });
  assert.ok(store.state.waterfall.range.bottomDb <= -110, 'it widens at once');
  for (now = 0; now < 20000; now += 500) store.update({ frame: frame(-70, -30) });
  assert.ok(store.state.waterfall.range.bottomDb > -80, 'and narrows after some seconds');
  assert.deepEqual(store.state.range, { bottomDb: -10, topDb: 0 });
  store.update({ paused: true });
  store.update({ frame: frame(-130, -30) });
  assert.ok(store.state.waterfall.range.bottomDb > -80);
  store.update({ paused: false, waterfall: { mode: 'own', range: SPECTRUM } });
  store.update({ frame: frame(-130, -30) });
  assert.equal(store.state.waterfall.range, SPECTRUM);
});
