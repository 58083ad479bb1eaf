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
  /** What is unfinished counts: it ends in time and cannot be removed. */
  isUnfinished?: true;
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

  /** Used and allowed, for display; `limit` is null without a limit. */
  async usage(quota: Quota, OwnerId: string): Promise<{ used: number; limit: number | null }> {
    const [row] = await this.db.query<{ used: number }>(quota.used, [OwnerId]);
    return { used: row!.used, limit: quota.limit(this.config) || null };
  }

  /** Throws `quota_exceeded` before expensive work. `check` decides when the row is written. */
  async requireRoom(quota: Quota, OwnerId: string, added: number): Promise<void> {
    const { used, limit } = await this.usage(quota, OwnerId);
    if (limit && used + added > limit) throw exceeded(quota, limit);
  }

  /**
   * Called after an insert in the same transaction. Throws `quota_exceeded`, which rolls it back. An advisory lock
   * serialises inserts of one account, so that each sees those before it.
   */
  async check(quota: Quota, OwnerId: string): Promise<void> {
    const limit = quota.limit(this.config);
    if (!limit) return;
    const lock = `quota ${quota.name} ${OwnerId}`;
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [lock]);
    const [row] = await this.db.query<{ used: number }>(quota.used, [OwnerId]);
    if (row!.used > limit) throw exceeded(quota, limit);
  }
}

export const exceeded = (
  { name, isUnfinished }: Pick<Quota, 'name' | 'isUnfinished'>,
  limit: number,
): AppError =>
  new AppError('quota_exceeded', isUnfinished && 'Too many are unfinished. Wait for some to end.', {
    payload: { quota: name, limit, ...(isUnfinished && { isUnfinished }) },
  });
