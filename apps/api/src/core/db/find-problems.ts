import type { Db } from './db.ts';

/** A row that breaks a rule. */
export interface Problem {
  what: string;
  id: string;
  detail: string;
}

const MAX_PROBLEMS = 100;

/** Rows that break the rules of `cli verify`, in one snapshot. Each rule selects `id` and `detail` of the rows that break it. */
export async function findProblems(db: Db, rules: Record<string, string>): Promise<Problem[]> {
  const all = Object.values(rules).map(
    (sql, n) => `(select ${n} as n, r.id, r.detail from (${sql}) r limit ${MAX_PROBLEMS})`,
  );
  const rows = await db.queryUnprepared<{ n: number; id: string; detail: string }>(
    all.join(' union all '),
  );
  return rows.map(({ n, id, detail }) => ({ what: Object.keys(rules)[n]!, id, detail }));
}
