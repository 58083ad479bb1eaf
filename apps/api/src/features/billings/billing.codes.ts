import type { BILLING_SOURCES, BILLING_STATUSES, BillingOrigin } from '@heliograph/contract';
import { typeCode, typeOf, type CallIntervals, type SendingType } from '@heliograph/domain';

export type Source = (typeof BILLING_SOURCES)[number];
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** Stored sources of manual entries. They are negative; the source of a charge is the code of the sending's type. */
export const MANUAL_SOURCES = { accrual: -1, subtract: -2, transfer: -3 } as const;
type ManualSource = keyof typeof MANUAL_SOURCES;
const MANUAL_SOURCE_NAMES = Object.keys(MANUAL_SOURCES) as ManualSource[];
export const BILLING_STATUS_CODES = { pending: 0, complete: 1, refunded: 2, invalid: 3 } as const;
export const BILLING_STATUS_NAMES = Object.keys(BILLING_STATUS_CODES) as BillingStatus[];

/** Whether a prepaid package covers the message of an entry: its units were taken and not given back. */
export const isCoveredSql = (entry: string): string =>
  `(${entry}.package_id is not null and ${entry}.status = ${BILLING_STATUS_CODES.complete})`;

/** The volume step that the price of an entry has; null without one. */
export const volumeStepSql = (entry: string): string =>
  `(select v.volume_steps -> (${entry}.volume_step - 1) from tariff_versions v
     where ${entry}.volume_step > 0 and v.tariff_id = ${entry}.tariff_id and v.number = ${entry}.tariff_version)`;

/** `sendings.sms` is 1, as the type is. */
export function sourceCode(source: Source): number {
  if (source in MANUAL_SOURCES) return MANUAL_SOURCES[source as ManualSource];
  return typeCode(source.slice('sendings.'.length) as SendingType);
}

export function sourceOf(code: number): Source {
  return (
    MANUAL_SOURCE_NAMES.find((name) => MANUAL_SOURCES[name] === code) ?? `sendings.${typeOf(code)}`
  );
}

export function billingStatusOf(code: number): BillingStatus {
  const name = BILLING_STATUS_NAMES.find((status) => BILLING_STATUS_CODES[status] === code);
  if (!name) throw new RangeError(`Unknown billing status code ${code}`);
  return name;
}

export const ORIGIN_CODES = {
  payment: 1,
  refund: 2,
  invoice: 3,
  referral: 4,
  operation: 5,
  wapi: 6,
  package: 7,
  minimum: 8,
  settlement: 9,
  call: 10,
} as const;
const ORIGIN_NAMES = Object.keys(ORIGIN_CODES) as BillingOrigin['type'][];

export function originOf(code: number): BillingOrigin['type'] {
  const name = ORIGIN_NAMES.find((origin) => ORIGIN_CODES[origin] === code);
  if (!name) throw new RangeError(`Unknown origin code ${code}`);
  return name;
}

/** Whether an entry gives back what a call cost less than its reserve. It is no credit: it makes charges less, as a refund does. */
export const isRestSql = (entry: string): string =>
  `${entry}.origin is not distinct from ${ORIGIN_CODES.call}`;

/** What was given back of a charge because the call was shorter than its reserve; 0 of others. */
export const restSql = (charge: string): string =>
  `(case when ${charge}.source = ${typeCode('voice')} then coalesce(
     (select r.amount from billings r where r.origin = ${ORIGIN_CODES.call} and r.origin_id = ${charge}.id), 0) else 0 end)`;

/** Seconds that a call `c` of so many is billed for, as `secondsOfCall` of the domain. */
export const secondsSql = (seconds: string): string =>
  `case when ${seconds} = 0 then 0 else c.first + ceil(greatest(${seconds} - c.first, 0)::numeric / c.interval) * c.interval end`;

/**
 * Entries `r` that give back of an owner's charges of calls, whose ids are from `first` and before `last`. The entry itself is not before its
 * charge, so that `billings_owner_source` serves it.
 */
export const restsSql = (owner: string, first: string, last: string): string =>
  `billings r where r.owner_id = ${owner} and r.source = ${MANUAL_SOURCES.accrual} and r.origin = ${ORIGIN_CODES.call}
     and r.id >= ${first} and r.origin_id >= ${first} and r.origin_id < ${last}`;

/** How a charge is made by the length of its call, as `CallChargeRow`; null of others. */
export const callSql = (charge: string): string =>
  `(case when ${charge}.source = ${typeCode('voice')} then
     (select jsonb_build_object('first', c.first, 'interval', c.interval, 'estimated', c.estimated, 'reserved', (-${charge}.amount)::float8, 'seconds', c.seconds, 'units', c.units, 'settledAt', c.settled_at)
        from call_charges c where c.sending_id = ${charge}.id) end)`;

/** `seconds`, `units` and `settledAt` are null until the length of the call is known. */
export interface CallChargeRow extends CallIntervals {
  /** Seconds of the text or recording. */
  estimated: number;
  reserved: number;
  seconds: number | null;
  /** Seconds that it is charged for. */
  units: number | null;
  /** As Postgres writes it in JSON. */
  settledAt: string | null;
}

/** The sign of an origin's entries; 0 where it may add and take. A bonus is taken back when its payment is refunded. */
export const ORIGIN_SIGNS = {
  payment: 1,
  refund: -1,
  invoice: 1,
  referral: 0,
  operation: 0,
  wapi: -1,
  package: -1,
  minimum: -1,
  settlement: 0,
  call: 1,
} as const;
