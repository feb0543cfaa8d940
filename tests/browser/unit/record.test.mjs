// Recordings: the messages of the server, the rows of the list, and what is typed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Actions } from '../../../web/app/actions.js';
import {
  describeName,
  fileUrl,
  mergeRecordings,
  readSeconds,
  recordOffered,
  rowsOf,
  runningOf,
  sizeText,
  startOf,
} from '../../../web/features/recording/recording.js';
import { receiveMessage } from '../../../web/app/server.js';
import { initialState } from '../../../web/app/state.js';
import { Store } from '../../../web/app/store.js';

const one = (id, more = {}) => ({
  id,
  state: 'done',
  name: `fftd_${id}`,
  label: '',
  end: 'complete',
  seconds: 1.5,
  bytes: 6e6,
  missing: 0,
  ...more,
});

test('a message replaces what has changed and keeps the rest, the newest first', () => {
  const known = mergeRecordings([], { recordings: [one(1), one(2, { state: 'running' })] });
  const now = mergeRecordings(known, { recordings: [one(3), one(2, { seconds: 9 })] });
  assert.deepEqual(
    now.map(({ id, state, seconds }) => [id, state, seconds]),
    [
      [3, 'done', 1.5],
      [2, 'done', 9],
      [1, 'done', 1.5],
    ],
  );
  assert.equal(mergeRecordings([], { recordings: [one(1, { seconds: null })] })[0].seconds, 0);
});

test('the welcome offers recordings; one of another server begins anew', () => {
  const store = new Store(initialState({})),
    actions = new Actions(store, {});
  receiveMessage(store, { type: 'welcome', control: true });
  actions.togglePanel('record');
  assert.deepEqual([recordOffered(store.state), store.state.recordOpen], [false, false]);
  receiveMessage(store, { type: 'welcome', control: true, recordings: true });
  receiveMessage(store, { type: 'recording', recordings: [one(1, { state: 'running' })] });
  actions.togglePanel('record');
  assert.deepEqual(
    [recordOffered(store.state), store.state.recordOpen, runningOf(store.state).length],
    [true, true, 1],
  );
  receiveMessage(store, { type: 'welcome', control: true, recordings: true });
  assert.deepEqual(store.state.recordings, []);
});

test('the list has the ended ones of this run, then the older files, each once', () => {
  const state = {
    recordings: [
      one(3, { state: 'running' }),
      one(2, { label: 'burst', missing: 2500 }),
      one(1, { end: 'No space left on device', state: 'failed' }),
    ],
    recordFiles: [
      { name: 'fftd_2', bytes: 6001000 },
      { name: 'fftd_old', bytes: 12345678 },
    ],
  };
  const rows = rowsOf(state).map(({ name, label, length, size, remark }) => [
    name,
    label,
    length,
    size.replace(/\s/, ' '),
    remark.replace(/\s/, ' '),
  ]);
  for (const [bytes, text] of [
    [0, '0 B'],
    [999, '999 B'],
    [4e5, '400 kB'],
    [7e6, '7.0 MB'],
    [1.25e10, '12.50 GB'],
  ])
    assert.equal(sizeText(bytes).replace(/\s/, ' '), text);
  assert.deepEqual(rows, [
    ['fftd_2', 'burst', '0:01.5', '6.0 MB', '2.5 ksamples missing'],
    ['fftd_1', '', '0:01.5', '6.0 MB', 'No space left on device'],
    ['fftd_old', '', '', '12.3 MB', ''],
  ]);
});

test('one that never had a sample has no file', () => {
  assert.deepEqual(rowsOf({ recordings: [one(1, { name: '', state: 'failed' })], recordFiles: [] }), []);
});

test('seconds are read as people type them', () => {
  for (const [text, seconds] of [
    ['', 0],
    ['0.5', 0.5],
    ['0,5', 0.5],
    [' 10 ', 10],
    ['10 s', 10],
    ['-1', NaN],
    ['x', NaN],
    ['1e99', NaN],
    ['1.2.3', NaN],
    ['9999999999', NaN],
  ])
    assert.equal(readSeconds(text), seconds, text);
});

test('what is not given is not sent', () => {
  assert.deepEqual(startOf(0, 0, ' '), {});
  assert.deepEqual(startOf(0.5, 10, ' a burst '), { pre: 0.5, duration: 10, label: 'a burst' });
});

test('a name says when and what was recorded', () => {
  const said = (name) => Object.values(describeName(name)).map((text) => text.replace(/\u202f|\u00a0/g, ' '));
  assert.deepEqual(said('fftd_20261121T101500Z_433.92M_2400k'), ['2026-11-21 10:15:00', '433.92 MHz, 2.4 MS/s']);
  assert.deepEqual(said('fftd_20261121T101500Z-2_100M_250k'), ['2026-11-21 10:15:00', '100 MHz, 250 kS/s']);
  assert.deepEqual(said('fftd_20261121T101500Z_2048k'), ['2026-11-21 10:15:00', '2.048 MS/s']);
  assert.deepEqual(said('fftd_other'), ['fftd_other', '']);
});

test('addresses of files are relative', () => {
  assert.equal(
    fileUrl('fftd_20261121T101500Z_433.92M_2400k', 'data'),
    'api/v1/recording-files/fftd_20261121T101500Z_433.92M_2400k.sigmf-data',
  );
});
