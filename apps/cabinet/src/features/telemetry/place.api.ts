import { telemetry, type Coordinates, type Visit } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { stored } from '../../core/stored.ts';

/** The visit that this browser's last sign-in left. */
const VISIT = 'heliograph.visit';
/** Source: the specification, section 9. */
const TIMEOUT_MS = 15_000;

/**
 * Leaves a record of the sign-in, with its place where the person has consented, none was noted for a day and the browser tells
 * it already: nobody is asked here.
 */
export async function noteVisit(): Promise<void> {
  const data = { url: location.origin + location.pathname };
  const { id } = await api(telemetry.create, { body: { data } });
  stored.set(VISIT, id);
  if ((await browserState()) !== 'granted') return;
  const { isAllowed, nextAt } = await api(telemetry.consent);
  if (isAllowed && !nextAt) await notePlace();
}

/** Notes where the person is in the last sign-in's visit. The browser asks whether it may tell, if it has not before. */
export async function notePlace(): Promise<Visit | null> {
  const body = await position();
  const id = stored.get(VISIT);
  return id ? api(telemetry.locate, { params: { id }, body }) : null;
}

/** Whether the browser tells this site where it is; it also says `prompt` when it does not know before it is asked. */
export async function browserState(): Promise<PermissionState> {
  if (!isSecureContext || !('geolocation' in navigator)) return 'denied';
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state;
  } catch {
    return 'prompt';
  }
}

const position = () =>
  new Promise<Coordinates>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ latitude: near(coords.latitude), longitude: near(coords.longitude) }),
      ({ message }) => reject(new Error(message)),
      { timeout: TIMEOUT_MS, maximumAge: 600_000 },
    ),
  );

/** A kilometre or so: whoever asks for the town need not know the street. */
const near = (degrees: number) => Math.round(degrees * 100) / 100;
