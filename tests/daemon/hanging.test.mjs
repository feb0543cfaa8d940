// hanging.test.mjs - an engine call that never returns: it is seen, named, and does not keep the process alive.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';

const args = ['--source', 'sim', '--rate', '200k', '--fft-size', '1024'];

test('a hanging engine is unhealthy, named in the status, and a stop ends the process', async (t) => {
  const csv = join(scratch(t), 'rows.csv');
  const daemon = await serve(t, [...args, '--engine', 'hanging:20', '--csv', csv]);
  const health = async () => {
    const a = await fetch(`${daemon.url}healthz`);
    return { code: a.status, text: await a.text() };
  };
  const ill = await until('/healthz is 503', async () => {
    const h = await health();
    return h.code === 503 && /dsp/.test(h.text) && h;
  });
  assert.match(ill.text, /^stalled: the dsp thread has made no step for \d+ s \(engine hanging: /);
  const status = await daemon.status();
  assert.equal(status.state, 'stalled');
  assert.ok(status.beat_age.dsp >= 5, `${status.beat_age.dsp} s`);
  assert.ok(status.beat_age.source < status.beat_age.dsp, 'the source works');
  assert.match(await (await fetch(`${daemon.url}metrics`)).text(), /^fftd_beat_age_seconds\{thread="dsp"\} [1-9]/m);
  assert.equal(await daemon.stop(), 1, daemon.stderr);
  assert.match(daemon.stderr, /the dsp thread has made no step for \d{2,} s \(engine hanging: .*\): ending without it/);
  assert.match(daemon.stderr, /\d+ samples in .* lines;/); // the summary is still written
  const rows = readFileSync(csv, 'utf8');
  assert.ok(rows.length > 0 && rows.endsWith('\n'), 'whole rows');
});

test('an engine that works is healthy, and a stop ends with status 0', async (t) => {
  const daemon = await serve(t, args);
  await until('/healthz is 200', async () => (await fetch(`${daemon.url}healthz`)).status === 200);
  const { state, beat_age: age } = await daemon.status();
  assert.equal(state, 'running');
  assert.ok(age.dsp >= 0 && age.source >= 0);
  assert.equal(await daemon.stop(), 0, daemon.stderr);
});
