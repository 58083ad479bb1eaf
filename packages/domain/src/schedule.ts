/** Maximum period over which a bulk is spread. Source: the specification, `until`: 0 to 12 hours. */
export const MAX_STRETCH_HOURS = 12;

const HOUR = 3_600_000;
/** Maximum delay of the start: one year, including leap years. */
const MAX_DELAY_DAYS = 366;
/** Tolerance for slow clocks, and for a start in the current minute. */
const GRACE_MS = 60_000;

/** Start of a bulk, and the period over which its submissions are spread. */
export interface Schedule {
  /** Null for an immediate start. */
  startsAt: Date | null;
  stretchSeconds: number;
}

export class ScheduleError extends Error {
  override name = 'ScheduleError';
  field: 'delay' | 'until' | 'validUntil';
  rule: 'past' | 'far' | 'range' | 'order';

  constructor(field: ScheduleError['field'], rule: ScheduleError['rule'], message: string) {
    super(message);
    this.field = field;
    this.rule = rule;
  }
}

/** Why a bulk cannot start at `at`; null if it can. Times in Unix milliseconds. Shared by the API and the form. */
export function delayError(at: number, now: number): 'past' | 'far' | null {
  if (at <= now - GRACE_MS) return 'past';
  return at > now + MAX_DELAY_DAYS * 24 * HOUR ? 'far' : null;
}

const DELAY_ERRORS = {
  past: 'The start must not be in the past.',
  far: `The start must be within ${MAX_DELAY_DAYS} days.`,
};

/** Seconds for which a message is valid; shorter ones pass while it waits for its turn. */
export const MIN_VALID_SECONDS = 30;
export const MAX_VALID_SECONDS = 7 * 24 * 3600;

/**
 * Until when a message is given to a carrier that is due at `dueAt`: so many seconds later, or the given time (ISO 8601); null if there is
 * no limit.
 */
export function validUntilOf(validUntil: number | string | undefined, dueAt: Date): Date | null {
  if (validUntil === undefined) return null;
  if (typeof validUntil === 'string') return new Date(validUntil);
  return new Date(dueAt.getTime() + validUntil * 1000);
}

/** A time of validity is after the start, so that something may be sent. */
function checkValidity(validUntil: number | string | undefined, start: Date): void {
  if (typeof validUntil !== 'string' || new Date(validUntil) > start) return;
  throw new ScheduleError(
    'validUntil',
    'order',
    'The messages must be valid at the start, and for some time.',
  );
}

/**
 * Parses the field `schedule` of a request: `delay` is 0 or an ISO 8601 time, `until` is 0 to 12 hours or the end as an ISO 8601
 * time. An end in the past means no spreading. Throws ScheduleError if the start is in the past or more than a year away, or if
 * the end is before the start or more than 12 hours after it, or if messages are not valid at the start.
 */
export function parseSchedule(
  {
    delay,
    until,
    validUntil,
  }: { delay: 0 | string; until: number | string; validUntil?: number | string },
  now: Date,
): Schedule {
  const startsAt = delay === 0 ? null : new Date(delay);
  const error = startsAt && delayError(startsAt.getTime(), now.getTime());
  if (error) throw new ScheduleError('delay', error, DELAY_ERRORS[error]);
  checkValidity(validUntil, startsAt && startsAt > now ? startsAt : now);
  if (typeof until === 'number') return { startsAt, stretchSeconds: Math.round(until * 3600) };
  const end = new Date(until).getTime();
  if (startsAt && end < startsAt.getTime())
    throw new ScheduleError('until', 'order', 'The end must not be before the start.');
  const stretch = end - Math.max(now.getTime(), startsAt?.getTime() ?? 0);
  if (stretch > MAX_STRETCH_HOURS * HOUR)
    throw new ScheduleError(
      'until',
      'range',
      `The period must be between 0 and ${MAX_STRETCH_HOURS} hours.`,
    );
  return { startsAt, stretchSeconds: Math.max(0, Math.round(stretch / 1000)) };
}

/**
 * The time of submission of the recipient at a position (from 0), for an even spread: not before `start`, and before the end of
 * the period. `until` is the period in hours.
 * `spread({ start, until: 1, position: 50, total: 100 })` is half an hour after start.
 */
export function spread(at: { start: Date; until: number; position: number; total: number }): Date {
  const { start, until, total } = at;
  if (until <= 0 || total <= 0) return new Date(start);
  const position = Math.min(Math.max(at.position, 0), total - 1);
  return new Date(start.getTime() + Math.floor((position / total) * until * HOUR));
}

/**
 * The number of recipients per batch of a spread bulk: about one batch per second, at least 1, at most `max`. Without
 * spreading, `max`.
 * `batchSizeFor({ total: 100_000, stretchSeconds: 3600, max: 1000 })` is 27.
 */
export function batchSizeFor(bulk: { total: number; stretchSeconds: number; max: number }): number {
  if (bulk.stretchSeconds <= 0) return bulk.max;
  return Math.min(Math.max(Math.floor(bulk.total / bulk.stretchSeconds), 1), bulk.max);
}
