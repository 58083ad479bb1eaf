import { Injectable } from '@nestjs/common';
import type { PriceListPreview, tariffs } from '@heliograph/contract';
import {
  applyPriceList,
  decimalMarkOf,
  parsePriceRow,
  PRICE_LIST_FIELDS,
  priceChanges,
  priceListField,
  repeatedRows,
  type ListedPrice,
  type PriceListField,
  type PriceListReason,
} from '@heliograph/domain';
import type { Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { unreadable, type Book, type SheetRow } from '../../../core/sheets/sheet.ts';
import { SheetFilesService } from '../../storage/sheet-files.service.ts';
import { operatorByCode } from './operators.ts';

const MAX_ROWS = 20_000;
/** Titles may precede the header. */
const HEAD_ROWS = 10;
const MAX_SHOWN = 1000;
const MAX_RULES = 500;

const INTERVALS = ['increments', 'first', 'interval'] as const;

type Columns = Partial<Record<PriceListField, number>>;

/** Reads price lists into the rules that they make. Nothing is stored. */
@Injectable()
export class PriceListService {
  constructor(
    private readonly files: SheetFilesService,
    private readonly clock: Clock,
  ) {}

  preview(
    actor: Actor,
    { from, rules }: In<typeof tariffs.priceList>['body'],
  ): Promise<PriceListPreview> {
    return this.files.withBook(actor, from.key, async (book) => {
      const { listed, rejected } = await readPriceList(book);
      const today = this.clock.now().toISOString().slice(0, 10);
      const versions = applyPriceList(rules, listed, today);
      if (versions.some((version) => version.rules.length > MAX_RULES))
        throw new AppError('too_large', `The list makes more than ${MAX_RULES} rules. Split it.`, {
          payload: { max: MAX_RULES },
        });
      return {
        rows: listed.length,
        versions: versions.map((version, i) => {
          const changes = priceChanges(versions[i - 1]?.rules ?? rules, version.rules);
          return {
            from: version.from,
            rules: version.rules as PriceListPreview['versions'][number]['rules'],
            changes: changes.slice(0, MAX_SHOWN) as PriceListPreview['versions'][number]['changes'],
            changed: changes.length,
          };
        }),
        unknown: unknownNetworks(listed).slice(0, MAX_SHOWN),
        rejected: rejected.slice(0, MAX_SHOWN),
        rejectedCount: rejected.length,
      };
    });
  }
}

function unknownNetworks(listed: readonly ListedPrice[]): string[] {
  const codes = new Set(
    listed.flatMap(({ target }) => (target?.tag === 'mccmnc' ? target.value : [])),
  );
  return [...codes].filter((code) => {
    const known = operatorByCode(code);
    return !known || (known.name === null && !code.endsWith('*'));
  });
}

interface PriceList {
  listed: ListedPrice[];
  rejected: { row: number; reason: PriceListReason }[];
}

async function readPriceList(book: Book): Promise<PriceList> {
  const rows: SheetRow[] = [];
  for await (const row of book.rows(0)) {
    if (rows.length >= MAX_ROWS)
      throw new AppError('too_large', `The file has more than ${MAX_ROWS} rows. Split it.`, {
        payload: { max: MAX_ROWS },
      });
    rows.push(row);
  }
  const head = rows.slice(0, HEAD_ROWS).findIndex(({ cells }) => isHeader(cells));
  if (head < 0)
    throw unreadable('The column of the price was not found. Name the columns in the first row.', {
      found: rows[0]?.cells.slice(0, 100).map((cell) => cell.slice(0, 100)) ?? [],
      recognised: PRICE_LIST_FIELDS,
    });
  const columns = columnsOf(rows[head]!.cells);
  const below = rows.slice(head + 1);
  const cellOf = ({ cells }: SheetRow, field: PriceListField) => {
    const at = columns[field];
    return at === undefined ? '' : (cells[at] ?? '');
  };
  const priced = ['price', 'perSecond'] as const;
  const mark = decimalMarkOf(below.flatMap((row) => priced.map((field) => cellOf(row, field))));
  const computed = [...priced, ...INTERVALS].flatMap((field) => columns[field] ?? []);
  const parsed = below.map((row) => {
    // The value of a formula is that of the last time when the file was saved.
    if (row.formulas?.some((column) => computed.includes(column)))
      return { n: row.n, row: 'price' as const };
    const cells = Object.fromEntries(
      PRICE_LIST_FIELDS.map((field) => [field, cellOf(row, field)]),
    ) as Record<PriceListField, string>;
    return { n: row.n, row: parsePriceRow(row.n, cells, mark) };
  });
  const read = parsed.flatMap(({ row }) => (typeof row === 'string' ? [] : row));
  const repeated = repeatedRows(read);
  return {
    listed: read.filter((row) => !repeated.has(row)),
    rejected: parsed.flatMap(({ n, row }) =>
      typeof row === 'string'
        ? { row: n, reason: row }
        : repeated.has(row)
          ? { row: n, reason: 'repeated' as const }
          : [],
    ),
  };
}

/** The first column of each field. */
function columnsOf(cells: readonly string[]): Columns {
  const columns: Columns = {};
  for (const [at, cell] of cells.entries()) {
    const field = priceListField(cell);
    if (field) columns[field] ??= at;
  }
  return columns;
}

/** A price, and what it is for. */
function isHeader(cells: readonly string[]): boolean {
  const columns = columnsOf(cells);
  const isPriced = columns.price !== undefined || columns.perSecond !== undefined;
  return isPriced && Object.keys(columns).length > 1;
}
