type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const DAY_MS = 86_400_000;
const REPORTS = [
  { preset: 'billings.byMonth', format: 'csv', days: 90 },
  { preset: 'billings.details', format: 'xlsx', days: 60 },
] as const;

/** Two requested reports of an account, which the first worker makes, and two schedules, one of which is paused. */
export async function seedDemoReports(query: Query, owner: string): Promise<void> {
  await seedSchedules(query, owner);
  const now = Date.now();
  for (const { preset, format, days } of REPORTS) {
    const createdAt = {
      $gt: new Date(now - days * DAY_MS).toISOString(),
      $lt: new Date(now).toISOString(),
    };
    const filename = `${preset}_${createdAt.$gt.slice(0, 10)}_${createdAt.$lt.slice(0, 10)}.${format}`;
    await query(
      `insert into reports (owner_id, user_id, preset, format, encoding, delimiter, locale, time_zone, "where", filename)
       values ($1, $1, $2, $3, 'win1251', ';', 'ru', 'Europe/Moscow', $4, $5)`,
      [owner, preset, format, JSON.stringify({ createdAt }), filename],
    );
  }
}

/** The next run is on the Monday after, at nine o'clock in Moscow. */
async function seedSchedules(query: Query, owner: string): Promise<void> {
  await query(
    `insert into report_schedules (owner_id, user_id, preset, format, encoding, delimiter, locale, time_zone, "where",
                                   frequency, weekday, day, hour, is_active, next_run_at)
     select $1, $1, d.preset, d.format, 'utf8', ';', 'ru', 'Europe/Moscow', '{}', d.frequency, d.weekday, d.day, 9, d.active,
            case when d.active then (date_trunc('week', now() at time zone 'Europe/Moscow') + interval '7 days 9 hours')
                                    at time zone 'Europe/Moscow' end
       from (values ('sendings.byDay', 'xlsx', 'weekly', 1, null, true),
                    ('billings.byMonth', 'csv', 'monthly', null, 1, false))
         as d(preset, format, frequency, weekday, day, active)`,
    [owner],
  );
}
