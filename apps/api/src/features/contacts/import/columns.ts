import { IMPORT_FIELDS, type ContactPreview } from '@heliograph/contract';
import { contactField, contactFields, isFamilyFirst, type ContactField } from '@heliograph/domain';
import { invalid } from '../../../core/errors.ts';
import type { Fields } from './contact-row.ts';
import { unreadable } from './sheet.ts';

export interface Columns extends Fields {
  /** The names of the columns, or null when there are none. */
  header: string[] | null;
  /** How many rows stand above the contacts: the names and what precedes them. */
  above: number;
}

/** Rows in which the names of the columns are looked for: above them may stand titles. */
export const HEAD_ROWS = 10;

/** The two columns that a file of rejected rows has more. */
export const REJECTED_COLUMNS = ['row', 'reason'];

const RECOGNISED =
  'phone (Телефон), email (Почта), firstName (Имя), lastName (Фамилия), middleName (Отчество), ' +
  'date (Дата рождения), gender (Пол), custom01 to custom20 (Поле 1 to Поле 20)';

/** What the request says of the columns. */
export interface Mapping {
  columns?: Record<string, string>;
  hasHeader?: boolean;
}

/** The row that names the columns: the first with a phone or an e-mail in it, else with two fields of any kind; -1 is none. */
function headerAt(head: string[][]): number {
  const named = head.map(contactFields);
  const first = named.findIndex(reaches);
  return first >= 0 ? first : named.findIndex((fields) => fields.filter(Boolean).length > 1);
}

const reaches = (fields: (ContactField | null)[]) =>
  fields.includes('phone') || fields.includes('email');

/** Reads the first rows that are not blank: by the mapping of the request, else by the names in them. */
export function columnsOf(head: string[][], { columns, hasHeader }: Mapping = {}): Columns {
  if (columns) return mapped(head, columns, hasHeader);
  const at = headerAt(head);
  const header = head[at] ?? [];
  const fields = contactFields(header);
  if (reaches(fields)) return { ...named(fields, header), above: at + 1 };
  const [first = []] = head;
  if (isPhones(first)) {
    const only = meantBy(first.find((cell) => cell.trim())!);
    return { fields: first.map((cell) => (cell.trim() ? only : null)), header: null, above: 0 };
  }
  throw unreadable(
    `No column with a phone or an e-mail was recognised. Name the columns in the first row: ${RECOGNISED}`,
    { found: first.slice(0, 50), recognised: IMPORT_FIELDS },
  );
}

/** A column of phones or e-mails alone needs no name. */
function isPhones(first: string[]): boolean {
  const filled = first.filter((cell) => cell.trim());
  return filled.length === 1 && contactField(filled[0]!) === null && holdsContact(filled[0]!);
}

function named(fields: (ContactField | null)[], header: string[]): Omit<Columns, 'above'> {
  return { fields, header, familyFirst: isFamilyFirst(header[fields.indexOf('fullName')] ?? '') };
}

/** Whether the first rows of a sheet are of a table with recipients: under names, or as nothing but phones or e-mails. */
export function holdsRecipients(head: string[][]): boolean {
  const at = headerAt(head);
  if (at >= 0) return reaches(contactFields(head[at]!)) && head.length > at + 1;
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
        `This field is not known; known are ${IMPORT_FIELDS.join(', ')}.`,
      );
    }
    while (fields.length < Number(column)) fields.push(null);
    fields[Number(column)] = field;
  }
  const keys = fields.flatMap((field, i) => (field === 'phone' || field === 'email' ? [i] : []));
  if (!keys.length)
    throw invalid('columns', 'required', 'One column must have the phone or the e-mail.');
  const at = hasHeader === false ? -1 : headerAt(head);
  const first = head[Math.max(0, at)] ?? [];
  const isNamed = hasHeader ?? (at >= 0 || !keys.some((i) => holdsContact(first[i] ?? '')));
  if (!isNamed) return { fields: unique(fields), header: null, above: 0 };
  return { ...named(unique(fields), first), above: Math.max(0, at) + 1 };
}

/** Digits enough for a phone that may be mistyped, or an e-mail. */
function holdsContact(cell: string): boolean {
  return cell.includes('@') || cell.replace(/\D/g, '').length >= 5;
}

/** Of two columns with one name the first counts. */
function unique(fields: (ContactField | null)[]): (ContactField | null)[] {
  return fields.map((field, i) => (fields.indexOf(field) === i ? field : null));
}

/** The first row of the file of rejected rows: names by which it is understood when it comes back. */
export function headerOf({ fields, header }: Columns): string[] {
  const width = Math.max(fields.length, header?.length ?? 0);
  const alone = contactFields(header ?? []);
  return Array.from({ length: width }, (_, i) => {
    const field = fields[i] ?? null;
    return (alone[i] ?? null) === field ? (header?.[i] ?? '') : (field ?? '');
  });
}

/** As many names of columns as anybody reads. */
const SHOWN_COLUMNS = 100;
const SHOWN_LENGTH = 200;
const cut = (cell: string | undefined) => (cell ?? '').trim().slice(0, SHOWN_LENGTH);

/** The names of the columns that are the customer's own and go to no field. */
export function passedOver({ fields, header }: Columns): string[] {
  const own = (header ?? []).slice(0, ownWidth(header));
  return own
    .filter((name, i) => name.trim() && !fields[i])
    .map(cut)
    .slice(0, SHOWN_COLUMNS);
}

/** How many columns are the customer's own, in a file that has come back. */
export function ownWidth(header: string[] | null): number {
  if (!header) return Infinity;
  const at = header.length - REJECTED_COLUMNS.length;
  const isBack = REJECTED_COLUMNS.every((name, i) => header[at + i]?.trim() === name);
  return isBack ? at : Infinity;
}

/**
 * What the first rows of a sheet look like: columns by their names, else by what stands in them. Unlike `columnsOf` it refuses nothing: what
 * is missing or wrong is put right by hand. More columns than a contact has fields are not shown to be mapped.
 */
export function guessOf(head: string[][], most: number): Omit<ContactPreview, 'sheets' | 'sheet'> {
  const at = headerAt(head.slice(0, HEAD_ROWS));
  const rows = head.slice(Math.max(0, at));
  const [first = []] = rows;
  const byName = contactFields(first);
  const hasHeader = byName.some((field) => field !== null) || !first.some(holdsContact);
  const width = Math.min(Math.max(...rows.map((cells) => cells.length)), SHOWN_COLUMNS);
  const shown = Math.min(width, ownWidth(hasHeader ? first : null));
  const byValue = unique(first.map((cell) => (holdsContact(cell) ? meantBy(cell) : null)));
  const fields = hasHeader ? byName : byValue;
  const places = Array.from({ length: shown }, (_, i) => i);
  const skipped = hasHeader ? 1 : 0;
  return {
    columns: places.map((i) => ({
      name: hasHeader ? cut(first[i]) : '',
      field: fields[i] ?? null,
    })),
    hasHeader,
    rows: rows.slice(skipped, skipped + most).map((cells) => places.map((i) => cut(cells[i]))),
  };
}

const meantBy = (cell: string): ContactField => (cell.includes('@') ? 'email' : 'phone');
