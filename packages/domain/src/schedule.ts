/** The longest stretch of a bulk: the specification's "until" offers 0 to 12 hours. */
export const MAX_STRETCH_HOURS = 12;

const HOUR = 3_600_000;

/** When a bulk starts, and how long its handovers are stretched. */
export interface Schedule {
  /** Null is now. */
  startsAt: Date | null;
  stretchSeconds: number;
}

export class ScheduleError extends Error {
  override name = 'ScheduleError';
  rule: 'range' | 'order';

  constructor(rule: ScheduleError['rule'], message: string) {
    super(message);
    this.rule = rule;
  }
}

/**
 * Reads `schedule` as clients send it: `delay` 0 or an ISO-8601 time, `until` 0 to 12 hours or the ISO-8601 end of the
 * stretch. An end in the past is no stretch. Throws ScheduleError of `until`: an end before the start, or more than 12
 * hours after it, is refused.
 */
export function parseSchedule(
  { delay, until }: { delay: 0 | string; until: number | string },
  now: Date,
): Schedule {
  const startsAt = delay === 0 ? null : new Date(delay);
  if (typeof until === 'number') return { startsAt, stretchSeconds: Math.round(until * 3600) };
  const end = new Date(until).getTime();
  if (startsAt && end < startsAt.getTime())
    throw new ScheduleError('order', 'The end of the stretch must not be before its start.');
  const stretch = end - Math.max(now.getTime(), startsAt?.getTime() ?? 0);
  if (stretch > MAX_STRETCH_HOURS * HOUR)
    throw new ScheduleError(
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
