import type { Db } from '../../core/db/db.ts';

/** `price`: per message, or for a call per call and per second. */
export interface TypePrice {
  type: string;
  price: string[];
}

/** Replaces the rules of the default tariff by one for each type. False if there is none. Part of the caller's transaction. */
export async function replaceDefaultRules(db: Db, prices: TypePrice[]): Promise<boolean> {
  const [tariff] = await db.query<{ id: string }>(
    `update tariffs set updated_at = now() where is_default returning id`,
  );
  if (!tariff) return false;
  await db.query(`delete from tariff_rules where tariff_id = $1`, [tariff.id]);
  for (const { type, price } of prices)
    await db.query(
      `insert into tariff_rules (tariff_id, action, price, conditions, priority) values ($1, 'increase', $2, $3, 0)`,
      [tariff.id, price, JSON.stringify([{ tag: 'type', value: type }])],
    );
  return true;
}
