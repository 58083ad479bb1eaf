import type { DateOrder } from '@heliograph/domain';
import { AppError } from '../../../core/errors.ts';
import { empty, sheetOf } from './choose-sheet.ts';
import {
  columnsOf,
  HEAD_ROWS,
  headerOf,
  ownWidth,
  passedOver,
  type FieldTitles,
  type Mapping,
} from './columns.ts';
import { DateOrders } from './date-orders.ts';
import { contactOf, type Droppable, type Reader } from './contact-row.ts';
import { line } from './import.store.ts';
import { openBook } from '../../../core/sheets/open-book.ts';
import type { RejectedFile } from './rejected-file.ts';
import type { Book, Rows, SheetRow } from '../../../core/sheets/sheet.ts';

/** Interval of progress events. */
const PROGRESS_MS = 250;
const MAX_ROWS = 1_000_000;
/** Characters of one COPY chunk. */
const CHUNK_LENGTH = 64 * 1024;

interface ReadingInput {
  sheet?: string;
  mapping: Mapping;
  titles: FieldTitles;
  types: Reader['types'];
  /** What several phones of a cell become. */
  phones: 'first' | 'each';
  /** Whose plan phones without a calling code are of. */
  country: string;
  rejected: RejectedFile;
  /** Called periodically with the numbers of read and remaining rows. */
  report: (done: number, left: number) => void;
}

/** One pass over a file: the lines for COPY and the statistics of the report. */
export class Reading {
  sheet: string | null = null;
  passedOver: string[] = [];
  /** Number of accepted rows; of one with several phones, of its contacts. */
  taken = 0;
  private readonly dropped: Partial<Record<Droppable, number>> = {};
  /** Rows whose cell of phones holds several. */
  several = 0;
  /** Rows that a filter or a person hid in the sheet; they are read like others. */
  hidden = 0;
  private readonly dates = new DateOrders();
  /** Phones without a calling code, by assumed country. */
  readonly assumed = new Map<string, number>();

  constructor(
    private readonly path: string,
    private readonly input: ReadingInput,
  ) {}

  get dateOrder(): DateOrder | null {
    return this.dates.decide(this.input.country);
  }

  /** Of dates in the order of the column, and of other fields. */
  get droppedCells(): Partial<Record<Droppable, number>> {
    return { ...this.dropped, ...this.dates.invalidIn(this.dateOrder ?? 'day') };
  }

  async *lines(): AsyncGenerator<string, void, void> {
    const book = await openBook(this.path);
    try {
      const { place, name } = await sheetOf(book, this.input.sheet);
      this.sheet = name;
      const rows = book.rows(place);
      try {
        yield* this.linesOf(book, rows);
      } finally {
        await rows.return();
      }
    } finally {
      book.close();
    }
  }

  private async *linesOf(book: Book, rows: Rows): AsyncGenerator<string, void, void> {
    const { mapping, titles, types, phones, country, rejected, report } = this.input;
    const head: SheetRow[] = [];
    while (head.length < HEAD_ROWS) {
      const { value: row } = await rows.next();
      if (!row) break;
      head.push(row);
    }
    if (!head.length) throw empty();
    const columns = columnsOf(
      head.map(({ cells }) => cells),
      mapping,
      titles,
    );
    this.passedOver = passedOver(columns);
    const width = ownWidth(columns.header);
    rejected.begin(headerOf(columns).slice(0, width), book.delimiter);
    const reader: Reader = {
      country,
      drop: (field) => {
        this.dropped[field] = (this.dropped[field] ?? 0) + 1;
      },
      dateOf: (text, field) => this.dates.add(text, field),
      types,
      assume: (of) => {
        this.assumed.set(of, (this.assumed.get(of) ?? 0) + 1);
      },
    };
    let count = 0;
    let chunk = '';
    let reportedAt = Date.now();
    const take = ({ n, cells: all, isHidden }: SheetRow): Promise<void> | undefined => {
      if (++count > MAX_ROWS)
        throw new AppError('too_large', `The file has more than ${MAX_ROWS} rows. Split it.`, {
          payload: { max: MAX_ROWS },
        });
      const cells = width < all.length ? all.slice(0, width) : all;
      const contact = contactOf(cells, columns, reader);
      if (typeof contact === 'string') return rejected.add({ n, cells }, contact);
      this.taken++;
      if (isHidden) this.hidden++;
      if (contact.further.length) this.several++;
      chunk += line(n, contact);
      if (phones === 'first') return;
      for (const phone of contact.further) chunk += line(n, { ...contact, phone });
      this.taken += contact.further.length;
    };
    for (const row of head.slice(columns.above)) await take(row);
    for await (const row of rows) {
      const adding = take(row);
      if (adding) await adding;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
      if (Date.now() - reportedAt < PROGRESS_MS) continue;
      reportedAt = Date.now();
      report(count, Math.round(count / Math.max(book.ratio(), 0.001)) - count);
    }
    if (!count) throw empty();
    if (chunk) yield chunk;
    report(count, 0);
  }
}
