import { nextChargeAt, type Series } from './recurrent-payments.ts';

/** States of a WhatsApp instance. Source: the specification, section 4. */
export const WAPI_STATES = [
  'undefined',
  'notAuthorized',
  'authorized',
  'sleep',
  'deleted',
] as const;
export type WapiState = (typeof WAPI_STATES)[number];

/** Why the last attempt to link a phone failed. */
export const WAPI_PROBLEMS = ['device_link_beta', 'phone_already_used'] as const;
export type WapiProblem = (typeof WAPI_PROBLEMS)[number];

/** An instance that was not renewed is removed after this time. */
export const WAPI_GRACE_SECONDS = 7 * 86_400;
/** A renewal that failed is repeated after this time. */
export const WAPI_RETRY_SECONDS = 3600;
/** A QR code of WhatsApp is valid for so long. */
export const WAPI_QR_SECONDS = 20;
/** Codes are requested for so long after somebody opened the QR code; the cabinet repeats its request while it is open. */
export const WAPI_QR_WATCH_SECONDS = 60;
/** An instance can be paid for so many days in advance. */
const WAPI_ADVANCE_DAYS = 366;

/** `lost`: the gateway no longer has the instance, and it is created there again. */
export type WapiEvent = 'created' | 'authorized' | 'notAuthorized' | 'sleep' | 'lost' | 'removed';

const TRANSITIONS: Record<WapiState, Partial<Record<WapiEvent, WapiState>>> = {
  undefined: { created: 'notAuthorized', removed: 'deleted' },
  notAuthorized: { authorized: 'authorized', lost: 'undefined', removed: 'deleted' },
  authorized: {
    notAuthorized: 'notAuthorized',
    sleep: 'sleep',
    lost: 'undefined',
    removed: 'deleted',
  },
  sleep: {
    authorized: 'authorized',
    notAuthorized: 'notAuthorized',
    lost: 'undefined',
    removed: 'deleted',
  },
  deleted: {},
};

/** The state after an event; null if nothing changes. */
export const wapiTransition = (state: WapiState, event: WapiEvent): WapiState | null =>
  TRANSITIONS[state][event] ?? null;

/** The series begins at `anchor`: periods end on its day of the month. */
export interface WapiPeriod extends Series {
  startsAt: Date;
  endsAt: Date;
}

/**
 * The next month of an instance. It follows the one that is paid; after a lapse, and for a new instance (null), it begins now, in the
 * time zone that the account has now.
 */
export function nextWapiPeriod(
  paid: (Series & { expiredAt: Date; isPaid: boolean }) | null,
  now: Date,
  timeZone: string,
): WapiPeriod {
  const follows =
    paid?.isPaid && now.getTime() - paid.expiredAt.getTime() < WAPI_GRACE_SECONDS * 1000;
  const [begun, startsAt] = follows ? [paid, paid.expiredAt] : [{ anchor: now, timeZone }, now];
  const series = { anchor: begun.anchor, timeZone: begun.timeZone };
  return { ...series, startsAt, endsAt: nextChargeAt(series, 'monthly', startsAt) };
}

/** Whether another month can be paid before the present one ends. */
export const canAdvanceWapi = (expiredAt: Date, now: Date): boolean =>
  expiredAt.getTime() - now.getTime() < (WAPI_ADVANCE_DAYS - 31) * 86_400_000;

/** When an instance that is not renewed is removed. */
export const wapiRemovalAt = (expiredAt: Date): Date =>
  new Date(expiredAt.getTime() + WAPI_GRACE_SECONDS * 1000);
