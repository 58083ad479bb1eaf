import { Injectable } from '@nestjs/common';
import { can, canAll, MAX_COMPARED_MESSAGES, priceRuleNeeds } from '@heliograph/contract';
import { rightsOf, type AccessScope } from '../../../core/auth/actor.ts';
import { Owners } from '../../../core/auth/owners.ts';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db, isUnavailable } from '../../../core/db/db.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { Slices } from '../../../core/slices.ts';
import { uuidFloor } from '../../../core/uuid.ts';
import { setterOf } from '../../tariffs/catalogue.service.ts';
import { TariffsService } from '../../tariffs/tariffs.service.ts';
import { addGroup, type ComparisonSums } from './comparison-page.ts';
import { ComparisonsStore, type Comparison } from './comparisons.store.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 24 * HOUR_MS;
const DELETED_AT_ONCE = 100;

/**
 * Prices messages by two tariffs, in workers. A page of messages, its sums and where it ended are one transaction, so that none is
 * counted twice or left out, whenever a worker ends.
 */
@Injectable()
export class ComparisonWorker {
  /** Messages of a page, fewer where their texts are read; accounts of a transaction, which ends after the page of its last millisecond. */
  readonly sizes = { messages: 20_000, texts: 2000, accounts: 100, milliseconds: 1000 };

  constructor(
    private readonly db: Db,
    private readonly store: ComparisonsStore,
    private readonly tariffs: TariffsService,
    private readonly owners: Owners,
    private readonly slices: Slices,
    private readonly jobs: Jobs,
    private readonly shutdown: Shutdown,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  @HandlesJob('tariffs.compare')
  async run(): Promise<void> {
    while (!this.shutdown.isStopping && (await this.step()));
  }

  @Sweeps(1000)
  async sweepComparisons(): Promise<void> {
    if (await this.store.isWaiting()) this.jobs.enqueueOnce('tariffs.compare', {});
  }

  @Sweeps(HOUR_MS)
  async deleteOldComparisons(): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    return (await this.store.deleteBefore(before, DELETED_AT_ONCE)) === DELETED_AT_ONCE;
  }

  /** False if nothing is to be compared. */
  private async step(): Promise<boolean> {
    let taken: Comparison | null = null;
    try {
      return await this.db.transaction(async () => {
        taken = await this.store.lockNext();
        if (!taken) return false;
        await this.db.setStatementTimeout(this.config.DATABASE_JOB_SECONDS);
        const scope = await this.scopeOf(taken);
        if (scope) await this.proceed(taken, scope);
        else await this.store.fail(taken.id);
        return true;
      });
    } catch (error) {
      const { id } = (taken ?? {}) as Partial<Comparison>;
      if (!id || this.shutdown.isStopping || isUnavailable(error)) throw error;
      this.log.error({ err: error, comparisonId: id }, 'A comparison of tariffs failed.');
      await this.store.fail(id);
      return true;
    }
  }

  /** What the user may compare now; null if it may not set these prices any more. */
  private async scopeOf({
    UserId,
    OwnerId,
    ResellerId,
    sides,
  }: Comparison): Promise<AccessScope | null> {
    const holder = await this.owners.holder(UserId);
    if (!holder || holder.OwnerId !== OwnerId || setterOf(holder) !== ResellerId) return null;
    const { permissions, scope } = rightsOf(holder);
    const needs = priceRuleNeeds(sides.flatMap(({ rules }) => rules));
    const isPermitted =
      can(permissions, 'tariffs.update', 'resellerUp') && canAll(permissions, needs);
    return isPermitted ? scope : null;
  }

  private async proceed(comparison: Comparison, scope: AccessScope): Promise<void> {
    const { id, sides } = comparison;
    let { total, processed, isCut, atAccount, atMessage } = comparison;
    if (total === null) {
      const found = await this.store.count(comparison, scope, MAX_COMPARED_MESSAGES + 1);
      total = Math.min(found, MAX_COMPARED_MESSAGES);
      isCut = found > total;
    }
    const from = uuidFloor(comparison.startsAt);
    // The account whose messages were not read to their end, then the next ones.
    const next = await this.store.accounts(comparison, scope, atAccount, this.sizes.accounts);
    const end = performance.now() + this.sizes.milliseconds;
    let pages = 0;
    const isEnough = () =>
      processed >= MAX_COMPARED_MESSAGES || (pages > 0 && performance.now() >= end);
    const accounts = [...(atMessage && atAccount ? [atAccount] : []), ...next];
    for (const account of accounts) {
      let to: string | null =
        account === atAccount && atMessage ? atMessage : uuidFloor(comparison.endsAt);
      atAccount = account;
      const books = await this.tariffs.booksWith(account, sides);
      while (books && to && !isEnough()) {
        const tags = new Set(books.flatMap((book) => [...book.tags]));
        const usesText = tags.has('text') || tags.has('keywords');
        const size = usesText ? this.sizes.texts : this.sizes.messages;
        const limit = Math.min(size, MAX_COMPARED_MESSAGES - processed);
        const page = await this.store.page(
          account,
          { from, to },
          {
            usesText,
            usesLists: tags.has('contactList'),
            digits: Math.max(...books.map(({ digits }) => digits)),
          },
          limit,
        );
        const sums = new Map<string, ComparisonSums>();
        await this.slices.forEach(page.groups, (group) => addGroup(sums, books, group));
        await this.store.add(id, account, [...sums.values()]);
        pages += 1;
        processed += page.read;
        to = page.read === limit ? page.last : null;
      }
      atMessage = books ? to : null;
      if (isEnough()) break;
    }
    const isAtEnd =
      !atMessage && atAccount === accounts.at(-1) && next.length < this.sizes.accounts;
    const isOver = !accounts.length || isAtEnd || processed >= MAX_COMPARED_MESSAGES;
    await this.store.update(id, {
      state: isOver ? 'completed' : 'running',
      total: isOver ? processed : Math.max(total, processed),
      processed,
      isCut,
      atAccount,
      atMessage,
    });
  }
}
