import type { RecurringSending } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import { weekdayName } from '../../core/clocks.ts';

type When = Pick<RecurringSending, 'frequency' | 'weekdays' | 'day' | 'time' | 'timeZone'>;

/** More days have their short names. */
const MAX_LONG = 2;

/** "Every Monday and Friday at 09:30 (Europe/Moscow)". */
export function whenText(t: TFunction, locale: string, row: When): string {
  const { frequency, weekdays, day, time, timeZone } = row;
  const kind =
    frequency === 'monthly' && day === 31
      ? 'lastDay'
      : frequency === 'weekly' && weekdays.length === 7
        ? 'daily'
        : frequency;
  const width = weekdays.length > MAX_LONG ? 'short' : 'long';
  const names = weekdays.toSorted((a, b) => a - b).map((one) => weekdayName(locale, one, width));
  return t(`recurringSendings:when.${kind}`, {
    days: new Intl.ListFormat(locale).format(names),
    day,
    time,
    zone: timeZone.replaceAll('_', ' '),
  });
}

/** Whether it runs, or why it does not. */
export const stateOf = ({ isActive, reason }: Pick<RecurringSending, 'isActive' | 'reason'>) =>
  isActive ? 'running' : (reason ?? 'paused');
export type RecurringState = ReturnType<typeof stateOf>;
