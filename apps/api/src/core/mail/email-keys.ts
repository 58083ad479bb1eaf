import { createHash, randomBytes } from 'node:crypto';
import { isActiveSql } from '../auth/actor.ts';
import type { Db } from '../db/db.ts';

/** The user to whom a key belongs. */
export interface KeyHolder {
  userId: string;
  username: string;
  OwnerId: string;
  expiresAt: Date;
}

/** Limit of key lookups per network, shared by all kinds of keys. */
export const KEY_ATTEMPTS = { prefix: 'emails:key', points: 100, seconds: 3600 };

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/**
 * One-time keys that are sent by e-mail, at most one per user and table. Stored as SHA-256 with an expiry. The table has
 * the columns `user_id`, `key_hash`, `expires_at` and those passed here.
 */
export class EmailKeys<Extra extends object = object> {
  private readonly select: string;

  constructor(
    private readonly db: Db,
    private readonly table: string,
    private readonly columns: { [Name in keyof Extra]: string },
  ) {
    const own = Object.entries<string>(columns).map(([name, column]) => `k.${column} as "${name}"`);
    this.select = [
      `u.id as "userId", u.username, u.owner_id as "OwnerId", k.expires_at as "expiresAt"`,
      ...own,
    ].join(', ');
  }

  /** Creates a key, which replaces the former one. */
  async put(userId: string, seconds: number, extra: Extra): Promise<string> {
    const key = randomBytes(32).toString('base64url');
    const names = Object.keys(this.columns) as (keyof Extra)[];
    const columns = ['key_hash', ...names.map((name) => this.columns[name])];
    await this.db.query(
      `insert into ${this.table} (user_id, expires_at, ${columns.join(', ')})
       values ($1, now() + make_interval(secs => $2), ${columns.map((_, i) => `$${i + 3}`).join(', ')})
       on conflict (user_id) do update set expires_at = excluded.expires_at, ${columns.map((c) => `${c} = excluded.${c}`).join(', ')}`,
      [userId, seconds, hashOf(key), ...names.map((name) => extra[name])],
    );
    return key;
  }

  async find(key: string): Promise<(KeyHolder & Extra) | undefined> {
    const [holder] = await this.db.query<KeyHolder & Extra>(
      `select ${this.select} from ${this.table} k join users u on u.id = k.user_id
        where k.key_hash = $1 and k.expires_at > now() and ${isActiveSql('u')}`,
      [hashOf(key)],
    );
    return holder;
  }

  /** Consumes a key. Only one of several concurrent calls succeeds. */
  async use(key: string): Promise<(KeyHolder & Extra) | undefined> {
    const [holder] = await this.db.query<KeyHolder & Extra>(
      `delete from ${this.table} k using users u
        where k.key_hash = $1 and k.expires_at > now() and u.id = k.user_id and ${isActiveSql('u')}
       returning ${this.select}`,
      [hashOf(key)],
    );
    return holder;
  }

  async drop(userId: string): Promise<void> {
    await this.db.query(`delete from ${this.table} where user_id = $1`, [userId]);
  }
}
