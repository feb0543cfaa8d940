// The service worker: shows offline.html where a navigation gets no answer. It keeps nothing else: the page itself
// always comes from the server.

const VERSION = 'source'; // of the page, written by the build: a new one renews what is kept
const KEPT = ['offline.html', 'offline.css', 'icon.svg'];
const worker = /** @type {any} */ (globalThis);

/** Keeps the files of this version, and removes those of others. */
async function keep() {
  const cache = await caches.open(VERSION);
  await cache.addAll(KEPT.map((path) => new Request(path, { cache: 'reload' })));
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
}

/** @param {{ request: Request, preloadResponse: Promise<Response | undefined> }} event */
async function answer({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const kept = await caches.match(request.mode === 'navigate' ? 'offline.html' : request.url);
    if (kept) return kept;
    throw error;
  }
}

/** Takes over open pages; a navigation asks the server while the worker starts. */
async function activate() {
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** @param {Request} request  made by the offline page, or for a page */
const isMine = ({ mode, url }) => mode === 'navigate' || KEPT.some((path) => url === new URL(path, location.href).href);

worker.addEventListener('install', (/** @type {any} */ event) =>
  event.waitUntil(keep().then(() => worker.skipWaiting())),
);
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  if (isMine(event.request)) event.respondWith(answer(event));
});
