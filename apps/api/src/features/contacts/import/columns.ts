import type { ContactPreview } from '@heliograph/contract';
import {
  CONTACT_VARIABLES,
  contactField,
  normalizePhone,
  type ContactField,
} from '@heliograph/domain';
import { invalid } from '../../../core/errors.ts';
import { unreadable } from './sheet.ts';

/** What stands in each column; null is passed over. */
export interface Columns {
  fields: (ContactField | null)[];
  /** The names of the first row, or null when it holds a contact already. */
  header: string[] | null;
}

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

/** Reads the first row that is not blank: by the mapping of the request, else by the names in it. */
export function columnsOf(first: string[], { columns, hasHeader }: Mapping = {}): Columns {
  if (columns) return mapped(first, columns, hasHeader);
  const fields = unique(first.map(contactField));
  if (fields.includes('phone') || fields.includes('email')) return { fields, header: first };
  const filled = first.filter((cell) => cell.trim());
  const isNamed = fields.some((field) => field !== null);
  if (filled.length === 1 && !isNamed && holdsContact(filled[0]!)) {
    const only = meantBy(filled[0]!);
    return { fields: first.map((cell) => (cell.trim() ? only : null)), header: null };
  }
  throw unreadable(
    `No column with a phone or an e-mail was recognised. Name the columns in the first row: ${RECOGNISED}`,
    { found: first.slice(0, 50), recognised: CONTACT_VARIABLES },
  );
}

function mapped(first: string[], mapping: Record<string, string>, hasHeader?: boolean): Columns {
  const fields: (ContactField | null)[] = [];
  for (const [column, name] of Object.entries(mapping)) {
    const field = contactField(name);
    if (!field) {
      throw invalid(
        `columns.${column}`,
        'unknown_field',
        `This field is not known; known are ${CONTACT_VARIABLES.join(', ')}.`,
      );
    }
    while (fields.length < Number(column)) fields.push(null);
    fields[Number(column)] = field;
  }
  const keys = fields.flatMap((field, i) => (field === 'phone' || field === 'email' ? [i] : []));
  if (!keys.length)
    throw invalid('columns', 'required', 'One column must have the phone or the e-mail.');
  const isNamed = hasHeader ?? !keys.some((i) => holdsContact(first[i] ?? ''));
  return { fields: unique(fields), header: isNamed ? first : null };
}

/** Digits enough for a phone that may be mistyped, or an e-mail. */
function holdsContact(cell: string): boolean {
  return cell.includes('@') || normalizePhone(cell) !== null || cell.replace(/\D/g, '').length >= 5;
}

/** Of two columns with one name the first counts. */
function unique(fields: (ContactField | null)[]): (ContactField | null)[] {
  return fields.map((field, i) => (fields.indexOf(field) === i ? field : null));
}

/** The first row of the file of rejected rows: names by which it is understood when it comes back. */
export function headerOf({ fields, header }: Columns): string[] {
  const width = Math.max(fields.length, header?.length ?? 0);
  return Array.from({ length: width }, (_, i) => {
    const field = fields[i] ?? null;
    const name = header?.[i] ?? '';
    if (field === null) return contactField(name) === null ? name : '';
    return contactField(name) === field ? name : field;
  });
}

/** How many columns are the customer's own, in a file that has come back. */
export function ownWidth(header: string[] | null): number {
  if (!header) return Infinity;
  const at = header.length - REJECTED_COLUMNS.length;
  const isBack = REJECTED_COLUMNS.every((name, i) => header[at + i]?.trim() === name);
  return isBack ? at : Infinity;
}

/** More columns than a contact has fields are not shown to be mapped. */
const SHOWN_COLUMNS = 100;
const SHOWN_LENGTH = 200;

/**
 * What the first rows of a file look like: columns by their names, else by what stands in them. Unlike `columnsOf` it
 * refuses nothing: what is missing or wrong is put right by hand.
 */
export function guessOf(rows: string[][]): ContactPreview {
  const [first = []] = rows;
  const named = unique(first.map(contactField));
  const hasHeader = named.some((field) => field !== null) || !first.some(holdsContact);
  const width = Math.min(Math.max(...rows.map((cells) => cells.length)), SHOWN_COLUMNS);
  const shown = Math.min(width, ownWidth(hasHeader ? first : null));
  const byValue = unique(first.map((cell) => (holdsContact(cell) ? meantBy(cell) : null)));
  const fields = hasHeader ? named : byValue;
  const cut = (cell: string | undefined) => (cell ?? '').trim().slice(0, SHOWN_LENGTH);
  const places = Array.from({ length: shown }, (_, i) => i);
  return {
    columns: places.map((i) => ({
      name: hasHeader ? cut(first[i]) : '',
      field: fields[i] ?? null,
    })),
    hasHeader,
    rows: rows.slice(hasHeader ? 1 : 0, 6).map((cells) => places.map((i) => cut(cells[i]))),
  };
}

const meantBy = (cell: string): ContactField => (cell.includes('@') ? 'email' : 'phone');
