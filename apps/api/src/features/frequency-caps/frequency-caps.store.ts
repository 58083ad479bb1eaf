import { Injectable } from '@nestjs/common';
import type { FrequencyCap } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

export type Values = Omit<FrequencyCap, 'OwnerId'>;

/** One row for each account that has set its frequency cap. */
@Injectable()
export class FrequencyCapsStore {
  constructor(private readonly db: Db) {}

  async get(scope: AccessScope, OwnerId: string): Promise<Values | undefined> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'c.owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<Values>(
      `select is_active as "isActive", messages, days, singles from frequency_caps c where c.owner_id = $1 and ${within}`,
      values,
    );
    return row;
  }

  /** Changes of an account are made one after the other, so that each knows what it replaces. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
  }

  async set(OwnerId: string, { isActive, messages, days, singles }: Values): Promise<void> {
    await this.db.query(
      `insert into frequency_caps (owner_id, is_active, messages, days, singles) values ($1, $2, $3, $4, $5)
       on conflict (owner_id) do update set is_active = excluded.is_active, messages = excluded.messages, days = excluded.days,
         singles = excluded.singles`,
      [OwnerId, isActive, messages, days, singles],
    );
  }
}
