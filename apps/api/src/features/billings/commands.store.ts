import type { Db } from '../../core/db/db.ts';

export async function hasEntries(db: Db, OwnerId: string): Promise<boolean> {
  const rows = await db.query(`select 1 from billings where owner_id = $1 limit 1`, [OwnerId]);
  return rows.length > 0;
}

/** Fails on `balance_covers` if the balance is further below zero. */
export async function setOverdraft(db: Db, OwnerId: string, overdraft: string): Promise<void> {
  await db.query(`update balances set overdraft = $2 where owner_id = $1`, [OwnerId, overdraft]);
}
