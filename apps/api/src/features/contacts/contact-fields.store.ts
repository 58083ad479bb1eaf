import { Injectable } from '@nestjs/common';
import type { NamedField } from '@heliograph/contract';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

@Injectable()
export class ContactFieldsStore {
  constructor(private readonly db: Db) {}

  async of(scope: AccessScope, OwnerId: string): Promise<NamedField[]> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<NamedField>(
      `select field, title from contact_fields where owner_id = $1 and ${within} order by field`,
      values,
    );
  }

  /** Changes of an account are made one after the other, so that each knows what it replaces. */
  async lock(OwnerId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [OwnerId]);
  }

  async replace(OwnerId: string, fields: NamedField[]): Promise<void> {
    await this.db.query(`delete from contact_fields where owner_id = $1`, [OwnerId]);
    await this.db.query(
      `insert into contact_fields (owner_id, field, title) select $1, * from unnest($2::text[], $3::text[])`,
      [OwnerId, fields.map(({ field }) => field), fields.map(({ title }) => title)],
    );
  }
}
