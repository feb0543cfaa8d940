// Tests single requests, well-formed and not, against RFC 9110 and RFC 9112: the status of each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { raw, request, start, statusOf } from '../support/server/harness.mjs';

let server;
before(async () => {
  server = await start({ handshake_s: 2 });
});
after(async () => assert.equal(await server.stop(), 0, server.errors));

const host = 'Host: localhost',
  close = 'Connection: close';
const websocket = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: fftd.3',
];
const get = 'GET /healthz HTTP/1.1';
const bytesOf = (line, headers, rest = '') => `${[line, ...headers].join('\r\n')}\r\n\r\n${rest}`;

/** name: [status or several, request line, headers, bytes after them]. Status 0: closed without an answer. */
const cases = {
  // RFC 9112, 3.2: a server must answer 400 without Host in HTTP/1.1, and with more than one
  'no Host': [400, get, [close]],
  'an empty Host': [400, get, ['Host:', close]],
  'no Host in HTTP/1.0': [200, 'GET /healthz HTTP/1.0', []],
  'Host twice, the same': [400, get, [host, host, close]],
  'Host twice': [400, get, [host, 'Host: a', close]],
  'a Host with a path': [403, get, ['Host: localhost/x', close]],
  // RFC 9112, 5.1: 400 for a space before the colon; here where it could hide a header
  'Transfer-Encoding, space': [400, get, [host, close, 'Transfer-Encoding : chunked'], '0\r\n\r\n'],
  'Content-Length, tab': [400, get, [host, close, 'Content-Length\t: 5'], 'hello'],
  'Host, space': [400, get, ['Host : localhost', close]],
  // RFC 9112, 2.3 and 2.5: the version
  'HTTP/2.0': [505, 'GET /healthz HTTP/2.0', [host, close]],
  'HTTP/1.2': [200, 'GET /healthz HTTP/1.2', [host, close]],
  'HTTP/0.9': [400, 'GET /healthz', []],
  'http/1.1': [400, 'GET /healthz http/1.1', [host, close]],
  'HTTP/1.1x': [400, 'GET /healthz HTTP/1.1x', [host, close]],
  'HTTP/11': [400, 'GET /healthz HTTP/11', [host, close]],
  'FTP/1.1': [400, 'GET /healthz FTP/1.1', [host, close]],
  'a space in the path': [400, 'GET /heal thz HTTP/1.1', [host, close]],
  // RFC 9110, 9.1: 501 for an unknown method, 405 with Allow for a known one
  TRACE: [405, 'TRACE /healthz HTTP/1.1', [host, close]],
  CONNECT: [405, 'CONNECT localhost:80 HTTP/1.1', [host, close]],
  OPTIONS: [405, 'OPTIONS /healthz HTTP/1.1', [host, close]],
  DELETE: [405, 'DELETE /healthz HTTP/1.1', [host, close]],
  BREW: [501, 'BREW /healthz HTTP/1.1', [host, close]],
  PROPFIND: [501, 'PROPFIND /healthz HTTP/1.1', [host, close]],
  GETTING: [501, 'GETTING /healthz HTTP/1.1', [host, close]],
  'no method': [400, '/healthz HTTP/1.1', [host, close]],
  'a method alone': [400, 'GET', []],
  'a tab after the method': [400, 'GET\t/healthz HTTP/1.1', [host, close]],
  TLS: [400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', []],
  // RFC 9112, 6: bodies. None is accepted, so no request can hide in one
  'Content-Length 0': [200, get, [host, close, 'Content-Length: 0']],
  'Content-Length twice': [400, get, [host, close, 'Content-Length: 0', 'Content-Length: 5'], 'hello'],
  'Content-Length twice, the same': [400, get, [host, close, 'Content-Length: 0', 'Content-Length: 0']],
  'Content-Length -0': [400, get, [host, close, 'Content-Length: -0']],
  chunked: [400, get, [host, 'Transfer-Encoding: chunked'], '5\r\nhello\r\n0\r\n\r\n'],
  'a hidden request': [400, get, [host, 'Transfer-Encoding: chunked'], bytesOf('GET /nothing HTTP/1.1', [host])],
  'Transfer-Encoding identity': [400, get, [host, close, 'Transfer-Encoding: identity']],
  'Transfer-Encoding and Content-Length': [
    400,
    get,
    [host, 'Content-Length: 0', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  ],
  Expect: [200, get, [host, close, 'Expect: 100-continue']],
  // RFC 9112, 3.2, and RFC 3986, 5.2.4: the target
  '..': [200, 'GET /../healthz HTTP/1.1', [host, close]],
  '.. out of the page': [404, 'GET /x/../../etc/passwd HTTP/1.1', [host, close]],
  escapes: [200, 'GET /%68ealthz HTTP/1.1', [host, close]],
  'an empty query': [200, 'GET /healthz? HTTP/1.1', [host, close]],
  // libwebsockets 4.1.6 passes the first to fftd, and closes at the second; 4.3.5 the other way round
  '%00 in the path': [[400, 0], 'GET /%00x HTTP/1.1', [host, close]],
  '%00 in the query': [[0, 400], 'GET /healthz?x=%00 HTTP/1.1', [host, close]],
  '%00 after the start of the path': [0, 'GET /x%00y HTTP/1.1', [host, close]],
  '80 parameters': [400, `GET /healthz?${'x=1&'.repeat(79)}x=1 HTTP/1.1`, [host, close]],
  '120 parameters': [0, `GET /healthz?${'x=1&'.repeat(119)}x=1 HTTP/1.1`, [host, close]],
  'a line of 20,000 bytes': [0, `GET /${'a'.repeat(20000)} HTTP/1.1`, [host, close]],
  'a header of 40,000 bytes': [0, get, [host, close, `X: ${'y'.repeat(40000)}`]],
  // RFC 9110, 7.6.1: a list of options, in any letter case
  'Connection: Close in a list': [200, get, [host, 'Connection: x-y, Close']],
  // RFC 6455, 4.1: a websocket needs GET and HTTP/1.1
  websocket: [101, 'GET /ws HTTP/1.1', [host, ...websocket]],
  'websocket in HTTP/1.0': [400, 'GET /ws HTTP/1.0', [host, ...websocket]],
  'websocket without Host': [400, 'GET /ws HTTP/1.1', websocket],
  'websocket with a body': [400, 'GET /ws HTTP/1.1', [host, ...websocket, 'Content-Length: 3'], 'abc'],
  'websocket, chunked': [400, 'GET /ws HTTP/1.1', [host, ...websocket, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  'websocket with HEAD': [404, 'HEAD /ws HTTP/1.1', [host, ...websocket]],
  // what libwebsockets answers itself, as HTTP/1.0 (docs/api.md)
  'absolute-form': [403, 'GET http://localhost/healthz HTTP/1.1', [host, close]],
  'OPTIONS *': [403, 'OPTIONS * HTTP/1.1', [host, close]],
  'an incomplete escape': [403, 'GET /%zz HTTP/1.1', [host, close]],
  'Upgrade to another protocol': [403, get, [host, 'Connection: Upgrade, close', 'Upgrade: foo/2']],
};

test('each request gets one answer, with its status', async () => {
  const wrong = [];
  await Promise.all(
    Object.entries(cases).map(async ([name, [status, line, headers, rest]]) => {
      const answer = await raw(server.port, bytesOf(line, headers, rest), { enough: /^HTTP\/1.1 101/ });
      const statuses = [...answer.matchAll(/HTTP\/1\.[01] (\d+)/g)].map((match) => Number(match[1]));
      const fits = (one) => (one ? statuses.length === 1 && statuses[0] === one : answer === '');
      if (![status].flat().some(fits))
        wrong.push(`${name}: ${statuses} in place of ${status}: ${answer.slice(0, 300)}`);
      if (status === 405 || status === 501) assert.match(answer, /^Allow: GET, HEAD\r$/m, name);
      if (status >= 400 && line.startsWith('GET') && /^Connection:/m.test(answer))
        assert.match(answer, /^Connection: close\r$/m, name); // what follows a bad request is not trusted
    }),
  );
  assert.deepEqual(wrong, []);
  assert.equal(statusOf(await request(server, '/healthz')), 200);
});

test('the reason of a refusal is one line of text', async () => {
  for (const name of ['no Host', 'BREW', 'HTTP/2.0', 'chunked', 'TLS']) {
    const [, line, headers, rest] = cases[name];
    const answer = await raw(server.port, bytesOf(line, headers, rest));
    assert.match(answer, /^Content-Type: text\/plain; charset=utf-8\r$/m, name);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    assert.match(body, /^[ -~]+\n$/, name);
    assert.equal(Number(/^Content-Length: (\d+)/m.exec(answer)[1]), body.length, name);
  }
});

test('an unknown method in pieces, or after another request, is refused all the same', async () => {
  const first = bytesOf(get, [host]);
  const after = await raw(server.port, first + bytesOf('BREW / HTTP/1.1', [host]) + first);
  assert.deepEqual(
    [...after.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]),
    ['200', '501'],
  );
  for (const piece of ['B', 'BREW', 'BREW / HT'])
    assert.ok([400, 501].includes(statusOf(await raw(server.port, piece, { enough: /\n$/ }))), piece);
});
