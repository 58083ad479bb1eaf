import { Injectable } from '@nestjs/common';
import { Config } from './config.ts';
import { Db } from './db/db.ts';
import { AppError } from './errors.ts';

/** As many as a text is compared with. */
const MAX_PATTERNS = 500;
const MB = 1024 * 1024;

interface Quota {
  limit: (config: Config) => number;
  /** How much of it an account, `$1`, uses. */
  used: string;
}

const listed = (column: string, table: string) =>
  `select coalesce(sum(${column}), 0)::float8 as used from ${table} where owner_id = $1`;
const counted = (table: string) =>
  `select count(*)::float8 as used from ${table} where owner_id = $1`;

/** What an account may keep. */
const QUOTAS = {
  /** Bytes of files. */
  storage: { limit: (c) => c.QUOTA_STORAGE_MB * MB, used: listed('size', 'files') },
  templates: { limit: (c) => c.QUOTA_TEMPLATES, used: counted('templates') },
  patterns: { limit: () => MAX_PATTERNS, used: counted('patterns') },
  links: { limit: (c) => c.QUOTA_LINKS, used: counted('links') },
  contactLists: { limit: (c) => c.QUOTA_LISTS, used: counted('contact_lists') },
  contacts: { limit: (c) => c.QUOTA_CONTACTS, used: listed('count', 'contact_lists') },
} as const satisfies Record<string, Quota>;
type Kept = keyof typeof QUOTAS;

/** How much of what lasts an account may keep. A limit of 0 is none. */
@Injectable()
export class Quotas {
  constructor(
    private readonly config: Config,
    private readonly db: Db,
  ) {}

  /**
   * In the transaction that has added something: throws `quota_exceeded`, which takes it back, when there is more than there
   * may be. Those who add to one account finish one after another, so that each counts what those before it have added.
   */
  async check(kept: Kept, OwnerId: string): Promise<void> {
    const quota: Quota = QUOTAS[kept];
    const limit = quota.limit(this.config);
    if (!limit) return;
    const name = `quota ${kept} ${OwnerId}`;
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [name]);
    const [row] = await this.db.query<{ used: number }>(quota.used, [OwnerId]);
    if (row!.used > limit)
      throw new AppError('quota_exceeded', undefined, { payload: { quota: kept, limit } });
  }
}
