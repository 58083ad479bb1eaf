import type { Db } from '../../core/db/db.ts';

/** `price`: per message, or for a call per call and per second. */
export interface TypePrice {
  type: string;
  price: string[];
}

/** A new version of the default tariff with one rule for each type. False if there is none. Part of the caller's transaction. */
export async function replaceDefaultRules(db: Db, prices: TypePrice[]): Promise<boolean> {
  const [tariff] = await db.query<{ id: string }>(
    `update tariffs set updated_at = now() where is_default returning id`,
  );
  if (!tariff) return false;
  const [version] = await db.query<{ number: number }>(
    `insert into tariff_versions (tariff_id, number, volume_steps)
     select $1, max(number) + 1, (array_agg(volume_steps order by starts_at desc, number desc) filter (where starts_at <= now()))[1]
       from tariff_versions where tariff_id = $1 returning number`,
    [tariff.id],
  );
  for (const { type, price } of prices)
    await db.query(
      `insert into tariff_rules (tariff_id, version, action, price, conditions, priority) values ($1, $2, 'increase', $3, $4, 0)`,
      [tariff.id, version!.number, price, JSON.stringify([{ tag: 'type', value: type }])],
    );
  return true;
}
