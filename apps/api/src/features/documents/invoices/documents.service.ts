import { Injectable } from '@nestjs/common';
import { systemScope } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
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
    // Before the transaction, whose connection would be idle meanwhile.
    const pdf = await makePdf(found.snapshot);
    return this.db.transaction(async () => {
      const row = await this.store.lock(systemScope, id);
      if (await this.isStored(row)) return row.DocumentId;
      // The owner deleted the file. Its contents are removed after that, so their id is not used again.
      const DocumentId = row.madeAt ? uuidv7() : row.DocumentId;
      await this.storage.saveBytes(row.OwnerId, pdf, {
        id: DocumentId,
        filename: filenameOf(row),
        ignoresQuota: true,
      });
      await this.store.update(systemScope, id, { DocumentId, madeAt: this.clock.now() });
      this.events.changed('invoices', 'updated', row.OwnerId, id);
      return DocumentId;
    });
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
        this.log.error({ err: error, invoice: id }, 'a document could not be made');
        await this.store.postpone(id, this.clock.now());
      });
    return ids.length === BATCH_SIZE;
  }
}

const NAMES = { invoice: 'Счёт', act: 'Акт' } as const;

/** `Счёт 2026-00001.pdf` */
export const filenameOf = ({ type, docNumber }: Invoice): string =>
  `${NAMES[type]} ${docNumber}.pdf`;
