// How the page of the real daemon arrives: all requests at once, compressed, kept by the browser, and without a server.
import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { launch, screenshot, until, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';
import { JOINED } from '../page_files.mjs';

const SIM = ['--source', 'sim', '--fft-size', '4096'];
const FILE_BYTES = 96e3; // compressed, of all files that a visitor's first sight of the instrument loads
const HEADER_BYTES = 3e3; // of the answers with them

let browser, daemon;
before(async () => {
  browser = await launch();
  daemon = await startDaemon(SIM);
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

/** Records the requests of a page by CDP: { url, initiator, cached, bytes, encoding }. */
async function recordRequests(page) {
  const session = await page.context().newCDPSession(page),
    requests = new Map();
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator }) =>
    requests.set(requestId, { url: request.url, initiator, cached: false, bytes: 0, body: 0, encoding: '' }),
  );
  session.on('Network.requestServedFromCache', ({ requestId }) => {
    requests.get(requestId).cached = true;
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const entry = requests.get(requestId);
    if (!entry) return;
    entry.cached ||= response.fromDiskCache === true;
    entry.encoding = response.headers['Content-Encoding'] ?? '';
    entry.body = Number(response.headers['Content-Length'] ?? 0);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requests.has(requestId)) requests.get(requestId).bytes = encodedDataLength;
  });
  return () => [...requests.values()].filter(({ url }) => url.startsWith('http'));
}

const isText = ({ url }) => /\.(js|css)$/.test(url);
/** The first spectrum is on screen, and the document is complete: the service worker is registered after that. */
const loaded = async (page) => {
  await untilText(page, '#peak-hz', /Hz/);
  await page.waitForLoadState('load');
};

test('the document requests every file of the page itself', JOINED, async () => {
  let requests;
  await withPage(
    browser,
    daemon.url,
    async (page) => {
      await loaded(page);
      const files = requests().filter(isText);
      assert.deepEqual(files.map(({ url }) => url.split('/').at(-1)).sort(), ['main.js', 'page.css'], 'joined');
      for (const { url, initiator } of files) {
        assert.equal(initiator.type, 'parser', url);
        assert.equal(initiator.url, daemon.url, `${url} is requested by the document, not by a module`);
      }
    },
    {
      before: async (page) => {
        requests = await recordRequests(page);
      },
    },
  );
});

test('the whole page is compressed and below 96 kB', JOINED, async () => {
  let requests;
  await withPage(
    browser,
    daemon.url,
    async (page) => {
      await loaded(page);
      const all = requests().filter(({ bytes }) => bytes > 0),
        sum = (key) => all.reduce((total, entry) => total + entry[key], 0);
      for (const { url, encoding } of all.filter(isText)) assert.equal(encoding, 'gzip', url);
      assert.ok(sum('body') > 10e3 && sum('body') < FILE_BYTES, `${sum('body')} bytes`);
      assert.ok(sum('bytes') - sum('body') < HEADER_BYTES, `${sum('bytes')} bytes with headers`);
    },
    {
      before: async (page) => {
        requests = await recordRequests(page);
      },
    },
  );
});

test('the websocket is requested before the panels are built', { timeout: 120000 }, async () => {
  const built = () => document.querySelectorAll('#ledger > *, #marker-buttons > *, #keys > *').length;
  const note = `const Plain = WebSocket, built = ${built};
    window.WebSocket = class extends Plain { constructor(...args) { super(...args); window.builtThen ??= built(); } };`;
  await withPage(
    browser,
    daemon.url,
    async (page) => {
      await loaded(page);
      assert.equal(await page.evaluate(() => window.builtThen), 0);
      assert.ok((await page.evaluate(built)) > 10);
    },
    { before: (page) => page.addInitScript(note) },
  );
});

test('a second visit asks the server for the document alone', { timeout: 120000 }, async () => {
  let requests;
  await withPage(browser, daemon.url, async (page) => {
    await loaded(page);
    const context = page.context(),
      again = await context.newPage();
    requests = await recordRequests(again);
    await again.goto(daemon.url);
    await loaded(again);
    const asked = requests()
      .filter((entry) => isText(entry) && !entry.cached)
      .map(({ url }) => url);
    assert.deepEqual(asked, []);
    await again.close();
  });
});

/** A proxy that serves the daemon below a path, websockets too. */
async function proxyBelow(prefix, port) {
  const pathOf = (url) => url.slice(prefix.length - 1);
  const proxy = createServer((incoming, answer) => {
    if (!incoming.url.startsWith(prefix)) return answer.writeHead(404).end('outside');
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const options = { host: '127.0.0.1', port, path: pathOf(incoming.url), method: incoming.method, headers };
    incoming.pipe(
      httpRequest(options, (reply) => {
        answer.writeHead(reply.statusCode, reply.headers);
        reply.pipe(answer);
      }),
    );
  });
  proxy.on('upgrade', ({ url, rawHeaders }, socket) => {
    const upstream = connect(port, '127.0.0.1');
    const lines = rawHeaders.map((text, i) => (i % 2 ? `${text}\r\n` : `${text}: `)).join('');
    upstream.write(`GET ${pathOf(url)} HTTP/1.1\r\n${lines}\r\n`);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream])
      end.on('error', () => {
        socket.destroy();
        upstream.destroy();
      });
  });
  await new Promise((done) => {
    proxy.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${proxy.address().port}${prefix}`,
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

test('below the path of a proxy the page and its worker stay below it', { timeout: 120000 }, async () => {
  const proxy = await proxyBelow('/radio/one/', Number(new URL(daemon.url).port));
  try {
    let requests;
    await withPage(
      browser,
      proxy.url,
      async (page) => {
        await loaded(page);
        for (const { url } of requests()) assert.ok(url.startsWith(proxy.url), url);
        const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
        assert.equal(scope, proxy.url);
      },
      {
        before: async (page) => {
          requests = await recordRequests(page);
        },
      },
    );
  } finally {
    proxy.stop();
  }
});

test('without the server a page says so and with it the instrument is back', { timeout: 120000 }, async () => {
  const first = await startDaemon(SIM),
    { host } = new URL(first.url);
  let second;
  try {
    await withPage(
      browser,
      first.url,
      async (page) => {
        await loaded(page);
        await page.evaluate(() => navigator.serviceWorker.ready);
        await until(() => page.evaluate(() => navigator.serviceWorker.controller !== null), 'the worker is in charge');
        await first.stop();
        await page.reload();
        await untilText(page, 'h1', /^fftd does not answer$/);
        assert.equal(await page.evaluate(() => getComputedStyle(document.body).display), 'grid', 'with its styles');
        assert.ok(await page.evaluate(() => document.querySelector('img').naturalWidth > 0), 'with its picture');
        await screenshot(page, 'page_offline');
        second = await startDaemon([...SIM, '--listen', host]);
        await page.reload();
        await loaded(page); // from the server, not from a cache
        const kept = await page.evaluate(async () => {
          const caches_ = await Promise.all(
            (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
          );
          return caches_
            .flat()
            .map(({ url }) => new URL(url).pathname)
            .sort();
        });
        assert.deepEqual(
          kept,
          ['/icon.svg', '/offline.css', '/offline.html'],
          'the worker keeps no part of the instrument',
        );
      },
      { allow: /WebSocket connection|Failed to load resource|ERR_CONNECTION/ },
    );
  } finally {
    await second?.stop();
  }
});

test('the manifest is complete enough to install the page', { timeout: 120000 }, async () => {
  await withPage(browser, daemon.url, async (page) => {
    await loaded(page);
    const session = await page.context().newCDPSession(page);
    const { errors, url } = await session.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal(url, `${daemon.url}manifest.webmanifest`);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    const faults = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito');
    assert.deepEqual(faults, []);
  });
});
