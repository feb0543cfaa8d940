// Registers the service worker, which shows a page of its own while the server does not answer.

/** Browsers offer workers on https and loopback only; some users block them. Then the page works without. */
export function registerWorker() {
  const workers = /** @type {ServiceWorkerContainer | undefined} */ (navigator.serviceWorker);
  // After loading, so that the files that it keeps do not delay the first spectrum.
  const register = () => {
    workers?.register(new URL('sw.js', document.baseURI), { updateViaCache: 'none' }).catch(() => {});
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
