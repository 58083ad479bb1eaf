import type { Db } from '../../core/db/db.ts';

/** Notes what an operator has done just now, for the page of the installation. `problems` are those that a check has found. */
export async function noteUpkeep(
  db: Db,
  name: 'backup' | 'verify',
  problems?: number,
): Promise<void> {
  await db.query(
    `insert into installation_upkeep (name, at, problems) values ($1, now(), $2)
     on conflict (name) do update set at = excluded.at, problems = excluded.problems`,
    [name, problems ?? null],
  );
}
