import type { FileRecipients } from '@heliograph/contract';
import { AppError } from '../../../core/errors.ts';
import type { Book } from '../../../core/sheets/sheet.ts';
import { empty, firstRows, sheetOf } from './choose-sheet.ts';
import { columnsOf, HEAD_ROWS, ownWidth } from './columns.ts';
import { emailOf, phonesOf } from './contact-row.ts';

/** As many as a task may name. */
const MAX_RECIPIENTS = 50_000;
const MAX_SHOWN = 100;
const SHOWN_LENGTH = 100;

interface Wanted {
  sheet?: string | undefined;
  /** Of a row: one, or whatever reaches the person. */
  phones: 'first' | 'each';
  country: string;
}

/** The phones and e-mail addresses of a table of people, each once, without keeping anybody as a contact. */
export async function recipientsOf(
  book: Book,
  { sheet, phones: wanted, country }: Wanted,
): Promise<FileRecipients> {
  const most = wanted === 'first' ? 1 : Infinity;
  const { place, name } = await sheetOf(book, sheet);
  const head = await firstRows(book, place, HEAD_ROWS);
  if (!head.length) throw empty();
  const { fields, others, header, above } = columnsIn(head, country);
  const width = ownWidth(header);
  const columns = [
    ...placesOf(fields, 'phone'),
    ...(others?.phone ?? []),
    ...placesOf(fields, 'email'),
    ...(others?.email ?? []),
  ].filter((column) => column < width);
  const phones = new Set<string>();
  const emails = new Set<string>();
  const report = { refused: [] as string[], refusedCount: 0, several: 0, hidden: 0 };
  let n = 0;
  for await (const { cells, isHidden } of book.rows(place)) {
    if (n++ < above) continue;
    const row = rowOf(
      columns.map((column) => cells[column] ?? ''),
      country,
    );
    const isFound = row.phones.length + row.emails.length > 0;
    for (const phone of row.phones.slice(0, most)) phones.add(phone);
    for (const email of row.emails.slice(0, most)) emails.add(email);
    report.several += row.several;
    if (isHidden && isFound) report.hidden++;
    // Where one number is enough, another one may be wrong.
    if (row.wrong !== undefined && !(most === 1 && isFound)) {
      report.refusedCount++;
      if (report.refused.length < MAX_SHOWN)
        report.refused.push(row.wrong.trim().slice(0, SHOWN_LENGTH));
    }
    if (Math.max(phones.size, emails.size) > MAX_RECIPIENTS) throw tooMany();
  }
  return { phones: [...phones], emails: [...emails], ...report, sheet: name };
}

const tooMany = () =>
  new AppError(
    'too_large',
    `The file has more than ${MAX_RECIPIENTS} recipients. Import it as contacts, or split it.`,
    { payload: { max: MAX_RECIPIENTS } },
  );

/** What reaches the person of a row, and the first cell that is neither a phone nor an e-mail. */
function rowOf(cells: string[], country: string) {
  const row = { phones: [] as string[], emails: [] as string[], several: 0 };
  let wrong: string | undefined;
  for (const cell of cells) {
    if (!cell.trim()) continue;
    const email = cell.includes('@') ? emailOf(cell) : null;
    const phones = email ? [] : phonesOf(cell, country);
    if (email) row.emails.push(email);
    row.phones.push(...phones.map(({ phone }) => phone));
    if (phones.length > 1) row.several++;
    if (!email && !phones.length) wrong ??= cell;
  }
  return { ...row, wrong };
}

const placesOf = (fields: readonly (string | null)[], wanted: string) =>
  fields.flatMap((field, column) => (field === wanted ? [column] : []));

/** The columns by their names; those whose names nobody knows, by the first rows. */
function columnsIn(head: string[][], country: string): ReturnType<typeof columnsOf> {
  try {
    return columnsOf(head);
  } catch (error) {
    const holds = (cell = '') =>
      cell.includes('@') ? emailOf(cell) !== null : phonesOf(cell, country).length > 0;
    const [first = [], second = first] = head;
    const isNamed = !first.some(holds);
    const column = (isNamed ? second : first).findIndex(holds);
    if (column < 0) throw error;
    return {
      // What is read as phones may hold addresses as well.
      fields: [...Array<null>(column).fill(null), 'phone'],
      header: isNamed ? first : null,
      above: isNamed ? 1 : 0,
    };
  }
}
