import { IMPORT_FIELDS, MAX_FIELD_TITLE, type ContactPreview } from '@heliograph/contract';
import {
  columnsOfField,
  contactField,
  contactFields,
  foldText,
  isFamilyFirst,
  type ContactField,
  type DateOrder,
} from '@heliograph/domain';
import { invalid } from '../../../core/errors.ts';
import { phonesOf, type Fields, type Reader } from './contact-row.ts';
import { DateOrders } from './date-orders.ts';
import { unreadable } from '../../../core/sheets/sheet.ts';

export interface Columns extends Fields {
  /** The column names, or null if the table has none. */
  header: string[] | null;
  /** Number of rows above the contacts: the header and titles before it. */
  above: number;
}

/** Rows in which the header is searched; titles may precede it. */
export const HEAD_ROWS = 10;

/** The additional columns of a file of rejected rows. */
export const REJECTED_COLUMNS = ['row', 'reason'];

const RECOGNISED =
  'phone (Телефон), email (Почта), firstName (Имя), lastName (Фамилия), middleName (Отчество), ' +
  'date (Дата рождения), gender (Пол), tags (Теги), custom01 to custom20 (Поле 1 to Поле 20)';

/** The column mapping of the request. */
export interface Mapping {
  columns?: Record<string, string>;
  hasHeader?: boolean;
}

/** What the account calls its fields: the name as it is compared (`foldText`), and the field. */
export type FieldTitles = ReadonlyMap<string, ContactField>;

/** Columns that no known name has found, by the names that the account gave its fields. */
function withTitles(
  fields: (ContactField | null)[],
  header: string[],
  titles: FieldTitles,
): (ContactField | null)[] {
  const found = new Set(fields);
  return fields.map((field, i) => {
    const named = titles.get(foldText((header[i] ?? '').slice(0, MAX_FIELD_TITLE + 1).trim()));
    if (field !== null || !named || found.has(named)) return field;
    found.add(named);
    return named;
  });
}

/** The index of the header: the first row that names a phone or an e-mail, or else two fields of any kind; -1 if there is none. */
function headerAt(head: string[][]): number {
  const rows = head.map(contactFields);
  const first = rows.findIndex(hasRecipient);
  return first >= 0 ? first : rows.findIndex((fields) => fields.filter(Boolean).length > 1);
}

const hasRecipient = (fields: (ContactField | null)[]) =>
  fields.includes('phone') || fields.includes('email');

/** The columns of a table, by the mapping of the request or by the header in the first rows. */
export function columnsOf(
  head: string[][],
  { columns, hasHeader }: Mapping = {},
  titles: FieldTitles = new Map(),
): Columns {
  if (columns) return mapped(head, columns, hasHeader);
  const at = headerAt(head);
  const header = head[at] ?? [];
  const fields = withTitles(contactFields(header), header, titles);
  if (hasRecipient(fields)) return { ...named(fields, header), above: at + 1 };
  const [first = []] = head;
  if (isPhones(first)) {
    const only = fieldOf(first.find((cell) => cell.trim())!);
    return { fields: first.map((cell) => (cell.trim() ? only : null)), header: null, above: 0 };
  }
  throw unreadable(
    `The file has no column with a phone or an e-mail. Name the columns in the first row: ${RECOGNISED}`,
    { found: first.slice(0, 50), recognised: IMPORT_FIELDS },
  );
}

/** A single column of phones or e-mails needs no header. */
function isPhones(first: string[]): boolean {
  const filled = first.filter((cell) => cell.trim());
  return filled.length === 1 && contactField(filled[0]!) === null && holdsContact(filled[0]!);
}

function named(fields: (ContactField | null)[], header: string[]): Omit<Columns, 'above'> {
  const othersOf = (field: 'phone' | 'email') =>
    columnsOfField(header, field).filter((column) => fields[column] !== field);
  return {
    fields,
    header,
    familyFirst: isFamilyFirst(header[fields.indexOf('fullName')] ?? ''),
    others: { phone: othersOf('phone'), email: othersOf('email') },
  };
}

/** Whether the first rows look like a table of recipients, with a header or as one column of phones or e-mails. */
export function holdsRecipients(head: string[][]): boolean {
  const at = headerAt(head);
  if (at >= 0) return hasRecipient(contactFields(head[at]!)) && head.length > at + 1;
  return head.length > 0 && head.every(isPhones);
}

function mapped(head: string[][], mapping: Record<string, string>, hasHeader?: boolean): Columns {
  const fields: (ContactField | null)[] = [];
  for (const [column, name] of Object.entries(mapping)) {
    const field = contactField(name);
    if (!field) {
      throw invalid(
        `columns.${column}`,
        'unknown_field',
        `The field is unknown. Valid fields are ${IMPORT_FIELDS.join(', ')}.`,
      );
    }
    while (fields.length < Number(column)) fields.push(null);
    fields[Number(column)] = field;
  }
  const keys = fields.flatMap((field, i) => (field === 'phone' || field === 'email' ? [i] : []));
  if (!keys.length)
    throw invalid('columns', 'required', 'One column must be the phone or the e-mail.');
  const at = hasHeader === false ? -1 : headerAt(head);
  const first = head[Math.max(0, at)] ?? [];
  const isNamed = hasHeader ?? (at >= 0 || !keys.some((i) => holdsContact(first[i] ?? '')));
  const header = isNamed ? first : null;
  return {
    ...distributed(fields, header ?? []),
    header,
    familyFirst: isFamilyFirst(header?.[fields.indexOf('fullName')] ?? ''),
    above: header ? Math.max(0, at) + 1 : 0,
  };
}

/** An e-mail, or enough digits for a phone with a typo. */
function holdsContact(cell: string): boolean {
  return cell.includes('@') || cell.replace(/\D/g, '').length >= 5;
}

/** Each field has one column. Further ones of phones and e-mails are for contacts without the first, which is the best by its name. */
function distributed(fields: (ContactField | null)[], header: string[]): Fields {
  const ranked = (field: 'phone' | 'email'): number[] => {
    const byName = columnsOfField(header, field);
    const rank = (column: number) => (byName.indexOf(column) + 1 || Infinity) - 1;
    const all = fields.flatMap((one, column) => (one === field ? [column] : []));
    return all.sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
  };
  const phones = ranked('phone').slice(1);
  const emails = ranked('email').slice(1);
  const further = new Set([...phones, ...emails]);
  return {
    fields: unique(fields.map((field, i) => (further.has(i) ? null : field))),
    others: { phone: phones, email: emails },
  };
}

/** Ignores further columns of the same field. */
function unique(fields: (ContactField | null)[]): (ContactField | null)[] {
  return fields.map((field, i) => (fields.indexOf(field) === i ? field : null));
}

/** The header of the file of rejected rows, by which it can be imported again. */
export function headerOf({ fields, header }: Columns): string[] {
  const width = Math.max(fields.length, header?.length ?? 0);
  const alone = contactFields(header ?? []);
  return Array.from({ length: width }, (_, i) => {
    const field = fields[i] ?? null;
    return (alone[i] ?? null) === field ? (header?.[i] ?? '') : (field ?? '');
  });
}

const SHOWN_COLUMNS = 100;
const SHOWN_LENGTH = 200;
const cut = (cell: string | undefined) => (cell ?? '').trim().slice(0, SHOWN_LENGTH);

/** The names of ignored columns. */
export function passedOver({ fields, header, others }: Columns): string[] {
  const used = new Set([...(others?.phone ?? []), ...(others?.email ?? [])]);
  const own = (header ?? []).slice(0, ownWidth(header));
  return own
    .filter((name, i) => name.trim() && !fields[i] && !used.has(i))
    .map(cut)
    .slice(0, SHOWN_COLUMNS);
}

/** Number of columns without those added to a file of rejected rows. */
export function ownWidth(header: string[] | null): number {
  if (!header) return Infinity;
  const at = header.length - REJECTED_COLUMNS.length;
  const isBack = REJECTED_COLUMNS.every((name, i) => header[at + i]?.trim() === name);
  return isBack ? at : Infinity;
}

/**
 * Guesses the columns of a sheet for the preview, by header or by values. Unlike `columnsOf` it does not fail, since the
 * user corrects the mapping.
 */
export function guessOf(
  head: string[][],
  maxRows: number,
  country: string,
  titles: FieldTitles,
  types: Reader['types'] = new Map(),
): Omit<ContactPreview, 'sheets' | 'sheet'> {
  const at = headerAt(head.slice(0, HEAD_ROWS));
  const rows = head.slice(Math.max(0, at));
  const [first = []] = rows;
  const byName = withTitles(contactFields(first), first, titles);
  for (const field of ['phone', 'email'] as const)
    for (const column of columnsOfField(first, field)) byName[column] ??= field;
  const hasHeader = byName.some((field) => field !== null) || !first.some(holdsContact);
  const width = Math.min(Math.max(...rows.map((cells) => cells.length)), SHOWN_COLUMNS);
  const shown = Math.min(width, ownWidth(hasHeader ? first : null));
  const byValue = unique(first.map((cell) => (holdsContact(cell) ? fieldOf(cell) : null)));
  const fields = hasHeader ? byName : byValue;
  const indexes = Array.from({ length: shown }, (_, i) => i);
  const skipped = hasHeader ? 1 : 0;
  return {
    columns: indexes.map((i) => ({
      name: hasHeader ? cut(first[i]) : '',
      field: fields[i] ?? null,
    })),
    hasHeader,
    dateOrder: orderOf(
      rows.slice(skipped),
      fields.flatMap((field, i) =>
        field === 'date' || (field && types.get(field)?.type === 'date') ? [i] : [],
      ),
      country,
    ),
    several: severalOf(rows.slice(skipped), fields.indexOf('phone'), country),
    rows: rows.slice(skipped, skipped + maxRows).map((cells) => indexes.map((i) => cut(cells[i]))),
  };
}

/** The order of columns of dates as far as they were read; null if it makes no difference. */
function orderOf(rows: string[][], columns: number[], country: string): DateOrder | null {
  const orders = new DateOrders();
  for (const cells of rows)
    for (const column of columns) if (cells[column]) orders.add(cells[column], String(column));
  return orders.decide(country);
}

/** How many rows have several phones in their cell. */
const severalOf = (rows: string[][], column: number, country: string): number =>
  rows.filter((cells) => phonesOf(cells[column] ?? '', country).length > 1).length;

const fieldOf = (cell: string): ContactField => (cell.includes('@') ? 'email' : 'phone');
