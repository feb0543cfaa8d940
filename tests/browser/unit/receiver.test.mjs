// The receiver with golden frames: order, what comes after the end, and what cannot be read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Receiver } from '../../../web/net/receiver.js';

const bytes = (name) => {
  const file = readFileSync(new URL(`../../golden/${name}`, import.meta.url));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
};

/** A receiver whose handlers add to `log`; settle() waits for whatever is being inflated. */
function recorded() {
  const log = [];
  const receiver = new Receiver({
    onFrame: ({ deflated, levels }) => log.push([deflated, levels.length]),
    onDensity: () => log.push('density'),
    onHistory: () => log.push('history'),
    onMessage: ({ type }) => log.push(type),
    onFault: ({ message }) => log.push(`fault: ${message}`),
  });
  return {
    log,
    receiver,
    settle: () =>
      new Promise((resolve) => {
        setTimeout(resolve, 200);
      }),
  };
}

test('a plain frame waits for the deflated one before it', async () => {
  const { log, receiver } = recorded(),
    seen = () => log.filter(Array.isArray).length;
  const plain = bytes('wire_spectrum.bin'),
    columns = JSON.parse(readFileSync(new URL('../../golden/wire_spectrum.json', import.meta.url), 'utf8')).levels
      .length;
  receiver.receive(plain.slice(0));
  assert.equal(seen(), 1, 'a plain frame alone comes at once');
  receiver.receive(bytes('wire_deflated.bin'));
  receiver.receive(plain.slice(0));
  assert.equal(seen(), 1, 'the plain one after it waits');
  while (seen() < 3) await new Promise(setImmediate);
  assert.deepEqual(log[2], [false, columns]);
  receiver.receive(plain.slice(0));
  assert.equal(seen(), 4, 'none waits afterwards');
});

test('a closed receiver hands nothing on', async () => {
  const { log, receiver, settle } = recorded();
  receiver.receive(bytes('wire_deflated.bin'));
  receiver.close();
  await settle();
  assert.deepEqual(log, []);
});

test('what cannot be read is a fault', async () => {
  const { log, receiver } = recorded();
  receiver.receive('{"type":"status"}');
  receiver.receive('{"no":"type"}');
  receiver.receive('{');
  receiver.receive(new ArrayBuffer(3));
  assert.equal(log[0], 'status');
  assert.equal(log[1], 'fault: message without a type');
  assert.equal(log.length, 4);
  assert.ok(log.slice(2).every((entry) => entry.startsWith('fault: ')));
});
