import { Injectable } from '@nestjs/common';
import type { ContactFields, NamedField } from '@heliograph/contract';
import { foldText } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { ContactFieldsStore } from './contact-fields.store.ts';

/** What accounts call the fields of their contacts. */
@Injectable()
export class ContactFieldsService {
  constructor(
    private readonly db: Db,
    private readonly store: ContactFieldsStore,
    private readonly audit: Audit,
  ) {}

  async get({ scope, OwnerId: own }: Actor, OwnerId = own): Promise<ContactFields> {
    return { OwnerId, fields: await this.store.of(scope, OwnerId) };
  }

  /** The fields by their names as they are compared (`foldText`), for columns of files. */
  async titlesOf(OwnerId: string): Promise<Map<string, NamedField['field']>> {
    const fields = await this.store.of(systemScope, OwnerId);
    return new Map(fields.map(({ field, title }) => [foldText(title), field]));
  }

  update(actor: Actor, fields: NamedField[]): Promise<ContactFields> {
    const { OwnerId } = actor;
    return this.db.transaction(async () => {
      await this.store.lock(OwnerId);
      const before = await this.get(actor);
      await this.store.replace(OwnerId, fields);
      const after = await this.get(actor);
      await this.audit.record({
        OwnerId,
        before: titlesOf(before.fields),
        after: titlesOf(after.fields),
      });
      return after;
    });
  }
}

const titlesOf = (fields: NamedField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ field, title }) => [field, title]));
