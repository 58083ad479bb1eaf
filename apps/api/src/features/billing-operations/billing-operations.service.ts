import { Injectable } from '@nestjs/common';
import type { BillingOperation, billingOperations, OperationFile } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { ownScope, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { SheetFilesService } from '../storage/sheet-files.service.ts';
import { OtherTasksService } from '../tasks/other-tasks.service.ts';
import { Assessment } from './assess-rows.ts';
import { BillingOperationsStore, presentOperation } from './billing-operations.store.ts';
import { describeFile, sheetOf } from './operation-file.ts';
import { OperationRowsStore } from './operation-rows.store.ts';
import { readOperations } from './read-operations.ts';

type Input = In<typeof billingOperations.create>['body'];

const DAY_MS = 86_400_000;
/** A preview that is not started is deleted after this time: its balances are those of its day. */
const PREVIEW_DAYS = 1;
const TITLE_LENGTH = 100;

/** Previews and starts of bulk operations. Nothing but `OperationWorker` changes balances. */
@Injectable()
export class BillingOperationsService {
  constructor(
    private readonly db: Db,
    private readonly store: BillingOperationsStore,
    private readonly rows: OperationRowsStore,
    private readonly files: SheetFilesService,
    private readonly settings: SettingsService,
    private readonly tasks: OtherTasksService,
    private readonly audit: Audit,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly shutdown: Shutdown,
  ) {}

  /** The columns of a file and its first rows. */
  async columns(
    actor: Actor,
    { from, sheet }: Pick<Input, 'from' | 'sheet'>,
  ): Promise<OperationFile> {
    await this.settings.requireOperations(actor.OwnerId);
    return this.files.withBook(actor, from.key, (book) => describeFile(book, sheet));
  }

  /** Reads a file and stores its rows with what is wrong with them. No balance changes. */
  async preview(actor: Actor, { from, sheet, ...mapping }: Input): Promise<BillingOperation> {
    await this.settings.requireOperations(actor.OwnerId);
    const id = uuidv7(this.clock.now());
    await this.files.withBook(actor, from.key, (book, file) =>
      this.db.transaction(() =>
        this.db.cancelledBy(this.shutdown.interrupt, async () => {
          await this.db.setStatementTimeout(this.config.DATABASE_JOB_SECONDS);
          const { place, name } = sheetOf(book, sheet);
          const { OwnerId, userId: UserId } = actor;
          await this.store.create({ id, OwnerId, UserId, sheet: name, ...file });
          const assessment = new Assessment(OwnerId, (names) =>
            this.rows.accounts(actor.scope, names),
          );
          for await (const chunk of readOperations(book, place, mapping))
            await this.rows.add(id, await assessment.assess(chunk));
          const { rows, ready, repeated, reasons, sums } = assessment;
          await this.store.summarise(id, { rows, ready, repeated, reasons, sums });
          await this.store.deletePreviews(OwnerId);
        }),
      ),
    );
    return this.get(actor, id);
  }

  async get(actor: Actor, id: string): Promise<BillingOperation> {
    const row = await this.store.get(actor.scope, id);
    return presentOperation(row, await this.store.previous(row));
  }

  /** Starts the rows of a preview as a task, once: a repeated call changes nothing. */
  async run(
    actor: Actor,
    id: string,
    { hash, locale = 'en' }: In<typeof billingOperations.run>['body'],
  ): Promise<BillingOperation> {
    await this.settings.requireOperations(actor.OwnerId);
    await this.db.transaction(async () => {
      const operation = await this.store.lock(ownScope(actor.OwnerId), id);
      const { filename, rows, ready, sums, state } = operation;
      if (operation.hash !== hash) throw new AppError('conflict', 'The preview is of another file');
      if (state !== 'previewed') return;
      if (!ready) throw new AppError('conflict', 'No row of the file can be entered');
      await this.store.start(id, actor.userId, locale, this.clock.now());
      await this.tasks.open({
        id,
        OwnerId: actor.OwnerId,
        userId: actor.userId,
        type: 'billings:operations',
        title: filename.slice(0, TITLE_LENGTH),
        data: { operations: { filename, rows: ready, ReportId: null } },
        expected: ready,
      });
      const after = { filename, rows, ready, sums };
      await this.audit.record({ target: ['billingOperations', id], after });
      this.jobs.enqueue('billings.operate', {});
    });
    return this.get(actor, id);
  }

  @Sweeps(60_000)
  deleteOldPreviews(): Promise<boolean> {
    return this.store.deleteOlder(new Date(this.clock.now().getTime() - PREVIEW_DAYS * DAY_MS));
  }
}
