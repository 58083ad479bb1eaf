const KEY = 'heliograph.reloadedAt';

/** After a release an old tab asks for files that are gone: one reload brings the new ones, a second would be a loop. */
export function reloadOnLostChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < 60_000) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
