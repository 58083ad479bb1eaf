import { as, dated, id, time, type Description } from './description.ts';

export const REPORTS: Record<string, Description> = {
  Report: as('Report: a file that a worker writes to the storage.'),
  'Report.key': id(
    'Same value as `id`: id of the file in the storage once the state is `completed`.',
  ),
  'reports.create.key': id(
    'Id of the report, and of its file in the storage once it is completed.',
  ),
  'Report.preset': as('What the report contains.', 'sendings.details'),
  'ReportInput.preset': as(
    'What the report contains. Presets with `details` in their name have a row for each entry or message.',
    'sendings.details',
  ),
  'Report.format': as('Format of the file.'),
  'ReportInput.format': as('Format of the file.'),
  'Report.encoding': as('Encoding of a CSV file. Workbooks are always UTF-8.'),
  'ReportInput.encoding': as(
    'Encoding of a CSV file. Characters that it lacks are written as similar ones. Workbooks are always UTF-8.',
  ),
  'Report.delimiter': as('Delimiter of a CSV file.'),
  'ReportInput.delimiter': as('Delimiter of a CSV file, or its name: `semicolon` or `comma`.'),
  'Report.locale': as(
    'Language of the headers. Also determines the decimal sign and the format of dates.',
  ),
  'ReportInput.locale': as(
    'Language of the headers. Also determines the decimal sign and the format of dates. Defaults to the language of the `Accept-Language` header.',
  ),
  'Report.timeZone': as('Time zone of the times, named in their headers.', 'Europe/Moscow'),
  'ReportInput.timeZone': as(
    'Time zone of the times, by its name in the IANA database. Defaults to UTC.',
    'Europe/Moscow',
  ),
  'Report.where': as('Filter of the rows, with both bounds of the time range.', {
    createdAt: { $gt: '2026-11-01T00:00:00.000Z', $lt: '2026-11-22T00:00:00.000Z' },
  }),
  'ReportInput.where': as(
    'Filter of the rows: the filters of the list of messages or of ledger entries, depending on the preset.',
    { createdAt: { $gt: '2026-11-01T00:00:00.000Z', $lt: '2026-11-22T00:00:00.000Z' } },
  ),
  'ReportWhere.createdAt': as(
    'Creation time range of the rows, at most 186 days. Defaults to the last 186 days.',
    { $gt: '2026-11-01T00:00:00.000Z', $lt: '2026-11-22T00:00:00.000Z' },
  ),
  'ReportWhere.status': as('Only messages, or ledger entries, with these statuses.', ['delivered']),
  'ReportWhere.source': as('Only ledger entries of these operations.', ['sendings.sms']),
  'ReportWhere.type': as('Only these message types.', ['sms']),
  'reports.find.data': as('Reports, or with `$preset` rows of the report.', []),
  'ReportWhere.search': as('Only ledger entries that the `$search` of their list finds.', '250'),
  'ReportWhere.outcome': as('Only recipients with these outcomes, one row for each.'),
  'ReportWhere.groupId': id('Only messages of this bulk.'),
  'ReportWhere.chainId': id('Only attempts of this chain.'),
  'ReportWhere.TariffId': id('Only charges priced by this tariff.'),
  'ReportWhere.live': as('Only messages of test tokens (`false`), or none of them (`true`).', true),
  'ReportWhere.recipient': as(
    'Only messages to this phone number or e-mail address, or to those that start with it.',
    '+79990000000',
  ),
  'ReportWhere.OwnerId': id('Only rows of this account.'),
  'ReportWhere.id': as('Only these rows.', ['01930000-0000-7000-8000-0000000000a1']),
  ReportSchedule: as(
    'Schedule: a report that is made every day, week or month, with an e-mail to a user.',
  ),
  'ReportSchedule.preset': as('What the reports contain.', 'sendings.details'),
  'ReportSchedule.format': as('Format of the files.'),
  'ReportSchedule.encoding': as('Encoding of CSV files. Workbooks are always UTF-8.'),
  'ReportSchedule.delimiter': as('Delimiter of CSV files.'),
  'ReportSchedule.locale': as(
    'Language of the headers and e-mails if the user has chosen none in the cabinet.',
  ),
  'ReportSchedule.timeZone': as(
    'Time zone of the hour, of the periods and of the times in the files.',
    'Europe/Moscow',
  ),
  'ReportSchedule.where': as(
    'Filter of the rows. Their time range is the day, week or month before.',
    {
      type: ['sms'],
    },
  ),
  'ReportSchedule.frequency': as('How often a report is made.'),
  'ReportSchedule.weekday': as('Day of the week of weekly reports: 1 is Monday, 7 is Sunday.', 1),
  'ReportSchedule.day': as(
    'Day of the month of monthly reports. In shorter months, the last day.',
    1,
  ),
  'ReportSchedule.hour': as('Hour of the day at which a report is made.', 9),
  'ReportSchedule.isActive': as('False while the schedule is paused or stopped.', true),
  'ReportSchedule.reason': as(
    'Why the schedule was stopped: its user was deactivated or may no longer make the report. Null otherwise.',
  ),
  'ReportSchedule.nextRunAt': time(
    'Time of the next report. Null while the schedule is paused or stopped.',
  ),
  'ReportSchedule.lastRunAt': time('Time of the last report. Null before the first.'),
  'ReportSchedule.UserId': id('Id of the user who receives the e-mails, and whose rights apply.'),
  'ReportScheduleInput.preset': as('What the reports contain.', 'sendings.details'),
  'ReportScheduleInput.format': as('Format of the files.'),
  'ReportScheduleInput.encoding': as('Encoding of CSV files. Workbooks are always UTF-8.'),
  'ReportScheduleInput.delimiter': as(
    'Delimiter of CSV files, or its name: `semicolon` or `comma`.',
  ),
  'ReportScheduleInput.locale': as(
    'Language of the headers and e-mails if the user has chosen none in the cabinet.',
  ),
  'ReportScheduleInput.timeZone': as(
    'Time zone of the hour, of the periods and of the times in the files.',
    'Europe/Moscow',
  ),
  'ReportScheduleInput.where': as(
    'Filter of the rows. Their time range is the day, week or month before.',
    { type: ['sms'] },
  ),
  'ReportScheduleInput.frequency': as('How often a report is made.', 'weekly'),
  'ReportScheduleInput.weekday': as(
    'Day of the week of weekly reports: 1 is Monday, 7 is Sunday.',
    1,
  ),
  'ReportScheduleInput.day': as(
    'Day of the month of monthly reports. In shorter months, the last day.',
    1,
  ),
  'ReportScheduleInput.hour': as('Hour of the day at which a report is made.', 9),
  'ReportScheduleInput.isActive': as('False to pause the schedule.', true),
  'ReportScheduleUpdate.preset': as('What the reports contain.', 'sendings.details'),
  'ReportScheduleUpdate.format': as('Format of the files.'),
  'ReportScheduleUpdate.encoding': as('Encoding of CSV files. Workbooks are always UTF-8.'),
  'ReportScheduleUpdate.delimiter': as(
    'Delimiter of CSV files, or its name: `semicolon` or `comma`.',
  ),
  'ReportScheduleUpdate.locale': as(
    'Language of the headers and e-mails if the user has chosen none in the cabinet.',
  ),
  'ReportScheduleUpdate.timeZone': as(
    'Time zone of the hour, of the periods and of the times in the files.',
    'Europe/Moscow',
  ),
  'ReportScheduleUpdate.where': as(
    'Filter of the rows. Their time range is the day, week or month before.',
    { type: ['sms'] },
  ),
  'ReportScheduleUpdate.frequency': as('How often a report is made.', 'weekly'),
  'ReportScheduleUpdate.weekday': as(
    'Day of the week of weekly reports: 1 is Monday, 7 is Sunday.',
    1,
  ),
  'ReportScheduleUpdate.day': as(
    'Day of the month of monthly reports. In shorter months, the last day.',
    1,
  ),
  'ReportScheduleUpdate.hour': as('Hour of the day at which a report is made.', 9),
  'ReportScheduleUpdate.isActive': as('False to pause the schedule.', true),
  'ReportFilter.status': as('Only messages, or ledger entries, with these statuses.', [
    'delivered',
  ]),
  'ReportFilter.source': as('Only ledger entries of these operations.', ['sendings.sms']),
  'ReportFilter.type': as('Only these message types.', ['sms']),
  'ReportFilter.outcome': as('Only recipients with these outcomes, one row for each.'),
  'ReportFilter.groupId': id('Only messages of this bulk.'),
  'ReportFilter.chainId': id('Only attempts of this chain.'),
  'ReportFilter.TariffId': id('Only charges priced by this tariff.'),
  'ReportFilter.search': as('Only ledger entries that the `$search` of their list finds.', '250'),
  'ReportFilter.live': as(
    'Only messages of test tokens (`false`), or none of them (`true`).',
    true,
  ),
  'ReportFilter.recipient': as(
    'Only messages to this phone number or e-mail address, or to those that start with it.',
    '+79990000000',
  ),
  'ReportFilter.OwnerId': id('Only rows of this account.'),
  'ReportFilter.id': as('Only these rows.', ['01930000-0000-7000-8000-0000000000a1']),
  'reportSchedules.find.?UserId': id('Return only schedules of this user.'),
  'Report.state': as('State of the report.'),
  'Report.progress': as('Progress of the report.'),
  'progress.rows': as('Rows written so far; in a completed report, all rows.', 120000),
  'progress.total': as(
    'Estimated number of rows while the report runs. Null while it is unknown.',
    1000000,
  ),
  'Report.replaced': as(
    'Number of characters that the encoding lacks and that were written as similar ones.',
    3,
  ),
  'Report.reason': as('Why the report failed. Null otherwise.'),
  'Report.filename': as('Name of the file.', 'sendings.details_2026-11-01_2026-11-22.csv'),
  'Report.size': as('Size of the file in bytes. Null while there is no file.', 2048000),
  'Report.hasFile': as('True while the file exists. It is removed at `expiresAt`.'),
  'Report.expiresAt': time('Time at which the file is removed. Null while there is no file.'),
  'Report.ScheduleId': id('Schedule that requested the report. Null if a user did.'),
  'Report.UserId': id('User who requested the report, and whose permissions apply.'),
  'Report.startedAt': dated('Time at which a worker started the report.'),
  'Report.finishedAt': dated('Time at which the report was completed, failed or cancelled.'),
};
