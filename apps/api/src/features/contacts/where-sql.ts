import type { contacts, ContactsWhere } from '@heliograph/contract';
import { dayIn, foldText, normalizePhone } from '@heliograph/domain';
import {
  conditions,
  equals,
  idTime,
  like,
  type Bind,
  type ListSql,
} from '../../core/db/find-page.ts';
import { trunkStart } from '../../core/db/search.ts';
import type { In } from '../../core/http/endpoint.ts';
import { fieldConditionSql } from './field-conditions-sql.ts';

export type ContactsQuery = In<typeof contacts.find>['query'];

/** The list of contacts `c` in lists `l`. */
export const CONTACTS_LIST: ListSql<ContactsQuery> = {
  order: {
    // UUIDv7 ids are ordered by time, and (list_id, id) is indexed.
    createdAt: 'c.id',
    phone: 'c.phone',
    lastName: 'c.lastName',
    updatedAt: 'c.updatedAt',
  },
  cursor: 'c.id',
  filter: {
    ListId: equals('c.list_id'),
    phone: (phone, bind, country) => `c.phone = ${bind(normalizePhone(phone, country) ?? phone)}`,
    email: (email, bind) => `c.email = ${bind(email.toLowerCase())}`,
    tag: hasTag,
    OwnerId: equals('l.owner_id'),
  },
  range: { createdAt: idTime('c.id') },
  search,
};

/**
 * Contacts with a tag, by the index of `contact_tags`, which is read for each list of the scope. The planner cannot know how many there are,
 * guesses one in two hundred, and would walk through the contacts of all accounts until a page is full. It is told twice, which it takes for
 * two conditions: few contacts fulfil both.
 */
function hasTag(tag: string, bind: Bind): string {
  const keys = 'contact_tags(c.list_id, c.tags)';
  const key = `array[l.id::text || ' ' || ${bind(foldText(tag.trim()))}]`;
  return `c.tags <> '{}' and ${keys} @> ${key} and ${keys} && ${key}`;
}

/** How filters and conditions are read. */
export interface Reading {
  /** Days are counted from the one in which this time is. */
  at: Date;
  /** By the clock of the account. */
  timeZone: string;
  /** The numbering plan of phone numbers without a calling code. */
  country: string;
}

/** The filters as a query of the list, in the order of ids. */
const queryOf = ({
  search: sought,
  createdAt,
  fields: _,
  ...filter
}: ContactsWhere): ContactsQuery => ({
  offset: 0,
  limit: 1,
  order: [{ field: 'createdAt', direction: 'asc' }],
  search: sought,
  scope: [],
  filter,
  range: createdAt ? { createdAt } : {},
});

/** The filters, and conditions on fields, as conditions on a contact `c` of a list `l`. */
export const whereSql = (
  where: ContactsWhere,
  bind: Bind,
  { at, timeZone, country }: Reading,
): string[] => [
  ...conditions(CONTACTS_LIST, queryOf(where), bind, country),
  ...(where.fields ?? []).map((one) => fieldConditionSql(one, bind, dayIn(timeZone, at))),
];

const WORDS = 'contact_terms(c.email, c.last_name, c.first_name, c.middle_name)';
/** Word separators; must match `contact_terms` of the database. */
const SEPARATORS = /[-'.,()@_+\s]+/;

/**
 * A complete phone number is looked up; other digits are searched anywhere in phones. Words match the beginnings of names
 * and of the parts of e-mails, and all of them must match.
 */
function search(text: string, bind: Bind, country: string): string {
  const digits = /^[\d\s()+.-]+$/.test(text) ? text.replace(/\D/g, '') : '';
  if (!digits) return words(text, bind);
  const phone = normalizePhone(text, country);
  const whole = phone ? `c.phone = ${bind(phone)}` : 'false';
  if (phone && digits.length > 10) return whole;
  const trunk = trunkStart(text);
  const started = trunk ? `or c.phone like ${bind(`${trunk}%`)}` : '';
  return `(${whole} or c.phone like ${bind(like(digits))} ${started} or ${words(digits, bind)})`;
}

function words(text: string, bind: Bind): string {
  // Quoted, so that input is not parsed as tsquery operators.
  const quoted = (word: string) => `'${word.replace(/['\\]/g, '$&$&')}':*`;
  const query = foldText(text)
    .split(SEPARATORS)
    .filter(Boolean)
    .slice(0, 10)
    .map(quoted)
    .join(' & ');
  return query ? `${WORDS} @@ ${bind(query)}::tsquery` : 'false';
}
