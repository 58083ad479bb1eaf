import { telemetry, type Coordinates, type Visit } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { browserStorage } from '../../core/browser-storage.ts';

/** The visit that this browser's last sign-in left. */
const VISIT = 'heliograph.visit';
/** Source: the specification, section 9. */
const TIMEOUT_MS = 15_000;

/**
 * Records a sign-in, with its place when the user has consented, no place was recorded for a day, and the browser has already
 * granted the location permission: this never opens the browser's permission prompt.
 */
export async function noteVisit(): Promise<void> {
  const data = { url: location.origin + location.pathname };
  const { id } = await api(telemetry.create, { body: { data } });
  browserStorage.set(VISIT, id);
  if ((await browserState()) !== 'granted') return;
  const { isAllowed, nextAt } = await api(telemetry.consent);
  if (isAllowed && !nextAt) await notePlace();
}

/** Records the user's place in the visit of the last sign-in. The browser may ask for its location permission. */
export async function notePlace(): Promise<Visit | null> {
  const body = await position();
  const id = browserStorage.get(VISIT);
  return id ? api(telemetry.locate, { params: { id }, body }) : null;
}

/** The browser's location permission; `prompt` when the browser cannot tell. */
export async function browserState(): Promise<PermissionState> {
  if (!isSecureContext || !('geolocation' in navigator)) return 'denied';
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state;
  } catch {
    return 'prompt';
  }
}

export const browserQuery = queryOptions({
  queryKey: keysOf('browser').of('geolocation'),
  queryFn: browserState,
  staleTime: 0,
});

const position = () =>
  new Promise<Coordinates>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ latitude: near(coords.latitude), longitude: near(coords.longitude) }),
      ({ message }) => reject(new Error(message)),
      { timeout: TIMEOUT_MS, maximumAge: 600_000 },
    ),
  );

/** Rounded to about a kilometre: the town is needed, not the street. */
const near = (degrees: number) => Math.round(degrees * 100) / 100;
