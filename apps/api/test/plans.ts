import { vi } from 'vitest';
import { Db } from '../src/core/db/db.ts';

/** A node of a plan, as `explain (format json)` shows it. */
export interface PlanNode {
  'Relation Name'?: string;
  'Node Type': string;
  'Index Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  Plans?: PlanNode[];
}

/** The statements that `work` runs, with parameters of one run. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Map<string, unknown[]>> {
  const statements = new Map<string, unknown[]>();
  const spies = (['query', 'queryUnprepared'] as const).map((name) => {
    const real = Db.prototype[name];
    return vi.spyOn(Db.prototype, name).mockImplementation(function (this: Db, sql, parameters) {
      statements.set(sql, parameters ?? []);
      return real.call(this, sql, parameters) as never;
    });
  });
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return statements;
}

/** All nodes of the plan of a statement while the planner avoids some ways, such as `indexscan`; of the product's own settings none is kept. */
export async function planOf(
  db: Db,
  sql: string,
  parameters: unknown[],
  without: string[],
): Promise<PlanNode[]> {
  const [row] = await db.transaction(async () => {
    await db.query(`set local enable_seqscan = on`);
    for (const way of without) await db.query(`set local enable_${way} = off`);
    return db.queryUnprepared<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) ${sql}`,
      parameters,
    );
  });
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
  return all(row!['QUERY PLAN'][0].Plan);
}
