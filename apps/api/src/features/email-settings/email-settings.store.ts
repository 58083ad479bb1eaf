import { Injectable } from '@nestjs/common';
import type { EmailSettings } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

export type Values = Omit<EmailSettings, 'OwnerId'>;

/** One row for each account that has changed the settings of its e-mails. */
@Injectable()
export class EmailSettingsStore {
  constructor(private readonly db: Db) {}

  async get(scope: AccessScope, OwnerId: string): Promise<Values | undefined> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'e.owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<Values>(
      `select tells_opened as "tellsOpened" from email_settings e where e.owner_id = $1 and ${within}`,
      values,
    );
    return row;
  }

  async tellingOpened(OwnerIds: string[]): Promise<string[]> {
    const rows = await this.db.query<{ OwnerId: string }>(
      `select owner_id as "OwnerId" from email_settings where owner_id = any($1) and tells_opened`,
      [OwnerIds],
    );
    return rows.map(({ OwnerId }) => OwnerId);
  }

  /** Changes of an account are made one after the other, so that each knows what it replaces. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
  }

  async set(OwnerId: string, { tellsOpened }: Values): Promise<void> {
    await this.db.query(
      `insert into email_settings (owner_id, tells_opened) values ($1, $2)
       on conflict (owner_id) do update set tells_opened = excluded.tells_opened`,
      [OwnerId, tellsOpened],
    );
  }
}
