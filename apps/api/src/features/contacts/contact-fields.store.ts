import { Injectable } from '@nestjs/common';
import type { FieldTypeCheck, FieldTypeChecked, NamedField } from '@heliograph/contract';
import type * as z from 'zod';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { fitsSql } from './field-conditions-sql.ts';

@Injectable()
export class ContactFieldsStore {
  constructor(private readonly db: Db) {}

  async of(scope: AccessScope, OwnerId: string): Promise<NamedField[]> {
    const values: unknown[] = [OwnerId];
    const within = scopeSql(scope, 'owner_id', (v) => `$${values.push(v)}`);
    return this.db.query<NamedField>(
      `select field, title, type, choices as values from contact_fields where owner_id = $1 and ${within} order by field`,
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
      `insert into contact_fields (owner_id, field, title, type, choices)
       select $1, f.field, f.title, f.type, array(select jsonb_array_elements_text(f.values))
         from jsonb_to_recordset($2) f(field text, title text, type text, values jsonb)`,
      [OwnerId, JSON.stringify(fields)],
    );
  }

  /** Values of a field in all lists of an account, and those among them that are none of a type. */
  async check(
    OwnerId: string,
    { field, type, values: choices }: z.output<typeof FieldTypeCheck>,
  ): Promise<z.output<typeof FieldTypeChecked>> {
    const values: unknown[] = [OwnerId];
    const fits = fitsSql(field, type, choices, (value) => `$${values.push(value)}`);
    const [row] = await this.db.queryUnprepared<z.output<typeof FieldTypeChecked>>(
      `select count(*)::int as filled, (count(*) filter (where not (${fits})))::int as misfits
         from contact_lists l join contacts c on c.list_id = l.id
        where l.owner_id = $1 and c.custom->>'${field}' is not null`,
      values,
    );
    return row!;
  }
}
