import { Injectable } from '@nestjs/common';
import type { ContactFields, contactFields, NamedField, ResponseOf } from '@heliograph/contract';
import { foldText, type TypedField } from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ContactFieldsStore } from './contact-fields.store.ts';

type Input = In<typeof contactFields.update>['body']['fields'];

/** The types of fields whose values are no texts. */
export type FieldTypes = ReadonlyMap<string, TypedField>;

/** What accounts call the fields of their contacts, and which values these have. */
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

  /** Of an account, in their order. */
  named(OwnerId: string): Promise<NamedField[]> {
    return this.store.of(systemScope, OwnerId);
  }

  /** The fields by their names as they are compared (`foldText`), for columns of files. */
  async titlesOf(OwnerId: string): Promise<Map<string, NamedField['field']>> {
    const fields = await this.store.of(systemScope, OwnerId);
    return new Map(fields.map(({ field, title }) => [foldText(title), field]));
  }

  async typesOf(OwnerId: string): Promise<FieldTypes> {
    const fields = await this.store.of(systemScope, OwnerId);
    return new Map(fields.flatMap((one) => (one.type === 'text' ? [] : [[one.field, one]])));
  }

  check(
    { OwnerId }: Actor,
    input: In<typeof contactFields.check>['body'],
  ): Promise<ResponseOf<typeof contactFields.check>> {
    return this.store.check(OwnerId, input);
  }

  update(actor: Actor, fields: Input): Promise<ContactFields> {
    const { OwnerId } = actor;
    return this.db.transaction(async () => {
      await this.store.lock(OwnerId);
      const before = await this.get(actor);
      await this.store.replace(
        OwnerId,
        fields.map((one) => typed(one, before.fields)),
      );
      const after = await this.get(actor);
      await this.audit.record({
        OwnerId,
        before: shownOf(before.fields),
        after: shownOf(after.fields),
      });
      return after;
    });
  }
}

/** Without a type a field keeps the one that it has: programs that only name fields leave types as they are. */
function typed({ field, title, type, values }: Input[number], before: NamedField[]): NamedField {
  const kept = before.find((one) => one.field === field);
  if (type) return { field, title, type, values: values ?? [] };
  return { field, title, type: kept?.type ?? 'text', values: kept?.values ?? [] };
}

/** "Size (number)", "Level (choice: Gold, Silver)"; of a text the name alone. */
const shownOf = (fields: NamedField[]): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ field, title, type, values }) => {
      const kind = values.length ? `${type}: ${values.join(', ')}` : type;
      return [field, type === 'text' ? title : `${title} (${kind})`];
    }),
  );
