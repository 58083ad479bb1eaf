// Tells open tabs about a new release; the server fills in the version, so that each release is another script.
// It has no `fetch` handler and caches nothing: a page is never of a former release, and an outage is visible.
const version = '__VERSION__';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate() {
  // Those of another worker that this address had before.
  for (const name of await caches.keys()) await caches.delete(name);
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const tab of tabs) tab.postMessage({ type: 'version', version });
}
