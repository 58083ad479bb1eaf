import { Injectable } from '@nestjs/common';
import type { Level } from '@heliograph/contract';
import { reachSql, type Reach } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';

interface UserRow {
  id: string;
  username: string;
  level: Level;
}

@Injectable()
export class AuthStore {
  constructor(private readonly db: Db) {}

  async byUsername(username: string): Promise<(UserRow & { passwordHash: string }) | undefined> {
    const [row] = await this.db.query<UserRow & { passwordHash: string }>(
      `select id, username, level, password_hash as "passwordHash" from users where lower(username) = lower($1) and is_active`,
      [username],
    );
    return row;
  }

  async within(reach: Reach, id: string): Promise<UserRow & { OwnerId: string }> {
    const values: unknown[] = [id];
    const predicate = reachSql(reach, 'owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<UserRow & { OwnerId: string }>(
      `select id, username, level, owner_id as "OwnerId" from users where id = $1 and is_active and ${predicate}`,
      values,
    );
    if (!row) throw notFound();
    return row;
  }

  async open(
    userId: string,
    actorId: string | null,
    { ip, useragent }: { ip: string; useragent: string },
    seconds: number,
  ): Promise<string> {
    const [row] = await this.db.query<{ id: string }>(
      `insert into sessions (user_id, actor_id, ip, useragent, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5)) returning id`,
      [userId, actorId, ip, useragent, seconds],
    );
    return row!.id;
  }

  revoke(ids: string[]): Promise<number> {
    return this.db.execute(
      `update sessions set revoked_at = now() where id = any($1) and revoked_at is null`,
      [ids],
    );
  }

  /** Also those that others opened in this user's name, and those that it opened in the names of others. */
  revokeAll(userId: string): Promise<number> {
    return this.db.execute(
      `update sessions set revoked_at = now() where (user_id = $1 or actor_id = $1) and revoked_at is null`,
      [userId],
    );
  }
}
