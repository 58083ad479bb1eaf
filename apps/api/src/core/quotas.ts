import { Injectable } from '@nestjs/common';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { AppError } from './errors.ts';

/** A text is compared with every pattern, so their number is bounded. */
const MAX_PATTERNS = 500;
const MB = 1024 * 1024;

interface Quota {
  limit: (config: Config) => number;
  /** SQL of the usage of account `$1`. */
  used: string;
}

const sumOf = (column: string, table: string) =>
  `select coalesce(sum(${column}), 0)::float8 as used from ${table} where owner_id = $1`;
const countOf = (table: string) =>
  `select count(*)::float8 as used from ${table} where owner_id = $1`;

const QUOTAS = {
  /** Bytes of files. */
  storage: { limit: (c) => c.QUOTA_STORAGE_MB * MB, used: sumOf('size', 'files') },
  templates: { limit: (c) => c.QUOTA_TEMPLATES, used: countOf('templates') },
  patterns: { limit: () => MAX_PATTERNS, used: countOf('patterns') },
  links: { limit: (c) => c.QUOTA_LINKS, used: countOf('links') },
  contactLists: { limit: (c) => c.QUOTA_LISTS, used: countOf('contact_lists') },
  contacts: { limit: (c) => c.QUOTA_CONTACTS, used: sumOf('count', 'contact_lists') },
} as const satisfies Record<string, Quota>;
type QuotaName = keyof typeof QUOTAS;

/** Limits of stored resources per account; 0 is unlimited. */
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
  async check(name: QuotaName, OwnerId: string): Promise<void> {
    const quota: Quota = QUOTAS[name];
    const limit = quota.limit(this.config);
    if (!limit) return;
    const lock = `quota ${name} ${OwnerId}`;
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [lock]);
    const [row] = await this.db.query<{ used: number }>(quota.used, [OwnerId]);
    if (row!.used > limit)
      throw new AppError('quota_exceeded', undefined, { payload: { quota: name, limit } });
  }
}
