import { useEffect } from 'react';
import { queryClient } from '../core/query.ts';
import { versionKey } from './version.ts';

const CHECK_MS = 3_600_000;

/**
 * Registers the service worker and checks for a newer one every hour, also in the background, where `version.json` is not
 * polled. A newer worker tells all tabs its version (docs/decisions/032-service-worker-without-a-cache.md).
 */
export function useServiceWorker(): void {
  useEffect(() => {
    // Browsers have none on addresses without TLS, and the development server serves none.
    const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (!import.meta.env.PROD || !container) return;
    const listen = ({ data }: MessageEvent<unknown>) => {
      if (isVersion(data)) queryClient.setQueryData(versionKey, data.version);
    };
    container.addEventListener('message', listen);
    // Messages wait for this when they are listened to by `addEventListener`.
    container.startMessages();
    const registered = container.register('/service-worker.js', { updateViaCache: 'none' });
    const check = () => void registered.then((worker) => worker.update()).catch(ignored);
    registered.catch(ignored);
    const timer = setInterval(check, CHECK_MS);
    return () => {
      clearInterval(timer);
      container.removeEventListener('message', listen);
    };
  }, []);
}

const isVersion = (data: unknown): data is { version: string } =>
  typeof data === 'object' &&
  data !== null &&
  'version' in data &&
  typeof data.version === 'string';

/** While the server is away, or where the browser forbids workers, the minute's poll remains. */
const ignored = () => {};
