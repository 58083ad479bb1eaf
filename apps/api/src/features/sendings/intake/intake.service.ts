import { Injectable } from '@nestjs/common';
import type { SendingReceipt } from '@heliograph/contract';
import { outcomeCode, SENDING_ERRORS } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { AudienceStore } from '../audience/audience.store.ts';
import {
  InsertStore,
  isUncovered,
  TEST_PRIORITY,
  type NewBatch,
  type NewSending,
} from '../insert.store.ts';
import { addressOf, chainPlan, ownValues, type ResolvedSending } from '../plan.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { groupData, quote } from '../pricing/quote.ts';
import { RoutingService } from '../rules/routing.service.ts';
import { singleRefusal, type SingleRefusal } from '../refusals.ts';

/** One message, ready to be written but for the money. */
interface Draft {
  OwnerId: string;
  channel: string;
  priority: NewBatch['priority'];
  input: ResolvedSending;
  row: NewSending;
  refusal: SingleRefusal | null;
}

interface Waiting {
  draft: Draft;
  resolve: (receipt: SendingReceipt) => void;
  reject: (error: unknown) => void;
}

/** So many messages one statement takes, and so many statements run at a time. */
const AT_MOST = 200;
const IN_FLIGHT = 2;

/**
 * Single messages. Those that arrive together share one transaction, each with its own answer and its own refusal;
 * nobody waits for a timer: while a statement is under way the next gathers. Durable before the answer.
 */
@Injectable()
export class IntakeService {
  private waiting: Waiting[] = [];
  private inFlight = 0;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly inserts: InsertStore,
    private readonly audience: AudienceStore,
    private readonly pricing: PricingService,
    private readonly routing: RoutingService,
    private readonly settings: SettingsService,
  ) {}

  /** A receipt per recipient, in their order; `refusals`, in step with them, are those that were found already. */
  async send(
    OwnerId: string,
    input: ResolvedSending,
    recipients: string[],
    refusals: (SingleRefusal | null)[],
  ): Promise<SendingReceipt[]> {
    const channel = await this.routing.channelFor(OwnerId, input.type);
    const drafts = await this.drafts(OwnerId, input, recipients, refusals, channel);
    // With an idempotency key a transaction runs already, and the messages are part of it.
    if (this.db.inTransaction) return this.write(drafts, true);
    const receipts = drafts.map(
      (draft) =>
        new Promise<SendingReceipt>((resolve, reject) => {
          this.waiting.push({ draft, resolve, reject });
        }),
    );
    this.flush();
    return Promise.all(receipts);
  }

  /** One message that tests a channel: it needs no tariff and costs nothing. */
  async test(
    OwnerId: string,
    channel: string,
    input: ResolvedSending,
    recipient: string,
  ): Promise<SendingReceipt> {
    const [draft] = await this.drafts(OwnerId, input, [recipient], [null], channel);
    const test = { ...draft!, priority: TEST_PRIORITY, row: free(draft!.row) } as const;
    const [receipt] = await this.db.transaction(() => this.write([test], false));
    return receipt!;
  }

  private flush(): void {
    while (this.waiting.length && this.inFlight < IN_FLIGHT) {
      const group = this.waiting.splice(0, AT_MOST);
      this.inFlight++;
      void this.writeGroup(group).finally(() => {
        this.inFlight--;
        this.flush();
      });
    }
  }

  private async writeGroup(group: Waiting[]): Promise<void> {
    try {
      const drafts = group.map((w) => w.draft);
      const write = (isLocked: boolean) => this.db.transaction(() => this.write(drafts, isLocked));
      const receipts = await write(false).catch((error: unknown) => {
        if (isUncovered(error)) return write(true);
        throw error;
      });
      group.forEach((w, i) => w.resolve(receipts[i]!));
    } catch (error) {
      // One bad row must not take the others with it: each for itself.
      if (group.length === 1) return group[0]!.reject(error);
      for (const one of group) await this.writeGroup([one]);
    }
  }

  /** May be repeated, alone or in other company: what it decides of the money stays here. */
  private async write(asked: Draft[], isLocked: boolean): Promise<SendingReceipt[]> {
    const now = this.clock.now();
    const blacklisted = await this.audience.areBlacklisted(
      asked.map((d) => ({ OwnerId: d.OwnerId, address: d.row.phone })),
    );
    const owners = asked.map((d) => d.OwnerId);
    const left = await this.inserts.available(owners, isLocked);
    const drafts = asked.map((draft, i): Draft => {
      const { amount } = draft.row.quote;
      const refusal = singleRefusal(draft.refusal, { isBlacklisted: blacklisted[i]!, amount });
      if (refusal || amount === null) return { ...draft, refusal };
      const funds = left.get(draft.OwnerId) ?? 0n;
      if (amount > funds) return { ...draft, refusal: 'insufficient_funds' };
      left.set(draft.OwnerId, funds - amount);
      return draft;
    });
    const created = await this.inserts.insert(batchesOf(drafts, now), now, true);
    const refused = drafts.filter((d) => d.refusal);
    if (refused.length) await this.fail(refused, now);
    await this.inserts.charge(created);
    for (const { OwnerId, row } of drafts)
      this.events.changed('sendings', 'created', OwnerId, row.id);
    if (refused.length < drafts.length) this.jobs.enqueue('sendings.dispatch', {});
    return drafts.map(receiptOf);
  }

  private async drafts(
    OwnerId: string,
    input: ResolvedSending,
    recipients: string[],
    refusals: (SingleRefusal | null)[],
    channel: string,
  ): Promise<Draft[]> {
    const { type, payload, fallbacks, callbackData, options } = input;
    const [attempt] = chainPlan(input).attempts;
    const pricing = await this.pricing.of(OwnerId);
    const { country } = await this.settings.sendingRules(OwnerId);
    const now = this.clock.now();
    return recipients.map((recipient, i): Draft => {
      const address = addressOf(type, recipient, country);
      const values = address === null ? {} : ownValues(address);
      const priced = quote(attempt!, address ?? recipient, values, [], pricing);
      return {
        OwnerId,
        input,
        channel,
        priority: 0,
        refusal: address === null ? 'invalid_recipient' : refusals[i]!,
        row: {
          id: uuidv7(now),
          OwnerId,
          groupId: null,
          chainId: null,
          isLast: fallbacks.length === 0,
          sender: payload.sender,
          phone: address ?? recipient,
          quote: priced,
          vars: null,
          data: {
            payload,
            ...(callbackData !== undefined && { callbackData }),
            ...(options?.title && { options }),
            ...groupData(priced),
          },
        },
      };
    });
  }

  /** Refused messages are kept, failed and free, so that whoever sent them can read why. */
  private async fail(refused: Draft[], now: Date): Promise<void> {
    await this.db.query(
      `update sendings s set status = 5, outcome = ${outcomeCode('failed')}, failed_at = $3, error = r.error from unnest($1::uuid[], $2::text[]) as r(id, error) where s.id = r.id`,
      [refused.map((d) => d.row.id), refused.map((d) => d.refusal), now],
    );
  }
}

/** Singles of one channel and type go out together; with fallbacks each has a batch, and a timer, of its own. */
function batchesOf(drafts: Draft[], now: Date): NewBatch[] {
  const batches = new Map<string, NewBatch>();
  for (const { OwnerId, channel, priority, input, row: asked, refusal } of drafts) {
    const { type, payload, fallbacks, audioSeconds, callbackData } = input;
    const isAlone = fallbacks.length > 0;
    const row = refusal ? free(asked) : asked;
    const key = `${priority} ${channel} ${type} ${isAlone ? row.id : ''} ${refusal ? 'dropped' : ''}`;
    const batch = batches.get(key);
    if (batch) {
      batch.rows.push(row);
      if (batch.OwnerId !== OwnerId) batch.OwnerId = null;
    } else {
      batches.set(key, {
        taskId: null,
        OwnerId,
        channel,
        type,
        attempt: 0,
        priority,
        dueAt: now,
        plan: isAlone ? { type, payload, fallbacks, audioSeconds, callbackData } : undefined,
        isDropped: refusal !== null,
        rows: [row],
      });
    }
  }
  return [...batches.values()];
}

function free(row: NewSending): NewSending {
  return { ...row, quote: { ...row.quote, amount: 0n, price: [] } };
}

function receiptOf({ row, refusal }: Draft): SendingReceipt {
  return {
    id: row.id,
    recipient: row.phone,
    status: refusal ? 'failed' : 'pending',
    error: refusal && SENDING_ERRORS[refusal],
    ...(refusal && { code: refusal }),
  };
}
