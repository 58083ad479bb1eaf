import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

export interface StoredFactor {
  /** Encrypted. */
  secret: Buffer;
  salt: Buffer;
  enabledAt: Date | null;
  createdAt: Date;
}

@Injectable()
export class SecondFactorStore {
  constructor(private readonly db: Db) {}

  async of(userId: string): Promise<StoredFactor | undefined> {
    const [row] = await this.db.query<StoredFactor>(
      `select secret, salt, enabled_at as "enabledAt", created_at as "createdAt"
         from second_factors where user_id = $1`,
      [userId],
    );
    return row;
  }

  async codesLeft(userId: string): Promise<number> {
    const [row] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from recovery_codes where user_id = $1`,
      [userId],
    );
    return row!.n;
  }

  /** Replaces a setup that was not completed. False if the factor is on. */
  async begin(userId: string, secret: Buffer, salt: Buffer, now: Date): Promise<boolean> {
    const rows = await this.db.query(
      `insert into second_factors (user_id, secret, salt, created_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set secret = excluded.secret, salt = excluded.salt,
              created_at = excluded.created_at, last_step = 0 where second_factors.enabled_at is null
       returning user_id`,
      [userId, secret, salt, now],
    );
    return rows.length > 0;
  }

  /** False if the setup was replaced, or completed by another request. */
  async enable(userId: string, secret: Buffer, step: number, now: Date): Promise<boolean> {
    const enabled = await this.db.execute(
      `update second_factors set enabled_at = $4, last_step = $3
        where user_id = $1 and secret = $2 and enabled_at is null`,
      [userId, secret, step, now],
    );
    return enabled > 0;
  }

  /** Accepts a time step once, and none before an accepted one. */
  async takeStep(userId: string, secret: Buffer, step: number): Promise<boolean> {
    const taken = await this.db.execute(
      `update second_factors set last_step = $3
        where user_id = $1 and secret = $2 and last_step < $3 and enabled_at is not null`,
      [userId, secret, step],
    );
    return taken > 0;
  }

  async takeCode(userId: string, hash: Buffer): Promise<boolean> {
    const taken = await this.db.execute(
      `delete from recovery_codes where user_id = $1 and code_hash = $2`,
      [userId, hash],
    );
    return taken > 0;
  }

  async replaceCodes(userId: string, hashes: Buffer[]): Promise<void> {
    await this.db.query(`delete from recovery_codes where user_id = $1`, [userId]);
    await this.db.query(
      `insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])`,
      [userId, hashes],
    );
  }

  /** For the command line. */
  async userOf(username: string): Promise<{ id: string; OwnerId: string } | undefined> {
    const [user] = await this.db.query<{ id: string; OwnerId: string }>(
      `select id, owner_id as "OwnerId" from users where lower(username) = lower($1)`,
      [username],
    );
    return user;
  }

  /** False if there is none. */
  async remove(userId: string): Promise<boolean> {
    const removed = await this.db.execute(
      `delete from second_factors where user_id = $1 and enabled_at is not null`,
      [userId],
    );
    return removed > 0;
  }
}
