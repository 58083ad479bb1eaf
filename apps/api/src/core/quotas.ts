import { Injectable } from '@nestjs/common';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { AppError } from './errors.ts';

/** A limit of stored resources per account, declared in the store of the resource. */
export interface Quota {
  /** In `payload.quota` of the refusal. */
  name: string;
  /** 0 is unlimited. */
  limit: (config: Config) => number;
  /** SQL of the usage of account `$1`, as `used`. */
  used: string;
}

export const sumOf = (column: string, table: string): string =>
  `select coalesce(sum(${column}), 0)::float8 as used from ${table} where owner_id = $1`;
export const countOf = (table: string): string =>
  `select count(*)::float8 as used from ${table} where owner_id = $1`;

@Injectable()
export class Quotas {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
  ) {}

  /**
   * Called after an insert in the same transaction. Throws `quota_exceeded`, which rolls it back. An advisory lock
   * serialises inserts of one account, so that each sees those before it.
   */
  async check({ name, used, ...quota }: Quota, OwnerId: string): Promise<void> {
    const limit = quota.limit(this.config);
    if (!limit) return;
    const lock = `quota ${name} ${OwnerId}`;
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [lock]);
    const [row] = await this.db.query<{ used: number }>(used, [OwnerId]);
    if (row!.used > limit)
      throw new AppError('quota_exceeded', undefined, { payload: { quota: name, limit } });
  }
}
