import { Injectable } from '@nestjs/common';
import {
  SHEET_NAME_LENGTH,
  type ContactPreview,
  type contacts,
  type ImportProgress,
  type ImportReport,
} from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { AccountSemaphore, type SemaphoreLimits } from '../../../core/account-semaphore.ts';
import { Config } from '../../../core/config.ts';
import { Db, isRetryable } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { Rooms } from '../../../core/events/rooms.ts';
import { Files } from '../../../core/files/files.ts';
import { Log } from '../../../core/log.ts';
import { Notifications } from '../../../core/notifications.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { ContactListsService } from '../../contact-lists/contact-lists.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { StorageService } from '../../storage/storage.service.ts';
import {
  columnsOf,
  guessOf,
  HEAD_ROWS,
  headerOf,
  holdsRecipients,
  ownWidth,
  passedOver,
  type Mapping,
} from './columns.ts';
import { contactOf, type Droppable, type Reader } from './contact-row.ts';
import { ImportStore, line } from './import.store.ts';
import { filledRows, openBook } from './open-book.ts';
import { RejectedFile } from './rejected-file.ts';
import { unreadable, type Book, type Rows, type SheetRow } from './sheet.ts';

type Input = In<typeof contacts.import>['body'];

/** Rows below the header in the preview. */
const PREVIEW_ROWS = 5;
/** Sheets, and rows of each including blank ones, that are searched for a table with recipients. */
const MAX_SEARCHED_SHEETS = 50;
const MAX_SEARCHED_ROWS = 1000;
/** Interval of progress events. */
const PROGRESS_MS = 250;
const MAX_ROWS = 1_000_000;
/** Characters of one COPY chunk. */
const CHUNK_LENGTH = 64 * 1024;
/** Small, because with an idempotency key waiting requests hold a database connection as well. */
const IMPORT_LIMITS: SemaphoreLimits = {
  running: 2,
  runningOfAccount: 2,
  held: 6,
  heldOfAccount: 2,
};
const RETRY_SECONDS = 10;

function busy(): AppError {
  return new AppError('rate_limited', 'Other imports are in progress. Try again later.', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    payload: { expires_at: new Date(Date.now() + RETRY_SECONDS * 1000).toISOString() },
  });
}

@Injectable()
export class ImportService {
  /** An import holds a connection while it reads the file, and both hold the strings of a workbook in memory. */
  private readonly imports = new AccountSemaphore(IMPORT_LIMITS, busy);
  private readonly previews = new AccountSemaphore(IMPORT_LIMITS, busy);

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly store: ImportStore,
    private readonly lists: ContactListsService,
    private readonly settings: SettingsService,
    private readonly storage: StorageService,
    private readonly files: Files,
    private readonly events: Events,
    private readonly rooms: Rooms,
    private readonly notifications: Notifications,
    private readonly shutdown: Shutdown,
    private readonly log: Log,
  ) {}

  /** Imports a spreadsheet into a list, all or nothing. */
  run(actor: Actor, input: Input): Promise<ImportReport> {
    return this.imports.run(actor.OwnerId, () =>
      this.import(actor, input).catch((error: unknown) => {
        throw this.shutdown.interrupt.aborted && !(error instanceof AppError)
          ? restarting()
          : error;
      }),
    );
  }

  private async import(
    actor: Actor,
    { ListId, from, sheet, existing, ...mapping }: Input,
  ): Promise<ImportReport> {
    const { OwnerId, title } = await this.lists.get(actor.scope, ListId);
    const country = await this.settings.countryOf(OwnerId);
    const file = await this.storage.open(actor.scope, from.key);
    const failed = (error: unknown) =>
      this.notifyFailure(error, OwnerId, { ListId, title, file: file.title });
    const folder = await this.files.incoming();
    const interruptible = (work: () => Promise<ImportReport>) =>
      this.db.transaction(() => this.db.cancelledBy(this.shutdown.interrupt, work));
    const work = async () => {
      await this.db.setStatementTimeout(this.config.DATABASE_JOB_SECONDS);
      const rejected = new RejectedFile(folder);
      const report = (done: number, left: number) =>
        this.rooms.emit([Rooms.session(actor.sessionId)], 'contacts.importing', {
          ListId,
          key: from.key,
          done,
          left,
        } satisfies ImportProgress);
      const reading = new Reading(file.path, { sheet, mapping, country, rejected, report });
      try {
        await this.store.stage(reading.lines());
        await rejected.end();
        // Locked after reading, which may take long.
        const list = await this.lists.lock(actor.scope, ListId);
        const { created, updated, skipped } = await this.store.merge(ListId, existing);
        if (created + updated) await this.lists.counted(list, created);
        if (created) this.events.counted('contacts', 'created', list.OwnerId, ListId, created);
        if (updated) this.events.counted('contacts', 'updated', list.OwnerId, ListId, updated);
        await this.notifications.notify(list.OwnerId, 'ContactsImported', {
          ListId,
          title: list.title,
          created,
          updated,
          rejected: rejected.count || null,
        });
        return {
          total: created + updated,
          created,
          updated,
          skipped,
          repeated: reading.taken - created - updated - skipped,
          rejected: rejected.count,
          rejectedFileId: await this.saveRejected(list.OwnerId, rejected, file.title),
          reasons: rejected.reasons,
          dropped: reading.dropped,
          assumed: [...reading.assumed].map(([of, count]) => ({ country: of, count })),
          passedOver: reading.passedOver,
          sheet: reading.sheet,
        };
      } finally {
        await rejected.dispose();
      }
    };
    try {
      return await interruptible(work);
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  /** Notifies of a failed import, since the user may have closed the page. A repeated transaction has not failed. */
  private notifyFailure(error: unknown, OwnerId: string, data: Record<string, unknown>): void {
    if (isRetryable(error)) return;
    const code = error instanceof AppError ? error.code : null;
    const reason = code ?? (this.shutdown.interrupt.aborted ? 'unavailable' : 'internal');
    this.db.afterFailure(() => {
      this.notifications
        .notify(OwnerId, 'ContactsImportFailed', { ...data, reason })
        .catch((failure: unknown) =>
          this.log.error({ err: failure }, 'failed to notify of an import'),
        );
    });
  }

  /** Guessed columns and the first rows of a file. */
  async preview(
    actor: Actor,
    { from, sheet }: Pick<Input, 'from' | 'sheet'>,
  ): Promise<ContactPreview> {
    const file = await this.storage.open(actor.scope, from.key);
    return this.previews.run(actor.OwnerId, async () => {
      const book = await openBook(file.path);
      try {
        const chosen = await sheetOf(book, sheet);
        const head = await firstRows(book, chosen.place, HEAD_ROWS + PREVIEW_ROWS);
        if (!head.length && !sheet) throw empty();
        return {
          ...guessOf(head, PREVIEW_ROWS),
          sheets: book.sheets.map(shortName),
          sheet: chosen.name,
        };
      } finally {
        book.close();
      }
    });
  }

  private async saveRejected(
    OwnerId: string,
    rejected: RejectedFile,
    title: string,
  ): Promise<string | null> {
    if (!rejected.count) return null;
    const filename = `${title.replace(/( - rejected)?\.\w+$/, '').slice(0, 150)} - rejected.csv`;
    const { id } = await this.storage.save(OwnerId, { path: rejected.path, filename });
    return id;
  }
}

/** An import that was interrupted by the shutdown of the process. */
const restarting = () =>
  new AppError(
    'unavailable',
    'The server is restarting and nothing was imported. Import the file again.',
    {
      headers: { 'retry-after': '5' },
    },
  );

const empty = () => unreadable('The file has no contacts');

const shortName = (name: string) => name.slice(0, SHEET_NAME_LENGTH);

/** The sheet of this name, or the first one with recipients, or the first one that is not empty. */
async function sheetOf(
  book: Book,
  wanted?: string,
): Promise<{ place: number; name: string | null }> {
  const names = book.sheets.map(shortName);
  const chosen = (place: number) => ({ place, name: names[place] ?? null });
  if (wanted !== undefined) {
    const place = names.indexOf(wanted);
    if (place < 0) throw invalid('sheet', 'unknown', 'The file has no sheet with this name.');
    return chosen(place);
  }
  if (names.length < 2) return chosen(0);
  let filled: number | undefined;
  for (let place = 0; place < Math.min(names.length, MAX_SEARCHED_SHEETS); place++) {
    const head = await firstRows(book, place, HEAD_ROWS + 1);
    if (holdsRecipients(head)) return chosen(place);
    if (head.length) filled ??= place;
  }
  return chosen(filled ?? 0);
}

/** The first rows of a sheet that are not blank. */
async function firstRows(book: Book, sheet: number, limit: number): Promise<string[][]> {
  const first: string[][] = [];
  // Reads all requested rows, since a reader process would still write the rest.
  for await (const { cells } of filledRows(book, sheet, MAX_SEARCHED_ROWS)) {
    if (first.length < limit) first.push(cells);
  }
  return first;
}

interface ReadingInput {
  sheet?: string;
  mapping: Mapping;
  /** Whose plan phones without a calling code are of. */
  country: string;
  rejected: RejectedFile;
  /** Called periodically with the numbers of read and remaining rows. */
  report: (done: number, left: number) => void;
}

/** One pass over a file: the lines for COPY and the statistics of the report. */
class Reading {
  sheet: string | null = null;
  passedOver: string[] = [];
  /** Number of accepted rows. */
  taken = 0;
  readonly dropped: Partial<Record<Droppable, number>> = {};
  /** Phones without a calling code, by assumed country. */
  readonly assumed = new Map<string, number>();

  constructor(
    private readonly path: string,
    private readonly input: ReadingInput,
  ) {}

  async *lines(): AsyncGenerator<string, void, void> {
    const book = await openBook(this.path);
    try {
      const { place, name } = await sheetOf(book, this.input.sheet);
      this.sheet = name;
      const rows = filledRows(book, place);
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
    const { mapping, country, rejected, report } = this.input;
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
    );
    this.passedOver = passedOver(columns);
    const width = ownWidth(columns.header);
    rejected.begin(headerOf(columns).slice(0, width), book.delimiter);
    const reader: Reader = {
      country,
      drop: (field) => {
        this.dropped[field] = (this.dropped[field] ?? 0) + 1;
      },
      assume: (of) => {
        this.assumed.set(of, (this.assumed.get(of) ?? 0) + 1);
      },
    };
    let count = 0;
    let chunk = '';
    let reportedAt = Date.now();
    const take = ({ n, cells: all }: SheetRow): Promise<void> | undefined => {
      if (++count > MAX_ROWS)
        throw new AppError('too_large', `The file has more than ${MAX_ROWS} rows. Split it.`, {
          payload: { max: MAX_ROWS },
        });
      const cells = width < all.length ? all.slice(0, width) : all;
      const contact = contactOf(cells, columns, reader);
      if (typeof contact === 'string') return rejected.add({ n, cells }, contact);
      this.taken++;
      chunk += line(n, contact);
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
