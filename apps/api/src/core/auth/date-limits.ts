import type { Range } from '@heliograph/contract';
import { maxRangeDays } from '@heliograph/domain';
import { AppError } from '../errors.ts';
import { may, type Actor } from './actor.ts';

const DAY_MS = 86_400_000;
/** The time between choosing a range of exactly `maxDaysOf` days and the request. */
const TOLERANCE_MS = 3_600_000;

/** The longest range of dates, in days, over which this actor may list messages. */
export function maxDaysOf(actor: Actor): number {
  const isFull = actor.scope.kind === 'all' && may(actor, 'advanced.users.find');
  return maxRangeDays(actor.level, isFull);
}

/** The start of a list of messages if the range has none. Throws `date_range` if the range is too long. */
export function earliestOf(actor: Actor, { $gt, $lt }: Range = {}, now: Date): string {
  const days = maxDaysOf(actor);
  const earliest = ($lt ? new Date($lt) : now).getTime() - days * DAY_MS;
  if ($gt && new Date($gt).getTime() < earliest - TOLERANCE_MS)
    throw new AppError('date_range', `The date range must not exceed ${days} days`, {
      payload: { days },
    });
  return new Date(earliest).toISOString();
}
