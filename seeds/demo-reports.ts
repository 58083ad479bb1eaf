type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

const DAY_MS = 86_400_000;
const REPORTS = [
  { preset: 'billings.byMonth', format: 'csv', days: 90 },
  { preset: 'billings.details', format: 'xlsx', days: 60 },
] as const;

/** Two requested reports of an account. The first worker makes them. */
export async function seedDemoReports(query: Query, owner: string): Promise<void> {
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
