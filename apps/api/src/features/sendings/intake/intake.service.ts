import { Injectable } from '@nestjs/common';
import type { EachReceipt, EachRecipient, ReachedCap, SendingReceipt } from '@heliograph/contract';
import {
  isBlank,
  respectsOptOut,
  SENDING_ERRORS,
  UNSUBSCRIBE_VARIABLE,
  validUntilOf,
  type SendingType,
} from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { RequestRates } from '../../../core/http/request-rates.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Slices } from '../../../core/slices.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { uuidTime, uuidv7 } from '../../../core/uuid.ts';
import { ChargesService, isUncovered, presentReached } from '../../billings/charges.service.ts';
import { SuppressionsService } from '../../suppressions/suppressions.service.ts';
import { UnsubscribeLinksService } from '../../suppressions/unsubscribe-links.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { AwaitedLookupsService, type Asking, type Claimed } from '../awaited-lookups.service.ts';
import { InsertStore, type NewBatch, type NewSending } from '../insert.store.ts';
import {
  addressOf,
  chainPlan,
  optOutChain,
  ownValues,
  typesAfterOptOut,
  varsFor,
  type ResolvedSending,
  type SendingOrigin,
} from '../plan.ts';
import { pay } from '../pricing/pay.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { quoteData, quoteOf } from '../pricing/quote.ts';
import { PRIORITIES, URGENCIES, type Priority, type Urgency } from '../priorities.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { FrequencyService, type FrequencyClaim } from '../rules/frequency.service.ts';
import { NO_ROUTE, routingKey, type Routing } from '../routing.ts';
import { RoutingService, type RouteOf } from '../rules/routing.service.ts';
import { StatusEvents } from '../status-events.ts';
import { singleRefusal, type SingleRefusal } from '../refusals.ts';
import { IntakeStore } from './intake.store.ts';

/** A priced message whose funds are not checked yet. */
interface Draft {
  OwnerId: string;
  routing: Routing;
  priority: Priority;
  urgency: Urgency;
  /** When it is sent; null: at once. */
  dueAt: Date | null;
  input: ResolvedSending;
  /** The types by which its chain goes on to a person who has opted out of it. */
  next: SendingType[];
  row: NewSending;
  refusal: SingleRefusal | null;
  /** Sent even to a person who opted out, such as the confirmation of that. */
  isExempt: boolean;
  /** It answers what the person has written, and so does not count under the frequency cap of the account. */
  isAnswer: boolean;
  /** It is one of the few messages that an unconfirmed account may send. */
  isLimited: boolean;
  /** A refusal counts: the account has a limited number of them in an hour. */
  isCounted: boolean;
  /** The only message of its call. */
  isAlone: boolean;
  /** Variables without a value and a default, in any attempt. */
  missing: string[];
  /** The cap that refused it. */
  cap?: ReachedCap;
}

/** Who gets a message, with own values of its variables. */
type Addressee = Pick<EachRecipient, 'to'> & Partial<EachRecipient>;

/** A message whose text only its carrier gets. */
export interface SealedMessage {
  OwnerId: string;
  input: ResolvedSending;
  recipient: string;
}

/** Messages of one transaction, and transactions at a time, per process. */
const MAX_GROUP_SIZE = 200;
const MAX_CONCURRENT_WRITES = 2;

/**
 * Accepts single messages. Messages that arrive while transactions are running share the next one, each with its own receipt or
 * refusal. A receipt is sent after the commit.
 */
@Injectable()
export class IntakeService {
  private readonly writes = new SharedCalls<Draft, SendingReceipt>(
    (drafts) => this.writeGroup(drafts),
    {
      items: MAX_GROUP_SIZE,
      calls: MAX_CONCURRENT_WRITES,
    },
  );

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: IntakeStore,
    private readonly inserts: InsertStore,
    private readonly charges: ChargesService,
    private readonly pricing: PricingService,
    private readonly routing: RoutingService,
    private readonly rules: AccountRulesService,
    private readonly frequency: FrequencyService,
    private readonly lookups: AwaitedLookupsService,
    private readonly settings: SettingsService,
    private readonly statusEvents: StatusEvents,
    private readonly suppressions: SuppressionsService,
    private readonly links: UnsubscribeLinksService,
    private readonly rates: RequestRates,
    private readonly slices: Slices,
  ) {}

  /** A receipt per recipient, in order. `refusal` was found before; `isAnswer`: to what the person has written. */
  async send(
    OwnerId: string,
    input: ResolvedSending,
    recipients: string[],
    refusal: SingleRefusal | null,
    isAnswer = false,
  ): Promise<SendingReceipt[]> {
    if (input.live === false) this.rates.countMessages(OwnerId, recipients.length, 'testMessage');
    const routeOf = await this.routeOf(OwnerId, input, recipients, refusal !== null);
    const all = await this.drafts(OwnerId, input, recipients, refusal, routeOf);
    const isCounted = OwnerId !== SYSTEM_OWNER;
    const isAlone = recipients.length === 1;
    const limited = isCounted && !isAlone && this.rates.countStored(OwnerId, 0);
    // Of several messages either all are answered or none.
    if (limited) throw limited;
    // The platform's own messages go to people who have no account yet, too.
    const drafts = all.map((draft) => ({
      ...draft,
      isAnswer,
      isLimited: draft.isLimited && isCounted,
      isCounted,
      isAlone,
    }));
    // A call with an idempotency key runs in a transaction, and its messages belong to that.
    if (!this.db.inTransaction) return this.writes.addAll(drafts);
    return this.accept(drafts);
  }

  /** Locks the persons of several calls of `sendEach` within one transaction, in one order for all. */
  async lockPersons(
    OwnerId: string,
    type: SendingType,
    recipients: EachRecipient[],
  ): Promise<void> {
    const { country } = await this.settings.sendingRules(OwnerId);
    const persons = () => recipients.map(({ to }) => addressOf(type, to, country) ?? to);
    await this.frequency.lock(OwnerId, persons, this.clock.now());
  }

  /** Messages with values of their own, in the transaction of the caller: a result for each, in order. Refused ones are not stored. */
  async sendEach(
    OwnerId: string,
    input: ResolvedSending,
    recipients: EachRecipient[],
    refusal: SingleRefusal | null,
  ): Promise<EachReceipt[]> {
    if (input.live === false) this.rates.countMessages(OwnerId, recipients.length, 'testMessage');
    const addresses = recipients.map(({ to }) => to);
    const routeOf = await this.routeOf(OwnerId, input, addresses, refusal !== null);
    const draftOf = await this.drafting(OwnerId, input, refusal, routeOf);
    const receipts: EachReceipt[] = [];
    for (let i = 0; i < recipients.length; i += MAX_GROUP_SIZE) {
      const drafts: Draft[] = [];
      await this.slices.forEach(recipients.slice(i, i + MAX_GROUP_SIZE), (one) =>
        drafts.push(draftOf(one)),
      );
      const accepted = await this.accept(drafts, { storesRefused: false, notifiesCaps: true });
      for (const [k, { id, code, ...receipt }] of accepted.entries()) {
        const { missing } = drafts[k]!;
        receipts.push({
          ...receipt,
          id: code ? null : id,
          ...(code && { code }),
          ...(code === 'no_value' && { missing }),
        });
      }
    }
    return receipts;
  }

  /** Messages with sealed texts, in the transaction of the caller: a receipt for each. Refused ones are not stored. */
  async sendSealed(messages: SealedMessage[]): Promise<SendingReceipt[]> {
    const drafts: Draft[] = [];
    for (const { OwnerId, input, recipient } of messages) {
      const routeOf = await this.routeOf(OwnerId, input, [recipient]);
      drafts.push(...(await this.drafts(OwnerId, input, [recipient], null, routeOf)));
    }
    return this.accept(drafts, { storesRefused: false, notifiesCaps: false });
  }

  /** Answers of the platform to messages of people, in the transaction of the caller. A receipt per person, in order. */
  async answer(
    OwnerId: string,
    written: ResolvedSending,
    recipients: string[],
    { isExempt }: { isExempt: boolean },
  ): Promise<SendingReceipt[]> {
    const [input] = (await this.rules.withApprovedNames(OwnerId, [written])) as [ResolvedSending];
    const refusal = await this.rules.refusalOf(OwnerId, [
      { type: input.type, sender: input.payload.sender },
    ]);
    const routeOf = await this.routeOf(OwnerId, input, recipients, refusal !== null);
    const drafts = await this.drafts(OwnerId, input, recipients, refusal, routeOf, isExempt);
    return this.accept(drafts.map((draft) => ({ ...draft, isAnswer: true, isLimited: !isExempt })));
  }

  /** A free message that tests a channel. */
  async test(
    OwnerId: string,
    channel: string,
    input: ResolvedSending,
    recipient: string,
  ): Promise<SendingReceipt> {
    const routing = { channel, ...NO_ROUTE };
    const [draft] = await this.drafts(OwnerId, input, [recipient], null, () => routing, true);
    const row = free(draft!.row);
    const test = { ...draft!, priority: PRIORITIES.test, row, isLimited: false } as const;
    const [receipt] = await this.db.transaction(() => this.accept([test]));
    return receipt!;
  }

  private async routeOf(
    OwnerId: string,
    input: ResolvedSending,
    recipients: string[],
    isRefused = false,
  ): Promise<(...message: Parameters<RouteOf>) => Routing> {
    const { country } = await this.settings.sendingRules(OwnerId);
    const addresses = () => recipients.map((to) => addressOf(input.type, to, country));
    return this.routing.forNew(trafficOf(OwnerId, input), addresses, isRefused);
  }

  private writeGroup(drafts: Draft[]): Promise<(SendingReceipt | AppError)[]> {
    const write = (isLocked: boolean) =>
      this.db.transaction(() =>
        this.write(drafts, { isLocked, storesRefused: true, notifiesCaps: true }),
      );
    return write(false).catch((error: unknown) => {
      if (isUncovered(error)) return write(true);
      throw error;
    });
  }

  /** In the transaction of the caller. Without `storesRefused` only its receipt tells of a refused message. */
  private async accept(
    drafts: Draft[],
    kept: { storesRefused: boolean; notifiesCaps: boolean } = {
      storesRefused: true,
      notifiesCaps: true,
    },
  ): Promise<SendingReceipt[]> {
    const results = await this.write(drafts, { isLocked: true, ...kept });
    return results.map((result) => {
      if (result instanceof AppError) throw result;
      return result;
    });
  }

  /** May run again, in another group: refusals for lack of funds must not be kept on the drafts passed in. */
  private async write(
    unchecked: Draft[],
    options: { isLocked: boolean; storesRefused: boolean; notifiesCaps: boolean },
  ): Promise<(SendingReceipt | AppError)[]> {
    const { isLocked, storesRefused, notifiesCaps } = options;
    const now = this.clock.now();
    const blacklisted = await this.rules.areBlacklisted(
      unchecked.map((d) => ({ OwnerId: d.OwnerId, address: d.row.phone })),
    );
    const unsubscribed = await this.areUnsubscribed(unchecked);
    const checked = unchecked.map((draft, i): Draft => {
      const refusal = singleRefusal(draft.refusal, {
        isBlacklisted: blacklisted[i]!,
        isUnsubscribed: unsubscribed[i]!,
        unsendable: draft.row.quote.refusal,
      });
      return { ...draft, refusal };
    });
    const { within, capped } = await this.cap(checked, now);
    const { allowed, counted } = await this.claim(within, now);
    const lookups = await this.lookups.claim(
      allowed.flatMap((draft) => askingOf(draft, now)),
      now,
    );
    const owners = allowed.map((d) => d.OwnerId);
    const timeOf = ({ row }: Draft) => uuidTime(row.id);
    const times = () => [...allowed.map(timeOf), ...(lookups.added.size ? [now] : [])];
    const funds = await this.charges.funds(owners, times, isLocked);
    const drafts = allowed.map((draft): Draft => {
      const { amount } = draft.row.quote;
      if (draft.refusal || amount === null || draft.input.live === false) return draft;
      const spender = { OwnerId: draft.OwnerId, tokenId: draft.row.tokenId };
      const { type } = draft.input;
      const message = { type, quote: draft.row.quote, at: timeOf(draft) };
      const { quote: paid, refusal } = pay(funds, spender, message);
      if (!refusal)
        return paid === draft.row.quote ? draft : { ...draft, row: { ...draft.row, quote: paid } };
      if (refusal !== 'spend_cap_reached') return { ...draft, refusal };
      return { ...draft, refusal, cap: presentReached(funds.reachedBy(spender)!) };
    });
    const sent = drafts.filter(({ refusal }) => !refusal).map(({ row }) => row);
    await this.lookups.pay(lookups, sent, funds);
    const unpaid = drafts.flatMap((draft, i) =>
      draft.refusal && counted.has(allowed[i]!) ? [messageOf(draft)] : [],
    );
    await this.rules.giveBack(unpaid, now);
    const refusedIds = new Set(drafts.flatMap(({ refusal, row }) => (refusal ? [row.id] : [])));
    await this.frequency.giveBack(capped.filter(({ id }) => refusedIds.has(id)));
    const flooding = new Map<Draft, AppError>();
    for (const draft of drafts) {
      const limited = draft.refusal && draft.isCounted && this.rates.countStored(draft.OwnerId);
      if (limited && draft.isAlone) flooding.set(draft, limited);
    }
    const stored = drafts.filter((d) => !d.refusal || (storesRefused && !flooding.has(d)));
    const batches = batchesOfSingles(stored, lookups, now);
    const all = [...batches, ...(await this.lookups.batches(lookups, now))];
    const created = await this.inserts.insert(all, now, true);
    await this.lookups.wait(lookups, batches, created);
    const refused = stored.filter((d) => d.refusal);
    if (refused.length) {
      await this.store.fail(refused.map(failureOf), now);
      await this.statusEvents.failed(
        refused.map((draft) => ({ ...failureOf(draft), OwnerId: draft.OwnerId })),
      );
    }
    await this.charges.charge(created);
    if (notifiesCaps) await this.charges.notifyReached(funds);
    for (const { OwnerId, row } of stored)
      this.events.changed('sendings', 'created', OwnerId, row.id);
    if (refused.length < stored.length) this.jobs.enqueue('sendings.dispatch', {});
    return drafts.map((draft) => flooding.get(draft) ?? receiptOf(draft));
  }

  /** Refuses messages to persons who have had as many as the frequency cap of the account allows, and counts the others. */
  private async cap(
    drafts: Draft[],
    now: Date,
  ): Promise<{ within: Draft[]; capped: FrequencyClaim[] }> {
    const { counted, refused } = await this.frequency.claim(drafts.flatMap(claimOf), now);
    const within = drafts.map((draft): Draft =>
      refused.has(draft.row.id) ? { ...draft, refusal: 'frequency_cap_reached' } : draft,
    );
    return { within, capped: counted };
  }

  /** Counts the messages of unconfirmed accounts that nothing but a lack of funds can refuse any more. */
  private async claim(
    drafts: Draft[],
    now: Date,
  ): Promise<{ allowed: Draft[]; counted: Set<Draft> }> {
    const limited = drafts.filter(({ isLimited, refusal }) => isLimited && !refusal);
    const claims = await this.rules.claim(limited.map(messageOf), now);
    const claimOf = new Map(limited.map((draft, i) => [draft, claims[i]]));
    const counted = new Set(limited.filter((_, i) => claims[i] === 'counted'));
    const allowed = drafts.map((draft): Draft =>
      claimOf.get(draft) === 'refused' ? { ...draft, refusal: 'phone_not_confirmed' } : draft,
    );
    return { allowed, counted };
  }

  private async areUnsubscribed(drafts: Draft[]): Promise<boolean[]> {
    const suppressed = await this.suppressions.areChainsSuppressed(
      drafts.map(({ OwnerId, row, input, next }) =>
        optOutChain(OwnerId, [input.type, ...next], row.phone, row.vars ?? {}),
      ),
    );
    return drafts.map(
      ({ isExempt, input, row }, i) =>
        suppressed[i]! &&
        !isExempt &&
        respectsOptOut(input.type, {
          group: row.quote.group,
          isBulk: input.respectsOptOut === true,
        }),
    );
  }

  private async drafts(
    OwnerId: string,
    input: ResolvedSending,
    recipients: string[],
    refusal: SingleRefusal | null,
    routeOf: (...message: Parameters<RouteOf>) => Routing,
    isFreeOfOptOut = false,
  ): Promise<Draft[]> {
    const draftOf = await this.drafting(OwnerId, input, refusal, routeOf, isFreeOfOptOut);
    return recipients.map((to) => draftOf({ to }));
  }

  private async drafting(
    OwnerId: string,
    input: ResolvedSending,
    refusal: SingleRefusal | null,
    routeOf: (...message: Parameters<RouteOf>) => Routing,
    isFreeOfOptOut = false,
  ): Promise<(one: Addressee) => Draft> {
    // A code is what the person has just asked for.
    const isExempt = isFreeOfOptOut || input.isSealed === true;
    const { type, payload, fallbacks, options, tokenId, isSealed, smpp, callback } = input;
    const { sendAt, priority = 'normal' } = input;
    const plan = chainPlan(input);
    const [attempt] = plan.attempts;
    const next = typesAfterOptOut(plan);
    const required = [...new Set(plan.attempts.flatMap(({ content }) => content.required))];
    const pricing = await this.pricing.of(OwnerId, input);
    const { country } = await this.settings.sendingRules(OwnerId);
    const now = this.clock.now();
    const link = await this.links.link();
    return ({ to, values: given, callbackData = input.callbackData }): Draft => {
      const id = uuidv7(now);
      const address = addressOf(type, to, country);
      const known = { ...given, ...(address !== null && ownValues(address)) };
      const missing = required.filter(
        (name) => name !== UNSUBSCRIBE_VARIABLE && isBlank(known[name] ?? ''),
      );
      // Of own values those of the fallbacks are known by now, too.
      const incomplete = given && missing.length ? 'no_value' : null;
      const values = { ...known, ...(attempt!.hasLink && { [UNSUBSCRIBE_VARIABLE]: link(id) }) };
      const priced = quoteOf(isSealed, attempt!, address ?? to, values, [], pricing);
      return {
        OwnerId,
        input: { ...input, callbackData },
        next,
        routing: routeOf({ id, address: address ?? to }),
        priority: isSealed ? PRIORITIES.code : PRIORITIES.single,
        urgency: URGENCIES[priority],
        dueAt: sendAt ? new Date(sendAt) : null,
        refusal: address === null ? 'invalid_recipient' : (refusal ?? incomplete),
        isExempt,
        isAnswer: false,
        isLimited: input.live !== false,
        isCounted: false,
        isAlone: false,
        missing,
        row: {
          id,
          OwnerId,
          groupId: null,
          chainId: null,
          isLast: fallbacks.length === 0,
          sender: payload.sender,
          phone: address ?? to,
          quote: priced,
          vars: given ? varsFor(plan, known) : null,
          data: {
            payload,
            ...(callbackData !== undefined && { callbackData }),
            ...(options?.title && { options }),
            ...(isSealed && { isSealed }),
            ...(input.respectsOptOut && { respectsOptOut: true }),
            ...(smpp && { smpp }),
            ...(callback && { callback }),
            ...quoteData(priced),
            ...(isExempt && { isExempt }),
          },
          tokenId: tokenId ?? null,
        },
      };
    };
  }
}

const trafficOf = (OwnerId: string, { type, payload, isSealed, live }: ResolvedSending) => ({
  OwnerId,
  live,
  type,
  sender: payload.sender,
  kind: isSealed ? ('code' as const) : ('single' as const),
});

/** None of what never counts under a frequency cap. */
function claimOf({ OwnerId, row, input, refusal, isExempt, isAnswer }: Draft): FrequencyClaim[] {
  if (refusal || isExempt || isAnswer || input.live === false) return [];
  const { id, phone, quote } = row;
  return [{ id, OwnerId, address: phone, type: input.type, group: quote.group, isBulk: false }];
}

const dueAtOf = ({ dueAt }: Draft, now: Date): Date => (dueAt && dueAt > now ? dueAt : now);

/** What may wait for a look-up of its number: nothing that a person waits for, and no test. */
function askingOf(draft: Draft, now: Date): Asking[] {
  const { OwnerId, row, routing, input, refusal, urgency, isExempt } = draft;
  if (!routing.isOpen || refusal || isExempt || urgency === URGENCIES.high) return [];
  const dueAt = dueAtOf(draft, now);
  return [
    {
      id: row.id,
      OwnerId,
      phone: row.phone,
      sender: row.sender,
      tokenId: row.tokenId,
      kind: 'single',
      validUntil: validUntilOf(input.schedule?.validUntil, dueAt),
    },
  ];
}

const messageOf = ({ OwnerId, row }: Draft) => ({ OwnerId, address: row.phone });

/**
 * Singles of one account, route, channel and type share a batch. One with fallbacks or a sealed text has its own, because timers and plans
 * belong to batches. What goes to the carrier in one call is decided when it is submitted.
 */
function batchesOfSingles(drafts: Draft[], lookups: Claimed, now: Date): NewBatch[] {
  const batches = new Map<string, NewBatch>();
  for (const draft of drafts) {
    const { OwnerId, routing, priority, urgency, input, row: pricedRow, refusal } = draft;
    const { type, payload, fallbacks, audioSeconds, callbackData, tokenId, isSealed } = input;
    const { schedule, live } = input;
    const dueAt = dueAtOf(draft, now);
    const awaited = refusal ? undefined : lookups.of.get(pricedRow.id);
    const isAlone = fallbacks.length > 0 || isSealed === true;
    const row = refusal ? free(withoutReceipt(pricedRow)) : pricedRow;
    const key = `${priority} ${OwnerId} ${routingKey(routing)} ${type} ${isAlone ? row.id : ''} ${refusal ? 'dropped' : ''} ${schedule?.validUntil} ${urgency} ${dueAt.getTime()} ${awaited?.until.getTime()}`;
    const batch = batches.get(key);
    if (batch) batch.rows.push(row);
    else {
      batches.set(key, {
        taskId: null,
        OwnerId,
        routing,
        type,
        attempt: 0,
        priority,
        urgency,
        dueAt: awaited && awaited.until > dueAt ? awaited.until : dueAt,
        ...(awaited && { dueAfterLookups: dueAt }),
        validUntil: validUntilOf(schedule?.validUntil, dueAt),
        plan: isAlone
          ? {
              type,
              payload,
              fallbacks,
              audioSeconds,
              callbackData,
              ...(schedule?.validUntil && { schedule }),
              ...(tokenId && { tokenId }),
              ...(isSealed && { isSealed }),
              ...(input.respectsOptOut && { respectsOptOut: true }),
              ...(live === false && { live }),
              ...(urgency !== URGENCIES.normal && { priority: input.priority }),
            }
          : undefined,
        isDropped: refusal !== null,
        rows: [row],
      });
    }
  }
  return [...batches.values()];
}

/** Refused messages are stored as failed and free, so that their sender can read the reason. */
function failureOf({ row, refusal }: Draft): { id: string; error: string } {
  return { id: row.id, error: refusal! };
}

function free(row: NewSending): NewSending {
  return { ...row, quote: { ...row.quote, amount: 0n, price: [] } };
}

/** The answer to its call tells of the refusal. Of parts, only those that were accepted before get receipts. */
function withoutReceipt(row: NewSending): NewSending {
  const { smpp, callback: _, ...data } = row.data as SendingOrigin;
  return { ...row, data: smpp?.isJoined ? { ...data, smpp } : data };
}

function receiptOf({ row, refusal, cap }: Draft): SendingReceipt {
  return {
    id: row.id,
    recipient: row.phone,
    status: refusal ? 'failed' : 'pending',
    error: refusal && SENDING_ERRORS[refusal],
    ...(refusal && { code: refusal }),
    ...(cap && { cap }),
  };
}
