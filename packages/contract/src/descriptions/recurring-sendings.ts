import { as, id, inEach, list, time, type Description } from './description.ts';

const WRITTEN = ['RecurringSendingInput', 'RecurringSendingUpdate'];
const ALL = [...WRITTEN, 'RecurringSending'];

export const RECURRING_SENDINGS: Record<string, Description> = {
  RecurringSending: as('Bulk that is sent again every day, week or month.'),
  RecurringSendingInput: as('Bulk that is to be sent again every day, week or month.'),
  RecurringSendingUpdate: as(
    'Changes to a recurring sending. Its bulks are sent with the rights of who changed it last. `isActive` alone pauses or resumes it.',
  ),
  ...inEach(ALL, {
    title: as('Title, which the bulks have, too.', 'Tea of the week'),
    fallbacks: as('Messages that are sent if this one is not delivered, at most three.', []),
    recipient: as(
      'Contact lists and segments. The contacts of each bulk are those that they have at the time of the run.',
    ),
    'recipient.include': as('Ids of contact lists and segments.', [list]),
    'recipient.exclude': as('Ids of contact lists and segments that get nothing.', []),
    'schedule.until': as('Hours over which the messages of a bulk are spread.', 0),
    'schedule.validUntil': as(
      'Seconds from the time at which each message is due, until which it is given to the carrier. Absent: no limit.',
      600,
    ),
    schedule: as('How the messages of a bulk are submitted. Null: at once.'),
    callbackData: as('Custom text that every message has. Null without one.', 'weekly'),
    frequency: as('How often it runs.', 'weekly'),
    weekdays: as(
      'Days of the week on which it runs with `weekly`: 1 is Monday, 7 is Sunday. Ignored otherwise.',
      [1, 4],
    ),
    day: as(
      'Day of the month on which it runs with `monthly`. In shorter months the last day, so that 31 is the last day of every month. Ignored otherwise.',
      31,
    ),
    time: as(
      'Time of the day by the clocks of the time zone. A time that the clocks skip is the next that they show; one that they show twice counts once.',
      '09:30',
    ),
    timeZone: as('Time zone of the time and of the days.', 'Europe/Moscow'),
    from: as('First day on which it may run. Null: today.', '2026-12-01'),
    until: as('Last day on which it may run. Null: without an end.', '2027-11-30'),
    times: as('It ends after so many bulks. Null: without an end.', 12),
    isActive: as('False while it is paused, or after its end.', true),
  }),
  'RecurringSending.reason': as(
    'Why it does not run: it has ended (`ended`), failed three times in a row (`failed`), or who changed it last may no longer send for the account (`forbidden`). Null if it runs or was paused by a user.',
    null,
  ),
  'RecurringSending.nextRunAt': time('Time of the next run. Null while it does not run.'),
  'RecurringSending.runs': as('Number of bulks so far.', 4),
  'RecurringSending.failures': as('Number of failed runs since the last bulk.', 0),
  'RecurringSending.lastRun': as('The last run. Null before the first.'),
  'RecurringSending.UserId': id(
    'User who set it up or changed it last: bulks have the rights of this user.',
  ),
  RecurringRun: as('Due time of a recurring sending that was run.'),
  'RecurringRun.dueAt': time('Time at which it was due.'),
  'RecurringRun.TaskId': id('Task of the bulk. Null if the run failed.'),
  'RecurringRun.code': as('Error code of a failure. Null for a bulk.', 'insufficient_funds'),
  'RecurringRun.error': as(
    'The error in words. Null for a bulk.',
    'The balance does not cover this sending.',
  ),
  'RecurringRun.createdAt': time('Time at which it was run.'),
  'recurringSendings.next.times': as('The next times, at most five. None while it does not run.', [
    '2026-11-22T09:15:00.000Z',
  ]),
  'recurringSendings.runs.data': as('The last twenty runs, newest first.'),
};
