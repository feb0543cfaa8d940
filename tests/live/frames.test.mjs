// Tests frames of websocket clients against RFC 6455: which are answered, and with which close code.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createConnection } from 'node:net';
import { clientFrame, httpText, start, upgradeHeaders } from '../support/server/harness.mjs';

let server;
before(async () => {
  server = await start({ max_clients: 100 });
});
after(async () => assert.equal(await server.stop(), 0, server.errors));

const TEXT = 1,
  CLOSE = 8,
  PING = 9,
  PONG = 10;

/** The complete frames in the bytes of a server: opcode and body. */
function framesIn(bytes) {
  const frames = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    let size = bytes[at + 1],
      head = 2;
    if (size === 126) {
      size = bytes.readUInt16BE(at + 2);
      head = 4;
    }
    if (at + head + size > bytes.length) break;
    frames.push({ opcode: bytes[at] & 15, body: bytes.subarray(at + head, at + head + size) });
    at += head + size;
  }
  return frames;
}

/** Opens a websocket, sends bytes, and returns the frames received until the end, or enough(frames). */
function converse(bytes, enough) {
  return new Promise((resolve) => {
    const parts = [];
    const socket = createConnection(server.port, '127.0.0.1');
    const check = () => enough(framesIn(Buffer.concat(parts))) && socket.destroy();
    socket.write(httpText('/ws', upgradeHeaders(server)));
    socket.once('data', (head) => {
      parts.push(head.subarray(head.indexOf('\r\n\r\n') + 4));
      socket.on('data', (part) => {
        parts.push(part);
        check();
      });
      socket.write(bytes);
    });
    socket.on('error', () => {}).on('close', () => resolve(framesIn(Buffer.concat(parts))));
  });
}

/** The code of the server's close frame; 1005: it has none; 0: closed without a frame. */
async function codeOf(bytes) {
  const frames = await converse(bytes, (got) => got.some(({ opcode }) => opcode === CLOSE));
  const close = frames.find(({ opcode }) => opcode === CLOSE);
  if (!close) return 0;
  return close.body.length >= 2 ? close.body.readUInt16BE(0) : 1005 + close.body.length;
}

const closeFrame = (code, reason = '') =>
  clientFrame(CLOSE, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]));

test('a close frame is answered with its code, or 1002 if no client may send that', async () => {
  // RFC 6455, 7.4.1 and 7.4.2
  const allowed = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
  const forbidden = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535];
  const codes = await Promise.all([...allowed, ...forbidden].map((code) => codeOf(closeFrame(code))));
  assert.deepEqual(codes, [...allowed, ...forbidden.map(() => 1002)]);
  assert.equal(await codeOf(clientFrame(CLOSE, '')), 1005); // empty, as it came
});

test('a close frame with a malformed body is not repeated', async () => {
  assert.equal(await codeOf(clientFrame(CLOSE, [3])), 1002); // 5.5.1: the body begins with two bytes
  assert.equal(await codeOf(closeFrame(1000, [0xe2, 0x82])), 1007); // the first two bytes of three
  assert.equal(await codeOf(closeFrame(1000, [0xff])), 0); // libwebsockets drops the connection
  assert.equal(await codeOf(closeFrame(1000, '\u20ac')), 1000);
  assert.equal(await codeOf(closeFrame(1000, 'x'.repeat(123))), 1000);
  assert.equal(await codeOf(clientFrame(CLOSE, '1'.repeat(126))), 0); // 5.5: at most 125 bytes
});

test('reserved bits, reserved opcodes and bad fragments close with 1002', async () => {
  const reserved = [0x40, 0x20, 0x10].map((bit) => {
    const f = clientFrame(TEXT, '{}');
    f[0] |= bit;
    return f;
  });
  const bad = [
    ...reserved,
    ...[3, 7, 11, 15].map((opcode) => clientFrame(opcode, 'x')),
    clientFrame(PING, 'x', false),
    clientFrame(0, 'x'),
    Buffer.concat([clientFrame(TEXT, '{', false), clientFrame(TEXT, '}')]),
  ];
  const codes = await Promise.all(bad.map(codeOf));
  assert.deepEqual(
    codes,
    bad.map(() => 1002),
  );
});

test('a ping is answered with its bytes; of several at once the first may stand for all', async () => {
  const pongs = async (bytes, enough) =>
    (await converse(bytes, (frames) => enough(frames.filter(({ opcode }) => opcode === PONG))))
      .filter(({ opcode }) => opcode === PONG)
      .map(({ body }) => `${body}`);
  assert.deepEqual(await pongs(clientFrame(PING, 'x'.repeat(125)), (got) => got.length === 1), ['x'.repeat(125)]);
  const ten = Buffer.concat([
    ...Array.from({ length: 10 }, (_, i) => clientFrame(PING, `ping ${i}`)),
    closeFrame(1000),
  ]);
  const answered = await pongs(ten, () => false);
  assert.ok(answered.length <= 10 && answered.every((body) => /^ping \d$/.test(body)), `${answered}`);
});
