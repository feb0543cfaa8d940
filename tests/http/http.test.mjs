// Tests HTTP: the page and its headers, the interface, and refusals.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { httpText, raw, request, sleep, start, statusOf, until } from '../support/server/harness.mjs';

let server, page, strict;
const folder = mkdtempSync(join(tmpdir(), 'fftd-web-'));

before(async () => {
  mkdirSync(join(folder, 'web/sub'), { recursive: true });
  writeFileSync(join(folder, 'web/index.html'), '<!doctype html><title>x</title>');
  writeFileSync(join(folder, 'web/sub/a.js'), 'export const a = 1;\n');
  writeFileSync(join(folder, 'web/big.bin'), Buffer.alloc(3_000_000, 'x'));
  writeFileSync(join(folder, 'secret'), 'secret');
  symlinkSync(join(folder, 'secret'), join(folder, 'web/link'));
  server = await start({ handshake_s: 60 });
  strict = await start({ handshake_s: 2 });
  page = await start({ web_root: join(folder, 'web') });
});
after(async () => {
  rmSync(folder, { recursive: true });
  assert.equal(await server.stop(), 0, server.errors);
  assert.equal(await page.stop(), 0, page.errors);
  assert.equal(await strict.stop(), 0, strict.errors);
});

const header = (answer, name) => new RegExp(`^${name}: (.*)\r$`, 'mi').exec(answer)?.[1];
const body = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

// ---- the page -------------------------------------------------------------------------------

test('the built-in page is served with its types and a content policy', async () => {
  const answer = await request(server, '/');
  assert.equal(statusOf(answer), 200);
  assert.equal(header(answer, 'Content-Type'), 'text/html; charset=utf-8');
  assert.match(header(answer, 'Content-Security-Policy'), /default-src 'self'/);
  assert.ok(header(answer, 'Content-Security-Policy').includes(`ws://127.0.0.1:${server.port}`));
  assert.equal(header(answer, 'X-Content-Type-Options'), 'nosniff');
  assert.match(body(answer), /<title>fftd/);
  const script = /src="([0-9a-f]+\/[a-z_]+\.js)"/.exec(body(answer))[1];
  const code = await request(server, `/${script}`);
  assert.equal(statusOf(code), 200);
  assert.equal(header(code, 'Content-Type'), 'text/javascript; charset=utf-8');
});

test('a file named with the version of the page may be kept for ever, and only that version exists', async () => {
  const document = await request(server, '/');
  assert.equal(header(document, 'Cache-Control'), 'no-cache');
  const [, version] = /src="([0-9a-f]{16})\/main\.js"/.exec(body(document));
  for (const path of ['/main.js', '/page.css', '/icon.svg']) {
    const plain = await request(server, path),
      named = await request(server, `/${version}${path}`);
    assert.equal(header(plain, 'Cache-Control'), 'no-cache', path);
    assert.equal(header(named, 'Cache-Control'), 'max-age=31536000, immutable', path);
    assert.equal(body(named), body(plain), path);
  }
  for (const path of [
    `/${'0'.repeat(16)}/main.js`,
    `/${version}main.js`,
    `/${version}`,
    `/${version}/${version}/main.js`,
  ])
    assert.equal(statusOf(await request(server, path)), 404, path);
});

test('a web root serves the page without versions', async () => {
  const source = await start({ web_root: new URL('../../web', import.meta.url).pathname });
  const document = await request(source, '/');
  assert.match(body(document), /src="main\.js"/);
  const code = await request(source, '/main.js');
  assert.equal(statusOf(code), 200);
  assert.equal(header(code, 'Cache-Control'), 'no-cache');
  assert.equal(await source.stop(), 0, source.errors);
});

test('the ETag of a file changes with its content', async () => {
  const first = await request(page, '/sub/a.js');
  const etag = header(first, 'ETag');
  assert.match(etag, /^"[0-9a-f]{32}"$/);
  const again = await request(page, '/sub/a.js', { 'If-None-Match': etag });
  assert.equal(statusOf(again), 304);
  assert.equal(body(again), '');
  writeFileSync(join(folder, 'web/sub/a.js'), 'export const a = 2;\n');
  const changed = await request(page, '/sub/a.js', { 'If-None-Match': etag });
  assert.equal(statusOf(changed), 200);
  assert.match(body(changed), /a = 2/);
});

test('the built-in page is compressed for a client that accepts gzip', async () => {
  for (const path of ['/', '/page.css', '/main.js']) {
    const plain = await request(server, path);
    const packed = await request(server, path, { 'Accept-Encoding': 'gzip, deflate, br' });
    assert.equal(header(plain, 'Content-Encoding'), undefined);
    assert.equal(header(packed, 'Content-Encoding'), 'gzip', path);
    assert.equal(gunzipSync(Buffer.from(body(packed), 'latin1')).toString('latin1'), body(plain));
    assert.equal(Number(header(packed, 'Content-Length')), body(packed).length);
    assert.ok(body(packed).length < body(plain).length);
    for (const answer of [plain, packed]) assert.equal(header(answer, 'Vary'), 'Accept-Encoding');
    const etag = header(packed, 'ETag');
    assert.notEqual(etag, header(plain, 'ETag')); // RFC 9110, 8.8.3: of one representation
    const again = await request(server, path, { 'Accept-Encoding': 'gzip', 'If-None-Match': `"x", ${etag}` });
    assert.equal(statusOf(again), 304);
    assert.equal(header(again, 'ETag'), etag);
    assert.equal(header(again, 'Vary'), 'Accept-Encoding');
    assert.equal(statusOf(await request(server, path, { 'If-None-Match': etag })), 200); // it has no plain one yet
  }
});

test('HEAD answers with the headers of GET and no body', async () => {
  for (const path of ['/', '/api/v1/status', '/healthz', '/nothing']) {
    const get = await request(server, path);
    const head = await request(server, path, {}, 'HEAD');
    assert.equal(statusOf(head), statusOf(get), path);
    assert.equal(header(head, 'Content-Type'), header(get, 'Content-Type'));
    assert.equal(body(head), '');
    assert.ok(Number(header(head, 'Content-Length')) > 0);
  }
});

test('a web root serves files from disk, folders as their index', async () => {
  assert.match(body(await request(page, '/')), /<title>x/);
  assert.equal(body(await request(page, '/big.bin')).length, 3_000_000);
  assert.equal(statusOf(await request(page, '/sub/')), 404);
});

test('no path leads out of the web root', async () => {
  for (const path of [
    '/../secret',
    '/%2e%2e/secret',
    '/sub/../../secret',
    '/..%2fsecret',
    '/link',
    '//secret',
    '/sub/%2e%2e/%2e%2e/secret',
    '/./../secret',
    '/..\\secret',
    '/%00/secret',
    `${folder}/secret`,
    '/..%252fsecret',
    '/.../secret',
  ]) {
    const answer = await request(page, path);
    assert.ok(!answer.includes('\r\n\r\nsecret'), path);
    assert.ok([0, 403, 404].includes(statusOf(answer)) || path.includes('%00'), `${path}: ${answer}`);
  }
});

// ---- the interface --------------------------------------------------------------------------

test('the status holds the ledger and the server counts', async () => {
  const answer = await request(server, '/api/v1/status');
  assert.equal(header(answer, 'Content-Type'), 'application/json');
  assert.equal(header(answer, 'Cache-Control'), 'no-store');
  const status = JSON.parse(body(answer));
  assert.equal(status.state, 'running');
  for (const name of ['produced', 'seen', 'lost', 'clipped', 'frames', 'lines']) assert.ok(name in status.ledger, name);
  assert.equal(status.spectrum.poi_seconds, (1024 + 512 - 1) / 2.4e6);
  assert.equal(status.server.clients, 0);
});

test('the metrics are in the text format of Prometheus, or OpenMetrics where that is accepted', async () => {
  const plain = await request(server, '/metrics');
  assert.equal(header(plain, 'Content-Type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.match(body(plain), /^# TYPE fftd_samples_total counter$/m);
  assert.match(body(plain), /^fftd_samples_total 0$/m);
  assert.ok(!body(plain).includes('# EOF'));
  const open = await request(server, '/metrics', {
    Accept:
      'application/openmetrics-text;version=1.0.0,'
      + 'application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
  });
  assert.equal(header(open, 'Content-Type'), 'application/openmetrics-text; version=1.0.0; charset=utf-8');
  assert.match(body(open), /^# TYPE fftd_samples counter$/m);
  assert.match(body(open), /^fftd_samples_total 0$/m);
  assert.match(body(open), /# EOF\n$/);
  for (const answer of [plain, open]) assert.equal(header(answer, 'Vary'), 'Accept');
});

test('only a running radio is healthy', async () => {
  const names = ['starting', 'waiting', 'running', 'stalled', 'ended', 'failed'];
  for (const [state, name] of names.entries()) {
    await server.say(`state ${state}`);
    const answer = await request(server, '/healthz');
    assert.equal(statusOf(answer), name === 'running' ? 200 : 503);
    assert.equal(body(answer), `${name}\n`);
  }
  await server.say('state 2');
});

test('the spectrum is available as JSON and CSV, whole or in part', async () => {
  const fresh = await start();
  assert.equal(statusOf(await request(fresh, '/api/v1/spectrum')), 503); // no line yet
  await fresh.say('lines 101'); // the newest has its tone in bin 100
  const get = async (query, headers) => body(await request(fresh, `/api/v1/spectrum${query}`, headers));
  const whole = JSON.parse(await get(''));
  assert.equal(whole.levels.length, 1024);
  assert.equal(whole.levels.indexOf(0), 100);
  assert.equal(whole.detector, 'mean');
  assert.equal(whole.time, '2023-11-14T22:13:25.000000Z');
  const bin = 2.4e6 / 1024,
    tone = 100e6 + (100 - 512) * bin;
  assert.equal(whole.low_hz + 100.5 * whole.column_hz, tone);
  assert.equal(whole.peak_hz, tone);
  assert.equal(whole.unit, 'dBFS');
  assert.equal(whole.low_hz, 100e6 - 1.2e6 - bin / 2); // the outer edges of the first and the last bin
  assert.equal(whole.high_hz, 100e6 + 1.2e6 - bin / 2);
  const part = JSON.parse(await get(`?detector=max&low_hz=${tone - 2 * bin}&high_hz=${tone + 2 * bin}&columns=3`));
  assert.equal(part.levels.length, 3);
  assert.equal(Math.max(...part.levels), 0);

  assert.equal(whole.reduction, 'peak');
  const least = JSON.parse(await get('?reduction=min&columns=256')); // the tone is one of four bins
  assert.equal(least.reduction, 'min');
  assert.equal(Math.max(...least.levels), -90);
  assert.equal(least.peak_hz, tone);
  const mean = JSON.parse(await get('?reduction=mean&columns=256'));
  assert.equal(Math.max(...mean.levels), -6.02); // a quarter of the power

  const csv = (await get('?format=csv')).trim().split(', ');
  assert.equal(csv.length, 6 + 1024);
  assert.deepEqual(csv.slice(0, 2), ['2023-11-14', '22:13:25.000000']);
  assert.equal(Number(csv[2]), 100e6 - 1.2e6); // centre of bin 0
  assert.equal(Number(csv[3]), 100e6 + 1.2e6); // low + columns x step, as in --csv
  assert.equal(Number(csv[4]), bin);
  assert.equal(csv[6 + 100], '0.00');
  assert.equal((await get('', { Accept: 'text/csv' })).split(', ').length, 6 + 1024);
  assert.equal(await fresh.stop(), 0);
});

test('the answer to a bad spectrum query names the fault', async () => {
  for (const [query, why] of [
    ['detector=peak', 'detector: "peak" is not mean'],
    ['columns=0', 'columns: "0"'],
    ['columns=-3', 'columns'],
    ['columns=', 'columns: ""'],
    ['columns', 'columns: ""'],
    ['columns=65537', '65536'],
    ['low_hz=x', 'low_hz: "x"'],
    ['low_hz=nan', 'low_hz'],
    ['low_hz=2&high_hz=1', 'high_hz'],
    ['format=xml', 'format: "xml"'],
    [`low_hz=${'1'.repeat(90)}`, 'low_hz: the value is too long'],
    [`columns=${'1'.repeat(3000)}`, 'columns: the value is too long'],
    ['columns=3&columns=3', 'columns: given twice'],
    ['&&columns=x&&', 'columns: "x"'],
    ['reduction=max', 'reduction: "max" is not peak'],
    [
      'step=3',
      '"step": there is no such key (known: detector, low_hz, high_hz, columns, format, reduction, math, reference)',
    ],
    ['Columns=3', '"Columns"'],
    ['columns%3d=3', '"columns'],
  ]) {
    const answer = await request(server, `/api/v1/spectrum?${query}`);
    assert.equal(statusOf(answer), 400, query);
    assert.equal(header(answer, 'Content-Type'), 'application/problem+json');
    const { error, key } = JSON.parse(body(answer)),
      [wrong] = query.match(/[^&=%]+(?==|%|$)/);
    assert.ok(error.includes(why), `${query}: ${body(answer)}`);
    if (!query.includes('&high_hz')) assert.ok(key?.startsWith(wrong), `${query}: ${body(answer)}`); // one of the two
  }
});

test('paths without parameters refuse them, files of the page ignore them', async () => {
  for (const path of ['/api/v1/status', '/metrics', '/healthz']) {
    const answer = await request(server, `${path}?x=1`);
    assert.equal(statusOf(answer), 400, path);
    assert.match(body(answer), /"x\\?": there is no such key; this takes none/);
    assert.equal(statusOf(await request(server, `${path}?`)), 200, path);
  }
  assert.equal(statusOf(await request(server, '/?x=1')), 200);
});

// ---- refusals -------------------------------------------------------------------------------

test('an unknown path is 404, another method is 405, both with a body', async () => {
  const missing = await request(server, '/nothing/here.js');
  assert.equal(statusOf(missing), 404);
  assert.match(body(missing), /nothing here/);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await raw(
      server.port,
      httpText('/healthz', { Host: 'localhost', Connection: 'close', 'Content-Length': 5 }, method) + 'hello',
    );
    assert.equal(statusOf(answer), 405, method);
    assert.equal(header(answer, 'Allow'), 'GET, HEAD');
    assert.match(body(answer), /GET, HEAD/);
    assert.equal(statusOf(await request(server, '/healthz', {}, method)), 405, `${method} without a body`);
  }
  assert.equal(statusOf(await request(server, '/ws')), 426);
});

test('an unknown path is 404 for every method', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'BREW'];
  for (const path of [
    '/x',
    '/api/v1/nothing',
    '/api/v1/settings/x',
    '/api/v1/measurement-types/x',
    '/api/v2/settings',
  ]) {
    for (const method of methods) {
      const answer = await request(server, path, {}, method);
      assert.equal(statusOf(answer), 404, `${method} ${path}`);
      assert.equal(header(answer, 'Allow') ?? null, null, `${method} ${path}`);
      if (method !== 'HEAD') assert.match(body(answer), /nothing here/);
    }
  }
});

test('an old path says where it is now, for every method and with its query', async () => {
  for (const [old, now] of [
    ['/api/status', '/api/v1/status'],
    ['/api/spectrum?low=1', '/api/v1/spectrum?low=1'],
    ['/api/v1/measure/a%20b?type=x&width=1%2B1', '/api/v1/measurements/a%20b?type=x&width=1%2B1'],
    ['/api/v1/measure-types', '/api/v1/measurement-types'],
  ]) {
    for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE']) {
      const answer = await request(server, old, {}, method);
      assert.equal(statusOf(answer), 308, `${method} ${old}`);
      assert.equal(header(answer, 'Location'), now, `${method} ${old}`);
    }
    assert.equal(statusOf(await request(server, old, {}, 'BREW')), 404);
  }
});

test('405 names the methods of the path in its text and in Allow, and each of these is no 405', async () => {
  const paths = {
    '/': 'GET, HEAD',
    '/index.html': 'GET, HEAD',
    '/healthz': 'GET, HEAD',
    '/ws': 'GET, HEAD',
    '/api/v1/measurements': 'GET, HEAD',
    '/api/v1/settings': 'GET, HEAD, PUT, PATCH',
    '/api/v1/spurs': 'GET, HEAD, POST',
    '/api/v1/recordings': 'GET, HEAD, POST',
    '/api/v1/recordings/1': 'GET, HEAD, DELETE',
    '/api/v1/presets/x': 'GET, HEAD, PUT, DELETE',
    '/api/v1/triggers/x': 'GET, HEAD, PUT, POST, DELETE',
  };
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const answer = await request(server, path, {}, method);
      assert.equal(statusOf(answer) === 405, !allow.split(', ').includes(method), `${method} ${path}: ${answer}`);
      if (statusOf(answer) !== 405) continue;
      assert.equal(header(answer, 'Allow'), allow, `${method} ${path}`);
      const text = `the methods of this path are ${allow}`;
      assert.equal(
        path.startsWith('/api') ? JSON.parse(body(answer)).error : body(answer),
        path.startsWith('/api') ? text : `${text}\n`,
      );
    }
  }
});

test('a foreign Host is refused on every path, literals and configured names are accepted', async () => {
  const named = await start({ allow_host: 'radio.example' });
  for (const path of ['/', '/api/v1/status', '/metrics', '/healthz', '/api/v1/spectrum']) {
    assert.equal(statusOf(await request(server, path, { Host: 'evil.example' })), 403, path);
    assert.equal(statusOf(await request(server, path, { Host: 'radio.example' })), 403, path);
  }
  assert.equal(statusOf(await request(server, '/healthz', { Host: 'x'.repeat(300) })), 403);
  assert.equal(statusOf(await request(server, '/healthz', { Host: 'localhost:1' })), 200);
  assert.equal(statusOf(await request(server, '/healthz', { Host: '[::1]:8010' })), 200);
  assert.equal(statusOf(await request(named, '/healthz', { Host: 'Radio.Example:80' })), 200);
  assert.equal(await named.stop(), 0);
});

test('random bytes, long headers and odd requests do no harm', async () => {
  const mess = [
    '\0\0\0\0',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /${'a'.repeat(20000)} HTTP/1.1\r\n\r\n`,
    'BREW / HTTP/1.1\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'y'.repeat(40000)}\r\n\r\n`,
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /a HTTP/1.1\r\nPOST /b HTTP/1.1\r\n\r\n',
    '\r\n\r\n',
    'POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
  ];
  await Promise.all(
    mess.map((bytes) =>
      raw(strict.port, bytes).then((answer) =>
        assert.ok(!answer.includes('still open'), JSON.stringify(bytes.slice(0, 60))),
      ),
    ),
  );
  assert.equal(statusOf(await request(strict, '/healthz')), 200);
});

test('a connection that sends nothing, or too slowly, is closed', async () => {
  const drip = new Promise((resolve) => {
    const socket = createConnection(strict.port, '127.0.0.1');
    const text = httpText('/healthz', { Host: 'localhost', 'X-Slow': 'z'.repeat(500) });
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? ''), 100);
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer);
        resolve(at);
      });
    socket.resume();
  });
  const silent = raw(strict.port, '');
  assert.equal(await silent, '');
  assert.ok((await drip) < 400, 'a request of 500 drops was let through');
});

test('one connection serves many requests, also in one write', async () => {
  const keep = { Host: 'localhost' };
  const many =
    httpText('/healthz', keep)
    + httpText('/nothing', keep)
    + httpText('/api/v1/status', keep, 'HEAD')
    + httpText('/metrics', { ...keep, Connection: 'close' });
  const answer = await raw(server.port, many);
  assert.deepEqual(
    [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((m) => m[1]),
    ['200', '404', '200', '200'],
  );
  assert.match(answer, /\nfftd_\w+ \d+\n$/);
});

test('a connection is closed only after a long idle time', async () => {
  const answer = await raw(strict.port, httpText('/healthz', { Host: 'localhost' }));
  assert.equal(statusOf(answer), 200);
  assert.equal(header(answer, 'Connection'), 'keep-alive');
  assert.ok(!answer.includes('still open'));
});

test('a client that reads slowly gets all of a large file', async () => {
  const got = await new Promise((resolve) => {
    let size = 0;
    const socket = createConnection(page.port, '127.0.0.1');
    socket.write(httpText('/big.bin', { Host: 'localhost', Connection: 'close' }));
    socket
      .on('data', async (part) => {
        size += part.length;
        socket.pause();
        await sleep(20);
        socket.resume();
      })
      .on('close', () => resolve(size));
  });
  assert.ok(got > 3_000_000);
});

test('more connections than places close those that waited longest, and requests are answered', async () => {
  const small = await start({ max_clients: 1, handshake_s: 120 }); // 65 places
  let closed = 0;
  const idle = Array.from({ length: 140 }, () =>
    createConnection(small.port, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => {
        closed++;
      })
      .resume(),
  );
  await until('closed connections', () => closed >= 140 - 65);
  assert.equal(closed, 140 - 65);
  for (let i = 0; i < 10; i++) assert.equal(statusOf(await request(small, '/healthz')), 200);
  const { server: counts } = JSON.parse(body(await request(small, '/api/v1/status')));
  assert.ok(counts.refused_total >= 140 - 65, `${counts.refused_total}`);
  idle.forEach((socket) => socket.destroy());
  assert.equal(await small.stop(), 0);
});
