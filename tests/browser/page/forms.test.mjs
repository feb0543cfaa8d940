// The three forms of the page: joined by esbuild, the embedded modules of a build without it, and the files of a web
// root.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, untilText, withPage } from '../browser.mjs';
import { startDaemon } from '../daemon.mjs';
import { JOINED } from '../page_files.mjs';

const WEB = new URL('../../../web/', import.meta.url);
const PAGES = ['index.html', 'hub/index.html']; // the addresses of both are relative to the root
const SIM = ['--source', 'sim'];
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
let browser, joined, plain, source;
before(async () => {
  browser = await launch();
  joined = await startDaemon(SIM);
  plain = await startDaemon(SIM, 'ignore', process.env.FFTD_PLAIN_PAGE);
  source = await startDaemon([...SIM, '--web-root', fileURLToPath(WEB)]);
});
after(async () => {
  await browser?.close();
  for (const daemon of [joined, plain, source]) await daemon?.stop();
});

const REFERENCES = [
  /^(?:(?:import|export) .*|\}) from '(.+?)';$/gm,
  /^@import "(.+?)";$/gm,
  /=> import\('(.+?)'\)/g,
  /<script type="module" src="(.+?)"/g,
  /<link rel="stylesheet" href="(.+?)"/g,
];
/** The scripts and style sheets that a file refers to, as paths from the root. */
const filesIn = (text, path) =>
  REFERENCES.flatMap((pattern) => [...text.matchAll(pattern)]).map(([, address]) =>
    new URL(address, new URL(path, 'http://x/')).pathname.slice(1),
  );

/** A script or style sheet with the headers that all of them have; it is not sent twice. */
async function served(daemon, path, type = TYPES[path.split('.').at(-1)]) {
  const answer = await fetch(new URL(path, daemon.url)),
    text = await answer.text();
  assert.equal(answer.status, 200, path);
  assert.equal(answer.headers.get('content-type'), type, path);
  assert.match(answer.headers.get('content-security-policy'), /^default-src 'self'/, path);
  const etag = answer.headers.get('etag');
  assert.match(etag, /^"[0-9a-f]{32}"$/, path);
  assert.equal((await fetch(new URL(path, daemon.url), { headers: { 'If-None-Match': etag } })).status, 304, path);
  return { path, text, cache: answer.headers.get('cache-control'), encoding: answer.headers.get('content-encoding') };
}

/** All scripts and style sheets that a page loads, with what they refer to. */
async function loadedBy(daemon, page) {
  const found = new Set(filesIn(await (await fetch(new URL(page, daemon.url))).text(), '')),
    files = [];
  for (const path of found) {
    // grows meanwhile
    files.push(await served(daemon, path));
    for (const name of filesIn(files.at(-1).text, path)) found.add(name);
  }
  return files;
}

/**
 * Scripts and style sheets of web/, without those that no page loads by a reference: the worker's, and the
 * configuration.
 */
const sources = () =>
  readdirSync(WEB, { recursive: true })
    .filter((name) => /\.(js|css)$/.test(name) && !/^(sw\.js|offline\.css|eslint\.config\.js)$/.test(name))
    .sort();

test('a joined page is one script and one style sheet', JOINED, async () => {
  for (const page of PAGES) {
    const files = await loadedBy(joined, page);
    assert.deepEqual(files.map(({ path }) => path.split('.').at(-1)).sort(), ['css', 'js'], page);
    for (const { path, cache } of files) assert.match(cache, /immutable/, path);
  }
});

test('a build without esbuild embeds every module under a name that browsers keep', { timeout: 120000 }, async () => {
  const files = (await Promise.all(PAGES.map((page) => loadedBy(plain, page)))).flat(),
    names = new Set();
  for (const { path, text, cache, encoding } of files) {
    const [, version, name] = /^([0-9a-f]{16})\/(.+)$/.exec(path);
    assert.ok(version);
    assert.match(cache, /immutable/, path);
    assert.equal(encoding, 'gzip', path);
    assert.equal(text, readFileSync(new URL(name, WEB), 'utf8'), path);
    names.add(name);
  }
  assert.deepEqual([...names].sort(), sources());
});

test('every module of a web root is served', { timeout: 120000 }, async () => {
  const files = (await Promise.all(PAGES.map((page) => loadedBy(source, page)))).flat();
  for (const { path, text } of files) assert.equal(text, readFileSync(new URL(path, WEB), 'utf8'), path);
  assert.deepEqual([...new Set(files.map(({ path }) => path))].sort(), sources());
});

/** Opens the page of a daemon in a scene without chance, and returns what look() gives. */
async function withScene(daemon, look, options) {
  let seen;
  await withPage(
    browser,
    daemon.url,
    async (page) => {
      await untilText(page, '#peak-hz', /Hz/);
      seen = await look(page);
    },
    options,
  );
  return seen;
}

test('the page without esbuild works from its many modules', { timeout: 120000 }, async () => {
  const modules = await withScene(plain, async (page) => {
    await page.keyboard.press('?');
    await page.locator('#help').waitFor({ state: 'visible' });
    return page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length,
    );
  });
  assert.ok(modules > 30, `${modules} modules`);
});

/**
 * The styles of the elements with an id, as computed: while nothing is displayed, lengths do not depend on the text.
 */
const styles = (page) =>
  page.evaluate(() => {
    document.documentElement.style.display = 'none';
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[hidden]')))
      element.hidden = false; // what is may come later
    const names = [...getComputedStyle(document.body)].filter(
      (name) => !/^(inline|block)-size|-(inline|block)-|^transition/.test(name),
    );
    return [...document.querySelectorAll('body *[id]:not(#display *)')].flatMap((element) =>
      ['', '::before', '::after'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo || null);
        return pseudo && style.content === 'none'
          ? []
          : names.map((name) => `#${element.id}${pseudo} { ${name}: ${style.getPropertyValue(name)} }`);
      }),
    );
  });

for (const [name, options] of [
  ['on a desktop in the dark', { colorScheme: 'dark' }],
  ['on a phone in the light', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['on a phone on its side', { colorScheme: 'dark', viewport: { width: 844, height: 390 } }],
])
  test(`the joined style sheet gives every element the style of its sources ${name}`, JOINED, async () => {
    const ours = await withScene(joined, styles, options),
      theirs = await withScene(plain, styles, options);
    assert.ok(ours.length > 30000, `${ours.length} properties`);
    const known = new Set(theirs);
    assert.equal(ours.length, theirs.length);
    assert.deepEqual(ours.filter((line) => !known.has(line)).slice(0, 20), []);
  });

/** Bytes of a page with its scripts and style sheets: as they are, and as they are sent. */
async function weigh(daemon, page) {
  const files = [await served(daemon, page, 'text/html; charset=utf-8'), ...(await loadedBy(daemon, page))];
  const sizes = [];
  for (const { path } of files) {
    // one by one: a hundred connections whose answers nobody reads are too many
    const answer = await fetch(new URL(path, daemon.url));
    await answer.arrayBuffer();
    sizes.push(Number(answer.headers.get('content-length'))); // fetch() unpacks, but the header counts what was sent
  }
  return {
    raw: files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    sent: sizes.reduce((a, b) => a + b, 0),
  };
}

/** What docs/page.md promises of the page, and what holds for a hub's: bytes as they are sent. */
const MOST = { 'index.html': 96000, 'hub/index.html': 38000 };

for (const page of PAGES)
  test(`joined ${page.replace('/', '_')} weighs less than its modules and no more than promised`, JOINED, async (t) => {
    const one = await weigh(joined, page),
      other = await weigh(plain, page);
    t.diagnostic(`joined ${one.raw} bytes, ${one.sent} as sent; modules ${other.raw}, ${other.sent}`);
    assert.ok(one.raw < other.raw && one.sent < other.sent);
    assert.ok(one.sent < MOST[page], `${one.sent} bytes`);
  });
