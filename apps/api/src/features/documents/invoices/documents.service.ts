import { Injectable } from '@nestjs/common';
import { systemScope } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db, isUnavailable } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { StorageService } from '../../storage/storage.service.ts';
import { makePdf } from '../pdf/make-pdf.ts';
import type { Invoice } from './invoice.entity.ts';
import { InvoicesStore } from './invoices.store.ts';

/** A process that issues an invoice makes its document within this time, or was stopped. */
const MAKING_MS = 15_000;
const BATCH_SIZE = 10;

/** The files of invoices and acts. A file is made from the stored facts alone, so it can be made again at any time. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly db: Db,
    private readonly store: InvoicesStore,
    private readonly storage: StorageService,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The id of the stored document, which is made if there is none. */
  async ensure(id: string): Promise<string> {
    const found = await this.store.get(systemScope, id);
    if (await this.isStored(found)) return found.DocumentId;
    // Before the transaction, which would keep a connection while the document is made and a bucket takes it.
    const pdf = await makePdf(found.snapshot);
    const filename = filenameOf(found);
    const file = await this.storage.storeBytes(found.OwnerId, pdf, {
      filename,
      ignoresQuota: true,
    });
    let isUsed = false;
    try {
      return await this.db.transaction(async () => {
        const row = await this.store.lock(systemScope, id);
        isUsed = !(await this.isStored(row));
        if (!isUsed) return row.DocumentId;
        // The id of a file that the owner has deleted is not used again.
        const DocumentId = row.madeAt ? uuidv7() : row.DocumentId;
        const document = { ...file, id: DocumentId, permission: 'invoices.get' } as const;
        await this.storage.addGenerated(document, { ignoresQuota: true });
        await this.store.update(systemScope, id, { DocumentId, madeAt: this.clock.now() });
        this.events.changed('invoices', 'updated', row.OwnerId, id);
        return DocumentId;
      });
    } finally {
      // What another process has stored meanwhile counts. After a failure a sweep removes the contents: the row may be committed.
      if (!isUsed) await this.storage.discardGenerated(file.contentsId!);
    }
  }

  /** As `ensure`, of an issued invoice, which must not be issued again because its document failed: a sweep makes that. */
  async tryEnsure(id: string): Promise<void> {
    await this.ensure(id).catch((error: unknown) => this.logFailure(id, error));
  }

  private async isStored(row: Invoice): Promise<boolean> {
    return row.madeAt !== null && (await this.store.hasFile(row));
  }

  pdf({ snapshot }: Invoice): Promise<Buffer> {
    return makePdf(snapshot);
  }

  /** Makes the documents that a stopped process left out. One that fails does not keep the others waiting. */
  @Sweeps(5000)
  async makeMissing(): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - MAKING_MS);
    const ids = await this.store.unmade(before, BATCH_SIZE);
    for (const id of ids)
      await this.ensure(id).catch(async (error: unknown) => {
        if (isUnavailable(error)) throw error;
        this.logFailure(id, error);
        await this.store.postpone(id, this.clock.now());
      });
    return ids.length === BATCH_SIZE;
  }

  private logFailure(id: string, error: unknown): void {
    this.log.error({ err: error, invoice: id }, 'a document could not be made');
  }
}

const NAMES = { invoice: 'Счёт', act: 'Акт' } as const;

/** `Счёт 2026-00001.pdf` */
export const filenameOf = ({ type, docNumber }: Invoice): string =>
  `${NAMES[type]} ${docNumber}.pdf`;
