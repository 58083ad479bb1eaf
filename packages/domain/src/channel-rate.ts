/** What a carrier takes from a channel, in segments: so many a second and at once, and so many a day of UTC. Null: without a limit. */
export interface ChannelLimits {
  rate: number | null;
  /** What may go at once after a pause; a second's worth if null. */
  burst: number | null;
  perDay: number | null;
  /** Of a new channel: the segments of the first day on which it is used, and twice as many on each later one. */
  warmUp: number | null;
}

/** What a channel has used of its limits. */
export interface ChannelUse {
  /** When all of the burst may be used again, in milliseconds since 1970, at the rate of the last use. */
  fullAt: number;
  /** The rate of the last use; null where there was none, or it is not known. */
  rate: number | null;
  /** The day of the last use, as `2026-01-31`, and the segments of it. */
  day: string;
  used: number;
  /** How many days of use came before it. */
  days: number;
}

/** Of a limit that is new. */
export const UNUSED: ChannelUse = { fullAt: 0, rate: null, day: '', used: 0, days: 0 };

/** Tokens are fractions: what is missing of a whole one by rounding is not waited for. */
const EPSILON = 1e-6;
/** What may be used is looked at again after so long, so that more than one segment goes in a call. */
const MIN_WAIT_MS = 50;

export const isLimited = ({ rate, perDay, warmUp }: ChannelLimits): boolean =>
  rate !== null || perDay !== null || warmUp !== null;

/** Segments of one call at most. A message with more goes alone. */
export function segmentsAtOnce(limits: ChannelLimits): number {
  return Math.min(burstOf(limits), limits.perDay ?? Infinity, limits.warmUp ?? Infinity);
}

/** Segments that may be submitted now. */
export function allowance(limits: ChannelLimits, use: ChannelUse, now: Date): number {
  const left = Math.floor(burstOf(limits) - owed(limits, use, now) + EPSILON);
  return Math.max(0, Math.min(left, leftOfDay(limits, use, now)));
}

/** The use after so many more segments. */
export function afterUse(
  limits: ChannelLimits,
  use: ChannelUse,
  segments: number,
  now: Date,
): ChannelUse {
  const from = now.getTime() + missingMs(limits, use, now);
  return {
    fullAt: limits.rate === null ? from : from + (segments * 1000) / limits.rate,
    rate: limits.rate,
    day: dayOf(now),
    used: usedOn(use, now) + segments,
    days: daysBefore(use, now),
  };
}

/**
 * The use at the rate of now, which is kept when it is another than before: what is missing comes back at the new rate from then on. It
 * is the same object where nothing changes.
 */
export function atRate<T extends ChannelUse>(limits: ChannelLimits, use: T, now: Date): T {
  const { rate } = limits;
  if (rate === null || use.rate === rate || use.fullAt <= now.getTime()) return use;
  return { ...use, fullAt: now.getTime() + missingMs(limits, use, now), rate };
}

/** Milliseconds until more may be submitted than now: a segment, or what comes together in a moment. */
export function waitForMore(limits: ChannelLimits, use: ChannelUse, now: Date): number {
  if (leftOfDay(limits, use, now) === 0) return untilTomorrow(now);
  if (limits.rate === null) return MIN_WAIT_MS;
  const missing = owed(limits, use, now);
  const more = missing - Math.floor(missing - EPSILON);
  const left = burstOf(limits) - missing;
  // Of a debt, the first whole segment.
  const next = left < 1 ? 1 - left : more;
  const full = missingMs(limits, use, now);
  return Math.max(1, Math.ceil(Math.min(Math.max((next * 1000) / limits.rate, MIN_WAIT_MS), full)));
}

/** Milliseconds until the rate allows so many segments, at most as many as may go at once. */
export function waitForRate(
  limits: ChannelLimits,
  use: ChannelUse,
  segments: number,
  now: Date,
): number {
  if (limits.rate === null) return 1;
  const missing = segments - (burstOf(limits) - owed(limits, use, now));
  return Math.max(1, Math.ceil((missing * 1000) / limits.rate));
}

/** Whether so many segments are left of the day; of a message with more than any day has, all of a day. */
export const hasDayFor = (
  limits: ChannelLimits,
  use: ChannelUse,
  segments: number,
  now: Date,
): boolean => leftOfDay(limits, use, now) >= Math.min(segments, dayLimit(limits, use, now));

/** Milliseconds in which so many segments come back; 0 without a rate. */
export const refillMs = ({ rate }: ChannelLimits, segments: number): number =>
  rate === null ? 0 : (segments * 1000) / rate;

/** Segments that may be submitted on this day still. */
export const leftOfDay = (limits: ChannelLimits, use: ChannelUse, now: Date): number =>
  Math.max(0, dayLimit(limits, use, now) - usedOn(use, now));

/** Segments that were submitted on this day. */
export const usedOn = ({ day, used }: ChannelUse, now: Date): number =>
  day === dayOf(now) ? used : 0;

/** Whether a part of it is used, so that what waits for it may have to. */
export const isInUse = (limits: ChannelLimits, use: ChannelUse, now: Date): boolean =>
  missingMs(limits, use, now) > 0 || leftOfDay(limits, use, now) === 0;

function burstOf({ rate, burst }: ChannelLimits): number {
  return rate === null ? Infinity : (burst ?? Math.max(1, Math.ceil(rate)));
}

/** Segments that are missing in a full burst. */
function owed(limits: ChannelLimits, use: ChannelUse, now: Date): number {
  return limits.rate === null ? 0 : (missingMs(limits, use, now) / 1000) * limits.rate;
}

/**
 * Milliseconds until all of the burst may be used again. Segments that were used at a lower rate than that of now come back at this one; after a
 * higher rate the time stays, so that a lowered rate makes no debt.
 */
function missingMs({ rate }: ChannelLimits, use: ChannelUse, now: Date): number {
  if (rate === null) return 0;
  return Math.max(0, use.fullAt - now.getTime()) * Math.min(1, (use.rate ?? rate) / rate);
}

/** Segments of the day. A channel that pauses goes on where it was. */
function dayLimit({ perDay, warmUp }: ChannelLimits, use: ChannelUse, now: Date): number {
  const warm = warmUp === null ? Infinity : warmUp * 2 ** daysBefore(use, now);
  return Math.min(warm, perDay ?? Infinity);
}

function daysBefore({ day, days }: ChannelUse, now: Date): number {
  return day && day !== dayOf(now) ? days + 1 : days;
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
const DAY_MS = 86_400_000;
export const untilTomorrow = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS);

/** Messages in order, in parts that may each go in one call. A message with more segments than that is a part of its own. */
export function partsOf<T>(
  messages: readonly T[],
  max: { messages: number; segments: number },
  segmentsOf: (message: T) => number,
): T[][] {
  const parts: T[][] = [];
  let part: T[] = [];
  let segments = 0;
  for (const message of messages) {
    const own = segmentsOf(message);
    if (part.length && (part.length >= max.messages || segments + own > max.segments)) {
      parts.push(part);
      part = [];
      segments = 0;
    }
    part.push(message);
    segments += own;
  }
  if (part.length) parts.push(part);
  return parts;
}
