import { Injectable } from '@nestjs/common';
import {
  type ContactPreview,
  type contacts,
  type FileRecipients,
  type ImportProgress,
  type ImportReport,
} from '@heliograph/contract';
import type { Actor } from '../../../core/auth/actor.ts';
import { AccountSemaphore, type SemaphoreLimits } from '../../../core/account-semaphore.ts';
import { Config } from '../../../core/config.ts';
import { Db, isRetryable, isUnavailable } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { Rooms } from '../../../core/events/rooms.ts';
import { Files } from '../../../core/files/files.ts';
import { Log } from '../../../core/log.ts';
import { Notifications } from '../../../core/notifications.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { ContactFieldsService } from '../contact-fields.service.ts';
import { ContactListsService } from '../../contact-lists/contact-lists.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { empty, firstRows, sheetOf } from './choose-sheet.ts';
import { guessOf } from './columns.ts';
import { ImportStore } from './import.store.ts';
import { openBook } from '../../../core/sheets/open-book.ts';
import { sheetNames } from '../../../core/sheets/sheet-names.ts';
import { Reading } from './reading.ts';
import { recipientsOf } from './recipients.ts';
import { RejectedFile } from './rejected-file.ts';

type Input = In<typeof contacts.import>['body'];

/** Rows below the header in the preview. */
const PREVIEW_ROWS = 5;
/** Rows from which the preview knows the order of dates. */
const SAMPLE_ROWS = 1000;
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
    private readonly fields: ContactFieldsService,
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
    { ListId, from, sheet, existing, phones, ...mapping }: Input,
  ): Promise<ImportReport> {
    const { OwnerId, title } = await this.lists.get(actor.scope, ListId);
    const country = await this.settings.countryOf(OwnerId);
    const titles = await this.fields.titlesOf(OwnerId);
    const types = await this.fields.typesOf(OwnerId);
    const file = await this.storage.get(actor, from.key);
    const failed = (error: unknown) =>
      this.notifyFailure(error, OwnerId, { ListId, title, file: file.title });
    const folder = await this.files.incoming();
    const interruptible = (work: () => Promise<ImportReport>) =>
      this.db.transaction(() => this.db.cancelledBy(this.shutdown.interrupt, work));
    const work = async (path: string) => {
      await this.db.setStatementTimeout(this.config.DATABASE_JOB_SECONDS);
      const rejected = new RejectedFile(folder);
      const report = (done: number, left: number) =>
        this.rooms.emit([Rooms.session(actor.sessionId)], 'contacts.importing', {
          ListId,
          key: from.key,
          done,
          left,
        } satisfies ImportProgress);
      const reading = new Reading(path, {
        sheet,
        mapping,
        titles,
        types,
        phones,
        country,
        rejected,
        report,
      });
      try {
        await this.store.stage(reading.lines());
        await rejected.end();
        // Locked after reading, which may take long.
        const list = await this.lists.lock(actor.scope, ListId);
        const { created, updated, skipped } = await this.store.merge(
          ListId,
          existing,
          reading.dateOrder ?? 'day',
        );
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
          dropped: reading.droppedCells,
          dateOrder: reading.dateOrder,
          several: reading.several,
          hidden: reading.hidden,
          assumed: [...reading.assumed].map(([of, count]) => ({ country: of, count })),
          passedOver: reading.passedOver,
          sheet: reading.sheet,
        };
      } finally {
        await rejected.dispose();
      }
    };
    try {
      return await this.storage.withLocal(file, (path) => interruptible(() => work(path)));
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  /** Notifies of a failed import, since the user may have closed the page. A repeated transaction has not failed. */
  private notifyFailure(error: unknown, OwnerId: string, data: Record<string, unknown>): void {
    if (isRetryable(error)) return;
    const code = error instanceof AppError ? error.code : null;
    const isForLater = this.shutdown.interrupt.aborted || isUnavailable(error);
    const reason = code ?? (isForLater ? 'unavailable' : 'internal');
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
    const file = await this.storage.get(actor, from.key);
    const country = await this.settings.countryOf(actor.OwnerId);
    const titles = await this.fields.titlesOf(actor.OwnerId);
    const types = await this.fields.typesOf(actor.OwnerId);
    const preview = async (path: string) => {
      const book = await openBook(path);
      try {
        const chosen = await sheetOf(book, sheet);
        const head = await firstRows(book, chosen.place, SAMPLE_ROWS);
        if (!head.length && !sheet) throw empty();
        return {
          ...guessOf(head, PREVIEW_ROWS, country, titles, types),
          sheets: sheetNames(book),
          sheet: chosen.name,
        };
      } finally {
        book.close();
      }
    };
    return this.previews.run(actor.OwnerId, () => this.storage.withLocal(file, preview));
  }

  /** The recipients of a file, for a task or for opt-outs. */
  async recipients(
    actor: Actor,
    { from, sheet, phones }: In<typeof contacts.recipients>['body'],
  ): Promise<FileRecipients> {
    const file = await this.storage.get(actor, from.key);
    const country = await this.settings.countryOf(actor.OwnerId);
    const read = async (path: string) => {
      const book = await openBook(path);
      try {
        return await recipientsOf(book, { sheet, phones, country });
      } finally {
        book.close();
      }
    };
    return this.previews.run(actor.OwnerId, () => this.storage.withLocal(file, read));
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
