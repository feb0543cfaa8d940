// The page's decoder with golden frames, which neither the page nor the daemon has written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as wire from '../../../web/net/wire.js';

const golden = (name) => new URL(`../../golden/${name}`, import.meta.url);
const bytes = (name) => {
  const file = readFileSync(golden(name));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
};
const values = (name) => JSON.parse(readFileSync(golden(name), 'utf8'));

// Our name: name in the table of daemon/wire/wire.h.
const NAMES = {
  detector: 'detector',
  view: 'view',
  line: 'line',
  merged: 'merged',
  columns: 'columns',
  firstSample: 'first_sample',
  samples: 'samples',
  centerHz: 'center_hz',
  rateHz: 'rate_hz',
  gainDb: 'gain_db',
  lowHz: 'low_hz',
  columnHz: 'column_hz',
  offsetDb: 'level_offset_db',
  stepDb: 'level_step_db',
  enbwBins: 'enbw_bins',
  peakDb: 'peak_db',
  peakHz: 'peak_hz',
  n: 'n',
  hop: 'hop',
  frames: 'frames',
  lineRateHz: 'line_rate_hz',
  engine: 'engine',
  window: 'window',
};

function compare(frame, expected) {
  for (const [ours, theirs] of Object.entries(NAMES)) {
    const want =
      typeof frame[ours] === 'number' && expected[theirs] !== null
        ? Number(expected[theirs])
        : (expected[theirs] ?? NaN);
    assert.deepEqual(frame[ours], want, ours);
  }
  const bits = [frame.deflated, frame.simulated, frame.hardwareTime, frame.gap, frame.rateAssumed];
  assert.deepEqual(
    bits,
    [1, 2, 4, 8, 16].map((bit) => Boolean(expected.flags & bit)),
    'flags',
  );
  assert.equal(frame.timeNs, BigInt(expected.time_ns));
  assert.equal(frame.ledger.produced, Number(expected.produced));
  assert.equal(frame.ledger.seen, Number(expected.seen));
  assert.equal(frame.ledger.clipped, Number(expected.clipped));
  for (const cause of wire.LOSS_CAUSES)
    assert.equal(frame.ledger.lost[cause], Number(expected[`lost_${cause}`]), cause);
}

test('golden frame decodes to every value of its table', () => {
  const frame = wire.decodeFrame(bytes('wire_spectrum.bin'));
  const expected = values('wire_spectrum.json');
  compare(frame, expected);
  assert.deepEqual([...frame.levels], expected.levels);
});

test('deflated golden frame inflates to its levels', async () => {
  const frame = wire.decodeFrame(bytes('wire_deflated.bin'));
  const expected = values('wire_deflated.json');
  compare(frame, expected);
  const plain = await wire.inflateFrame(frame);
  assert.equal(plain.deflated, false);
  assert.deepEqual([...plain.levels], expected.levels);
});

test('ledger of the golden frame balances', () => {
  const { ledger } = wire.decodeFrame(bytes('wire_spectrum.bin'));
  const lost = Object.values(ledger.lost).reduce((sum, count) => sum + count, 0);
  assert.equal(ledger.produced, ledger.seen + lost);
});

test('derived figures follow from the header', () => {
  const frame = wire.decodeFrame(bytes('wire_spectrum.bin')); // 2.4 MS/s, n 8192, hop 4096, ENBW 1.5
  assert.ok(Math.abs(wire.rbwHz(frame) - 439.453125) < 1e-6);
  assert.equal(wire.spectraPerSecond(frame), 585.9375);
  assert.ok(Math.abs(wire.poiSeconds(frame) - 0.005119583) < 1e-9);
  assert.equal(wire.overlapPercent(frame), 50);
  assert.equal(wire.timeMs(frame), 1762172345678.901);
});

test('level at a frequency is that of its column or nan outside', () => {
  const frame = wire.decodeFrame(bytes('wire_spectrum.bin'));
  assert.equal(wire.levelAt(frame, 433000000.25 + 100.5 * 586.5), -128.5 + 50);
  assert.ok(Number.isNaN(wire.levelAt(frame, 433000000)));
  assert.ok(Number.isNaN(wire.levelAt(frame, 433000000.25 + 256.1 * 586.5)));
});

/** The golden frame with some bytes changed. */
function damaged(change, length = 496) {
  const copy = bytes('wire_spectrum.bin').slice(0, length);
  change(new DataView(copy));
  return copy;
}

for (const [what, message, bad] of [
  ['an_empty_message', /too short/, () => new ArrayBuffer(0)],
  ['a_frame_cut_in_its_header', /too short/, () => damaged(() => {}, 239)],
  ['a_frame_cut_in_its_levels', /256 columns with 255 levels/, () => damaged(() => {}, 495)],
  ['foreign_magic', /FFTD/, () => damaged((v) => v.setUint8(0, 0x47))],
  ['version_2', /version 2/, () => damaged((v) => v.setUint8(4, 2))],
  ['kind_9', /kind 9/, () => damaged((v) => v.setUint8(5, 9))],
  ['a_header_longer_than_the_message', /header of 9999 bytes/, () => damaged((v) => v.setUint32(8, 9999, true))],
  ['zero_columns', /bad columns/, () => damaged((v) => v.setUint32(28, 0, true))],
  ['a_billion_columns', /bad columns/, () => damaged((v) => v.setUint32(28, 1e9, true))],
  ['a_rate_that_is_no_number', /bad rate/, () => damaged((v) => v.setFloat64(64, NaN, true))],
  ['a_column_width_of_0', /bad column width/, () => damaged((v) => v.setFloat64(88, 0, true))],
  ['a_level_step_of_0', /bad level step/, () => damaged((v) => v.setFloat32(100, 0, true))],
  ['an_FFT_size_of_0', /bad FFT size/, () => damaged((v) => v.setUint32(120, 0, true))],
  ['detector_5', /bad detector/, () => damaged((v) => v.setUint8(7, 5))],
])
  test(`${what} is refused by name`, () => assert.throws(() => wire.decodeFrame(bad()), message));

// docs/protocol.md: 4 is a percentile, which the message `view` names.
test('detector 4 is a percentile', () => assert.equal(wire.decodeFrame(damaged((v) => v.setUint8(7, 4))).detector, 4));

test('a deflated frame that inflates to more or less than its columns is refused', async () => {
  for (const [columns, message] of [
    [1023, /more than/],
    [1025, /less than/],
  ]) {
    const copy = bytes('wire_deflated.bin');
    new DataView(copy).setUint32(28, columns, true);
    await assert.rejects(wire.inflateFrame(wire.decodeFrame(copy)), message);
  }
});

test('a malformed deflated frame is refused', async () => {
  const copy = bytes('wire_deflated.bin');
  new Uint8Array(copy).fill(0x55, 240);
  await assert.rejects(wire.inflateFrame(wire.decodeFrame(copy)));
});
