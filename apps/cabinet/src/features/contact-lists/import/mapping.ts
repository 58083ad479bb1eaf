import { CUSTOM_FIELDS, type ContactPreview } from '@heliograph/contract';
import type { ContactField } from '@heliograph/domain';

/** The contact field of each column; null skips the column. */
export type Mapping = (ContactField | null)[];

/** In the order in which they are offered. */
export const CONTACT_FIELDS: ContactField[] = [
  'phone',
  'email',
  'fullName',
  'firstName',
  'middleName',
  'lastName',
  'date',
  'gender',
  'tags',
  ...CUSTOM_FIELDS,
];

export function mappingOf(preview: ContactPreview): Mapping {
  return preview.columns.map(({ field }) => field);
}

/** Fields of which a contact without the first has that of the next column. */
const REPEATABLE: Mapping = ['phone', 'email'];

/** Columns mapped to the same field as another one: only the first would be imported. */
export function doubled(mapping: Mapping): Set<number> {
  const places = mapping.flatMap((field, i) =>
    field !== null &&
    !REPEATABLE.includes(field) &&
    mapping.indexOf(field) !== mapping.lastIndexOf(field)
      ? [i]
      : [],
  );
  return new Set(places);
}

/** The first additional field that neither has a name nor a column. */
export function freeField(
  mapping: Mapping,
  isNamed: (field: string) => boolean,
): (typeof CUSTOM_FIELDS)[number] | undefined {
  return CUSTOM_FIELDS.find((field) => !mapping.includes(field) && !isNamed(field));
}

/** Rows need a phone or an e-mail. */
export function lacksKey(mapping: Mapping): boolean {
  return !mapping.includes('phone') && !mapping.includes('email');
}

/** As the call takes it: number of the column to field. */
export function toColumns(mapping: Mapping): Record<string, string> {
  return Object.fromEntries(mapping.flatMap((field, i) => (field ? [[String(i), field]] : [])));
}

/** Sample values of a column. */
export function samplesOf(rows: string[][], column: number, most = 3): string[] {
  return [...new Set(rows.map((cells) => cells[column] ?? '').filter(Boolean))].slice(0, most);
}

/** With the first row as a contact, or as the names of the columns again. */
export function withHeader(preview: ContactPreview, hasHeader: boolean): ContactPreview {
  if (hasHeader === preview.hasHeader) return preview;
  const names = preview.columns.map(({ name }) => name);
  const [first = [], ...rest] = preview.rows;
  return {
    ...preview,
    hasHeader,
    columns: preview.columns.map(({ field }, i) => ({
      field,
      name: hasHeader ? (first[i] ?? '') : '',
    })),
    rows: hasHeader ? rest : [names, ...preview.rows],
  };
}
