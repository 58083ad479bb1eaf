import { Injectable } from '@nestjs/common';
import type { ContactPreview, contacts, ImportReport } from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { AccountSemaphore, type SemaphoreLimits } from '../../../core/account-semaphore.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { Files } from '../../../core/files/files.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { ContactListsService } from '../../contact-lists/contact-lists.service.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { columnsOf, guessOf, headerOf, ownWidth, type Columns, type Mapping } from './columns.ts';
import { contactOf } from './contact-row.ts';
import { ImportStore, line } from './import.store.ts';
import { openSheet } from './open-sheet.ts';
import { RejectedFile } from './rejected-file.ts';
import { unreadable } from './sheet.ts';

type Input = In<typeof contacts.import>['body'];

/** Shown before an import, below the header. */
const PREVIEW_ROWS = 5;
const MAX_ROWS = 1_000_000;
/** Characters that go to the database at a time. */
const PIECE = 64 * 1024;
/** With an idempotency key whoever waits holds a connection as well, as whoever runs does. */
const FILES_AT_A_TIME: SemaphoreLimits = {
  running: 2,
  runningOfAccount: 2,
  held: 6,
  heldOfAccount: 2,
};
const RETRY_SECONDS = 10;

function busy(): AppError {
  return new AppError('rate_limited', 'Other files are being read, try again in a moment', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    payload: { expires_at: new Date(Date.now() + RETRY_SECONDS * 1000).toISOString() },
  });
}

@Injectable()
export class ImportService {
  /** An import holds a connection for as long as its file takes, and either may hold the strings of a workbook. */
  private readonly imports = new AccountSemaphore(FILES_AT_A_TIME, busy);
  private readonly previews = new AccountSemaphore(FILES_AT_A_TIME, busy);

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly store: ImportStore,
    private readonly lists: ContactListsService,
    private readonly storage: StorageService,
    private readonly files: Files,
    private readonly events: Events,
    private readonly shutdown: Shutdown,
  ) {}

  /** A spreadsheet into a list. All or nothing: a file that cannot be read to its end changes nothing. */
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
    { ListId, from, existing, ...mapping }: Input,
  ): Promise<ImportReport> {
    await this.lists.require(actor.reach, [ListId]);
    const file = await this.storage.open(actor.reach, from.key);
    const folder = await this.files.incoming();
    const interruptible = (work: () => Promise<ImportReport>) =>
      this.db.transaction(() => this.db.cancelledBy(this.shutdown.interrupt, work));
    return interruptible(async () => {
      await this.db.allow(this.config.DATABASE_JOB_SECONDS);
      const rejected = new RejectedFile(folder);
      try {
        await this.store.stage(read(file.path, mapping, rejected));
        await rejected.end();
        // Only now: reading may take a while, and others may write to the list meanwhile.
        const list = await this.lists.lock(actor.reach, ListId);
        const { created, updated, skipped } = await this.store.merge(ListId, existing);
        if (created + updated) await this.lists.counted(list, created);
        if (created) this.events.counted('contacts', 'created', list.OwnerId, ListId, created);
        if (updated) this.events.counted('contacts', 'updated', list.OwnerId, ListId, updated);
        return {
          total: created + updated,
          created,
          updated,
          skipped,
          rejected: rejected.count,
          rejectedFileId: await this.keep(list.OwnerId, rejected, file.title),
          reasons: rejected.reasons,
        };
      } finally {
        await rejected.dispose();
      }
    });
  }

  /** What the columns of a file are taken for, and its first rows; nothing is refused that can be put right by hand. */
  async preview(actor: Actor, { from }: Pick<Input, 'from'>): Promise<ContactPreview> {
    const file = await this.storage.open(actor.reach, from.key);
    const first = await this.previews.run(actor.OwnerId, () => firstRows(file.path));
    if (!first.length) throw unreadable('The file has no rows with contacts');
    return guessOf(first);
  }

  private async keep(
    OwnerId: string,
    rejected: RejectedFile,
    title: string,
  ): Promise<string | null> {
    if (!rejected.count) return null;
    const filename = `${title.replace(/( - rejected)?\.\w+$/, '').slice(0, 150)} - rejected.csv`;
    const { id } = await this.storage.keep(OwnerId, { path: rejected.path, filename });
    return id;
  }
}

/** A process that ends cannot read a long file to its end; nothing of it has been taken. */
const restarting = () =>
  new AppError('unavailable', 'The server restarts. Nothing was imported: import the file again.', {
    headers: { 'retry-after': '5' },
  });

/** The first rows of a file that are not blank. */
async function firstRows(path: string): Promise<string[][]> {
  const { rows } = await openSheet(path);
  const first: string[][] = [];
  for await (const { cells } of rows) {
    if (cells.some((cell) => cell.trim())) first.push(cells);
    if (first.length > PREVIEW_ROWS) break;
  }
  return first;
}

/** Lines for the database; what is no contact goes to `rejected`. */
async function* read(
  path: string,
  mapping: Mapping,
  rejected: RejectedFile,
): AsyncGenerator<string, void, void> {
  const { rows, delimiter } = await openSheet(path);
  let columns: Columns | undefined;
  let width = Infinity;
  let count = 0;
  let piece = '';
  for await (const { n, cells: all } of rows) {
    if (all.every((cell) => !cell.trim())) continue;
    if (!columns) {
      columns = columnsOf(all, mapping);
      width = ownWidth(columns.header);
      rejected.begin(headerOf(columns).slice(0, width), delimiter);
      if (columns.header) continue;
    }
    if (++count > MAX_ROWS)
      throw new AppError('too_large', `At most ${MAX_ROWS} rows at a time. Split the file`, {
        payload: { max: MAX_ROWS },
      });
    const cells = width < all.length ? all.slice(0, width) : all;
    const contact = contactOf(cells, columns.fields);
    if (typeof contact === 'string') {
      await rejected.add({ n, cells }, contact);
      continue;
    }
    piece += line(n, contact);
    if (piece.length > PIECE) {
      yield piece;
      piece = '';
    }
  }
  if (!count) throw unreadable('The file has no rows with contacts');
  if (piece) yield piece;
}
