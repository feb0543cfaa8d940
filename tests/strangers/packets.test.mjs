// packets.test.mjs - multimon-ng and direwolf decode the simulated packets from audio that fftd demodulates.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch, serve, until } from '../support/fftd.mjs';
import { MULTIMON, needs, shell } from './stranger.mjs';

const curl = { curl: ['curl', ['-V']] };

/** A radio with a packet each 2 s at 144.8 MHz, among others, and the URL of its audio. */
async function station(t, rate) {
  const daemon = await serve(t, ['--source', 'sim', '-s', '2.4M', '-f', '145.7M', '-d', 'scene=channels']);
  await until('samples come', async () => (await daemon.status()).state === 'running');
  return `${daemon.url}api/v1/channel-stream?center_hz=144.8M&mode=nfm&flat=true&format=s16&audio_rate_hz=${rate}`;
}

test('multimon-ng', needs({ 'multimon-ng': ['multimon-ng', ['--help']], ...curl }), async (t) => {
  const url = await station(t, 22050),
    from = /AFSK1200: fm FFTD-1 to TEST-0/g;
  const text = await shell(
    `curl -sSfN '${url}' | ${MULTIMON} 2>/dev/null`,
    (so_far) => (so_far.match(from) ?? []).length >= 2,
  );
  assert.equal(text.match(/^AFSK1200: /gm).length, text.match(from).length, text);
  assert.match(text, /fftd sends this/);
});

test('direwolf', needs({ direwolf: ['direwolf', ['-u']], ...curl }), async (t) => {
  const folder = scratch(),
    url = await station(t, 24000),
    packet = /FFTD-1>TEST:fftd sends this/g;
  writeFileSync(join(folder, 'dw.conf'), 'ADEVICE stdin null\nCHANNEL 0\nMODEM 1200\nAGWPORT 0\nKISSPORT 0\n');
  const text = await shell(
    `curl -sSfN '${url}' | direwolf -c ${folder}/dw.conf -t 0 -r 24000 -b 16 -n 1 - 2>/dev/null`,
    (so_far) => (so_far.match(packet) ?? []).length >= 2,
  );
  assert.ok(text.match(packet)?.length >= 2, text);
});
