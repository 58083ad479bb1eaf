/** The longest stretch of a bulk: the specification's "until" offers 0 to 12 hours. */
export const MAX_STRETCH_HOURS = 12;

const HOUR = 3_600_000;

/** When a bulk starts and over how long its handovers are stretched. */
export interface Schedule {
  /** Null is now. */
  startsAt: Date | null;
  /** Length of the stretch in hours, 0 for none; null when `endsAt` says it. */
  hours: number | null;
  endsAt: Date | null;
}

export class ScheduleError extends Error {
  override name = 'ScheduleError';
  field: 'delay' | 'until';
  rule: 'format' | 'range' | 'order';

  constructor(field: ScheduleError['field'], rule: ScheduleError['rule'], message: string) {
    super(message);
    this.field = field;
    this.rule = rule;
  }
}

/**
 * Reads `schedule` as clients send it: `delay` 0 or an ISO-8601 time, `until` 0 to 12 hours or the
 * ISO-8601 end of the stretch. A time without a zone is UTC. Absent, null and '' are 0. Throws
 * ScheduleError; an end before the start, or more than 12 hours after it, is refused.
 * `parseSchedule({ delay: 0, until: 2 })` is `{ startsAt: null, hours: 2, endsAt: null }`.
 */
export function parseSchedule(input: {
  delay?: number | string | null;
  until?: number | string | null;
}): Schedule {
  const delay = numberOrTime('delay', input.delay);
  const until = numberOrTime('until', input.until);
  if (typeof delay === 'number' && delay !== 0) {
    throw new ScheduleError('delay', 'format', 'delay must be 0 or an ISO-8601 time');
  }
  const startsAt = typeof delay === 'number' ? null : delay;
  if (typeof until === 'number') {
    if (until < 0 || until > MAX_STRETCH_HOURS) throw outOfRange();
    return { startsAt, hours: until, endsAt: null };
  }
  if (startsAt !== null) {
    if (until < startsAt)
      throw new ScheduleError('until', 'order', 'until must not be before delay');
    if (until.getTime() - startsAt.getTime() > MAX_STRETCH_HOURS * HOUR) throw outOfRange();
  }
  return { startsAt, hours: null, endsAt: until };
}

function outOfRange(): ScheduleError {
  const message = `The stretch must be between 0 and ${MAX_STRETCH_HOURS} hours`;
  return new ScheduleError('until', 'range', message);
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function numberOrTime(
  field: ScheduleError['field'],
  value: number | string | null | undefined,
): number | Date {
  if (value === null || value === undefined || value === '') return 0;
  const number =
    typeof value === 'number' ? value : /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (Number.isFinite(number)) return number;
  const time = typeof value === 'string' ? parseTime(value.trim()) : null;
  if (time !== null) return time;
  throw new ScheduleError(field, 'format', `${field} must be a number or an ISO-8601 time`);
}

function parseTime(text: string): Date | null {
  const found = ISO.exec(text);
  if (!found) return null;
  const [, year, month, day, hours, , , zone] = found;
  // Date would roll 30 February over into March.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > days) return null;
  const utc = hours !== undefined && zone === undefined ? `${text}Z` : text;
  const time = new Date(utc.replace(' ', 'T').replace(',', '.').toUpperCase());
  return Number.isNaN(time.getTime()) ? null : time;
}

/** The stretch of a task that really starts at `start`, in hours, 0 to 12: an end past is 0. */
export function stretchHours(schedule: Schedule, start: Date): number {
  if (schedule.endsAt === null) return schedule.hours ?? 0;
  const hours = (schedule.endsAt.getTime() - start.getTime()) / HOUR;
  return Math.min(Math.max(hours, 0), MAX_STRETCH_HOURS);
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
