import { isTimeZone } from '@heliograph/domain';
import { entryOf } from './personal/mirror.ts';
import { browserStorage, useStored } from './browser-storage.ts';
import { instantOf, wallClock } from './zoned-time.ts';

const { name } = entryOf('timeZone');

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

let checked: { zone: string; isKnown: boolean } | undefined;

/** A name that another device or the server knows may be unknown to this browser. */
function isKnown(zone: string): boolean {
  if (checked?.zone !== zone) checked = { zone, isKnown: isTimeZone(zone) };
  return checked.isKnown;
}

/** The zone of all times that the page shows and takes: the user's, else the browser's. */
export function timeZone(): string {
  const own = browserStorage.get(name);
  return own !== null && isKnown(own) ? own : browserZone();
}

export function useTimeZone(): string {
  useStored(name);
  return timeZone();
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;

/** The moment of a date and time as a field has it, `2026-11-22T09:30`, in the user's zone; NaN when it is none. */
export const localTime = (text: string): number =>
  LOCAL.test(text) ? instantOf(Date.parse(`${text}Z`), timeZone()) : Number.NaN;

/** The same in ISO form; null when it is none. */
export function localIso(text: string): string | null {
  const time = localTime(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** The `max` of such a field: without it browsers take years of six digits. */
export const MAX_LOCAL = '9999-12-31T23:59';

/** The reverse of `localTime`, to the minute. */
export const localText = (instant: number): string =>
  new Date(wallClock(instant, timeZone())).toISOString().slice(0, 16);
