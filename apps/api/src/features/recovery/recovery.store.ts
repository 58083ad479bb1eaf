import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

export interface Addressee {
  id: string;
  username: string;
  email: string | null;
}

/** Whose key it is. */
export interface KeyHolder {
  id: string;
  username: string;
  OwnerId: string;
  expiresAt: Date;
}

/** Accounts that one letter box gets letters for at most. */
const NAMESAKES = 5;

@Injectable()
export class RecoveryStore {
  constructor(private readonly db: Db) {}

  /** Who signs in by this name, else those whose e-mail it is. */
  async addressees(login: string): Promise<Addressee[]> {
    const select = `select id, username, data->>'email' as email from users where is_active`;
    const named = await this.db.query<Addressee>(`${select} and lower(username) = lower($1)`, [
      login,
    ]);
    if (named.length) return named;
    return this.db.query<Addressee>(
      `${select} and lower(data->>'email') = lower($1) order by id limit ${NAMESAKES}`,
      [login],
    );
  }

  /** In place of a former one. */
  async put(userId: string, hash: Buffer, seconds: number): Promise<void> {
    await this.db.query(
      `insert into recovery_keys (user_id, key_hash, expires_at)
       values ($1, $2, now() + make_interval(secs => $3))
       on conflict (user_id) do update set key_hash = excluded.key_hash, expires_at = excluded.expires_at`,
      [userId, hash, seconds],
    );
  }

  async find(hash: Buffer): Promise<KeyHolder | undefined> {
    const [holder] = await this.db.query<KeyHolder>(
      `select u.id, u.username, u.owner_id as "OwnerId", k.expires_at as "expiresAt"
         from recovery_keys k join users u on u.id = k.user_id
        where k.key_hash = $1 and k.expires_at > now() and u.is_active`,
      [hash],
    );
    return holder;
  }

  /** Of several who use it at once one gets it. */
  async use(hash: Buffer): Promise<boolean> {
    const used = await this.db.execute(
      `delete from recovery_keys k using users u
        where k.key_hash = $1 and k.expires_at > now() and u.id = k.user_id and u.is_active`,
      [hash],
    );
    return used > 0;
  }

  async setPassword(userId: string, passwordHash: string): Promise<void> {
    await this.db.query(`update users set password_hash = $2, updated_at = now() where id = $1`, [
      userId,
      passwordHash,
    ]);
  }
}
