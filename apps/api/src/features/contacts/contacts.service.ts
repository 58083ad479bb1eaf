import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  CUSTOM_FIELDS,
  type FieldIssue,
  type contacts,
  type ContactsWhere,
  type Page,
  segmentNeeds,
  type ResponseOf,
} from '@heliograph/contract';
import {
  dateOrderIn,
  distinctTags,
  fieldValue,
  foldText,
  normalizePhone,
  type TypedField,
} from '@heliograph/domain';
import {
  ownScope,
  requireAll,
  requirePermission,
  systemScope,
  type Actor,
} from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { invalid, invalidFields } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ContactListsService, type ContactList } from '../contact-lists/contact-lists.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { ContactFieldsService, type FieldTypes } from './contact-fields.service.ts';
import { present, type Contact, type CustomField, type Customs } from './contact.entity.ts';
import { ContactsStore } from './contacts.store.ts';

export { whereSql, type Reading } from './where-sql.ts';

type Input = In<typeof contacts.create>['body'];
type Changes = In<typeof contacts.update>['body'];

/** Values of a choice that an error names. */
const MAX_NAMED_VALUES = 20;

/** Found contacts that one call tags, moves or removes: within a second or so, for which their list is locked. */
const FOUND_AT_ONCE = 5000;
/** Where the next step over found contacts begins; null after the last one. */
const nextAfter = (found: string[]) => (found.length === FOUND_AT_ONCE ? found.at(-1)! : null);

@Injectable()
export class ContactsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: ContactsStore,
    private readonly lists: ContactListsService,
    private readonly fields: ContactFieldsService,
    private readonly settings: SettingsService,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present('contacts', (ids) => this.store.byIds(systemScope, ids), present);
  }

  /** Phone numbers in the query are parsed with the numbering plan of the list's owner. */
  async find(actor: Actor, query: In<typeof contacts.find>['query']): Promise<Page<Contact>> {
    const { ListId, OwnerId } = query.filter;
    const owner = ListId ? (await this.lists.get(actor.scope, ListId)).OwnerId : OwnerId;
    const country = await this.settings.countryOf(owner ?? actor.OwnerId);
    return this.store.find(actor.scope, query, country);
  }

  create(actor: Actor, { ListId, ...input }: Input): Promise<Contact> {
    return this.db.transaction(async () => {
      const list = await this.lists.lock(actor.scope, ListId);
      const country = await this.settings.countryOf(list.OwnerId);
      const types = await this.fields.typesOf(list.OwnerId);
      const contact = { ...changesOf(input, {}, country, types), ListId };
      await this.checkUnique({ phone: null, email: null, ...contact });
      const row = await this.store.create(contact);
      await this.lists.counted(list, 1);
      this.events.changed('contacts', 'created', list.OwnerId, row.id);
      return row;
    });
  }

  update(actor: Actor, id: string, input: Changes): Promise<Contact> {
    return this.db.transaction(async () => {
      const { OwnerId, id: ListId } = await this.lockListOf(actor, id);
      const row = await this.store.lock(actor.scope, id);
      const country = await this.settings.countryOf(OwnerId);
      const types = await this.fields.typesOf(OwnerId);
      const changes = changesOf(input, row.custom, country, types);
      const { phone, email } = { ...row, ...changes };
      if (!phone && !email) throw invalid('phone', 'required', 'A phone or an e-mail is required.');
      await this.checkUnique({ id, ListId, phone, email });
      this.events.changed('contacts', 'updated', OwnerId, id);
      return this.store.update(actor.scope, id, changes);
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const list = await this.lockListOf(actor, id);
      await this.store.remove(actor.scope, id);
      await this.lists.counted(list, -1);
      this.events.changed('contacts', 'removed', list.OwnerId, id);
      return { id };
    });
  }

  /** Locks the list of a contact, which may be moved to another until its list is locked. */
  private async lockListOf(actor: Actor, id: string): Promise<ContactList> {
    let { ListId } = await this.store.get(actor.scope, id);
    for (;;) {
      const list = await this.lists.lock(actor.scope, ListId);
      const found = await this.store.get(actor.scope, id);
      if (found.ListId === list.id) return list;
      ({ ListId } = found);
    }
  }

  /** Lists are locked in the order of their ids, which avoids deadlocks. */
  removeMany(
    actor: Actor,
    { ids, where, after }: In<typeof contacts.removeMany>['body'],
  ): Promise<ResponseOf<typeof contacts.removeMany>> {
    return this.db.transaction(async () => {
      const found = ids ?? (await this.matching(actor, where!, after));
      let removed = 0;
      for (const ListId of await this.store.listsOf(actor.scope, found)) {
        const list = await this.lists.lock(actor.scope, ListId);
        const gone = await this.store.removeFrom(ListId, found);
        if (gone.length) await this.lists.counted(list, -gone.length);
        if (where) this.events.counted('contacts', 'removed', list.OwnerId, ListId, gone.length);
        else for (const id of gone) this.events.changed('contacts', 'removed', list.OwnerId, id);
        removed += gone.length;
      }
      return { removed, next: where ? nextAfter(found) : null };
    });
  }

  /** Of contacts by their ids, or of the next ones in a list that a filter finds. */
  tag(
    actor: Actor,
    { ids, where, after, add = [], remove = [] }: In<typeof contacts.tag>['body'],
  ): Promise<ResponseOf<typeof contacts.tag>> {
    return this.db.transaction(async () => {
      const found = ids ?? (await this.matching(actor, where!, after));
      const { changed, full } = await this.tagAll(actor, found, { add, remove });
      return { changed, full: full.length, next: where ? nextAfter(found) : null };
    });
  }

  /** The number of contacts that were changed, and those that would have too many tags and stay as they are. */
  tagAll(
    actor: Actor,
    ids: string[],
    { add, remove }: { add: string[]; remove: string[] },
  ): Promise<{ changed: number; full: string[] }> {
    const added = distinctTags(add);
    const keys = new Set(added.map(foldText));
    const tags = { add: added, remove: remove.filter((tag) => !keys.has(foldText(tag))) };
    return this.db.transaction(async () => {
      const done: { changed: number; full: string[] } = { changed: 0, full: [] };
      for (const ListId of await this.store.listsOf(actor.scope, ids)) {
        const { OwnerId } = await this.lists.lock(actor.scope, ListId);
        const { changed, full } = await this.store.tag(ListId, ids, tags);
        if (changed) this.events.counted('contacts', 'updated', OwnerId, ListId, changed);
        done.changed += changed;
        done.full.push(...full);
      }
      return done;
    });
  }

  /**
   * Within the account of the target list. A contact that is moved keeps its id, a copy gets its own; what the target has already stays
   * as it is on both sides. Throws `quota_exceeded`.
   */
  move(
    actor: Actor,
    { ids, where, after, to, copy }: In<typeof contacts.move>['body'],
  ): Promise<ResponseOf<typeof contacts.move>> {
    if (!copy) requirePermission(actor, 'contacts.remove');
    return this.db.transaction(async () => {
      const target = await this.lists.get(actor.scope, to);
      const { OwnerId } = target;
      const scope = ownScope(OwnerId);
      const found = ids ?? (await this.matching({ ...actor, scope }, where!, after));
      const sources = await this.store.listsOf(scope, found);
      const lists = new Map<string, ContactList>();
      for (const id of [...new Set([...sources, target.id])].sort())
        lists.set(id, await this.lists.lock(scope, id));
      const done = { added: 0, existing: 0 };
      for (const ListId of sources) {
        const { added, existing } = await this.store.move(ListId, target.id, found, copy);
        if (added && !copy) {
          await this.lists.counted(lists.get(ListId)!, -added);
          this.events.counted('contacts', 'removed', OwnerId, ListId, added);
        }
        done.added += added;
        done.existing += existing;
      }
      if (done.added) {
        await this.lists.counted(target, done.added, copy);
        this.events.counted('contacts', 'created', OwnerId, target.id, done.added);
      }
      return { ...done, next: where ? nextAfter(found) : null };
    });
  }

  /** The next contacts of a list that a filter finds: how many there are tells who may not read them nothing. */
  private async matching(
    actor: Actor,
    where: ContactsWhere & { ListId: string },
    after: string | undefined,
  ): Promise<string[]> {
    requireAll(actor, segmentNeeds({ where, activity: [] }));
    const { OwnerId } = await this.lists.get(actor.scope, where.ListId);
    const reading = { at: this.clock.now(), ...(await this.settings.readingOf(OwnerId)) };
    return this.store.idsOf(actor.scope, where, reading, { after, limit: FOUND_AT_ONCE });
  }

  /** The addresses of a contact, and its account. */
  async person(
    actor: Actor,
    id: string,
  ): Promise<Pick<Contact, 'phone' | 'email'> & { OwnerId: string }> {
    const { phone, email, ListId } = await this.store.get(actor.scope, id);
    const { OwnerId } = await this.lists.get(actor.scope, ListId);
    return { phone, email, OwnerId };
  }

  /** What a person has entered into fields, as it is stored. Throws a validation error with a reason for each field. */
  async valuesOf(OwnerId: string, input: Changes): Promise<Partial<Contact>> {
    const types = await this.fields.typesOf(OwnerId);
    return changesOf(input, {}, await this.settings.countryOf(OwnerId), types);
  }

  /**
   * Adds a contact with values of `valuesOf`, or completes the one that the list has, which loses nothing: not its tags either, if there
   * would be too many. False if the list is gone; throws `quota_exceeded`.
   */
  put(OwnerId: string, ListId: string, input: Changes, tags: string[]): Promise<boolean> {
    return this.changeAddresses(OwnerId, ListId, async (list) => {
      const { custom, ...values } = changesOf(input, {}, 'ZZ', new Map());
      const contact = { phone: null, email: null, ...values, ListId };
      const known = await this.store.duplicateOf(contact);
      if (!known) {
        const added = distinctTags(tags);
        const { id } = await this.store.create({ ...contact, custom, tags: added });
        await this.lists.counted(list, 1);
        return this.events.changed('contacts', 'created', OwnerId, id);
      }
      const { id } = known;
      const row = await this.store.lock(ownScope(OwnerId), id);
      await this.store.update(ownScope(OwnerId), id, {
        ...values,
        custom: { ...row.custom, ...custom },
      });
      if (tags.length) await this.store.tag(ListId, [id], { add: distinctTags(tags), remove: [] });
      this.events.changed('contacts', 'updated', OwnerId, id);
    });
  }

  /** Adds those addresses that a list does not have. False if the list is gone; throws `quota_exceeded`. */
  addAddresses(OwnerId: string, ListId: string, addresses: string[]): Promise<boolean> {
    return this.changeAddresses(OwnerId, ListId, async (list) => {
      const added = await this.store.addAddresses(ListId, addresses);
      if (!added) return;
      await this.lists.counted(list, added);
      this.events.counted('contacts', 'created', OwnerId, ListId, added);
    });
  }

  /** False if the list is gone. */
  removeAddresses(OwnerId: string, ListId: string, addresses: string[]): Promise<boolean> {
    return this.changeAddresses(OwnerId, ListId, async (list) => {
      const removed = await this.store.removeAddresses(ListId, addresses);
      if (!removed) return;
      await this.lists.counted(list, -removed);
      this.events.counted('contacts', 'removed', OwnerId, ListId, removed);
    });
  }

  private changeAddresses(
    OwnerId: string,
    ListId: string,
    change: (list: ContactList) => Promise<void>,
  ): Promise<boolean> {
    return this.db.transaction(async () => {
      const list = await this.lists.lockIfExists(ownScope(OwnerId), ListId);
      if (list) await change(list);
      return list !== null;
    });
  }

  /** The list is locked, so the check cannot race with an insert. */
  private async checkUnique(
    contact: Pick<Contact, 'ListId' | 'phone' | 'email'> & { id?: string },
  ): Promise<void> {
    if (!(await this.store.duplicateOf(contact))) return;
    throw invalid(
      contact.phone ? 'phone' : 'email',
      'unique',
      'The list already has this contact.',
    );
  }
}

/** Columns from the flat fields of a request. Absent fields stay; null and empty strings clear. */
function changesOf(
  input: Changes,
  custom: Customs,
  country: string,
  types: FieldTypes,
): Partial<Contact> {
  const { phone, email, firstName, middleName, lastName, gender, date, tags } = input;
  const changes: Partial<Contact> = {
    firstName: blankToNull(firstName),
    middleName: blankToNull(middleName),
    lastName: blankToNull(lastName),
    gender,
    date,
    custom: { ...custom },
    tags: tags && distinctTags(tags),
  };
  const misfits: FieldIssue[] = [];
  for (const name of CUSTOM_FIELDS) {
    const value = (input as Partial<Record<CustomField, string | null>>)[name];
    const type = types.get(name);
    // What is sent back as it was may be from a time before the field had its type.
    const isChecked = value && type && value !== custom[name];
    const kept = isChecked ? fieldValue(value, type, dateOrderIn(country)) : value;
    if (isChecked && kept === null) misfits.push(misfitOf(name, type));
    else if (kept) changes.custom![name] = kept;
    else if (kept !== undefined) delete changes.custom![name];
  }
  if (misfits.length) throw invalidFields(misfits);
  if (phone !== undefined) changes.phone = phone && e164(phone, country);
  if (email !== undefined) changes.email = email && email.toLowerCase();
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function e164(typed: string, country: string): string {
  const phone = normalizePhone(typed, country);
  if (!phone) throw invalid('phone', 'phone', 'Invalid phone number');
  return phone;
}

/** Why a value is none of the type of its field. */
function misfitOf(field: CustomField, { type, values }: TypedField): FieldIssue {
  if (type === 'number')
    return { field, rule: 'invalid_format', message: 'The field is a number, such as 12.5.' };
  if (type === 'date')
    return { field, rule: 'invalid_format', message: 'The field is a date, such as 1990-12-31.' };
  const offered = type === 'boolean' ? ['true', 'false'] : values;
  return {
    field,
    rule: 'invalid_value',
    message: `The field has one of these values: ${offered.slice(0, MAX_NAMED_VALUES).join(', ')}.`,
  };
}

const blankToNull = (text: string | null | undefined) => (text === '' ? null : text);
