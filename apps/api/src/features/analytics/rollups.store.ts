import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import { FIGURES, KEYS } from './figures-sql.ts';

const keys = KEYS.join(', ');
/** What is to be added, and the figures that its rows have. */
const CHANGES: Record<string, readonly string[]> = {
  rollup_changes: FIGURES.filter((name) => name !== 'covered'),
  covered_changes: ['covered'],
};
/** Changes that are added by one statement. */
const MAX_CHANGES = 5000;

/** A message of a version without rollups. */
export interface Uncounted {
  id: string;
  phone: string;
}

/** Sums of what triggers of the messages wrote with each fact. */
@Injectable()
export class RollupsStore {
  constructor(private readonly db: Db) {}

  /** Adds the oldest changes, each once: it is gone when its sum is there. Returns true if there are more. */
  async addChanges(): Promise<boolean> {
    let isMore = false;
    for (const [table, figures] of Object.entries(CHANGES))
      isMore = (await this.add(table, figures)) || isMore;
    return isMore;
  }

  private async add(table: string, figures: readonly string[]): Promise<boolean> {
    const [row] = await this.db.query<{ taken: number }>(
      `with taken as (
         delete from ${table} where id in (
           select id from ${table} order by id limit ${MAX_CHANGES} for update skip locked) returning *),
       added as (
         insert into rollups as r (${keys}, ${figures.join(', ')})
         select ${keys}, ${figures.map((name) => `sum(${name})`).join(', ')} from taken group by ${keys} order by ${keys}
         on conflict (${keys}) do update set ${figures.map((name) => `${name} = r.${name} + excluded.${name}`).join(', ')})
       select count(*)::int as taken from taken`,
    );
    return row!.taken === MAX_CHANGES;
  }

  /** Their batches are locked as well: one that is recorded as submitted meanwhile counts its messages before or afterwards. */
  lockUncounted(limit: number): Promise<Uncounted[]> {
    return this.db.query<Uncounted>(
      `with oldest as (select id from sendings where mccmnc is null order by id limit ${limit}),
       locked as materialized (
         select b.id from batches b where b.id in (select s.batch_id from sendings s join oldest on oldest.id = s.id) order by b.id for update)
       select s.id, s.phone from sendings s join oldest on oldest.id = s.id where s.batch_id in (select id from locked) order by s.id for update of s`,
    );
  }

  /** From then on they are counted as others are. */
  async count(rows: { id: string; mccmnc: string }[]): Promise<void> {
    await this.db.query(
      `update sendings s set mccmnc = r.mccmnc,
              token_id = coalesce((select t.token_id from tasks t where t.id = s.group_id), (select l.token_id from billings l where l.id = s.id))
         from unnest($1::uuid[], $2::text[]) r (id, mccmnc) where s.id = r.id and s.mccmnc is null`,
      [rows.map(({ id }) => id), rows.map(({ mccmnc }) => mccmnc)],
    );
  }
}
