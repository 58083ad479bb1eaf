import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  EFFECTS,
  RecurringSendingInput,
  type RecurringRun,
  type RecurringSendingUpdate,
  type SendingInput,
} from '@heliograph/contract';
import { nextOccurrence, nextOccurrences } from '@heliograph/domain';
import { requireAll, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { changesOf } from '../../core/changes.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import { parse } from '../../core/http/validation.ts';
import { Quotas } from '../../core/quotas.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { present, recurrenceOf, type RecurringSending } from './recurring-sending.entity.ts';
import { RECURRING_SENDINGS_QUOTA, RecurringSendingsStore } from './recurring-sendings.store.ts';

/** Times that are shown before they come. */
const SHOWN_TIMES = 5;
const TIMING = ['frequency', 'weekdays', 'day', 'time', 'timeZone', 'from', 'until'] as const;

/** The request of a bulk, as a person would make it. */
export function requestOf(
  row: Pick<
    RecurringSendingInput,
    'title' | 'type' | 'payload' | 'fallbacks' | 'recipient' | 'schedule' | 'callbackData'
  >,
  OwnerId: string,
): SendingInput {
  const { title, type, payload, fallbacks, recipient, schedule, callbackData } = row;
  return {
    type,
    payload,
    fallbacks,
    recipient,
    schedule: { delay: 0, until: 0, ...schedule },
    options: { title },
    callbackData: callbackData ?? undefined,
    OwnerId,
  };
}

/** Bulks that are sent again and again. docs/decisions/147-recurring-sendings.md. */
@Injectable()
export class RecurringSendingsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: RecurringSendingsStore,
    private readonly sendings: SendingsService,
    private readonly quotas: Quotas,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'recurringSendings',
      async (ids) =>
        this.store.withLastRuns(
          await this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
        ),
      present,
    );
  }

  create(actor: Actor, input: RecurringSendingInput): Promise<RecurringSending> {
    const { OwnerId, userId: UserId, tokenId: TokenId } = actor;
    return this.db.transaction(async () => {
      await this.sendings.prepareBulk(actor, requestOf(input, OwnerId));
      const row = { ...input, OwnerId, UserId, TokenId, ...this.startOf(input, 0) };
      const { id } = await this.store.create(row);
      await this.quotas.check(RECURRING_SENDINGS_QUOTA, OwnerId);
      this.events.changed('recurringSendings', 'created', OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  /** Who changes it answers for its bulks from then on; a pause alone needs no permission to send. What was due meanwhile is not made up for. */
  update(actor: Actor, id: string, changes: RecurringSendingUpdate): Promise<RecurringSending> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      const { OwnerId } = row;
      const own = changesOf(row, changes);
      const isPause = Object.keys(own).every((name) => name === 'isActive') && !own.isActive;
      const before = Object.fromEntries(FIELDS.map((name) => [name, row[name]]));
      const values = parse(RecurringSendingInput, { ...before, ...own }) as RecurringSendingInput;
      if (isPause) {
        if (own.isActive === false)
          Object.assign(row, { isActive: false, nextRunAt: null, attemptAt: null, reason: null });
      } else {
        requireAll(actor, EFFECTS.recurringSending.messages);
        await this.sendings.prepareBulk(actor, requestOf(values, OwnerId));
        const isMoved = !row.isActive || !values.isActive || TIMING.some((name) => name in own);
        const start = isMoved ? this.startOf(values, row.runs) : this.checkTimes(values, row.runs);
        Object.assign(row, values, start, { UserId: actor.userId, TokenId: actor.tokenId });
      }
      await this.store.replace(row);
      this.events.changed('recurringSendings', 'updated', OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  /** Pauses all of an account that is closed, in the caller's transaction. Returns how many. */
  async pauseAll(OwnerId: string): Promise<number> {
    const paused = await this.store.pauseAll(OwnerId);
    if (paused) this.events.counted('recurringSendings', 'updated', OwnerId, null, paused);
    return paused;
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.scope, id);
      await this.store.remove(actor.scope, id);
      this.events.changed('recurringSendings', 'removed', OwnerId, id);
      return { id };
    });
  }

  /** The times of the next runs; none while it does not run. */
  async next({ scope }: Actor, id: string): Promise<string[]> {
    const row = await this.store.get(scope, id);
    if (!row.nextRunAt) return [];
    const { runs, times, nextRunAt } = row;
    const count = Math.min(SHOWN_TIMES, times === null ? SHOWN_TIMES : times - runs);
    const later = nextOccurrences(recurrenceOf(row), nextRunAt, count - 1);
    return [nextRunAt, ...later].map((at) => at.toISOString());
  }

  async runs({ scope }: Actor, id: string): Promise<RecurringRun[]> {
    await this.store.get(scope, id);
    return this.store.runs(id);
  }

  /** From when it runs, after so many bulks. */
  private startOf(values: RecurringSendingInput, runs: number) {
    const fresh = { failures: 0, tries: 0, reason: null };
    if (!values.isActive) return { ...fresh, nextRunAt: null, attemptAt: null };
    this.checkTimes(values, runs);
    const nextRunAt = nextOccurrence(recurrenceOf(values), this.clock.now());
    if (!nextRunAt) throw invalid('until', 'past', 'It would not run any more until this day.');
    return { ...fresh, nextRunAt, attemptAt: nextRunAt };
  }

  private checkTimes({ times }: RecurringSendingInput, runs: number): void {
    if (times !== null && times <= runs)
      throw invalid('times', 'too_small', `It has sent ${runs} bulks already.`);
  }
}

/** Of a row, what a user sets. */
const FIELDS = Object.keys(RecurringSendingInput.shape) as (keyof RecurringSendingInput)[];
