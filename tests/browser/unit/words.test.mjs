// The words of measurements: each type of the server has a title and a group, and refusals that name a width are
// mended.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GROUPS, groupOf, labelOf, mendOf } from '../../../web/util/words.js';

const MEASURE = new URL('../../../daemon/measure/', import.meta.url);
const sources = (folder) => readdirSync(new URL(folder, MEASURE)).filter((name) => name.endsWith('.c'))
  .map((name) => readFileSync(new URL(folder + name, MEASURE), 'utf8').replace(/"\s*\n\s*"/g, '')).join('\n');
const SOURCES = sources('') + sources('types/');
const hz = (value) => `${value} Hz`;

test('every measurement of the server has a title that is no option key, and a group', () => {
  const list = readFileSync(new URL('measure_list.c', MEASURE), 'utf8');
  const types = [...list.matchAll(/extern const struct measure_ops measure_(\w+);/g)]
    .map(([, name]) => name.replaceAll('_', '-'));
  assert.ok(types.length >= 17);
  for (const type of types) {
    assert.ok(SOURCES.includes(`.name = "${type}"`), type);
    assert.match(labelOf(type), /^[A-Z][a-z]+( [a-z(]|$)/, type);
    assert.ok(GROUPS.includes(groupOf(type)) && groupOf(type), type);
  }
  assert.equal(labelOf('acpr'), 'Adjacent channel power');
});

test('keys and values are words in sentence case', () => {
  const labels = ['center', 'above-noise', 'rbw', 'power_mean', 'roll-off'].map(labelOf);
  assert.deepEqual(labels, ['Centre', 'Above noise', 'RBW', 'Power mean', 'Roll off']);
});

/** As the server would write it: numbers in place of the format's. */
function refusal(format, ...values) {
  assert.ok(SOURCES.includes(`"${format}"`), `the server says: ${format}`);
  return format.replace(/%(\.\d)?[sgfu]/g, () => values.shift()).replaceAll('%%', '%');
}

test('a refusal for its RBW offers one that the same rule accepts', () => {
  // A tone's band of 9 kHz needs three RBWs; an occupied bandwidth 20, and this one had fewer.
  const narrow = mendOf(refusal('the RBW of %.4g Hz is too wide for a band of %.4g Hz', '4000', '9000'), hz);
  assert.deepEqual(narrow, { text: 'Set RBW 3000 Hz', settings: { rbw_hz: 3000 } });
  const occupied = mendOf(refusal('the RBW of %.4g Hz is more than 5 %% of the bandwidth', '1172'), hz);
  assert.ok(occupied.settings.rbw_hz <= 1172 / 4 && occupied.settings.rbw_hz > 1172 / 5, occupied.text);
  const mask = mendOf(refusal('the RBW of %.4g Hz is wider than the bandwidth of %.4g Hz', '1.172e+04', '1e+04'), hz);
  assert.equal(mask.settings.rbw_hz, 1e4);
});

test('a refusal for detector, trace or place offers the other one, and others offer nothing', () => {
  assert.deepEqual(mendOf(refusal('needs the detector mean or sample; %s is biased on noise', 'max'), hz).keys,
    { detector: 'mean' });
  assert.deepEqual(mendOf(refusal('needs a trace of mean power; %s is biased on noise', 'max-hold'), hz).keys,
    { trace: 'clear-write' });
  const band = 'the band %.0f Hz to %.0f Hz is not within the %s of %.0f Hz to %.0f Hz';
  assert.equal(mendOf(refusal(band, '999990000', '1000010000', 'span', '1', '2'), hz).centreHz, 1e9);
  assert.equal(mendOf(refusal('%.0f Hz is not within the %s', '145000000', 'span'), hz).centreHz, 145e6);
  assert.equal(mendOf(refusal('the strongest bin of the band may be noise'), hz), null);
});
