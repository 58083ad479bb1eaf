/** The longest stretch of a bulk: the specification's "until" offers 0 to 12 hours. */
export const MAX_STRETCH_HOURS = 12;

const HOUR = 3_600_000;
/** A bulk starts within a year, leap or not. */
export const MAX_DELAY_DAYS = 366;
/** A clock that is a little slow, or a minute chosen while it runs, is not the past. */
const GRACE_MS = 60_000;

/** When a bulk starts, and how long its handovers are stretched. */
export interface Schedule {
  /** Null is now. */
  startsAt: Date | null;
  stretchSeconds: number;
}

export class ScheduleError extends Error {
  override name = 'ScheduleError';
  field: 'delay' | 'until';
  rule: 'past' | 'far' | 'range' | 'order';

  constructor(field: ScheduleError['field'], rule: ScheduleError['rule'], message: string) {
    super(message);
    this.field = field;
    this.rule = rule;
  }
}

/** Why nothing starts at a time, in milliseconds; null when it may. One rule for the API and the form. */
export function delayError(at: number, now: number): 'past' | 'far' | null {
  if (at <= now - GRACE_MS) return 'past';
  return at > now + MAX_DELAY_DAYS * 24 * HOUR ? 'far' : null;
}

const DELAY_ERRORS = {
  past: 'The start is in the past.',
  far: `The start is more than ${MAX_DELAY_DAYS} days away.`,
};

/**
 * Reads `schedule` as clients send it: `delay` 0 or an ISO-8601 time, `until` 0 to 12 hours or the ISO-8601 end of the
 * stretch. An end in the past is no stretch. Throws ScheduleError: a start in the past or more than a year away is refused,
 * and an end before the start or more than 12 hours after it.
 */
export function parseSchedule(
  { delay, until }: { delay: 0 | string; until: number | string },
  now: Date,
): Schedule {
  const startsAt = delay === 0 ? null : new Date(delay);
  const error = startsAt && delayError(startsAt.getTime(), now.getTime());
  if (error) throw new ScheduleError('delay', error, DELAY_ERRORS[error]);
  if (typeof until === 'number') return { startsAt, stretchSeconds: Math.round(until * 3600) };
  const end = new Date(until).getTime();
  if (startsAt && end < startsAt.getTime())
    throw new ScheduleError(
      'until',
      'order',
      'The end of the stretch must not be before its start.',
    );
  const stretch = end - Math.max(now.getTime(), startsAt?.getTime() ?? 0);
  if (stretch > MAX_STRETCH_HOURS * HOUR)
    throw new ScheduleError(
      'until',
      'range',
      `The stretch must be between 0 and ${MAX_STRETCH_HOURS} hours.`,
    );
  return { startsAt, stretchSeconds: Math.max(0, Math.round(stretch / 1000)) };
}

/**
 * When the recipient at a position (from 0) of a bulk is handed over, so that the whole is spread
 * evenly: never before `start`, never at or past the end of a stretch above 0.
 * `spread({ start, until: 1, position: 50, total: 100 })` is half an hour after start.
 */
export function spread(at: { start: Date; until: number; position: number; total: number }): Date {
  const { start, until, total } = at;
  if (until <= 0 || total <= 0) return new Date(start);
  const position = Math.min(Math.max(at.position, 0), total - 1);
  return new Date(start.getTime() + Math.floor((position / total) * until * HOUR));
}

/**
 * How many recipients go into one batch, so that a stretched bulk flows: about one batch a second
 * or finer, at least 1, at most `max`; without a stretch, `max`.
 * `batchSizeFor({ total: 100_000, stretchSeconds: 3600, max: 1000 })` is 27.
 */
export function batchSizeFor(bulk: { total: number; stretchSeconds: number; max: number }): number {
  if (bulk.stretchSeconds <= 0) return bulk.max;
  return Math.min(Math.max(Math.floor(bulk.total / bulk.stretchSeconds), 1), bulk.max);
}
